"""A card game of one's own: whist for three, with hidden hands, in a page.

Three players get eight cards each of a pack from the nine up; the first plays alone against the
other two. Suit must be followed, and the highest card of the suit that was led takes the trick;
what counts is each side's share of the tricks. Whoever does not follow shows that he has none of
the suit: `may_hold` remembers it, and worlds are dealt accordingly.

playout check examples/whist.py:Whist
playout play examples/whist.py:Whist
playout match examples/whist.py:Whist ismcts pimc --simulations 500 --games 100
"""

import numpy as np

import playout as po
from playout.cards.dealing import deal, some_of
from playout.cards.deck import card_name, deck_from, hand_text, suit_mask
from playout.cards.tricks import NOTHING_LED, beats, legal_cards
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix

NO_TRUMP = 4
HAND = 8


class Whist(po.Game):
    """The first player against the other two."""

    players = 3
    teams = (0, 1, 1)
    hidden = True
    outcomes = tuple(tricks / HAND for tricks in range(HAND + 1))
    fields = ("deck",)

    def __init__(self) -> None:
        self.deck = deck_from("9")
        self.max_moves, self.max_length = HAND, 3 * HAND
        self.state_type = po.record(
            hands=("u8", 3),
            may_hold=("u8", 3),  # the cards that each may have, for all that was played
            tricks=("i1", 3),
            leader="i1",
            count="i1",  # cards on the table
            led="i1",  # the suit that was led
            best="i1",  # the best card on the table, and whose it is
            winner="i1",
        )
        self.move_type = po.record(card="i1")

    def reset(self, state):
        self.draw(state, np.zeros(1, np.uint64))

    def draw(self, state, rng):
        rest = self.deck
        for player in range(3):
            state.hands[player] = some_of(rng, rest, HAND)
            state.may_hold[player] = self.deck
            rest ^= state.hands[player]
        state.led = NOTHING_LED

    def turn(self, state):
        return (state.leader + state.count) % 3

    def moves(self, state, moves):
        cards = legal_cards(state.hands[self.turn(state)], np.int64(state.led))
        n = 0
        while cards:
            moves[n].card = lowest_bit(cards)
            cards = without_lowest(cards)
            n += 1
        return n

    def play(self, state, move):
        player, card = self.turn(state), np.int64(move.card)
        state.hands[player] ^= bit(card)
        if state.led != NOTHING_LED and card >> 4 != state.led:
            state.may_hold[player] &= ~suit_mask(np.int64(state.led))
        for other in range(3):
            state.may_hold[other] &= ~bit(card)
        if state.count == 0 or beats(card, np.int64(state.best), NO_TRUMP):
            state.best, state.winner = card, player
        if state.count == 0:
            state.led = card >> 4
        state.count += 1
        if state.count == 3:
            state.tricks[state.winner] += 1
            state.leader, state.count, state.led = state.winner, 0, NOTHING_LED

    def reward(self, state, player):
        alone = state.tricks[0] / HAND
        return alone if player == 0 else 1.0 - alone

    def redraw(self, state, player, rng):
        hands, own = state.hands, state.hands[player]
        sizes = (
            0 if player == 0 else count_bits(hands[0]),
            0 if player == 1 else count_bits(hands[1]),
            0 if player == 2 else count_bits(hands[2]),
        )
        deal(rng, (hands[0] | hands[1] | hands[2]) & ~own, sizes, state.may_hold, hands)
        hands[player] = own

    def view(self, state, player):
        out = state.hands[0] | state.hands[1] | state.hands[2]
        word = mix(mix(state.hands[player]) ^ out)
        for other in range(3):
            word = mix(word ^ state.may_hold[other])
            word = mix(word ^ np.uint64(state.tricks[other]))
        table = (np.int64(state.leader) * 3 + state.count) * 3 + state.winner
        return mix(word ^ np.uint64((table * 8 + state.led + 1) * 64 + state.best))

    def move_text(self, state, move):
        return card_name(int(move.card))

    def render(self, state):
        return "\n".join(self._line(state, player, True) for player in range(3))

    def render_for(self, state, player):
        return "\n".join(self._line(state, other, other == player) for other in range(3))

    def _line(self, state, player, seen):
        hand = int(state.hands[player])
        shown = hand_text(hand) if seen else f"{hand.bit_count()} cards"
        return f"player {player + 1}: {shown}, {state.tricks[player]} tricks"
