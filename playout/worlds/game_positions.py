"""The positions of any game with hidden information in all worlds: a state a world.

Endings are solved with open cards by alpha-beta (`playout.solvers.alphabeta`), for the side of the
player at the root. Every player sees every move; the rewards of the two sides add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import hash_record, helper, in_place, same_record
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.records import copy_record, mix
from playout.contract import Game, room_for_moves
from playout.solvers.alphabeta import NEW, AlphaBeta, step
from playout.solvers.move_orders import NoOrder
from playout.solvers.position_table import TRUE, UNKNOWN, Table
from playout.worlds.positions import APART, FRIEND, MAX, MIN, Positions

ALL_NODES = 1 << 60


class GamePositions(Positions):
    """The positions below a root at which one of the players is to move and wants `goal`."""

    fields = ("worlds", "goal", "kinds", "first", "states", "played", "spare", "keys")

    def __init__(
        self, game: Game, states: np.ndarray, player: int, goal: float, friend: bool = True
    ) -> None:
        self.worlds, self.goal = len(states), goal
        self.depth = game.max_length
        self.most_moves = min(game.max_moves * self.worlds, 4 * game.max_moves + 64)
        partner = FRIEND if friend else MIN
        self.kinds = np.array([MIN if side else partner for side in sides(game, player)], np.int64)
        self.kinds[player] = MAX
        self.first = np.zeros(self.depth + 2, np.int64)  # a world that is possible, by depth
        self.states = game.new_states((self.depth + 2) * self.worlds)
        self.states[: self.worlds] = states
        self.played = np.zeros((self.depth + 2, self.most_moves), game.move_type)
        self.spare = np.zeros(room_for_moves(game.max_moves), game.move_type)
        self.keys = np.zeros(self.depth + 2, np.uint64)

    def kind(self, tools, d):
        return self.kinds[tools[0].own_turn(self.states[d * self.worlds + self.first[d]])]

    def settled(self, tools, d, possible, out):
        game = tools[0]
        over = going = 0
        for k in range(len(possible)):
            worlds, out[k] = possible[k], np.uint64(0)
            while worlds:
                b = lowest_bit(worlds)
                worlds = without_lowest(worlds)
                self.first[d] = 64 * k + b
                state = self.states[d * self.worlds + 64 * k + b]
                if game.moves(state, self.spare) == 0:
                    over += 1
                    if game.reward(state, 0) >= self.goal:
                        out[k] |= bit(b)
                else:
                    going += 1
        if over and going:
            return APART
        return 1 if over else 0

    def moves(self, tools, d, possible, legal, names):
        game = tools[0]
        n = 0
        for k in range(len(possible)):
            worlds = possible[k]
            while worlds:
                b = lowest_bit(worlds)
                worlds = without_lowest(worlds)
                count = game.moves(self.states[d * self.worlds + 64 * k + b], self.spare)
                for j in range(count):
                    i = 0
                    while i < n and not same_record(self.played[d, i], self.spare[j]):
                        i += 1
                    if i == n:
                        if n == legal.shape[0]:
                            return n + 1
                        copy_record(self.spare[j], in_place(self.played[d], i))
                        names[i] = move_name(self.spare[j])
                        for word in range(len(possible)):
                            legal[i, word] = np.uint64(0)
                        n += 1
                    legal[i, k] |= bit(b)
        return n

    def play(self, tools, d, i, worlds):
        game = tools[0]
        move = self.played[d, i]
        self.keys[d + 1] = mix(self.keys[d] ^ hash_record(move))
        for k in range(len(worlds)):
            rest = worlds[k]
            while rest:
                world = 64 * k + lowest_bit(rest)
                rest = without_lowest(rest)
                after = (d + 1) * self.worlds + world
                self.states[after] = self.states[d * self.worlds + world]
                game.play(self.states[after], move)

    def key(self, tools, d):
        return self.keys[d]

    def leaf(self, tools, d, world):
        game, search, table, order = tools
        search.states[0] = self.states[d * self.worlds + world]
        head = search.head[0]
        head.depth = 0
        head.entering = NEW
        head.answer = UNKNOWN
        status = step(search, game, table, order, ALL_NODES)
        if status < 0:
            return status
        return 1 if head.answer == TRUE else 0

    def name_of(self, move: Any, names: list[int]) -> int:
        return int(move_name(move))


@helper
def move_name(move):
    """A number from 0 that names a move."""
    return np.int64(hash_record(move) >> np.uint64(2))


def solver_tools(game: Game, root: np.ndarray, player: int, goal: float, entries: int) -> tuple:
    """What `GamePositions` needs: the game as the player's side sees it, and alpha-beta."""
    sided = TwoSides(game, player)
    return sided, AlphaBeta(sided, root, goal), Table(sided, entries), NoOrder()


def sides(game: Game, player: int) -> list[int]:
    """0 for each player who is on the side of this one, 1 for the others."""
    teams = game.teams or tuple(range(game.players))
    return [int(team != teams[player]) for team in teams]


class TwoSides(Game):
    """A game between the side of one player, who is its first, and all others, its second.

    It holds the game and does not extend it: rules that ask for `self.turn` must get their own.
    """

    fields = ("game", "side", "eyes", "turned", "total")

    def __init__(self, game: Game, player: int) -> None:
        self.game = game
        self.side = np.array(sides(game, player), np.int64)
        self.eyes, self.turned = int(player), bool(self.side[0])
        self.total = float(min(game.outcomes) + max(game.outcomes))
        self.outcomes = game.outcomes
        if self.turned:
            self.outcomes = tuple(sorted(self.total - value for value in game.outcomes))
        self.state_type, self.move_type = game.state_type, game.move_type
        self.max_moves, self.max_length = game.max_moves, game.max_length
        self.packed, self.symmetries = game.packed, game.symmetries
        self.hidden, self.chance, self.opened = game.hidden, game.chance, game.opened

    def own_turn(self, state):
        """Whose move it is in the game."""
        return self.game.turn(state)

    def turn(self, state):
        return self.side[np.int64(self.game.turn(state))]

    def moves(self, state, moves):
        return self.game.moves(state, moves)

    def play(self, state, move):
        self.game.play(state, move)

    def reward(self, state, player):
        return self.game.reward(state, self.eyes)

    def decided(self, state):
        worth = self.game.decided(state)
        return self.total - worth if self.turned else worth

    def decided_packed(self, state, words):
        worth = self.game.decided_packed(state, words)
        return self.total - worth if self.turned else worth

    def needed(self, state, moves, n):
        return self.game.needed(state, moves, n)

    def transform(self, state, symmetry, out):
        self.game.transform(state, symmetry, out)

    def transform_move(self, move, symmetry, out):
        self.game.transform_move(move, symmetry, out)

    def pack(self, state, symmetry, spare, out):
        self.game.pack(state, symmetry, spare, out)

    def pack_least(self, state, symmetries, spare, out, other):
        return self.game.pack_least(state, symmetries, spare, out, other)

    def remembers(self):
        return self.game.remembers()

    def moment(self, state):
        return self.game.moment(state)

    def forbidden_by(self, state):
        return self.game.forbidden_by(state)

    def may_return(self, state, move):
        return self.game.may_return(state, move)

    def mark(self, state):
        return self.game.mark(state)

    def past_marks(self, state):
        return self.game.past_marks(state)
