"""Gates over literals: equal ones are one, and a choice of actions is a set.

A literal is 2 * node, plus 1 if it is negated; node 0 is the constant true. One action of a set is
taken in a step, so an `or` of actions is a set, kept as the set or as its complement, whichever is
smaller; this makes a rule "all cells but those that the move touches" one negated gate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

WIDEST = 120  # inputs of a gate: its count is an int8
TRUE, FALSE = 0, 1
AND, OR = True, False
NOBODY = 0  # in a set of actions of which at most one is taken: none is


class GateTable:
    """`kinds` and `inputs` are those of each gate, the first being the node `first_gate`."""

    def __init__(self, first_gate: int) -> None:
        self.first_gate = first_gate
        self.kinds: list[bool] = []
        self.inputs: list[tuple[int, ...]] = []
        self.cycle_of: dict[int, int] = {}  # of gates in a cycle, which one
        self._known: dict[tuple[bool, tuple[int, ...]], int] = {}
        self._members: list[frozenset[int]] = []  # the sets of actions of which one is taken
        self._sets: dict[int, tuple[int, frozenset[int]]] = {}  # of a literal: of which, and which

    def gate_of(self, kind: bool, literals: Iterable[int]) -> int:
        """The literal of a conjunction or a disjunction."""
        return self._and(literals) if kind == AND else self._or(literals)

    def conjuncts(self, literal: int) -> list[int]:
        """The literals that one is the conjunction of; itself if it is none."""
        node = literal >> 1
        if node < self.first_gate or node in self.cycle_of:
            return [literal]
        kind, inputs = self.kinds[node - self.first_gate], self.inputs[node - self.first_gate]
        if kind == AND and not literal & 1:
            return list(inputs)
        if kind == OR and literal & 1:
            return [one ^ 1 for one in inputs]
        return [literal]

    def _and(self, literals: Iterable[int]) -> int:
        return self._or([literal ^ 1 for literal in literals]) ^ 1

    def _or(self, literals: Iterable[int]) -> int:
        members = set(literals)
        members.discard(FALSE)
        if TRUE in members:
            return TRUE
        if len(members) < 2:
            return members.pop() if members else FALSE
        if len({literal >> 1 for literal in members}) < len(members):
            return TRUE
        sets = self._sets
        acting = [one for one in members if one in sets or one ^ 1 in sets]
        by_set: dict[int, list[tuple[int, frozenset[int]]]] = {}
        for literal in acting if len(acting) > 1 else ():
            number, actions = self._actions_of(literal)
            by_set.setdefault(number, []).append((literal, actions))
        for number, several in by_set.items():
            if len(several) > 1:
                members -= {literal for literal, _ in several}
                whole: frozenset[int] = frozenset().union(*(actions for _, actions in several))
                members.add(self._set(number, whole))
        if TRUE in members:
            return TRUE
        members.discard(FALSE)
        if len(members) < 2:
            return members.pop() if members else FALSE
        if 2 * sum(literal & 1 for literal in members) > len(members):  # fewer negations
            return self._gate(AND, [literal ^ 1 for literal in members]) ^ 1
        return self._gate(OR, members)

    def _actions_of(self, literal: int) -> tuple[int, frozenset[int]]:
        """The set of actions, and its number, that a literal of one says one is taken of."""
        if literal in self._sets:
            return self._sets[literal]
        number, actions = self._sets[literal ^ 1]
        return number, self._members[number] - actions

    def _set(self, number: int, actions: frozenset[int]) -> int:
        """A literal that says that one of these actions is taken."""
        whole = self._members[number]
        if NOBODY in actions or (2 * len(actions) > len(whole) and NOBODY not in whole):
            return self._set(number, whole - actions) ^ 1
        if not actions:
            return FALSE
        if len(actions) == 1:
            return 2 * next(iter(actions))
        if 2 * len(actions) > len(whole) and len(actions) < len(whole) - 1:
            # anybody's but a few: whether anybody acts at all hardly ever changes
            anybody = self._set(number, whole - {NOBODY})
            few = self._set(number, whole - {NOBODY} - actions)
            literal = self._gate(AND, [anybody, few ^ 1])
        else:
            literal = self._gate(OR, [2 * node for node in actions])
        self._sets.setdefault(literal, (number, actions))
        return literal

    def _gate(self, kind: bool, literals: Collection[int]) -> int:
        """A gate of these inputs, or a tree of them if they are too many."""
        inputs = sorted(literals)
        key = (kind, tuple(inputs))
        if key in self._known:
            return self._known[key]
        while len(inputs) > WIDEST:
            step = max(2, int(len(inputs) ** 0.5) + 1)
            inputs = sorted(
                self._gate(kind, inputs[i : i + step]) for i in range(0, len(inputs), step)
            )
        if len(inputs) == 1:
            return inputs[0]
        literal = self._known.get((kind, tuple(inputs)))
        if literal is None:
            literal = self._known[kind, tuple(inputs)] = self._new(kind, tuple(inputs))
        self._known[key] = literal
        return literal

    def _new(self, kind: bool, inputs: tuple[int, ...]) -> int:
        self.kinds.append(kind)
        self.inputs.append(inputs)
        return 2 * (self.first_gate + len(self.kinds) - 1)
