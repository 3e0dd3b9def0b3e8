"""Cards as bits of a word: 16 for each suit, the rank within it; names of cards and hands.

A card is the number 16 x suit + rank, a set of cards the 64-bit word with these bits. Suits are
numbered as they are written, spades, hearts, diamonds and clubs from 0, ranks from 0 for the two
to 12 for the ace. A deck that starts at the six has the ranks from 4. All functions that take
numbers run compiled too; there `trump` may be `NO_TRUMP`, which is no suit.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.errors import DataError

SUITS = "SHDC"
RANKS = "23456789TJQKA"
NO_TRUMP = 4
ACE = 12

_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", SUITS + SUITS, "\ufe0e\ufe0f")  # a symbol may be coloured

_SUIT = np.uint64(0xFFFF)
_BELOW_1 = np.uint64(0x7FFF7FFF7FFF7FFF)  # what shifting by so many may bring into each suit
_BELOW_2 = np.uint64(0x3FFF3FFF3FFF3FFF)
_BELOW_4 = np.uint64(0x0FFF0FFF0FFF0FFF)
_BELOW_8 = np.uint64(0x00FF00FF00FF00FF)


@helper
def card_of(suit: int, rank: int) -> int:
    """The number of a card.

    >>> card_of(1, ACE)
    28
    """
    return (suit << 4) | rank


@helper
def suit_of(card: int) -> int:
    """The suit of a card."""
    return card >> 4


@helper
def rank_of(card: int) -> int:
    """The rank of a card."""
    return card & 15


@helper
def suit_mask(suit: int) -> np.uint64:
    """All sixteen bits of a suit."""
    return np.uint64(0xFFFF) << np.uint64(suit << 4)


@helper
def ranks_in(cards: np.uint64, suit: int) -> np.uint64:
    """The ranks of the cards of a suit: its bits, shifted down to bit 0."""
    return (cards >> np.uint64(suit << 4)) & _SUIT


@helper
def down_to_lowest(cards: np.uint64) -> np.uint64:
    """Every bit from the highest card of each suit downwards."""
    cards |= (cards >> np.uint64(1)) & _BELOW_1
    cards |= (cards >> np.uint64(2)) & _BELOW_2
    cards |= (cards >> np.uint64(4)) & _BELOW_4
    return cards | ((cards >> np.uint64(8)) & _BELOW_8)


@helper
def top_cards(cards: np.uint64) -> np.uint64:
    """The highest card of each suit, all four at once.

    >>> hand_text(top_cards(parse_hand("AK2.T9..3")))
    'A.T..3'
    """
    filled = down_to_lowest(cards)
    return filled ^ ((filled >> np.uint64(1)) & _BELOW_1)


# in plain Python only


def deck_from(lowest: str = "2") -> np.uint64:
    """The word of a whole deck whose lowest rank is this one: 52 cards, or 36 from the six.

    >>> int(deck_from("6")).bit_count()
    36
    """
    ranks = (1 << len(RANKS)) - (1 << RANKS.index(lowest))
    return np.uint64(sum(ranks << 16 * suit for suit in range(4)))


def cards_in(cards: int) -> list[int]:
    """The numbers of the cards of a set, lowest first."""
    rest, found = int(cards), []
    while rest:
        found.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return found


def card_name(card: int) -> str:
    """A card as two letters, its suit first.

    >>> card_name(28)
    'HA'
    """
    return SUITS[suit_of(card)] + RANKS[rank_of(card)]


def plain_suits(text: str) -> str:
    """A text with letters for the symbols of suits.

    >>> plain_suits("4♠ ♥A")
    '4S HA'
    """
    return text.translate(_SYMBOLS)


def parse_card(text: str) -> int:
    """The card of a name such as `HA` or `D10`; small letters do.

    >>> parse_card("ha")
    28
    """
    name = plain_suits(text).strip().upper().replace("10", "T")
    if len(name) != 2 or name[0] not in SUITS or name[1] not in RANKS:
        raise DataError(f"{text!r} is no card: a suit of {SUITS} and a rank of {RANKS}, as in HA")
    return card_of(SUITS.index(name[0]), RANKS.index(name[1]))


def hand_text(cards: int) -> str:
    """A set of cards as PBN writes a hand: spades, hearts, diamonds and clubs, high cards first.

    >>> hand_text(parse_hand("AK2..T9.3"))
    'AK2..T9.3'
    """
    suits = []
    for suit in range(4):
        ranks = int(cards) >> 16 * suit
        suits.append("".join(name for i, name in enumerate(RANKS) if ranks >> i & 1)[::-1])
    return ".".join(suits)


def parse_hand(text: str) -> np.uint64:
    """The cards of a hand as PBN writes it: four suits with points between."""
    suits = text.strip().upper().replace("10", "T").split(".")
    if len(suits) != 4:
        raise DataError(f"{text!r} is no hand: four suits with points between, as in AK2..T9.3")
    cards = 0
    for suit, ranks in enumerate(suits):
        for name in ranks:
            if name not in RANKS:
                raise DataError(f"{text!r} is no hand: {name!r} is no rank of {RANKS}")
            card = 1 << card_of(suit, RANKS.index(name))
            if cards & card:
                raise DataError(f"{text!r} is no hand: {SUITS[suit]}{name} is there twice")
            cards |= card
    return np.uint64(cards)
