"""What alpha-mu costs: CPU seconds for each of declarer's 26 cards, by M, beside a reference.

    python -m bench.alphamu --deals 4 --M 1,2,3 [--contested] [--dds 10]

Declarer South plays 3NT by alpha-mu against two PIMC defenders of 20 worlds. Cards that are forced,
or played when the contract is certain, count as they come, which is next to nothing; the paper's
mean is over all 26 cards too. The machine's speed is told by a reference: the own double dummy
solver on fixed deals of eight cards.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from playout.cards.doubledummy import DoubleDummy, makes, tricks
from playout.games.bridge import Bridge
from playout.tasks.bridge_duplicate import play_deal
from playout.worlds.alphamu_search import AlphaMuSearch

PAPER = {1: 0.118, 2: 0.433, 3: 1.176}


def reference() -> float:
    """CPU microseconds of a question of eight cards, the mean of 300."""
    rng = np.random.default_rng(1)
    solver = DoubleDummy()
    deals = []
    for _ in range(300):
        deck = rng.permutation([16 * suit + rank for suit in range(4) for rank in range(13)])
        hands = [sum(1 << int(card) for card in deck[8 * i : 8 * i + 8]) for i in range(4)]
        deals.append(np.array(hands, np.uint64))
    trick = np.zeros(4, np.int64)
    makes(solver, deals[0], 0, trick, 0, 5, 4)
    began = time.process_time()
    for hands in deals:
        makes(solver, hands, 0, trick, 0, 5, 4)
    return (time.process_time() - began) / len(deals) * 1e6


def contested(game: Bridge, seed: int) -> bool:
    """Whether the deal of a seed makes 9 or 10 tricks with open cards."""
    hands = game.root(seed)[0].hands.copy()
    return 9 <= tricks(DoubleDummy(), hands, 3, np.zeros(4, np.int64), 0, 4) <= 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--M", default="1,2,3")
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--contested", action="store_true", help="9 or 10 tricks with open cards")
    parser.add_argument("--dds", type=int, default=0, help="DDS from so many tricks left on")
    parser.add_argument("--cuts", default="", help="options of the cuts, as late_cut=false")
    given = parser.parse_args()
    game = Bridge("3NT", "S")
    seeds, seed = [], given.first - 1
    while len(seeds) < given.deals:
        seed += 1
        if not given.contested or contested(game, seed):
            seeds.append(seed)
    cuts = "".join("," + word for word in given.cuts.split(",") if word)
    print(f"reference: {reference():.1f} us a question of eight cards")
    for most in map(int, given.M.split(",")):
        text = f"alphamu:M={most},worlds={given.worlds},dds={given.dds}{cuts}"
        declarer = AlphaMuSearch.parse(text).session(game, seed=0)
        defender = AlphaMuSearch.parse(f"alphamu:M=1,worlds=20,dds={given.dds}").session(
            game, seed=0
        )
        play_deal(game, 999, declarer, defender)  # compiles
        rows = [play_deal(game, seed, declarer, defender) for seed in seeds]
        mean = sum(row.seconds for row in rows) / len(rows) / 26
        asked = sum(row.questions for row in rows) / len(rows)
        made = sum(row.made for row in rows)
        paper = PAPER.get(most)
        beside = f" (paper {paper:.3f})" if paper else ""
        print(
            f"{text}: {mean:.4f} CPU s a card{beside}, {len(rows)} deals, {made} made, "
            f"{asked:,.0f} questions a deal; by deal: "
            + " ".join(f"{row.seconds / 26:.3f}" for row in rows),
            flush=True,
        )


if __name__ == "__main__":
    main()
