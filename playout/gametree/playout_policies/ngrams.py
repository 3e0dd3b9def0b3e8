"""N-grams: short sequences of moves as they were played one after another, in a hash table.

An N-gram is the slot of its last move and those of the moves before it, whoever played them. Where
players move at the same time, what comes before the move of a player is the move of the player
before him in the step before (C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy
Adaptation for General Game Playing, 2021, equation 3). If that one had no choice, it is the nearest
before him who had one: with one choice a step this is the last move, as in games with turns. The
table is an array of keys beside one of records, whose `visits` say how often an N-gram was played.
It has a bounded size; once half of it is in use, nothing new is added to it.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper, kernel
from playout.compiled.records import mix
from playout.contract import Game
from playout.gametree.playout_policies.code_slots import power_of_two
from playout.gametree.playout_policies.option_ranges import number, whole

_GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 1 << 63  # set in every key: 0 is an empty slot of the table
MOVE_BITS = 24  # bits of a key for the last move; the others are of the context
WINDOW = 10  # bits that tell how far the N-grams of a context are spread over the table


@helper
def move_before(before, step, back=1):
    """The move that comes so many before the move `step` in its N-grams; negative if none does."""
    if before is None:  # known when this is compiled: players move in turn
        return step - back
    at = step
    while at >= 0 and back > 0:
        at = before[at]
        back -= 1
    return at


@helper
def longest_gram(before, step, most):
    """The length of the longest N-gram that the move `step` ends, up to `most`."""
    if before is None:
        return min(most, step + 1)
    length, at = 1, before[step]
    while at >= 0 and length < most:
        length, at = length + 1, before[at]
    return length


@helper
def context_of(played, before, step, length):
    """The hash of what stands before the last move of an N-gram that ends with move `step`."""
    context = np.uint64(length)
    for back in range(length - 1, 0, -1):
        slot = played[move_before(before, step, back)]
        context = mix(context + np.uint64(slot + 1) * np.uint64(_GOLDEN))
    return context


@helper
def note_before(before, opening, movers, players, game, state, step, mover):
    """Note what comes before the move `step`, which `mover` is about to choose.

    opening : for each move the first of its step
    """
    if before is None:
        return
    opening[step] = step
    if step > 0 and game.concealed(state) > 0:
        opening[step] = opening[step - 1]
    before[step] = -1
    last, nearest = opening[step] - 1, players
    if last >= 0:
        for i in range(opening[last], last + 1):
            distance = (mover - 1 - np.int64(movers[i])) % players
            if distance < nearest:
                nearest = distance
                before[step] = i


@helper
def gram_key(context, slot):
    """The key of an N-gram: what is before the last move, and its slot, below 2^MOVE_BITS."""
    before = context >> np.uint64(MOVE_BITS) << np.uint64(MOVE_BITS)
    return np.uint64(_FIRST) | before | np.uint64(slot)


@helper
def home_of(key):
    """Where a key would like to be: not far from the others of its context, which come with it."""
    slot = key & np.uint64((1 << MOVE_BITS) - 1)
    return (key >> np.uint64(MOVE_BITS)) + ((slot * np.uint64(_GOLDEN)) >> np.uint64(64 - WINDOW))


@helper
def find_gram(keys, key):
    """Where an N-gram is in the table; -1 if it is not there."""
    mask = np.uint64(len(keys) - 1)
    i = home_of(key) & mask
    while keys[i] != key:
        if keys[i] == 0:
            return -1
        i = (i + np.uint64(1)) & mask
    return np.int64(i)


@helper
def add_gram(keys, used, key):
    """Where an N-gram is in the table, added if it was not there; -1 if there is no room."""
    mask = np.uint64(len(keys) - 1)
    i = home_of(key) & mask
    while keys[i] != key:
        if keys[i] == 0:
            if 2 * used[0] >= len(keys):
                return -1
            keys[i] = key
            used[0] += 1
            break
        i = (i + np.uint64(1)) & mask
    return np.int64(i)


class NGrams:
    """What a playout policy with N-grams has besides its base; its `grams` have a `value`."""

    gram_fields = (
        *("L", "V", "gram_keys", "grams_used", "grams", "contexts"),
        *("before", "opening", "players"),
    )

    def set_gram_options(self, L: int, V: float, grams: int) -> None:
        """Take in the options, in plain Python."""
        self.L = whole("L", L, 1, 8)
        self.V = number("V", V, 0)
        self.most_grams = whole("grams", grams, 16, 1 << 28)

    def new_grams(self, kind: np.dtype, game: Game) -> None:
        """Make the arrays, in plain Python."""
        self.players = int(game.players)
        self.before = self.opening = None
        if game.simultaneous:
            self.before = np.zeros(game.max_length + 2, np.int64)
            self.opening = np.zeros(game.max_length + 2, np.int64)
        self.gram_keys = np.zeros(power_of_two(2 * self.most_grams), np.uint64)
        self.grams_used = np.zeros(1, np.int64)
        self.grams = np.zeros(len(self.gram_keys), kind)
        self.contexts = np.zeros(self.L + 1, np.uint64)

    def set_before(self, game, state, step, mover):
        """Note what comes before a move that is about to be chosen; compiled."""
        note_before(self.before, self.opening, self.movers, self.players, game, state, step, mover)

    def forget_grams(self) -> None:
        """Drop all N-grams."""
        clear(self.gram_keys, self.grams_used, self.grams)

    def make_room_for_grams(self) -> None:
        """If half of the room is taken, drop the N-grams with less than one visit."""
        make_room(self.gram_keys, self.grams_used, self.grams)


def make_room(keys: np.ndarray, used: np.ndarray, grams: np.ndarray) -> None:
    """If half of the room is taken, drop the N-grams with less than one visit."""
    if 4 * used[0] > len(keys):
        kept = (keys != 0) & (grams["visits"] >= 1)
        old_keys, old_grams = keys[kept], grams[kept]
        clear(keys, used, grams)
        enter(keys, used, grams, old_keys, old_grams)


def clear(keys: np.ndarray, used: np.ndarray, grams: np.ndarray) -> None:
    """Drop all N-grams."""
    keys[:] = 0
    used[:] = 0
    grams[:] = 0


@kernel
def enter(keys, used, grams, old_keys, old_grams):
    """Put N-grams into an empty table."""
    for i in range(len(old_keys)):
        slot = add_gram(keys, used, old_keys[i])
        if slot >= 0:
            grams[slot] = old_grams[i]
