"""Every deal that fits is equally likely; what cannot be dealt is told by seat and suit."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from playout.cards.dealing import (
    HandRanges,
    check_deal,
    deal,
    deal_within,
    points_of,
    sample_hands,
)
from playout.cards.deck import cards_in, deck_from, hand_text, parse_hand
from playout.compiled import kernel, wrapping
from playout.errors import DataError, OptionError

ALL = deck_from()


def words(*hands: str) -> np.ndarray:
    return np.array([ALL if text == "all" else parse_hand(text) for text in hands], np.uint64)


def without(*suits: str) -> np.uint64:
    """All cards but those of these suits."""
    return np.uint64(int(ALL) & ~sum(0xFFFF << 16 * "SHDC".index(suit) for suit in suits))


def all_deals(pool, sizes, may_hold) -> list[tuple[int, ...]]:
    """By trying every choice of cards for each seat."""
    found = [((), int(pool))]
    for size, allowed in zip(sizes, may_hold):
        new = []
        for hands, rest in found:
            usable = cards_in(rest & int(allowed))
            for chosen in combinations(usable, size):
                hand = sum(1 << card for card in chosen)
                new.append(((*hands, hand), rest & ~hand))
        found = new
    return [hands for hands, rest in found if rest == 0]


@kernel
def _deal_many(rng, pool, sizes, may_hold, out):
    good = True
    for i in range(len(out)):
        good &= deal(rng, pool, sizes, may_hold, out[i])
    return good


# who gets how many of which cards, and which cards each may hold
ENDINGS = [
    ("AK.Q2.J.", (2, 0, 3, 0), ("all", "all", "all", "all")),
    ("AK.Q2.J.", (2, 0, 3, 0), (without("S"), "all", "all", "all")),
    ("AK.Q2.J4.3", (2, 2, 3, 0), ("all", "all", "all", "all")),
    ("AK.Q2.J4.3", (2, 2, 3, 0), (without("S"), without("H"), "all", "all")),
    ("AK.Q2.J4.3", (2, 2, 3, 0), (without("S", "C"), without("H"), without("D"), "all")),
    ("AK3.Q2.J4.3", (1, 4, 3, 0), (without("S"), "all", without("S"), "all")),
    ("AK3.Q2.J4.32", (0, 3, 3, 3), ("all", without("S"), without("H"), without("D"))),
    ("AKQ...", (0, 0, 3, 0), ("all", "all", "all", "all")),
]


@pytest.mark.parametrize(("pool", "sizes", "may_hold"), ENDINGS)
def test_every_deal_is_equally_likely(pool, sizes, may_hold):
    allowed = np.array([ALL if hand == "all" else hand for hand in may_hold], np.uint64)
    cards, sizes = parse_hand(pool), np.array(sizes)
    expected = all_deals(cards, sizes, allowed)
    draws = 200 * len(expected)
    out = np.zeros((draws, 4), np.uint64)
    assert _deal_many(np.array([7], np.uint64), cards, sizes, allowed, out)
    counts = Counter(map(tuple, out.tolist()))
    assert set(counts) == set(expected)
    distance = sum((counts[hands] - 200) ** 2 / 200 for hands in expected)
    assert len(expected) == 1 or distance < chi2.ppf(0.9999, len(expected) - 1)


def test_compiled_and_plain_deal_the_same():
    for pool, sizes, may_hold in ENDINGS:
        allowed = np.array([ALL if hand == "all" else hand for hand in may_hold], np.uint64)
        outs = []
        for function in (_deal_many, _deal_many.py_func):
            out = np.zeros((20, 4), np.uint64)
            with wrapping():
                function(np.array([3], np.uint64), parse_hand(pool), np.array(sizes), allowed, out)
            outs.append(out.tolist())
        assert outs[0] == outs[1]


def test_a_whole_deal_for_three_has_the_cards_that_are_left():
    mine = parse_hand("AKQJ.T98.765.432")
    sizes, allowed = np.array([0, 13, 13, 13]), np.full(4, ALL)
    out = np.zeros((1, 4), np.uint64)
    assert _deal_many(np.array([1], np.uint64), ALL & ~mine, sizes, allowed, out)
    assert [int(hand).bit_count() for hand in out[0]] == [0, 13, 13, 13]
    assert np.bitwise_or.reduce(out[0]) == ALL & ~mine


@pytest.mark.parametrize(
    ("pool", "sizes", "may_hold", "told"),
    [
        ("AK.Q..", (2, 0, 1, 0), (without("S"), "all", without("S"), "all"), "nobody may hold SK"),
        (
            "AK.Q2..",
            (1, 0, 3, 0),
            ("all", "all", without("S"), "all"),
            "only North may hold 2 cards of S, but has room for 1",
        ),
        (
            "AK.Q2.3.",
            (1, 1, 0, 3),
            ("all", "all", "all", without("S", "H")),
            "only North and East may hold 4 cards of S, H, but have room for 2",
        ),
        (
            "AK.Q2..",
            (1, 0, 2, 0),
            ("all", "all", "all", "all"),
            "4 cards cannot be dealt to 3 places",
        ),
        ("AK.Q2..", (1, 1, 1, 1), ("all", "all", "all", "all"), "4 seats have cards to come"),
    ],
)
def test_what_cannot_be_dealt_is_told_by_seat_and_suit(pool, sizes, may_hold, told):
    allowed = np.array([ALL if hand == "all" else hand for hand in may_hold], np.uint64)
    with pytest.raises(DataError, match=told):
        check_deal(parse_hand(pool), np.array(sizes), allowed)
    out = np.zeros((1, 4), np.uint64)
    assert not _deal_many(np.array([1], np.uint64), parse_hand(pool), np.array(sizes), allowed, out)


def test_points_are_those_of_bidding():
    assert points_of(parse_hand("AKQJ.A.K.QJ")) == 10 + 4 + 3 + 3
    assert points_of(deck_from()) == 40


@pytest.mark.long
def test_hands_are_within_their_ranges():
    mine = parse_hand("AKQJ.T98.765.432")
    ranges = HandRanges.parse(points=["W=10-14"], lengths=["E.H=5-", "s.d=-3"])
    sizes, held = np.array([0, 13, 13, 13]), np.zeros(4, np.uint64)
    rng = np.array([5], np.uint64)
    for _ in range(20):
        hands = sample_hands(rng, ALL & ~mine, sizes, np.full(4, ALL), held, ranges)
        assert 10 <= points_of(hands[3]) <= 14
        assert len(hand_text(hands[1]).split(".")[1]) >= 5
        assert len(hand_text(hands[2]).split(".")[2]) <= 3


@pytest.mark.long
def test_cards_that_were_played_count_for_a_hand():
    ranges = HandRanges.parse(points=["E=8-8"])
    held = words("...", "A...", "...", "...")
    rng = np.array([1], np.uint64)
    pool, sizes = parse_hand("K.A..32"), np.array([0, 2, 2, 0])
    for _ in range(10):
        hands = sample_hands(rng, pool, sizes, np.full(4, ALL), held, ranges)
        assert hand_text(hands[1]) in (".A..2", ".A..3")


@pytest.mark.long
def test_ranges_that_nobody_has_are_told():
    ranges = HandRanges.parse(points=["W=30-"], lengths=["E.♥=7"])
    pool, sizes, rng = parse_hand("K.A..32"), np.array([0, 2, 0, 2]), np.array([1], np.uint64)
    held, allowed = np.zeros(4, np.uint64), np.full(4, ALL)
    with pytest.raises(
        DataError, match=r"^no deal in 100,000 has 30-37 points in West and 7 hearts in East$"
    ):
        sample_hands(rng, pool, sizes, allowed, held, ranges)


@pytest.mark.parametrize(
    ("points", "lengths"),
    [
        (["W"], []),
        (["X=1-2"], []),
        (["W=5-3"], []),
        (["W=0-38"], []),
        (["W=-"], []),
        (["W=a"], []),
        (["W=٣"], []),
        ([], ["E=5"]),
        ([], ["E.X=5"]),
        ([], ["E.H=14"]),
    ],
)
def test_bad_ranges_are_refused_by_their_text(points, lengths):
    with pytest.raises(OptionError, match=repr((points + lengths)[0])):
        HandRanges.parse(points, lengths)


def test_plain_dealing_within_ranges_runs_too():
    ranges = HandRanges.parse(points=["E=4-4"])
    out = np.zeros(4, np.uint64)
    with wrapping():
        assert deal_within(
            np.array([2], np.uint64),
            parse_hand("K.A..2"),
            np.array([0, 2, 0, 1]),
            np.full(4, ALL),
            np.zeros(4, np.uint64),
            ranges,
            out,
        )
    assert hand_text(out[1]) == ".A..2"
