"""Tricks that a side of a double dummy position has for sure, and the cards that they rest on.

Quick tricks are those that the side on lead can cash at once: its own top cards, then, with a way
over to partner, partner's; with trumps about, as long as nobody ruffs. Later tricks are those that
a side gets whatever is played: high trumps; without trumps, the top cards of the one who gets in
when the side on lead runs out of suits in which it is highest.

All words are top down (`topdown.py`). Each function returns whether the tricks are enough, and
the cards whose rank this rests on.
"""

from __future__ import annotations

import numpy as np

from playout.cards.topdown import above, lane, suits_of, top, tops, whole_suit
from playout.compiled import helper
from playout.compiled.bits import bit, count_bits, without_lowest

_NONE = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MANY = 99


@helper
def quick_tricks(hands, level, trump, wanted):
    """Whether the side on lead can cash `wanted` tricks at once."""
    leader = level.leader
    mine, his = hands[leader], hands[leader ^ 2]
    left_hand, right_hand = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    first, second = level.first, level.second
    # how many rounds of a side suit each opponent must follow before he can ruff
    ruffs_left, ruffs_right = False, False
    if trump < 4:
        lh, rh = lane(left_hand, trump), lane(right_hand, trump)
        if lh | rh != _NONE:
            m, p = lane(mine, trump), lane(his, trump)
            drawn = count_bits(m & above(p | lh | rh))
            ruffs_left, ruffs_right = drawn < count_bits(lh), drawn < count_bits(rh)
            if ruffs_left or ruffs_right:  # one who follows longer may ruff after all
                ruffs_left, ruffs_right = lh != _NONE, rh != _NONE
    # a card of mine that partner wins
    safe = _ALL
    if ruffs_left:
        safe &= suits_of(left_hand) | whole_suit(trump)
    if ruffs_right:
        safe &= suits_of(right_hand) | whole_suit(trump)
    over = first & his & suits_of(mine) & safe
    if over == _NONE:
        over = second & his & suits_of(first & mine) & safe
        over &= suits_of(mine ^ tops(mine)) & suits_of(his ^ tops(his))
        if ruffs_left:
            over &= suits_of(left_hand ^ tops(left_hand))
        if ruffs_right:
            over &= suits_of(right_hand ^ tops(right_hand))
    over = over & (_NONE - over)
    mattered = _NONE
    total, side = 0, 0
    most_side = _MANY
    if ruffs_left or ruffs_right:  # who has only trumps left must ruff partner's winner
        longer = max(count_bits(lane(mine, trump)), count_bits(lane(his, trump)))
        most_side = level.left - longer
    for i in range(5 if trump < 4 else 4):
        # trumps first: what is drawn counts
        suit = trump if i == 0 else i - 1
        if trump == 4:
            suit = i
        elif i > 0 and suit == trump:
            continue
        m, p = lane(mine, suit), lane(his, suit)
        if m | p == _NONE:
            continue
        lh, rh = lane(left_hand, suit), lane(right_hand, suit)
        long_m, long_p, long_l, long_r = (
            count_bits(m),
            count_bits(p),
            count_bits(lh),
            count_bits(rh),
        )
        mine_on_top = m & above(p | lh | rh)
        n = count_bits(mine_on_top)
        rounds = _MANY
        if suit != trump:
            if ruffs_left:
                rounds = long_l
            if ruffs_right:
                rounds = min(rounds, long_r)
        count = n
        if rounds == _MANY and n >= max(long_p, long_l, long_r):
            count = long_m
        cards = mine_on_top
        if over != _NONE:
            his_on_top = p & above((m ^ mine_on_top) | lh | rh)
            together = n + max(0, min(count_bits(his_on_top), long_p - n))
            if rounds == _MANY and together > n and together >= max(long_l, long_r, long_m):
                together = max(together, long_p)
            if min(together, rounds) > min(count, rounds):
                count = together
                cards |= his_on_top
                mattered |= over
        count = min(count, rounds)
        if count > 0:
            if p | lh | rh != _NONE:
                mattered |= cards << np.uint64(suit << 4)
            if suit == trump or trump == 4:
                total += count
            else:
                side += count
            if total + min(side, most_side) >= wanted:
                return True, mattered
    if trump < 4 and wanted == 1:
        return ruffed_by_partner(mine, his, left_hand, right_hand, trump)
    return False, _NONE


@helper
def ruffed_by_partner(mine, his, left_hand, right_hand, trump):
    """Whether partner can ruff a card that the leader has, and nobody ruffs higher."""
    ruff = lane(his, trump)
    if ruff == _NONE:
        return False, _NONE
    highest = top(ruff)
    for suit in range(4):
        if suit != trump and lane(mine, suit) != _NONE and lane(his, suit) == _NONE:
            higher = _NONE
            if lane(left_hand, suit) == _NONE:
                higher |= lane(left_hand, trump)
            if lane(right_hand, suit) == _NONE:
                higher |= lane(right_hand, trump)
            if higher & (highest - np.uint64(1)) == _NONE:
                if higher == _NONE:
                    return True, _NONE
                return True, highest << np.uint64(trump << 4)
    return False, _NONE


@helper
def high_trumps(one, other, opponents, trump, wanted):
    """Whether the trumps of two hands take `wanted` tricks whatever is played.

    Each round costs a hand one card at most, and is won by one of the top trumps.
    """
    a, b, enemy = lane(one, trump), lane(other, trump), lane(opponents, trump)
    highest = (a | b) & above(enemy)
    if min(count_bits(highest), max(count_bits(a), count_bits(b))) < wanted:
        return False, _NONE
    if enemy == _NONE:
        return True, _NONE
    for _ in range(wanted - 1):
        highest = without_lowest(highest)
    return True, top(highest) << np.uint64(trump << 4)


@helper
def defence_tricks(hands, level, trump, wanted):
    """Whether the side that is not on lead gets `wanted` tricks whatever is played."""
    leader = level.leader
    ours = hands[leader] | hands[leader ^ 2]
    one, other = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    if trump < 4 and lane(level.every, trump) != _NONE:
        enough, mattered = high_trumps(one, other, ours, trump, wanted)
        if enough or wanted > 1:
            return enough, mattered
        # the second highest, guarded, behind the highest
        second = lane(level.second, trump)
        if second & lane(one, trump) != _NONE and count_bits(lane(one, trump)) > 1:
            enough = lane(level.first & hands[leader], trump) != _NONE
        elif second & lane(other, trump) != _NONE and count_bits(lane(other, trump)) > 1:
            enough = lane(level.first & hands[leader ^ 2], trump) != _NONE
        return enough, second << np.uint64(trump << 4)
    # without trumps: the suits in which the side on lead is highest must last for all tricks
    rounds = 0
    for suit in range(4):
        if lane(level.first & ours, suit) != _NONE:
            a, b = lane(hands[leader], suit), lane(hands[leader ^ 2], suit)
            rounds += max(count_bits(a), count_bits(b))
    if rounds + wanted > level.left:
        return False, _NONE
    led = level.first & ~ours & suits_of(ours)
    if wanted == 1:
        return True, led
    # then one who has the highest card of the next suit gets in, and goes on with all his tops
    mattered = led
    if led & one != _NONE:
        enough, cards = has_tops(one, ours | other, wanted)
        if not enough:
            return False, _NONE
        mattered |= cards
    if led & other != _NONE:
        enough, cards = has_tops(other, ours | one, wanted)
        if not enough:
            return False, _NONE
        mattered |= cards
    return True, mattered


@helper
def has_tops(hand, others, wanted):
    """Whether a hand has so many cards that are higher than all others of their suits."""
    count, mattered = 0, _NONE
    for suit in range(4):
        rest = lane(others, suit)
        cards = lane(hand, suit) & above(rest)
        count += count_bits(cards)
        if rest != _NONE:
            mattered |= cards << np.uint64(suit << 4)
        if count >= wanted:
            return True, mattered
    return False, _NONE


@helper
def second_hand_wins(hands, level, led, trump, wanted):
    """Whether the side that plays second takes the trick and has `wanted` tricks with it.

    `led` is the card that was led, which the leader no longer holds.
    """
    leader = level.leader
    suit = led >> 4
    second, fourth = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    third = lane(hands[leader ^ 2], suit)
    a, b = lane(second, suit), lane(fourth, suit)
    if trump < 4 and suit != trump:
        if third == _NONE and lane(hands[leader ^ 2], trump) != _NONE:
            return False, _NONE
        if a == _NONE and lane(second, trump) != _NONE:
            return wanted <= 1, _NONE
        if b == _NONE and lane(fourth, trump) != _NONE:
            return wanted <= 1, _NONE
    over = third | np.uint64(1) << np.uint64(led & 15)
    best = top((a | b) & above(over))
    if best == _NONE:
        return False, _NONE
    mattered = best << np.uint64(suit << 4)
    if wanted <= 1:
        return True, mattered
    # the winner goes on with the top cards that he has, with trumps about with top trumps
    hand, others = second, fourth
    if best & a == _NONE:
        hand, others = fourth, second
    others |= hands[leader] | hands[leader ^ 2] | bit(led)
    count = 0 if trump == 4 or suit == trump else 1
    for other in range(4):
        if trump < 4 and other != trump:
            continue
        rest = lane(others, other)
        cards = lane(hand, other) & above(rest)
        count += count_bits(cards)
        if other == suit and cards == _NONE:
            count += 1
        if rest != _NONE:
            mattered |= cards << np.uint64(other << 4)
        if count >= wanted:
            return True, mattered
    return False, _NONE
