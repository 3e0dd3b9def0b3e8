"""LIN files, as Bridge Base Online writes them: read and written.

A file is `key|value|key|value|`, line breaks anywhere. A deal begins with `qx` (its board) or
`md` (the hands: south, west, north, east; the last may be left out). `mb` is a call, `pc` a card,
`sv` who is vulnerable, `ah` the board's name, `mc` the tricks that declarer claims in all. Other
keys are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from playout.cards.deal import (
    Deal,
    auctioned,
    check_hands,
    read_call,
    read_cards,
    short,
    with_last_hand,
)
from playout.cards.deck import RANKS, SUITS, card_name, cards_in, parse_hand
from playout.cards.played import follow
from playout.errors import DataError
from playout.text.input_files import Line

MOST_DEALS = 100_000
_DEALERS = {"1": 2, "2": 3, "3": 0, "4": 1}
_SEATS = (2, 3, 0, 1)  # south first
_BARE = ("", "pg", "nt", "st", "rh")  # what may stand at the end of a file without its value
_VULNERABLE = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}
_CALL = re.compile(
    r"(pass|p|dbl|d|rdbl|r|xx?|[1-7](?:nt|[cdhsn]))(?:!|$|(?=[pdrx1-7]))", re.IGNORECASE
)


@dataclass
class _Board:
    """What was read of a deal so far."""

    line: Line
    board: str = ""
    hands: tuple[int | None, ...] = ()
    dealer: int | None = None
    vulnerable: str = ""
    calls: list[str] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    last_card: Line | None = None
    result: int | None = None


def parse_lin(text: str, source: str) -> list[Deal]:
    """All deals of a LIN text, in its order; `source` names it in errors."""
    deals: list[Deal] = []
    board: _Board | None = None
    for key, value, line in _pairs(text, source):
        if key == "qx" or (key == "md" and (board is None or board.hands)):
            if board is not None and board.hands:
                deals.append(_finished(board))
                if len(deals) > MOST_DEALS:
                    line.fail(f"more than {MOST_DEALS:,} deals")
            board = _Board(line)
        if board is not None:
            try:
                _take(board, key, value, line)
            except DataError as error:
                line.fail(str(error))
        elif key in ("mb", "pc", "sv"):
            line.fail(f"{key} comes before the first deal (md)")
    if board is not None and board.hands:
        deals.append(_finished(board))
    if not deals:
        raise DataError(f"{source}: has no deal: no md|...| with hands")
    return deals


def write_lin(deals: list[Deal]) -> str:
    """Deals as a LIN file, a line each."""
    return "".join(_written(deal, number) + "\n" for number, deal in enumerate(deals, 1))


def _pairs(text: str, source: str) -> Iterator[tuple[str, str, Line]]:
    """The keys and values of a file, each with the line where the value begins."""
    number, parts = 1, text.split("|")
    for i in range(0, len(parts) - 1, 2):
        number += parts[i].count("\n")
        key = "".join(parts[i].split()).lower()
        line = Line(source, number, parts[i + 1])
        number += parts[i + 1].count("\n")
        if not re.fullmatch(r"[a-z0-9]{2}", key):
            line.fail(f"{short(parts[i])} is no key: two letters, then |value|")
        yield key, " ".join(parts[i + 1].split()), line
    rest = parts[-1] if len(parts) % 2 else "|".join(parts[-2:])
    if rest.strip().lower().rstrip("|") not in _BARE:
        Line(source, number, rest).fail(f"{short(rest)} at the end has no value between | and |")


def _take(board: _Board, key: str, value: str, line: Line) -> None:
    """Take one key and its value in."""
    if key == "qx":
        board.board = value
    elif key == "ah" and not board.board:
        board.board = re.sub(r"(?i)^board\s*", "", value)
    elif key == "md" and value:
        board.dealer, board.hands = _hands(value)
    elif key == "sv" and value:
        if value.lower() not in _VULNERABLE:
            raise DataError(f"sv is {short(value)}; it should be o, n, e or b")
        board.vulnerable = _VULNERABLE[value.lower()]
    elif key == "mb":
        board.calls += _calls(value)
        if len(board.calls) > 400:
            raise DataError("an auction of more than 400 calls")
    elif key == "pc":
        board.cards += read_cards(value)
        board.last_card = line
        if len(board.cards) > 52:
            raise DataError("more than 52 cards were played")
    elif key == "mc" and value:
        if not re.fullmatch(r"[0-9]{1,2}", value) or int(value) > 13:
            raise DataError(f"mc is {short(value)}; it should be declarer's tricks, 0 to 13")
        board.result = int(value)


def _hands(value: str) -> tuple[int, tuple[int | None, ...]]:
    """Dealer and hands of `3SAKHQ...,...,...,`; an empty hand is not known."""
    if value[:1] not in _DEALERS:
        raise DataError(f"md is {short(value)}; it should begin with the dealer, 1 to 4")
    parts = value[1:].split(",")
    if len(parts) > 4:
        raise DataError(f"md has {len(parts)} hands; there are four")
    hands: list[int | None] = [None] * 4
    for seat, part in zip(_SEATS, parts):
        if part.strip():
            hands[seat] = _hand(part)
    check_hands(hands)
    return _DEALERS[value[0]], with_last_hand(hands)


def _hand(text: str) -> int:
    """The cards of `SAK2HQ54D...C...`."""
    suits, suit = ["", "", "", ""], -1
    for letter in text.strip().upper():
        if letter in SUITS:
            suit = SUITS.index(letter)
        elif suit < 0:
            raise DataError(f"the hand {short(text)} does not begin with a suit")
        else:
            suits[suit] += letter
    return int(parse_hand(".".join(suits)))


def _calls(value: str) -> list[str]:
    calls, place = [], 0
    while place < len(value):
        match = _CALL.match(value, place)
        if match is None:
            raise DataError(f"mb is {short(value)}; it should be a call: 1N, p, d or r")
        calls.append(read_call(match[1]))
        place = match.end()
    return calls


def _finished(board: _Board) -> Deal:
    deal = Deal(
        board.hands,
        dealer=board.dealer,
        vulnerable=board.vulnerable,
        auction=tuple(board.calls),
        result=board.result,
        board=board.board,
    )
    try:
        contract, declarer = auctioned(board.dealer or 0, board.calls)
    except DataError as error:
        board.line.fail(str(error))
    deal = replace(deal, contract=contract, declarer=declarer)
    if board.last_card is None:
        return deal
    if contract is None or declarer is None:
        board.last_card.fail("cards were played, but the auction ends in no contract")
    try:
        follow(deal, board.cards, contract, declarer)
    except DataError as error:
        board.last_card.fail(str(error))
    return replace(deal, play=tuple(board.cards))


# writing


def _written(deal: Deal, number: int) -> str:
    dealer = {seat: digit for digit, seat in _DEALERS.items()}[deal.dealer or 0]
    hands = ",".join(_hand_text(deal.hands[seat]) for seat in _SEATS)
    name = deal.board or str(number)
    parts = [("qx", name), ("md", dealer + hands)]
    letters = {name: letter for letter, name in _VULNERABLE.items() if letter in "oneb"}
    parts.append(("sv", letters.get(deal.vulnerable, "o")))
    parts += [("mb", _call_text(call)) for call in _auction(deal)]
    parts += [("pc", card_name(card)) for card in deal.play]
    if deal.result is not None:
        parts.append(("mc", str(deal.result)))
    return "".join(f"{key}|{value.replace('|', ' ')}|" for key, value in parts)


def _auction(deal: Deal) -> tuple[str, ...]:
    """The auction, or the shortest one that ends in the contract: LIN has no other way to tell."""
    if deal.auction or deal.contract is None or deal.declarer is None:
        return deal.auction
    passes = (deal.declarer - (deal.dealer or 0)) % 4
    bid = str(deal.contract).rstrip("X")
    doubles = {0: (), 1: ("X",), 2: ("X", "XX")}[deal.contract.doubled]
    return ("Pass",) * passes + (bid, *doubles) + ("Pass",) * 3


def _call_text(call: str) -> str:
    return {"Pass": "p", "X": "d", "XX": "r"}.get(call, call[:2])


def _hand_text(hand: int | None) -> str:
    if hand is None:
        return ""
    parts = ["", "", "", ""]
    for card in cards_in(hand):
        parts[card >> 4] += RANKS[card & 15]
    return "".join(SUITS[suit] + parts[suit] for suit in range(4))
