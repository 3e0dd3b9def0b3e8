"""The propositional network of a grounded game: gates in topological order.

Node 0 is the constant true; then come the inputs, the bases (`true`) and the actions (`does`); then
gates (gate_table.py). Alternatives are factored by the literal that most of them share.

Atoms that need one another on the ground level, as in reachability, are cycles: their gates
have inputs from within the cycle, always positive, and hold by the least fixed point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain

from playout.errors import DataError
from playout.ggp.components import components
from playout.ggp.gate_table import AND, FALSE, NOBODY, OR, TRUE, WIDEST, GateTable
from playout.ggp.ground import Body, Grounded
from playout.ggp.kif import Atom, term_order, term_text
from playout.ggp.turns import find_turns

MOST_GUARDS = 4  # of a role
_SHARED_FROM = 16  # alternatives that need one base from which on it is taken out of them


@dataclass
class Cycle:
    """Gates that need one another: which they are, and their inputs from within."""

    nodes: list[int] = field(default_factory=list)
    inner: dict[int, list[int]] = field(default_factory=dict)  # literals, all positive


class Network(GateTable):
    """The gates of a game, and the literals of what it is asked.

    `legal`, `next` and `goals` go with `actions` and `bases` and with the (role, value) of each
    goal.
    """

    def __init__(self, game: Grounded, go_on: Callable[[], None] = lambda: None) -> None:
        self.source, self.roles = game.source, game.roles
        self.bases, self.actions = game.bases, game.actions
        try:
            self.turns = find_turns(game)
        except RecursionError:  # rules that need one another a thousand deep: no proof
            self.turns = None
        base_nodes = range(1, 1 + len(game.bases))
        action_nodes = range(1 + len(game.bases), 1 + len(game.bases) + len(game.actions))
        super().__init__(1 + len(game.bases) + len(game.actions))
        self._literals: dict[Atom, int] = {
            ("true", base): 2 * node for base, node in zip(game.bases, base_nodes, strict=True)
        }
        self._make_sets(action_nodes)
        self.cycles: list[Cycle] = []
        self._build(game.bodies, go_on)
        self.init = [base in set(game.init) for base in game.bases]
        self.legal = [self._literal(("legal", game.roles[r], move)) for r, move in game.actions]
        self.next = [self._literal(("next", base)) for base in game.bases]
        self.terminal = self._literal(("terminal",))
        self.goal_values: list[tuple[int, int]] = []
        self.goals: list[int] = []
        for atom in sorted((a for a in game.bodies if a[0] == "goal"), key=term_order):
            if atom[1] in game.roles:
                self.goal_values.append((game.roles.index(atom[1]), self._value(atom)))
                self.goals.append(self._literal(atom))
        self._literals.clear()

    def _value(self, atom: Atom) -> int:
        value = atom[2]
        if isinstance(value, str) and value.isascii() and value.isdigit() and int(value) <= 100:
            return int(value)
        raise DataError(
            f"{self.source}: the goal {term_text(atom)} is no whole number from 0 to 100"
        )

    def _make_sets(self, nodes: range) -> None:
        """The sets of actions of which one is taken: each role's, or with turns that of all."""
        mine: list[list[int]] = [[] for _ in self.roles]
        for (role, move), node in zip(self.actions, nodes, strict=True):
            mine[role].append(node)
            self._literals["does", self.roles[role], move] = 2 * node
        if self.turns is not None:  # all moves but no-ops are one set, with nobody's in it
            idle = {nodes[action] for action in self.turns.idle if action is not None}
            acting = frozenset(nodes) - idle
            self._members = [acting if self.turns.always else acting | {NOBODY}]
            self._sets = {2 * node: (0, frozenset([node])) for node in nodes if node not in idle}
            for role, action in enumerate(self.turns.idle):
                if action is not None:
                    others = self._members[0] - set(mine[role])
                    move = self.actions[action][1]
                    self._literals["does", self.roles[role], move] = self._set(0, others)
            return
        self._members = [frozenset(members) for members in mine]
        self._sets = {
            2 * node: (role, frozenset([node]))
            for role, members in enumerate(mine)
            for node in members
        }

    def _literal(self, atom: Atom) -> int:
        return self._literals.get(atom, FALSE)

    # the gates of the derived atoms

    def _build(self, bodies: dict[Atom, dict[Body, None]], go_on: Callable[[], None]) -> None:
        flat = chain.from_iterable
        needs = {
            head: dict.fromkeys(filter(bodies.__contains__, flat(flat(mine))))
            for head, mine in bodies.items()
        }
        for group in components(needs):
            go_on()
            if len(group) == 1 and group[0] not in needs[group[0]]:
                terms = (self._term(body) for body in bodies[group[0]])
                self._literals[group[0]] = self._factor(terms)
            else:
                self._make_cycle(sorted(group, key=term_order), bodies)

    def _term(self, body: Body) -> frozenset[int] | None:
        """A conjunction as a set of literals; None if it is false."""
        get = self._literals.get
        term = {get(atom, FALSE) for atom in body[0]} | {get(atom, FALSE) ^ 1 for atom in body[1]}
        if FALSE in term or len({literal >> 1 for literal in term}) < len(term):
            return None
        term.discard(TRUE)
        return frozenset(term)

    def _factor(self, found: Iterable[frozenset[int] | None]) -> int:
        """The literal of a disjunction of conjunctions."""
        terms = self._opened({term for term in found if term is not None})
        if len(terms) == 1:
            return self._and(terms.pop())
        if frozenset() in terms:
            return TRUE
        alone = {literal for term in terms if len(term) == 1 for literal in term}
        if alone:  # what has one of these in it adds nothing
            terms = {term for term in terms if not term & alone}
        elif terms and (common := frozenset.intersection(*terms)):  # a quick way to the same
            literal = min(common)
            return self._and((self._factor(term - {literal} for term in terms), literal))
        parts = set(alone)
        holders = _shared(terms)
        buckets: dict[int, set[int]] = {}
        for literal, mine in holders.items():
            buckets.setdefault(len(mine), set()).add(literal)
        most = max(buckets, default=0)
        needing: dict[int, list[int]] = {}  # by what each of some literals needs beside it
        while most > 1:
            if not buckets.get(most):
                most -= 1
                continue
            literal = min(buckets[most])
            group = holders.pop(literal)
            buckets[most].discard(literal)
            for term in group:
                for other in term:
                    if (sharing := holders.get(other)) is not None:
                        size = len(sharing)
                        sharing.discard(term)
                        buckets[size].discard(other)
                        buckets.setdefault(size - 1, set()).add(other)
            terms -= group
            inner = self._factor(term - {literal} for term in group)
            needing.setdefault(inner, []).append(literal)
        for inner, literals in needing.items():  # some that need the same are alternatives
            parts.add(self._and((inner, self._or(literals))))
        parts.update(self._and(term) for term in terms)
        return self._or(parts)

    def _opened(self, terms: set[frozenset[int]]) -> set[frozenset[int]]:
        """Gates that share a base are taken apart, so that it is asked for once.

        "Some move of white is legal" then needs its turn in one gate, not in that of each move.
        """
        if len(terms) < _SHARED_FROM:
            return terms
        single = [literal for term in terms if len(term) == 1 for literal in term]
        if len(single) < _SHARED_FROM:
            return terms
        parts = {literal: self.conjuncts(literal) for literal in single}
        shared = Counter(
            one for mine in parts.values() if len(mine) > 1 for one in mine if self._is_base(one)
        )
        best = max(shared, key=lambda one: (shared[one], -one), default=FALSE)
        if shared[best] < max(_SHARED_FROM, len(single) // 2):
            return terms
        opened = [literal for literal in single if best in parts[literal]]
        closed = terms - {frozenset([literal]) for literal in opened}
        return closed | {frozenset(parts[literal]) for literal in opened}

    def _is_base(self, literal: int) -> bool:
        return 1 <= literal >> 1 <= len(self.bases)

    # cycles

    def _make_cycle(self, atoms: list[Atom], bodies: dict[Atom, dict[Body, None]]) -> None:
        """Gates for atoms that need one another: an `or` for each atom, an `and` for each body."""
        inside = set(atoms)
        for atom in atoms:
            for _, negated in bodies[atom]:
                if not inside.isdisjoint(negated):
                    raise DataError(
                        f"{self.source}: negation through recursion: {term_text(atom)} depends on "
                        "its own negation"
                    )
        cycle = Cycle()
        alone: dict[Atom, list[Body]] = {atom: [] for atom in atoms}
        within: dict[Atom, list[tuple[int, list[Atom]]]] = {atom: [] for atom in atoms}
        for atom in atoms:
            for positive, negated in bodies[atom]:
                inner = [a for a in positive if a in inside]
                body = (tuple(a for a in positive if a not in inside), negated)
                if not inner:
                    alone[atom].append(body)
                elif atom not in inner:  # what derives itself adds nothing
                    term = self._term(body)
                    if term is not None:
                        within[atom].append((self._and(term), inner))
        outside = {atom: self._factor(map(self._term, alone[atom])) for atom in atoms}

        def new(kind: bool, outer: int) -> int:
            literal = self._new(kind, (outer,) if outer > FALSE else ())
            cycle.nodes.append(literal >> 1)
            cycle.inner[literal >> 1] = []
            self.cycle_of[literal >> 1] = len(self.cycles)
            return literal

        for atom in atoms:
            if outside[atom] == TRUE:
                self._literals[atom] = TRUE
            else:
                self._literals[atom] = new(OR, outside[atom])

        def join(into: int, literals: Iterable[int]) -> None:
            """Give an `or` inputs from within; those that are too many come by further ones."""
            for literal in literals:
                if len(cycle.inner[into >> 1]) >= WIDEST - 1:
                    more = new(OR, FALSE)
                    cycle.inner[into >> 1].append(more)
                    into = more
                cycle.inner[into >> 1].append(literal)

        for atom in atoms:
            if outside[atom] == TRUE:
                continue
            inputs: list[int] = []
            alike: dict[int, list[int]] = {}  # single inputs from within, by what else they need
            for outer, inner in within[atom]:
                literals = [self._literals[a] for a in dict.fromkeys(inner)]
                literals = [literal for literal in literals if literal != TRUE]
                if len(literals) == 1:
                    alike.setdefault(outer, []).append(literals[0])
                else:
                    part = new(AND, outer)
                    cycle.inner[part >> 1] = literals
                    inputs.append(part)
            for outer, literals in alike.items():
                if outer != TRUE:
                    any_of = literals[0]
                    if len(literals) > 1:
                        any_of = new(OR, FALSE)
                        join(any_of, literals)
                    both = new(AND, outer)
                    cycle.inner[both >> 1] = [any_of]
                    literals = [both]
                inputs += literals
            join(self._literals[atom], inputs)
        self.cycles.append(cycle)

    def node_inputs(self, node: int) -> list[int]:
        """All inputs of a gate, those from within a cycle too."""
        outer = list(self.inputs[node - self.first_gate])
        if node in self.cycle_of:
            outer += self.cycles[self.cycle_of[node]].inner[node]
        return outer

    def cone(self, literals: Iterable[int]) -> set[int]:
        """The gates that literals depend on."""
        found: set[int] = set()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node >= self.first_gate and node not in found:
                found.add(node)
                if node in self.cycle_of:  # all of a cycle or nothing
                    stack += self.cycles[self.cycle_of[node]].nodes
                stack += [literal >> 1 for literal in self.node_inputs(node)]
        return found

    def guards(self) -> list[list[tuple[int, list[int]]]]:
        """For each role base literals, such as its turn, and the moves that need each of them.

        Each move is once there; those that need none come first, with FALSE.
        """
        found = []
        for role in range(len(self.roles)):
            needs: dict[int, list[int]] = {}
            for action, (whose, _) in enumerate(self.actions):
                if whose == role:
                    conjuncts = self.conjuncts(self.legal[action])
                    needs[action] = [literal for literal in conjuncts if self._is_base(literal)]
            guarded: list[tuple[int, list[int]]] = []
            fewest = max(2, len(needs) // (2 * MOST_GUARDS))
            while len(guarded) < MOST_GUARDS:
                count = Counter(literal for mine in needs.values() for literal in mine)
                best = max(count, key=lambda literal: (count[literal], -literal), default=FALSE)
                if count[best] < (fewest if guarded else 2):
                    break
                guarded.append((best, [action for action, mine in needs.items() if best in mine]))
                needs = {action: mine for action, mine in needs.items() if best not in mine}
            found.append([(FALSE, list(needs)), *guarded])
        return found

    def rest_of(self, literal: int, without: int) -> list[int]:
        """What a conjunction needs beside one of its parts; as one literal if there is a gate."""
        rest = tuple(sorted(one for one in self.conjuncts(literal) if one != without))
        for kind, inputs, sign in ((AND, rest, 0), (OR, tuple(o ^ 1 for o in rest), 1)):
            if (known := self._known.get((kind, tuple(sorted(inputs))))) is not None:
                return [known ^ sign]
        return list(rest)


def _shared(terms: set[frozenset[int]]) -> dict[int, set[frozenset[int]]]:
    """The literals that several terms have, each with these."""
    count: dict[int, int] = {}
    for term in terms:
        for literal in term:
            count[literal] = count.get(literal, 0) + 1
    found: dict[int, set[frozenset[int]]] = {
        literal: set() for literal, number in count.items() if number > 1
    }
    if found:
        for term in terms:
            for literal in term:
                if literal in found:
                    found[literal].add(term)
    return found
