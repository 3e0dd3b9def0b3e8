"""Bridge endings by rules of their own, over sets of cards, as trees of all that can happen."""

from __future__ import annotations

import random
from collections.abc import Sequence

from playout.worlds.positions import MAX, MIN
from tests.support.world_trees import Node, leaf

Card = tuple[int, int]  # suit, rank
Hands = tuple[frozenset[Card], ...]  # declarer, left, dummy, right


def winner(trick: Sequence[Card], trump: int) -> int:
    """Which card of a trick wins."""
    trumps = [i for i, (suit, _) in enumerate(trick) if suit == trump]
    follow = [i for i, (suit, _) in enumerate(trick) if suit == trick[0][0]]
    return max(trumps or follow, key=lambda i: trick[i][1])


def legal(hand: frozenset[Card], trick: Sequence[Card]) -> set[Card]:
    follow = {card for card in hand if trick and card[0] == trick[0][0]}
    return follow or set(hand)


def ending_tree(
    worlds: list[Hands],
    leader: int,
    need: int,
    trump: int,
    trick: tuple[Card, ...] = (),
    possible: int = -1,
) -> Node:
    """The tree of an ending for declarer, who needs so many tricks; worlds are bits."""
    every = (1 << len(worlds)) - 1 if possible < 0 else possible
    if len(trick) == 4:
        leader = (leader + winner(trick, trump)) % 4
        need -= leader % 2 == 0
        trick = ()
    seat = (leader + len(trick)) % 4
    there = [i for i in range(len(worlds)) if every >> i & 1]
    if not trick and not worlds[there[0]][0]:
        return leaf(every if need <= 0 else 0)
    cards: dict[Card, int] = {}
    for i in there:
        for card in legal(worlds[i][seat], trick):
            cards[card] = cards.get(card, 0) | 1 << i
    children = []
    for card, where in sorted(cards.items()):
        after = [
            tuple(hand - {card} if s == seat else hand for s, hand in enumerate(world))
            if where >> i & 1
            else world
            for i, world in enumerate(worlds)
        ]
        children.append((where, ending_tree(after, leader, need, trump, (*trick, card), where)))
    return Node(MIN if seat % 2 else MAX, children)


def random_ending(rng: random.Random, cards: int, worlds: int) -> list[Hands]:
    """Worlds in which declarer and dummy hold the same cards, and the defenders share the rest."""
    deck = [(suit, rank) for suit in range(3) for rank in range(6)]
    chosen = rng.sample(deck, 4 * cards)
    mine, dummy, rest = chosen[:cards], chosen[cards : 2 * cards], chosen[2 * cards :]
    found = []
    for _ in range(worlds):
        rng.shuffle(rest)
        hands = (mine, rest[:cards], dummy, rest[cards:])
        found.append(tuple(frozenset(hand) for hand in hands))
    return found
