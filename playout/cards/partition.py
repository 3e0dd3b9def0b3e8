"""The table of a partition search: an answer holds for every deal in which the same cards mattered.

Each answer of the double dummy search comes with the cards whose rank mattered to it. It holds for
all deals with the same numbers of cards of each suit in each hand, the same leader, and the same
owners of the top cards of each suit down to the lowest that mattered: lower cards may lie
otherwise, and which ranks have been played before makes no difference. So one table serves all
worlds and all later moves of a game, and all strains (M. Ginsberg, Partition Search, AAAI 1996; B.
Haglund, Search Algorithms for a Bridge Double Dummy Solver, 2010).

The owners of a suit's cards are two bits each from the top, 32 bits a suit, two words for four.
"""

from __future__ import annotations

import numpy as np

from playout.cards.deck import down_to_lowest
from playout.cards.topdown import SUIT, cards_above, lane, top, whole_suit
from playout.compiled import helper, record
from playout.compiled.bits import count_bits, without_lowest
from playout.compiled.records import mix

LEAST_ENTRIES = 16

# what a table knows of a class of deals: between `least` and `most` tricks for North and South
ENTRY = record(
    key="u8",
    major="u8",  # owners of the top spades and hearts
    minor="u8",
    major_mask="u8",
    minor_mask="u8",
    counts="u8",  # how many top cards of each suit mattered, 16 bits a suit
    least="i1",
    most="i1",
    card="i1",  # what decided it the last time
    after="i4",  # the next entry of the same slot, or NOTHING
)

NOTHING = -1

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_OWNERS = np.uint64(0x3FFFFFF)  # of thirteen cards
_THREE_SUITS = np.uint64(0x0FFF0FFF0FFF0FFF)


@helper
def lengths_of(hands):
    """The number of cards of each suit in each hand, four bits each, a hand's suits together."""
    lengths = _NONE
    for seat in range(4):
        for suit in range(4):
            length = np.uint64(count_bits(lane(hands[seat], suit)))
            lengths |= length << np.uint64(16 * seat + 4 * suit)
    return lengths


@helper
def owners_of(hands, every, suit):
    """Who owns the cards of a suit, from the top."""
    owners, shift = _NONE, _NONE
    rest = lane(every, suit)
    while rest:
        card = top(rest)
        rest ^= card
        for seat in range(1, 4):
            if lane(hands[seat], suit) & card:
                owners |= np.uint64(seat) << shift
        shift += np.uint64(2)
    return owners


@helper
def without_card(owners, every, card_bit, suit):
    """The owners of two suits without a card of one of them; `every` still has it."""
    base = np.uint64(32 * (suit & 1))
    kept = ((_ONE << np.uint64(2 * cards_above(every, card_bit, suit))) - _ONE) << base
    moved = (_OWNERS << base) & ~kept
    return (owners & ~moved) | ((owners >> np.uint64(2)) & moved)


@helper
def key_of(lengths, leader, left, trump):
    """All that two deals must have in common: lengths, who leads, and trumps."""
    # the fourth suit's lengths follow from the number of cards, so their bits are free
    spare = np.uint64(left) << np.uint64(12)
    spare |= np.uint64(leader | (trump & 3) << 2) << np.uint64(28)
    spare |= np.uint64(2 | trump >> 2) << np.uint64(44)
    return (lengths & _THREE_SUITS) | spare


@helper
def slot_of(heads, key):
    """Where the list of the entries of a key begins."""
    return np.int64(((mix(key) >> np.uint64(32)) * np.uint64(len(heads))) >> np.uint64(32))


@helper
def probe(table, level):
    """The entry that answers whether `need` tricks are made, or NOTHING.

    One that fits and does not answer is noted in the level, with the card that it recommends.
    """
    entries, heads = table.entries, table.heads
    level.fits, level.known = NOTHING, NOTHING
    before, i = NOTHING, np.int64(heads[level.slot])
    while i >= 0:
        entry = entries[i]
        if (
            entry.key == level.key
            and level.major & entry.major_mask == entry.major
            and level.minor & entry.minor_mask == entry.minor
        ):
            if entry.least >= level.need or entry.most < level.need:
                if before >= 0:  # to the front: it is likely to be asked for again
                    entries[before].after = entry.after
                    entry.after = heads[level.slot]
                    heads[level.slot] = i
                return i
            level.fits, level.known = i, entry.card
        before, i = i, np.int64(entry.after)
    return i


@helper
def cards_that_mattered(counts, every):
    """The lowest card of each suit that an entry fixes."""
    found = _NONE
    for suit in range(4):
        count = (counts >> np.uint64(suit << 4)) & SUIT
        if count:
            rest = lane(every, suit)
            while count > _ONE:
                rest = without_lowest(rest)
                count -= _ONE
            found |= top(rest) << np.uint64(suit << 4)
    return found


@helper
def keep(table, level, mattered, answer, card):
    """Keep an answer for all deals in which the cards that mattered lie as they do here."""
    fixed = level.every & down_to_lowest(mattered)
    counts, masks = _NONE, (_NONE, _NONE)
    for suit in range(4):
        count = np.uint64(count_bits(fixed & whole_suit(suit)))
        counts |= count << np.uint64(suit << 4)
        mask = ((_ONE << (_ONE + _ONE) * count) - _ONE) << np.uint64(32 * (suit & 1))
        masks = (masks[0] | mask, masks[1]) if suit < 2 else (masks[0], masks[1] | mask)
    if level.fits >= 0:
        entry = table.entries[level.fits]
        if entry.key == level.key and entry.counts == counts:
            if answer:
                entry.least = max(entry.least, level.need)
            else:
                entry.most = min(entry.most, level.need - 1)
            entry.card = card
            return
    if table.used[0] == len(table.entries):
        forget(table)
    i = table.used[0]
    table.used[0] += 1
    entry = table.entries[i]
    entry.key, entry.counts = level.key, counts
    entry.major, entry.minor = level.major & masks[0], level.minor & masks[1]
    entry.major_mask, entry.minor_mask = masks
    entry.least = level.need if answer else 0
    entry.most = level.left if answer else level.need - 1
    entry.card = card
    entry.after = table.heads[level.slot]
    table.heads[level.slot] = i


@helper
def forget(table):
    """Empty the table, which is full, or another."""
    table.used[0] = 0
    table.heads[:] = NOTHING
