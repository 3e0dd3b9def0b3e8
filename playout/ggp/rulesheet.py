"""From a rulesheet to the arrays of its game."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playout.errors import DataError
from playout.ggp.checks import checked
from playout.ggp.gate_table import OR
from playout.ggp.ground import Grounded, Limits, ground
from playout.ggp.kif import read_rulesheet, term_text
from playout.ggp.layout import Layout
from playout.ggp.network import Network

STEPS = 500  # after which a game ends that has no bound of its own


@dataclass(frozen=True)
class Loaded:
    """A rulesheet in every form that it takes on its way to a game."""

    grounded: Grounded
    network: Network
    layout: Layout


def load_rulesheet(text: str, source: str, limits: Limits) -> Loaded:
    """Read, check and ground a rulesheet, and lay its network out."""
    with _nothing_collected():
        grounded = ground(checked(read_rulesheet(text, source)), limits)
        for role, name in enumerate(grounded.roles):
            if not any(whose == role for whose, _ in grounded.actions):
                raise DataError(
                    f"{source}: the role {term_text(name)} has no legal move in any state"
                )
        network = Network(grounded, limits.go_on)
        grounded.bodies.clear()  # most of the memory; the collector would look through it later
        return Loaded(grounded, network, Layout(network, limits.go_on))


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Without the collector of cycles, which looks through millions of tuples and finds none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:
                gc.freeze()  # what there is now is old: it is not looked through at once
                gc.unfreeze()
            gc.enable()


def step_bound(network: Network) -> int | None:
    """After how many steps a counter among the bases ends the game; None if there is none.

    A counter is a chain of bases, each following from the one before and from nothing else, of
    which the first holds at the start; the game is over where its last one holds.
    """
    ends = {network.terminal}
    node = network.terminal >> 1
    if node >= network.first_gate and node not in network.cycle_of:
        gate = node - network.first_gate
        if network.kinds[gate] == OR and not network.terminal & 1:
            ends |= set(network.inputs[gate])
    after: dict[int, list[int]] = {}
    for i, literal in enumerate(network.next):
        if not literal & 1 and 1 <= literal >> 1 <= len(network.bases):
            after.setdefault((literal >> 1) - 1, []).append(i)
    best: int | None = None
    for first, holds in enumerate(network.init):
        steps, at, seen = 0, first, {first}
        while holds:
            if 2 * (at + 1) in ends:
                best = steps if best is None else min(best, steps)
                break
            following = [i for i in after.get(at, []) if i not in seen]
            if len(following) != 1:
                break
            at = following[0]
            seen.add(at)
            steps += 1
    return best
