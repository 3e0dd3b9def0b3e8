"""The arrays that the kernel of a game runs on (propnet.py).

A gate is a threshold unit: a count that is not negative where the gate is true. An `and` begins at
minus the number of its positive inputs, an `or` at -1 plus its negated ones; an input that becomes
true adds 1, or takes 1 where it is negated. Units lie in regions that begin at words of 64:

    quick gates | legal moves by role and guard | terminal | late gates | next | goal gates | goals

Quick gates decide what is legal and whether the game has ended, late ones what is next. A region of
gates is a row of segments, each after those that it needs: plain gates, or the feeders of a cycle
and then the cycle.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from playout.ggp.network import AND, FALSE, TRUE, Network

PLAIN, FEEDERS, CYCLE = 0, 1, 2  # kinds of segments


def base_bits(truths: np.ndarray) -> np.ndarray:
    """Truth values as bits of words, the first as the lowest bit of the first word.

    >>> base_bits(np.array([True, False, True]))
    array([5], dtype=uint64)
    """
    padded = np.zeros(-(-len(truths) // 64) * 64, bool)
    padded[: len(truths)] = truths
    return np.packbits(padded, bitorder="little").view(np.uint64)


class Layout:
    """Units, edges and segments of a network, and how a position fills them.

    - `starts`, `targets`: the units that each source tells, `2 * source` those that read it as it
      is, `2 * source + 1` those that read it negated. Sources are the units, the bases, the actions
      and, once more, the units of cycles, for what they tell within their cycle.
    - `segments`: kind, first and last word, and for a cycle the source of its first unit within;
      `quick`, `late`, `goal`: the segments of each region. Behind the words of a cycle there are
      as many that tell what holds in it, and as many for deriving it anew.
    - `legal_at`: the words of each role's moves, without and with its guard, as where each group
      begins; `guards`: 2 * base + negated for each group, -1 without; `action_at`: the actions.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.units: dict[int, tuple[bool, list[int]]] = {}  # at: kind and literals
        self._source: dict[int, int] = {}  # of a node: its unit, base or action
        self._inner: dict[int, list[int]] = {}  # of a unit in a cycle: its inputs from within
        self._cycle_at: dict[int, int] = {}  # of a unit in a cycle: which one
        self._feeder: dict[tuple[int, int], int] = {}  # of a cycle and a literal
        self.segments: list[tuple[int, int, int, int]] = []
        self._at = 0
        quick, late, goal = self._regions()
        self._merged = self._used_once(quick | late | goal)

        self.quick = self._gates(quick)
        self._place_legal()
        self.terminal_at = self._at
        self._leaf(network.terminal)
        self._align()
        self.late = self._gates(late)
        self.next_at = self._at // 64
        for literal in network.next:
            self._leaf(literal)
        self._align()
        self.goal = self._gates(goal)
        self.goal_at = self._at
        for literal in network.goals:
            self._leaf(literal)
        self._align()
        self.size = self._at
        self._connect()

    def _regions(self) -> tuple[set[int], set[int], set[int]]:
        """The gates that are needed for moves and the end, for what is next, for the goals."""
        network = self.network
        quick = network.cone([*network.legal, network.terminal])
        late = network.cone(network.next)
        goal = network.cone(network.goals)
        # what goals and `next` share is kept up to date, so that no goal looks at old actions
        quick |= network.cone([2 * node for node in goal & late])
        return quick, late - quick, goal - quick - late

    def _used_once(self, nodes: set[int]) -> set[int]:
        """Gates that one leaf alone reads: the leaf takes their inputs."""
        network = self.network
        uses = Counter(
            literal >> 1 for node in nodes for literal in dict.fromkeys(network.node_inputs(node))
        )
        leaves = [*network.legal, network.terminal, *network.next, *network.goals]
        uses.update(literal >> 1 for literal in leaves)
        return {
            literal >> 1
            for literal in leaves
            if literal >> 1 in nodes
            and uses[literal >> 1] == 1
            and literal >> 1 not in network.cycle_of
        }

    def _align(self) -> None:
        self._at = -(-self._at // 64) * 64

    def _unit(self, kind: bool, literals: list[int]) -> int:
        at = self._at
        self.units[at] = (kind, literals)
        self._at += 1
        return at

    def _gates(self, nodes: set[int]) -> tuple[int, int]:
        """Place the gates of a region; its segments."""
        network = self.network
        first = len(self.segments)
        depth: dict[int, int] = {}
        stage: dict[int, int] = {}  # how many of the region's cycles come before
        cycles = sorted({network.cycle_of[n] for n in nodes if n in network.cycle_of})
        for node in sorted(nodes):  # gates are numbered behind their inputs, but for cycles
            mine = network.cycle_of.get(node)
            if mine is not None:
                stage[node], depth[node] = cycles.index(mine) + 1, 0
                continue
            inputs = [literal >> 1 for literal in network.node_inputs(node)]
            depth[node] = 1 + max((depth.get(other, 0) for other in inputs), default=0)
            stage[node] = max((stage.get(other, 0) for other in inputs), default=0)
        plain = [n for n in sorted(nodes) if n not in network.cycle_of and n not in self._merged]
        for number in range(len(cycles) + 1):
            begun = self._at // 64
            here = [node for node in plain if stage[node] == number]
            for node in sorted(here, key=lambda n: (depth[n], n)):
                kind, inputs = self._gate(node)
                self._source[node] = self._unit(kind, inputs)
            self._align()
            self.segments.append((PLAIN, begun, self._at // 64, 0))
            if number < len(cycles):
                self._place_cycle(cycles[number])
        return first, len(self.segments)

    def _gate(self, node: int) -> tuple[bool, list[int]]:
        at = node - self.network.first_gate
        return self.network.kinds[at], list(self.network.inputs[at])

    def _place_cycle(self, number: int) -> None:
        cycle = self.network.cycles[number]
        begun = self._at // 64
        outer = sorted({one for node in cycle.nodes for one in self._gate(node)[1] if one > FALSE})
        for literal in outer:
            self._feeder[number, literal] = self._unit(AND, [literal])
        self._align()
        self.segments.append((FEEDERS, begun, self._at // 64, 0))
        begun = self._at // 64
        for node in cycle.nodes:
            kind, inputs = self._gate(node)
            at = self._source[node] = self._unit(kind, inputs)
            self._inner[at] = cycle.inner[node]
            self._cycle_at[at] = number
        self._align()
        self.segments.append((CYCLE, begun, self._at // 64, -1))  # its source: see _connect
        self._at += 2 * (self._at - 64 * begun)  # what holds in it, and what is derived

    def _place_legal(self) -> None:
        network = self.network
        guards = network.guards()
        self.legal_at: list[int] = []
        self.guards: list[int] = []
        self.action_at: dict[int, int] = {}
        for role, (guard, guarded) in enumerate(guards):
            for group in (False, True):
                self.legal_at.append(self._at // 64)
                self.guards.append(guard - 2 if group and guarded else -1)
                for action, (whose, _) in enumerate(network.actions):
                    if whose == role and (action in guarded) == group:
                        self.action_at[self._at] = action
                        self._leaf(network.legal[action], guard if group else None)
                self._align()
        self.legal_at.append(self._at // 64)

    def _leaf(self, literal: int, without: int | None = None) -> None:
        """A unit that nothing reads, of a literal; of a conjunction, without one of its parts."""
        if without is not None:
            self._unit(AND, [one for one in self.network.conjuncts(literal) if one != without])
        elif literal >> 1 in self._merged:
            kind, inputs = self._gate(literal >> 1)
            if literal & 1:
                kind, inputs = not kind, [one ^ 1 for one in inputs]
            self._unit(kind, inputs)
        else:
            self._unit(AND, [literal])

    def _connect(self) -> None:
        """The edges from each source to the units that it tells."""
        network = self.network
        bases, actions = len(network.bases), len(network.actions)
        for i in range(bases + actions):
            self._source[1 + i] = self.size + i
        sources = self.size + bases + actions
        self._within: dict[int, int] = {}
        for i, (kind, first, last, _) in enumerate(self.segments):
            if kind == CYCLE:
                self.segments[i] = (kind, first, last, sources)
                self._within |= {64 * first + j: sources + j for j in range(64 * (last - first))}
                sources += 64 * (last - first)
        out: list[tuple[list[int], list[int]]] = [([], []) for _ in range(sources)]
        self.bias = np.full(self.size, -128, np.int16)
        for at, (kind, literals) in self.units.items():
            inner = self._inner.get(at, [])
            if at in self._inner:
                number = self._cycle_at[at]
                told = [(self._feeder[number, one], 0) for one in literals if one > FALSE]
            else:
                told = [(self._source[one >> 1], one & 1) for one in literals if one > FALSE]
            negated = sum(sign for _, sign in told)
            if kind == AND:
                self.bias[at] = negated - len(told) - len(inner) - (FALSE in literals)
            else:
                self.bias[at] = negated - 1 + (TRUE in literals)
            for source, sign in told:
                out[source][sign].append(at)
            for literal in inner:
                out[self._within[self._source[literal >> 1]]][0].append(at)
        flat = [part for both in out for part in both]
        self.starts = np.cumsum([0, *map(len, flat)]).astype(np.int32)
        self.targets = np.array([at for part in flat for at in part] or [0], np.int32)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return int(self.starts[-1])

    def evaluate(self, bases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Counts and bits of all units in a position in which nothing is done yet.

        This is the plain evaluation, unit by unit, which the differential kernel must agree with.
        """
        count = self.bias.copy()
        true = np.zeros(self.size, bool)

        def tell(source: int, at: int = -1) -> None:
            first, middle, last = self.starts[2 * source : 2 * source + 3]
            np.add.at(count, self.targets[first:middle], 1)
            np.subtract.at(count, self.targets[middle:last], 1)
            if at >= 0:
                true[at] = True

        for i in np.flatnonzero(bases):
            tell(self.size + int(i))
        cycle_words = {
            word: (first, last)
            for kind, first, last, _ in self.segments
            if kind == CYCLE
            for word in range(first, last)
        }
        done: set[int] = set()
        for at in self.units:
            if at // 64 not in cycle_words:
                if count[at] >= 0:
                    tell(at, at)
                continue
            first, last = cycle_words[at // 64]
            if first in done:
                continue
            done.add(first)
            mine = [unit for unit in range(64 * first, 64 * last) if unit in self.units]
            news = [unit for unit in mine if count[unit] >= 0]
            for unit in news:  # which grows as others follow
                true[unit] = True
                tell(self._within[unit])
                told = self.targets[slice(*self.starts[2 * self._within[unit] :][:2])]
                news += [int(one) for one in dict.fromkeys(told.tolist()) if count[one] == 0]
            for unit in news:
                tell(unit)
        bits = np.zeros(self.size // 64, np.uint64)
        shown = [(self.legal_at[0], self.terminal_at // 64 + 1)]
        shown.append((self.next_at, self.next_at + -(-len(self.network.next) // 64)))
        shown.append((self.goal_at // 64, self.size // 64))
        for first, last in shown:
            bits[first:last] = base_bits(true[64 * first : 64 * last])
        for kind, first, last, _ in self.segments:
            if kind == CYCLE:
                bits[first:last] = base_bits(true[64 * first : 64 * last])
                bits[last : 2 * last - first] = bits[first:last]
        return count.astype(np.int8), bits
