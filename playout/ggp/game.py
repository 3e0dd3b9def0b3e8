"""A game from its rulesheet: `gdl:FILE` on the command line, `GDLGame` in Python."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.contract import Game
from playout.contract.visible import Places
from playout.errors import DataError, OptionError
from playout.ggp.board_view import board_svg, board_text, facts_svg, find_board, move_points
from playout.ggp.ground import Limits
from playout.ggp.kif import Term, expressions, term_text
from playout.ggp.layout import base_bits
from playout.ggp.propnet import Propnet
from playout.ggp.rulesheet import STEPS, load_rulesheet, step_bound
from playout.ggp.rulesheet_file import rules_of_file
from playout.text.grammar import parse_assignments
from playout.text.options import class_options, parse_values

USUAL = Limits()
SAMPLES = 20  # random games that show whether goals add up to 100


class GDLRules(Propnet, Game):
    """What a game and a puzzle from a rulesheet have in common."""

    def load(self, text: str, source: str, steps: int | None, limits: Limits) -> None:
        """Take the rules of a text."""
        if steps is not None and steps < 1:
            raise OptionError(f"steps={steps}: a whole number of at least 1")
        self.source = source
        self.loaded = loaded = load_rulesheet(text, source, limits)
        network = self.network = loaded.network
        bound = step_bound(network)
        longest = STEPS if steps is None else steps
        if bound is not None:
            longest = bound if steps is None else min(bound, steps)
        self.role_names = network.roles
        self.players = len(network.roles)
        self._take(loaded.layout, max(1, longest), bound is not None and longest == bound)
        self.simultaneous = self.roles > 1 and network.turns is None
        self.codes = len(network.actions)
        per_role = [
            sum(whose == role for whose, _ in network.actions) for role in range(self.roles)
        ]
        self.max_moves = max(per_role)
        choosers = sum(number > 1 for number in per_role)
        self.max_length = self.longest * max(1, 1 if network.turns is not None else choosers)
        values = {0.0} | {value / 100 for _, value in network.goal_values}
        self.outcomes = tuple(sorted(values if len(values) > 1 else values | {1.0}))
        self.packed = self.base_words + 1 + self.roles
        self.board = find_board(network.bases)
        self._actions = {
            (role, move): number for number, (role, move) in enumerate(network.actions)
        }

    # text

    def move_text(self, state: Any, move: Any) -> str:
        return term_text(self.network.actions[int(move.action)][1])

    def parse_move(self, state: Any, text: str) -> Any:
        """The move that a text names: a term in KIF, with or without its outer brackets."""
        self.refuse_stuck(state)
        legal = self.legal_moves(state)
        for form in (f"({text})", f"(({text}))"):
            try:
                (found,) = (term for term, _ in expressions(form, "the move"))
            except (DataError, ValueError):
                continue
            for move in legal:
                if found == (self.network.actions[int(move.action)][1],):
                    return move.copy()
        few = ", ".join(self.move_text(state, move) for move in legal[:8])
        more = f", ... ({len(legal)} in all)" if len(legal) > 8 else ""
        raise DataError(f"{text[:40]!r} is not a legal move here; legal: {few}{more}")

    def facts(self, state: Any) -> list[Term]:
        """The bases that hold."""
        words = np.asarray(state.truths)
        return [
            base for i, base in enumerate(self.network.bases) if int(words[i // 64]) >> (i % 64) & 1
        ]

    def position_text(self, state: Any) -> str:
        """The facts that hold, in one line, and the choices made in a step that is not done."""
        terms = self.facts(state)
        for role in range(int(state.role) if state.choices else 0):
            if len(self.role_moves(state, role)) > 1:
                move = self.network.actions[int(state.chosen[role])][1]
                terms.append(("does", self.role_names[role], move))
        return " ".join(map(term_text, terms)) or "nil"

    def read_position(self, text: str) -> np.ndarray:
        """The position in which the facts of a text hold; `(does ROLE MOVE)` is chosen there."""
        known = {base: i for i, base in enumerate(self.network.bases)}
        truths = np.zeros(len(known), bool)
        chosen: dict[int, Term] = {}
        for term, _ in expressions(text, "the position"):
            if term in known:
                truths[known[term]] = True
            elif isinstance(term, tuple) and term[0] == "does" and term[1] in self.role_names:
                chosen[self.role_names.index(term[1])] = term[2]
            elif term != "nil":
                raise DataError(f"{term_text(term)} can hold in no position of {self.source}")
        states = self.position(truths)
        for role in sorted(chosen):
            if int(states[0].role) != role or chosen[role] not in self.role_moves(states[0], role):
                raise DataError(f"{term_text(chosen[role])} cannot be chosen there")
            self.play_move(states[0], self.move_of(states[0], role, chosen[role]))
        return states

    def position(self, truths: np.ndarray) -> np.ndarray:
        """The position in which these bases hold, as an array of one state."""
        states = self.new_states(1)
        state = states[0]
        count, bits = self.loaded.layout.evaluate(truths)
        state.count[: self.units] = count
        state.bits[: len(bits)] = bits
        words = base_bits(truths)
        state.truths[: len(words)] = state.told[: len(words)] = words
        state.does[: self.roles] = -1
        with wrapping():
            self.begin_step(state)
        return states

    def render(self, state: Any) -> str:
        """The board, if there is one among the facts, and all other facts."""
        facts = self.facts(state)
        if self.board is not None:
            return board_text(self.board, facts)
        return "\n".join(map(term_text, facts))

    def svg(self, state: Any) -> str:
        facts = self.facts(state)
        return board_svg(self.board, facts) if self.board is not None else facts_svg(facts)

    def where(self, state: Any, move: Any) -> Places:
        """The cells of the board that the move names, if no other legal move names the same."""
        if self.board is None:
            return ()
        places = [
            move_points(self.board, self.network.actions[int(other.action)][1])
            for other in self.legal_moves(state)
        ]
        own = move_points(self.board, self.network.actions[int(move.action)][1])
        return own if places.count(own) == 1 else ()

    # joint moves, in plain Python

    def refuse_stuck(self, state: Any) -> None:
        """DataError if a role has no legal move and the game has not ended.

        A search takes such a state for an end.
        """
        if state.role < 0 and not self.is_terminal(state) and state.step < self.longest:
            with wrapping():
                stuck = [r for r in range(self.roles) if self.count_legal(state, r)[0] == 0]
            raise DataError(
                f"{self.source}: {self.role_names[stuck[0]]} has no legal move, and the game has "
                f"not ended: {self.position_text(state)}"
            )

    def goals(self, state: Any) -> list[int]:
        """The goals of the roles in any state, from 0 to 100."""
        with wrapping():
            return [round(100 * self.goal_of(state, role)) for role in range(self.roles)]

    def role_moves(self, state: Any, role: int) -> list[Term]:
        """The legal moves of a role at the start of a step."""
        moves = self.new_moves()
        with wrapping():
            number = self.list_legal(state, role, moves)
        return [self.network.actions[int(move.action)][1] for move in moves[:number]]

    def move_of(self, state: Any, role: int, term: Term) -> Any:
        """The record of a role's move."""
        moves = self.new_moves(1)
        moves[0].action = self._actions[role, term]
        return moves[0]

    def choose_joint(self, state: Any, moves: list[Term]) -> None:
        """Choose a move of each role; DataError if one of them is not legal."""
        for role, move in enumerate(moves):
            if move not in self.role_moves(state, role):
                raise DataError(f"{term_text(move)} is not legal for {self.role_names[role]}")
        for role, move in enumerate(moves):
            state.chosen[role] = self._actions[role, move]

    def play_joint(self, state: Any, moves: list[Term]) -> None:
        """Play one move of each role; DataError if one of them is not legal."""
        self.choose_joint(state, moves)
        with wrapping():
            self.play_step(state)
        self.refuse_stuck(state)


class GDLGame(GDLRules):
    """A game from its rulesheet in the Game Description Language.

    Parameters
    ----------
    text : str
        The file, here or in the data folder ($PLAYOUT_DATA), with options if there are any:
        `connectFour.kif,steps=100`.
    steps : int
        A game ends after so many steps, with the goals of that state; at most what a counter in
        the rulesheet allows, and 500 if it has none.
    instances, seconds : int, float
        What grounding the rules may take: rule instances and time.
    """

    def __init__(
        self,
        text: str,
        *,
        steps: int | None = None,
        instances: int = Limits.instances,
        seconds: float = Limits.seconds,
    ) -> None:
        path, _, rest = text.partition(",")
        options: dict[str, Any] = {"steps": steps, "instances": instances, "seconds": seconds}
        if rest:
            given = parse_assignments(rest.split(","), f"gdl:{text}")
            options |= parse_values("gdl", class_options(type(self)), given)
        if not path:
            raise OptionError("gdl: name a rulesheet, as gdl:connectFour.kif")
        limits = Limits(options["instances"], options["seconds"])
        self.load(rules_of_file(path), path, options["steps"], limits)
        self.title = Path(path).stem

    @classmethod
    def from_text(
        cls, rules: str, source: str, limits: Limits = USUAL, least_size: int = 0
    ) -> GDLGame:
        """The game of a rulesheet's text; `source` is what errors call it."""
        game = cls.__new__(cls)
        game.least_size = least_size
        game.load(rules, source, None, limits)
        game.title = source
        return game

    def no_solution(self) -> str:
        """Solvers want goals that add up to 100; some random games show whether they do."""
        if reason := super().no_solution():
            return reason
        chance = random.Random(1)
        for _ in range(SAMPLES if self.roles == 2 else 0):
            states = self.root()
            while len(legal := self.legal_moves(states[0])):
                self.play_move(states[0], legal[chance.randrange(len(legal))])
            goals = [round(100 * goal) for goal in self.final_rewards(states[0])]
            if sum(goals) != 100:
                return f"the goals of a game add up to {sum(goals)}, not 100"
        return ""

    def turn(self, state):
        return np.int64(max(state.role, 0))

    def reward(self, state, player):
        return self.final_goal(state, player)
