"""A card game of one's own with hidden cards: Leduc poker, small enough to be solved.

Six cards, two of each of three ranks. Both players pay one chip and get a card. After a round of
bets of 2 chips a card is laid open; after a round of bets of 4 the pair, or else the higher card,
wins. There are at most two bets in a round.

playout check examples/leduc.py:Leduc
playout play examples/leduc.py:Leduc
playout match examples/leduc.py:Leduc ismcts pimc --games 1000 --simulations 500
python -m bench.leduc

F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings and C. Rayner, Bayes' Bluff:
Opponent Modelling in Poker, 2005.
"""

from __future__ import annotations

import numpy as np

import playout
from playout.compiled import hash_record
from playout.compiled.random import random_below

FOLD, CALL, BET = 0, 1, 2
MOST = 13  # chips that a player can win or lose


class Leduc(playout.Game):
    """Leduc poker; a reward is the chips won, put into the range from 0 to 1."""

    hidden = True

    def __init__(self):
        # cards: of the first player, of the second, and the one that is laid open
        self.state_type = playout.record(
            cards=("i8", 3),
            paid=("i8", 2),
            round="i8",
            bets="i8",
            said="i8",
            turn="i8",
            folded="i8",
            history="i8",
        )
        self.move_type = "i8"
        self.max_moves, self.max_length = 3, 8

    # The rules. Round 2 is the end; `folded` is the player who has given up, from 1.

    def reset(self, state):
        for i in range(3):
            state.cards[i] = 2 * i
        state.paid[0] = state.paid[1] = 1

    def draw(self, state, rng):
        self.reset(state)
        state.cards[0] = random_below(rng, 6)
        self.redraw(state, 0, rng)

    def moves(self, state, moves):
        if state.round == 2 or state.folded:
            return 0
        n = 0
        if state.paid[1 - state.turn] > state.paid[state.turn]:
            moves[n] = FOLD
            n += 1
        moves[n] = CALL
        n += 1
        if state.bets < 2:
            moves[n] = BET
            n += 1
        return n

    def play(self, state, move):
        me, other = state.turn, 1 - state.turn
        state.history = 4 * state.history + move + 1
        state.said += 1
        state.turn = other
        if move == FOLD:
            state.folded = 1 + me
        elif move == BET:
            state.paid[me] = state.paid[other] + 2 + 2 * state.round
            state.bets += 1
        else:
            state.paid[me] = state.paid[other]
            if state.said > 1:  # both have spoken: the next round
                state.round += 1
                state.bets = state.said = state.turn = 0

    def turn(self, state):
        return state.turn

    def reward(self, state, player):
        mine, theirs = self.strength(state, player), self.strength(state, 1 - player)
        if state.folded:
            won = state.folded != 1 + player
        else:
            won = mine > theirs
            if mine == theirs:
                return 0.5
        chips = state.paid[1 - player] if won else -state.paid[player]
        return 0.5 + 0.5 * chips / MOST

    def strength(self, state, player):
        rank = state.cards[player] // 2
        return rank + 10 if rank == state.cards[2] // 2 else rank

    # What a player knows: his card, what was said, the open card, and both hands at the end.

    def view(self, state, player):
        word = state.history * 8 + state.cards[player]
        if state.round > 0:
            word = word * 8 + 1 + state.cards[2]
        if state.round == 2:
            word = word * 8 + 1 + state.cards[1 - player]
        return np.int64(word)

    def redraw(self, state, player, rng):
        known = 1 << state.cards[player]
        if state.round > 0:
            known |= 1 << state.cards[2]
        if state.round < 2:
            known |= 1 << self.draw_card(state, 1 - player, known, rng)
        if state.round == 0:
            self.draw_card(state, 2, known, rng)

    def draw_card(self, state, place, taken, rng):
        card = random_below(rng, 6)
        while taken >> card & 1:
            card = random_below(rng, 6)
        state.cards[place] = card
        return card

    def seen(self, state, move, player):
        name = hash_record(move)
        if move == CALL and state.said > 0:  # it ends a round, which shows a card
            shown = state.cards[2] if state.round == 0 else state.cards[1 - player]
            name ^= np.uint64(1 + shown)
        return name

    # For people.

    def move_text(self, state, move):
        facing = state.paid[1 - state.turn] > state.paid[state.turn]
        return ("fold", "call" if facing else "check", "raise" if facing else "bet")[int(move)]

    def render(self, state):
        return self.table(state, (0, 1))

    def render_for(self, state, player):
        return self.table(state, (0, 1) if state.round == 2 else (player,))

    def table(self, state, seen):
        hands = [self.card(state.cards[p]) if p in seen else "?" for p in (0, 1)]
        board = self.card(state.cards[2]) if state.round > 0 else "-"
        lines = [f"player {p + 1}  {hands[p]:<2}  {state.paid[p]} chips paid" for p in (0, 1)]
        return "\n".join([*lines, f"open      {board}"])

    def card(self, number):
        return "JQK"[int(number) // 2] + "sh"[int(number) % 2]
