"""What a move does to the bases, found before any game is played.

Most of a step is known from the move alone: a pawn that goes from one square to another leaves all
other squares as they are. For each base whose `next` follows from its own truth but for a few moves
this file lists those moves and what they make of it: true, false, or what a short program of tests
says. Such a base needs no gate of its own for `next`, and a move looks at what it touches alone.
Other bases, such as the numbers of steps, keep their gates (layout.py).

A `next` is looked at once for each class of moves that are all the same to it: the gates of moves
alone are constants then. What makes a move legal holds when it is made, which decides many of the
tests, such as whose turn it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from playout.ggp.gate_table import AND, FALSE, TRUE
from playout.ggp.network import Network

_MOST_TESTS = 24  # of a program
_MOST_LOOKS = 50_000  # gates that are looked at for one base
_WIDEST_LOOK = 1000  # gates behind the `next` of one base, beyond which it is left to gates
_MOST_IN_VAIN = 200_000  # and for those of one name of which gates say what is next all the same
_EXPANDED = 3  # nested gates of what a legal move needs


@dataclass
class Effects:
    """What the moves do: `certain` (base, truth) and `tested` (base, program) of each action.

    One more action, the last, stands for a step in which nobody does anything. A program is a
    literal; those in `taken` ask for one of some actions, as bits.
    """

    kept: list[bool]  # of each base, whether gates say what is next
    certain: list[list[tuple[int, bool]]]
    tested: list[list[tuple[int, int]]]
    taken: dict[int, int]


def find_effects(
    network: Network, units: Collection[int], go_on: Callable[[], None] = lambda: None
) -> Effects:
    """The effects of all actions; `units` are the gates whose truth is known in every state."""
    actions = len(network.actions)
    cofactors = _Cofactors(network, units)
    found = Effects(
        [True] * len(network.bases),
        [[] for _ in range(actions + 1)],
        [[] for _ in range(actions + 1)],
        cofactors.taken,
    )
    in_vain: Counter[str] = Counter()  # of the bases of a name
    for base, term in enumerate(network.bases):
        name = term if isinstance(term, str) else term[0]
        go_on()
        if in_vain[name] > _MOST_IN_VAIN:
            continue
        looked = cofactors.looked
        cofactors.add(base, found)
        in_vain[name] += cofactors.looked - looked if found.kept[base] else -_MOST_IN_VAIN
    return found


@dataclass
class _Cone:
    """The gates of moves behind a literal."""

    literal: int
    masks: list[int]  # the sets of actions that matter
    asks: dict[int, int] = field(default_factory=dict)  # of a node: which of these, as bits
    # of a set of actions: the first class that was looked at, and what the gates are under it
    usual: dict[int, tuple[int, dict[int, int]]] = field(default_factory=dict)


class _Cofactors:
    """The `next` of bases under moves that are given."""

    def __init__(self, network: Network, units: Collection[int]) -> None:
        self.network, self.units = network, units
        self.first_action = 1 + len(network.bases)
        actions = len(network.actions)
        self.nobody = 1 << actions
        self.controls: set[int] = set()
        # the sets of actions of which one is taken, as bits: one set with turns, else one a role
        if network.turns is not None:
            idle = {action for action in network.turns.idle if action is not None}
            acting = sum(1 << action for action in range(actions) if action not in idle)
            self.sets = [acting if network.turns.always else acting | self.nobody]
            self.controls = {2 * (1 + network.bases.index(one)) for one in network.turns.controls}
        else:
            self.sets = [0] * len(network.roles)
            for action, (role, _) in enumerate(network.actions):
                self.sets[role] |= 1 << action
        self.asked: dict[int, int] = {0: 0}  # of a node: which sets it depends on, as bits
        self.taken: dict[int, int] = {}  # of a node of one set's actions alone: those it holds for
        self.holding: dict[int, frozenset[int]] = {}  # of an action: what holds if it is made
        self.looked = 0  # gates
        self._look_at_gates()

    def _look_at_gates(self) -> None:
        network = self.network
        for base in range(len(network.bases)):
            self.asked[1 + base] = 0
        for action, (role, _) in enumerate(network.actions):
            at = 0 if network.turns is not None else role
            self.asked[self.first_action + action] = 1 << at
            self.taken[self.first_action + action] = self.sets[at] & (1 << action)
        for cycle in network.cycles:
            cone = network.cone([2 * node for node in cycle.nodes])
            inputs = {one >> 1 for node in cone for one in network.node_inputs(node)}
            moved = any(self.first_action <= node < network.first_gate for node in inputs)
            for node in cycle.nodes:
                self.asked[node] = -1 if moved else 0  # what moves do to a cycle is not known
        for gate in range(len(network.kinds)):
            node = network.first_gate + gate
            if node in network.cycle_of:
                continue
            sets = 0
            for literal in network.inputs[gate]:
                sets |= self.asked[literal >> 1]
            self.asked[node] = sets
            if sets > 0 and sets & (sets - 1) == 0:
                self._take_set(node, sets.bit_length() - 1)

    def _take_set(self, node: int, number: int) -> None:
        """Note the actions for which a gate holds, if it is one of actions alone."""
        network, whole = self.network, self.sets[number]
        gate = node - network.first_gate
        both = network.kinds[gate] == AND
        held = whole if both else 0
        for literal in network.inputs[gate]:
            mine = self.taken.get(literal >> 1)
            if mine is None:
                return
            mine = whole & ~mine if literal & 1 else mine
            held = held & mine if both else held | mine
        self.taken[node] = held

    def add(self, base: int, found: Effects) -> None:
        """Find what the moves make of a base, if it can be said shortly."""
        literal, same = self.network.next[base], 2 * (1 + base)
        sets = self.asked[literal >> 1]
        if sets < 0:
            return
        numbers = [i for i in range(len(self.sets)) if sets >> i & 1]
        if not numbers:
            if len(self.sets) > 1:
                return
            numbers = [0]
        cone = self._cone(literal)
        if cone is None:
            self.looked += _WIDEST_LOOK
            return
        self.looked += len(cone.masks)
        classes = {i: _classes(self.sets[i], cone.masks) for i in numbers}
        if sum(map(len, classes.values())) * (len(cone.masks) + 1) > _MOST_LOOKS:
            return
        neutral: dict[int, int] = {}
        if len(numbers) > 1:  # who makes such a move leaves it to the others
            neutral = {1 << i: max(classes[i], key=int.bit_count) for i in numbers}
            if self._under(cone, neutral) != same:
                return
        certain: list[tuple[int, bool]] = []
        tested: list[tuple[int, int]] = []
        for i in numbers:
            for alike in classes[i]:
                if neutral.get(1 << i) == alike:
                    continue
                after = self._under(cone, {1 << i: alike})
                if after == same:
                    continue
                for action in _bits(alike):
                    mine = self._given(after, action)
                    if mine == same:
                        continue
                    if mine in (TRUE, FALSE):
                        certain.append((action, mine == TRUE))
                    elif self._count_tests(mine) > _MOST_TESTS:
                        return
                    elif not sets and 1 << action != self.nobody:
                        return  # it changes by itself, whatever is done
                    else:
                        tested.append((action, mine))
        everybody = sum(map(int.bit_count, self.sets))
        if len(tested) > max(4, everybody // 2):
            return
        found.kept[base] = False
        for action, truth in certain:
            found.certain[action].append((base, truth))
        for action, program in tested:
            found.tested[action].append((base, program))

    def _cone(self, literal: int) -> _Cone | None:
        """What matters to a literal; None if there is too much to look at."""
        masks: dict[int, None] = {}
        seen: set[int] = set()
        stack = [literal >> 1]
        while stack:
            node = stack.pop()
            if node in seen or not self.asked[node]:
                continue
            seen.add(node)
            if len(seen) > _WIDEST_LOOK:
                return None
            if node in self.taken:
                masks[self.taken[node]] = None
            else:
                stack += [one >> 1 for one in self.network.inputs[node - self.network.first_gate]]
        cone = _Cone(literal, list(masks))
        number = {mask: 1 << i for i, mask in enumerate(masks)}
        for node in sorted(seen):  # inputs come before
            if node in self.taken:
                cone.asks[node] = number[self.taken[node]]
            else:
                asks = 0
                for one in self.network.inputs[node - self.network.first_gate]:
                    asks |= cone.asks.get(one >> 1, 0)
                cone.asks[node] = asks
        return cone

    def _under(self, cone: _Cone, alike: dict[int, int]) -> int:
        """What a literal is if moves of these classes are made, one of each set (as a bit).

        Gates to which a class is the same as the first one that was looked at are as they were.
        """
        network, all_asks = self.network, cone.asks
        known: dict[int, int] = {}
        usual, differs = known, -1
        if len(alike) == 1:
            ((which, mine),) = alike.items()
            first, usual = cone.usual.setdefault(which, (mine, known))
            differs = 0
            for i, mask in enumerate(cone.masks):
                if bool(mask & mine) != bool(mask & first):
                    differs |= 1 << i

        def look(literal: int) -> int:
            node, sign = literal >> 1, literal & 1
            values = known if all_asks[node] & differs else usual
            if node in values:
                return values[node] ^ sign
            if node in self.taken:
                held = self.taken[node]
                truth = 2 * node
                asked = self.asked[node]
                if asked in alike:
                    truth = TRUE if held & alike[asked] else FALSE
            else:
                gate = node - network.first_gate
                both, old = network.kinds[gate], network.inputs[gate]
                deciding = FALSE if both == AND else TRUE
                inputs = []
                for one in old:
                    after = look(one) if one >> 1 in all_asks else one
                    inputs.append(after)
                    if after == deciding:
                        break
                truth = deciding if after == deciding else network.gate_of(both, inputs)
            values[node] = truth
            return truth ^ sign

        before = len(usual)
        after = look(cone.literal) if cone.literal >> 1 in all_asks else cone.literal
        self.looked += len(known) + (len(usual) - before if usual is not known else 0)
        return after

    def _given(self, literal: int, action: int) -> int:
        """What a literal is if an action is made, which then is legal."""
        if 1 << action == self.nobody:
            return literal
        if action not in self.holding:
            needs = set(self._needs(self.network.legal[action], _EXPANDED))
            if needs & self.controls:  # of which at most one holds
                needs |= {one ^ 1 for one in self.controls - needs}
            self.holding[action] = frozenset(needs)
        return simplified(self.network, literal, self.holding[action], self.units)

    def _count_tests(self, literal: int) -> int:
        """How many tests a program has that says whether a literal holds."""
        node = literal >> 1
        first = self.network.first_gate
        if node < first or node in self.units or node in self.taken:
            return 1
        if node in self.network.cycle_of:
            return _MOST_TESTS + 1
        total = 0
        for one in self.network.inputs[node - first]:
            total += self._count_tests(one)
            if total > _MOST_TESTS:
                break
        return total

    def _needs(self, literal: int, depth: int) -> list[int]:
        found = [literal]
        parts = self.network.conjuncts(literal)
        if depth and parts != [literal]:
            for part in parts:
                found += self._needs(part, depth - 1)
        return found


def simplified(
    network: Network, literal: int, holding: Collection[int], units: Collection[int]
) -> int:
    """What a literal is if others hold; `units` are gates that are as good as any part of them."""
    if literal in holding:
        return TRUE
    if literal ^ 1 in holding:
        return FALSE
    node, first = literal >> 1, network.first_gate
    if node < first or node in network.cycle_of or node in units:
        return literal
    old = network.inputs[node - first]
    if len(old) > _MOST_TESTS:
        return literal
    inputs = []
    for one in old:
        if one in holding:
            inputs.append(TRUE)
        elif one ^ 1 in holding:
            inputs.append(FALSE)
        elif one >> 1 < first:  # a call less for most
            inputs.append(one)
        else:
            inputs.append(simplified(network, one, holding, units))
    if inputs == list(old):
        return literal
    return network.gate_of(network.kinds[node - first], inputs) ^ (literal & 1)


def _classes(whole: int, masks: list[int]) -> list[int]:
    """The actions of a set that are in the same ones of some sets together."""
    size = whole.bit_count()
    marks: dict[int, int] = {}  # of an action, the sets that it is in, as bits
    for i, mask in enumerate(masks):
        mine = mask & whole
        if 2 * mine.bit_count() > size:
            mine ^= whole  # parts it from the others as well
        for action in _bits(mine):
            marks[action] = marks.get(action, 0) | 1 << i
    classes: dict[int, int] = {}
    for action, mark in marks.items():
        classes[mark] = classes.get(mark, 0) | 1 << action
    rest = whole & ~sum(classes.values())
    return [rest, *classes.values()] if rest else list(classes.values())


def _bits(word: int) -> list[int]:
    digits = bin(word)[:1:-1]  # arithmetic on thousands of bits would look at all of them each time
    found = []
    at = digits.find("1")
    while at >= 0:
        found.append(at)
        at = digits.find("1", at + 1)
    return found
