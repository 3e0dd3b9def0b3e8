"""What a player does not know: the defaults, plain and compiled, and starts that are dealt."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled import hash_record, kernel, wrapping
from playout.compiled.random import random_below
from playout.contract import check_open, is_veiled, open_copy, stir
from playout.errors import OptionError, ProblemError
from playout.games.tictactoe import TicTacToe


class Dice(po.Problem):
    """Roll up to three times; a one loses everything."""

    chance = True

    def __init__(self):
        self.state_type = po.record(total="i8", rolls="i8", luck=("u8", 1))
        self.move_type = "i8"
        self.max_moves, self.max_length = 1, 3

    def reset(self, state):
        state.luck[0] = 7

    def moves(self, state, moves):
        moves[0] = 0
        return 1 if state.rolls < 3 else 0

    def play(self, state, move):
        face = 1 + random_below(state.luck, 6)
        state.rolls = 3 if face == 1 else state.rolls + 1
        state.total = 0 if face == 1 else state.total + face

    def score(self, state):
        return float(state.total)

    def redraw(self, state, player, rng):
        state.luck[0] = np.uint64(random_below(rng, 1 << 31))


class HighCard(po.Game):
    """Each of two has a card of ten; the first may fold, which costs half."""

    hidden = True
    outcomes = (0.0, 0.25, 1.0)

    def __init__(self):
        self.state_type = po.record(cards=("i1", 2), said="i1")
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, 1

    def reset(self, state):
        state.cards[0], state.cards[1] = 3, 5

    def draw(self, state, rng):
        state.cards[0] = random_below(rng, 10)
        self.redraw(state, 0, rng)

    def moves(self, state, moves):
        moves[0], moves[1] = 0, 1
        return 0 if state.said else 2

    def play(self, state, move):
        state.said = 1 + move

    def turn(self, state):
        return 0

    def reward(self, state, player):
        if state.said == 2:
            return 0.25 if player == 0 else 0.75
        return 1.0 if state.cards[player] > state.cards[1 - player] else 0.0

    def redraw(self, state, player, rng):
        other = random_below(rng, 9)
        state.cards[1 - player] = other + (other >= state.cards[player])

    def view(self, state, player):
        return np.uint64(state.cards[player] + 16 * state.said)


@kernel
def _defaults(game, states, moves, outs, rng):
    game.redraw(states[0], 1, rng)
    game.outcome(states[0], 0, outs[0])
    game.outcome(states[0], 1, outs[1])
    return (
        game.view_key(states[0], 0),
        game.seen(states[0], moves[0], 1),
        game.better(outs[0], outs[1]),
        game.better(outs[1], outs[0]),
        game.better(outs[0], outs[0]),
        game.worth(outs[0], 0.0, 2.0),
    )


def test_the_defaults_are_those_of_a_game_that_everybody_sees():
    game = TicTacToe()
    states = game.read_position("xxx/oo./... o")
    moves, rng = game.new_moves(1), np.array([5], np.uint64)
    before = states.tobytes()
    found = {}
    for form in (_defaults, _defaults.py_func):
        outs = np.zeros(2, game.outcome_type)
        found[form] = [float(value) for value in form(game, states, moves, outs, rng)]
        assert states.tobytes() == before
        assert outs["score"].tolist() == [1.0, 0.0]
        assert found[form][2:] == [1, -1, 0, 0.5]
    assert found[_defaults] == found[_defaults.py_func]
    assert found[_defaults][0] == float(hash_record(states[0]))
    assert game.worth(outs[0], 3.0, 3.0) == 0.5


@kernel
def _views(game, states):
    return game.view_key(states[0], 0), game.view_key(states[0], 1)


def test_compiled_code_calls_the_view_by_a_name_that_numba_leaves_alone():
    class Lower(HighCard):
        """Inherits the view."""

    for game in (HighCard(), Lower()):
        states = game.root(1)
        cards = states[0].cards.tolist()
        assert [game.view(states[0], player) for player in (0, 1)] == cards
        assert [int(view) for view in _views(game, states)] == cards


def test_a_state_with_luck_is_shown_without_it():
    game = Dice()
    states = game.root(1)
    assert game.render(states[0]) == "total: 0\nrolls: 0"
    assert HighCard().render(HighCard().root()[0]) == "cards: [3 5]\nsaid: 0"


@kernel
def _stirred(numbers, narrow):
    return stir(stir(stir(0, numbers[0]), narrow[0]), narrow[1] > 0)


def test_numbers_are_stirred_to_the_same_word_in_both_forms():
    numbers = np.array([-(1 << 62)])
    words = set()
    for a in range(-2, 3):
        for b in range(3):
            narrow = np.array([a, b], np.int8)
            with wrapping():
                word = int(_stirred.py_func(numbers, narrow))
            assert word == int(_stirred(numbers, narrow))
            words.add(word)
    assert len(words) == 10  # the last number is taken as true or false


def test_a_start_with_luck_or_cards_is_drawn_from_a_seed():
    dice, cards, open_game = Dice(), HighCard(), TicTacToe()
    assert len({dice.root(seed).tobytes() for seed in range(20)}) == 20
    assert len({cards.root(seed).tobytes() for seed in range(50)}) > 25
    assert {cards.root(seed).tobytes() == cards.root(seed).tobytes() for seed in range(9)} == {True}
    assert dice.root()[0].luck[0] == 7
    assert cards.root()[0].cards.tolist() == [3, 5]
    assert open_game.root(3).tobytes() == open_game.root().tobytes()


def test_the_same_luck_replays_to_the_same_score():
    game = Dice()
    moves = [0]
    first = game.replay(moves, game.root(5))
    assert first.tobytes() == game.replay(moves, game.root(5)).tobytes()
    scores = {float(game.final_score(game.replay(moves, game.root(seed)))) for seed in range(60)}
    assert scores == {0.0, 2.0, 3.0, 4.0, 5.0, 6.0}


def test_a_game_is_laid_open_in_a_copy():
    for game, words in ((Dice(), "openloop, mixmax or ordinal"), (HighCard(), "pimc, alphamu")):
        assert is_veiled(game)
        with pytest.raises(OptionError, match=words):
            check_open(game, "uct")
        laid_open = open_copy(game)
        check_open(laid_open, "uct")
        assert is_veiled(game)
        assert not is_veiled(laid_open)
        assert laid_open.root(4).tobytes() == game.root(4).tobytes()
    check_open(TicTacToe(), "uct")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("hidden", 1, "True or False"),
        ("chance", np.zeros(3), "True or False"),
        ("teams", [0, 1], "tuple"),
        ("teams", (0, 1, 0), "each of 2 players"),
        ("outcome_type", po.record(points="f8"), "score"),
        ("outcome_type", "f8", "score"),
    ],
)
def test_declarations_that_make_no_sense_are_refused(name, value, words):
    game = HighCard()
    setattr(game, name, value)
    with pytest.raises(ProblemError, match=words):
        game.check_attributes()


def test_calls_of_play_are_a_criterion_for_those_who_count_them():
    stop = po.Calls(10) | po.Seconds(3)
    progress = po.Progress(0.0, 99, 0.0, 0, 0, 0.0, calls=4)
    assert (stop.reached(progress), stop.calls_left(progress)) == (False, 6)
    assert stop.reached(po.Progress(0.0, 1, 0.0, 0, 0, 0.0, calls=10))
    for search in (
        lambda: po.solve("maximum:n=9", "nmcs", po.Calls(10), compiled=False),
        lambda: po.prove("tictactoe", stop="10 calls"),
    ):
        with pytest.raises(OptionError, match="counts no calls"):
            search()
    with pytest.raises(OptionError, match="whole number"):
        po.Calls(0)


class Uncompilable(TicTacToe):
    """Has what no compiler takes, where a search of an open game has nothing to ask."""

    def redraw(self, state, player, rng):
        exec("state = None")

    view = seen = outcome = better = worth = redraw


@pytest.mark.long
def test_a_search_of_an_open_game_contains_nothing_of_all_this():
    found, plain = (
        po.search(game, "uct", po.Playouts(300), seed=1) for game in (Uncompilable(), TicTacToe())
    )
    assert [(row.move, row.visits) for row in found.moves] == [
        (row.move, row.visits) for row in plain.moves
    ]
