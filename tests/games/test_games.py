"""Every game: the contract, the naive rules, transcripts, counts of positions, bad input."""

from __future__ import annotations

import doctest
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from playout.check import check_problem
from playout.errors import DataError, OptionError, PlayoutError, ProblemError
from playout.games import GAMES, load_game
from tests.support.forms import long
from tests.support.game_cases import BAD_POSITIONS, CASES, PERFT
from tests.support.perft import naive_perft, perft
from tests.support.plain_games import legal_texts, play_out

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "data" / "games").glob("*.txt"))

load = cache(load_game)

# whose cards are hidden: each has a file of its own
HIDDEN = {"bridge", "jass"}

# those that are compiled in short runs too
COMPILED = {"tictactoe", "connectfour", "hex:5x5"}

# two of several cases of a game: what is compiled of it is in the others
PLAIN = {"go:2x2,komi=0.5", "go:4x2,komi=1,keep_eyes=true", "atarigo:3x3", "nogo:3x3"}

every_game = pytest.mark.parametrize("name", CASES)
compiled_games = pytest.mark.parametrize(
    "name", [name if name in COMPILED else long(name) for name in CASES]
)


def test_every_game_has_a_case_and_a_transcript():
    names = {case.partition(":")[0] for case in CASES}
    own = {name for name in GAMES if not GAMES.entry(name).takes_text}  # text of its own: another's
    own -= HIDDEN
    assert names == own
    assert {path.stem.partition(".")[0] for path in TRANSCRIPTS} == own


@compiled_games
def test_it_keeps_the_contract(name):
    report = check_problem(load(name), games=6, compiled=name not in PLAIN)
    assert report.passed, str(report)
    assert report.compiled == (name not in PLAIN)
    assert not report.notes


@every_game
def test_it_plays_as_the_naive_rules_do(name):
    """The same moves everywhere along random games, the same positions, turns and rewards."""
    game, naive = load(name), CASES[name]()
    won = [0, 0]
    for seed in range(16):
        rng = np.random.default_rng(seed)
        states, position = game.root(), naive.start()
        while True:
            assert game.position_text(states[0]) == naive.line(position)
            moves, expected = legal_texts(game, states[0]), naive.moves(position)
            assert sorted(moves) == sorted(expected)
            if not moves:
                break
            assert game.turn(states[0]) == position[1]
            text = sorted(moves)[rng.integers(len(moves))]
            game.play(states[0], game.parse_move(states[0], f" {text.upper()} "))
            position = expected[text]
        rewards = [game.reward(states[0], player) for player in range(2)]
        assert rewards == list(naive.result(position))
        assert sum(rewards) == 1.0
        for player in range(2):
            won[player] += rewards[player] == 1.0
    assert all(won), "each player should win one of the games"


@compiled_games
def test_the_number_of_positions_at_each_depth(name):
    game = load(name)
    if name in PERFT:
        assert perft(game, len(PERFT[name])) == PERFT[name]
    naive = CASES[name]()
    first = len(naive.moves(naive.start()))
    depth = max(n for n in range(1, 9) if n == 1 or first**n < 12_000)
    assert perft(game, depth) == naive_perft(naive, depth)


@every_game
def test_a_position_read_back_goes_on_as_it_would_have(name):
    game = load(name)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for states in play_out(game, rng):
            text = game.position_text(states[0])
            again = game.read_position(text)
            assert game.position_text(again[0]) == text
            assert sorted(legal_texts(game, again[0])) == sorted(legal_texts(game, states[0]))
            with np.errstate(over="ignore"):
                assert game.key(again[0]) == game.key(states[0])
        end, after = play_out(game, rng, again)[-1], play_out(game, rng, states)[-1]
        assert [game.reward(end[0], p) for p in range(2)] == [
            game.reward(after[0], p) for p in range(2)
        ]


def test_a_picture_shows_the_stone_whose_letter_stands_below_it():
    game = load("connectfour")
    states = game.root()
    for stone in ('fill="#c8453d"', 'fill="#e9c23b"'):
        below = game.svg(states[0]).partition("translate(6 ")[2]
        assert stone in below
        game.play(states[0], game.parse_move(states[0], "d"))
    assert "translate(6 " not in load("reversi").svg(load("reversi").root()[0])  # it names both


@every_game
def test_pictures(name):
    game = load(name)
    path = play_out(game, np.random.default_rng(1))
    for states in (path[0], path[len(path) // 2], path[-1]):
        assert "\n" in game.render(states[0])
        assert ElementTree.fromstring(game.svg(states[0])).tag.endswith("svg")
    assert game.render(path[0][0]) != game.render(path[-1][0])


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcripts(path):
    """Lines of moves, `= POSITION` lines that must hold, `result FIRST SECOND` at the end.

    `from POSITION` begins elsewhere, `! MOVE REASON` is a move that must be refused. A position may
    be given without its past.
    """
    game, states, ended = None, None, False
    for line in path.read_text().splitlines():
        line = line.partition("#")[0].strip()
        word, _, rest = line.partition(" ")
        if word == "game":
            game, ended = load(rest), False
            start, played = game.root(), []
            states = start.copy()
        elif word == "from":
            start, played = game.read_position(rest), []
            states = start.copy()
        elif word == "!":
            text, _, says = rest.partition(" ")
            with pytest.raises(DataError, match=says):
                game.parse_move(states[0], text)
        elif word == "=":
            text = game.position_text(states[0])
            assert rest in (text, text.partition(" after ")[0])
        elif word == "result":
            assert not legal_texts(game, states[0])
            assert [game.reward(states[0], p) for p in range(2)] == list(map(float, rest.split()))
            assert game.replay(played, start).tobytes() == states.tobytes()
            ended = True
        else:
            for text in line.split():
                played.append(game.parse_move(states[0], text))
                assert game.move_text(states[0], played[-1]) == text
                game.play(states[0], played[-1])
    assert ended


# bad input


@every_game
def test_bad_moves(name):
    game = load(name)
    state = game.root()[0]
    for text in ("", "zz9", "a1 a1 a1", "\n", "x" * 1000, "nothing"):
        with pytest.raises(DataError) as caught:
            game.parse_move(state, text)
        assert "legal: " in str(caught.value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 250
    over = play_out(game, np.random.default_rng(0))[-1]
    with pytest.raises(DataError, match="over"):
        game.parse_move(over[0], "a1")


@pytest.mark.parametrize(
    ("name", "line", "says"), [(name, *bad) for name, bads in BAD_POSITIONS.items() for bad in bads]
)
def test_bad_positions(name, line, says):
    game = load(name)
    with pytest.raises(DataError) as caught:
        game.read_position(line)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


BAD_NAMES = [
    ("tictacto", ProblemError, "did you mean tictactoe"),
    ("", ProblemError, "there is no game ''"),
    ("tictactoe:4x4", OptionError, "one size only"),
    ("tictactoe:4", OptionError, "one size only: leave 4 out; it has no options"),
    ("samegame", ProblemError, "samegame is a problem, and this is for games: use playout solve"),
    ("tictactoe:big", OptionError, "'big' is neither a size"),
    ("tictactoe:misere=true", OptionError, "no option 'misere'"),
    ("connectfour:3x9", OptionError, "no board of 3x9: it takes 4 or more columns and rows"),
    ("connectfour:8x8", OptionError, "columns times (rows + 1) at most 64"),
    ("connectfour:x", OptionError, "the options are width, height"),
    ("breakthrough:1x8", OptionError, "2 to 16 columns and 4 to 32 rows, at most 64 cells"),
    ("breakthrough:9x8", OptionError, "Breakthrough has no board of 9x8"),
    ("breakthrough:8x8,8x8", OptionError, "'8x8' is neither a size, such as 8x8"),
    ("breakthrough:8x8,width=5", OptionError, "width is given twice"),
    ("breakthrough:misere=perhaps", OptionError, "misere=perhaps: true or false"),
    ("misere-breakthrough:misere=false", OptionError, "misere is set by the name"),
    ("domineering:0x5", OptionError, "no board of 0x5"),
    ("domineering:9x9", OptionError, "at most 64 cells"),
    ("domineering:99999x1", OptionError, "'99999x1' is neither a size"),
    ("reversi:5x5", OptionError, "no board of 5x5: it takes 4x4, 6x6 or 8x8"),
    ("reversi:8x6", OptionError, "square boards only"),
    ("hex:20x20", OptionError, "no board of 20x20: it takes 2x2 to 19x19"),
    ("hex:1", OptionError, "no board of 1x1"),
    ("dotsandboxes:8x8", OptionError, "no board of 8x8"),
    ("dotsandboxes:0x3", OptionError, "1 or more columns and rows of boxes"),
    ("dotsandboxes:3x3,players=5", OptionError, "takes 2 to 4 players, not 5"),
    ("nowhere.py:Mine", DataError, "no such file"),
]


@pytest.mark.parametrize(("text", "error", "says"), BAD_NAMES)
def test_bad_names(text, error, says):
    with pytest.raises(error) as caught:
        load_game(text)
    assert isinstance(caught.value, PlayoutError)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


OWN = """
import playout

class Mine(playout.Game):
    def __init__(self, size: int = 3, misere: bool = False):
        if size > 9:
            raise playout.PlayoutError("at most 9")
        self.size, self.misere = size, misere

class Other(playout.Game):
    def __init__(self, cards): ...

class Heaps(playout.Game):
    def __init__(self, heaps: int):
        self.heaps = heaps

class Not:
    pass
"""


def test_a_game_of_ones_own(tmp_path):
    file = tmp_path / "own_game.py"
    file.write_text(OWN)
    game = load_game(f"{file}:Mine")
    assert (game.size, game.misere) == (3, False)
    game = load_game(f"{file}:Mine:5x5,misere=true")
    assert (game.size, game.misere) == (5, True)
    assert load_game(f"{file}:Mine:misere=yes").misere
    assert load_game(f"{file}:Heaps:heaps=4").heaps == 4
    for text, says in (
        (f"{file}", "name the class"),
        (f"{file}:Mime", "did you mean Mine"),
        (f"{file}:Not", "write class Not(playout.Game)"),
        (f"{file}:Mine:5x4", "square boards only, such as 5x5"),
        (f"{file}:Mine:99", "at most 9"),
        (f"{file}:Mine:5,size=4", "size is given twice"),
        (f"{file}:Mine:misere=perhaps", "misere=perhaps: true or false"),
        (f"{file}:Other", "cannot be made without options: missing a required argument: 'cards'"),
    ):
        with pytest.raises(PlayoutError) as caught:
            load_game(text)
        assert says in str(caught.value)


def test_the_game_on_the_page_is_a_good_game():
    page = Path(__file__).parents[2] / "docs" / "game.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    source = next(block for block in blocks if "class Nim" in block)
    scope: dict = {"__name__": "on_the_page"}
    exec(compile(source, "on_the_page", "exec"), scope)
    tests = doctest.DocTestParser().get_doctest(
        "\n".join(block for block in blocks if ">>>" in block), scope, page.name, str(page), 0
    )
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(tests)
    assert result.attempted > 6
    assert result.failed == 0
