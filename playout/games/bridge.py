"""The play of the cards in Bridge: one contract, any strain, the bidding left out.

A player is who decides: declarer, who plays dummy's cards too, and the two defenders. The
left defender leads; from then on dummy's hand lies open. Suits must be followed.

With fewer than 52 cards the game begins after some tricks: four hands of 8, 9 or 10 cards of a
full deal, and declarer has won as many of the tricks before as leave the contract open.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from playout.cards.deal import SEATS, read_contract, read_hands, read_seat
from playout.cards.dealing import deal as deal_cards
from playout.cards.deck import card_name, deck_from
from playout.cards.tricks import NOTHING_LED, legal_cards, list_cards, run_ends, winner_of
from playout.compiled import record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.random import random_below
from playout.compiled.records import mix
from playout.contract import Game
from playout.contract.visible import Places
from playout.errors import DataError, OptionError
from playout.games.bridge_table import card_point, draw_svg, draw_text, position_line, read_line

DECLARER, LEFT, RIGHT = 0, 1, 2  # the players
CARDS = 52
NONE = -1


class Bridge(Game):
    """Declarer and dummy against two defenders, in one contract.

    Parameters
    ----------
    contract : str
        Such as 3NT or 4S.
    declarer : str
        N, E, S or W.
    deal : str
        The hands, as `N:QJ6.K652.J85.T98 ...`; without it they are dealt at random.
    cards : 52, 40, 36 or 32
        With fewer than 52 the game begins after some tricks.
    scoring : contract or tricks
        What declarer gets: 1 if the contract is made and 0 if not, or the share of the tricks.
    """

    hidden = True
    players = 3
    teams = (0, 1, 1)
    codes = 64
    packed = 5
    leading = ("contract", "declarer")  # options that need no name: bridge:3NT,S
    fields = ("seat", "trump", "goal", "tricks", "won_before", "by_tricks", "deck", "dealt")

    def __init__(
        self,
        contract: str = "3NT",
        declarer: str = "S",
        *,
        deal: str = "",
        cards: int = CARDS,
        scoring: Literal["contract", "tricks"] = "contract",
    ) -> None:
        try:
            self.contract, self.seat = read_contract(contract), read_seat(declarer)
            hands = read_hands(deal) if deal else (0, 0, 0, 0)
        except DataError as error:
            raise OptionError(f"Bridge: {error}") from None
        if any(hand is None for hand in hands):
            raise OptionError("Bridge: all hands of the deal must be known: none may be -")
        if cards not in (32, 36, 40, CARDS) or (deal and cards != CARDS):
            raise OptionError(f"Bridge: cards={cards}: 32, 36 or 40, or 52, as of a given deal")
        if scoring not in ("contract", "tricks"):
            raise OptionError(f"Bridge: scoring={scoring!r}: contract or tricks")
        self.trump, self.goal = self.contract.strain, self.contract.tricks
        self.tricks = cards // 4  # that are to be played
        self.won_before = min(CARDS // 4 - self.tricks, self.goal - 1)
        self.by_tricks = scoring == "tricks"
        self.deck = deck_from()
        self.dealt = np.array(hands, np.uint64)
        self.max_moves = self.tricks
        self.max_length = cards
        low = self.won_before
        whole = [tricks / 13 for tricks in range(low, low + self.tricks + 1)]
        self.outcomes = tuple(whole) if self.by_tricks else (0.0, 1.0)
        self.state_type = record(
            hands=("u8", 4),  # what each seat holds: N, E, S, W
            may_hold=("u8", 4),  # the cards that each seat may hold, for all that was played
            began=("u8", 1),  # all cards of the game
            played=("i1", CARDS),  # in the order of play, then NONE
            count="i1",  # cards on the table
            leader="i1",  # of the trick, a seat
            won=("i1", 2),  # tricks of declarer, with those before the game, and of the defenders
            left="i1",  # tricks that are not finished
            dummy="i1",  # whether dummy's hand lies open
        )
        self.move_type = record(card="i1")

    # the rules

    def reset(self, state):
        """The given deal; or one in which every seat has each fourth card."""
        for seat in range(4):
            state.hands[seat] = self.dealt[seat]
        if not self.dealt[0]:
            rest = self.deck
            for i in range(4 * self.tricks):
                state.hands[i % 4] |= bit(lowest_bit(rest))
                rest = without_lowest(rest)
        self._begin(state)

    def draw(self, state, rng):
        for seat in range(4):
            state.hands[seat] = self.dealt[seat]
        if not self.dealt[0]:
            rest, left = self.deck, CARDS
            for i in range(4 * self.tricks):
                rank = random_below(rng, left)
                word = rest
                for _ in range(rank):
                    word = without_lowest(word)
                card = bit(lowest_bit(word))
                state.hands[i % 4] |= card
                rest &= ~card
                left -= 1
        self._begin(state)

    def _begin(self, state):
        whole = np.uint64(0)
        for seat in range(4):
            whole |= state.hands[seat]
        state.began[0] = whole
        for seat in range(4):
            state.may_hold[seat] = whole
        for i in range(CARDS):
            state.played[i] = NONE
        state.leader = (self.seat + 1) & 3
        state.won[0] = self.won_before
        state.won[1] = CARDS // 4 - self.tricks - self.won_before
        state.left = self.tricks
        state.dummy = self.tricks < CARDS // 4

    def moves(self, state, moves):
        cards = self._legal(state)
        return list_cards(cards, moves)

    def _legal(self, state):
        """The cards that may be played, none if the game is over."""
        if state.left == 0:
            return np.uint64(0)
        return legal_cards(state.hands[self._on_turn(state)], self._led(state))

    def _on_turn(self, state):
        """The seat whose card is next."""
        return (state.leader + state.count) & 3

    def _led(self, state):
        """The suit of the trick."""
        if state.count == 0:
            return NOTHING_LED
        return np.int64(state.played[self._cards_played(state) - state.count]) >> 4

    def _cards_played(self, state):
        return 4 * (self.tricks - state.left) + state.count

    def play(self, state, move):
        seat, led = self._on_turn(state), self._led(state)
        card = np.int64(move.card)
        number = self._cards_played(state)
        state.hands[seat] &= ~bit(card)
        state.played[number] = card
        if led >= 0 and led != card >> 4:
            state.may_hold[seat] &= ~(np.uint64(0xFFFF) << np.uint64(16 * led))
        state.dummy = 1
        state.count += 1
        if state.count == 4:
            trick = state.played[number - 3 : number + 1]
            state.leader = (state.leader + winner_of(trick, 4, self.trump)) & 3
            state.won[self._side(state.leader)] += 1
            state.count = 0
            state.left -= 1

    def _side(self, seat):
        """0 for declarer and dummy, 1 for the defenders."""
        return (seat ^ self.seat) & 1

    def turn(self, state):
        return self._player(self._on_turn(state))

    def _player(self, seat):
        """Who decides for a seat."""
        place = (seat - self.seat) & 3
        if place == 1:
            return LEFT
        return RIGHT if place == 3 else DECLARER

    def reward(self, state, player):
        share = state.won[0] / 13.0
        if not self.by_tricks:
            share = 1.0 if state.won[0] >= self.goal else 0.0
        return share if player == DECLARER else 1.0 - share

    # what a player knows

    def sees(self, state, player, seat):
        """Whether a player sees the hand of a seat."""
        if (seat - self.seat) & 3 == 2:
            return state.dummy == 1
        return self._player(seat) == player

    def view(self, state, player):
        word = mix(np.uint64(player + 1) ^ state.began[0])
        for seat in range(4):
            hand = state.hands[seat] if self.sees(state, player, seat) else np.uint64(0)
            word = mix(word ^ hand)
        for i in range(self._cards_played(state)):
            word = mix(word ^ np.uint64(state.played[i]))
        return mix(word ^ np.uint64(state.dummy))

    def redraw(self, state, player, rng):
        pool = np.uint64(0)
        first, second, third, fourth = self._known(state, player)
        sizes = self.unknown_cards(state, player)
        for seat in range(4):
            if not self.sees(state, player, seat):
                pool |= state.hands[seat]
        deal_cards(rng, pool, sizes, state.may_hold, state.hands)
        state.hands[0] |= first
        state.hands[1] |= second
        state.hands[2] |= third
        state.hands[3] |= fourth

    def _known(self, state, player):
        """The hands that a player sees, the others empty."""
        none = np.uint64(0)
        return (
            state.hands[0] if self.sees(state, player, 0) else none,
            state.hands[1] if self.sees(state, player, 1) else none,
            state.hands[2] if self.sees(state, player, 2) else none,
            state.hands[3] if self.sees(state, player, 3) else none,
        )

    def unknown_cards(self, state, player):
        """How many cards each seat holds that a player does not see."""
        return (
            0 if self.sees(state, player, 0) else count_bits(state.hands[0]),
            0 if self.sees(state, player, 1) else count_bits(state.hands[1]),
            0 if self.sees(state, player, 2) else count_bits(state.hands[2]),
            0 if self.sees(state, player, 3) else count_bits(state.hands[3]),
        )

    # for policies and solvers

    def code(self, state, move):
        return np.uint64(move.card)

    def decided(self, state):
        if self.by_tricks:
            return math.nan
        if state.won[0] >= self.goal:
            return 1.0
        return 0.0 if state.won[0] + state.left < self.goal else math.nan

    def left(self, state):
        return 4 * state.left - state.count

    def needed(self, state, moves, n):
        """One card of each run is enough."""
        seat = self._on_turn(state)
        others = np.uint64(0)
        for other in range(4):
            if other != seat:
                others |= state.hands[other]
        number = self._cards_played(state)
        for i in range(number - state.count, number):
            others |= bit(np.int64(state.played[i]))
        ends = run_ends(self._legal(state), others)
        kept = 0
        for i in range(n):
            if ends & bit(np.int64(moves[i].card)):
                card = moves[kept].card
                moves[kept].card = moves[i].card
                moves[i].card = card
                kept += 1
        return kept

    def pack(self, state, symmetry, spare, out):
        """The hands, and the trick with the score: how the rest was played makes no difference."""
        for seat in range(4):
            out[seat] = state.hands[seat]
        word = np.uint64(state.won[0]) << np.uint64(4) | np.uint64(state.leader)
        number = self._cards_played(state)
        for i in range(number - state.count, number):
            word = word << np.uint64(7) | np.uint64(state.played[i] + 1)
        out[4] = word << np.uint64(2) | np.uint64(state.count)

    # what a person sees, in plain Python

    def move_text(self, state: Any, move: Any) -> str:
        return card_name(int(move.card))

    def render(self, state: Any) -> str:
        return draw_text(self, state, [True] * 4)

    def render_for(self, state: Any, player: int) -> str:
        return draw_text(self, state, [bool(self.sees(state, player, seat)) for seat in range(4)])

    def svg(self, state: Any) -> str:
        return draw_svg(self, state, [True] * 4)

    def svg_for(self, state: Any, player: int) -> str:
        return draw_svg(self, state, [bool(self.sees(state, player, seat)) for seat in range(4)])

    def where(self, state: Any, move: Any) -> Places:
        return (card_point(state, int(move.card)),)

    def position_text(self, state: Any) -> str:
        return position_line(self, state)

    def read_position(self, text: str) -> np.ndarray:
        return read_line(self, text)

    def __repr__(self) -> str:
        return f"Bridge({self.contract}, {SEATS[self.seat]})"
