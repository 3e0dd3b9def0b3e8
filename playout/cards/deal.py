"""A Bridge deal as its files tell it: hands, contract, the cards played, what is known of them.

Cards and hands are those of `deck.py`. Seats are north, east, south, west = 0 to 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from playout.cards.deck import (
    SUITS,
    card_name,
    cards_in,
    deck_from,
    hand_text,
    parse_card,
    parse_hand,
    plain_suits,
)
from playout.errors import DataError

SEATS, SEAT_NAMES = "NESW", ("North", "East", "South", "West")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
STRAINS = ("S", "H", "D", "C", "NT")
HAND = 13  # cards of a hand
DECK = int(deck_from())

_CONTRACT = re.compile(r"([1-7])(NT|[SHDCN])(XX|X|)", re.IGNORECASE)


@dataclass(frozen=True)
class Contract:
    """How many tricks over six, in which strain (4: no trump), doubled how often.

    >>> read_contract("4hX"), str(read_contract("3N"))
    (Contract(level=4, strain=1, doubled=1), '3NT')
    """

    level: int
    strain: int
    doubled: int = 0

    @property
    def tricks(self) -> int:
        """The tricks that declarer needs."""
        return self.level + 6

    def __str__(self) -> str:
        return f"{self.level}{STRAINS[self.strain]}{'X' * self.doubled}"


@dataclass(frozen=True)
class Deal:
    """A deal and what was made of it; what is not known is None, or empty.

    `hands` are those at the start, by seat. `play` has the cards in the order in which they were
    played. `vulnerable` is one of None, NS, EW, All. `result` is how many tricks declarer took.
    `table` has the tricks under perfect play with open cards of each strain and declarer, 20 of
    them: strains S, H, D, C, NT, each for north, east, south, west.
    """

    hands: tuple[int | None, ...]
    dealer: int | None = None
    vulnerable: str = ""
    auction: tuple[str, ...] = ()
    contract: Contract | None = None
    declarer: int | None = None
    play: tuple[int, ...] = ()
    result: int | None = None
    board: str = ""
    table: tuple[int, ...] = ()

    @property
    def leader(self) -> int | None:
        """Who plays the first card: left of declarer."""
        return None if self.declarer is None else (self.declarer + 1) % 4


# cards and hands as text


def read_cards(text: str) -> list[int]:
    """Cards one after another, with blanks or commas between them or none.

    >>> [card_name(card) for card in read_cards("HK H2,h5 HAC10D3")]
    ['HK', 'H2', 'H5', 'HA', 'CT', 'D3']
    """
    cards = []
    for word in re.split(r"[\s,]+", plain_suits(text).strip()):
        rest = word
        while rest:
            length = 3 if rest[1:3] == "10" else 2
            cards.append(parse_card(rest[:length]))
            rest = rest[length:]
    return cards


def read_hand(text: str) -> int | None:
    """The hand of a PBN deal: `-`, `?` or `...` is not known, and suits may be named, `SA7.H864`.

    >>> hand_text(read_hand("sak.h.dq32.cj10"))
    'AK..Q32.JT'
    """
    word = plain_suits(text).strip().upper()
    if word in ("-", "?", "..."):
        return None
    parts = word.split(".")
    if any(part.startswith(tuple(SUITS)) for part in parts):
        named = ["", "", "", ""]
        for part in parts:
            if part and part[0] not in SUITS:
                raise DataError(f"the hand {short(text)} names some of its suits only")
            if part:
                named[SUITS.index(part[0])] += part[1:]
        word = ".".join(named)
    try:
        return int(parse_hand(word))
    except DataError as error:
        raise DataError(one_line(str(error))) from None


def hands_text(hands: Sequence[int | None], first: int = 0) -> str:
    """Four hands in one line, beginning at a seat."""
    return f"{SEATS[first]}:" + " ".join(
        "-" if (hand := hands[(first + i) % 4]) is None else hand_text(hand) for i in range(4)
    )


def read_hands(text: str) -> tuple[int | None, ...]:
    """The hands of a line such as `N:QJ6.K652.J85.T98 ...`, by seat; `-` is not known.

    13 cards each, all different.
    """
    first, colon, rest = text.strip().partition(":")
    if not colon or len(first.strip()) != 1 or first.strip().upper() not in SEATS:
        raise DataError(f"the deal {short(text)} does not begin with a seat, as in N:")
    words = rest.split()
    if len(words) != 4:
        raise DataError(f"the deal has {len(words)} hands; it should be four")
    seat = SEATS.index(first.strip().upper())
    hands: list[int | None] = [None] * 4
    for i, word in enumerate(words):
        hands[(seat + i) % 4] = read_hand(word)
    check_hands(hands)
    return tuple(hands)


def check_hands(hands: Sequence[int | None]) -> None:
    """Refuse hands that are not of 13 cards each, all of them different."""
    seen: dict[int, int] = {}
    for seat, hand in enumerate(hands):
        for card in cards_in(hand or 0):
            if card in seen:
                both = f"{SEAT_NAMES[seen[card]]} and {SEAT_NAMES[seat]}"
                raise DataError(f"{card_name(card)} is in two hands, {both}")
            seen[card] = seat
    whole = all(hand is not None for hand in hands)
    missing = " ".join(card_name(card) for card in cards_in(DECK) if card not in seen)
    for seat, hand in enumerate(hands):
        if hand is not None and hand.bit_count() != HAND:
            lacks = f"; missing: {missing}" if whole and len(missing) < 60 and missing else ""
            raise DataError(
                f"{SEAT_NAMES[seat]} has {hand.bit_count()} cards; a hand has {HAND}{lacks}"
            )


def with_last_hand(hands: Sequence[int | None]) -> tuple[int | None, ...]:
    """The hands, the fourth told by the other three if it alone is not known."""
    known = [hand for hand in hands if hand is not None]
    if len(known) != 3:
        return tuple(hands)
    rest = DECK & ~(known[0] | known[1] | known[2])
    return tuple(rest if hand is None else hand for hand in hands)


# contracts, seats, calls


def read_seat(text: str) -> int:
    """The seat that a letter or a name stands for."""
    word = text.strip().upper()
    for seat, name in enumerate(SEAT_NAMES):
        if word in (SEATS[seat], name.upper()):
            return seat
    raise DataError(f"{short(text)} is no seat: N, E, S or W")


def read_contract(text: str) -> Contract:
    """The contract that a text names, such as 3NT, 4sx or 1n; DataError if it names none."""
    match = _CONTRACT.fullmatch("".join(plain_suits(text).split()))
    if match is None:
        raise DataError(
            f"{short(text)} is no contract: 1 to 7, then S, H, D, C or NT, and X or XX if doubled"
        )
    strain = "SHDCN".index(match[2][0].upper())
    return Contract(int(match[1]), strain, len(match[3]))


def read_call(text: str) -> str:
    """A call of the auction as PBN writes it: 1NT, Pass, X, XX; DataError if it is none."""
    word = plain_suits(text).strip().upper()
    if word in ("PASS", "P"):
        return "Pass"
    if word in ("X", "D", "DBL"):
        return "X"
    if word in ("XX", "R", "RDBL"):
        return "XX"
    match = _CONTRACT.fullmatch(word)
    if match is None or match[3]:
        raise DataError(f"{short(text)} is no call: a bid such as 1NT, Pass, X or XX")
    return str(read_contract(word))


def auctioned(dealer: int, calls: Iterable[str]) -> tuple[Contract | None, int | None]:
    """The contract and declarer that an auction ends in; None if it does not end in one.

    DataError for a bid that is no higher than the one before.
    """
    calls = list(calls)
    last: Contract | None = None
    bidder = doubled = 0
    first: dict[tuple[int, int], int] = {}  # who of a side named a strain first
    for number, call in enumerate(calls):
        seat = (dealer + number) % 4
        if call in ("X", "XX"):
            doubled = len(call)
        elif call != "Pass":
            bid = read_contract(call)
            if last is not None and _height(bid) <= _height(last):
                raise DataError(f"the bid {call} is no higher than {last}")
            last, bidder, doubled = bid, seat, 0
            first.setdefault((seat % 2, bid.strain), seat)
    if last is None or calls[-3:] != ["Pass"] * 3:
        return None, None
    return Contract(last.level, last.strain, doubled), first[bidder % 2, last.strain]


def _height(bid: Contract) -> tuple[int, int]:
    return bid.level, (3, 2, 1, 0, 4)[bid.strain]


def short(text: str) -> str:
    """A text quoted for an error message, in one line and cut if it is long."""
    line = " ".join(str(text).split())
    return repr(line if len(line) <= 40 else line[:37] + "...")


def one_line(text: str) -> str:
    """An error in one line, cut if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:157] + "..."
