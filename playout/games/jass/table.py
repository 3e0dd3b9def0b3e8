"""The table of a game of Jass for people: as text and as SVG, for all to see or for one player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playout.cards.deck import RANKS, SUITS, card_name, cards_in
from playout.games.jass.positions import SUIT_NAMES
from playout.games.jass.tricks import NONE

if TYPE_CHECKING:
    from playout.games.jass.jass import Jass

SIGNS = "♠♥♦♣"
COLORS = ("#222222", "#c8453d", "#c8453d", "#222222")
PLACES = ((257, 340), (400, 220), (257, 105), (115, 220))  # of each player's card on the table
ROWS = (450, 475, 500, 525)  # of the hands


def on_table(state: Any) -> list[tuple[int, int]]:
    """The cards of the trick with who played them, in the order of play."""
    cards = [int(card) for card in state.played if card != NONE]
    count = int(state.count)
    start = len(cards) - count
    return [((int(state.leader) + i) % 4, cards[start + i]) for i in range(count)]


def _holdings(game: Jass, state: Any, player: int | None) -> list[tuple[str, int]]:
    """What is shown of each hand: its cards, or how many there are."""
    if game.pool:
        own, pool = int(state.hands[0]), int(state.hands[1])
        eyes = int(state.eyes) + 1
        return [(f"player {eyes}", own), ("the others", pool)]
    rows = []
    for seat in range(4):
        hand = int(state.hands[seat])
        seen = player is None or seat == player
        rows.append((f"player {seat + 1}", hand if seen else -hand.bit_count()))
    return rows


def _suits(hand: int) -> list[str]:
    """The ranks of each suit of a hand, from the highest."""
    words = []
    for suit in range(4):
        ranks = hand >> 16 * suit & 0xFFFF
        words.append("".join(RANKS[rank] for rank in reversed(range(13)) if ranks >> rank & 1))
    return words


def draw_text(game: Jass, state: Any, player: int | None = None) -> str:
    """The table; of other hands than that of `player`, if one is given, the number of cards."""
    trump = SUIT_NAMES[int(state.trump)]
    points, tricks = state.points, state.tricks
    lines = [
        f"trumps are {trump}; points {points[0]} : {points[1]}, tricks {tricks[0]} : {tricks[1]}"
    ]
    if any(state.score):
        lines[0] += f"; before this turn {state.score[0]} : {state.score[1]}"
    to_move = f"player {int(game.turn(state)) + 1}" if state.left else ""
    for name, hand in _holdings(game, state, player):
        if hand <= 0:
            shown = f"{-hand} cards" if hand else "no cards"
        else:
            shown = "  ".join(f"{s} {ranks or '-':9}" for s, ranks in zip(SUITS, _suits(hand)))
        mark = ">" if name == to_move else " "
        lines.append(f"{mark} {name:10} {shown}".rstrip())
    table = ", ".join(f"player {seat + 1} {card_name(card)}" for seat, card in on_table(state))
    lines.append(f"on the table: {table or 'nothing'}")
    if not state.left:
        lines.append("the turn is over" if not game.goal else "the game is over")
    elif to_move and game.pool and int(game.turn(state)) != int(state.eyes):
        lines.append(f"{to_move} is to play, from the others' cards")
    return "\n".join(lines)


def draw_svg(game: Jass, state: Any, player: int | None = None) -> str:
    """The table as SVG: the trick in the middle, the hands below.

    Of other hands than that of `player`, if one is given, the number of cards.
    """
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 540" width="560" '
        'height="540" font-family="sans-serif">',
        '<rect width="560" height="540" fill="#f4f1e8"/>',
        '<rect x="60" y="90" width="440" height="330" rx="12" fill="#3f7d54"/>',
    ]
    trump = int(state.trump)
    parts.append(_label(20, 30, f"{SIGNS[trump]} trumps", COLORS[trump]))
    score = f"{state.points[0]} : {state.points[1]}"
    parts.append(_label(430, 30, score, "#222222"))
    for row, (name, hand) in enumerate(_holdings(game, state, player)):
        parts.append(_label(20, ROWS[row], name, "#555555", 12))
        if hand < 0:
            parts.append(_label(100, ROWS[row], f"{-hand} cards", "#555555", 12))
            continue
        for i, card in enumerate(cards_in(hand)):
            size = 9 if _many(hand) else 16
            parts.append(_label(_left(hand, i), ROWS[row], _sign(card), COLORS[card >> 4], size))
    for seat, card in on_table(state):
        x, y = PLACES[seat]
        parts.append(f'<rect x="{x}" y="{y}" width="46" height="64" rx="5" fill="#ffffff"/>')
        parts.append(_label(x + 8, y + 38, _sign(card), COLORS[card >> 4]))
    return "\n".join([*parts, "</svg>"])


def card_point(game: Jass, state: Any, card: int) -> tuple[float, float]:
    """Where a card in somebody's hand is in the picture."""
    hands = [hand for _, hand in _holdings(game, state, None)]
    row = next(row for row, hand in enumerate(hands) if hand >> card & 1)
    at = _left(hands[row], cards_in(hands[row]).index(card))
    return at + (6.0 if _many(hands[row]) else 12.0), ROWS[row] - 5.0


def _many(hand: int) -> bool:
    return hand.bit_count() > 9


def _left(hand: int, i: int) -> int:
    """Where card number `i` of a hand begins."""
    return 100 + (16 if _many(hand) else 44) * i


def _sign(card: int) -> str:
    return SIGNS[card >> 4] + RANKS[card & 15].replace("T", "10")


def _label(x: int, y: int, text: str, color: str, size: int = 16) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}">{text}</text>'
