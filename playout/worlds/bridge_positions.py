"""The positions of Bridge in all worlds, as bits: what alpha-mu searches, with double dummy leaves.

Seats are counted from declarer: 0 declarer, 1 left defender, 2 dummy, 3 right defender. The root
player is Max. Of hands that he sees one card of each run is tried; of others every card, since
which of two equal cards is played tells worlds apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from playout.cards.dds import Position, dds_batch
from playout.cards.deck import suit_of
from playout.cards.doubledummy import makes
from playout.cards.tricks import NOTHING_LED, legal_cards, run_ends, winner_of
from playout.compiled import Compiled, record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.games.bridge import DECLARER, Bridge
from playout.worlds.positions import FRIEND, MAX, MIN, Positions

if TYPE_CHECKING:
    from playout.worlds.alphamu_arrays import AlphaMu

NODE = record(
    by=("u8", 4),  # cards played by each seat since the root
    gone="u8",  # all of them
    trick=("i1", 4),
    count="i1",
    leader="i1",
    need="i1",  # tricks that declarer still needs
    left="i1",  # tricks that are not finished
)


class Hands(Compiled):
    """Room for the hands of a question; each thread has its own."""

    fields = ("hands",)

    def __init__(self) -> None:
        self.hands = np.zeros(4, np.uint64)


class BridgePositions(Positions):
    """The positions below a root that one of the players is to play at."""

    fields = (
        "worlds",
        "trump",
        "for_declarer",
        "kinds",
        "seen",
        "dealt",
        "nodes",
        "cards",
    )

    def __init__(self, game: Bridge, states: np.ndarray, player: int, friend: bool = True) -> None:
        self.worlds, self.trump = len(states), game.trump
        root = states[0]
        self.depth, self.most_moves = 4 * int(root.left), 52
        self.for_declarer = player == DECLARER
        mine = {0: (0, 2), 1: (1,), 2: (3,)}[player]
        partner = {1: 3, 2: 1}.get(player, -1)
        self.kinds = np.full(4, MIN, np.int64)
        self.kinds[list(mine)] = MAX
        if friend and partner >= 0:
            self.kinds[partner] = FRIEND
        self.seen = np.zeros(4, np.bool_)
        self.seen[list(mine)] = True
        self.seen[2] |= bool(root.dummy)
        order = [(game.seat + place) % 4 for place in range(4)]
        self.dealt = np.ascontiguousarray(states["hands"][:, order])
        self.nodes = np.zeros(self.depth + 2, NODE)
        self.cards = np.zeros((self.depth + 2, self.most_moves), np.int64)
        node, count = self.nodes[0], int(root.count)
        number = game.left(root)
        played = 4 * game.tricks - number
        node.trick[:count] = root.played[played - count : played]
        node.count, node.leader = count, (int(root.leader) - game.seat) % 4
        node.need, node.left = game.goal - int(root.won[0]), root.left

    def kind(self, tools, d):
        node = self.nodes[d]
        return self.kinds[(node.leader + node.count) & 3]

    def settled(self, tools, d, possible, out):
        node = self.nodes[d]
        if 0 < node.need <= node.left:
            return 0
        won = (node.need <= 0) == self.for_declarer
        for k in range(len(out)):
            out[k] = possible[k] if won else np.uint64(0)
        return 1

    def moves(self, tools, d, possible, legal, names):
        node, cards = self.nodes[d], self.cards[d]
        seat = (node.leader + node.count) & 3
        led = suit_of(np.int64(node.trick[0])) if node.count > 0 else NOTHING_LED
        n = 0
        if self.seen[seat]:
            others = np.uint64(0)
            for other in range(4):
                if other != seat:
                    others |= self.dealt[0, other] & ~node.gone
            for i in range(node.count):
                others |= bit(np.int64(node.trick[i]))
            ends = run_ends(legal_cards(self.dealt[0, seat] & ~node.gone, led), others)
            while ends:
                cards[n] = names[n] = lowest_bit(ends)
                ends = without_lowest(ends)
                for k in range(len(possible)):
                    legal[n, k] = possible[k]
                n += 1
            return n
        union = np.uint64(0)
        for k in range(len(possible)):
            worlds = possible[k]
            while worlds:
                world = 64 * k + lowest_bit(worlds)
                worlds = without_lowest(worlds)
                union |= legal_cards(self.dealt[world, seat] & ~node.gone, led)
        while union:
            cards[n] = names[n] = lowest_bit(union)
            union = without_lowest(union)
            for k in range(len(possible)):
                legal[n, k] = np.uint64(0)
            n += 1
        for k in range(len(possible)):
            worlds = possible[k]
            while worlds:
                b = lowest_bit(worlds)
                worlds = without_lowest(worlds)
                hand = legal_cards(self.dealt[64 * k + b, seat] & ~node.gone, led)
                for i in range(n):
                    if hand & bit(cards[i]):
                        legal[i, k] |= bit(b)
        return n

    def play(self, tools, d, i, worlds):
        self.nodes[d + 1] = self.nodes[d]
        node = self.nodes[d + 1]
        card = self.cards[d, i]
        node.by[(node.leader + node.count) & 3] |= bit(card)
        node.gone |= bit(card)
        node.trick[node.count] = card
        node.count += 1
        if node.count == 4:
            node.leader = (node.leader + winner_of(node.trick, 4, self.trump)) & 3
            node.need -= 1 - (node.leader & 1)
            node.left -= 1
            node.count = 0

    def key(self, tools, d):
        node = self.nodes[d]
        word = np.uint64(node.leader)
        for seat in range(4):
            word = mix(word ^ node.by[seat])
        for i in range(node.count):
            word = mix(word ^ np.uint64(node.trick[i] + 1))
        return word

    def leaf(self, tools, d, world):
        node = self.nodes[d]
        solver, room = tools
        for seat in range(4):
            room.hands[seat] = self.dealt[world, seat] & ~node.gone
        made = makes(
            solver,
            room.hands,
            np.int64(node.leader),
            node.trick,
            np.int64(node.count),
            np.int64(node.need),
            self.trump,
        )
        return 1 if made == self.for_declarer else 0

    # in plain Python only

    def name_of(self, move: Any, names: list[int]) -> int:
        """The name of the run that a card belongs to: its lowest card."""
        card = int(move.card)
        return max((name for name in names if name >> 4 == card >> 4 and name <= card), default=-1)

    def ask_dds(self, search: AlphaMu) -> None:
        """Answer the leaf that waits by DDS, all its worlds at once."""
        d = int(search.head[0].depth)
        node = self.nodes[d]
        trick = [int(card) for card in node.trick[: node.count]]
        worlds = [
            world
            for world in range(self.worlds)
            if int(search.alive[d, world // 64]) >> world % 64 & 1
        ]
        leader = int(node.leader)
        boards = [
            Position(
                [int(hand & ~node.gone) for hand in self.dealt[world]], leader, trick, self.trump
            )
            for world in worlds
        ]
        search.answer[:] = 0
        for world, made in zip(worlds, dds_batch(boards, [int(node.need)] * len(boards))):
            if bool(made) == self.for_declarer:
                search.answer[world // 64] |= np.uint64(1 << world % 64)
