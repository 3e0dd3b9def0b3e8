"""Lists of deals that are neither PBN nor LIN, and which format a file has.

- DDS's test lists: `NUMBER n`, then for each deal PBN, FUT, TABLE, PAR, PAR2, PLAY, TRACE;
- lines of four hands, west first, and 20 hexadecimal digits: the tricks of north and south with
  NT, S, H, D, C and declarer E, N, W, S (`sol100000.txt` and the like);
- links to BBO's hand viewer, one a line, with a deal of LIN in each;
- one deal a line, `N:QJ6.K652.J85.T98 ...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from urllib.parse import unquote_plus

from playout.cards.deal import Deal, hands_text, read_cards, read_hands, short
from playout.cards.deck import plain_suits
from playout.cards.lin import parse_lin, write_lin
from playout.cards.pbn import parse_pbn, write_pbn
from playout.errors import DataError, OptionError
from playout.text.input_files import Line, read_text

MOST_DEALS = 1_000_000
_VULNERABLE = ("None", "All", "NS", "EW")
_LINK = re.compile(r"(?im)^\s*https?://\S*[?&]lin=(\S*)")
_SOLVED_LINE = re.compile(r"\S+ \S+ \S+ \S+:[0-9A-Fa-f]{20}")


@dataclass(frozen=True)
class SolvedDeal:
    """A deal of a DDS list: with a trump and a first leader, and what is known of each card.

    `cards` are the cards that the leader can play, each with the tricks that his side then gets;
    equal ones below it are `equals`. `trace` has declarer's tricks before the first card of
    `deal.play` and after each of its cards.
    """

    deal: Deal
    trump: int
    leader: int
    cards: tuple[tuple[int, int, int], ...]  # card, equals (bits of ranks from 2), tricks
    trace: tuple[int, ...]


def read_deals(path: str | PathLike[str]) -> list[Deal]:
    """All deals in a file, whichever of the formats it has."""
    return parse_deals(read_text(path, other="latin-1"), str(path))


def parse_deals(text: str, source: str) -> list[Deal]:
    """All deals in a text, whichever of the formats it has."""
    text = plain_suits(text)
    if re.search(r"(?m)^\s*\[", text):
        return parse_pbn(text, source)
    if re.search(r"(?i)(^|\|)\s*md\|", text):
        return parse_lin(text, source)
    if _LINK.search(text):
        return parse_lin(_linked(text, source), source)
    if text.lstrip().startswith("NUMBER"):
        return [solved.deal for solved in parse_dds_list(text, source)]
    return _parse_lines(text, source)


def write_deals(deals: list[Deal], form: str) -> str:
    """Deals as the text of a file: `pbn`, `lin`, or `line`, one a line."""
    if form == "pbn":
        return write_pbn(deals)
    if form == "lin":
        return write_lin(deals)
    if form == "line":
        return "".join(hands_text(deal.hands, deal.dealer or 0) + "\n" for deal in deals)
    raise OptionError(f"there is no form {form!r} of deals: pbn, lin or line")


def _linked(text: str, source: str) -> str:
    """The LIN texts in links to BBO's hand viewer, one a line, each in its line."""
    found = []
    for number, content in enumerate(text.splitlines(), 1):
        link = _LINK.match(content)
        if link is None and content.strip():
            Line(source, number, content).fail(f"{short(content)} is no link with lin= in it")
        found.append(unquote_plus(link[1].partition("&")[0], "latin-1") if link else "")
    return "\n".join(found)


# one deal a line


def _parse_lines(text: str, source: str) -> list[Deal]:
    deals = []
    for number, content in enumerate(text.splitlines(), 1):
        line = Line(source, number, content)
        if not line.words or content.startswith("%"):
            continue
        try:
            solved = _SOLVED_LINE.fullmatch(content.strip())
            deals.append(_solved_line(content) if solved else Deal(read_hands(content)))
        except DataError as error:
            line.fail(str(error))
        if len(deals) > MOST_DEALS:
            line.fail(f"more than {MOST_DEALS:,} deals")
    if not deals:
        raise DataError(f"{source}: has no deal")
    return deals


def _solved_line(text: str) -> Deal:
    """A deal with the tricks of north and south: NT, S, H, D, C, each for E, N, W, S declaring."""
    hands, _, digits = text.strip().rpartition(":")
    found = read_hands("W:" + hands)
    table = [0] * 20
    for i, digit in enumerate(digits):
        tricks = int(digit, 16)
        if tricks > 13:
            raise DataError(f"{digit} tricks: there are 13")
        seat = (1, 0, 3, 2)[i % 4]
        strain = (4, 0, 1, 2, 3)[i // 4]
        table[4 * strain + seat] = tricks if seat % 2 == 0 else 13 - tricks
    return Deal(found, table=tuple(table))


# DDS lists


def parse_dds_list(text: str, source: str) -> list[SolvedDeal]:
    """The deals of a DDS list, with their results."""
    lines = (
        Line(source, number, content)
        for number, content in enumerate(text.splitlines(), 1)
        if content.strip()
    )
    head = _next(lines, source, "NUMBER")
    (number,) = _whole(head, head.words[1:], 1, MOST_DEALS, 1)
    found = [_dds_deal(lines, source) for _ in range(number)]
    extra = next(lines, None)
    if extra is not None:
        extra.fail(f"more text after the last of {number} deals")
    return found


def _dds_deal(lines: Iterator[Line], source: str) -> SolvedDeal:
    line = _next(lines, source, "PBN")
    dealer, vulnerable, trump, leader = _whole(line, line.words[1:5], 0, 4, 4)
    if max(dealer, vulnerable, leader) > 3:
        line.fail("dealer, vulnerability and leader are 0 to 3")
    try:
        hands = read_hands(_quoted(line))
    except DataError as error:
        line.fail(str(error))
    cards = _dds_cards(_next(lines, source, "FUT"))
    line = _next(lines, source, "TABLE")
    table = tuple(_whole(line, line.words[1:], 0, 13, 20))
    _next(lines, source, "PAR")
    _next(lines, source, "PAR2")
    line = _next(lines, source, "PLAY")
    (count,) = _whole(line, line.words[1:2], 0, 52, 1)
    try:
        play = tuple(read_cards(_quoted(line)))
    except DataError as error:
        line.fail(str(error))
    if len(play) != count:
        line.fail(f"{len(play)} cards were played, but the line says {count}")
    line = _next(lines, source, "TRACE")
    trace = tuple(_whole(line, line.words[2:], 0, 13, min(count, 48) + 1))
    declarer = (leader + 3) % 4
    deal = Deal(hands, dealer, _VULNERABLE[vulnerable], declarer=declarer, play=play, table=table)
    return SolvedDeal(deal, trump, leader, cards, trace)


def _dds_cards(line: Line) -> tuple[tuple[int, int, int], ...]:
    (count,) = _whole(line, line.words[1:2], 1, 13, 1)
    values = _whole(line, line.words[2:], 0, 1 << 15, 4 * count)
    suits, ranks, equals, scores = (values[i * count : (i + 1) * count] for i in range(4))
    if max(suits) > 3 or not all(2 <= rank <= 14 for rank in ranks) or max(scores) > 13:
        line.fail("suits are 0 to 3, ranks 2 to 14, tricks 0 to 13")
    return tuple(
        (16 * suit + rank - 2, equal >> 2, score)
        for suit, rank, equal, score in zip(suits, ranks, equals, scores)
    )


def _next(lines: Iterator[Line], source: str, word: str) -> Line:
    line = next(lines, None)
    if line is None:
        raise DataError(f"{source}: the file ends where {word} should be")
    if line.words[0] != word:
        line.fail(f"{short(line.words[0])} where {word} should be")
    return line


def _quoted(line: Line) -> str:
    match = re.search(r'"([^"]*)"', line.text)
    if match is None:
        line.fail('there is no text in " "')
    return match[1]


def _whole(line: Line, words: list[str], low: int, high: int, count: int) -> list[int]:
    if len(words) != count:
        line.fail(f"{len(words)} numbers where {count} should be")
    values = Line(line.source, line.number, " ".join(words)).whole_numbers()
    for value in values:
        if not low <= value <= high:
            line.fail(f"{value} is not from {low} to {high}")
    return values
