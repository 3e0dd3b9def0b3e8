"""`playout prove`: proofs, certificates, Ctrl-C and going on, bad input."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests.support.cli_shell import Shell

KALAH = f"{Path(__file__).parents[2] / 'examples' / 'kalah.py'}:Kalah"


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    return Shell(tmp_path_factory.mktemp("prove"))


@pytest.mark.long
def test_a_proof_and_its_certificate(shell):
    found = shell.json("prove", "domineering:4x4", "--certificate", "proof.txt")
    assert (found["winner"], found["value"], found["stopped_by"]) == ("first", 1.0, "proven")
    assert (found["game"], found["solver"]) == ("domineering:4x4", "auto")
    assert found["order"] == "mcsuccess"
    # the settings that it chose are a solver, and with an option of one's own none is chosen
    again = shell.json("prove", "domineering:4x4", "-a", found["chosen"])
    assert (again["solver"], again["nodes"]) == ("alphabeta", found["nodes"])
    own = shell.json("prove", "domineering:4x4", "--tiers", "2")
    assert (own["solver"], own["order"], "chosen" in own) == ("alphabeta", "game", False)
    assert found["nodes"] > 0
    assert found["seconds"] > 0
    assert len(found["variation"]) % 2 == 1  # the first player has the last move
    done = shell("prove", "--check", "proof.txt")
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds      the first player gets at least 1\n" in done.stdout
    checked = shell.json("prove", "domineering:4x4", "--check", "proof.txt", "--interpreted")
    assert (checked["winner"], checked["verified"]) == ("first", True)
    assert f"checked    {checked['positions']:,} positions" in done.stdout
    whole = (shell.folder / "proof.txt").read_text()
    shell.write("cut.txt", whole[:-30])
    assert "cut.txt, line" in shell.refused("prove", "--check", "cut.txt")
    shell.write("own.txt", whole.replace("domineering:4x4", "own.py:Nim"))
    assert "name the game in the command too" in shell.refused("prove", "--check", "own.txt")


@pytest.mark.long
def test_positions_in_words(shell):
    done = shell("prove", "domineering:3x3", "--moves", "b1-b2", "-a", "ids")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "domineering:3x3: the first player wins"
    assert "ids, order game" in lines[1]
    assert lines[2].startswith("variation  ")
    text = ".../.v./.v. h"
    assert shell.json("prove", "domineering:3x3", text)["position"] == text


@pytest.mark.long
def test_ctrl_c_keeps_what_is_known_and_the_same_command_goes_on(shell):
    words = ("prove", "domineering:8x8", "--checkpoint", "large.proof")
    out, wait = "", 3
    while not out:  # it may not have begun yet: then there is nothing to say
        process = shell.start(*words, "--json")
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=600)
        assert process.returncode in (130, -signal.SIGINT)
        wait *= 2
    found = json.loads(out)
    assert (found["winner"], found["value"], found["stopped_by"]) == ("unknown", None, "interrupt")
    assert (shell.folder / "large.proof").exists()
    more = shell(*words, "--seconds", "0.5")
    assert more.returncode == 0
    assert "not known yet" in more.stdout
    assert "go on with the same command: large.proof has the search" in more.stdout
    again = shell.json(*words, "--seconds", "0.1")
    assert again["nodes"] > found["nodes"]
    assert again["seconds"] > found["seconds"]
    assert "this run has alphabeta" in shell.refused(*words, "--order", "killer")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give GAME, or --check FILE"),
        (["domineerin"], "did you mean domineering"),
        (["domineering:3x3", "...", "x"], "one argument too many"),
        (["domineering:3x3", "junk"], "junk"),
        (["domineering:3x3", "--moves", "z9"], "--moves, move 1"),
        (["domineering:3x3", "-a", "dfpm"], "did you mean dfpn"),
        (["domineering:3x3", "--order", "histery"], "did you mean history"),
        (["domineering:3x3", "--playouts", "5"], "--playouts is for --order mc"),
        (["domineering:3x3", "--entries", "1"], "is no size of a table"),
        (["domineering:3x3", "--tiers", "3"], "tiers=3"),
        (["domineering:3x3", "--workers", "0"], "is no number of workers"),
        (["domineering:3x3", "-a", "ids", "--cluster", "auto"], "ids works on one machine"),
        (["domineering:3x3", "--seconds", "soon"], "is no time"),
        (["domineering:3x3", "--certificate", "none/proof"], "there is no folder none"),
        (["domineering:3x3", "--checkpoint", ""], "--checkpoint: give the name of a file"),
        (["domineering:3x3", "--certificate", "a", "--checkpoint", "a"], "name the same file"),
        (["domineering:3x3", "--checkpoint", "my_problem.py"], "not a checkpoint"),
        (["domineering:3x3", "--interpreted"], "--interpreted is for --check"),
        (["dotsandboxes:1x1,players=3"], "3 players"),
        ([KALAH, "--certificate", "a"], "write its methods position_text and read_position"),
        (["--check", "none.txt"], "cannot read none.txt"),
        (["--check", "my_problem.py"], "this is not a certificate"),
        (["domineering:3x3", "--check", "proof.txt", "--checkpoint", "a"], "leave checkpoint out"),
    ],
)
def test_bad_input_is_one_line(shell, words, says):
    assert says in shell.refused("prove", *words)
