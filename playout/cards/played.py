"""The cards of a deal as they were played: who played each, and whether that was legal.

Of a hand that is not known only what play itself shows can be told: a card twice, a card of
another's hand, a suit followed after it was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from playout.cards.deal import (
    HAND,
    SEAT_NAMES,
    SUIT_NAMES,
    Contract,
    Deal,
)
from playout.cards.deck import card_name, suit_mask
from playout.cards.tricks import winner_of
from playout.errors import DataError


@dataclass
class Table:
    """Where the play stands: who is on turn, the trick under way, the tricks won by each side."""

    trump: int
    leader: int
    trick: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=lambda: [0, 0])  # north and south; east and west
    cards: int = 0  # played so far

    @property
    def seat(self) -> int:
        """Who plays the next card."""
        return (self.leader + len(self.trick)) % 4

    def play(self, card: int) -> None:
        """Put a card on the table; the fourth ends the trick."""
        self.trick.append(card)
        self.cards += 1
        if len(self.trick) == 4:
            self.leader = (self.leader + winner_of(self.trick, 4, self.trump)) % 4
            self.won[self.leader % 2] += 1
            self.trick = []


def follow(deal: Deal, cards: Sequence[int], contract: Contract, declarer: int) -> Table:
    """Play cards by the rules; DataError at the first that is not legal.

    `deal.hands` are those at the start.
    """
    table = Table(contract.strain, (declarer + 1) % 4)
    hands = list(deal.hands)
    played = 0
    shown_out = [0, 0, 0, 0]  # suits that a seat has not followed, as cards
    count = [0, 0, 0, 0]
    for number, card in enumerate(cards, 1):
        seat, bit = table.seat, 1 << card
        where = f"card {number}, {card_name(card)} of {SEAT_NAMES[seat]}"
        if played & bit:
            raise DataError(f"{where}: it was played before")
        hand = hands[seat]
        if hand is not None and not hand & bit:
            raise DataError(f"{where}: {SEAT_NAMES[seat]} does not hold it")
        for other in range(4):
            if other != seat and (hands[other] or 0) & bit:
                raise DataError(f"{where}: {SEAT_NAMES[other]} holds it")
        if hand is None and (shown_out[seat] & bit or count[seat] == HAND):
            raise DataError(f"{where}: {SEAT_NAMES[seat]} can hold none of that suit any more")
        if table.trick and table.trick[0] >> 4 != card >> 4:
            suit = table.trick[0] >> 4
            whole = int(suit_mask(suit))
            if hand is not None and hand & whole & ~played:
                raise DataError(f"{where}: {SEAT_NAMES[seat]} has {SUIT_NAMES[suit]} to follow")
            shown_out[seat] |= whole
        played |= bit
        count[seat] += 1
        table.play(card)
    return table


def order_of_play(rows: Sequence[Sequence[int | None]], trump: int) -> tuple[int, ...]:
    """The cards in the order of play from rows of a trick each, columns by seat from the leader.

    None is a card that was not played. DataError where one is missing before another.
    """
    cards: list[int] = []
    leads = 0  # the column that leads
    ended = False
    for row in rows:
        trick: list[int] = []
        for i in range(4):
            place = (leads + i) % 4
            card = row[place] if place < len(row) else None
            if card is None:
                ended = True
            elif ended:
                raise DataError(f"a card is missing before {card_name(card)}, which came after it")
            else:
                trick.append(card)
        cards += trick
        if len(trick) == 4:
            leads = (leads + winner_of(trick, 4, trump)) % 4
    return tuple(cards)
