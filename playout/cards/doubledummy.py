"""Double dummy: how many tricks a side gets with all hands open and perfect play, exactly.

A zero-window search for "North and South get `need` of the tricks left", as a machine with a
stack: no recursion, and no memory but the arrays of a `DoubleDummy`, one for each thread. Answers
are kept in a partition table (`partition.py`), which serves all worlds, strains and later moves.
It may be called from compiled code and from Python:

    makes(solver, hands, leader, trick, played, need, trump)  # whether North and South get `need`
    tricks(solver, hands, leader, trick, played, trump)       # how many they get
    card_values(solver, hands, leader, trick, played, trump, out)   # how many after each card

`hands` are four words of cards (`deck.py`), of the seats North, East, South and West, or of any
four in turn of whom 0 and 2 are partners. `leader` led to the trick under way; `trick` is an array
of the cards on the table, of which the first `played` (0 to 3) count; they are no longer in the
hands. The trick under way is one of the tricks left. `trump` is a suit or `NO_TRUMP`. `out` has
room for 64 numbers by card, -1 for those that may not be played.

B. Haglund, Search Algorithms for a Bridge Double Dummy Solver, 2010; M. Ginsberg, Partition
Search, AAAI 1996. When a card of a run fails and its rank mattered, the whole run mattered:
elsewhere in the class it may be no run, and a lower card another move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playout.cards.dealing import SEAT_NAMES
from playout.cards.deck import NO_TRUMP, cards_in, deck_from, suit_mask
from playout.cards.partition import (
    ENTRY,
    LEAST_ENTRIES,
    NOTHING,
    forget,
    lengths_of,
    owners_of,
)
from playout.cards.topdown import top_down, tops, turned
from playout.cards.trick_search import LEVEL, PLY, finish_trick, place, search
from playout.compiled import Compiled, helper, kernel, record
from playout.compiled.bits import bit, count_bits
from playout.errors import DataError, OptionError

MOST_TRICKS = 13
ENTRIES = 1 << 16

COUNTS = record(nodes="i8", hits="i8")

_NONE = np.uint64(0)
_ONE = np.uint64(1)


class DoubleDummy(Compiled):
    """The stack and the table of a solver; each thread has its own."""

    fields = ("hands", "levels", "plies", "order", "killers", "entries", "heads", "used", "counts")

    def __init__(self, entries: int = ENTRIES) -> None:
        if isinstance(entries, bool) or not isinstance(entries, int) or entries < LEAST_ENTRIES:
            raise OptionError(f"entries={entries!r}: a whole number from {LEAST_ENTRIES}")
        self.hands = np.zeros((MOST_TRICKS + 1, 4), np.uint64)
        self.levels = np.zeros(MOST_TRICKS + 1, LEVEL)
        self.plies = np.zeros(4 * MOST_TRICKS + 4, PLY)
        self.order = np.zeros((4 * MOST_TRICKS + 4, MOST_TRICKS + 1), np.int64)
        self.killers = np.full(4 * MOST_TRICKS + 4, -1)
        self.entries = np.zeros(entries, ENTRY)
        self.heads = np.full(max(1, entries // 4), NOTHING, np.int32)
        self.used = np.zeros(1, np.int64)
        self.counts = np.zeros(1, COUNTS)

    # in plain Python only

    def clear(self) -> None:
        """Forget all answers."""
        forget(self)

    def solve(
        self, hands: Sequence[int], leader: int, trick: Sequence[int] = (), trump: int = NO_TRUMP
    ) -> int:
        """How many of the tricks left North and South get; what is no position is refused.

        >>> from playout.cards.deck import parse_hand
        >>> hands = [parse_hand(hand) for hand in ("AQ...", "K4...", "32...", ".32..")]
        >>> DoubleDummy(entries=1000).solve(hands, leader=2)
        1
        """
        check_position(hands, leader, trick, trump)
        words = np.array([int(hand) for hand in hands], np.uint64)
        return int(tricks(self, words, leader, np.array([*trick, 0]), len(trick), trump))


def check_position(
    hands: Sequence[int], leader: int, trick: Sequence[int] = (), trump: int = NO_TRUMP
) -> None:
    """`DataError` if these are not the cards of a trick under way, with one card of each."""
    if len(hands) != 4 or not 0 <= leader <= 3 or not 0 <= trump <= NO_TRUMP or len(trick) > 3:
        raise DataError(
            f"{len(hands)} hands, leader {leader}, {len(trick)} cards on the table, trump {trump}: "
            "four hands, seats 0 to 3, at most three cards, and a trump of 0 to 4 are a position"
        )
    seen, whole = 0, int(deck_from())
    for cards in (*(int(hand) for hand in hands), *(1 << int(card) for card in trick)):
        if cards & ~whole or cards & seen:
            wrong = cards_in(cards & ~whole or cards & seen)[0]
            raise DataError(f"card {wrong} is not in the deck, or is there twice")
        seen |= cards
    left = max(1, int(hands[(leader + 3) & 3]).bit_count())
    for number in range(4):
        seat = (leader + number) & 3
        held, due = int(hands[seat]).bit_count(), left - (number < len(trick))
        if held != due:
            raise DataError(f"{SEAT_NAMES[seat]} has {held} cards, and should have {due}")


@kernel
def makes(solver, hands, leader, trick, played, need, trump):
    """Whether North and South get `need` of the tricks left, the one under way included."""
    first = set_up(solver, hands, leader, trick, played, trump)
    # of one type always: the search is compiled once
    return ask(solver, np.int64(first), np.int64(need), np.int64(trump))


@kernel
def tricks(solver, hands, leader, trick, played, trump):
    """How many of the tricks left North and South get."""
    first = set_up(solver, hands, leader, trick, played, trump)
    return value(solver, first, solver.levels[first >> 2].left + 1 >> 1, trump)


@kernel
def card_values(solver, hands, leader, trick, played, trump, out):
    """Write the tricks of North and South after each card that may be played; -1 for others."""
    player = (leader + played) & 3
    legal = hands[player]
    if played > 0:
        follow = legal & suit_mask(trick[0] >> 4)
        if follow != _NONE:
            legal = follow
    first = set_up(solver, hands, leader, trick, played, trump)
    for card in range(64):
        out[card] = -1
    guess = solver.levels[first >> 2].left + 1 >> 1
    last = -1
    for card in range(63, -1, -1):
        if legal & bit(card) == _NONE:
            continue
        # a card with no card of another between it and the last one is worth the same
        between = solver.levels[first >> 2].every & between_cards(card, last)
        if last >= 0 and card >> 4 == last >> 4 and between == _NONE:
            out[card] = out[last]
        else:
            out[card] = value_after(solver, first, turned(card), guess, trump)
            guess = np.int64(out[card])
        last = card


@helper
def between_cards(card, last):
    """The places between two cards of a suit, the lower first, in the solver's form."""
    if last < 0:
        return _NONE
    high, low = turned(last), turned(card)
    return (bit(low) - _ONE) & ~((bit(high) << _ONE) - _ONE)


@helper
def value(solver, first, guess, trump):
    """The tricks of North and South, from a guess."""
    low, high = 0, np.int64(solver.levels[first >> 2].left)
    while low < high:
        need = min(max(guess, low + 1), high)
        if ask(solver, np.int64(first), np.int64(need), np.int64(trump)):
            low = need
            guess = need + 1
        else:
            high = need - 1
            guess = need - 1
    return low


@helper
def set_up(solver, hands, leader, trick, played, trump):
    """Write a position to the bottom of the stack; the number of the card to be played."""
    level, own = solver.levels[0], solver.hands[0]
    every = _NONE
    for seat in range(4):
        own[seat] = top_down(hands[seat])
        every |= own[seat]
    level.left = count_bits(own[(leader + 3) & 3])
    for i in range(played):
        every |= bit(turned(trick[i]))
    level.every = every
    level.leader = leader
    level.first = tops(every)
    level.second = tops(every ^ level.first)
    if played == 0:
        level.lengths = lengths_of(own)
        level.major = owners_of(own, every, 0) | owners_of(own, every, 1) << np.uint64(32)
        level.minor = owners_of(own, every, 2) | owners_of(own, every, 3) << np.uint64(32)
        return 0
    for i in range(played):
        solver.plies[i].seat = (leader + i) & 3
        place(solver, i, turned(trick[i]), trump)
    # hands at the start of the trick, from which the owners are counted later
    for i in range(played):
        own[(leader + i) & 3] |= bit(turned(trick[i]))
    level.lengths = lengths_of(own)
    level.major = owners_of(own, every, 0) | owners_of(own, every, 1) << np.uint64(32)
    level.minor = owners_of(own, every, 2) | owners_of(own, every, 3) << np.uint64(32)
    for i in range(played):
        own[(leader + i) & 3] ^= bit(turned(trick[i]))
    return played


@kernel
def ask(solver, first, need, trump):
    """Whether North and South get `need` tricks from a position that was set up."""
    level = solver.levels[first >> 2]
    if need <= 0:
        return True
    if need > level.left:
        return False
    level.need = need
    return search(solver, first, trump)


@helper
def value_after(solver, first, card, guess, trump):
    """The tricks of North and South after a card, which stays on the table of the position."""
    level = solver.levels[first >> 2]
    ply = solver.plies[first]
    if first & 3 == 0:
        ply.seat = level.leader
    solver.hands[0, ply.seat] ^= bit(card)
    place(solver, first, card, trump)
    got = 0
    if first & 3 < 3:
        found = value(solver, first + 1, guess, trump)
    else:
        after = solver.plies[first + 1]
        got = 1 - (after.best_seat & 1)
        found = got
        if level.left > 1:
            finish_trick(solver, 0, level.left)
            found += value(solver, 4, guess - got, trump)
    solver.hands[0, ply.seat] ^= bit(card)
    return found
