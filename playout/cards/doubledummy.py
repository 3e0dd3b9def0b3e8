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

import numpy as np

from playout.cards.card_order import order_follow, order_leads
from playout.cards.deck import down_to_lowest, suit_mask
from playout.cards.partition import (
    ENTRY,
    LEAST_ENTRIES,
    NOTHING,
    cards_that_mattered,
    forget,
    keep,
    key_of,
    lengths_of,
    owners_of,
    probe,
    slot_of,
    without_card,
)
from playout.cards.suretricks import defence_tricks, high_trumps, quick_tricks, second_hand_wins
from playout.cards.topdown import top_down, tops, turned, whole_suit
from playout.compiled import Compiled, helper, kernel, record
from playout.compiled.bits import bit, count_bits, lowest_bit
from playout.errors import OptionError

MOST_TRICKS = 13
ENTRIES = 1 << 16
LEAST_KEPT = 3  # tricks left: two are searched as fast as they are looked up, and are most of all

# a trick: the position at its start
LEVEL = record(
    every="u8",
    first="u8",  # the highest card of each suit
    second="u8",
    lengths="u8",
    major="u8",
    minor="u8",
    key="u8",
    slot="i8",
    leader="i8",
    need="i8",
    left="i8",
    known="i8",  # a card that the table recommends
    fits="i8",  # an entry for this position, which does not answer
)

# a card to be played: what the cards before it have come to
PLY = record(
    mattered="u8",
    dead="u8",  # cards that need not be tried
    by_rank="u8",  # the winner of the trick, if he beat another of his suit
    seat="i8",
    led="i8",
    best="i8",
    best_seat="i8",
    rivals="i8",  # cards of the best one's suit in the trick
    count="i8",
    tried="i8",
    card="i8",
)

COUNTS = record(nodes="i8", hits="i8")

UNSETTLED = -1

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

    def clear(self) -> None:
        """Forget all answers."""
        forget(self)


@kernel
def makes(solver, hands, leader, trick, played, need, trump):
    """Whether North and South get `need` of the tricks left, the one under way included."""
    first = set_up(solver, hands, leader, trick, played, trump)
    return ask(solver, first, need, trump)


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
        if ask(solver, first, need, trump):
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


@helper
def place(solver, i, card, trump):
    """Note what a card makes of the trick, for the one after it."""
    ply, after = solver.plies[i], solver.plies[i + 1]
    ply.card = card
    seat = ply.seat
    after.seat = (seat + 1) & 3
    if i & 3 == 0:
        after.led = card >> 4
        after.best, after.best_seat, after.rivals = card, seat, 1
        return
    after.led = ply.led
    after.best, after.best_seat, after.rivals = ply.best, ply.best_seat, ply.rivals
    if card >> 4 == ply.best >> 4:
        after.rivals += 1
        if card < ply.best:
            after.best, after.best_seat = card, seat
    elif card >> 4 == trump:
        after.best, after.best_seat, after.rivals = card, seat, 1


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


@helper
def search(solver, first, trump):
    """Search from a card to be played on: whether North and South get what they need."""
    i = first
    entering = True
    answer = UNSETTLED
    mattered = _NONE
    while True:
        ply, level = solver.plies[i], solver.levels[i >> 2]
        hands = solver.hands[i >> 2]
        if entering:
            answer, mattered = look(solver, i, trump)
            if answer >= 0:
                i -= 1
                if i < first:
                    return answer == 1
                entering = False
                continue
            ply.tried = 0
            ply.mattered = _NONE
            ply.dead = _NONE
            if i & 3 == 0:
                ply.count = order_leads(
                    solver.order[i], hands, level, trump, solver.killers[i], level.known
                )
            else:
                ply.count = order_follow(solver.order[i], hands, level, ply, i & 3, trump)
        else:
            # the answer of the card that was tried last
            card = ply.card
            hands[ply.seat] ^= bit(card)
            if i & 3 == 3:
                mattered |= ply.by_rank
            if answer == 1 - (ply.seat & 1):
                solver.killers[i] = card
                if i & 3 == 0 and level.left >= LEAST_KEPT:
                    keep(solver, level, mattered, answer, card)
                i -= 1
                if i < first:
                    return answer == 1
                continue
            take_failure(ply, level, hands[ply.seat], card, mattered)
        # the next card that is not known to fail
        chosen = -1
        while ply.tried < ply.count:
            card = solver.order[i, ply.tried] & 63
            ply.tried += 1
            if ply.dead & bit(card) == _NONE:
                chosen = card
                break
        if chosen < 0:
            answer = ply.seat & 1
            mattered = ply.mattered
            if i & 3 == 0 and level.left >= LEAST_KEPT:
                keep(solver, level, mattered, answer, -1)
            i -= 1
            if i < first:
                return answer == 1
            entering = False
            continue
        hands[ply.seat] ^= bit(chosen)
        place(solver, i, chosen, trump)
        if i & 3 < 3:
            i += 1
            entering = True
            continue
        after = solver.plies[i + 1]
        ply.by_rank = bit(after.best) if after.rivals > 1 else _NONE
        need = level.need - 1 + (after.best_seat & 1)
        entering = False
        mattered = _NONE
        if need <= 0:
            answer = 1
        elif need >= level.left:
            answer = 0
        else:
            finish_trick(solver, i >> 2, level.left)
            solver.levels[(i >> 2) + 1].need = need
            i += 1
            entering = True


@helper
def take_failure(ply, level, hand, card, mattered):
    """Note that a card has failed, and which others therefore need not be tried."""
    suit = card >> 4
    ply.mattered |= mattered
    fixed = down_to_lowest(mattered) & whole_suit(suit)
    if fixed & bit(card) == _NONE:
        # its rank did not matter: what is below those that did is worth the same
        ply.dead |= whole_suit(suit) & ~fixed
    else:
        others = level.every & ~hand & whole_suit(suit) & ~(bit(card) - _ONE)
        below = (others & (_NONE - others)) - _ONE
        ply.mattered |= hand & whole_suit(suit) & below & ~(bit(card) - _ONE)


@helper
def finish_trick(solver, t, left):
    """Write the position after a trick: four cards fewer, the winner leads."""
    before, level = solver.levels[t], solver.levels[t + 1]
    every, lengths = before.every, before.lengths
    major, minor = before.major, before.minor
    for k in range(4):
        ply = solver.plies[4 * t + k]
        card, seat = ply.card, ply.seat
        suit = card >> 4
        if suit < 2:
            major = without_card(major, every, bit(card), suit)
        else:
            minor = without_card(minor, every, bit(card), suit)
        every ^= bit(card)
        lengths -= _ONE << np.uint64(16 * seat + 4 * suit)
    for seat in range(4):
        solver.hands[t + 1, seat] = solver.hands[t, seat]
    level.every, level.lengths, level.major, level.minor = every, lengths, major, minor
    level.first = tops(every)
    level.second = tops(every ^ level.first)
    level.left = left - 1
    level.leader = solver.plies[4 * t + 4].best_seat


@helper
def look(solver, i, trump):
    """What is plain or known of a position: 1, 0 or UNSETTLED, and the cards that mattered."""
    level, hands = solver.levels[i >> 2], solver.hands[i >> 2]
    leader, need, left = level.leader, level.need, level.left
    leads = 1 - (leader & 1)  # the answer that the side on lead wants
    if i & 3 == 0:
        solver.counts[0].nodes += 1
        solver.plies[i].seat = leader
        if left == 1:
            return last_trick(hands, level, trump)
        wanted = need if leads else left - need + 1
        enough, mattered = quick_tricks(hands, level, trump, wanted)
        if enough:
            return leads, mattered
        enough, mattered = defence_tricks(hands, level, trump, left - wanted + 1)
        if enough:
            return 1 - leads, mattered
        if trump < 4:
            theirs = hands[(leader + 1) & 3] | hands[(leader + 3) & 3]
            enough, mattered = high_trumps(hands[leader], hands[leader ^ 2], theirs, trump, wanted)
            if enough:
                return leads, mattered
        if left < LEAST_KEPT:
            level.known = NOTHING
            return UNSETTLED, _NONE
        level.key = key_of(level.lengths, leader, left, trump)
        level.slot = slot_of(solver.heads, level.key)
        found = probe(solver, level)
        if found >= 0:
            solver.counts[0].hits += 1
            entry = solver.entries[found]
            answer = 1 if entry.least >= need else 0
            return answer, cards_that_mattered(entry.counts, level.every)
    elif i & 3 == 1:
        wanted = left - need + 1 if leads else need
        enough, mattered = second_hand_wins(hands, level, solver.plies[i].best, trump, wanted)
        if enough:
            return 1 - leads, mattered
    return UNSETTLED, _NONE


@helper
def last_trick(hands, level, trump):
    """Who wins when each hand has one card."""
    best, winner, rivals = np.int64(lowest_bit(hands[level.leader])), np.int64(level.leader), 1
    for k in range(1, 4):
        seat = (level.leader + k) & 3
        card = np.int64(lowest_bit(hands[seat]))
        if card >> 4 == best >> 4:
            rivals += 1
            if card < best:
                best, winner = card, seat
        elif card >> 4 == trump:
            best, winner, rivals = card, seat, 1
    return 1 - (winner & 1), bit(best) if rivals > 1 else _NONE
