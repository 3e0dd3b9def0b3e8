"""How a search over worlds decides each move of an episode: the arguments, and what they mean."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, SEED, WORKERS, Arguments, as_dict, duration

if TYPE_CHECKING:
    from playout.stop import Stop


def add_decisions(how: Arguments, usual: str) -> None:
    """Declare the search, its budget and its seed; `usual` is the search if none is named."""
    text = f"openloop, mixmax, ordinal or preference (default: {usual})"
    how("-a SEARCH", text, dest="search", default=usual)
    how.algorithm(", such as length=5", name=None)
    how("--calls N", "calls of play() for a decision (default: 1000)", COUNT)
    how("--playouts N", "or simulations", COUNT)
    how("--seconds S", "or its time, in which it must be there: 0.04", duration)
    how("--idle MOVE", "what a late decision plays (default: idle)", default="idle")
    how("--seed N", "seed of the random numbers (default: drawn, and shown)", SEED)
    how("--workers N", "threads (default: 1)", WORKERS, default=1)


def decision_search(options: argparse.Namespace) -> str:
    """The search with its options, as one text."""
    from playout.text.grammar import named_text, parse_named

    named = parse_named(options.search)
    return named_text(named.name, named.options | as_dict(options.options))


def decision_stop(options: argparse.Namespace) -> Stop:
    """The budget of a decision: what was given, combined."""
    from playout import Calls, Playouts, Seconds

    given: list[Stop] = []
    if options.calls is not None:
        given.append(Calls(options.calls))
    if options.playouts is not None:
        given.append(Playouts(options.playouts))
    if options.seconds is not None:
        given.append(Seconds(options.seconds))
    stop = given[0] if given else Calls(1000)
    for other in given[1:]:
        stop = stop | other
    return stop
