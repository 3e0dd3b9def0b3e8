"""Where playout policies keep what they learn: each code of each player has a slot in arrays.

A game whose codes are small numbers (`Game.codes`) has a slot for each of them. The codes of
other games are found in a hash table of bounded size; once half of it is in use, codes that are not
in it have no slot. Those that have none share the last index of the arrays, whose contents never
change.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import helper
from playout.compiled.records import mix
from playout.contract import Game
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playout_policies.option_ranges import whole

MOST_DENSE = 1 << 18  # slots of an array; a game that would need more has a hash table
TABLE = 1 << 15  # codes in a hash table unless told


class CodePolicy(PlayoutPolicy):
    """A playout policy that learns for each code; see `slot`."""

    fields: tuple[str, ...] = ("keys", "used", "codes", "no_slot")

    def __init__(self, *, table: int = TABLE) -> None:
        self.table = whole("table", table, 16, 1 << 22)

    def set_slots(self, game: Game, kinds: int = 1) -> int:
        """Decide where codes go, in plain Python; the length of arrays over all slots.

        kinds : for each code there may be so many different moves.
        """
        self.codes = int(game.codes) * kinds
        dense = int(game.players) * self.codes
        self.used = np.zeros(1, np.int64)
        self.keys = None
        self.no_slot = dense
        if not 0 < dense <= MOST_DENSE:
            self.keys = np.zeros(power_of_two(2 * self.table), np.uint64)
            self.no_slot = len(self.keys)
        return self.no_slot + 1

    def slot(self, game, state, move, mover, add):
        """The index of a move in the arrays, `no_slot` if it has none.

        add : whether a move that has none gets one, if there is room.
        """
        code = game.code(state, move)
        return slot_of(self.keys, self.used, self.codes, self.no_slot, code, mover, add)


@helper
def slot_of(keys, used, codes, no_slot, code, mover, add):
    """The slot of a player's code, `no_slot` if it has none and gets none."""
    if keys is None:  # known when this is compiled
        if np.uint64(code) < np.uint64(codes):
            return np.int64(mover) * codes + np.int64(code)
        return no_slot
    key = mix(np.uint64(code) ^ np.uint64(mover + 1) * np.uint64(0x9E3779B97F4A7C15))
    key |= np.uint64(1)  # 0 is an empty slot
    mask = np.uint64(len(keys) - 1)
    i = key >> np.uint64(32) & mask
    while keys[i] != key:
        if keys[i] == 0:
            if not add or 2 * used[0] >= len(keys):
                return no_slot
            keys[i] = key
            used[0] += 1
            break
        i = (i + np.uint64(1)) & mask
    return np.int64(i)


def power_of_two(n: int) -> int:
    """The least power of two that is not below n."""
    return 1 << max(4, math.ceil(math.log2(n)))
