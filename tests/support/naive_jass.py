"""Jass once more, with sets of names and no bits: what the compiled rules are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

RANKS = "6789TJQKA"
DECK = [suit + rank for suit in "SHDC" for rank in RANKS]
TRUMPS = ["6", "7", "8", "T", "Q", "K", "A", "9", "J"]  # from the lowest
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def points_of(card: str, trump: str) -> int:
    if card[0] == trump and card[1] in "J9":
        return {"J": 20, "9": 14}[card[1]]
    return POINTS.get(card[1], 0)


def takes(card: str, best: str, trump: str) -> bool:
    """Whether a card takes the trick from the best one before it."""
    if card[0] == best[0] == trump:
        return TRUMPS.index(card[1]) > TRUMPS.index(best[1])
    if card[0] == best[0]:
        return RANKS.index(card[1]) > RANKS.index(best[1])
    return card[0] == trump


class Turn:
    """A turn of nine tricks from four hands, sets of names."""

    def __init__(self, hands: list[set[str]], trump: str, leader: int) -> None:
        self.hands = [set(hand) for hand in hands]
        self.trump, self.player = trump, leader
        self.trick: list[tuple[int, str]] = []
        self.points, self.tricks = [0, 0], [0, 0]

    def best(self) -> tuple[int, str]:
        best = self.trick[0]
        for played in self.trick[1:]:
            if takes(played[1], best[1], self.trump):
                best = played
        return best

    def legal(self) -> set[str]:
        hand = self.hands[self.player]
        if not self.trick:
            return set(hand)
        led = self.trick[0][1][0]
        trumps = {card for card in hand if card[0] == self.trump}
        if led == self.trump:
            return set(hand) if trumps <= {self.trump + "J"} else trumps
        follow = {card for card in hand if card[0] == led}
        on_table = [card for _, card in self.trick if card[0] == self.trump]
        cuts = {
            card for card in trumps if all(takes(card, other, self.trump) for other in on_table)
        }
        legal = cuts | follow if follow else cuts | (hand - trumps)
        return legal or set(hand)

    def play(self, card: str) -> None:
        assert card in self.legal()
        self.hands[self.player].remove(card)
        self.trick.append((self.player, card))
        self.player = (self.player + 1) % 4
        if len(self.trick) == 4:
            winner = self.best()[0]
            self.points[winner % 2] += sum(points_of(card, self.trump) for _, card in self.trick)
            self.tricks[winner % 2] += 1
            if not any(self.hands):
                self.points[winner % 2] += 5
                for team in range(2):
                    self.points[team] += 100 * (self.tricks[team] == 9)
            self.player, self.trick = winner, []


def worlds(hands: list[set[str]], player: int) -> Iterator[list[set[str]]]:
    """Every way to share the cards out that a player does not hold, sizes as they are."""
    others = [seat for seat in range(4) if seat != player]
    out = sorted(set().union(*(hands[seat] for seat in others)))
    a, b, c = others
    for first in combinations(out, len(hands[a])):
        rest = [card for card in out if card not in first]
        for second in combinations(rest, len(hands[b])):
            found = [set(hand) for hand in hands]
            found[a], found[b], found[c] = set(first), set(second), set(rest) - set(second)
            yield found
