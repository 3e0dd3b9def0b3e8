"""A Bridge table for people: the hands around it as text and SVG, and positions in one line.

A position is the hands at its start and the cards played since, `N:... ... ... ... / SK S2 S5 SA`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from playout.cards.deal import SEAT_NAMES, SEATS, hands_text, read_cards, read_hand, short
from playout.cards.deck import RANKS, SUITS, card_name, cards_in
from playout.cards.tricks import winner_of
from playout.errors import DataError

if TYPE_CHECKING:
    from playout.games.bridge import Bridge

_SIGNS, _COLOURS = "♠♥♦♣", ("#222", "#b3403a", "#b3403a", "#222")
_COLUMN = 18  # characters of a hand
_PLACES = ((190, 20), (360, 150), (190, 280), (20, 150))  # of the hands in the picture
_FIRST = 18  # from the sign of a suit to its first card


def cards_played(state: Any) -> list[int]:
    """The cards in the order of play."""
    return [int(card) for card in state.played if card >= 0]


def hands_at_start(game: Bridge, state: Any) -> list[int]:
    """The hands before the first card was played."""
    hands = [int(hand) for hand in state.hands]
    leader = (game.seat + 1) & 3
    cards = cards_played(state)
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        for i, card in enumerate(trick):
            hands[(leader + i) % 4] |= 1 << card
        leader = (leader + winner_of(trick, len(trick), game.trump)) % 4
    return hands


# one line


def position_line(game: Bridge, state: Any) -> str:
    """The position in one line."""
    cards = " ".join(card_name(card) for card in cards_played(state))
    return hands_text(hands_at_start(game, state)) + (f" / {cards}" if cards else "")


def read_line(game: Bridge, text: str) -> np.ndarray:
    """The position of such a line, its cards played by the rules."""
    hands_part, _, cards = text.partition("/")
    first, colon, rest = hands_part.strip().partition(":")
    words = rest.split()
    if not colon or first.strip().upper() not in tuple(SEATS) or len(words) != 4:
        raise DataError(f"{short(text)} is no position: four hands, as N:QJ6.K652.J85.T98 ...")
    states = game.new_states(1)
    state = states[0]
    seat, seen = SEATS.index(first.strip().upper()), 0
    for i, word in enumerate(words):
        hand = read_hand(word) or 0
        if hand.bit_count() != game.tricks or seen & hand:
            whose = SEAT_NAMES[(seat + i) % 4]
            raise DataError(
                f"{short(text)} is no position: {whose} has {hand.bit_count()} cards, and should "
                f"have {game.tricks} that no other hand has"
            )
        seen |= hand
        state.hands[(seat + i) % 4] = hand
    game._begin(state)
    for card in read_cards(cards):
        game.play_move(state, game.parse_move(state, card_name(card)))
    return states


# pictures


def draw_text(game: Bridge, state: Any, shown: list[bool]) -> str:
    """The hands around the table; those that are not `shown` as a number of cards."""
    blocks = [_hand_block(game, state, seat, shown[seat]) for seat in range(4)]
    pad = " " * _COLUMN
    lines = [pad + line for line in blocks[0]]
    centre = _centre(state)
    for i, (west, east) in enumerate(zip(blocks[3], blocks[1])):
        lines.append(f"{west:<{_COLUMN}}{centre[i]:<{_COLUMN}}{east}")
    lines += [pad + line for line in blocks[2]]
    return "\n".join(line.rstrip() for line in [*lines, _status(game, state)])


def _hand_block(game: Bridge, state: Any, seat: int, shown: bool) -> list[str]:
    role = {0: " (declarer)", 2: " (dummy)"}.get((seat - game.seat) % 4, "")
    hand = int(state.hands[seat])
    mark = ">" if state.left and seat == (state.leader + state.count) % 4 else " "
    if not shown:
        return [f"{mark}{SEAT_NAMES[seat]}{role}", f"  {hand.bit_count()} cards", "", "", ""]
    suits = [f"  {suit} {_ranks(hand, i)}" for i, suit in enumerate(SUITS)]
    return [f"{mark}{SEAT_NAMES[seat]}{role}", *suits]


def _of_suit(hand: int, suit: int) -> list[int]:
    """The cards of a suit, from the highest."""
    return [card for card in reversed(cards_in(hand)) if card >> 4 == suit]


def _ranks(hand: int, suit: int) -> str:
    return "".join(RANKS[card & 15] for card in _of_suit(hand, suit)) or "-"


def _on_table(state: Any) -> dict[int, int]:
    """The cards of the trick by seat."""
    cards, count = cards_played(state), int(state.count)
    return {(int(state.leader) + i) % 4: cards[len(cards) - count + i] for i in range(count)}


def _centre(state: Any) -> list[str]:
    names = {seat: card_name(card) for seat, card in _on_table(state).items()}
    return [
        "",
        f"   {names.get(0, '..')}",
        f"{names.get(3, '..')}    {names.get(1, '..')}",
        f"   {names.get(2, '..')}",
        "",
    ]


def _status(game: Bridge, state: Any) -> str:
    score = f"{game.contract} by {SEAT_NAMES[game.seat]}: {state.won[0]} of {game.goal} tricks"
    if not state.left:
        over = int(state.won[0]) - game.goal
        return f"{score}, " + (f"{-over} down" if over < 0 else f"made, {over} over")
    return f"{score}, {state.left} left, {SEAT_NAMES[(state.leader + state.count) % 4]} to play"


def draw_svg(game: Bridge, state: Any, shown: list[bool]) -> str:
    """The hands around a table with the trick on it, as an SVG picture.

    Those that are not `shown` are a number of cards.
    """
    parts = ['<rect x="190" y="135" width="140" height="110" rx="8" fill="#3f7d54"/>']
    for seat, (x, y) in enumerate(_PLACES):
        hand = int(state.hands[seat])
        parts.append(_text(x, y + 12, SEAT_NAMES[seat], "#555", 12))
        if not shown[seat]:
            parts.append(_text(x, y + 30, f"{hand.bit_count()} cards", "#555", 12))
            continue
        for suit in range(4):
            parts.append(_text(x, _row(y, suit), _SIGNS[suit], _COLOURS[suit], 15))
            for i, card in enumerate(held := _of_suit(hand, suit)):
                rank = RANKS[card & 15].replace("T", "10")
                at = x + _FIRST + _step(held) * i
                parts.append(_text(at, _row(y, suit), rank, _COLOURS[suit], 15))
    for seat, card in _on_table(state).items():
        x, y = ((248, 150), (288, 182), (248, 214), (208, 182))[seat]
        name = _SIGNS[card >> 4] + RANKS[card & 15].replace("T", "10")
        parts.append(f'<rect x="{x - 6}" y="{y}" width="36" height="24" rx="3" fill="#fff"/>')
        parts.append(_text(x, y + 17, name, _COLOURS[card >> 4], 14))
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 410" width="520" '
            'height="410" font-family="sans-serif">',
            '<rect width="520" height="410" rx="6" fill="#f3f1ec"/>',
            *parts,
            _text(20, 398, _status(game, state), "#333", 13) + "</svg>",
        ]
    )


def card_point(state: Any, card: int) -> tuple[float, float]:
    """Where a card in somebody's hand is in the picture."""
    seat = next(seat for seat in range(4) if int(state.hands[seat]) >> card & 1)
    held = _of_suit(int(state.hands[seat]), card >> 4)
    x, y = _PLACES[seat]
    return x + _FIRST + 5 + _step(held) * held.index(card), _row(y, card >> 4) - 5.0


def _step(held: list[int]) -> float:
    """How far apart the cards of a suit are."""
    return min(17.0, 136 / len(held))


def _row(y: int, suit: int) -> int:
    return y + 30 + 18 * suit


def _text(x: float, y: float, text: str, colour: str, size: int) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}">{text}</text>'
