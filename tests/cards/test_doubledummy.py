"""The double dummy solver is exact: beside minimax, DDS and solved deals, in every strain."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from playout.cards import dds, doubledummy
from playout.cards.deal_lists import parse_dds_list, read_deals
from playout.cards.deck import NO_TRUMP, card_name, cards_in, deck_from, parse_card, parse_hand
from playout.cards.doubledummy import DoubleDummy, card_values, makes, tricks
from playout.cards.tricks import legal_cards
from playout.compiled import wrapping
from playout.errors import DataError, OptionError
from tests.support.datafolder import data, needs_data
from tests.support.naive_tricks import naive_tricks, winner

needs_dds = pytest.mark.skipif(not dds.installed(), reason="no DDS: pip install 'playout[bridge]'")


def ending(source: random.Random, cards: int, suits: int = 4, on_table: int = 0):
    """A random ending: hands, leader, cards on the table."""
    deck = [card for card in cards_in(deck_from()) if card // 16 < suits]
    chosen = source.sample(deck, 4 * cards)
    hands = [sum(1 << card for card in chosen[seat::4]) for seat in range(4)]
    leader, trick = source.randrange(4), []
    for i in range(on_table):
        seat = (leader + i) % 4
        led = trick[0] // 16 if trick else -1
        card = source.choice(cards_in(legal_cards(np.uint64(hands[seat]), led)))
        hands[seat] ^= 1 << card
        trick.append(card)
    return np.array(hands, np.uint64), leader, trick


def padded(trick) -> np.ndarray:
    return np.array([*trick, 0, 0, 0, 0][:4])


@pytest.fixture
def interpreted(monkeypatch):
    """The solver as plain Python, which compiles nothing."""
    monkeypatch.setattr(doubledummy, "ask", doubledummy.ask.py_func)
    with wrapping():
        yield


@pytest.mark.usefixtures("interpreted")
def test_three_cards_in_plain_python_are_what_minimax_says():
    source, solver = random.Random(1), DoubleDummy(entries=1 << 10)
    for number in range(40):
        hands, leader, trick = ending(source, 3, suits=2 + number % 3, on_table=number % 4)
        trump = number % 5
        expected = naive_tricks(hands, leader, trick, trump)
        found = tricks.py_func(solver, hands, leader, padded(trick), len(trick), trump)
        assert found == expected, (hands, leader, trick, trump)


@pytest.mark.usefixtures("interpreted")
def test_a_finesse_works_on_one_side_only():
    north, south = parse_hand("AQ..."), parse_hand("32...")
    low, king = parse_hand(".32.."), parse_hand("K4...")
    solver = DoubleDummy(entries=1 << 10)
    for east, west, expected in ((low, king, 2), (king, low, 1)):
        hands = np.array([north, east, south, west], np.uint64)
        assert tricks.py_func(solver, hands, 2, padded([]), 0, NO_TRUMP) == expected
        lowest = padded([parse_card("S2")])
        hands[2] = parse_hand("3...")
        assert tricks.py_func(solver, hands, 2, lowest, 1, NO_TRUMP) == expected


@pytest.mark.parametrize("entries", [0, 15, 2.5, True])
def test_a_table_has_room_for_a_bucket(entries):
    with pytest.raises(OptionError, match="a whole number from 16"):
        DoubleDummy(entries=entries)


@pytest.mark.parametrize(
    ("hands", "leader", "trick", "trump", "told"),
    [
        (["A...", "K...", "Q..."], 0, "", 4, "3 hands"),
        (["A...", "K...", "Q...", "J..."], 4, "", 4, "leader 4"),
        (["A...", "K...", "Q...", "J..."], 0, "", 5, "trump 5"),
        (["A...", "K...", "Q...", "A..."], 0, "", 4, "card 12 is not in the deck, or is there"),
        (["A...", "K...", "Q...", "J..."], 0, "SA", 4, "card 12 is not in the deck, or is there"),
        (["A...", "K2...", "Q...", "J..."], 0, "", 4, "East has 2 cards, and should have 1"),
        (["A...", "K...", "Q...", "J..."], 0, "S2", 4, "North has 1 cards, and should have 0"),
        (["...", "...", "...", "..."], 0, "", 4, "North has 0 cards, and should have 1"),
    ],
)
def test_what_is_no_position_is_refused(hands, leader, trick, trump, told):
    words = [parse_hand(hand) for hand in hands]
    cards = [parse_card(card) for card in trick.split()]
    with pytest.raises(DataError, match=told):
        DoubleDummy(entries=100).solve(words, leader, cards, trump)


def test_without_endplay_dds_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(dds, "installed", lambda: False)
    with pytest.raises(OptionError, match=r"DDS needs endplay: pip install 'playout\[bridge\]'"):
        dds.need_dds()


@pytest.mark.long
def test_four_cards_compiled_are_what_minimax_says():
    source, solver = random.Random(2), DoubleDummy()
    out = np.zeros(64, np.int64)
    for number in range(100):
        hands, leader, trick = ending(source, 4, suits=2 + number % 3, on_table=number % 4)
        trump, place = number % 5, padded(trick)
        expected = naive_tricks(hands, leader, trick, trump)
        left = 4
        assert tricks(solver, hands, leader, place, len(trick), trump) == expected
        for need in range(-1, left + 2):
            assert makes(solver, hands, leader, place, len(trick), need, trump) == (
                expected >= need
            )
        card_values(solver, hands, leader, place, len(trick), trump, out)
        player = (leader + len(trick)) % 4
        legal = cards_in(legal_cards(hands[player], trick[0] // 16 if trick else -1))
        assert [card for card in range(64) if out[card] >= 0] == legal
        for card in legal:
            after = hands.copy()
            after[player] ^= np.uint64(1 << card)
            played, got, lead = [*trick, card], 0, leader
            if len(played) == 4:
                lead = winner(leader, tuple(played), trump)
                got, played = int(lead % 2 == 0), []
            assert out[card] == got + naive_tricks(after, lead, played, trump), card_name(card)


# spades are trumps; without the rule, one trick too many
RUNS_THAT_MATTER = [
    ("3.K2.KT. A82..J6. 4.4.Q87. 5.87.4.4", 0, 1),
    (".T.AQ9.T5 Q84.A..64 .64.K65.A 6.KQ.T.97", 0, 1),
    ("3.72.6.KQT54 T2.83.QJT8.9 AJ4.Q4.K42.8 K87.JT96.9.2", 2, 5),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("deal", "leader", "expected"), RUNS_THAT_MATTER[:2])
def test_a_run_that_mattered_is_part_of_the_answer(deal, leader, expected):
    """When a card of a run fails and its rank mattered, the lowest of the run mattered too:

    elsewhere in the class of deals the cards are no run, and the lower one is another move.
    """
    hands = np.array([parse_hand(hand) for hand in deal.split()], np.uint64)
    solver = DoubleDummy(entries=1 << 12)
    assert tricks.py_func(solver, hands, leader, padded([]), 0, 0) == expected


@pytest.mark.long
def test_one_table_for_many_deals_answers_as_a_fresh_one():
    source, kept, fresh = random.Random(3), DoubleDummy(), DoubleDummy(entries=1 << 12)
    for number in range(1500):
        hands, leader, _ = ending(source, 8)
        trump = NO_TRUMP if number % 2 else 0
        fresh.clear()
        found = tricks(kept, hands, leader, padded([]), 0, trump)
        assert found == tricks(fresh, hands, leader, padded([]), 0, trump)
    for deal, leader, expected in RUNS_THAT_MATTER:
        hands = [int(parse_hand(hand)) for hand in deal.split()]
        assert kept.solve(hands, leader, trump=0) == expected


@pytest.mark.long
def test_threads_with_a_solver_each_answer_alike():
    source = random.Random(6)
    endings = [ending(source, 7)[:2] for _ in range(200)]

    def answers(number: int) -> list[int]:
        solver = DoubleDummy(entries=1 << 10 + number)
        return [int(tricks(solver, h, leader, padded([]), 0, 1)) for h, leader in endings]

    with ThreadPoolExecutor(3) as pool:
        first, *others = pool.map(answers, range(3))
    assert all(other == first for other in others)


@pytest.mark.long
@needs_dds
def test_endings_are_what_dds_says():
    source, solver = random.Random(4), DoubleDummy()
    for number in range(2000):
        hands, leader, trick = ending(source, 4 + number % 6, on_table=number % 4)
        trump = number % 5
        position = dds.Position(hands, leader, trick, trump)
        expected = dds.dds_tricks(position)
        assert tricks(solver, hands, leader, padded(trick), len(trick), trump) == expected
        if number % 10 == 0:
            out = np.zeros(64, np.int64)
            card_values(solver, hands, leader, padded(trick), len(trick), trump, out)
            values = {card: int(out[card]) for card in range(64) if out[card] >= 0}
            assert values == dds.dds_card_values(position)
            assert dds.dds_makes(position, expected)
            assert not dds.dds_makes(position, expected + 1)


@needs_dds
def test_threads_ask_dds_at_once():
    source = random.Random(7)
    positions = [dds.Position(*ending(source, 4)[:2], (), number % 5) for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        single = pool.map(dds.dds_tricks, positions)
        batches = [pool.submit(dds.dds_batch, positions) for _ in range(3)]
        expected = list(single)
        assert all(batch.result() == expected for batch in batches)


@needs_dds
def test_batches_are_what_single_questions_say():
    source = random.Random(5)
    positions = []
    for number in range(7):
        hands, leader, trick = ending(source, 4, on_table=number % 4)
        positions.append(dds.Position(hands, leader, trick, number % 5))
    single = [dds.dds_tricks(position) for position in positions]
    assert dds.dds_batch(positions) == single
    needs = [number % 6 for number in range(7)]
    assert dds.dds_batch(positions, needs) == [
        int(found >= need) for found, need in zip(single, needs)
    ]


@pytest.mark.long
@needs_data("bridge/list10.txt")
def test_solved_deals_card_by_card():
    """`FUT`: the tricks after each lead. `TRACE`: declarer's tricks along a played hand."""
    path = data("bridge/list10.txt")
    solver, out = DoubleDummy(1 << 18), np.zeros(64, np.int64)
    for solved in parse_dds_list(path.read_text(), str(path)):
        hands = np.array([int(hand or 0) for hand in solved.deal.hands], np.uint64)
        card_values(solver, hands, solved.leader, padded([]), 0, solved.trump, out)
        for card, equals, score in solved.cards:
            ranks = [card % 16, *cards_in(equals)]
            north_south = score if solved.leader % 2 == 0 else 13 - score
            assert {int(out[card // 16 * 16 + rank]) for rank in ranks} == {north_south}
        leader, trick, won = solved.leader, [], 0
        declarer = (solved.leader + 3) % 4
        for number, expected in enumerate(solved.trace):
            if number:
                card = solved.deal.play[number - 1]
                hands[(leader + len(trick)) % 4] ^= np.uint64(1 << card)
                trick.append(card)
                if len(trick) == 4:
                    leader = winner(leader, tuple(trick), solved.trump)
                    won += (leader - declarer) % 2 == 0
                    trick = []
            left = int(hands[(leader + 3) % 4]).bit_count()
            found = tricks(solver, hands, leader, padded(trick), len(trick), solved.trump)
            assert won + (found if declarer % 2 == 0 else left - found) == expected


@pytest.mark.long
@needs_data("bridge/sol10.txt")
def test_whole_tables_of_solved_deals():
    path = data("bridge/sol10.txt")
    solver = DoubleDummy(1 << 18)
    for deal, line in list(zip(read_deals(path), path.read_text().split("\n")))[:4]:
        hands = np.array([int(hand or 0) for hand in deal.hands], np.uint64)
        digits = [int(digit, 16) for digit in line.rpartition(":")[2].strip()]
        for group, trump in enumerate((NO_TRUMP, 0, 1, 2, 3)):
            # of the declarers E, N, W, S: South leads first
            for digit, leader in zip(digits[4 * group : 4 * group + 4], (2, 1, 0, 3)):
                assert tricks(solver, hands, leader, padded([]), 0, trump) == digit


@pytest.mark.long
@needs_dds
@needs_data("bridge/sol10.txt")
def test_tables_of_dds_are_those_of_solved_deals():
    path = data("bridge/sol10.txt")
    deal, line = read_deals(path)[0], path.read_text().split("\n")[0]
    digits = [int(digit, 16) for digit in line.rpartition(":")[2].strip()]
    table = dds.dds_table([int(hand or 0) for hand in deal.hands])
    for group, strain in enumerate((NO_TRUMP, 0, 1, 2, 3)):
        for digit, declarer in zip(digits[4 * group : 4 * group + 4], (1, 0, 3, 2)):
            assert table[strain, declarer] == (digit if declarer % 2 == 0 else 13 - digit)
