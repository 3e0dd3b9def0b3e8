"""alpha-mu at work on one game, from move to move.

It has the methods of a tree search's session (`playout.gametree.tree_session`). Several workers
share out the worlds of a leaf, each with a solver of its own; the result is the same. A search that
is stopped has the last round that was finished, or what the first has seen so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from playout.cards import dds
from playout.cards.doubledummy import DoubleDummy
from playout.compiled import kernel, wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.records import same_record
from playout.errors import ProblemError
from playout.games.bridge import Bridge
from playout.gametree.game_session import GameSession
from playout.gametree.parallel_schemes import together
from playout.gametree.search_result import MoveStatistics, SearchResult
from playout.gametree.stepping import run_steps
from playout.gametree.tree_picture import Branch
from playout.solvers.step_status import what_is_wrong
from playout.stop import Progress, Stop
from playout.worlds.alphamu import new_search, step
from playout.worlds.alphamu_arrays import (
    ANSWERED,
    DONE,
    ENDS_APART,
    ROOM,
    RUNNING,
    WAITING,
    AlphaMu,
)
from playout.worlds.alphamu_search import AlphaMuSearch
from playout.worlds.bridge_positions import BridgePositions, Hands
from playout.worlds.draw_worlds import draw_worlds
from playout.worlds.game_positions import GamePositions, solver_tools
from playout.worlds.positions import Positions

ENTRIES = 1 << 18  # of the table of alpha-beta
WORTH_THREADS = 3e-4  # seconds of a leaf from which on its worlds are shared out


@kernel
def answer_part(search, positions, tools, worker, workers, out):
    """Answer each so many-th question of the leaf that waits; 0, or what is wrong."""
    d = search.head[0].depth
    number = 0
    for k in range(len(out)):
        out[k] = np.uint64(0)
        for b in range(64):
            if search.alive[d, k] >> np.uint64(b) & np.uint64(1):
                if number % workers == worker:
                    won = positions.leaf(tools, d, 64 * k + b)
                    if won < 0:
                        return won
                    if won:
                        out[k] |= np.uint64(1) << np.uint64(b)
                number += 1
    return 0


class _Rounds:
    """The search of one position, taken on in steps of leaves."""

    unit = 1
    rate = 0.0

    def __init__(self, session: AlphaMuSession, positions: Positions, search: AlphaMu) -> None:
        self.session, self.positions, self.search = session, positions, search
        self.result = RUNNING
        tricks = session.options.dds
        self.by_dds = isinstance(session.game, Bridge) and 0 < 4 * tricks <= positions.depth
        search.head[0].outside = self.by_dds

    def compile_first(self) -> None:
        """Compile before the clock starts."""
        if self.session.compiled:
            step(self.search, self.positions, self.session.tools[0], 0)

    def simulate(self, goal: int) -> None:
        """Search until so many leaves were answered."""
        search, session = self.search, self.session
        run = step if session.compiled else step.py_func
        before, began = self.done(), time.perf_counter()
        while self.result == RUNNING and self.done() < goal:
            status = int(run(search, self.positions, session.tools[0], goal))
            if status == ROOM:
                search.grow()
            elif status == WAITING:
                self._answer()
            elif status != RUNNING:
                self.result = status
        answered = self.done() - before
        if session.workers > 1 and answered and not self.by_dds:
            each = (time.perf_counter() - began) / answered
            search.head[0].outside = each > WORTH_THREADS

    def _answer(self) -> None:
        """Answer the leaf that waits, by DDS or by several threads."""
        search = self.search
        if self.by_dds:
            assert isinstance(self.positions, BridgePositions)
            self.positions.ask_dds(search)
        else:
            self._answer_by_threads()
        search.head[0].phase = ANSWERED

    def _answer_by_threads(self) -> None:
        search, session = self.search, self.session
        parts = np.zeros((session.workers, search.words), np.uint64)
        codes = [0] * session.workers

        def part(worker: int) -> None:
            codes[worker] = int(
                answer_part(
                    search,
                    self.positions,
                    session.tools[worker],
                    worker,
                    session.workers,
                    parts[worker],
                )
            )

        assert session.pool is not None
        together(session.pool, session.workers, part)
        search.answer[:] = np.bitwise_or.reduce(parts, axis=0)
        self.result = min(codes)

    def done(self) -> int:
        return int(self.search.head[0].leaves)

    def calls(self) -> int:
        return 0

    def settled(self) -> bool:
        return self.result != RUNNING


class AlphaMuSession(GameSession[AlphaMuSearch]):
    """A player's alpha-mu: positions one after another.

    What is in a position and its player cannot know is drawn anew for every search; it is never
    looked at.
    """

    def _prepare(self, workers: int) -> None:
        self.workers, self.options = workers, self.algorithm.options
        self.whole = False  # whether every root move is to be searched without a cut
        if self.options.dds:
            dds.need_dds()
        self.pool = ThreadPoolExecutor(workers - 1, "worker") if workers > 1 else None
        self.tools: list[tuple] = []
        if isinstance(self.game, Bridge):
            self.tools = [(DoubleDummy(), Hands()) for _ in range(workers)]
        self._given: np.ndarray | None = None
        self.worlds: np.ndarray | None = None
        self.all_worlds = False
        self.rounds: _Rounds | None = None

    def reset(self, seed: int) -> None:
        """Begin anew with another seed, as a new session would; solvers keep what they know."""
        super().reset(seed)
        self.worlds = None

    def set_position(self, state: np.ndarray | None = None) -> None:
        super().set_position(state)
        self.worlds, self._given = None, None

    def set_worlds(self, worlds: np.ndarray) -> None:
        """Search these worlds of the position, an array of states, in place of drawn ones."""
        self._given = worlds

    def play(self, move: Any) -> None:
        """A move was played: go on from the position behind it, with the worlds that fit."""
        self.game.play_move(self._here()[0], move)
        if self.worlds is None:
            return
        fits = []
        for i in range(len(self.worlds)):
            world = self.worlds[i : i + 1]
            legal = self.game.legal_moves(world[0])
            if any(same_record(move, other) for other in legal):
                self.game.play_move(world[0], move)
                fits.append(i)
        self.worlds = self.worlds[fits]

    def follow(self, position: np.ndarray) -> None:
        """Go on from a position that a referee hands over, with the worlds that fit."""
        self._position = position.copy()

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        """Search until `stop`, or to the end of the last round."""
        game, options, position = self.game, self.options, self._here()
        self.searches += 1
        kept = self.worlds if options.keep else None
        if self._given is not None:
            self.worlds = self._given
        else:
            self.worlds, self.all_worlds = draw_worlds(
                game, position, options.worlds, self.seed, kept
            )
        self.rounds = _Rounds(self, *self._prepared())
        with friendly():
            self.rounds.compile_first()
        return run_steps(self.rounds, stop, self._check, look)

    def _prepared(self) -> tuple[Positions, AlphaMu]:
        """The positions below the root, and the search of them."""
        game, options, worlds = self.game, self.options, self.worlds
        assert worlds is not None
        player = self._player()
        friend = options.partner == "max"
        positions: Positions
        if isinstance(game, Bridge):
            positions = BridgePositions(game, worlds, player, friend)
        else:
            positions = GamePositions(game, worlds, player, options.goal, friend)
            self.tools = [
                solver_tools(game, worlds[:1], player, options.goal, ENTRIES)
                for _ in range(self.workers)
            ]
        cuts = ("table", "root_cut", "early_cut", "late_cut", "lost")
        chosen = {name: getattr(options, name) for name in cuts}
        return positions, new_search(positions, options.M, whole=self.whole, **chosen)

    def _result(self, seconds: float) -> SearchResult:
        """What the search has found, finished or not."""
        assert self.rounds is not None
        assert self.worlds is not None
        head = self.rounds.search.head[0]
        with wrapping():
            rows = self.figures()
        return self._found(
            seconds,
            rows[0],
            rows,
            simulations=int(head.leaves),
            nodes=int(head.nodes),
            workers=self.workers,
        )

    def figures(self) -> list[MoveStatistics]:
        """In how many worlds each legal move wins, by the last round that is finished.

        The best comes first. `visits` are the worlds, 0 if a cut has spared the move.
        """
        assert self.rounds is not None
        assert self.worlds is not None
        game, position = self.game, self._here()
        search, worlds = self.rounds.search, len(self.worlds)
        done = max(1, int(search.head[0].finished))
        found = int(search.root_best[done])
        names = [int(name) for name in search.root_names[: search.frames[0].moves]]
        rows = []
        for move in game.legal_moves(position[0]):
            name = self.rounds.positions.name_of(move, names)
            wins = int(search.root_wins[done, names.index(name)]) if name in names else -1
            text = game.move_text(position[0], move)
            value = wins / worlds if wins >= 0 else 0.0
            row = MoveStatistics(text, worlds if wins >= 0 else 0, value, None, move)
            rows.append((name != found, -wins, row))
        rows.sort(key=lambda row: row[:2])
        return [row for _, _, row in rows]

    def top(self, result: SearchResult, depth: int = 3, width: int = 3) -> tuple[Branch, ...]:
        """The best root moves: alpha-mu keeps no tree."""
        total = sum(row.visits for row in result.moves)
        shown = [row for row in result.moves if row.visits][:width] if depth else []
        return tuple(
            Branch(
                row.move,
                result.player,
                row.visits,
                row.visits / total if total else 0.0,
                row.value,
                None,
                row.move == result.move,
                (),
                0,
            )
            for row in shown
        )

    def questions(self) -> int:
        """How many worlds were solved with open cards in the last search."""
        return int(self.rounds.search.head[0].questions) if self.rounds else 0

    def _player(self) -> int:
        with wrapping():
            return int(self.game.turn(self._here()[0]))

    def _check(self) -> None:
        assert self.rounds is not None
        status = self.rounds.result
        if status >= DONE or status == RUNNING:
            return
        name = type(self.game).__name__
        if status == ENDS_APART:
            raise ProblemError(
                f"a game of {name} is over in one world and not in another: alphamu needs games "
                "whose end all players see"
            )
        raise ProblemError(what_is_wrong(status, self.game))
