"""A small card game with hidden hands, for tests: two suits of four cards, a void shows."""

from __future__ import annotations

import numpy as np

import playout as po
from playout.compiled.random import random_below

SUITS = (0x0F, 0xF0)  # the cards of each suit, as bits of a word


class Whist(po.Game):
    """Four players, two cards each of eight, teams of two; suit is followed; tricks count."""

    hidden = True
    players = 4
    teams = (0, 1, 0, 1)

    def __init__(self):
        self.state_type = po.record(
            hands=("i8", 4),
            may=("i8", 4),
            led="i8",
            best="i8",
            holder="i8",
            laid="i8",
            turn="i8",
            tricks=("i8", 2),
        )
        self.move_type = po.record(card="i8")
        self.max_moves, self.max_length = 2, 8

    def reset(self, state):
        for seat in range(4):
            state.hands[seat] = 1 << seat | 16 << seat
            state.may[seat] = 255

    def draw(self, state, rng):
        for seat in range(4):
            state.may[seat] = 255
        self.deal(state, -1, 2, 255, rng)

    def deal(self, state, but, most, pool, rng):
        """Deal the pool to all but one, by trial until it fits what they may hold."""
        while True:
            left = pool
            fits = True
            for seat in range(4):
                if seat != but:
                    size = most if but < 0 else self.size(state, seat)
                    hand = 0
                    for _ in range(size):
                        k = random_below(rng, self.count(left))
                        rest = left
                        for _ in range(k):
                            rest &= rest - 1
                        card = rest & -rest
                        hand |= card
                        left &= ~card
                    fits = fits and hand & ~state.may[seat] == 0
                    state.hands[seat] = hand
            if fits:
                return

    def count(self, cards):
        n = 0
        while cards:
            cards &= cards - 1
            n += 1
        return n

    def size(self, state, seat):
        played = 1 if state.tricks[0] + state.tricks[1] > 0 else 0
        behind = (state.turn - seat) % 4
        return 2 - played - (1 if 0 < behind <= state.laid else 0)

    def redraw(self, state, player, rng):
        pool = 0
        for seat in range(4):
            if seat != player:
                pool |= state.hands[seat]
        self.deal(state, player, 0, pool, rng)

    def view(self, state, player):
        word = state.hands[player]
        pool = 0
        for seat in range(4):
            pool |= state.hands[seat]
            word = word * 263 + state.may[seat]
        for value in (pool, state.led, state.best, state.holder, state.laid, state.turn):
            word = word * 263 + value
        return np.int64(word * 263 + state.tricks[0] * 3 + state.tricks[1])

    def moves(self, state, moves):
        hand = state.hands[state.turn]
        if state.laid > 0 and hand & state.led:
            hand &= state.led
        n = 0
        while hand:
            moves[n].card = hand & -hand
            hand &= hand - 1
            n += 1
        return n

    def play(self, state, move):
        seat, card = state.turn, move.card
        suit = 15 if card < 16 else 240
        if state.laid == 0:
            state.led, state.best, state.holder = suit, card, seat
        else:
            if suit != state.led:
                state.may[seat] &= ~state.led
            elif card > state.best:
                state.best, state.holder = card, seat
        state.hands[seat] &= ~card
        state.laid += 1
        state.turn = (seat + 1) % 4
        if state.laid == 4:
            state.tricks[state.holder % 2] += 1
            state.turn, state.laid, state.led, state.best = state.holder, 0, 0, 0

    def turn(self, state):
        return state.turn

    def reward(self, state, player):
        return state.tricks[player % 2] / 2

    def move_text(self, state, move):
        return "abcdefgh"[int(move.card).bit_length() - 1]
