"""Whether a game has turns: that in every step one role acts and the others do their only move.

This is proven from the grounded rules, never guessed. Each role has one move, its no-op, and all
its other moves need a base that says that it is its turn (`control`). One of these bases holds at
the start, and after every step again one of them does. The no-op is legal exactly where the role's
own base does not hold.
"""

from __future__ import annotations

from playout.ggp.ground import Body, Grounded
from playout.ggp.kif import Atom, Term


def find_turns(game: Grounded) -> list[int] | None:
    """The no-op of each role, as the number of an action; None if turns are not proven."""
    if len(game.roles) < 2:
        return None
    controls: list[Term] = []
    idle: list[int] = []
    for number, role in enumerate(game.roles):
        mine = [i for i, (whose, _) in enumerate(game.actions) if whose == number]
        needs = {i: _needed(game.bodies.get(("legal", role, game.actions[i][1]), {})) for i in mine}
        found = [
            (base, rest[0])
            for base in dict.fromkeys(base for need in needs.values() for base in need)
            if len(rest := [i for i in mine if base not in needs[i]]) == 1
        ]
        if len(found) != 1:
            return None
        controls.append(found[0][0])
        idle.append(found[0][1])
    if len(set(controls)) < len(controls) or sum(base in game.init for base in controls) != 1:
        return None
    if not _goes_round(game, controls):
        return None
    for number, role in enumerate(game.roles):
        bodies = game.bodies.get(("legal", role, game.actions[idle[number]][1]), {})
        others = {base for base in controls if base != controls[number]}
        if not _is_complement(bodies, controls[number], others):
            return None
    return idle


def _needed(bodies: dict[Body, None]) -> list[Term]:
    """The bases that every body needs."""
    common: dict[Term, None] | None = None
    for positive, _ in bodies:
        here = dict.fromkeys(atom[1] for atom in positive if atom[0] == "true" and len(atom) == 2)
        common = here if common is None else {base: None for base in common if base in here}
    return list(common or {})


def _goes_round(game: Grounded, controls: list[Term]) -> bool:
    """Whether after each step one of the bases holds: each follows from another, by itself."""
    before: list[Atom] = []
    for base in controls:
        bodies = list(game.bodies.get(("next", base), {}))
        if len(bodies) != 1 or bodies[0][1] or len(bodies[0][0]) != 1:
            return False
        before.append(bodies[0][0][0])
    return {("true", base) for base in controls} == set(before)


def _is_complement(bodies: dict[Body, None], own: Term, others: set[Term]) -> bool:
    """Whether the bodies say that one of the others holds, or that the role's own does not."""
    if list(bodies) == [((), (("true", own),))]:
        return True
    found = set()
    for positive, negated in bodies:
        if negated or len(positive) != 1 or positive[0][0] != "true":
            return False
        found.add(positive[0][1])
    return found == others
