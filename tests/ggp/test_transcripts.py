"""Every rulesheet plays as another, independent engine played it: moves, ends and goals."""

from __future__ import annotations

import pytest

from playout.compiled import kernel, wrapping
from playout.ggp.game import GDLGame
from tests.support.datafolder import DATA, needs_data
from tests.support.rulesheets import transcript

QUICK = ("ticTacToe", "chickentictactoe", "roshambo2", "hanoi", "3pConnectFour", "nim3")
LETTERS_DIFFER = "alexChess"

FILES = {
    path.stem: path
    for part in ("required", "extra")
    for path in (sorted((DATA / "ggp" / part).glob("*.kif")) if DATA is not None else [])
}


@kernel
def play_step(game, states):
    game.play_step(states[0])


def assert_plays_as(game, name, games, step):
    for steps, goals in transcript(name, games):
        states = game.root()
        for legal, joint in steps:
            assert not game.is_terminal(states[0])
            for role, moves in enumerate(legal):
                assert set(game.role_moves(states[0], role)) == moves
            game.choose_joint(states[0], joint)
            step(game, states)
        if goals:
            assert game.is_terminal(states[0])
            with wrapping():
                found = [round(100 * game.goal_of(states[0], r)) for r in range(game.roles)]
            # "?": the other engine found no single goal
            assert all(goal in ("?", str(mine)) for goal, mine in zip(goals, found, strict=True))


def plain_step(game, states):
    with wrapping():
        game.play_step(states[0])


@pytest.mark.parametrize("name", QUICK)
@needs_data("ggp/transcripts")
def test_plays_as_the_transcript_in_plain_python(name):
    assert_plays_as(GDLGame(str(FILES[name])), name, 2, plain_step)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(FILES) - {LETTERS_DIFFER}))
@needs_data("ggp/transcripts")
def test_plays_as_the_transcript_compiled(name):
    assert_plays_as(GDLGame(str(FILES[name])), name, 20, play_step)


@pytest.mark.long
@needs_data("ggp/extra/alexChess.kif")
def test_chess_plays_as_the_transcript_of_an_engine_that_tells_letters_apart():
    # that engine takes nextfile for another predicate than nextFile, of which there are facts
    text = FILES[LETTERS_DIFFER].read_text()
    for name in ("nextfile", "nextrank"):
        text = text.replace(name, f"another_{name}")
    assert_plays_as(GDLGame.from_text(text, "chess"), LETTERS_DIFFER, 20, play_step)
