"""Where the play of a Bridge hand stands: a deal of which some hands may be hidden, the contract,
the cards played; and the worlds that fit what the player to move has seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playout.cards.deal import DECK, HAND, SEAT_NAMES, SEATS, Contract, Deal, hands_text
from playout.cards.dealing import HandRanges, check_deal, sample_hands
from playout.cards.deck import card_name, suit_mask
from playout.cards.played import Table, follow
from playout.compiled import wrapping
from playout.compiled.random import stream_of
from playout.compiled.records import mix
from playout.errors import DataError, OptionError
from playout.games.bridge import DECLARER, Bridge
from playout.worlds.draw_worlds import all_bridge_worlds, draw_worlds


@dataclass(frozen=True)
class Situation:
    """A hand under way: the game of it, and its position with hidden hands filled in at random.

    `hidden` are the seats of which nothing but the cards played is known.
    """

    deal: Deal
    game: Any  # a Bridge, whose methods are compiled ones and have no types
    position: np.ndarray
    hidden: tuple[int, ...]

    @property
    def contract(self) -> Contract:
        assert self.deal.contract is not None
        return self.deal.contract

    @property
    def seat(self) -> int:
        """Whose card is next."""
        state = self.position[0]
        return int(state.leader + state.count) % 4

    @property
    def player(self) -> int:
        """Who decides which card is played."""
        return int(self.game.turn(self.position[0]))

    def is_over(self) -> bool:
        return int(self.position[0].left) == 0

    def standing(self) -> str:
        """The first line that is said of it."""
        state = self.position[0]
        if self.is_over():
            return f"{self.contract} by {SEAT_NAMES[self.game.seat]}: all cards are played"
        return (
            f"{SEAT_NAMES[self.seat]} to play, {self.contract} by {SEAT_NAMES[self.game.seat]}, "
            f"{state.won[0]} of {self.game.goal} tricks, {state.left} left"
        )

    def certain(self) -> str:
        """Whether the contract is certain: "made", "lost" or empty."""
        state = self.position[0]
        if state.won[0] >= self.game.goal:
            return "made"
        return "lost" if state.won[0] + state.left < self.game.goal else ""


def situation(deal: Deal, seed: int = 0) -> Situation:
    """The situation of a deal with contract, declarer and the cards played so far.

    Refuses, in one line, what cannot be: no contract, cards that were not legal, hands that must be
    known and are hidden.
    """
    if deal.contract is None:
        raise DataError("there is no contract: give --contract, such as 3NT")
    if deal.declarer is None:
        raise DataError("declarer is not known: give --by N, E, S or W")
    table = follow(deal, deal.play, deal.contract, deal.declarer)
    hidden = tuple(seat for seat in range(4) if deal.hands[seat] is None)
    if deal.play and (dummy := (deal.declarer + 2) % 4) in hidden:
        raise DataError(f"dummy's hand, {SEAT_NAMES[dummy]}, is hidden after the lead")
    if table.cards < 4 * HAND:
        needs = {table.seat}
        if table.seat % 2 == deal.declarer % 2:
            needs |= {deal.declarer, (deal.declarer + 2) % 4}
        for seat in sorted(needs & set(hidden)):
            raise DataError(f"{SEAT_NAMES[seat]} is to play or decides, but that hand is hidden")
    whole = _filled(deal, hidden, seed)
    game = Bridge(str(deal.contract).rstrip("X"), SEATS[deal.declarer], deal=hands_text(whole))
    position = game.root()
    for card in deal.play:
        game.play_move(position[0], game.parse_move(position[0], card_name(card)))
    return Situation(deal, game, position, hidden)


def _filled(deal: Deal, hidden: tuple[int, ...], seed: int) -> list[int]:
    """All hands at the start, those that are hidden filled in with what fits the play."""
    hands = [int(hand or 0) for hand in deal.hands]
    if not hidden:
        return hands
    assert deal.contract is not None
    assert deal.declarer is not None
    table = Table(deal.contract.strain, (deal.declarer + 1) % 4)
    may_hold = [DECK] * 4
    for card in deal.play:
        seat = table.seat
        if table.trick and table.trick[0] >> 4 != card >> 4:
            may_hold[seat] &= ~int(suit_mask(table.trick[0] >> 4))
        if seat in hidden:
            hands[seat] |= 1 << card
        table.play(card)
    pool = DECK
    for hand in hands:
        pool &= ~hand
    sizes = np.array(
        [HAND - hands[seat].bit_count() if seat in hidden else 0 for seat in range(4)], np.int64
    )
    held = np.array(hands, np.uint64)
    with wrapping():
        rng = np.array([stream_of(np.uint64(seed), 0)], np.uint64)
        found = sample_hands(
            rng, np.uint64(pool), sizes, np.array(may_hold, np.uint64), held, HandRanges()
        )
    return [hand | int(more) for hand, more in zip(hands, found)]


def worlds_of(
    place: Situation, count: int, seed: int, ranges: Any = None
) -> tuple[np.ndarray, bool]:
    """So many worlds for the player to move, an array of states; whether they are all there are."""
    if ranges is None:
        return draw_worlds(place.game, place.position, count, seed)
    game, position, player = place.game, place.position, place.player
    state = position[0]
    with wrapping():
        sizes = np.array(game.unknown_cards(state, player), np.int64)
        pool = np.uint64(0)
        for seat in range(4):
            if sizes[seat]:
                pool |= state.hands[seat]
        held = _held(place)
        every = all_bridge_worlds(game, position, player, count)
        if every is not None:
            fits = [
                i
                for i, world in enumerate(every)
                if all(
                    not sizes[seat] or ranges.fits(seat, held[seat] | world.hands[seat])
                    for seat in range(4)
                )
            ]
            if not fits:
                raise DataError(f"none of the {len(every)} deals that fit has {ranges.text()}")
            return every[fits], True
        check_deal(int(pool), sizes, state.may_hold)
        states = np.repeat(position, count, axis=0)
        own = mix(mix(np.uint64(seed)) ^ np.uint64(game.view(state, player)))
        for i in range(count):
            rng = np.array([stream_of(own, i)], np.uint64)
            hands = sample_hands(rng, pool, sizes, state.may_hold, held, ranges)
            for seat in range(4):
                if sizes[seat]:
                    states[i].hands[seat] = hands[seat]
    return states, False


def _held(place: Situation) -> np.ndarray:
    """The cards that each seat has played."""
    assert place.deal.contract is not None
    table = Table(place.game.trump, (place.game.seat + 1) % 4)
    held = np.zeros(4, np.uint64)
    for card in place.deal.play:
        held[table.seat] |= np.uint64(1 << card)
        table.play(card)
    return held


def read_ranges(points: list[str], lengths: list[str], place: Situation) -> HandRanges | None:
    """The ranges of --hcp and --length; None if none is given."""
    if not points and not lengths:
        return None
    ranges = HandRanges.parse(points, lengths)
    for text in (*points, *lengths):
        seat = "NESW".index(text.strip()[0].upper())
        if place.game.sees(place.position[0], place.player, seat):
            raise OptionError(
                f"{text!r}: {SEAT_NAMES[seat]}'s hand is seen by the player to move, not guessed"
            )
    return ranges


def with_card(place: Situation, card: int) -> Situation:
    """The situation after another card."""
    position = place.position.copy()
    place.game.play_move(position[0], place.game.parse_move(position[0], card_name(card)))
    deal = replace(place.deal, play=(*place.deal.play, card))
    return replace(place, deal=deal, position=position)


def is_declarer(place: Situation) -> bool:
    """Whether declarer is to move, for himself or for dummy."""
    return place.player == DECLARER
