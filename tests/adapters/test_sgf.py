"""Records of games as SGF and as text: golden files, round trips, nonsense."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import numpy as np
import pytest

from playout.adapters.game_files import (
    PlayedGame,
    finished,
    from_text,
    load_game_file,
    save_game_file,
    to_text,
)
from playout.adapters.sgf import from_sgf, parse_sgf, result_text, to_sgf
from playout.errors import DataError
from playout.games import load_game

GOLDEN = Path(__file__).parents[1] / "data" / "records"


def random_record(name: str, seed: int, most: int = 10_000) -> PlayedGame:
    """A random game of at most so many moves."""
    game, rng = load_game(name), random.Random(seed)
    states, legal = game.root(), game.new_moves()
    record = PlayedGame(name, [f"player {seat}" for seat in range(game.players)])
    with np.errstate(over="ignore"):
        while (n := game.moves(states[0], legal)) and len(record.moves) < most:
            move = legal[rng.randrange(n)].copy()
            record.moves.append(game.move_text(states[0], move))
            game.play(states[0], move)
    record.rewards = finished(game, states)
    return record


# golden files


@pytest.mark.parametrize("name", ["go.sgf", "nogo.sgf", "atarigo.sgf", "resigned.sgf"])
def test_golden_sgf_is_written_as_it_was_read(name):
    text = (GOLDEN / name).read_text()
    assert to_sgf(from_sgf(text)) == text


@pytest.mark.parametrize("name", ["dotsandboxes.txt", "connectfour.txt", "unfinished.txt"])
def test_golden_text_is_written_as_it_was_read(name):
    text = (GOLDEN / name).read_text()
    assert to_text(from_text(text, name)) == text


def test_a_file_of_another_program():
    """Variations, comments with brackets, long names of FF[3], a handicap, capitals, a pass."""
    record = load_game_file(GOLDEN / "foreign.sgf")
    assert record.game == "go:9x9,komi=0.5"
    assert record.players == ["Black ] Player", "White: (9k)"]
    assert record.moves == ["C7", "D4", "pass", "E5"]
    assert record.start.startswith("........./......b../")
    assert record.start.endswith(" w")
    assert (record.rewards, record.ending) == ([0.0, 1.0], "time")


def test_go_by_hand():
    """A stone is taken, then both pass: four points against two."""
    record = from_sgf("(;GM[1]SZ[3]KM[1.5];B[bc];W[ac];B[ab];W[cb];B[bb];W[ca];B[];W[])")
    assert record.game == "go:3x3,komi=1.5"
    assert record.moves == ["B1", "A1", "A2", "C2", "B2", "C3", "pass", "pass"]
    states = record.states()
    game = load_game(record.game)
    # A1 is black's; A3, B3 and C1 touch both
    assert game.cell_letters(states[-1][0]) == [".", "b", ".", "b", "b", "w", ".", ".", "w"]
    assert result_text(game, states[-1]) == "B+0.5"
    assert record.rewards == [1.0, 0.0]


# round trips


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "name", ["go:5x5", "go:3x4,komi=0.5", "nogo:4x4", "atarigo:5x5", "go:9x9,komi=-3"]
)
def test_sgf_round_trip(name, seed):
    record = random_record(name, seed, most=30 if seed % 2 or "9x9" in name else 1000)
    again = from_sgf(to_sgf(record))
    assert (again.moves, again.players) == (record.moves, record.players)
    assert again.rewards == record.rewards
    assert to_sgf(again) == to_sgf(record)
    assert again.states()[-1].tobytes() == record.states()[-1].tobytes()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "connectfour",
        "breakthrough:5x5",
        "misere-domineering:4x4",
        "reversi:4x4",
        "hex:3",
        "dotsandboxes:2x2",
        "dotsandboxes:2x1,players=3",
        "go:4x4",
    ],
)
def test_text_round_trip(name, seed, tmp_path):
    record = random_record(name, seed, most=5 if seed == 2 else 1000)
    record.headers["date"] = "today:  or tomorrow"
    save_game_file(record, tmp_path / "game.txt")
    again = load_game_file(tmp_path / "game.txt")
    assert again.headers == {"date": "today: or tomorrow"}
    again.headers = record.headers
    assert again == record


def test_a_start_and_an_ending_are_kept(tmp_path):
    game = load_game("go:3x3")
    record = PlayedGame("go:3x3", ["", "b]\\"], start=".b./.w./... w", moves=["a1"])
    record.rewards, record.ending = [1.0, 0.0], "resigned"
    for name in ("game.sgf", "game.txt"):
        save_game_file(record, tmp_path / name)
        again = load_game_file(tmp_path / name)
        assert again.start == ".b./.w./... w"
        assert again.moves == ["A1"]
        assert (again.rewards, again.ending) == ([1.0, 0.0], "resigned")
        assert again.players == ["", "b]\\"]
        assert game.position_text(again.states()[-1][0]).startswith(".b./.w./w.. b")


def test_long_games_of_go_are_read():
    """More moves than the game allows unless told."""
    assert from_sgf("(;SZ[1];B[];W[])").rewards == [0.5, 0.5]
    game, rng = load_game("go:3x3,length=60"), random.Random(1)
    states, legal, turns = game.root(), game.new_moves(), ""
    for _ in range(30):
        n = game.moves(states[0], legal)
        # pass only where there is nothing else
        move = legal[rng.randrange(n - 1)] if n > 1 else legal[0]
        row, column = divmod(int(move.point), 3)
        where = "abc"[column] + "cba"[row] if n > 1 else "tt"
        turns += f";{'BW'[int(states[0].player)]}[{where}]"
        game.play(states[0], move.copy())
    record = from_sgf(f"(;SZ[3]{turns})")
    assert len(record.moves) == 30
    assert record.game == "go:3x3,komi=0,length=48"


# nonsense, in one line


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "is no SGF"),
        ("hello", "is no SGF"),
        ("(", "is no SGF"),
        ("(;SZ[9]", "ends before its last )"),
        ("(;SZ[9", "without its ]"),
        ("(;SZ[9];B[cc]\nxx)", "line 2: 'x' where a node should begin"),
        ("(;sz[9])", "is no property"),
        ("(;SZ[9]SZ[9])", "SZ is twice"),
        ("(;SZ[nine])", "SZ[nine] is no size"),
        ("(;SZ[25])", "no board of 25x25"),
        ("(;SZ[0])", "no board of 0x0"),
        ("(;KM[much])", "KM[much] is no komi"),
        ("(;GM[2])", "GM[2] is no Go"),
        ("(;SZ[9];B[zz])", "move 1: zz is no point of a board of 9x9"),
        ("(;SZ[9];B[c])", "move 1: c is no point"),
        ("(;SZ[9];B[cc];W[cc])", "move 2: 'C7' is not a legal move here: it is taken"),
        ("(;SZ[9];B[cc];B[dd])", "move 2 is B's, but the other is to move"),
        ("(;SZ[9];B[cc]W[dd])", "a move of both"),
        ("(;SZ[9];B[];W[];B[cc])", "the game is over"),
        ("(;SZ[9];B[cc];AW[dd])", "node 3 puts stones down"),
        ("(;SZ[9]AB[cc:dd:ee])", "AB: cc:dd:ee is no point"),
        ("(;SZ[2]AB[aa][ab][ba][bb])", "has no liberty"),
        ("(;SZ[9]PL[green])", "PL[green] is neither B nor W"),
        ("(;SZ[9]RU[NoGo];B[])", "a pass, which the game does not have"),
        ("(;SZ[9]RU[NoGo]AB[aa][bb])", "they move in turn"),
    ],
)
def test_sgf_nonsense(text, hint):
    with pytest.raises(DataError) as caught:
        from_sgf(text, "game.sgf")
    message = str(caught.value)
    assert message.startswith("game.sgf")
    assert hint in message
    assert "\n" not in message


HEAD = "playout record 1\ngame: tictactoe\n"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("hello", "is no record of a game"),
        ("playout record 1\n", "no header 'game: ...'"),
        ("playout record 1\ngame: tictac\n", "did you mean tictactoe"),
        ("playout record 1\ngame: tictactoe\nGAME: hex\n", "line 3: a second header 'game'"),
        (HEAD + "?\n", "line 3: '?' is no header"),
        (HEAD + "player 3: x\n", "player 3, but the game has 2 players"),
        (HEAD + "start: xxx\n", "is no position"),
        (HEAD + "result: yes\n", "is no result"),
        (HEAD + "result: 1\n", "is no result"),
        (HEAD + "result: nan 1\n", "is no result"),
        (HEAD + "result: 1 0\n", "the moves do not end the game"),
        (HEAD + "\n1 1 a4\n", "line 4: 'a4' is not a legal move"),
        (HEAD + "\n1 2 a1\n", "line 4: player 2 moves, but it is player 1's turn"),
        (HEAD + "\n2 1 a1\n", "line 4: move 2 where 1 should be"),
        (HEAD + "\n1 a1\n", "line 4: '1 a1' is no move"),
        (HEAD + "\n1 1 a1\n2 2 b1\n3 1 a2\n4 2 b2\n5 1 a3\n6 2 b3\n", "line 9: 'b3' cannot be"),
        (
            HEAD + "result: 0 1\n\n1 1 a1\n2 2 b1\n3 1 a2\n4 2 b2\n5 1 a3\n",
            "the result is not 1 0",
        ),
    ],
)
def test_text_nonsense(text, hint):
    with pytest.raises(DataError) as caught:
        from_text(text, "game.txt")
    message = str(caught.value)
    assert message.startswith("game.txt")
    assert hint in message
    assert "\n" not in message


def test_sgf_is_for_the_games_of_go():
    with pytest.raises(DataError, match="SGF is for Go"):
        to_sgf(PlayedGame("hex:3", ["", ""]))


def test_random_bytes_are_refused_or_read():
    rng = random.Random(1)
    text = (GOLDEN / "go.sgf").read_text()
    for _ in range(300):
        letters = list(text)
        for _ in range(rng.randrange(1, 6)):
            letters[rng.randrange(len(letters))] = rng.choice("()[];:\\BWabcxyz09 \n")
        with contextlib.suppress(DataError):
            from_sgf("".join(letters))


def test_the_main_line_is_the_first_of_variations():
    nodes = parse_sgf("(;A[1];B[x](;C[2](;D[3])(;E[4]))(;F[5]))(;G[6])")
    assert [list(node) for node in nodes] == [["A"], ["B"], ["C"], ["D"]]
