"""Certificates: what a solver writes holds, by a second checker too, and nothing else passes."""

from __future__ import annotations

import contextlib
import gzip
import json
import subprocess
import sys

import numpy as np
import pytest

from playout.errors import DataError, PlayoutError, ProblemError
from playout.games import load_game
from playout.solvers.certificate import LONGEST_LINE, check_certificate
from playout.solvers.prover import Prover
from playout.solvers.strategy import claims_of, write_certificate
from tests.support.forms import long

pytestmark = pytest.mark.long


def written(path, name, **settings):
    """A proof with its certificate in a file."""
    prover = Prover(load_game(name), **settings)
    prover.run()
    return prover, write_certificate(prover, name, path)


def by_hand(path) -> dict:
    """The claims of a certificate, checked by dictionaries and recursion."""
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    game = load_game(header["game"])
    strategies: list[tuple[dict, dict]] = []
    for line in lines[1:-1]:
        if line.startswith("{"):
            strategies.append((json.loads(line), {}))
        else:
            position, move = line.split("\t")
            assert position not in strategies[-1][1]  # transpositions are merged
            strategies[-1][1][position] = move

    def ends(state, player, moves, known):
        text = game.position_text(state[0])
        if text not in known:
            legal = game.new_moves()
            n = game.moves(state[0], legal)
            found = set() if n else {float(game.reward(state[0], 0))}
            if n and game.turn(state[0]) == player:
                legal, n = [game.parse_move(state[0], moves[text])], 1
            for i in range(n):
                following = state.copy()
                game.play(following[0], legal[i].copy())
                found |= ends(following, player, moves, known)
            known[text] = found
        return known[text]

    for claim, moves in strategies:
        with np.errstate(over="ignore"):
            known: dict[str, set[float]] = {}
            found = ends(game.read_position(header["position"]), claim["player"], moves, known)
        assert set(moves) <= set(known)  # no move for what cannot come about
        if claim["player"] == 0:
            assert min(found) >= claim["reward"]
        else:
            assert max(found) <= claim["reward"]
    return header


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "winner", "settings"),
    [
        ("domineering:3x3", "first", {"order": "history"}),
        ("domineering:4x4", "first", {"order": "history", "symmetry": True}),
        ("domineering:5x4", "first", {"order": "history", "entries": 64}),
        ("misere-domineering:3x3", None, {"order": "history"}),
        ("domineering:1x1", "second", {"order": "history"}),
        ("domineering:2x1", "second", {"order": "history"}),
        long("domineering:4x3", None, {"solver": "dfpn", "order": "history"}),
        long("domineering:3x4", None, {"solver": "pn2", "order": "history"}),
        ("domineering:3x4", None, {"solver": "ids", "order": "history"}),
        ("tictactoe", "draw", {}),
    ],
)
def test_what_is_written_holds(tmp_path, name, winner, settings):
    path = tmp_path / "proof"
    prover, certificate = written(path, name, **settings)
    by_hand(path)
    checked = check_certificate(path)
    assert checked == certificate
    assert checked.positions == sum("\t" in line for line in path.read_text().splitlines())
    assert list(checked.claims) == claims_of(prover)
    expected = {1.0: "first", 0.5: "draw", 0.0: "second"}[prover.value]
    assert checked.winner() == expected == (winner or expected)
    assert check_certificate(path, name, compiled=False) == certificate
    assert sorted(p.name for p in tmp_path.iterdir()) == ["proof"]


def test_a_position_and_a_compressed_file(tmp_path):
    game = load_game("tictactoe")
    state = game.read_position("x.o/.../... x")
    prover = Prover(game, state=state)
    prover.run()
    write_certificate(prover, "tictactoe", tmp_path / "proof.gz")
    with gzip.open(tmp_path / "proof.gz", "rt") as file:
        assert json.loads(file.readline())["position"] == "x.o/.../... x"
    assert check_certificate(tmp_path / "proof.gz").winner() == "first"
    whole = (tmp_path / "proof.gz").read_bytes()
    (tmp_path / "proof.gz").write_bytes(whole[:-20])
    with pytest.raises(DataError, match="damaged or cut off"):
        check_certificate(tmp_path / "proof.gz")
    (tmp_path / "proof.gz").write_bytes(b"x" * 100)
    with pytest.raises(DataError, match="damaged or cut off"):
        check_certificate(tmp_path / "proof.gz")


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    path = tmp_path_factory.mktemp("proof") / "proof"
    written(path, "domineering:3x3", order="history")
    return path.read_text()


def test_whatever_is_missing_is_missed(tmp_path, proof):
    """Cut at any place, without any one line, with any one line twice: none of it passes."""
    lines = proof.splitlines(keepends=True)
    versions = [proof[:end] for end in range(0, len(proof), 3)]
    versions += ["".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines))]
    versions += ["".join(lines[:i] + lines[i:] + lines[i:]) for i in range(len(lines))]
    path = tmp_path / "proof"
    for version in versions:
        path.write_text(version)
        with pytest.raises(DataError, match=str(path)):
            check_certificate(path)


def test_a_strategy_that_does_not_hold(tmp_path, proof):
    """Every legal move but the written one: it leads elsewhere, or does not win."""
    game = load_game("domineering:3x3")
    lines = proof.splitlines()
    path = tmp_path / "proof"
    tried = 0
    for number, line in enumerate(lines):
        position, tab, move = line.partition("\t")
        if not tab:
            continue
        state, legal = game.read_position(position), game.new_moves()
        for i in range(game.moves(state[0], legal)):
            other = game.move_text(state[0], legal[i])
            if other != move:
                tried += 1
                path.write_text(
                    "\n".join([*lines[:number], f"{position}\t{other}", *lines[number + 1 :]])
                    + "\n"
                )
                with contextlib.suppress(DataError):
                    check_certificate(path)
                    by_hand(path)  # another move may win as well
    assert tried == 9


def _changed(proof, **change):
    first, rest = proof.split("\n", 1)
    return json.dumps({**json.loads(first), **change}) + "\n" + rest


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "other"}, "is not a certificate"),
        ({"game": 5}, "game is missing"),
        ({"game": "domineering:99x99"}, "99"),
        ({"game": "domineeering:3x3"}, "did you mean domineering"),
        ({"game": "my_game.py:Nim"}, "name the game in the command too"),
        ({"game": "domineering:3x4"}, "line 1"),
        ({"position": "..."}, "line 1"),
        ({"claims": []}, "claims is missing"),
        ({"claims": [{"player": 2, "reward": 1.0}]}, "a claim is not"),
        ({"claims": [{"player": 0, "reward": float("nan")}]}, "a claim is not"),
        ({"claims": [{"player": 0, "reward": 2.0}]}, "line 2: the line of a claim is missing"),
        ({"claims": [{"player": 1, "reward": 0.0}]}, "line 2: the line of a claim is missing"),
    ],
)
def test_another_first_line(tmp_path, proof, change, says):
    path = tmp_path / "proof"
    path.write_text(_changed(proof, **change))
    with pytest.raises(PlayoutError, match=says):
        check_certificate(path)


def test_a_claim_that_is_too_high(tmp_path, proof):
    claim = '{"player": 0, "reward": 1.0}'
    path = tmp_path / "proof"
    path.write_text(proof.replace(claim, claim.replace("1.0", "1.5")))
    with pytest.raises(DataError, match=r"it is not so that the first player gets at least 1\.5"):
        check_certificate(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not a certificate"),
        (b"\xff\xfe\n", "is not a certificate"),
        (b"[" * 100_000 + b"\n", "too long"),
        (b'{"format": "playout-proof-2"}', "cut off"),
        (b"x" * (10 * LONGEST_LINE), "too long"),
    ],
)
def test_other_files(tmp_path, content, says):
    path = tmp_path / "proof"
    path.write_bytes(content)
    with pytest.raises(DataError, match=says):
        check_certificate(path)


def test_files_that_cannot_be_read_or_written(tmp_path, proof):
    with pytest.raises(DataError, match="cannot read"):
        check_certificate(tmp_path / "none")
    with pytest.raises(DataError, match="cannot read"):
        check_certificate(tmp_path)
    path = tmp_path / "proof"
    path.write_text(proof)
    with pytest.raises(DataError, match="is about 'domineering:3x3', not 'domineering:4x4'"):
        check_certificate(path, "domineering:4x4")
    prover = Prover(load_game("tictactoe"))
    with pytest.raises(ProblemError, match="no proof yet"):
        write_certificate(prover, "tictactoe", tmp_path / "other")
    prover.run()
    with pytest.raises(DataError, match="cannot write"):
        write_certificate(prover, "tictactoe", tmp_path / "folder" / "other")


def test_the_check_has_none_of_the_solvers_code(tmp_path, proof):
    path = tmp_path / "proof"
    path.write_text(proof)
    code = (
        "import sys\n"
        "from playout.solvers.certificate import check_certificate\n"
        f"check_certificate({str(path)!r}, compiled=False)\n"
        "print(*sorted(m for m in sys.modules if m.startswith('playout.solvers.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.split() == ["playout.solvers.certificate"]
