"""Which card to try first in the double dummy search: a weight for each, by who plays it when.

The situations are those that B. Haglund's DDS tells apart: the lead, second, third and fourth
hand, who follows and who does not, with trumps and without. Cheap wins come first, then low cards;
on lead, suits in which the opponents have few choices and the side's own top cards are together.

All words are top down (`topdown.py`), so a rank of 0 is the ace.
"""

from __future__ import annotations

import numpy as np

from playout.cards.topdown import above, lane, run_tops, top
from playout.compiled import helper
from playout.compiled.bits import count_bits, lowest_bit, without_lowest

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@helper
def insert(order, n, weight, card):
    """Put a card into the list of `n`, which is in falling order of weights; the new length."""
    item = (weight << 6) | card
    i = n
    while i > 0 and order[i - 1] < item:
        order[i] = order[i - 1]
        i -= 1
    order[i] = item
    return n + 1


@helper
def order_leads(order, hands, level, trump, killer, known):
    """List the cards of the leader, one of each run, the most promising first."""
    leader = level.leader
    mine, his = hands[leader], hands[leader ^ 2]
    left_hand, right_hand = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    every = level.every
    cards = run_tops(mine, every)
    trumps = trump < 4 and lane(every, trump) != _NONE
    n = 0
    for suit in range(4):
        rest = lane(cards, suit)
        if rest == _NONE:
            continue
        m, p = lane(mine, suit), lane(his, suit)
        lh, rh = lane(left_hand, suit), lane(right_hand, suit)
        long_l, long_r, long_p = count_bits(lh), count_bits(rh), count_bits(p)
        first, second = lane(level.first, suit), lane(level.second, suit)
        third = top(lane(every, suit) ^ first ^ second)
        choices = (long_l if long_l else level.left) + (long_r if long_r else level.left)
        base = -7 * choices
        partner_wins = p != _NONE and top(p) & above(lh | rh) != _NONE
        ruffed = False
        ruffs = False
        if trumps:
            base = -10 * choices
            if suit != trump:
                ruffed = lh == _NONE and lane(left_hand, trump) != _NONE
                ruffed = ruffed or (rh == _NONE and lane(right_hand, trump) != _NONE)
                ruffs = p == _NONE and lane(his, trump) != _NONE
                if ruffed:
                    base -= 12
                if ruffs and long_r > 0:
                    base += 17
                if count_bits(m) == 1 and lane(mine, trump) != _NONE and first & p != _NONE:
                    if long_p > 1:
                        base += 19
        elif long_p == 0:
            base -= 9
        lonely = (long_l == 1 and first & lh != _NONE) or (long_r == 1 and first & rh != _NONE)
        while rest:
            card_bit = top(rest)
            rest ^= card_bit
            low = count_bits(lane(every, suit) & (card_bit - _ONE)) + 1
            card = lowest_bit(card_bit)
            run = m & top(lane(every, suit) & ~((card_bit << _ONE) - _ONE))
            wins = (card_bit == first or partner_wins) and not ruffed
            if ruffs and not ruffed:
                wins = True
            weight = base
            if wins:
                if lonely:
                    weight += 35 + low
                elif first & m != _NONE:
                    if second & p != _NONE:
                        weight += 48 + low
                    elif card_bit == first:
                        weight += 31 if trumps else 45
                        if second & m != _NONE:
                            weight += 10
                    else:
                        weight += -3 + low
                elif first & p != _NONE:
                    weight += (42 if second & m != _NONE else 28) + low
                elif run != _NONE and card_bit == second:
                    weight += 40
                else:
                    weight += (22 if run != _NONE else 11) + low
                if not trumps:
                    if second & rh != _NONE and long_r > 1:
                        weight -= 1
                    elif second & lh != _NONE:
                        weight += 16
            else:
                if (first | second) & rh != _NONE:
                    if long_r != 1:
                        weight -= 10
                elif first & lh != _NONE and second & p != _NONE and long_p != 1:
                    weight += 30
                if second & p != _NONE and third & p != _NONE:
                    weight += 20 if trumps else 35
                elif long_p > 1 and (
                    (second & m != _NONE and third & p != _NONE)
                    or (second & p != _NONE and third & m != _NONE)
                ):
                    weight += 13 if trumps else 25
                if lonely:
                    weight += low + (2 if trumps else 28)
                elif first & m != _NONE:
                    if card_bit == first:
                        weight += 38
                    else:
                        weight += low - 15
                elif run != _NONE and card_bit == second:
                    weight += 40
                else:
                    weight += 12 + low
            card |= suit << 4
            if card == killer:
                weight += 100 if wins and not trumps else 50
            elif card == known:
                weight += 30
            n = insert(order, n, weight, card)
    return n


@helper
def order_follow(order, hands, level, ply, hand_number, trump):
    """List the cards with which a hand follows suit or does not, one of each run."""
    player = (level.leader + hand_number) & 3
    mine = hands[player]
    led = ply.led
    follow = mine & (np.uint64(0xFFFF) << np.uint64(led << 4))
    if follow != _NONE:
        cards = run_tops(follow, level.every)
        if without_lowest(cards) == _NONE:
            order[0] = lowest_bit(cards)
            return 1
        if hand_number == 1:
            return second_follows(order, cards, hands, level, ply, trump)
        if hand_number == 2:
            return third_follows(order, cards, hands, level, ply, trump)
        return fourth_follows(order, cards, ply)
    return order_discards(order, hands, level, ply, hand_number, trump)


@helper
def second_follows(order, cards, hands, level, ply, trump):
    leader, led = level.leader, ply.led
    third, partner = lane(hands[leader ^ 2], led), lane(hands[(leader + 3) & 3], led)
    lead_bit = _ONE << np.uint64(ply.best & 15)
    against = third | lead_bit
    ruff3, ruff4 = False, False
    if trump < 4 and led != trump:
        ruff3 = third == _NONE and lane(hands[leader ^ 2], trump) != _NONE
        ruff4 = partner == _NONE and lane(hands[(leader + 3) & 3], trump) != _NONE
    partner_wins = not ruff3 and (ruff4 or partner & above(against) != _NONE)
    if ruff3 and ruff4:
        over = lane(hands[leader ^ 2], trump)
        partner_wins = lane(hands[(leader + 3) & 3], trump) & above(over) != _NONE
    rest = cards >> np.uint64(led << 4)
    n = 0
    while rest:
        card_bit = top(rest)
        rest ^= card_bit
        rank = 12 - lowest_bit(card_bit)
        if partner_wins:
            weight = -rank
        elif not ruff3 and card_bit & above(against) != _NONE:
            weight = 80 - rank
        elif card_bit > third or card_bit > partner or card_bit > lead_bit:
            weight = -rank
        else:
            weight = 13 - rank
        n = insert(order, n, weight, lowest_bit(card_bit) | led << 4)
    return n


@helper
def third_follows(order, cards, hands, level, ply, trump):
    leader, led = level.leader, ply.led
    fourth = lane(hands[(leader + 3) & 3], led)
    rest = cards >> np.uint64(led << 4)
    best_bit = _ONE << np.uint64(ply.best & 15)
    # second hand ruffed, or partner's card is already enough
    low = ply.best >> 4 != led
    low = low or (ply.best_seat == leader and best_bit & above(fourth) != _NONE)
    force = _NONE
    if not low:
        highest = top(fourth)
        below = fourth ^ highest
        if ply.best_seat != leader:
            below |= best_bit
        # the cheapest card that only the highest of fourth hand beats
        force = rest & above(below)
    n = 0
    while rest:
        card_bit = top(rest)
        rest ^= card_bit
        rank = 12 - lowest_bit(card_bit)
        weight = -rank
        if not low:
            if card_bit & above(best_bit) != _NONE and card_bit & above(fourth) != _NONE:
                weight += 60
            elif force & card_bit != _NONE and force & ~((card_bit << _ONE) - _ONE) == _NONE:
                weight += 20
        n = insert(order, n, weight, lowest_bit(card_bit) | led << 4)
    return n


@helper
def fourth_follows(order, cards, ply):
    led = ply.led
    best_bit = _ONE << np.uint64(ply.best & 15)
    low = ply.best >> 4 != led or ((ply.best_seat ^ ply.seat) & 1) == 0
    rest = cards >> np.uint64(led << 4)
    n = 0
    while rest:
        card_bit = top(rest)
        rest ^= card_bit
        weight = lowest_bit(card_bit) - 12
        if not low and card_bit < best_bit:
            weight += 30
        n = insert(order, n, weight, lowest_bit(card_bit) | led << 4)
    return n


@helper
def order_discards(order, hands, level, ply, hand_number, trump):
    """List the cards of a hand that has none of the suit that was led."""
    leader, led = level.leader, ply.led
    player = (leader + hand_number) & 3
    mine = hands[player]
    cards = run_tops(mine, level.every)
    partner_best = ((ply.best_seat ^ player) & 1) == 0
    best_bit = _ONE << np.uint64(ply.best & 15)
    ruffing = trump < 4 and led != trump and lane(mine, trump) != _NONE
    discard, ruff = 0, 0
    over = _NONE  # trumps that may come after
    if ruffing:
        if hand_number == 1:
            third, partner = lane(hands[leader ^ 2], led), lane(hands[(leader + 3) & 3], led)
            against = third | best_bit
            wins = partner & above(against) != _NONE
            if partner == _NONE and lane(hands[(leader + 3) & 3], trump) != _NONE:
                wins = True
            if third == _NONE:
                over = lane(hands[leader ^ 2], trump)
                wins = wins and over == _NONE
            discard, ruff = (60, 24) if wins else (-2, 24)
        elif hand_number == 2:
            fourth = lane(hands[(leader + 3) & 3], led)
            if fourth == _NONE:
                over = lane(hands[(leader + 3) & 3], trump)
            if partner_best:
                sure = over == _NONE and best_bit & above(fourth) != _NONE
                discard, ruff = (0, -50) if sure else (0, 40)
            else:
                discard, ruff = 0, 60
        elif partner_best:
            discard, ruff = 25, 2
        else:
            discard, ruff = 14, 40
    n = 0
    for suit in range(4):
        rest = lane(cards, suit)
        if rest == _NONE:
            continue
        m = lane(mine, suit)
        length = count_bits(m)
        is_ruff = ruffing and suit == trump
        worth = 8 * length // 3
        if length == 2 and lane(level.second, suit) & m != _NONE:
            worth -= 4
        elif length == 1 and lane(level.first, suit) & m != _NONE:
            worth -= 6
        while rest:
            card_bit = top(rest)
            rest ^= card_bit
            card = lowest_bit(card_bit)
            weight = card - 12
            if is_ruff:
                if ply.best >> 4 == trump and card_bit > best_bit:
                    weight -= 30
                else:
                    weight += ruff
                    if card_bit & above(over) == _NONE:
                        weight -= 12
            else:
                weight += discard + worth
            n = insert(order, n, weight, card | suit << 4)
    return n
