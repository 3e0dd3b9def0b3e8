"""`film`: a solution, an episode or any sequence of moves, replayed by the rules and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from playout.contract import Game
from playout.errors import OptionError
from playout.games import GAMES, load_game
from playout.pictures.film import Film, Step
from playout.problems.instances import open_problem
from playout.run.result import Result
from playout.text.numbers import counted, number

if TYPE_CHECKING:
    from playout.worlds.episode_result import Episode


def film(
    game: Game | str,
    moves: Result | Episode | Sequence[Any],
    *,
    instance: str = "",
    title: str = "",
) -> Film:
    """The states of a sequence of moves as pictures, from the first to the last.

    Parameters
    ----------
    game : Problem, Game, or text
        What was played, as for `solve` or `search`.
    moves : Result, Episode, or moves
        What a search found, or moves as texts or records.
    instance : str
        Of a problem given as text, the instance.
    title : str
        What stands above; the name of the problem if none is given.

    Raises
    ------
    PlayoutError
        If a move is not legal where it is played.

    Examples
    --------
    >>> import playout as po
    >>> po.film("tictactoe", ["b2", "a1", "c3"]).steps[1].move
    'a1'
    """
    if isinstance(game, str):
        played = game.partition(":")[0] in GAMES
        game = load_game(game) if played else open_problem(game, instance or None)[0]
    if not isinstance(game, Game):
        raise OptionError(f"{game!r} is no problem and no game: give one, or its name")
    name, words = type(game).__name__, ""
    start = game.root()
    given: Any = moves
    if not isinstance(moves, Sequence) and hasattr(moves, "records"):
        given = game.as_moves(moves.records)
        start = game.root(getattr(moves, "luck", None))
        name = f"{moves.problem} {moves.instance}".strip()
        words = f"{moves.algorithm}, score {number(moves.score)}"
    steps = _steps(game, start, given)
    return Film(title or name, words or counted(len(steps) - 1, "move"), tuple(steps))


def _steps(game: Game, start: Any, moves: Any) -> list[Step]:
    states, steps = start, []
    for move in moves:
        record = game.parse_move(states[0], move) if isinstance(move, str) else move
        state = states[0]
        points = tuple((float(x), float(y)) for x, y in game.where(state, record))
        steps.append(
            Step(game.svg(state), game.render(state), game.move_text(state, record), points)
        )
        states = game.replay([record], states)
    return [*steps, Step(game.svg(states[0]), game.render(states[0]))]
