"""The gates of a state, kept true by telling each of what has changed. Compiled.

A unit's bit is toggled when its count crosses zero: of a gate it says "has flipped and has not
told", of legal moves, `next`, goals and cycles it is the truth itself. A region's words are scanned
from the lowest bit up, in topological order, so each unit tells others at most once a step.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.ggp.layout import CYCLE, FEEDERS


@helper
def has_bit(word, number):
    """Whether a word has a bit."""
    return (word >> np.uint64(number)) & np.uint64(1) != np.uint64(0)


class Gates(Compiled):
    """Units and what they tell one another, over the arrays of a layout."""

    # as Layout says what they are
    starts: np.ndarray
    targets: np.ndarray
    goal_starts: np.ndarray
    segments: np.ndarray
    regions: np.ndarray
    base_words: int
    quick_words: np.uint64  # the words of the quick gates, as bits; 0 if they are many

    def flip(self, state, source, up):
        """Tell the units that read a source that it has become true, or false; see `tell`."""
        return self.tell(state, self.starts[source], self.starts[source + 1], up)

    def tell(self, state, first, last, up):
        """Raise or lower the counts of the targets of some edges.

        A unit's bit is toggled where the sign of its count changes: without a branch, since which
        do cannot be foreseen. The words with such bits are returned, as bits modulo 64.
        """
        count, bits, targets = state.count, state.bits, self.targets
        down = np.int64(0) if up else np.int64(1)
        touched = np.uint64(0)
        for edge in range(first, last):
            target = np.int64(targets[edge])
            at = np.uint64(target >> 1)
            old = count[at]
            new = np.int8(old + 1 - 2 * ((target & 1) ^ down))
            count[at] = new
            crossed = np.uint64(np.uint8(old ^ new) >> np.uint8(7))
            word = at >> np.uint64(6)
            bits[word] ^= crossed << (at & np.uint64(63))
            touched |= crossed << (word & np.uint64(63))
        return touched

    def settle_goals(self, state):
        """Bring the goals up to date, by the bases that are others than when last told."""
        starts = self.goal_starts
        for word in range(self.base_words):
            now = state.truths[word]
            changed = now ^ state.told[word]
            state.told[word] = now
            while changed != np.uint64(0):
                low = lowest_bit(changed)
                changed = without_lowest(changed)
                base = 64 * word + low
                self.tell(state, starts[base], starts[base + 1], has_bit(now, low))
        self.settle(state, 2)

    def settle(self, state, region):
        """Let all units of a region tell of their flips, each once."""
        fed = False
        for number in range(self.regions[region, 0], self.regions[region, 1]):
            kind = self.segments[number, 0]
            if kind == CYCLE:
                if fed:
                    self.derive_anew(state, number)
                fed = False
                continue
            bits, count = state.bits, state.count
            for word in range(self.segments[number, 1], self.segments[number, 2]):
                while bits[word] != np.uint64(0):
                    low = lowest_bit(bits[word])
                    bits[word] = without_lowest(bits[word])
                    at = 64 * word + low
                    self.flip(state, at, count[at] >= 0)
                    if kind == FEEDERS:
                        fed = True

    def settle_quick(self, state, pending):
        """The same for the quick gates, of which some words, as bits, may have flips to tell of."""
        bits, count = state.bits, state.count
        pending &= self.quick_words
        while pending != np.uint64(0):
            word = lowest_bit(pending)
            if bits[word] == np.uint64(0):  # it has flipped back
                pending = without_lowest(pending)
                continue
            at = 64 * word + lowest_bit(bits[word])
            bits[word] = without_lowest(bits[word])
            pending |= self.flip(state, at, count[at] >= 0) & self.quick_words

    def derive_anew(self, state, number):
        """The least fixed point of a cycle whose inputs have changed.

        What held is kept in the words behind the cycle's own, what follows in those behind them.
        """
        first, last = np.int64(self.segments[number, 1]), np.int64(self.segments[number, 2])
        within = np.int64(self.segments[number, 3])
        words = last - first
        for word in range(first, last):  # take back what the units have told one another
            held = state.bits[word + words]
            while held != np.uint64(0):
                source = within + 64 * (word - first) + lowest_bit(held)
                self.flip(state, source, False)
                held = without_lowest(held)
            state.bits[word + 2 * words] = np.uint64(0)
        changed = True
        while changed:
            changed = False
            for word in range(first, last):
                while state.bits[word] != state.bits[word + 2 * words]:
                    low = lowest_bit(state.bits[word] ^ state.bits[word + 2 * words])
                    state.bits[word + 2 * words] |= bit(low)
                    source = within + 64 * (word - first) + low
                    self.flip(state, source, True)
                    changed = True
        for word in range(first, last):
            new = state.bits[word]
            news = new ^ state.bits[word + words]
            state.bits[word + words] = new
            while news != np.uint64(0):
                low = lowest_bit(news)
                news = without_lowest(news)
                self.flip(state, 64 * word + low, has_bit(new, low))
