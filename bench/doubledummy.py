"""The double dummy solver beside DDS: the same answers, and the time of one question.

python -m bench.doubledummy speed                       # CPU time of one question, both in one run
python -m bench.doubledummy speed --cards 13 --deals 100
python -m bench.doubledummy oracle --positions 10000    # answers beside DDS; goes on where it was
python -m bench.doubledummy leads                       # the solved deals of the data folder

Positions are dealt from numbers; the oracle notes in the file `--state` how far it has come. DDS
comes with the extra `bridge`. A question is "do North and South get 9/13 of the tricks".
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np

from bench.common import data_folder, store
from playout.cards import dds
from playout.cards.deal_lists import parse_dds_list
from playout.cards.deck import cards_in, deck_from
from playout.cards.doubledummy import DoubleDummy, card_values, makes, tricks
from playout.cards.tricks import legal_cards
from playout.compiled import kernel

DECK = cards_in(deck_from())
ENTRIES = 1 << 18
STRAINS = ("spades", "hearts", "diamonds", "clubs", "no trump")


def ending(number: int, cards: int, on_table: int) -> tuple[np.ndarray, int, list[int]]:
    """The random ending of a number: hands, leader, cards on the table."""
    source = random.Random(number)
    chosen = source.sample(DECK, 4 * cards)
    hands = [sum(1 << card for card in chosen[seat::4]) for seat in range(4)]
    leader, trick = source.randrange(4), []
    for i in range(on_table):
        seat = (leader + i) % 4
        led = trick[0] // 16 if trick else -1
        card = source.choice(cards_in(legal_cards(np.uint64(hands[seat]), led)))
        hands[seat] ^= 1 << card
        trick.append(card)
    return np.array(hands, np.uint64), leader, trick


def padded(trick: list[int]) -> np.ndarray:
    return np.array([*trick, 0, 0, 0, 0][:4])


@kernel
def _all(solver, hands, leaders, trick, need, trump, out):
    for i in range(len(hands)):
        if need > 0:
            out[i] = makes(solver, hands[i], leaders[i], trick, 0, need, trump)
        else:
            out[i] = tricks(solver, hands[i], leaders[i], trick, 0, trump)


def speed(cards: int, deals: int, trump: int) -> dict[str, float]:
    """CPU microseconds and nodes of one question, ours and DDS's, on the same deals."""
    endings = [ending(1000 * cards + i, cards, 0)[:2] for i in range(deals)]
    need = max(1, cards * 9 // 13)
    hands = np.array([found[0] for found in endings])
    leaders = np.array([found[1] for found in endings])
    out, solver = np.zeros(deals, np.int64), DoubleDummy(ENTRIES)
    _all(solver, hands[:1], leaders[:1], padded([]), need, trump, out)
    row = {"cards": cards, "deals": deals}
    for name, wanted in (("target", need), ("value", 0)):
        solver = DoubleDummy(ENTRIES)
        _all(solver, hands[:0], leaders[:0], padded([]), wanted, trump, out)  # makes it known
        begin = time.thread_time_ns()
        _all(solver, hands, leaders, padded([]), wanted, trump, out)
        row[f"own {name}"] = (time.thread_time_ns() - begin) / deals / 1e3
        row[f"own {name} nodes"] = int(solver.counts[0].nodes) / deals
        if dds.installed():
            positions = [dds.Position(h, leader, (), trump) for h, leader in endings]
            dds.dds_tricks(positions[0])  # loads it
            begin = time.thread_time_ns()
            if wanted:
                answers = [dds.dds_makes(position, wanted) for position in positions]
            else:
                answers = [dds.dds_tricks(position) for position in positions]
            row[f"dds {name}"] = (time.thread_time_ns() - begin) / deals / 1e3
            row["different"] = row.get("different", 0) + int(np.sum(out != answers))
    return row


def oracle(positions: int, state: Path) -> None:
    """Ask DDS and our solver the same; the first answer that differs ends it."""
    done = json.loads(state.read_text())["done"] if state.exists() else 0
    solver, out = DoubleDummy(ENTRIES), np.zeros(64, np.int64)
    begin, last = time.perf_counter(), done + positions - 1
    for number in range(done, last + 1):
        # small endings are many and cheap, large ones few
        cards = 2 + number % 9 if number % 50 else 11 + number // 50 % 3
        trump, on_table = number // 9 % 5, number // 45 % 4
        hands, leader, trick = ending(number, cards, on_table)
        position = dds.Position(hands, leader, trick, trump)
        place = padded(trick)
        expected = dds.dds_tricks(position)
        found = tricks(solver, hands, leader, place, len(trick), trump)
        good = found == expected
        if number % 4 == 0:  # every card by itself
            card_values(solver, hands, leader, place, len(trick), trump, out)
            values = {card: int(out[card]) for card in range(64) if out[card] >= 0}
            good &= values == dds.dds_card_values(position)
        if not good:
            raise SystemExit(f"position {number} differs: {found} tricks, DDS says {expected}")
        if number % 1000 == 999 or number == last:
            state.write_text(json.dumps({"done": number + 1}))
            seconds = time.perf_counter() - begin
            print(f"{number + 1:,} positions, none different, {seconds:.0f} s", flush=True)


def leads(limit: int) -> None:
    """Every lead of the data folder's list of 100 deals, by our solver alone."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("no data folder: $PLAYOUT_DATA")
    path = folder / "bridge" / "list100.txt"
    solver, wrong, asked = DoubleDummy(ENTRIES), 0, 0
    out = np.zeros(64, np.int64)
    begin = time.process_time()
    for solved in parse_dds_list(path.read_text(), str(path))[:limit]:
        hands = np.array([int(hand or 0) for hand in solved.deal.hands], np.uint64)
        card_values(solver, hands, solved.leader, padded([]), 0, solved.trump, out)
        for card, equals, score in solved.cards:
            for rank in (card % 16, *cards_in(equals)):
                expected = score if solved.leader % 2 == 0 else 13 - score
                wrong += int(out[card // 16 * 16 + rank]) != expected
                asked += 1
    seconds = time.process_time() - begin
    print(f"{asked} leads of {limit} deals, {wrong} wrong, {seconds / limit:.3f} CPU s a deal")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.doubledummy", description=__doc__)
    parser.add_argument("what", choices=("speed", "oracle", "leads"))
    parser.add_argument("--cards", default="5,8,10,13", help="cards a hand")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--state", type=Path, default=Path("doubledummy-oracle.json"))
    chosen = parser.parse_args()
    if chosen.what == "oracle":
        dds.need_dds()
        oracle(chosen.positions, chosen.state)
    elif chosen.what == "leads":
        leads(chosen.deals)
    else:
        rows = []
        for trump in (4, 0):
            for cards in map(int, chosen.cards.split(",")):
                row = speed(cards, chosen.deals, trump)
                rows.append({"strain": STRAINS[trump], **row})
                print(_line(rows[-1]), flush=True)
        store("doubledummy", {"rows": rows})


def _line(row: dict[str, float]) -> str:
    parts = [f"{row['strain']}, {row['cards']} cards"]
    for name in ("target", "value"):
        nodes = f"{row[f'own {name}']:,.1f} us ({row[f'own {name} nodes']:,.0f} nodes)"
        other = f", DDS {row[f'dds {name}']:,.1f} us" if f"dds {name}" in row else ""
        parts.append(f"{name} {nodes}{other}")
    return "; ".join(parts) + (f"; {row['different']} different" if "different" in row else "")


if __name__ == "__main__":
    main()
