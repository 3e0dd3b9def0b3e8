"""Tricks by plain minimax over sets of card numbers: it shares no code with the solver."""

from __future__ import annotations

from functools import cache


def naive_tricks(hands, leader, trick=(), trump=4) -> int:
    """How many tricks seats 0 and 2 get of those left, the one under way included."""
    sets = []
    for hand in hands:
        sets.append(frozenset(card for card in range(64) if int(hand) >> card & 1))
    return _value(tuple(sets), int(leader), tuple(int(card) for card in trick), int(trump))


def winner(leader: int, trick: tuple[int, ...], trump: int) -> int:
    """The seat that has won a whole trick."""
    suit = trick[0] // 16
    strength = [
        (2 if card // 16 == trump else 1 if card // 16 == suit else 0, card) for card in trick
    ]
    return (leader + strength.index(max(strength))) % 4


@cache
def _value(hands, leader, trick, trump) -> int:
    if len(trick) == 4:
        seat = winner(leader, trick, trump)
        return (seat % 2 == 0) + _value(hands, seat, (), trump)
    player = (leader + len(trick)) % 4
    hand = hands[player]
    if not hand:
        return 0
    legal = {card for card in hand if trick and card // 16 == trick[0] // 16} or hand
    values = []
    for card in legal:
        after = tuple(held - {card} if seat == player else held for seat, held in enumerate(hands))
        values.append(_value(after, leader, (*trick, card), trump))
    return max(values) if player % 2 == 0 else min(values)
