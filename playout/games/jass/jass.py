"""Jass as the program of X. Servot's report plays it, Improving MCTS, 2019.

36 cards, nine to each of four players; the two who sit opposite each other are a team. Trumps are
drawn at random. A turn is nine tricks; there is no other mode, and nothing is announced. A turn has
157 points, 257 if a team gets all nine tricks.

`pool` is the report's model of it from one player's eyes: a game with open cards, in which whoever
else is to move plays any card that this player does not hold and that was not played, as one big
hand would.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.cards.dealing import deal, some_of
from playout.cards.deck import card_name, deck_from
from playout.cards.tricks import list_cards
from playout.compiled import record
from playout.compiled.bits import bit, count_bits
from playout.compiled.random import random_below, random_bits
from playout.compiled.records import mix
from playout.contract import Game
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.games.jass.positions import SEVEN, position_line, read_line
from playout.games.jass.table import card_point, draw_svg, draw_text
from playout.games.jass.tricks import (
    ALL_TRICKS,
    LAST_TRICK,
    NONE,
    above_table,
    beats,
    cannot_hold,
    order_table,
    playable,
    worth_table,
)

TRICKS, CARDS = 9, 36
TURN_POINTS = 157
REWARDS = ("share", "points", "ratio")


class Jass(Game):
    """Jass, one turn of nine tricks or a game to so many points.

    Parameters
    ----------
    goal : int
        Play turn after turn until a team has so many points, such as 1000, which then wins; 0: one
        turn. Points count as soon as a trick is taken.
    reward : share, points or ratio
        What a turn is worth to a team: its share of the points, its points, or its points divided
        by the others' and one.
    pool : bool
        The report's model with open cards.
    last_trump : bool
        A fault of the report's program: the trump that must be beaten is the last one of the
        trick, not the highest.
    loose_trumps : bool
        Another: over a trump a higher one must be played also where trumps are led, and whoever has
        no higher one may play any trump.
    same_leader : bool
        Another: the same player leads to the first trick of every turn.
    """

    players = 4
    teams = (0, 1, 0, 1)
    codes = 64
    fields = (
        *("goal", "kind", "pool", "last_trump", "loose_trumps", "same_leader"),
        *("deck", "order", "worth_of", "above"),
    )

    def __init__(
        self,
        *,
        goal: int = 0,
        reward: Literal["share", "points", "ratio"] = "share",
        pool: bool = False,
        last_trump: bool = False,
        loose_trumps: bool = False,
        same_leader: bool = False,
    ) -> None:
        if isinstance(goal, bool) or not isinstance(goal, int) or not 0 <= goal <= 10_000:
            raise OptionError(f"goal={goal!r}: a whole number of points from 0 to 10000")
        if reward not in REWARDS:
            raise OptionError(f"reward={reward!r}: one of {', '.join(REWARDS)}")
        if goal and (pool or reward != "share"):
            what = "pool" if pool else "reward"
            raise OptionError(f"goal={goal}: {what} is for one turn")
        if same_leader and not goal:
            raise OptionError("same_leader is for several turns: give goal, such as 1000, with it")
        self.goal, self.kind, self.pool = goal, REWARDS.index(reward), bool(pool)
        self.last_trump, self.loose_trumps = bool(last_trump), bool(loose_trumps)
        self.same_leader = bool(same_leader)
        self.hidden, self.chance = not self.pool, goal > 0
        self.deck = deck_from("6")
        self.order, self.worth_of, self.above = order_table(), worth_table(), above_table()
        self.max_moves = 27 if self.pool else TRICKS
        self.max_length = CARDS * (2 * goal // TURN_POINTS + 1)
        self.outcomes = (0.0, 1.0) if goal else _outcomes(reward)
        self.state_type = record(
            hands=("u8", 4),  # of a pool game: the hand of `eyes` and the pool, two zeros
            may_hold=("u8", 4),  # the cards that each may hold for all that was played
            luck=("u8", 1),
            played=("i1", CARDS),  # the cards of this turn in the order of play, then NONE
            score=("i2", 2),  # of each team before this turn
            points=("i2", 2),  # and in it
            tricks=("i1", 2),
            left="i1",  # cards to be played in this turn; 0: it is over
            count="i1",  # cards on the table
            leader="i1",  # of the trick
            winner="i1",  # of the trick so far, and his card
            best="i1",
            high="i1",  # rank of the trump that must be beaten, NONE if there is none
            worth="i1",  # points on the table
            trump="i1",
            first="i1",  # leader of the turn
            by_seven="i1",  # who leads has the seven of diamonds, as all know
            eyes="i1",  # of a pool game: who holds a hand
        )
        self.move_type = record(card="i1")
        self._one_turn: Jass | None = None

    # the rules

    def reset(self, state):
        self._begin(state)

    def draw(self, state, rng):
        state.luck[0] = random_bits(rng)
        self._begin(state)

    def _begin(self, state):
        """The first turn: who has the seven of diamonds leads."""
        self._deal(state)
        for seat in range(4):
            if state.hands[seat] & bit(SEVEN) != np.uint64(0):
                state.first = seat
        self.begin_turn(state)
        self.show_seven(state)
        if self.goal == 0:
            state.luck[0] = 0  # no more is drawn
        if self.pool:
            self.look_from(state, np.int64(state.first))

    def _deal(self, state):
        """Deal the cards of a turn and draw the trumps."""
        rest = self.deck
        for seat in range(4):
            state.hands[seat] = some_of(state.luck, rest, TRICKS)
            rest ^= state.hands[seat]
        state.trump = random_below(state.luck, 4)

    def show_seven(self, state):
        """Let all know that who leads has the seven of diamonds."""
        state.by_seven = 1
        for seat in range(4):
            if seat != state.first:
                state.may_hold[seat] &= ~bit(SEVEN)

    def begin_turn(self, state):
        """A turn in which nothing was played; hands, trumps and who leads are there."""
        for seat in range(4):
            state.may_hold[seat] = self.deck
        for i in range(CARDS):
            state.played[i] = NONE
        for team in range(2):
            state.points[team] = 0
            state.tricks[team] = 0
        state.left = CARDS
        state.leader = state.first
        state.by_seven = 0
        state.best = NONE
        state.high = NONE

    def look_from(self, state, eyes):
        """Turn a state into that of a pool game from a player's eyes."""
        own = state.hands[eyes]
        pool = (state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]) & ~own
        for seat in range(4):
            state.hands[seat] = np.uint64(0)
            state.may_hold[seat] = np.uint64(0)
        state.hands[0], state.hands[1] = own, pool
        state.by_seven = 0
        state.eyes = eyes

    def place(self, state, seat):
        """Where in `hands` the cards are that a player plays from."""
        if self.pool:
            return np.int64(0) if seat == state.eyes else np.int64(1)
        return np.int64(seat)

    def led(self, state):
        """The suit that was led, NONE on lead."""
        count = np.int64(state.count)
        if count == 0:
            return np.int64(NONE)
        return np.int64(state.played[CARDS - np.int64(state.left) - count]) >> 4

    def turn(self, state):
        return (np.int64(state.leader) + np.int64(state.count)) & 3

    def moves(self, state, moves):
        if state.left == 0:
            return 0
        hand = state.hands[self.place(state, self.turn(state))]
        high, trump = np.int64(state.high), np.int64(state.trump)
        cards = playable(hand, self.led(state), high, trump, self.above, self.loose_trumps)
        return list_cards(cards, moves)

    def play(self, state, move):
        card, trump = np.int64(move.card), np.int64(state.trump)
        seat, count = self.turn(state), np.int64(state.count)
        state.hands[self.place(state, seat)] ^= bit(card)
        high = np.int64(state.high)
        if not self.pool:
            led = self.led(state)
            gone = cannot_hold(card, led, high, trump, self.above, self.loose_trumps)
            state.may_hold[seat] &= ~gone
            for other in range(4):
                state.may_hold[other] &= ~bit(card)
        rank = card & 15
        is_trump = 1 if card >> 4 == trump else 0
        if count == 0 or beats(self.order, card, np.int64(state.best), trump):
            state.best = card
            state.winner = seat
            if is_trump:
                state.high = rank
        elif is_trump and self.last_trump:
            state.high = rank
        state.worth += self.worth_of[is_trump, rank]
        state.played[CARDS - np.int64(state.left)] = card
        state.left -= 1
        state.count = (count + 1) & 3
        if count == 3:
            self._collect(state)

    def _collect(self, state):
        """Give the trick on the table to its winner, who leads to the next."""
        team = np.int64(state.winner) & 1
        points = np.int64(state.worth) + (LAST_TRICK if state.left == 0 else 0)
        state.tricks[team] += 1
        if state.tricks[team] == TRICKS:
            points += ALL_TRICKS
        state.points[team] += points
        state.worth = 0
        state.leader = state.winner
        state.best = NONE
        state.high = NONE
        if self.goal > 0:
            if state.score[team] + state.points[team] >= self.goal:
                state.left = 0
            elif state.left == 0:
                self._next_turn(state)

    def _next_turn(self, state):
        for team in range(2):
            state.score[team] += state.points[team]
        if not self.same_leader:
            state.first = (np.int64(state.first) + 1) & 3
        self._deal(state)
        self.begin_turn(state)

    def reward(self, state, player):
        team = np.int64(player) & 1
        own, theirs = np.int64(state.points[team]), np.int64(state.points[1 - team])
        if self.goal > 0:
            return 1.0 if state.score[team] + own >= self.goal else 0.0
        if self.kind == 1:
            return np.float64(own)
        if self.kind == 2:
            return own / (theirs + 1.0)
        return own / max(own + theirs, 1.0)

    # what a player knows

    def redraw(self, state, player, rng):
        own, hands = state.hands[np.int64(player)], state.hands
        pool = (hands[0] | hands[1] | hands[2] | hands[3]) & ~own
        sizes = (
            0 if player == 0 else count_bits(hands[0]),
            0 if player == 1 else count_bits(hands[1]),
            0 if player == 2 else count_bits(hands[2]),
            0 if player == 3 else count_bits(hands[3]),
        )
        deal(rng, pool, sizes, state.may_hold, hands)
        hands[np.int64(player)] = own
        if self.goal > 0:
            state.luck[0] = random_bits(rng)

    def view(self, state, player):
        own = state.hands[np.int64(player)]
        others = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]
        word = mix(mix(own) ^ others)
        for i in range(CARDS):
            word = mix(word ^ np.uint64(np.int64(state.played[i])))
        for seat in range(4):
            word = mix(word ^ state.may_hold[seat])
        for team in range(2):
            word = mix(word ^ np.uint64(np.int64(state.score[team])))
        small = np.int64(state.trump) * 8 + np.int64(state.first) * 2 + np.int64(state.by_seven)
        return mix(word ^ np.uint64(small))

    def key(self, state):
        """Positions are equal that go on alike, whatever was played before."""
        word = mix(np.uint64(np.int64(state.trump) * 4 + np.int64(state.leader)) ^ state.luck[0])
        for seat in range(4):
            word = mix(mix(word ^ state.hands[seat]) ^ state.may_hold[seat])
        start = CARDS - np.int64(state.left) - np.int64(state.count)
        for i in range(np.int64(state.count)):
            word = mix(word ^ np.uint64(np.int64(state.played[start + i])))
        for team in range(2):
            own = np.int64(state.points[team]) * 16 + np.int64(state.tricks[team])
            word = mix(word ^ np.uint64(own * 65536 + np.int64(state.score[team])))
        return mix(word ^ np.uint64(np.int64(state.first) * 4 + np.int64(state.eyes)))

    def code(self, state, move):
        return np.uint64(np.int64(move.card))

    def searched(self) -> Jass:
        """Of a game to so many points, the turn under way."""
        if not self.goal:
            return self
        if self._one_turn is None or self._one_turn.opened != self.opened:
            self._one_turn = Jass(last_trump=self.last_trump, loose_trumps=self.loose_trumps)
            self._one_turn.opened = self.opened
        return self._one_turn

    def seen_as_pool(self, reward: Literal["share", "points", "ratio"]) -> Jass:
        """The pool model of these rules; `look_from` turns states of theirs into its own."""
        return Jass(
            pool=True, reward=reward, last_trump=self.last_trump, loose_trumps=self.loose_trumps
        )

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        return card_name(int(move.card))

    def parse_move(self, state: Any, text: str) -> Any:
        return super().parse_move(state, text.replace("10", "T"))

    def position_text(self, state: Any) -> str:
        return position_line(self, state)

    def read_position(self, text: str) -> np.ndarray:
        return read_line(self, text)

    def render(self, state: Any) -> str:
        return draw_text(self, state)

    def render_for(self, state: Any, player: int) -> str:
        return draw_text(self, state, player)

    def svg(self, state: Any) -> str:
        return draw_svg(self, state)

    def svg_for(self, state: Any, player: int) -> str:
        return draw_svg(self, state, player)

    def where(self, state: Any, move: Any) -> Places:
        return (card_point(self, state, int(move.card)),)


def _outcomes(reward: str) -> tuple[float, ...]:
    """All that a turn can be worth."""
    most = float(TURN_POINTS + ALL_TRICKS)
    if reward == "points":
        return (*map(float, range(TURN_POINTS + 1)), most)
    if reward == "ratio":
        return (*(own / (TURN_POINTS - own + 1.0) for own in range(TURN_POINTS + 1)), most)
    return tuple(own / TURN_POINTS for own in range(TURN_POINTS + 1))
