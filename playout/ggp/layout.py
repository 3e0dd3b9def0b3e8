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
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations

import numpy as np

from playout.ggp.effect_programs import Programs
from playout.ggp.effects import find_effects
from playout.ggp.gate_table import AND, FALSE, TRUE, WIDEST
from playout.ggp.network import Network

PLAIN, FEEDERS, CYCLE = 0, 1, 2  # kinds of segments
_SHARED_FROM = 4  # moves that need the same two things from which on a gate says so


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

    - `starts`, `targets`: the units that each source tells, as twice the unit, and one more where
      it reads the source negated. Sources are the units, the bases, the actions and, once more, the
      units of cycles, for what they tell within their cycle.
    - `segments`: kind, first and last word, and for a cycle the source of its first unit within;
      `quick`, `late`, `goal`: the segments of each region. Behind the words of a cycle there are
      as many that tell what holds in it, and as many for deriving it anew.
    - `legal_at`: the words of groups of moves, as where each begins; `guards`: 2 * base + negated
      for each group, -1 without; `groups`: where each role's begin; `action_at`: the actions.
    - `goal_starts`: of the bases, the units of the goals' region that each tells; they are told
      when goals are asked for.
    """

    def __init__(self, network: Network, go_on: Callable[[], None] = lambda: None) -> None:
        self.network = network
        self.units: dict[int, tuple[bool, list[int]]] = {}  # at: kind and literals
        self._source: dict[int, int] = {}  # of a node: its unit, base or action
        self._inner: dict[int, list[int]] = {}  # of a unit in a cycle: its inputs from within
        self._cycle_at: dict[int, int] = {}  # of a unit in a cycle: which one
        self._feeder: dict[tuple[int, int], int] = {}  # of a cycle and a literal
        self.segments: list[tuple[int, int, int, int]] = []
        self._at = 0
        self._groups = network.guards()
        self._needs = self._shared_needs()
        quick = self._quick_gates()
        merged = self._used_once(
            quick | network.cone([*network.next, *network.goals]), network.next
        )
        self.effects = find_effects(network, quick - merged, go_on)
        self.programs = Programs(network, self.effects, quick - merged)
        both = zip(network.next, self.effects.kept, strict=True)
        kept = [literal if mine else FALSE for literal, mine in both]
        quick, late, goal = self._regions(quick, kept)
        self._merged = self._used_once(quick | late | goal, kept, self.programs.tested())

        self.quick = self._gates(quick)
        self._place_legal()
        self.terminal_at = self._at
        self._leaf(network.terminal)
        self._align()
        self.late = self._gates(late)
        self.next_at = self._at // 64
        for literal in kept:
            self._leaf(literal)
        self._align()
        self._goals_from = self._at
        self.goal = self._gates(goal)
        self.goal_at = self._at
        for literal in network.goals:
            self._leaf(literal)
        self._align()
        self.size = self._at
        self._connect()

    def _quick_gates(self) -> set[int]:
        """The gates that are needed for moves and the end."""
        network = self.network
        legal = [literal for needs in self._needs.values() for literal in needs]
        legal += [one for action, one in enumerate(network.legal) if action not in self._needs]
        return network.cone([*legal, network.terminal])

    def _regions(
        self, quick: set[int], following: list[int]
    ) -> tuple[set[int], set[int], set[int]]:
        """The quick gates, those that are needed for what is next, and those for the goals."""
        network = self.network
        late = network.cone(following)
        goal = network.cone(network.goals)
        # what goals and `next` share is kept up to date, so that no goal looks at old actions
        quick = quick | network.cone([2 * node for node in goal & late])
        return quick, late - quick, goal - quick - late

    def _shared_needs(self) -> dict[int, list[int]]:
        """What each guarded move needs beside its guard.

        Where several moves need the same two things, a gate says it once: a jump over one piece is
        a part of many double jumps, and does not come about by every change of a cell.
        """
        network = self.network
        needs = {
            action: network.rest_of(network.legal[action], guard)
            for groups in self._groups
            for guard, actions in groups
            if guard != FALSE
            for action in actions
        }
        while self._share_pairs(needs):
            pass
        return needs

    def _share_pairs(self, needs: dict[int, list[int]]) -> bool:
        """Replace the pairs that most needs have, the most frequent first; whether one was."""
        long = {action: set(mine) for action, mine in needs.items() if len(mine) > 2}
        holders: dict[int, set[int]] = {}
        count: Counter[tuple[int, int]] = Counter()
        for action, mine in long.items():
            count.update(combinations(sorted(mine), 2))
            for literal in mine:
                holders.setdefault(literal, set()).add(action)
        changed = False
        for pair in sorted(count, key=lambda pair: (-count[pair], pair)):
            if count[pair] < _SHARED_FROM:
                break
            both = [a for a in sorted(holders[pair[0]] & holders[pair[1]]) if len(long[a]) > 2]
            if len(both) < _SHARED_FROM:
                continue
            gate = self.network.gate_of(AND, pair)
            for action in both:
                long[action] -= set(pair)
                long[action].add(gate)
                for literal in pair:
                    holders[literal].discard(action)
                holders.setdefault(gate, set()).add(action)
            changed = True
        needs |= {action: sorted(mine) for action, mine in long.items()}
        return changed

    def _used_once(
        self, nodes: set[int], following: list[int], tested: Collection[int] = ()
    ) -> set[int]:
        """Gates that one other of their kind, or one leaf, alone reads: it takes their inputs."""
        network, first = self.network, self.network.first_gate
        leaves = [one for action, one in enumerate(network.legal) if action not in self._needs]
        leaves += [network.terminal, *following, *network.goals]
        uses = Counter(tested)
        for node in nodes:
            uses.update({literal >> 1 for literal in network.node_inputs(node)})
        uses.update(literal >> 1 for literal in leaves)
        uses.update(literal >> 1 for needs in self._needs.values() for literal in needs)
        single = {node for node in nodes if uses[node] == 1 and node not in network.cycle_of}
        merged: set[int] = set()
        width: dict[int, int] = {}

        def take(kind: bool, literals: Sequence[int]) -> int:
            """Merge what can be of the inputs of a gate; how many inputs it then has."""
            total = len(literals)
            for literal in literals:
                node = literal >> 1
                if node in single and (network.kinds[node - first] == kind) != (literal & 1):
                    if total + width[node] - 1 <= WIDEST:
                        total += width[node] - 1
                        merged.add(node)
            return total

        for node in sorted(nodes - network.cycle_of.keys()):  # inputs come before
            width[node] = take(network.kinds[node - first], network.inputs[node - first])
        for needs in self._needs.values():
            take(AND, needs)
        return merged | {literal >> 1 for literal in leaves if literal >> 1 in single}

    def _flat(self, kind: bool, literals: Iterable[int]) -> list[int]:
        """The inputs of a gate, with those of gates that are merged into it."""
        network, first = self.network, self.network.first_gate
        found: dict[int, None] = {}
        stack = list(literals)
        while stack:
            literal = stack.pop()
            node, sign = literal >> 1, literal & 1
            if node in self._merged and (network.kinds[node - first] == kind) != sign:
                stack += [one ^ sign for one in network.inputs[node - first]]
            else:
                found[literal] = None
        return sorted(found)

    def _align(self) -> None:
        self._at = -(-self._at // 64) * 64

    def _unit(self, kind: bool, literals: Iterable[int]) -> int:
        at = self._at
        self.units[at] = (kind, self._flat(kind, literals))
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
        self.legal_at: list[int] = []
        self.guards: list[int] = []
        self.groups: list[int] = []
        self.action_at: dict[int, int] = {}
        for groups in self._groups:
            self.groups.append(len(self.guards))
            for guard, actions in groups:
                self.legal_at.append(self._at // 64)
                self.guards.append(guard - 2 if guard != FALSE else -1)
                for action in actions:
                    self.action_at[self._at] = action
                    if action in self._needs:
                        self._unit(AND, self._needs[action])
                    else:
                        self._leaf(network.legal[action])
                self._align()
        self.groups.append(len(self.guards))
        self.legal_at.append(self._at // 64)

    def _leaf(self, literal: int) -> None:
        """A unit that nothing reads, of a literal."""
        if literal >> 1 in self._merged:
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
        out: list[list[int]] = [[] for _ in range(sources)]
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
                out[source].append(2 * at + sign)
            for literal in inner:
                out[self._within[self._source[literal >> 1]]].append(2 * at)
        goals_from = 2 * self._goals_from
        of_bases = out[self.size : self.size + bases]
        later = [[target for target in mine if target >= goals_from] for mine in of_bases]
        for mine in of_bases:
            mine[:] = [target for target in mine if target < goals_from]
        flat = [*out, *later]
        ends = np.cumsum([0, *map(len, flat)]).astype(np.int32)
        self.starts, self.goal_starts = ends[: sources + 1], ends[sources:]
        self.targets = np.array([at for part in flat for at in part] or [0], np.int32)

    def source_of(self, node: int) -> int:
        """The unit, the base or the action that a node is."""
        return self._source[node]

    def has_gates(self, region: tuple[int, int]) -> bool:
        """Whether a region has any gate."""
        return any(last > first for _, first, last, _ in self.segments[slice(*region)])

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return int(self.goal_starts[-1])

    def evaluate(self, bases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Counts and bits of all units in a position in which nothing is done yet.

        This is the plain evaluation, unit by unit, which the differential kernel must agree with.
        """
        count = self.bias.tolist()
        true = np.zeros(self.size, bool)
        targets, by_goals = self.targets.tolist(), self.goal_starts.tolist()
        by_all = self.starts.tolist()

        def tell(source: int, starts: list[int] = by_all) -> list[int]:
            told = targets[starts[source] : starts[source + 1]]
            for target in told:
                count[target >> 1] += 1 - 2 * (target & 1)
            return [target >> 1 for target in told]

        for i in np.flatnonzero(bases).tolist():
            tell(self.size + i)
            tell(i, by_goals)
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
                    true[at] = True
                    tell(at)
                continue
            first, last = cycle_words[at // 64]
            if first in done:
                continue
            done.add(first)
            mine = [unit for unit in range(64 * first, 64 * last) if unit in self.units]
            news = [unit for unit in mine if count[unit] >= 0]
            for unit in news:  # which grows as others follow
                true[unit] = True
                told = tell(self._within[unit])
                news += [one for one in told if count[one] == 0]
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
        return np.array(count, np.int8), bits
