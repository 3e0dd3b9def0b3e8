"""Whether a game has turns: that in every step at most one role does anything but its no-op.

This is proven from the grounded rules, never guessed. Each role has at most one move, its no-op,
that does not need one of some bases which say that it is its turn (`control`). At most one of all
these bases holds at the start; and of those that can hold after a step no two can hold together,
since their rules need different ones before the step, different moves of one role, or that
something is so and that it is not (who has formed a box has another turn, who has not loses it).
Where one of them is certain to hold after every step, that is used in the proof.

Then all moves but the no-ops are one set of which at most one is taken. One is always taken if a
no-op is never legal for who has the turn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce

from playout.ggp.ground import Body, Grounded
from playout.ggp.kif import Atom, Term, term_order

MOST_CONTROLS = 64
_MOST_BODIES = 5000  # of a control: a pair of them is compared with a pair of others


@dataclass(frozen=True)
class Turns:
    """The no-op of each role, as the number of an action; None for a role that has none.

    `controls` are the bases that say whose turn it is, of which at most one holds. `always` says
    that in every step somebody does something else.
    """

    idle: list[int | None]
    controls: list[Term]
    always: bool = False


@dataclass(frozen=True)
class _Implied:
    """What a condition needs: the controls before (None: any), the moves of each role, and which
    atoms that decide the turn are true or not.
    """

    controls: frozenset[int] | None = None
    moves: tuple[tuple[str, frozenset[Term]], ...] = ()
    decided: frozenset[tuple[Atom, bool]] = frozenset()

    def both(self, other: _Implied) -> _Implied:
        """What two conditions need that hold together."""
        controls = self.controls
        if controls is None or other.controls is None:
            controls = controls if other.controls is None else other.controls
        else:
            controls &= other.controls
        moves = dict(self.moves)
        for role, mine in other.moves:
            moves[role] = moves[role] & mine if role in moves else mine
        return _Implied(controls, tuple(sorted(moves.items())), self.decided | other.decided)

    def either(self, other: _Implied) -> _Implied:
        """What one of two conditions needs."""
        controls = None
        if self.controls is not None and other.controls is not None:
            controls = self.controls | other.controls
        others = dict(other.moves)
        moves = {role: mine | others[role] for role, mine in self.moves if role in others}
        return _Implied(controls, tuple(sorted(moves.items())), self.decided & other.decided)

    def excludes(self, other: _Implied) -> bool:
        """Whether two conditions cannot hold together, if at most one control does."""
        if self.controls is not None and other.controls is not None:
            if not self.controls & other.controls:
                return True
        if any((atom, not truth) in other.decided for atom, truth in self.decided):
            return True
        others = dict(other.moves)
        return any(role in others and not mine & others[role] for role, mine in self.moves)


def find_turns(game: Grounded) -> Turns | None:
    """The no-ops of a game that is proven to have turns; else None."""
    if len(game.roles) < 2:
        return None
    mine: list[list[Term]] = []
    idle: list[int | None] = []
    needed = _Needed(game)
    for role in range(len(game.roles)):
        found = _controls_of(game, role, needed)
        if found is None:
            return None
        mine.append(found[0])
        idle.append(found[1])
    controls = [base for bases in mine for base in bases]
    if len(set(controls)) < len(controls) or len(controls) > MOST_CONTROLS:
        return None
    holding = sum(base in game.init for base in controls)
    if holding == 1:
        proof = _Proof(game, mine, idle, exactly=True)
        if proof.one_is_certain() and proof.one_at_a_time():
            return Turns(idle, controls, proof.idlers_have_no_turn())
    if holding <= 1 and _Proof(game, mine, idle, exactly=False).one_at_a_time():
        return Turns(idle, controls)
    return None


def _controls_of(
    game: Grounded, role: int, needed: _Needed
) -> tuple[list[Term], int | None] | None:
    """Bases of which every move of a role but one needs one, the fewest that are found."""
    needs: dict[int, list[Term]] = {}
    for number, (whose, move) in enumerate(game.actions):
        if whose == role:
            needs[number] = list(needed.by(("legal", game.roles[role], move)))
    left = dict(needs)
    found: list[Term] = []
    while len(left) > 1 and len(found) < 8:
        count = Counter(base for bases in left.values() for base in bases)
        if not count:
            return None
        best = min(count, key=lambda base: (-count[base], term_order(base)))
        if count[best] == 1 and len(found) > 0 and len(left) > 2:
            return None
        found.append(best)
        left = {number: bases for number, bases in left.items() if best not in bases}
    if len(left) > 1 or not found:
        return None
    return found, next(iter(left), None)


class _Needed:
    """The bases without which an atom never holds, in the order in which they are met."""

    def __init__(self, game: Grounded) -> None:
        self.game = game
        self.known: dict[Atom, dict[Term, None]] = {}

    def by(self, atom: Atom) -> dict[Term, None]:
        """The bases that every body of an atom needs."""
        if atom[0] == "true":
            return {atom[1]: None}
        if atom not in self.known:
            self.known[atom] = {}  # of one that needs itself nothing is said
            bodies = self.game.bodies.get(atom, {})
            common: dict[Term, None] | None = None
            for positive, _ in bodies if len(bodies) <= _MOST_BODIES else ():
                here: dict[Term, None] = {}
                for one in positive:
                    here |= self.by(one)
                common = here if common is None else {b: None for b in common if b in here}
                if not common:
                    break
            self.known[atom] = common or {}
        return self.known[atom]


class _Proof:
    """That of some bases at most one holds after a step, if at most one held before."""

    def __init__(
        self, game: Grounded, mine: list[list[Term]], idle: list[int | None], exactly: bool
    ) -> None:
        self.game = game
        self.number = {base: i for i, base in enumerate(b for bases in mine for b in bases)}
        self.whose = [role for role, bases in enumerate(mine) for _ in bases]
        self.exactly = exactly  # whether one held before
        self.no_op: dict[Atom, int] = {}  # of which role
        for role, action in enumerate(idle):
            if action is not None:
                self.no_op["does", game.roles[role], game.actions[action][1]] = role
        self.known: dict[Atom, _Implied] = {}
        bodies = [body for base in self.number for body in game.bodies.get(("next", base), {})]
        # what one rule of the turn needs, and another the absence of
        self.deciding = {atom for positive, _ in bodies for atom in positive}
        self.deciding &= {atom for _, negated in bodies for atom in negated}

    def one_is_certain(self) -> bool:
        """Whether after every step one of the bases holds, if one did before."""
        bodies = [b for base in self.number for b in self.game.bodies.get(("next", base), {})]
        return all(
            self._is_certain({self._left_open(body, control) for body in bodies})
            for control in self.number.values()
        )

    def _is_certain(self, ways: set[frozenset[tuple[Atom, bool]]]) -> bool:
        """Whether one of some ways holds for sure, each by what must be true or not for it."""
        if frozenset() in ways:
            return True
        alone = {one for way in ways if len(way) == 1 for one in way}
        return any((atom, not truth) in alone for atom, truth in alone)

    def _left_open(self, body: Body, control: int) -> frozenset[tuple[Atom, bool]]:
        """What it takes for a body to hold in a step before which a control held."""
        positive, negated = body
        left = set()
        for atom in positive:
            if atom[0] == "true" and self.number.get(atom[1]) == control:
                continue
            if atom in self.no_op and self.no_op[atom] != self.whose[control]:
                continue  # who has no turn can do nothing else
            left.add((atom, True))
        for atom in negated:
            if atom[0] != "true" or self.number.get(atom[1], control) == control:
                left.add((atom, False))
        return frozenset(left)

    def idlers_have_no_turn(self) -> bool:
        """Whether a no-op is never legal for who has the turn."""
        for (_, role, move), number in self.no_op.items():
            needed = self._derived(("legal", role, move)).controls
            own = {i for i, whose in enumerate(self.whose) if whose == number}
            if needed is None or needed & own:
                return False
        return len(self.no_op) == len(self.game.roles)

    def one_at_a_time(self) -> bool:
        every = [list(self.game.bodies.get(("next", base), {})) for base in self.number]
        if any(len(bodies) > _MOST_BODIES for bodies in every):
            return False
        # equal needs are one: there are few kinds
        kinds = [{self._body(body, True): None for body in bodies} for bodies in every]
        if any(len(kind) > 200 for kind in kinds):
            return False
        return all(
            one.excludes(other)
            for i, mine in enumerate(kinds)
            for others in kinds[i + 1 :]
            for one in mine
            for other in others
        )

    def _body(self, body: Body, follow: bool) -> _Implied:
        decided = {(atom, True) for atom in body[0] if atom in self.deciding}
        decided |= {(atom, False) for atom in body[1] if atom in self.deciding}
        found = _Implied(decided=frozenset(decided))
        found = reduce(_Implied.both, (self._atom(atom, follow) for atom in body[0]), found)
        for atom in body[1]:
            if atom[0] == "true" and atom[1] in self.number:
                rest = frozenset(self.number.values()) - {self.number[atom[1]]}
                # that one does not hold leaves the others, and that none does
                found = found.both(_Implied(rest if self.exactly else rest | {-1}))
        return found

    def _atom(self, atom: Atom, follow: bool) -> _Implied:
        """What an atom needs; a move needs what makes it legal."""
        if atom[0] == "true":
            return _Implied(frozenset([self.number[atom[1]]]) if atom[1] in self.number else None)
        if atom[0] == "does":
            found = _Implied(None, ((atom[1], frozenset([atom[2]])),))
            legal = self._derived(("legal", atom[1], atom[2])) if follow else _Implied()
            return found.both(_Implied(legal.controls))
        return self._derived(atom)

    def _derived(self, atom: Atom) -> _Implied:
        if atom not in self.known:
            self.known[atom] = _Implied()  # of one that needs itself nothing is said
            bodies = self.game.bodies.get(atom, {})
            if 0 < len(bodies) <= _MOST_BODIES:
                self.known[atom] = reduce(
                    _Implied.either, (self._body(body, atom[0] != "legal") for body in bodies)
                )
        return self.known[atom]
