"""The rules of a trick, over cards as bits: who may play what, and who wins.

Suits must be followed; the highest trump wins, else the highest card of the suit that was led. In
a suit the higher number is the higher card: a game with another order has its own `beats`.
"""

from __future__ import annotations

import numpy as np

from playout.cards.deck import suit_mask, suit_of
from playout.compiled import helper
from playout.compiled.bits import lowest_bit, without_lowest

NOTHING_LED = -1


@helper
def legal_cards(hand: np.uint64, led: int) -> np.uint64:
    """The cards of a hand that follow the suit that was led, if there are any; else all.

    `led` is `NOTHING_LED` for the first card of a trick.
    """
    if led < 0:
        return hand
    follow = hand & suit_mask(led)
    return follow if follow != np.uint64(0) else hand


@helper
def list_cards(cards: np.uint64, moves: np.ndarray) -> int:
    """Write a move for each card of a set, the lowest first; how many there are."""
    n = 0
    while cards:
        moves[n].card = lowest_bit(cards)
        cards = without_lowest(cards)
        n += 1
    return n


@helper
def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the best one before it."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


@helper
def winner_of(trick: np.ndarray, count: int, trump: int) -> int:
    """Which of the cards of a trick wins so far: 0 for the first, which was led."""
    best = 0
    for i in range(1, count):
        if beats(trick[i], trick[best], trump):
            best = i
    return best


@helper
def run_ends(mine: np.uint64, others: np.uint64) -> np.uint64:
    """The lowest card of each run among `mine`: of cards that no card of `others` lies between.

    Cards of a run are worth the same. Cards that are in neither set are out of play and do
    not part a run. Bits above the ace must be free.

    >>> from playout.cards.deck import hand_text, parse_hand
    >>> hand_text(run_ends(parse_hand("AQJ4..K3.2"), parse_hand("T..A.3")))
    'J4..3.2'
    """
    out = ~(mine | others) & np.uint64(0x1FFF1FFF1FFF1FFF)
    # a card above mine, then carried up through what is out of play: the next one in play
    return mine & ~((mine << np.uint64(1)) + out)
