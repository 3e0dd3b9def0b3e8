"""The search behind double dummy: a machine with a stack of tricks and of cards to be played.

A trick (`LEVEL`) is the position at its start; a card to be played (`PLY`) is what the cards before
it have come to. An answer goes back with the cards whose rank mattered: of the card that decided a
position, or of all that failed. When a card of a run fails and its rank mattered, the whole run
mattered: elsewhere in the class of deals it may be no run, and a lower card another move.

All words are top down (`topdown.py`). `doubledummy.py` sets positions up and asks.
"""

from __future__ import annotations

import numpy as np

from playout.cards.card_order import order_follow, order_leads
from playout.cards.deck import down_to_lowest
from playout.cards.partition import (
    NOTHING,
    cards_that_mattered,
    keep,
    key_of,
    probe,
    slot_of,
    without_card,
)
from playout.cards.suretricks import defence_tricks, high_trumps, quick_tricks, second_hand_wins
from playout.cards.topdown import tops, whole_suit
from playout.compiled import helper, record
from playout.compiled.bits import bit, lowest_bit

LEAST_KEPT = 3  # tricks left: two are searched as fast as they are looked up, and are most of all
UNSETTLED = -1

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

_NONE = np.uint64(0)
_ONE = np.uint64(1)


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
