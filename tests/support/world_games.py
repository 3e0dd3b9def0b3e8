"""Small games with luck and hidden things, whose right answers are plain to see."""

from __future__ import annotations

import numpy as np

from playout.compiled import hash_record, record
from playout.compiled.random import random_below, random_bits, random_unit
from playout.contract import Game, Problem


class Guess(Problem):
    """Guess a coin that the luck in the state decides (1 or 0), or take 0.6 for sure.

    Who reads the luck guesses right; who does not takes what is sure.
    """

    chance = True

    def __init__(self) -> None:
        self.state_type = record(luck=("u8", 1), got="f8", over="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 3, 1

    def reset(self, state):
        state.over = 0

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng)

    def moves(self, state, moves):
        for i in range(3):
            moves[i] = i
        return 3 * (1 - state.over)

    def play(self, state, move):
        state.over = 1
        coin = random_below(state.luck, 2)
        state.got = 0.6 if move == 2 else 1.0 * (coin == move)

    def score(self, state):
        return state.got


class Stars(Guess):
    """Figure 2 of O-MCTS: circles give 50 always, stars 60 in 70% of all games and else nothing.

    The stars are better in 70% of all pairs, and have the lower mean.
    """

    def moves(self, state, moves):
        moves[0], moves[1] = 0, 1
        return 2 * (1 - state.over)

    def play(self, state, move):
        state.over = 1
        state.got = 50.0
        if move == 1:
            state.got = 60.0 if random_unit(state.luck) < 0.7 else 0.0


class Walk(Problem):
    """Steps to the left or right that luck may turn round, with a door that opens now and then.

    Some moves are legal in some worlds only; the score is where one stands in the end.
    """

    chance = True
    fields = ("steps",)

    def __init__(self, steps: int = 6, level: int = 0) -> None:
        self.steps = steps + level
        self.state_type = record(luck=("u8", 1), at="i8", done="i8", door="i8")
        self.move_type = record(step="i8")
        self.max_moves, self.max_length = 3, self.steps

    def reset(self, state):
        state.at = state.done = 0

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng)

    def moves(self, state, moves):
        if state.done == self.steps:
            return 0
        moves[0].step, moves[1].step, moves[2].step = -1, 1, 3
        return 2 + state.door

    def play(self, state, move):
        turned = random_below(state.luck, 4) == 0
        state.at += -move.step if turned else move.step
        state.done += 1
        state.door = random_below(state.luck, 2)

    def score(self, state):
        return float(state.at)


class Peek(Game):
    """The first player passes; the second has a card that only he sees and plays it if it is high.

    With a low card (0) he has one move, with a high one (1) two: 0 is to fold, 1 to bet, of which
    the first player sees only that something was played (`closed`). Then the first player calls
    (1) or folds (0): a call against a bet of the high card loses, all else wins.
    """

    hidden = True
    fields = ("closed",)

    def __init__(self, closed: bool = False) -> None:
        self.closed = closed
        self.state_type = record(card="i8", played="i8", bet="i8", called="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, 3

    def reset(self, state):
        state.card = 0

    def draw(self, state, rng):
        state.card = random_below(rng, 2)

    def redraw(self, state, player, rng):
        if player == 0:
            if state.played == 2 and state.bet == 1 and not self.closed:
                state.card = 1
            else:
                state.card = random_below(rng, 2)
                if self.closed and state.played == 2:
                    state.bet = state.card * random_below(rng, 2)

    def view(self, state, player):
        card = state.card if player == 1 else -1
        bet = -1 if player == 0 and self.closed else state.bet
        return np.uint64(hash_record(card) ^ hash_record(10 * bet + 7 * state.played))

    def seen(self, state, move, player):
        if self.closed and player == 0 and state.played == 1:
            return hash_record(9)
        return hash_record(move)

    def moves(self, state, moves):
        if state.played == 3:
            return 0
        moves[0] = 0
        moves[1] = 1
        if state.played == 0:
            return 1
        return 1 + state.card if state.played == 1 else 2

    def play(self, state, move):
        if state.played == 1:
            state.bet = move
        elif state.played == 2:
            state.called = move
        state.played += 1

    def turn(self, state):
        return 1 if state.played == 1 else 0

    def reward(self, state, player):
        first = 0.0 if state.called and state.bet else 1.0
        return first if player == 0 else 1.0 - first
