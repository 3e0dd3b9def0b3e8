"""GAME, `-a SEARCH` and its budget: what the commands that search a game have in common."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, SEED, WORKERS, Arguments, duration
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout import Game, TreeSearch
    from playout.gametree.tree_session import TreeSession
    from playout.stop import Stop

GAME_HELP = (
    "a game (see playout list games), with a size and options if you like: breakthrough:6x6; "
    "file.py:Class for one of your own"
)


def add_search(group: Arguments, seconds: str, networks: bool = True) -> None:
    """Declare the search and its budget; `seconds` is the default, for the help."""
    trained = ", or zero:model=FILE, a trained network" if networks else ""
    group(
        "-a SEARCH",
        "NAME[:OPTION=VALUE,...], such as uct, grave:bias=1e-5, uct:playout=mast,solver=true"
        f"{trained} (default: uct)",
        dest="search",
        default="uct",
    )
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


def load_search(options: argparse.Namespace) -> TreeSearch:
    """The search that a command names."""
    from playout import TreeSearch

    return TreeSearch.parse(options.search)


def load_session(
    options: argparse.Namespace, game: Game, seconds: float
) -> tuple[TreeSession, Stop]:
    """What searches a game, by a tree search or a trained network, and its budget."""
    from playout.adapters.gtp import searched_game
    from playout.gametree.tree_session import TreeSession

    stop = load_budget(options, seconds)
    if options.search.partition(":")[0].strip() != "zero":
        session = TreeSession(
            searched_game(game, options.game), load_search(options), seed=options.seed,
            workers=options.workers, compiled=not options.interpreted,
        )  # fmt: skip
        return session, stop
    from playout.learn.alphazero.network_session import ZeroSession
    from playout.matches.player import parse_player

    if options.workers > 1 or options.interpreted:
        raise OptionError("zero: a network searches compiled, with one worker")
    entrant = parse_player(options.search)
    if entrant.stop is not None:
        if options.simulations is not None or options.seconds is not None:
            raise OptionError(f"{options.search}: it has a budget already")
        stop = entrant.stop
    player: Any = entrant.make()
    player.check(game)
    return ZeroSession(game, player, options.search, options.seed), stop


def load_budget(options: argparse.Namespace, seconds: float) -> Stop:
    """When a search stops; after `seconds` if nothing is said."""
    from playout import Playouts, Seconds

    if options.simulations is not None and options.seconds is not None:
        raise OptionError("--simulations and --seconds: give one of them")
    if options.simulations is not None:
        return Playouts(options.simulations)
    return Seconds(seconds if options.seconds is None else options.seconds)


@contextmanager
def ctrl_c() -> Iterator[list[bool]]:
    """Ctrl-C is noted in the list instead of raised; a second one is raised."""
    noted: list[bool] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: Any) -> None:
        noted.append(True)
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def until(stop: Stop, noted: list[bool]) -> Stop:
    """A budget that also ends when something is noted."""
    from playout.stop import Progress, Stop

    class Noted(Stop):
        def reached(self, progress: Progress) -> bool:
            return bool(noted)

    return stop | Noted()


def play_moves(game: Game, states: Any, text: str, source: str) -> list[str]:
    """Play moves that are separated by blanks or commas; the moves as the game writes them.

    A text that a game writes with blanks in it is one move if commas separate them.
    """

    from playout.errors import DataError

    words = text.split(",") if "," in text else text.split()
    played = []
    for number, word in enumerate(words, 1):
        try:
            move = game.parse_move(states[0], word.strip())
        except DataError as error:
            raise DataError(f"{source}, move {number}: {error}") from None
        played.append(game.move_text(states[0], move))
        game.play_move(states[0], move)
    return played
