"""Every position of a small game: perfect play, and exact results of a policy.

All positions are listed move by move, compiled, and valued from the end. With that the expected
result of a policy that plays its best move, against a player who plays at random or one who never
makes a mistake (and plays each of his best moves equally often), needs no games: it is a sum over
positions. What is found is exact, so that "never loses" is a fact about a network and not a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import Compiled, friendly, kernel
from playout.contract import Game, room_for_moves
from playout.errors import OptionError
from playout.learn.alphazero.alphazero_settings import RANDOM, RIVALS
from playout.learn.alphazero.two_player_puct import Predictions, ask, find

MOST_POSITIONS = 2_000_000


@dataclass(frozen=True)
class Outcome:
    """Probabilities of a win, a draw and a loss; `score` is the mean result, a draw half."""

    wins: float
    draws: float
    losses: float

    @property
    def score(self) -> float:
        return self.wins + self.draws / 2


class AllPositions:
    """The positions of a two-player game, by the number of moves that led there.

    `states`; `starts`: where the positions after each number of moves begin; `child`: by move, -1
    behind the last; `outputs`: of the moves; `count`, `mover`, `reward`: of a position, the reward
    being the first player's at an end; `value`: what he gets under perfect play.
    """

    def __init__(self, game: Game, most: int = MOST_POSITIONS) -> None:
        if game.players != 2:
            raise OptionError(f"{type(game).__name__} is not a game for two")
        self.game = game
        states, starts = [game.root()], [0, 1]
        parts = []
        while len(states[-1]):
            level = Level(game, states[-1], most)
            with friendly():
                n = list_level(game, level)
            if n < 0 or starts[-1] + n > most:
                raise OptionError(
                    f"{type(game).__name__} has more than {most:,} positions: too many for an "
                    "exact result"
                )
            child = np.where(level.child >= 0, level.child + starts[-1], -1)
            parts.append((child, level.outputs, level.facts))
            states.append(level.following[:n].copy())
            starts.append(starts[-1] + n)
        self.states = np.concatenate(states)
        self.starts = starts[:-1]
        self.child, self.outputs, facts = (np.concatenate(part) for part in zip(*parts))
        self.count = facts[:, 0].astype(np.int64)
        self.mover, self.reward = facts[:, 1].astype(np.int64), facts[:, 2]
        self.value = self._solve()

    def __len__(self) -> int:
        return len(self.count)

    def _levels(self) -> list[slice]:
        """The positions after each number of moves, the last first."""
        ends = self.starts[1:]
        return [slice(a, b) for a, b in zip(self.starts, ends)][::-1]

    def _solve(self) -> np.ndarray:
        value = self.reward.copy()
        for rows in self._levels():
            best = self._best(rows, value)
            value[rows] = np.where(self.count[rows] > 0, best, self.reward[rows])
        return value

    def _best(self, rows: slice, value: np.ndarray) -> np.ndarray:
        child = self.child[rows]
        sign = np.where(self.mover[rows] == 0, 1.0, -1.0)[:, None]
        found = np.where(child >= 0, sign * value[child], -np.inf).max(axis=1)
        return sign[:, 0] * found

    def best_moves(self) -> np.ndarray:
        """Which moves of each position are best."""
        child = self.child
        good = self.value[child] == self.value[:, None]
        found: np.ndarray = good & (child >= 0)
        return found

    def planes(self, rows: np.ndarray) -> np.ndarray:
        """The planes of some positions."""
        found = np.zeros((len(rows), *self.game.plane_shape), np.float32)
        with friendly():
            write_planes(self.game, self.states, rows, found)
        return found

    def predictions(self, evaluator: Any) -> Predictions:
        """What a network says of every position, in one batch."""
        rows = np.flatnonzero(self.count)
        found = Predictions(self.game, 1 << (2 * len(rows)).bit_length(), len(rows))
        with friendly():
            ask_all(found, self.game, self.states, rows)
        found.evaluate(evaluator)
        return found

    def chosen(self, logits: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The legal move with the highest logit, of some positions."""
        outputs = self.outputs[rows]
        scores = np.take_along_axis(logits, outputs, axis=1)
        found: np.ndarray = np.where(self.child[rows] >= 0, scores, -np.inf).argmax(axis=1)
        return found

    def result(self, logits_of: Callable[[np.ndarray], np.ndarray], rival: str) -> Outcome:
        """The result of a policy against a rival, each moving first in half of the games.

        `logits_of` gets planes; the policy plays the legal move with the highest logit.
        """
        seats = [self.seat_result(logits_of, rival, seat) for seat in (0, 1)]
        return Outcome(*(sum(getattr(s, name) for s in seats) / 2 for name in _NAMES))

    def seat_result(
        self, logits_of: Callable[[np.ndarray], np.ndarray], rival: str, seat: int
    ) -> Outcome:
        """The same for one seat."""
        if rival not in RIVALS:
            raise OptionError(f"rival {rival!r}: one of {', '.join(RIVALS)}")
        weights = (self.child >= 0) if rival == RANDOM else self.best_moves()
        mass = np.zeros(len(self))
        mass[0] = 1.0
        for rows in self._levels()[::-1]:
            live = np.flatnonzero(mass[rows]) + rows.start
            mine = live[(self.mover[live] == seat) & (self.count[live] > 0)]
            if len(mine):
                moves = self.chosen(logits_of(self.planes(mine)), mine)
                np.add.at(mass, self.child[mine, moves], mass[mine])
            theirs = live[(self.mover[live] != seat) & (self.count[live] > 0)]
            share = weights[theirs] / weights[theirs].sum(axis=1, keepdims=True)
            at, move = np.nonzero(share)
            np.add.at(mass, self.child[theirs[at], move], mass[theirs[at]] * share[at, move])
        ends = self.count == 0
        low, high = self.game.outcomes[0], self.game.outcomes[-1]
        reward = self.reward if seat == 0 else low + high - self.reward
        middle = (low + high) / 2
        wins = float(mass[ends & (reward > middle)].sum())
        losses = float(mass[ends & (reward < middle)].sum())
        return Outcome(wins, max(0.0, 1.0 - wins - losses), losses)


_NAMES = ("wins", "draws", "losses")


class Level(Compiled):
    """The positions after a number of moves, and room for those behind them.

    - `states`: the positions; `child`, `outputs`: by move, where it leads, -1 behind the last, and
      its output; `facts`: how many moves there are, who moves, the first player's reward;
    - `following`: the positions behind them; `table`, `keys`: where each is, by key;
    - `legal`: to work with.
    """

    fields = ("states", "child", "outputs", "facts", "following", "table", "keys", "legal")

    def __init__(self, game: Game, states: np.ndarray, most: int) -> None:
        n, wide = len(states), game.max_moves
        room = min(n * wide, most) + 1
        self.states, self.following = states, game.new_states(room)
        self.table = np.full(1 << (2 * room).bit_length(), -1, np.int64)
        self.keys = np.zeros(len(self.table), np.uint64)
        self.child = np.full((n, wide), -1, np.int64)
        self.outputs = np.zeros((n, wide), np.int64)
        self.facts = np.zeros((n, 3))
        self.legal = np.zeros(room_for_moves(wide), game.move_type)


@kernel
def list_level(game, level):
    """List the positions behind a level's, each once; how many, or -1 if there is no room."""
    states, following, legal = level.states, level.following, level.legal
    table, keys, facts = level.table, level.keys, level.facts
    mask = np.uint64(len(table) - 1)
    n = 0
    for i in range(len(states)):
        count = game.moves(states[i], legal)
        facts[i, 0] = count
        if count == 0:
            facts[i, 2] = game.reward(states[i], 0)
            continue
        facts[i, 1] = game.turn(states[i])
        for m in range(count):
            if n == len(following) - 1:
                return -1
            level.outputs[i, m] = game.output(states[i], legal[m])
            following[n] = states[i]
            game.play(following[n], legal[m])
            key = np.uint64(game.key(following[n]))
            slot = key & mask
            while table[np.int64(slot)] >= 0 and keys[np.int64(slot)] != key:
                slot = (slot + np.uint64(1)) & mask
            if table[np.int64(slot)] < 0:
                table[np.int64(slot)] = n
                keys[np.int64(slot)] = key
                n += 1
            level.child[i, m] = table[np.int64(slot)]
    return n


@kernel
def ask_all(predictions, game, states, rows):
    """Ask for the predictions of positions."""
    for row in rows:
        ask(predictions, game, states[row], find(predictions, np.uint64(game.key(states[row]))))


@kernel
def write_planes(game, states, rows, out):
    """The planes of positions."""
    for i in range(len(rows)):
        game.planes(states[rows[i]], out[i])


def logits_of(evaluator: Any) -> Callable[[np.ndarray], np.ndarray]:
    """The logits alone of an evaluator that gives values too."""
    return lambda planes: np.asarray(evaluator(planes)[0])
