"""`check_problem` on games that keep something back: each broken promise has its own words."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.compiled.random import random_below
from tests.contract.test_veiled import Dice, HighCard
from tests.support.whist import Whist


def found(game, games=20):
    """The titles of what is wrong, and all that is said."""
    report = po.check_problem(game, games=games, compiled=False)
    return [finding.title for finding in report.problems], str(report)


@pytest.mark.parametrize("game", [Whist(), HighCard(), Dice()])
def test_games_that_keep_their_promises_pass(game):
    assert found(game) == ([], str(po.check_problem(game, compiled=False)))


def test_what_a_player_does_not_know_is_compared_with_compiled_code():
    report = po.check_problem(HighCard(), games=4)
    assert report.passed
    assert report.compiled


class Peeks(Whist):
    """Leaves the partner's hand where it is."""

    def redraw(self, state, player, rng):
        partner = (player + 2) % 4
        hand = state.hands[partner]
        others = [seat for seat in range(4) if seat not in (player, partner)]
        pool = state.hands[others[0]] | state.hands[others[1]]
        cards = [1 << i for i in range(8) if pool >> i & 1]
        if len(cards) > 1 and random_below(rng, 2):
            state.hands[others[0]], state.hands[others[1]] = (
                state.hands[others[1]],
                state.hands[others[0]],
            )
        state.hands[partner] = hand


class Wide(Whist):
    """Its view is a number with a digit for each thing that is known."""

    def view(self, state, player):
        return int(Whist.view(self, state, player)) << 40


class Narrow(Whist):
    """A field of a byte, and a number that has no room in it."""

    def view(self, state, player):
        return 1000 * np.int8(state.best)


class Frozen(Whist):
    def redraw(self, state, player, rng):
        return


class OneLuck(Dice):
    """Whatever was to come before, from now on it is the luck of the number 7."""

    def redraw(self, state, player, rng):
        state.luck[0] = 7


class Forgets(Whist):
    """Deals anew without a thought of suits that were not followed."""

    def redraw(self, state, player, rng):
        kept = state.may.copy()
        state.may[:] = 255
        Whist.redraw(self, state, player, rng)
        state.may[:] = kept


class RedealsAll(Whist):
    def redraw(self, state, player, rng):
        pool = 0
        for seat in range(4):
            pool |= state.hands[seat]
        state.may[:] = 255
        self.deal(state, 7, 0, pool, rng)


class Scores(Whist):
    def redraw(self, state, player, rng):
        Whist.redraw(self, state, player, rng)
        state.best = 0


class Passes(Whist):
    def redraw(self, state, player, rng):
        Whist.redraw(self, state, player, rng)
        state.turn = 0


class OtherChance(Whist):
    def redraw(self, state, player, rng):
        Whist.redraw(self, state, player, np.array([np.random.randint(1 << 30)], np.uint64))


class Transparent(Whist):
    def view(self, state, player):
        return np.int64(Whist.view(self, state, player) * 31 + state.hands[(player + 1) % 4])


class Blind(Whist):
    def view(self, state, player):
        return state.laid


class Shows(HighCard):
    """Lays both cards open when something was said; `seen` does not say so."""

    def view(self, state, player):
        shown = state.cards[1 - player] if state.said else 0
        return np.uint64(state.cards[player] + 16 * state.said + 64 * shown)

    def redraw(self, state, player, rng):
        if not state.said:
            HighCard.redraw(self, state, player, rng)


class Tells(Shows):
    """As it should be: the name of the move has the card in it that the move shows."""

    def seen(self, state, move, player):
        return np.uint64(move * 16 + state.cards[1 - player])


class Short(Dice):
    def redraw(self, state, rng):
        state.luck[0] = 1


class Apart(Whist):
    def reward(self, state, player):
        return state.tricks[player % 2] / 2 + (0.25 if player == 2 else 0.0)


class OneDeal(Whist):
    def draw(self, state, rng):
        self.reset(state)


class NoView(po.Game):
    hidden = True
    __init__, reset, moves, play, turn, reward = (
        getattr(HighCard, name) for name in ("__init__", "reset", "moves", "play", "turn", "reward")
    )


@pytest.mark.parametrize(
    ("game", "title", "words"),
    [
        (Peeks, "redraw() leaks what is hidden", "on nothing else"),
        (Peeks, "redraw() leaks what is hidden", "into a fixed order first"),
        (Wide, "view() has more than 64 bits", "playout.contract.stir"),
        (Narrow, "view() fails", "write int(...) around it, or put numbers together with"),
        (Frozen, "redraw() always draws the same", "draw anew, from rng"),
        (OneLuck, "redraw() always draws the same", "luck to come included"),
        (Forgets, "redraw() draws worlds that cannot be", "a suit that was not followed"),
        (RedealsAll, "redraw() changes the legal moves", "must follow from what he sees"),
        (Scores, "redraw() changes what the player sees", "must leave what he sees"),
        (Passes, "redraw() changes whose turn it is", "turn() is 0 in place of"),
        (OtherChance, "redraw() is not the same each time", "chance comes from rng alone"),
        (Transparent, "redraw() changes what the player sees", "view() must be of that alone"),
        (Blind, "view() is equal for states that can be told apart", "other legal moves"),
        (Short, "declarations", "it should be def redraw(self, state, player, rng)"),
        (Apart, "reward() differs within a team", "players 1 and 3"),
        (OneDeal, "draw() deals the same each time", "20 streams"),
        (NoView, "view() is missing", "needs a view()"),
    ],
)
def test_each_broken_promise_is_said_in_words_of_its_own(game, title, words):
    titles, text = found(game())
    assert title in titles
    assert words in text


class Lazy(HighCard):
    """Once something was said, never draws the highest card."""

    def redraw(self, state, player, rng):
        other = random_below(rng, 8 if state.said else 9)
        state.cards[1 - player] = other + (other >= state.cards[player])


def test_a_move_that_shows_more_than_its_name_is_noted():
    titles, text = found(Shows())
    assert titles == []
    assert "note: play() shows a player more than seen() says (game 1, move 1)" in text
    assert "note" not in found(Tells())[1]


class Twice(HighCard):
    """Draws the player's own card for the other too, which is never dealt."""

    def draw(self, state, rng):
        HighCard.draw(self, state, rng)
        state.cards[0] = state.cards[0] % 2
        state.cards[1] = 1 - state.cards[0]

    def redraw(self, state, player, rng):
        state.cards[1 - player] = random_below(rng, 2)


class Forgetful(HighCard):
    """Knows the card, and not what was said."""

    def view(self, state, player):
        return np.uint64(state.cards[player])


def test_what_could_not_have_been_dealt_is_no_world_of_the_start():
    titles, text = found(Twice())
    assert titles == ["redraw() draws worlds that cannot be"]
    assert "what draw() never deals" in text


def test_a_view_that_forgets_one_s_own_move_is_noted():
    titles, text = found(Forgetful())
    assert titles == []
    assert text.count("note: view() is the same before and after a move of one's own") == 1


def test_a_world_that_fits_and_is_never_drawn_is_noted():
    titles, text = found(Lazy())
    assert titles == []
    assert "note: redraw() never draws 1 of 9 worlds that fit" in text
    assert "note" not in found(HighCard())[1]


# outcomes


class Weather(Dice):
    """Outcomes that are ordered by what was lost first, then by the total."""

    outcome_type = po.record(alive="i1", score="f8")

    def outcome(self, state, player, out):
        out.alive = state.total > 0
        out.score = state.total

    def better(self, a, b):
        if a.alive != b.alive:
            return 1 if a.alive > b.alive else -1
        return 1 if a.score > b.score else -1 if a.score < b.score else 0


class Circle(Weather):
    def better(self, a, b):
        return int((a.score - b.score + 1) % 3 - 1)


class Proud(Weather):
    def better(self, a, b):
        return 1


class Counts(Weather):
    def better(self, a, b):
        return a.score - b.score


class Half(Weather):
    def outcome(self, state, player, out):
        out.score = state.total


class Nowhere(Weather):
    def outcome(self, state, player, out):
        out.alive = 1
        out.score = np.nan


class Priceless(Weather):
    def worth(self, out, low, high):
        return out.score


@pytest.mark.parametrize(
    ("game", "title", "words"),
    [
        (Circle, "better() is not an order of outcomes", "at least as good as"),
        (Proud, "better() is not an order of outcomes", "one should be minus the other"),
        (Counts, "better() is not 1, 0 or -1", "it returned"),
        (Half, "outcome() leaves part of the outcome unset", "set every field"),
        (Nowhere, "outcome() has a score that is no number", "nan"),
        (Priceless, "worth() is not a number from 0 to 1", "scores being 0 to"),
    ],
)
def test_outcomes_must_be_a_total_preorder(game, title, words):
    assert found(Weather())[0] == []
    titles, text = found(game())
    assert titles == [title]
    assert words in text


# luck alone


class Windfall(Dice):
    """Draws what was won as if it were luck."""

    def redraw(self, state, player, rng):
        Dice.redraw(self, state, player, rng)
        state.total = random_below(rng, 6)


class Fortune(Dice):
    """Shows the luck to come."""

    def render(self, state):
        return str(state.luck[0])


class OneWord(Dice):
    """Has its random word as a number, not as an array of one."""

    def __init__(self):
        Dice.__init__(self)
        self.state_type = po.record(luck="u8", total="i8", rolls="i8")

    def reset(self, state):
        state.luck = 7

    def redraw(self, state, player, rng):
        state.luck = rng[0]


class Truths(Weather):
    def better(self, a, b):
        return (a.score > b.score) - (a.score < b.score)


def test_luck_to_come_is_all_that_is_drawn_where_nothing_else_is_hidden():
    titles, text = found(Windfall())
    assert titles == ["redraw() changes what has come about"]
    assert "total is" in text
    titles, text = found(Fortune())
    assert titles == []
    assert text.count("note: render() shows what redraw() draws anew") == 1
    assert "note" not in found(Dice())[1]


def test_mistakes_that_newcomers_make_are_said_with_their_mending():
    assert 'an array of one: luck=("u8", 1)' in found(OneWord())[1]
    assert "write 1 if a.score > b.score else -1" in found(Truths())[1]


# compiled


class Narrow(HighCard):
    """Overflows in plain Python only."""

    def view(self, state, player):
        return np.int64(np.int32(2) * np.int32(2_000_000_000)) + state.cards[player] + state.said


@pytest.mark.long
def test_a_difference_between_plain_and_compiled_is_found():
    report = po.check_problem(Narrow(), games=4)
    assert [finding.title for finding in report.problems] == [
        "compiled code differs from plain Python"
    ]
    assert "view() is" in str(report)


@pytest.mark.long
def test_games_of_more_moves_and_with_outcomes_agree_compiled():
    for game in (Whist(), Weather()):
        report = po.check_problem(game, games=4)
        assert report.passed
        assert report.compiled
