"""What moves do to bases, as arrays for the kernel: masks of words, and programs of tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import numpy as np

from playout.ggp.effects import Effects, simplified
from playout.ggp.gate_table import FALSE, TRUE
from playout.ggp.network import Network

FIRST_ROW = 2  # of programs; the rows 0 and 1 stand for what they say


class Programs:
    """Programs of tests that say whether a base changes, one after another.

    A row is a test and where to go on, or what the program says. A test is of a gate whose truth
    is known in every state (`units`), of whether one of a set of actions is taken (`taken`), or of
    some bases that are together in a word: whether those of a mask are as they should be.
    """

    NO, YES = -1, -2

    def __init__(self, network: Network, effects: Effects, units: Collection[int]) -> None:
        self.network, self.taken, self.units = network, effects.taken, units
        # the node, or -1 - the word of bases with a mask and what it should be; where to go on: if
        # not, if so
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.starts: dict[tuple[int, int], int] = {}
        for base, literal in {pair: None for mine in effects.tested for pair in mine}:
            self.starts[base, literal] = self._start(base, literal)

    def _start(self, base: int, literal: int) -> int:
        """The program of what makes a base another than it is."""
        true = 2 * (1 + base)
        up = simplified(self.network, literal, {true ^ 1}, self.units)
        down = simplified(self.network, literal, {true}, self.units) ^ 1
        if down == FALSE:
            return self._all([true ^ 1, up], self.YES, self.NO)
        if up == FALSE:
            return self._all([true, down], self.YES, self.NO)
        yes = self._all([down], self.YES, self.NO)
        no = self._all([up], self.YES, self.NO)
        return self._all([true], yes, no)

    def _all(self, literals: Iterable[int], yes: int, no: int) -> int:
        """Write tests of whether some literals all hold, before what comes after; the first row."""
        words: dict[int, list[int]] = {}
        others: list[int] = []
        stack = list(literals)
        while stack:
            literal = stack.pop()
            node = literal >> 1
            parts = self.network.conjuncts(literal)
            if literal == TRUE:
                continue
            if 1 <= node <= len(self.network.bases):
                word, low = divmod(node - 1, 64)
                both = words.setdefault(word, [0, 0])
                wanted = (1 - (literal & 1)) << low
                if both[0] >> low & 1 and both[1] & 1 << low != wanted:
                    return no  # it cannot be so and not so
                both[0] |= 1 << low
                both[1] |= wanted
            elif node in self.units or node in self.taken or parts == [literal]:
                others.append(literal)
            else:
                stack += parts
        at = yes
        for literal in sorted(others):
            at = self._other(literal, at, no)
        for word, (mask, value) in sorted(words.items()):
            self.rows.append((-1 - word, no, at, mask, value))
            at = len(self.rows) - 1
        return at

    def _other(self, literal: int, yes: int, no: int) -> int:
        node = literal >> 1
        if literal == FALSE:
            return no
        if node in self.units or node in self.taken or node < self.network.first_gate:
            if literal & 1:
                yes, no = no, yes
            self.rows.append((node, no, yes, 0, 0))
            return len(self.rows) - 1
        # any of its parts: it is not so that none of them holds
        return self._all([literal ^ 1], no, yes)

    def tested(self) -> set[int]:
        """The gates that are tested for their truth."""
        gates = {row[0] for row in self.rows if row[0] >= self.network.first_gate}
        return gates - self.taken.keys()


class EffectArrays:
    """The effects of all actions.

    - `certain`: word, bits that become true, bits that become false; from `certain_at` of an action
      on. `tested`: base and the row of its program; from `tested_at` on.
    - `programs`: of each row the test, a mask with what it should be, and where to go on. A test is
      a unit; behind the units it is a word of bases, behind the bases a set of `choices`.
    - `idle`: the actions of roles whose turn it is not, where turns are proven.
    """

    def __init__(
        self,
        network: Network,
        effects: Effects,
        programs: Programs,
        source_of: Callable[[int], int],
    ) -> None:
        actions = len(network.actions)
        certain: list[tuple[int, int, int]] = []
        tested: list[tuple[int, int]] = []
        self.certain_at = np.zeros(actions + 2, np.int32)
        self.tested_at = np.zeros(actions + 2, np.int32)
        for action in range(actions + 1):
            masks: dict[int, list[int]] = {}
            for base, truth in effects.certain[action]:
                masks.setdefault(base >> 6, [0, 0])[truth] |= 1 << (base & 63)
            certain += [(word, up, down) for word, (down, up) in sorted(masks.items())]
            tested += [(one[0], _row(programs.starts[one])) for one in effects.tested[action]]
            self.certain_at[action + 1], self.tested_at[action + 1] = len(certain), len(tested)
        self.certain = np.array(certain or [(0, 0, 0)], np.uint64).reshape(-1)
        self.tested = np.array(tested or [(0, 0)], np.uint64).reshape(-1)
        sets: dict[int, int] = {}
        units, bases = source_of(1), len(network.bases)
        rows = [(0, 0, 0, 0)] * FIRST_ROW
        for node, no, yes, mask, value in programs.rows:
            if node < 0:
                at = units - 1 - node
            elif node in effects.taken:
                at = sets.setdefault(effects.taken[node], units + bases + len(sets))
            else:
                at = source_of(node)
            rows.append((at, mask, value, _row(yes) << 32 | _row(no)))
        self.programs = np.array(rows, np.uint64).reshape(-1)
        words = range(0, actions, 64)
        self.choices = np.array(
            [[mask >> i & (1 << 64) - 1 for i in words] for mask in sets] or [[0]], np.uint64
        )
        self.idle = np.zeros(actions, bool)
        if network.turns is not None:
            self.idle[[action for action in network.turns.idle if action is not None]] = True


def _row(at: int) -> int:
    """The number of a row of the programs, or of what they say."""
    return at + FIRST_ROW if at >= 0 else Programs.NO - at
