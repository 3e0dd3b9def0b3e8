"""GAME, `-a SEARCH` and its budget: what the commands that search a game have in common."""

from __future__ import annotations

import argparse
import secrets
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, SEED, WORKERS, Arguments, duration
from playout.errors import DataError, OptionError

if TYPE_CHECKING:
    from playout import Game
    from playout.stop import Stop

GAME_HELP = (
    "a game (see playout list games), with a size and options if you like: breakthrough:6x6; "
    "file.py:Class for one of your own"
)


def add_search(group: Arguments, seconds: str, networks: bool = True) -> None:
    """Declare the search and its budget; `seconds` is the default, for the help."""
    more, usual = "", "grave"
    if networks:
        more = (
            ", or zero:model=FILE, a trained network; pimc, ismcts, openloop, ordinal do not look "
        )
        more += "at hidden cards and luck"
        usual = "grave where it helps, else puct; ismcts for hidden cards, openloop for luck"
    group(
        "-a SEARCH",
        "NAME[:OPTION=VALUE,...], such as uct, grave:bias=1e-5, uct:playout=mast,solver=true"
        f"{more} (default: {usual})",
        dest="search",
        default=None if networks else "grave",
    )
    if networks:
        group("--open", "let a tree search look at hidden cards and at the luck to come")
    group("--simulations N", "simulations of a search", COUNT)
    text = f"or its time: 1.5, 2m (default: {seconds}); compilation is not counted"
    group("--seconds S", text, duration)
    group("--seed N", "seed of the random numbers (default: drawn)", SEED)
    group("--workers N", "threads (default: 1)", WORKERS, default=1)
    text = "run everything as plain Python: slow, for a game that cannot be compiled"
    group("--interpreted", text)


def add_position(group: Arguments) -> None:
    """Declare POSITION and --moves."""
    group("[POSITION]", "a position in the game's notation (default: the start)")
    group("--moves MOVES", "moves to play first, separated by blanks or commas", default="")


def add_calls(group: Arguments) -> None:
    """Declare the budget in calls of `play`."""
    words = "or calls of play(), of openloop, mixmax, ordinal, ismcts, preference"
    group("--calls N", words, COUNT)


def load_budget(options: argparse.Namespace, game: Game | None = None) -> Stop | None:
    """When a search stops, if it was said; in calls of `play`, if a game is given."""
    from playout import Calls, Playouts, Seconds

    if game is not None and options.calls is not None:
        _check_calls(options, game)
        return Calls(options.calls)
    if options.simulations is not None and options.seconds is not None:
        raise OptionError("--simulations and --seconds: give one of them")
    if options.simulations is not None:
        return Playouts(options.simulations)
    return None if options.seconds is None else Seconds(options.seconds)


def _check_calls(options: argparse.Namespace, game: Game) -> None:
    """Only searches with one tree over worlds count calls of `play`."""
    from playout.gametree.tree_search import as_search
    from playout.gametree.usual_search import usual_search
    from playout.worlds.world_search import OverWorlds

    if options.simulations is not None or options.seconds is not None:
        raise OptionError("--calls, --simulations and --seconds: give one of them")
    search = options.search or usual_search(game, options.open)
    if not isinstance(as_search(search), OverWorlds):
        raise OptionError(
            f"--calls: {search} counts none; openloop, mixmax, ordinal, ismcts and preference do"
        )


def load_position(options: argparse.Namespace, game: Game) -> Any:
    """The position that POSITION and --moves name, an array of one state."""
    if options.position is not None:
        states = game.read_position(options.position)
    else:
        states = game.root(deal_of(options, game))
    for number, word in enumerate(separate(options.moves), 1):
        try:
            move = game.parse_move(states[0], word)
        except DataError as error:
            raise DataError(f"--moves, move {number}: {error}") from None
        game.play_move(states[0], move)
    return states


def deal_of(options: argparse.Namespace, game: Game) -> int | None:
    """The seed of cards and luck, which is that of the search; None if there are none."""
    if not (game.hidden or game.chance):
        return None
    if options.seed is None:
        options.seed = secrets.randbits(31)
    seed: int = options.seed
    return seed


def separate(moves: str) -> list[str]:
    """Moves that are separated by commas, or by blanks if there is no comma."""
    words = moves.split(",") if "," in moves else moves.split()
    return [word.strip() for word in words if word.strip()]
