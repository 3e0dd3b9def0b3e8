"""`playout bridge`: which card to play, a hand played out, double dummy tables, deals in files."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import COUNT, SEED, WORKERS, Parser, as_dict, duration, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import search_line
from playout.cli.outputs import output_file, write_answer
from playout.errors import DataError, OptionError

if TYPE_CHECKING:
    from playout.cards.deal import Deal
    from playout.tasks.bridge_situation import Situation
    from playout.worlds.alphamu_search import AlphaMuSearch

SECONDS = 60.0

USAGE = "playout bridge DEAL [--contract 3NT --by S] [--play CARDS] [options]"

DESCRIPTION = """\
The play of the cards in Bridge. DEAL is a file (PBN, LIN, a DDS list, or a deal a line), FILE#3 for
the third deal of it, or the deal itself: "N:QJ6.K652.J85.T98 ... ... ...", hands clockwise from the
named seat, - for a hand that is hidden. The player to move knows his own hand, dummy's and the
cards played; all else is drawn at random, in as many worlds as are asked for. For each card it is
told in how many of them it wins, by alpha-mu, which plays the same cards in worlds that look alike,
and by PIMC, which does not.
"""

EPILOG = """\
examples:
  playout bridge deal.pbn#3 --contract 3NT --by S --play "HK H2 H5 HA" --worlds 100
      which card to play next, in 3NT by South after four cards
  playout bridge deal.pbn -o M=2 --hcp W=10-14 --length E.H=5- --json
      West has 10 to 14 points, East five hearts or more; as JSON
  playout bridge deal.pbn --finish --defence dds --out played.pbn
      play the hand out against defenders who see all cards; PBN with the cards played
  playout bridge deals.lin --table
      double dummy tricks of every declarer and strain, for every deal of a file
  playout bridge deals.lin --format pbn
      the deals in another format

exit code: 0; 2 for a mistake in the command or the deal; 130 after Ctrl-C, with the best card so
far, the tables so far, or the cards played so far
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("the hand")
    what("DEAL", "a file, FILE#3, or a deal in one line")
    what("--contract C", "such as 3NT or 4S (default: that of the file)")
    what("--by SEAT", "declarer: N, E, S or W (default: that of the file)")
    what("--play CARDS", 'the cards played so far, as "HK H2 H5 HA" (default: those of the file)')
    what("--after N", "only the first so many cards played", whole(0, "count"))
    what("--hcp SEAT=LOW-HIGH ...", "high card points of a hidden hand, as W=10-14")
    what("--length SEAT.SUIT=LOW-HIGH ...", "length of a suit of a hidden hand, as E.H=5-")
    how = parser.group("how to search")
    text = "alphamu (the default), or pimc, which is alphamu with M=1"
    how("-a {alphamu,pimc}", text, dest="algorithm", default="alphamu")
    how.algorithm(example=", such as M=2", name=None)
    how("--worlds N", "worlds that are drawn (default: 100)", COUNT, default=100)
    text = f"time for a card: 90, 10m (default: {SECONDS:g}); it usually ends sooner"
    how("--seconds S", text, duration, default=SECONDS)
    how("--workers N", "threads, which share out the worlds (default: 1)", WORKERS, default=1)
    how("--seed N", "seed of the random numbers (default: drawn)", SEED)
    act = parser.group("what to do instead").one_of()
    act("--finish", "play the hand out")
    act("--table", "double dummy tricks of every declarer in every strain")
    more = parser.group("output")
    text = "of --finish: pimc (the default), or dds, who see all cards"
    more("--defence {pimc,dds}", text, default="pimc")
    text = "deals as PBN, LIN or a line each: of --finish (default: pbn), or of the file"
    more("--format {pbn,lin,line}", text)
    more("--out FILE", "write to a file")
    more.json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Do what is asked for, and print or write it."""
    from playout.cards.deal_lists import write_deals

    out = output_file("out", options.out)
    if options.table:
        return _tables(options, out)
    if options.finish:
        return _finish(options, out)
    if options.format:
        deals = _deals(options)
        data = {"deals": [_deal_json(deal) for deal in deals]}
        return _said(options, out, write_deals(deals, options.format), data)
    return _advise(options, out)


def _said(options: argparse.Namespace, out: Path | None, text: str, data: Any) -> int:
    """Print what was found, or write it to --out."""
    from playout.text.json_text import json_text

    write_answer(out, json_text(data) + "\n" if options.json else text)
    return 0


# the deal


def _deals(options: argparse.Namespace) -> list[Deal]:
    """All deals that DEAL names."""
    from playout.cards.deal import Deal, read_hands
    from playout.cards.deal_lists import parse_deals, read_deals

    text = options.deal
    if text.lower().startswith(("http://", "https://")):
        return parse_deals(text, "the link")
    file, mark, number = text.rpartition("#")
    if mark and not Path(text).exists():
        if not (number.isascii() and number.isdigit() and 0 < int(number[:9]) < 10**8):
            raise OptionError(f"{text}: after # comes the number of a deal, 1 for the first")
        deals = read_deals(file)
        if int(number) > len(deals):
            raise DataError(f"{text}: the file has {len(deals)} deals")
        return [deals[int(number) - 1]]
    if not Path(text).exists() and ":" in text[:3]:
        return [Deal(read_hands(text))]
    return read_deals(text)


def _situation(options: argparse.Namespace, seed: int) -> Situation:
    """The hand that is asked about, with what the arguments say of it."""
    from dataclasses import replace

    from playout.cards.deal import read_cards, read_contract, read_seat
    from playout.tasks.bridge_situation import situation

    deals = _deals(options)
    if len(deals) > 1:
        raise OptionError(f"{options.deal} has {len(deals)} deals: name one, {options.deal}#1")
    deal = deals[0]
    if options.contract is not None:
        deal = replace(deal, contract=read_contract(options.contract))
    if options.by is not None:
        deal = replace(deal, declarer=read_seat(options.by))
    if options.play is not None:
        deal = replace(deal, play=tuple(read_cards(options.play)))
    if options.after is not None:
        if options.after > len(deal.play):
            raise OptionError(f"--after {options.after}: {len(deal.play)} cards were played")
        deal = replace(deal, play=deal.play[: options.after])
    return situation(replace(deal, result=None), seed)


def _search(options: argparse.Namespace) -> AlphaMuSearch:
    from playout.text.grammar import named_text
    from playout.worlds.alphamu_search import AlphaMuSearch

    given = as_dict(options.options)
    if options.algorithm == "pimc":
        if "M" in given:
            raise OptionError("pimc is alphamu with M=1: leave M out, or give -a alphamu")
        given["M"] = "1"
    if "worlds" in given:
        raise OptionError("give --worlds in place of -o worlds")
    return AlphaMuSearch.parse(named_text("alphamu", {**given, "worlds": options.worlds}))


def _deal_json(deal: Deal) -> dict[str, Any]:
    from playout.cards.deal import SEATS, hands_text
    from playout.cards.deck import card_name

    return {
        "board": deal.board,
        "hands": hands_text(deal.hands),
        "contract": None if deal.contract is None else str(deal.contract),
        "declarer": None if deal.declarer is None else SEATS[deal.declarer],
        "play": [card_name(card) for card in deal.play],
        "result": deal.result,
    }


# what is done


def _advise(options: argparse.Namespace, out: Path | None) -> int:
    from dataclasses import replace

    from playout.stop import CtrlC, Seconds
    from playout.tasks.bridge_advice import advise
    from playout.tasks.bridge_situation import read_ranges

    seed = secrets.randbits(31) if options.seed is None else options.seed
    search = _search(options)
    place = _situation(options, seed)
    ranges = read_ranges(options.hcp, options.length, place)
    stop = Seconds(options.seconds)
    wanted = not options.quiet
    with search_line(stop, "compiling ...", wanted, score=False) as line, CtrlC() as interrupt:
        found = advise(
            place,
            search,
            stop | interrupt,
            seed=seed,
            workers=options.workers,
            ranges=ranges,
            progress=line.update,
        )
    found = replace(found, interrupted=interrupt.came)
    _said(options, out, f"{found}\n", found.to_json())
    return INTERRUPTED if interrupt.came else 0


def _finish(options: argparse.Namespace, out: Path | None) -> int:
    from playout.cards.deal_lists import write_deals
    from playout.stop import CtrlC, Seconds
    from playout.tasks.bridge_advice import finish

    seed = secrets.randbits(31) if options.seed is None else options.seed
    place = _situation(options, seed)
    with CtrlC() as interrupt:
        done = finish(
            place,
            _search(options),
            options.defence,
            Seconds(options.seconds),
            seed=seed,
            workers=options.workers,
            interrupt=interrupt,
        )
    text = write_deals([done.deal], options.format or "pbn")
    data = {
        **_deal_json(done.deal),
        "made": done.made,
        "searched_cards": done.chosen,
        "seconds": done.seconds,
    }
    _said(options, out, text, data)
    return INTERRUPTED if interrupt.came else 0


def _tables(options: argparse.Namespace, out: Path | None) -> int:
    """Double dummy tables; of as many deals as there was time for."""
    from playout.cards.deal import SEATS, STRAINS, hands_text
    from playout.stop import CtrlC
    from playout.tasks.bridge_advice import tricks_table

    texts: list[str] = []
    data: list[dict[str, Any]] = []
    deals = _deals(options)
    with CtrlC() as interrupt:
        for deal in deals:
            if interrupt.came:
                break
            table = tricks_table(deal)
            lines = [hands_text(deal.hands, deal.dealer or 0), "      " + "  ".join(SEATS)]
            for strain in (4, 0, 1, 2, 3):
                row = "".join(f"{table[4 * strain + seat]:>3}" for seat in range(4))
                lines.append(f"{STRAINS[strain]:<4}{row}")
            texts.append("\n".join(lines) + "\n")
            rows = {STRAINS[s]: dict(zip(SEATS, table[4 * s : 4 * s + 4])) for s in range(5)}
            data.append({"board": deal.board, "hands": hands_text(deal.hands), "tricks": rows})
    if interrupt.came and not texts:
        raise KeyboardInterrupt
    _said(options, out, "\n".join(texts), data if len(deals) > 1 else data[0])
    return INTERRUPTED if interrupt.came else 0
