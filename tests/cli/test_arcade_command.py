"""`playout arcade`: a video game from the shell, kept, replayed, filmed and refused."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys

import pytest

from playout.adapters.arcade_screen import changes
from playout.arcade.vgdl.files import OWN
from tests.support.cli_shell import Shell

GAME = ("arcade", "orchard", "--interpreted", "--calls", "8", "--seed", "5")


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


@pytest.mark.long
def test_a_game_is_played_saved_replayed_and_filmed(shell):
    done = shell(*GAME, "-o", "length=2", "--save", "game.json", "--html", "game.html", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data["verified"]
    assert data["instance"] == "orchard 0"
    page = (shell.folder / "game.html").read_text()
    film = json.loads(re.search(r'id="film">(.*)</script>', page)[1])
    assert len(film["changes"]) == len(film["decisions"]) + 1 == len(data["moves"]) + 1
    assert film["notes"][-1][0] == data["score"]
    pytest.importorskip("PIL")
    again = shell("arcade", "--replay", "game.json", "--gif", "game.gif")
    assert (again.returncode, again.stderr) == (0, "")
    assert "the replay agrees" in again.stdout
    assert (shell.folder / "game.gif").read_bytes()[:6] == b"GIF89a"


def test_a_game_that_was_changed_is_refused(shell):
    shell(*GAME, "--calls", "6", "--save", "game.json")
    data = json.loads((shell.folder / "game.json").read_text())
    (shell.folder / "game.json").write_text(json.dumps(data | {"luck": 99}))
    done = shell("arcade", "--replay", "game.json")
    assert done.returncode == 2
    assert done.stderr.startswith("playout: game.json is damaged or was changed")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give a GAME"),
        (("nothing",), "there is no arcade game 'nothing'"),
        (("orchard", "7"), "orchard.txt: has no level 7; there are: 0, 1"),
        (("alone.txt",), "alone.txt: has no alone_lvl0.txt beside it: give the file of a level"),
        (("orchard", "none.txt"), "none.txt: there is no such file"),
        (("none.txt",), "none.txt: there is no such file"),
        (("orchard", "--human"), "a game is shown in a terminal"),
        (("orchard", "--show", "--json"), "--json prints nothing but its object"),
        (("orchard", "--interpreted", "--calls", "2"), "a budget of 2 calls for a decision"),
        (("orchard", "-a", "uct"), "there is no search over worlds 'uct'"),
    ],
)
def test_mistakes_are_one_line(shell, words, message):
    shell.write("alone.txt", (OWN / "orchard.txt").read_text())
    done = shell("arcade", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_no_description_is_one_line(shell):
    for name, data in {
        "noise.txt": bytes(range(256)) * 40,
        "large.txt": b"a" * (10 << 20),
        "deep.txt": b"".join(b" " * i + b"a > b\n" for i in range(60)),
    }.items():
        (shell.folder / name).write_bytes(data)
        done = shell("arcade", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert name in done.stderr


def test_a_terminal_is_sent_only_what_changed():
    assert changes(["ab", "cd"], ["ab", "cX"]) == "\x1b[2;2HX"
    assert changes(["abc"], ["a"]) == "\x1b[1;2H  "
    assert changes([""], ["ab", "c"]) == "\x1b[1;1Hab\x1b[2;1Hc"


def test_a_person_plays_in_a_terminal(tmp_path):
    """It waits for a key, takes the last of several, and what was played replays."""
    ours, theirs = pty.openpty()
    kept = tmp_path / "game.json"
    command = [sys.executable, "-m", "playout", "arcade", "orchard", "--human", "--seed", "1"]
    child = subprocess.Popen(
        [*command, "--save", str(kept)], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    )
    os.close(theirs)
    _read_until(ours, "any key to begin")
    os.write(ours, b"\x1b[A\x1b[D")
    _read_until(ours, "\x1b[")  # a tick, of which only the changes are drawn
    os.write(ours, b"q")
    shown = _read_until(ours, "seed ")
    assert child.wait(600) == 130
    os.close(ours)
    assert "the replay agrees" in shown
    data = json.loads(kept.read_text())
    assert data["moves"][0] == "left"
    assert data["stopped_by"] == "interrupt"


def _read_until(terminal, words):
    found = ""
    while words not in found:
        if not select.select([terminal], [], [], 600)[0]:
            raise AssertionError(f"{words!r} was not shown: {found!r}")
        found += os.read(terminal, 4096).decode()
    return found
