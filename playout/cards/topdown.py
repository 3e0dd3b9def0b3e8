"""Cards with the ace as lowest bit of each suit: the form in which the double dummy solver counts.

What a trick needs of a suit is its highest card, the cards above another, the runs. With the ace at
the bottom these are a carry or a borrow, for all four suits of a word at once. `top_down` turns the
cards of `deck.py` over, and back; a higher card is a lower bit.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import count_bits

RANK_BITS = np.uint64(0x1FFF1FFF1FFF1FFF)  # thirteen of the sixteen bits of each suit
SUIT = np.uint64(0xFFFF)

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_FIRST = np.uint64(0x0001000100010001)
_SPARE = np.uint64(0x8000800080008000)
_BELOW_SPARE = np.uint64(0x7FFF7FFF7FFF7FFF)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_FOURS = np.uint64(0x0F0F0F0F0F0F0F0F)
_EIGHTS = np.uint64(0x00FF00FF00FF00FF)


@helper
def top_down(cards):
    """Turn each suit over: the ace, which was the highest bit, becomes the lowest."""
    cards = ((cards >> _ONE) & _ODD) | ((cards & _ODD) << _ONE)
    cards = ((cards >> np.uint64(2)) & _PAIRS) | ((cards & _PAIRS) << np.uint64(2))
    cards = ((cards >> np.uint64(4)) & _FOURS) | ((cards & _FOURS) << np.uint64(4))
    cards = ((cards >> np.uint64(8)) & _EIGHTS) | ((cards & _EIGHTS) << np.uint64(8))
    return (cards >> np.uint64(3)) & RANK_BITS


@helper
def turned(card):
    """The number of a card in the other form."""
    return (card & 48) | (12 - (card & 15))


@helper
def tops(cards):
    """The highest card of each suit."""
    return cards & ~((cards | _SPARE) - _FIRST)


@helper
def suits_of(cards):
    """All bits of each suit that has a card."""
    has = (cards + _BELOW_SPARE) & _SPARE
    return has | (has - (has >> np.uint64(15)))


@helper
def lane(cards, suit):
    """The cards of a suit, shifted down to bit 0."""
    return (cards >> np.uint64(suit << 4)) & SUIT


@helper
def whole_suit(suit):
    return SUIT << np.uint64(suit << 4)


@helper
def top(cards):
    """The highest of cards of one suit; 0 for none."""
    return cards & (_NONE - cards)


@helper
def above(cards):
    """Every place above the highest of cards of one suit; all places if there are none."""
    return top(cards) - _ONE


@helper
def run_tops(mine, every):
    """The highest card of each run among `mine`: no card of others lies within a run."""
    out = ~every & RANK_BITS
    return mine & ~((mine << _ONE) + out)


@helper
def cards_above(every, card_bit, suit):
    """How many cards of its suit are above a card."""
    return count_bits(every & whole_suit(suit) & (card_bit - _ONE))
