"""alpha-mu on endings of Bridge against all of declarer's strategies, by rules of their own."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from playout.cards.doubledummy import DoubleDummy
from playout.games.bridge import DECLARER, Bridge
from playout.worlds.alphamu import new_search, step
from playout.worlds.alphamu_arrays import DONE, ROOM, RUNNING, AlphaMu
from playout.worlds.bridge_positions import BridgePositions, Hands
from tests.support.naive_bridge import ending_tree, random_ending
from tests.support.world_trees import settle, strategies

pytestmark = pytest.mark.long

CUTS = ("table", "root_cut", "early_cut", "late_cut", "lost")
TOOLS = (DoubleDummy(), Hands())


def states_of(worlds, leader: int, need: int, trump: int) -> tuple[Bridge, np.ndarray]:
    """The worlds as states of the game: declarer is south, who needs so many of the last tricks."""
    game = Bridge("3" + ("S", "H", "D", "C", "NT")[trump], "S")
    left = len(worlds[0][0])
    states = game.new_states(len(worlds))
    for state, world in zip(states, worlds):
        for place, hand in enumerate(world):
            cards = sum(1 << 16 * suit + rank for suit, rank in hand)
            state.hands[(2 + place) % 4] = cards
        state.began[0] = np.bitwise_or.reduce(state.hands)
        state.may_hold[:] = state.began[0]
        state.played[:] = -1
        state.left, state.leader, state.dummy = left, (2 + leader) % 4, 1
        state.won[0] = game.goal - need
    return game, states


def searched(positions: BridgePositions, most: int, **options: bool) -> AlphaMu:
    search = new_search(positions, most, **options)
    status = RUNNING
    while status != DONE:
        status = step(search, positions, TOOLS, 1 << 60)
        if status == ROOM:
            search.grow()
        assert status in (RUNNING, ROOM, DONE)
    return search


@pytest.mark.parametrize("seed", range(24))
def test_it_finds_the_best_of_all_strategies(seed):
    rng = random.Random(seed)
    cards, worlds = (2, 6) if seed % 2 else (3, 4)
    trump = rng.choice([0, 4])
    need = rng.randint(1, cards)
    leader = rng.choice([0, 2])
    ending = random_ending(rng, cards, worlds)
    tree = ending_tree(ending, leader, need, trump)
    whole = (1 << worlds) - 1
    settle(tree, whole)
    every = strategies(tree, whole)
    best = {v for v in every if not any(u != v and u & v == v for u in every)}
    expected = max(vector.bit_count() for vector in every)
    game, states = states_of(ending, leader, need, trump)
    means = []
    for most in range(1, 2 * cards + 1):
        off = dict.fromkeys(CUTS, False)
        plain = searched(BridgePositions(game, states, DECLARER), most, **off)
        means.append(int(plain.head[0].previous))
        for on in itertools.chain.from_iterable(itertools.combinations(CUTS, n) for n in (1, 3, 5)):
            options = {name: name in on for name in CUTS}
            found = searched(BridgePositions(game, states, DECLARER), most, **options)
            assert int(found.head[0].previous) == means[-1], (most, on)
    front = {int(row[0]) for row in plain.found[: int(plain.head[0].count)]}
    assert front == best
    assert means[-1] == expected
    assert means == sorted(means, reverse=True)
    # with all cards open after his first card: PIMC
    assert means[0] == max(child.won.bit_count() for _, child in tree.children)


def test_the_two_way_finesse():
    """N AJ98, S KT43 of spades: PIMC takes all four tricks in all six worlds, which is a guess."""
    north = frozenset((0, rank) for rank in (12, 9, 7, 6))
    south = frozenset((0, rank) for rank in (11, 8, 2, 1))
    worlds = []
    small = {5, 4, 3}  # the seven, six and five
    for alone, queen_left in itertools.product(sorted(small), (True, False)):
        queen = frozenset({(0, 10), *((0, rank) for rank in small - {alone}), (1, 0)})
        other = frozenset({(0, alone), (1, 1), (1, 2), (1, 3)})
        left, right = (queen, other) if queen_left else (other, queen)
        worlds.append((south, left, north, right))
    game, states = states_of(worlds, 0, 4, 4)
    for most in range(1, 9):
        search = searched(BridgePositions(game, states, DECLARER), most, whole=True)
        wins = dict(zip(search.root_names[:3].tolist(), search.root_wins[most, :3].tolist()))
        # S3, ST, SK
        assert wins == ({1: 6, 8: 6, 11: 3} if most == 1 else {1: 3, 8: 3, 11: 3})
