"""PBN files (Portable Bridge Notation 2.1, import format): read, and written in export format.

What is read of a game: Board, Dealer, Vulnerable, Deal, Declarer, Contract, Result, Auction, Play,
DoubleDummyTricks. Other tags, and the lines of tables and statistics below a tag, are passed over.
An unknown value is `?` or nothing, `#` the value of the game before, `##VALUE` a value that holds
for the games after it too. A tag that is read and says two things of one game is refused, but for
those that begin a game; of others the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from playout.cards.deal import (
    SEATS,
    Contract,
    Deal,
    auctioned,
    hands_text,
    read_call,
    read_contract,
    read_hands,
    read_seat,
    short,
)
from playout.cards.deck import card_name, parse_card
from playout.cards.played import follow, order_of_play
from playout.cards.tricks import winner_of
from playout.errors import DataError
from playout.text.input_files import Line

MOST_GAMES = 100_000
VULNERABLE = {
    **dict.fromkeys(("none", "love", "nil", "neither", "0", "o", "z"), "None"),
    **dict.fromkeys(("all", "both", "b"), "All"),
    **dict.fromkeys(("ns", "n"), "NS"),
    **dict.fromkeys(("ew", "e"), "EW"),
}
READ = {
    *("board", "dealer", "vulnerable", "deal", "declarer", "contract", "result"),
    *("auction", "play", "doubledummytricks"),
}
_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]{1,40})\s*"((?:[^"\\]|\\.)*)"\s*\]')
_ANNOTATION = re.compile(r"\$[0-9]{1,3}|=[0-9]{1,2}=|[!?]{1,2}|\^[A-Z]")
_ANNOTATED = re.compile(r"(?:[!?]|\$[0-9]{1,3}|=[0-9]{1,2}=)+$")  # what follows a call or a card
_PASSED = re.compile(r"(?i)p|ap|(?:all[ _-]?)?pass(?:ed)?(?:[ _-]?out)?")
_TRICKS = re.compile(r"(NS|EW) ([0-9]{1,2})(?: (?:NS|EW) [0-9]{1,2})?")
_TABLE_ORDER = [(seat, strain) for seat in (0, 2, 1, 3) for strain in (4, 0, 1, 2, 3)]

Tags = dict[str, tuple[str, Line]]


@dataclass
class _Game:
    """The tags of one game, with the lines where they stand, and the words of its sections."""

    tags: Tags = field(default_factory=dict)
    words: dict[str, list[tuple[str, Line]]] = field(default_factory=dict)


def parse_pbn(text: str, source: str) -> list[Deal]:
    """All games of a PBN text, in its order; `source` names it in errors."""
    deals: list[Deal] = []
    inherited: dict[str, str] = {}  # values of `##`
    before: dict[str, str] = {}  # values of the game before
    for game in _games(text, source):
        tags = _values(game, before, inherited)
        deals.append(_deal(game, tags))
        before = {name: value for name, (value, _) in tags.items()}
        if len(deals) > MOST_GAMES:
            raise DataError(f"{source}: has more than {MOST_GAMES:,} games")
    if not deals:
        raise DataError(f'{source}: has no game: no line has a tag such as [Deal "N:..."]')
    return deals


def write_pbn(deals: list[Deal]) -> str:
    """Deals as a PBN file in export format."""
    return "% PBN 2.1\n% EXPORT\n%Creator: Playout\n" + "\n".join(map(_written, deals))


# games, tags, comments


def _games(text: str, source: str) -> list[_Game]:
    """The games of a file: a tag after an empty line begins one, if the last has its deal.

    So does a second Event, Board or Deal, where the empty line was forgotten.
    """
    games: list[_Game] = []
    game = _Game()
    section: list[tuple[str, Line]] | None = None
    after_blank = False
    for line, content in _contents(text, source):
        if not content.strip():
            after_blank |= not line.text.strip()
            continue
        place = 0
        while match := _TAG.match(content, place):
            place = match.end()
            name = match[1].lower()
            first = name in ("event", "board", "deal") and name in game.tags  # of the next game
            if (after_blank or first) and "deal" in game.tags:
                games.append(game)
                game = _Game()
            after_blank = False
            _set_tag(game, name, re.sub(r"\\(.)", r"\1", match[2]).strip(), line)
            section = game.words.setdefault(name, [])
        rest = content[place:]
        if rest.lstrip().startswith("["):
            line.fail(f'{short(rest)} is no tag: it should be [Name "value"]')
        if rest.strip():
            if section is None:
                line.fail(f"{short(rest)} is neither a tag nor a comment")
            section += [(word, line) for word in rest.split()]
    if game.tags:
        games.append(game)
    return games


def _set_tag(game: _Game, name: str, value: str, line: Line) -> None:
    """Note a tag; one that says something else than before is refused."""
    before, where = game.tags.get(name, ("", line))
    if name in READ and game.words.get(name):
        line.fail(f"a second {name}: the first is on line {where.number}")
    if before in ("", "?"):
        game.tags[name] = value, line
    elif name in READ and value not in ("", "?") and value.lower() != before.lower():
        line.fail(f"{name} is {short(value)}, and {short(before)} on line {where.number}")


def _contents(text: str, source: str) -> list[tuple[Line, str]]:
    """The lines, each with what is left of it without comments."""
    found = []
    opened: Line | None = None  # where a comment in braces began
    for number, raw in enumerate(text.split("\n"), 1):
        line = Line(source, number, raw.rstrip("\r"))
        if opened is None and raw.startswith("%"):
            continue
        kept, quoted, place = [], False, 0
        while place < len(line.text):
            letter = line.text[place]
            if opened is not None:
                opened = None if letter == "}" else opened
            elif quoted:
                kept.append(letter)
                if letter == "\\" and place + 1 < len(line.text):
                    place += 1
                    kept.append(line.text[place])
                quoted = letter != '"'
            elif letter == ";":
                break
            elif letter == "{":
                opened = line
            else:
                kept.append(letter)
                quoted = letter == '"'
            place += 1
        if quoted:
            line.fail('a value without its closing "')
        found.append((line, "".join(kept)))
    if opened is not None:
        opened.fail("a comment without its }")
    return found


def _values(game: _Game, before: dict[str, str], inherited: dict[str, str]) -> Tags:
    """The values of a game's tags, with those that it takes over from games before."""
    found: Tags = {}
    for name, (value, line) in game.tags.items():
        if value == "#" and name not in before and name not in READ:
            continue  # a game that was cut out of its file: nobody asks for this tag
        if value == "#":
            if name not in before:
                line.fail(f"{name} is #, as before, but no game before it says what it is")
            value = before[name]
        elif value.startswith("##"):
            value = inherited[name] = value[2:]
        found[name] = (value, line)
    last = next(reversed(game.tags.values()))[1]
    for name, value in inherited.items():
        found.setdefault(name, (value, last))
    return {name: pair for name, pair in found.items() if pair[0] not in ("", "?")}


# one game


def _deal(game: _Game, tags: Tags) -> Deal:
    if "deal" not in tags:
        next(iter(game.tags.values()))[1].fail("the game that begins here has no Deal")
    auction = _auction(game)
    dealer = _read(tags, "dealer", read_seat)
    first = _read(tags, "auction", read_seat)
    contract = _read(tags, "contract", _contract)
    declarer = _read(tags, "declarer", lambda value: read_seat(value.lstrip("^")))
    if auction and (first is not None or dealer is not None):
        try:
            made, by = auctioned(first if first is not None else dealer, auction)
        except DataError as error:
            game.tags["auction"][1].fail(str(error))
        if "contract" not in game.tags:
            contract = made
        if declarer is None and contract is not None and contract == made:
            declarer = by
    deal = Deal(
        _read(tags, "deal", read_hands),
        dealer=dealer,
        vulnerable=_read(tags, "vulnerable", _vulnerable) or "",
        auction=auction,
        contract=contract,
        declarer=declarer,
        result=_read(tags, "result", lambda value: _result(value, declarer)),
        board=tags["board"][0] if "board" in tags else "",
        table=_read(tags, "doubledummytricks", _table) or (),
    )
    return _with_play(deal, game, tags)


def _read(tags: Tags, name: str, reader: Callable[[str], Any]) -> Any:
    """What a tag says; None if it is not there or unknown."""
    if name not in tags:
        return None
    value, line = tags[name]
    try:
        return reader(value)
    except DataError as error:
        line.fail(str(error))


def _contract(value: str) -> Contract | None:
    return None if _PASSED.fullmatch(value) else read_contract(value)


def _vulnerable(value: str) -> str:
    found = VULNERABLE.get(re.sub(r"[-/ ]|vul$", "", value.lower()) or "none")
    if found is None:
        raise DataError(f"Vulnerable is {short(value)}; it should be None, NS, EW or All")
    return found


def _result(value: str, declarer: int | None) -> int | None:
    """Declarer's tricks; `^9` is irregular, `EW 4` those of a side, `EW 4 NS 9` of both."""
    word = value.lstrip("^")
    sides = _TRICKS.fullmatch(word.upper())
    if sides and int(sides[2]) <= 13:
        if declarer is None:
            return None
        own = (sides[1] == "EW") == (declarer % 2 == 1)
        return int(sides[2]) if own else 13 - int(sides[2])
    if not re.fullmatch(r"[0-9]{1,2}", word) or int(word) > 13:
        raise DataError(f"Result is {short(value)}; it should be declarer's tricks, 0 to 13")
    return int(word)


def _table(value: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9A-Da-d*]{20}", value):
        raise DataError(f"DoubleDummyTricks is {short(value)}; it should be 20 digits 0 to d")
    if "*" in value:
        return ()
    found = [0] * 20
    for digit, (seat, strain) in zip(value, _TABLE_ORDER):
        found[4 * strain + seat] = int(digit, 16)
    return tuple(found)


def _auction(game: _Game) -> tuple[str, ...]:
    """The calls of the auction section, without notes and annotations."""
    calls: list[str] = []
    for word, line in game.words.get("auction", []):
        bare = _ANNOTATED.sub("", word)
        if _ANNOTATION.fullmatch(word) or not bare:
            continue
        if word in ("*", "+", "-"):  # ended early; under way; before the dealer's first call
            continue
        if bare.upper() == "AP":
            passes = 4 if all(call == "Pass" for call in calls) else 3
            while calls[-1:] == ["Pass"] and passes:  # all pass, those who have included
                calls.pop()
            calls += ["Pass"] * passes
            continue
        try:
            calls.append(read_call(bare))
        except DataError as error:
            line.fail(str(error))
        if len(calls) > 400:
            line.fail("an auction of more than 400 calls")
    return tuple(calls)


def _with_play(deal: Deal, game: _Game, tags: Tags) -> Deal:
    """The deal with the cards of its play section, checked."""
    words = game.words.get("play", [])
    row: list[int | None] = []
    rows: list[list[int | None]] = [row]
    last = None
    for word, line in words:
        bare = _ANNOTATED.sub("", word)
        if _ANNOTATION.fullmatch(word) or not bare:
            continue
        if bare in ("*", "+"):
            break
        last = line
        if len(row) == 4:
            row = []
            rows.append(row)
        if len(rows) > 13:
            line.fail("more than 13 tricks")
        try:
            row.append(None if bare == "-" else parse_card(bare))
        except DataError as error:
            line.fail(str(error))
    if last is None or not any(card is not None for cards in rows for card in cards):
        return deal
    if deal.contract is None:
        last.fail("cards were played, but the contract, which tells trumps, is not known")
    leader = _read(tags, "play", read_seat)
    declarer = deal.declarer
    if leader is not None:
        if declarer is not None and (declarer + 1) % 4 != leader:
            tags["play"][1].fail(f"{SEATS[leader]} leads, who is not left of declarer")
        declarer = (leader + 3) % 4
    if declarer is None:
        last.fail("cards were played, but neither declarer nor who led is known")
    try:
        play = order_of_play(rows, deal.contract.strain)
        follow(deal, play, deal.contract, declarer)
    except DataError as error:
        last.fail(str(error))
    return replace(deal, play=play, declarer=declarer)


# writing


def _written(deal: Deal) -> str:
    first = deal.dealer or 0

    def seat(found: int | None) -> str:
        return "" if found is None else SEATS[found]

    tags = [
        *(("Event", ""), ("Site", ""), ("Date", ""), ("Board", deal.board)),
        *(("West", ""), ("North", ""), ("East", ""), ("South", "")),
        ("Dealer", seat(deal.dealer)),
        ("Vulnerable", deal.vulnerable),
        ("Deal", hands_text(deal.hands, first)),
        ("Scoring", ""),
        ("Declarer", seat(deal.declarer)),
        ("Contract", "" if deal.contract is None else str(deal.contract)),
        ("Result", "" if deal.result is None else str(deal.result)),
    ]
    if deal.table:
        digits = "".join(f"{deal.table[4 * strain + seat]:x}" for seat, strain in _TABLE_ORDER)
        tags.append(("DoubleDummyTricks", digits))
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags]
    if deal.auction and deal.dealer is not None:
        lines.append(f'[Auction "{SEATS[deal.dealer]}"]')
        calls = deal.auction
        lines += [" ".join(calls[i : i + 4]) for i in range(0, len(calls), 4)]
    if deal.play and deal.contract is not None and deal.leader is not None:
        lines.append(f'[Play "{SEATS[deal.leader]}"]')
        lines += _play_rows(deal.play, deal.contract.strain)
    return "\n".join(lines) + "\n"


def _play_rows(play: tuple[int, ...], trump: int) -> list[str]:
    """A line for each trick, columns by seat from the opening leader; `*` if it ended early."""
    lines, leads = [], 0
    for start in range(0, len(play), 4):
        trick = play[start : start + 4]
        columns = ["- "] * 4
        for i, card in enumerate(trick):
            columns[(leads + i) % 4] = card_name(card)
        lines.append(" ".join(columns).rstrip())
        leads = (leads + winner_of(trick, len(trick), trump)) % 4
    return lines if len(play) == 52 else [*lines, "*"]


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
