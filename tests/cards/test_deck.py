"""Cards as bits and the rules of a trick: by hand, and beside sets of names."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout.cards.deck import (
    NO_TRUMP,
    RANKS,
    SUITS,
    card_name,
    cards_in,
    deck_from,
    hand_text,
    parse_card,
    parse_hand,
    ranks_in,
    top_cards,
)
from playout.cards.tricks import NOTHING_LED, beats, legal_cards, run_ends, winner_of
from playout.compiled import kernel, wrapping
from playout.errors import DataError


def names(cards) -> set[str]:
    return {card_name(card) for card in cards_in(cards)}


def some_cards(source: random.Random, count: int) -> np.uint64:
    return np.uint64(sum(1 << card for card in source.sample(cards_in(deck_from()), count)))


def naive_ends(mine: set[str], others: set[str]) -> set[str]:
    """By walking down the ranks of each suit: a run goes on until another's card."""
    ends = set()
    for suit in SUITS:
        last = None
        for rank in reversed(RANKS):
            if suit + rank in mine:
                last = suit + rank
            elif suit + rank in others and last:
                ends.add(last)
                last = None
        if last:
            ends.add(last)
    return ends


def test_decks_have_their_cards():
    assert [int(deck_from(lowest)).bit_count() for lowest in "276T"] == [52, 32, 36, 20]
    assert names(deck_from("K")) == {suit + rank for suit in SUITS for rank in "KA"}


def test_names_are_read_as_they_are_written():
    for card in cards_in(deck_from()):
        assert parse_card(card_name(card)) == card
    assert parse_card("d10") == parse_card("DT")
    assert hand_text(parse_hand("akq.10987..2")) == "AKQ.T987..2"


@pytest.mark.parametrize("text", ["", "A", "AH", "H1", "HAA", "XA"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(DataError, match="is no card: a suit of SHDC"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("AK.Q.2", "four suits"), ("AXK...", "'X' is no rank"), ("A.2.3.44", "C4 is there twice")],
)
def test_what_is_no_hand_is_refused(text, reason):
    with pytest.raises(DataError, match=reason):
        parse_hand(text)


def test_top_cards_and_runs_beside_sets_of_names():
    source = random.Random(1)
    with wrapping():
        for _ in range(300):
            every = some_cards(source, source.randrange(53))
            mine = every & np.uint64(source.getrandbits(64))
            others = every & ~mine
            tops = set()
            for suit in {card[0] for card in names(every)}:
                ranks = [RANKS.index(card[1]) for card in names(every) if card[0] == suit]
                tops.add(suit + RANKS[max(ranks)])
            assert names(top_cards(every)) == tops
            assert names(run_ends(mine, others)) == naive_ends(names(mine), names(others))


def test_suits_are_followed_where_possible():
    hand = parse_hand("AK.2..54")
    assert hand_text(legal_cards(hand, NOTHING_LED)) == "AK.2..54"
    assert hand_text(legal_cards(hand, SUITS.index("C"))) == "...54"
    assert hand_text(legal_cards(hand, SUITS.index("D"))) == "AK.2..54"
    assert hand_text(ranks_in(hand, SUITS.index("C"))) == "54..."


@pytest.mark.parametrize(
    ("cards", "trump", "wins"),
    [
        ("D4 D9 DT D2", "", 2),
        ("D4 SA DA HA", "", 2),
        ("D4 SA D3 HA", "", 0),
        ("D4 S2 DA S3", "S", 3),
        ("D4 S3 DA S2", "S", 1),
        ("S4 D9 S5 DA", "S", 2),
    ],
)
def test_who_wins_a_trick(cards, trump, wins):
    trick = np.array([parse_card(card) for card in cards.split()])
    suit = SUITS.index(trump) if trump else NO_TRUMP
    assert winner_of(trick, 4, suit) == wins
    assert winner_of(trick, 1, suit) == 0
    assert beats(trick[wins], trick[0], suit) == (wins > 0)


@kernel
def _tops_and_ends(mine, others):
    return top_cards(mine), run_ends(mine, others), legal_cards(mine, 2)


def test_compiled_and_plain_agree():
    source = random.Random(2)
    with wrapping():
        for _ in range(50):
            every = some_cards(source, 30)
            mine = every & np.uint64(source.getrandbits(64))
            assert _tops_and_ends(mine, every & ~mine) == _tops_and_ends.py_func(
                mine, every & ~mine
            )
