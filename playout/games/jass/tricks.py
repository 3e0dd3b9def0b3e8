"""Tricks of Jass: what cards are worth, which beats which, and what a hand may play.

Cards are those of `playout.cards.deck` from the six up. In trumps the order is J 9 A K Q 10 8 7 6.
Suit must be followed, or trump played. The jack of trumps need not be shown where it is the
only trump. Nobody may play a lower trump on a trump, but where trumps are led or nothing else
is left.
"""

from __future__ import annotations

import numpy as np

from playout.cards.deck import RANKS, suit_mask
from playout.compiled import helper
from playout.compiled.bits import bit

LOWEST = RANKS.index("6")
JACK = RANKS.index("J")
TRUMP_ORDER = "678TQKA9J"  # from the lowest

LAST_TRICK, ALL_TRICKS = 5, 100  # points for the last trick, and for all nine
WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_WORTH = WORTH | {"J": 20, "9": 14}

NONE = -1  # no card, no rank


def order_table() -> np.ndarray:
    """The strength of each rank: in row 0 of a plain suit, in row 1 of trumps."""
    table = np.zeros((2, 16), np.int64)
    for rank, name in enumerate(RANKS):
        if name in TRUMP_ORDER:
            table[0, rank], table[1, rank] = rank, TRUMP_ORDER.index(name)
    return table


def worth_table() -> np.ndarray:
    """What each rank is worth: in row 0 of a plain suit, in row 1 of trumps."""
    rows = [[worth.get(name, 0) for name in RANKS] for worth in (WORTH, TRUMP_WORTH)]
    return np.array([row + [0] * (16 - len(row)) for row in rows], np.int64)


def above_table() -> np.ndarray:
    """For each rank of trumps the ranks that beat it, as bits."""
    order = order_table()[1]
    table = np.zeros(16, np.uint64)
    for rank in range(LOWEST, len(RANKS)):
        beaten_by = [r for r in range(LOWEST, len(RANKS)) if order[r] > order[rank]]
        table[rank] = sum(1 << r for r in beaten_by)
    return table


@helper
def beats(order, card, other, trump):
    """Whether a card beats another: a higher one of its suit, or a trump one that is none."""
    suit = card >> 4
    if suit != other >> 4:
        return suit == trump
    row = 1 if suit == trump else 0
    return order[row, card & 15] > order[row, other & 15]


@helper
def higher_trumps(above, trump, rank):
    """The trumps that beat the one of a rank."""
    return above[rank] << np.uint64(trump << 4)


@helper
def playable(hand, led, high, trump, above, loose):
    """The cards that a hand may play.

    `led` is the suit that was led, NONE on lead; `high` the rank of the trump to beat, NONE where
    there is none. `loose` is the rule of Servot's program: over a trump a higher one must be
    played, also where trumps are led, and whoever has no higher one may play any trump.
    """
    if led < 0:
        return hand
    none = np.uint64(0)
    trumps = hand & suit_mask(trump)
    if led == trump:
        if trumps & ~bit((trump << 4) | JACK) == none:
            return hand
        over = trumps & higher_trumps(above, trump, high)
        return over if loose and over != none else trumps
    follow = hand & suit_mask(led)
    rest = follow if follow != none else hand & ~trumps
    if high < 0:
        return rest | trumps
    over = trumps & higher_trumps(above, trump, high)
    if loose and over == none:
        over = trumps
    legal = rest | over
    return legal if legal != none else hand


@helper
def cannot_hold(card, led, high, trump, above, loose):
    """The cards that whoever plays a card there cannot have in his hand.

    It is exact: the hands that may play the card are those without any of these.
    """
    suit = card >> 4
    if led < 0:
        return np.uint64(0)
    if suit == trump:
        if high < 0 or (led == trump and not loose):
            return np.uint64(0)
        over = higher_trumps(above, trump, high)
        if over & bit(card) != np.uint64(0):
            return np.uint64(0)
        return over if loose else over | ~suit_mask(trump)
    if led == trump:
        return suit_mask(trump) & ~bit((trump << 4) | JACK)
    return np.uint64(0) if suit == led else suit_mask(led)
