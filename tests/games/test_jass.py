"""Jass: naive rules, points, the faults of the report's program, worlds, positions in one line."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from playout.cards.deck import card_name, cards_in
from playout.check import check_problem
from playout.compiled import wrapping
from playout.errors import DataError, OptionError
from playout.games import load_game
from playout.games.jass.tricks import NONE, cannot_hold, playable
from tests.support.naive_jass import DECK, Turn, worlds

JASS = load_game("jass")
POOL = load_game("jass:pool=true,reward=points")


def deal(seed: int) -> np.ndarray:
    """A random start."""
    states = JASS.new_states(1)
    with wrapping():
        JASS.draw(states[0], np.array([seed], np.uint64))
    return states


def names(cards: int) -> set[str]:
    return set(map(card_name, cards_in(int(cards))))


def naive_of(state) -> Turn:
    """The naive turn of a start."""
    return Turn([names(hand) for hand in state.hands], "SHDC"[state.trump], int(state.leader))


def random_turn(game, states, rng, until: int = 36) -> list[np.ndarray]:
    """The states of a random turn from this one on, it included."""
    path = [states.copy()]
    while len(moves := game.legal_moves(states[0])) and len(path) <= until:
        game.play_move(states[0], moves[rng.integers(len(moves))])
        path.append(states.copy())
    return path


@pytest.mark.parametrize("name", ["jass", "jass:pool=true,reward=ratio"])
def test_it_keeps_the_contract(name):
    report = check_problem(load_game(name), games=1, compiled=False)
    assert report.passed, str(report)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["jass:goal=300,same_leader=true,last_trump=true", "jass:pool=true,loose_trumps=true"]
)
def test_it_keeps_the_contract_compiled(name):
    report = check_problem(load_game(name), games=4)
    assert report.passed, str(report)
    assert report.compiled


def test_a_turn_is_that_of_the_naive_rules():
    rng, teams = np.random.default_rng(1), Counter()
    for seed in range(40):
        states = deal(seed)
        naive = naive_of(states[0])
        assert sorted(card for hand in naive.hands for card in hand) == sorted(DECK)
        for _ in range(36):
            legal = naive.legal()
            assert {JASS.move_text(states[0], m) for m in JASS.legal_moves(states[0])} == legal
            assert JASS.turn(states[0]) == naive.player
            card = sorted(legal)[rng.integers(len(legal))]
            JASS.play_move(states[0], JASS.parse_move(states[0], card.lower().replace("t", "10")))
            naive.play(card)
            assert list(states[0].points) == naive.points
            assert list(states[0].tricks) == naive.tricks
        assert JASS.is_over(states[0])
        assert sum(naive.points) == (257 if 9 in naive.tricks else 157)
        teams[naive.points[0] > naive.points[1]] += 1
    assert min(teams.values()) > 5


def test_all_nine_tricks_are_a_hundred_points_more():
    start = JASS.read_position("S 1 AKQJT9876.../.AKQJT9876../..AKQJT9876./...AKQJT9876")
    state = random_turn(JASS, start, np.random.default_rng(2))[-1]
    assert list(state[0].points) == [257, 0]
    assert JASS.final_rewards(state[0]) == [1.0, 0.0, 1.0, 0.0]
    for reward, expected in (("points", 257.0), ("ratio", 257.0)):
        game = load_game(f"jass:reward={reward}")
        assert game.final_rewards(state[0]) == [expected, 0.0, expected, 0.0]


@pytest.mark.parametrize("reward", ["share", "points", "ratio"])
def test_a_turn_is_worth_one_of_its_outcomes(reward):
    game, rng = load_game(f"jass:reward={reward}"), np.random.default_rng(6)
    assert all(low < high for low, high in pairwise(game.outcomes))
    for seed in range(10):
        end = random_turn(game, game.root(seed), rng)[-1]
        assert set(game.final_rewards(end[0])) <= set(game.outcomes)


# trumps are spades; what was led, the trump to beat, the hand and what it may play
RULES = [
    ("H", "", "SJ S6 H6 HA D7", "SJ S6 H6 HA"),  # follow or trump
    ("H", "", "SJ S6 D7", "SJ S6 D7"),  # cannot follow
    ("S", "6", "SJ H6 D7", "SJ H6 D7"),  # the jack alone need not be shown
    ("S", "6", "SJ S7 D7", "SJ S7"),
    ("S", "A", "S6 S9 D7", "S6 S9"),  # a lower trump where trumps are led
    ("H", "A", "S6 S9 D7", "S9 D7"),  # but not on a trump
    ("H", "A", "S6 S9 H7", "S9 H7"),
    ("H", "A", "S6 H7", "H7"),
    ("H", "A", "S6 S8", "S6 S8"),  # unless nothing else is left
    ("H", "A", "S6 S9", "S9"),
    ("H", "9", "S6 SA", "S6 SA"),
]


@pytest.mark.parametrize(("led", "high", "hand", "legal"), RULES)
def test_what_a_hand_may_play(led, high, hand, legal):
    assert _playable(led, high, hand, loose=False) == set(legal.split())


def _playable(led: str, high: str, hand: str, loose: bool) -> set[str]:
    cards = np.uint64(sum(1 << JASS_CARDS[name] for name in hand.split()))
    rank = JASS_CARDS["S" + high] & 15 if high else NONE
    return names(playable(cards, "SHDC".index(led), rank, 0, JASS.above, loose))


JASS_CARDS = {card_name(card): card for card in cards_in(int(JASS.deck))}


@pytest.mark.parametrize(
    ("led", "high", "hand", "legal"),
    [
        ("S", "A", "S6 S9 D7", "S9"),  # over a trump that was led too
        ("S", "A", "S6 S7 D7", "S6 S7"),
        ("H", "A", "S6 H7", "S6 H7"),  # any trump for one who has no higher
        ("H", "A", "S6 D7", "S6 D7"),
    ],
)
def test_what_the_reports_program_lets_a_hand_play(led, high, hand, legal):
    assert _playable(led, high, hand, loose=True) == set(legal.split())


@pytest.mark.parametrize("loose", [False, True])
def test_a_card_tells_exactly_what_its_player_cannot_hold(loose):
    """Hands that may play a card are those without any of these, whatever was led or trumped."""
    rng = np.random.default_rng(3)
    for _ in range(4000):
        hand = set(rng.choice(DECK, rng.integers(1, 6), replace=False))
        led, high = int(rng.integers(4)), int(rng.integers(NONE, 13))
        high = NONE if 0 <= high < 4 else high
        if led == 0 and high == NONE:
            continue
        bits = np.uint64(sum(1 << JASS_CARDS[name] for name in hand))
        if high != NONE and int(bits) >> high & 1:
            continue
        card = JASS_CARDS[str(rng.choice(sorted(hand)))]
        legal = playable(bits, led, high, 0, JASS.above, loose)
        gone = cannot_hold(card, led, high, 0, JASS.above, loose)
        assert bool(int(legal) >> card & 1) == (int(bits) & int(gone) == 0), (hand, led, high, card)


def test_the_program_remembers_the_last_trump_in_place_of_the_highest():
    """The ace of trumps was played, then the six: which one must the last player beat?"""
    line = "S 1 .AKQJT987.6./A.6..AKQJT98/6..AKQJT98.7/KQJT987..7.6 HA SA S6"
    for options, expected in (
        ("", "SJ S9 D7 C6"),
        (",last_trump=true", "SK SQ SJ ST S9 S8 S7 D7 C6"),
    ):
        game = load_game(f"jass:loose_trumps=true{options}")
        state = game.read_position(line)[0]
        assert {game.move_text(state, m) for m in game.legal_moves(state)} == set(expected.split())


def test_in_a_game_to_so_many_points_who_reaches_them_wins():
    game = load_game("jass:goal=300")
    same = load_game("jass:goal=300,same_leader=true")
    for rules in (game, same):
        states = rules.new_states(1)
        with wrapping():
            rules.draw(states[0], np.array([5], np.uint64))
        path = random_turn(rules, states, np.random.default_rng(5), until=1000)
        scores = [state[0].score + state[0].points for state in path]
        assert max(scores[-1]) >= 300 > max(scores[-5])
        winner = int(np.argmax(scores[-1]))
        assert rules.final_rewards(path[-1][0]) == [float(seat % 2 == winner) for seat in range(4)]
        leaders = [int(state[0].first) for state in path if state[0].left == 36]
        steps = np.diff(leaders) % 4
        assert (steps == (0 if rules is same else 1)).all()
        assert len(steps) >= 1


def test_a_redrawn_world_is_any_of_those_that_fit():
    """In endings, voids and jacks shown: every world that the play allows, equally often."""
    rng, sizes = np.random.default_rng(7), Counter()
    for seed in range(10):
        start = deal(seed)
        path = random_turn(JASS, start.copy(), rng, until=int(rng.integers(26, 30)))
        here, player = path[-1], int(rng.integers(4))
        expected = {
            tuple(frozenset(hand) for hand in world)
            for world in worlds([names(hand) for hand in here[0].hands], player)
            if _could_be(start[0], path[-1][0], world)
        }
        stream = np.array([seed], np.uint64)
        if not 2 <= len(expected) <= 40:
            continue
        found = Counter()
        for _ in range(30 * len(expected)):
            world = here.copy()
            with wrapping():
                JASS.redraw(world[0], player, stream)
            found[tuple(frozenset(names(hand)) for hand in world[0].hands)] += 1
        assert set(found) == expected
        chi = sum((n - 30) ** 2 / 30 for n in found.values())
        assert chi < len(expected) - 1 + 5 * (2 * len(expected)) ** 0.5
        sizes[len(expected)] += 1
    assert len(sizes) > 2


def _could_be(start, here, world: list[set[str]]) -> bool:
    """Whether the cards that were played could have been, had the rest been dealt so."""
    played = [card_name(int(card)) for card in here.played if card != NONE]
    turn = Turn([set(DECK)] * 4, "SHDC"[start.trump], int(start.leader))
    dealt = [set(hand) for hand in world]
    seats = []
    for card in played:
        seats.append(turn.player)
        turn.hands[turn.player] = {card}
        turn.play(card)
        dealt[seats[-1]].add(card)
        turn.hands = [set(DECK) for _ in range(4)]  # not the last trick yet
    if "D7" not in dealt[int(start.first)]:
        return False
    turn = Turn(dealt, "SHDC"[start.trump], int(start.leader))
    for card in played:
        if card not in turn.legal():
            return False
        turn.play(card)
    return True


def test_the_whole_pack_is_dealt_evenly():
    """Every card is as often with every player: chi-square over 36 cards and 4 players."""
    counts = np.zeros((36, 4))
    for seed in range(800):
        state = deal(seed)[0]
        for seat in range(4):
            for card in cards_in(int(state.hands[seat])):
                counts[list(JASS_CARDS.values()).index(card), seat] += 1
    assert counts.sum() == 36 * 800
    assert ((counts - 200) ** 2 / 200).sum() < 108 + 4 * (2 * 108) ** 0.5


def test_a_pool_game_has_one_hand_and_all_other_cards():
    position = POOL.read_position("S 1 -/T98.JT9876../-/- SJ")
    assert {POOL.move_text(position[0], m) for m in POOL.legal_moves(position[0])} == {
        "S8",
        "S9",
        "ST",
    }
    POOL.play_move(position[0], POOL.parse_move(position[0], "S8"))
    # one big hand follows as long as any of its cards can
    texts = {POOL.move_text(position[0], m) for m in POOL.legal_moves(position[0])}
    assert texts == {"S6", "S7", "SQ", "SK", "SA"}
    for seed in range(5):
        end = random_turn(POOL, position.copy(), np.random.default_rng(seed))[-1][0]
        assert sum(end.points) in (157, 257)
        assert POOL.final_rewards(end)[:2] == [float(points) for points in end.points]


@pytest.mark.parametrize("name", ["jass", "jass:pool=true", "jass:goal=400"])
def test_a_position_read_back_goes_on_as_it_would_have(name):
    game = load_game(name)
    states = game.new_states(1)
    with wrapping():
        game.draw(states[0], np.array([3], np.uint64))
    for here in random_turn(game, states, np.random.default_rng(3), until=80)[::7]:
        text = game.position_text(here[0])
        again = game.read_position(text)
        assert again.tobytes() == here.tobytes()


def test_what_one_player_knows_is_enough_for_a_position():
    """Hands that are not known are dealt as they can be."""
    start = deal(11)
    for here in random_turn(JASS, start.copy(), np.random.default_rng(11), until=30)[::5]:
        trump, leads, hands, *cards = JASS.position_text(here[0]).split()
        for player in range(4):
            own = "/".join(h if i == player else "-" for i, h in enumerate(hands.split("/")))
            known = JASS.read_position(" ".join([trump, leads, own, *cards]))
            with wrapping():
                assert JASS.view(known[0], player) == JASS.view(here[0], player)
            assert known[0].hands[player] == here[0].hands[player]


BAD = [
    ("", "it has 0 words"),
    ("S 1", "it has 2 words"),
    ("X 1 -/T98.JT9876../-/-", "trumps are one of S, H, D, C, not 'X'"),
    ("S 5 -/T98.JT9876../-/-", "who leads is a number from 1 to 4"),
    ("S 1 -/T98.JT9876../-", "it has 3 hands, not 4"),
    ("S 1 -/T98.JT9876/-/-", "is no hand: four suits"),
    ("S 1 -/T98.JT987../-/-", "player 2 was dealt 8 cards, not 9"),
    ("S 1 -/T985.JT987../-/-", "player 2 has S5, but the cards begin with the six"),
    ("S 1 T98.JT9876../T98.JT9876../-/-", "S8 is with player 1 and player 2"),
    ("S 1 -/-/-/-", "no hand is known"),
    ("S 1 -/T98.JT9876../-/- S5", "S5 is no card of this game"),
    ("S 1 -/T98.JT9876../-/- Sx", "'Sx' is no card"),
    ("S 1 -/T98.JT9876../-/- SJ SJ", "SJ was played twice"),
    ("S 1 -/T98.JT9876../-/- S8", "player 1 played S8, which player 2 was dealt"),
    ("S 1 -/T98.JT9876../-/- SJ S7", "card 2, S7: player 2 was not dealt it"),
    ("S 1 -/T98.JT9876../-/- SJ H6", "card 2, H6: player 2 must play one of S8, S9, ST"),
    ("S 2D7 -/T98.JT9876../-/-", "player 2 leads, but has no D7"),
    ("S 1 -/T98.JT9876../-/- score=1:2", "'score=1:2' is no card"),
    # player 2 discards on spades, hearts and diamonds, and all clubs are known
    (
        "S 1 J.A.A.AKQJT9/-/-/- SJ C6 S6 S7 HA C7 H6 H7 DA C8 D6 D7",
        "no deal fits: player 2 has 6 cards left, and of those that are out he can hold 0: he has "
        "shown that he has no spades and no hearts and no diamonds",
    ),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_what_is_no_position_is_refused(text, says):
    with pytest.raises(DataError, match=re.escape(says)) as error:
        JASS.read_position(text)
    assert "\n" not in str(error.value)


def test_a_line_is_read_or_refused_whatever_is_in_it():
    """Lines with letters left out, doubled and swapped, of all three kinds of game."""
    rng, refused = np.random.default_rng(9), 0
    for name in ("jass", "jass:pool=true", "jass:goal=90"):
        game = load_game(name)
        states = random_turn(game, game.root(2), rng, until=30)[::3]
        for line in [game.position_text(state[0]) for state in states]:
            for _ in range(25):
                letters = list(line)
                for _ in range(rng.integers(1, 4)):
                    i, j = rng.integers(len(letters), size=2)
                    letters[i] = ("", letters[j], letters[i] * 2, "-")[rng.integers(4)]
                try:
                    found = game.read_position("".join(letters))
                except DataError:
                    refused += 1
                else:
                    game.legal_moves(found[0])
    assert refused > 400


def test_a_game_that_is_over_has_no_more_cards():
    line = JASS.position_text(random_turn(JASS, deal(1), np.random.default_rng(1))[-1][0])
    for goal, says in ((40, "the game was over before it"), (5000, "the turn is over")):
        with pytest.raises(DataError, match=says):
            load_game(f"jass:goal={goal}").read_position(line)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("goal=-1", "goal=-1: a whole number of points"),
        ("goal=1000,pool=true", "goal=1000: pool is for one turn"),
        ("goal=1000,reward=ratio", "goal=1000: reward is for one turn"),
        ("same_leader=true", "same_leader is for several turns"),
        ("reward=win", "reward=win: one of share, points, ratio"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, says):
    with pytest.raises(OptionError, match=says):
        load_game(f"jass:{options}")


def test_pictures_show_a_player_nothing_that_he_does_not_see():
    states = deal(4)
    random_turn(JASS, states, np.random.default_rng(4), until=9)
    everything = JASS.render(states[0])
    for player in range(4):
        shown = JASS.render_for(states[0], player)
        other = states.copy()
        with wrapping():
            JASS.redraw(other[0], player, np.array([9], np.uint64))
        assert other.tobytes() != states.tobytes()
        assert JASS.render_for(other[0], player) == shown != everything
    assert ElementTree.fromstring(JASS.svg(states[0])).tag.endswith("svg")
