"""Playouts of Jass by a beginner's rules: HandMade and MinMax of X. Servot's report.

X. Servot, Improving MCTS, 2019, sections 1.5.2 and 1.5.3, as his program has them. Cards are looked
at suit by suit, spades first, each from the six up; the first of equals is taken.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.contract import Game
from playout.errors import OptionError
from playout.games.jass.jass import CARDS, Jass
from playout.games.jass.tricks import ALL_TRICKS, LAST_TRICK, beats, playable
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.playout_policies.option_ranges import one_of


class JassPolicy(PlayoutPolicy):
    """A way to play Jass."""

    def prepare(self, game: Game, seed: int) -> None:
        if not isinstance(game, Jass):
            raise OptionError(f"{self.name} plays Jass, not {type(game).__name__}")


class HandMade(JassPolicy):
    """A weak player's rule of thumb.

    If the partner has the better card: the most valuable card that beats his, else the weakest one.
    If not: the most valuable card that beats all of the opponents', else the weakest one. On lead
    the weakest one. Which card beats which is told of two cards alone: what is neither of the
    same suit nor a trump beats nothing.
    """

    name = "handmade"

    def choose(self, game, state, moves, n, rng):
        count, trump = np.int64(state.count), np.int64(state.trump)
        if count == 0 or n == 1:
            return self.weakest(game, moves, n, trump)
        start = CARDS - np.int64(state.left) - count
        last = np.int64(state.played[start + count - 1])  # an opponent's, as the first of three
        first = np.int64(state.played[start]) if count == 3 else last
        if count > 1:
            partner = np.int64(state.played[start + count - 2])
            if beats(game.order, partner, last, trump) and beats(game.order, partner, first, trump):
                first = last = partner
        chosen, most = -1, -1
        for i in range(n):
            card = np.int64(moves[i].card)
            worth = game.worth_of[1 if card >> 4 == trump else 0, card & 15]
            if (
                worth > most
                and beats(game.order, card, last, trump)
                and beats(game.order, card, first, trump)
            ):
                chosen, most = i, worth
        return chosen if chosen >= 0 else self.weakest(game, moves, n, trump)

    def weakest(self, game, moves, n, trump):
        """The first card, or a later one that it beats, and so on."""
        weakest = 0
        for i in range(1, n):
            if beats(game.order, np.int64(moves[weakest].card), np.int64(moves[i].card), trump):
                weakest = i
        return weakest


class MinMax(JassPolicy):
    """The best card if the trick is played to its end as well as can be.

    Opponents play what is worst for the team, the partner what is best, each from all cards that
    are not the player's, as one big hand could. Alpha-beta, which changes nothing of what is
    chosen.

    Parameters
    ----------
    value : points or ratio
        What a trick is worth: the points that the team wins in it, or (these + 1) / (the points
        that the others win + 1).
    """

    name = "minmax"
    fields = ("ratio", "sets", "todo", "card", "table", "value", "window")

    def __init__(self, *, value: Literal["points", "ratio"] = "points") -> None:
        self.ratio = one_of("value", value, ("points", "ratio")) == "ratio"

    def prepare(self, game: Game, seed: int) -> None:
        super().prepare(game, seed)
        self.sets = np.zeros(2, np.uint64)  # the cards of one seat, and those of all others
        self.todo = np.zeros(4, np.uint64)  # by depth: cards to be tried, and the one under way
        self.card = np.zeros(4, np.int64)
        self.table = np.zeros((5, 4), np.int64)  # the winner, his card, the high trump, the worth
        self.value = np.zeros(4)
        self.window = np.zeros((4, 2))

    def choose(self, game, state, moves, n, rng):
        if n == 1:
            return 0
        chosen = self.best_card(game, state, moves, n)
        for i in range(n):
            if moves[i].card == chosen:
                return i
        return 0

    def best_card(self, game, state, moves, n):
        leader, count, trump = np.int64(state.leader), np.int64(state.count), np.int64(state.trump)
        mover = (leader + count) & 3
        hands = state.hands
        alone = np.int64(state.eyes) if game.pool else mover
        everything = hands[0] | hands[1] | hands[2] | hands[3]
        self.sets[0] = hands[game.place(state, alone)]
        self.sets[1] = everything & ~self.sets[0]
        table = self.table
        table[0, 0], table[0, 1] = np.int64(state.winner), np.int64(state.best)
        table[0, 2], table[0, 3] = np.int64(state.high), np.int64(state.worth)
        led = game.led(state)
        self.todo[0] = np.uint64(0)
        for i in range(n):
            self.todo[0] |= bit(moves[i].card)
        self.value[0] = self.window[0, 0] = -math.inf
        self.window[0, 1] = math.inf
        depth, chosen = 0, np.int64(moves[0].card)
        while True:
            seat = (leader + count + depth) & 3
            own = 0 if seat == alone else 1
            ours = (seat ^ mover) & 1 == 0
            if self.todo[depth] == np.uint64(0):
                if depth == 0:
                    return chosen
                value = self.value[depth]
                depth -= 1
                seat = (leader + count + depth) & 3
                own, ours = 0 if seat == alone else 1, (seat ^ mover) & 1 == 0
                self.sets[own] |= bit(self.card[depth])
            else:
                card = np.int64(lowest_bit(self.todo[depth]))
                self.todo[depth] = without_lowest(self.todo[depth])
                self.card[depth] = card
                self.lay(game, depth, count, seat, trump)
                if count + depth < 3:
                    if count + depth == 0:
                        led = card >> 4
                    self.sets[own] ^= bit(card)
                    depth += 1
                    after = (seat + 1) & 3
                    hand = self.sets[0 if after == alone else 1]
                    high = table[depth, 2]
                    self.todo[depth] = playable(
                        hand, led, high, trump, game.above, game.loose_trumps
                    )
                    for side in range(2):
                        self.window[depth, side] = self.window[depth - 1, side]
                    self.value[depth] = -math.inf if (after ^ mover) & 1 == 0 else math.inf
                    continue
                value = self.worth(state, depth, mover)
            if ours:
                if value > self.value[depth]:
                    self.value[depth] = value
                    if depth == 0:
                        chosen = self.card[0]
                self.window[depth, 0] = max(self.window[depth, 0], value)
            else:
                self.value[depth] = min(self.value[depth], value)
                self.window[depth, 1] = min(self.window[depth, 1], value)
            if self.window[depth, 0] >= self.window[depth, 1]:
                self.todo[depth] = np.uint64(0)

    def lay(self, game, depth, count, seat, trump):
        """Lay the card of a depth on the table, as the next depth finds it."""
        card, table = self.card[depth], self.table
        is_trump = 1 if card >> 4 == trump else 0
        wins = count + depth == 0 or beats(game.order, card, table[depth, 1], trump)
        table[depth + 1, 0] = seat if wins else table[depth, 0]
        table[depth + 1, 1] = card if wins else table[depth, 1]
        higher = is_trump == 1 and (wins or game.last_trump)
        table[depth + 1, 2] = card & 15 if higher else table[depth, 2]
        table[depth + 1, 3] = table[depth, 3] + game.worth_of[is_trump, card & 15]

    def worth(self, state, depth, mover):
        """What the trick is worth to the mover's team when the card of a depth was the last."""
        winner, points = self.table[depth + 1, 0], self.table[depth + 1, 3]
        if np.int64(state.left) - depth == 1:
            points += LAST_TRICK
            if state.tricks[winner & 1] == 8:
                points += ALL_TRICKS
        won = (winner ^ mover) & 1 == 0
        if self.ratio:
            return points + 1.0 if won else 1.0 / (points + 1.0)
        return np.float64(points) if won else 0.0
