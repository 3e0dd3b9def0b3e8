"""Dealing: all cards, and those that a player cannot see, exactly uniformly over what can be.

Each of the three other players has so many cards, and may hold some of those that are out. Cards
that the same players may hold are alike: how many of them each gets is drawn by the number of
deals that have it so, then which.
"""

from __future__ import annotations

from math import comb

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.random import random_below, random_bits


def ways_table(n: int = 28) -> np.ndarray:
    """In how many ways k of n cards can be taken, by n and k."""
    return np.array([[comb(i, k) for k in range(n)] for i in range(n)], np.int64)


@helper
def take(cards, k, rng):
    """Any k of the cards, each set as likely as another."""
    taken, left = np.uint64(0), np.int64(count_bits(cards))
    for _ in range(k):
        rest = cards
        for _ in range(random_below(rng, left)):
            rest = without_lowest(rest)
        card = bit(lowest_bit(rest))
        taken |= card
        cards ^= card
        left -= 1
    return taken


@helper
def below(total, rng):
    """A random number from 0 to total - 1, each exactly as likely as another; below 2^62."""
    whole = np.int64(1 << 62) // total * total
    while True:
        number = np.int64(random_bits(rng) >> np.uint64(2))
        if number < whole:
            return number % total


@helper
def share_out(hands, may_hold, player, ways, rng, deal):
    """Deal what a player cannot see anew, in place; how many deals there are.

    Without `deal` they are counted only.
    """
    a, b, c = (player + 1) & 3, (player + 2) & 3, (player + 3) & 3
    out = hands[a] | hands[b] | hands[c]
    may_a, may_b, may_c = may_hold[a] & out, may_hold[b] & out, may_hold[c] & out
    if out & ~(may_a | may_b | may_c):
        return np.int64(0)
    all_three, ab, ac, bc = (
        may_a & may_b & may_c,
        may_a & may_b & ~may_c,
        may_a & ~may_b & may_c,
        ~may_a & may_b & may_c,
    )
    own_a, own_b = may_a & ~may_b & ~may_c, ~may_a & may_b & ~may_c
    room_a = np.int64(count_bits(hands[a])) - np.int64(count_bits(own_a))
    room_b = np.int64(count_bits(hands[b])) - np.int64(count_bits(own_b))
    n, n_ab = np.int64(count_bits(all_three)), np.int64(count_bits(ab))
    n_ac, n_bc = np.int64(count_bits(ac)), np.int64(count_bits(bc))
    x = y = z = np.int64(0)
    total, chosen = np.int64(0), np.int64(-1)
    for attempt in range(2):  # first count, then go as far as the deal that was drawn
        sum_of = np.int64(0)
        for i in range((n_ab + 1) * (n_ac + 1) * (n_bc + 1)):
            x, y, z = i % (n_ab + 1), i // (n_ab + 1) % (n_ac + 1), i // ((n_ab + 1) * (n_ac + 1))
            more_a, more_b = room_a - x - y, room_b - (n_ab - x) - z
            if more_a < 0 or more_b < 0 or more_a + more_b > n:
                continue
            shared = ways[n_ab, x] * ways[n_ac, y] * ways[n_bc, z]
            sum_of += shared * ways[n, more_a] * ways[n - more_a, more_b]
            if sum_of > chosen and attempt == 1:
                break
        if attempt == 0:
            total = sum_of
            if total == 0 or not deal:
                return total
            chosen = below(total, rng)
    hand_a, hand_b = own_a, own_b
    more_a, more_b = room_a - x - y, room_b - (n_ab - x) - z
    part = take(ab, x, rng)
    hand_a |= part
    hand_b |= ab ^ part
    hand_a |= take(ac, y, rng)
    hand_b |= take(bc, z, rng)
    part = take(all_three, more_a, rng)
    hand_a |= part
    hand_b |= take(all_three ^ part, more_b, rng)
    hands[a], hands[b], hands[c] = hand_a, hand_b, out & ~(hand_a | hand_b)
    return total
