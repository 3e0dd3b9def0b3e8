"""The rules as they are written, one state at a time: for matches whose game is not loaded yet.

Nothing is grounded: what a state says is derived from its facts, stratum by stratum, by the joins
of the grounder. It takes milliseconds where the network takes less than one of them, and needs no
more than the rules that moves and their effects depend on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from playout.errors import DataError
from playout.ggp.checks import roles_of
from playout.ggp.ground import Derivation, Limits
from playout.ggp.kif import Atom, Rule, Rulesheet, Term, sign, term_order, term_text
from playout.ggp.rewrite import dynamic_predicates, used


class PlainRules:
    """What is legal and what is next, by the rules of a checked rulesheet.

    A state is the set of its facts.
    """

    def __init__(self, sheet: Rulesheet, limits: Limits) -> None:
        self.roles = roles_of(sheet)
        played = used(sheet.rules, ("init", "legal", "next", "role"))
        self.changing = dynamic_predicates(played)
        self._moving = [rule for rule in played if sign(rule.head) in self.changing]
        self._known = Derivation(sheet, limits)
        self._known.derive([rule for rule in played if sign(rule.head) not in self.changing])
        self.start = frozenset(atom[1] for atom in self._known.store.of(("init", 2)))

    def legal(self, state: Iterable[Term]) -> list[list[Term]]:
        """The legal moves of each role, in order."""
        moves: list[list[Term]] = [[] for _ in self.roles]
        for _, role, move in self._derived(state, (), "legal", 3):
            if role in self.roles:
                moves[self.roles.index(role)].append(move)
        return [sorted(mine, key=term_order) for mine in moves]

    def following(self, state: Iterable[Term], moves: Sequence[Term]) -> frozenset[Term]:
        """The state after a move of each role; DataError if one of them is not legal."""
        if len(moves) != len(self.roles):
            raise DataError(f"{len(moves)} moves for {len(self.roles)} roles")
        for role, move, legal in zip(self.roles, moves, self.legal(state), strict=True):
            if move not in legal:
                raise DataError(f"{term_text(move)} is not legal for {role}")
        joint = list(zip(self.roles, moves, strict=True))
        return frozenset(atom[1] for atom in self._derived(state, joint, "next", 2))

    def _derived(
        self, state: Iterable[Term], joint: Iterable[tuple[str, Term]], name: str, length: int
    ) -> list[Atom]:
        """The atoms of a predicate that hold in a state in which this is done."""
        self._known.store.forget(self.changing)
        facts = [Rule(("true", fact), (), 0) for fact in state]
        facts += [Rule(("does", role, move), (), 0) for role, move in joint]
        self._known.derive([*facts, *self._moving])
        return list(self._known.store.of((name, length)))
