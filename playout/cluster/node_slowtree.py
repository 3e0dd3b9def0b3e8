"""A move of a game, searched by several nodes as one slow tree: meetings by messages.

Each worker is a process of some node with a graph of its own and a copy of what all share
(gametree/shared_levels.py). At a meeting it tells what it has added; the head hands all of it to
every worker, and each adds it up for itself, in the order of the workers. So the copies are the
same bits, and with a budget of simulations the figures are those of as many threads. A worker whose
node is gone does its part again elsewhere, by the messages that there were.

P. Agrawal, Parallelization of the Monte Carlo Tree Search Approach in Dots-and-Boxes, Western
Kentucky University, 2019.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from playout.cluster.node_session import NodeSession, PartSession, PartTeam, SessionActor, drawn
from playout.compiled.compile_errors import friendly
from playout.gametree.level_ties import MET, LevelTies
from playout.gametree.search_result import SearchResult, most_visited_first
from playout.gametree.shared_levels import (
    BYTES,
    TOLD_EDGES,
    TOLD_ENDS,
    TOLD_MOVES,
    TOLD_OPENED,
    SharedLevels,
)
from playout.gametree.slowtree import add_up, end_meeting, take_part, tell_others, without_meetings
from playout.gametree.tree_arrays import EDGES, NODES
from playout.stop import Playouts, Progress, Stop
from playout.workers import described

STEP = 64  # simulations between two looks at the clock

Message = tuple[bytes, ...]  # what a worker tells: how much, edges, ends, what it opened, moves


class Ask(NamedTuple):
    """What a worker does when it has heard what all have told."""

    goal: int  # simulations in all, before the next meeting
    seconds: float  # that are left for them
    last: bool  # whether this meeting is the last


class Told(NamedTuple):
    """What a worker answers."""

    message: Message
    more: bool  # whether it is for another round of the same meeting
    simulations: int
    over: bool  # whether its time is over, or there is nothing more to find out
    result: SearchResult | None = None


class SlowPartTeam(PartTeam):
    """The one worker of a slow tree that is here, and its copy of what all share."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        options, part = self.algorithm.options, self.part
        self.common = SharedLevels(self.game, part.workers, options.levels, options.interval)
        self.ties = LevelTies(self.trees[0], self.common, part.number)
        self._rounds = 0

    def restart(self) -> None:
        tree = self.trees[0]
        root = int(tree.head[0].root)
        self.common.begin(int(tree.keys[root]), int(tree.mover[root]))
        self.ties.forget()
        self._rounds = 0

    def begin(self, search: int, seed: int) -> None:
        super().begin(search, seed)
        self.common.counters[BYTES] = 0
        self.ties.state[MET] = 0

    def simulate(self, goal: int) -> None:
        """Simulate until this worker has made so many simulations."""
        levels, tree = (self.common, self.ties), self.trees[0]
        policy, backup = self.algorithm.policy, self.algorithm.backup
        control = without_meetings(goal, self.part.workers)
        kernel = take_part if self.compiled else take_part.py_func
        try:
            kernel(levels, tree, self.game, policy, backup, self.playouts[0], control)
        finally:
            self.ties.used = [int(tree.counters[used]) for used in (NODES, EDGES)]

    def compile(self) -> None:
        super().compile()
        self.hear([self.tell()] * self.part.workers)
        self.end_meeting(False)
        self._rounds = 0

    def tell(self) -> Message:
        """What has been added since the last meeting."""
        kernel = tell_others if self.compiled else tell_others.py_func
        kernel((self.common, self.ties), self.trees[0], self.algorithm.policy)
        common, worker = self.common, self.part.number
        told = common.told[worker]
        parts = [array[worker, : told[many]] for many, array in _told(common)]
        return (told.tobytes(), *(part.tobytes() for part in parts))

    def hear(self, messages: list[Message]) -> bool:
        """Add up what all have told; whether there is another round."""
        common = self.common
        for worker, message in enumerate(messages):
            common.told[worker] = np.frombuffer(message[0], np.int64)
            for (many, array), content in zip(_told(common), message[1:], strict=True):
                n = int(common.told[worker, many])
                array[worker, :n] = np.frombuffer(content, array.dtype).reshape(array[0, :n].shape)
        most = 2 * self.algorithm.options.levels + 1
        new = (add_up if self.compiled else add_up.py_func)(common, self._rounds == 0)
        self._rounds = (self._rounds + 1) % most
        if not new:
            self._rounds = 0
        return self._rounds > 0

    def end_meeting(self, last: bool) -> None:
        """Make the values of all that was passed anew; at the last one, take them over."""
        kernel = end_meeting if self.compiled else end_meeting.py_func
        kernel((self.common, self.ties), self.trees[0], self.algorithm.policy, last)
        self.shared_bytes = int(self.common.counters[BYTES])


def _told(common: SharedLevels) -> list[tuple[int, np.ndarray]]:
    """What workers tell, and where they say how much of it."""
    return [
        (TOLD_EDGES, common.told_edges),
        (TOLD_ENDS, common.told_ends),
        (TOLD_OPENED, common.told_opened),
        (TOLD_MOVES, common.told_moves),
    ]


class SlowTreeActor(SessionActor):
    """A worker of a slow tree in a process that Ray has started."""

    team = SlowPartTeam

    def begin_search(self, position: bytes) -> None:
        """A search of a position begins."""
        self._set_position(position)
        self._session.team.begin(1, self._session.seed)
        self._began = time.perf_counter()

    def go_on(self, messages: list[Message] | None, ask: Ask) -> Told:
        """Hear what all have told, and go on until there is more to tell; None: the first call."""
        try:
            self.ready()
            with friendly():
                return self._go_on(messages, ask)
        except Exception as error:
            raise described(error, ()) from None

    def _go_on(self, messages: list[Message] | None, ask: Ask) -> Told:
        session: PartSession = self._session
        team: Any = session.team
        if messages is not None:
            if team.hear(messages):
                return Told(team.tell(), True, team.done(), False)
            team.end_meeting(ask.last)
            if ask.last:
                found = drawn(session._result(time.perf_counter() - self._began))
                return Told((), False, team.done(), True, found)
        end, over = time.perf_counter() + ask.seconds, team.settled()
        while not over and team.done() < ask.goal:
            team.simulate(min(team.done() + STEP, ask.goal))
            session._check()
            over = team.settled() or time.perf_counter() >= end
        return Told(team.tell(), False, team.done(), over)


class SlowTreeNodes(NodeSession):
    """A search of positions by workers on nodes that meet at intervals."""

    actor = SlowTreeActor

    def run(self, stop: Stop) -> SearchResult:
        """Search the position until `stop`, on all nodes at once, with meetings."""
        start, workers = time.perf_counter(), len(self._actors)
        self._past: list[list[tuple[Any, Ask]]] = [[] for _ in range(workers)]
        for actor in self._actors:
            actor.begin_search.remote(self._position.tobytes())
        total = min(
            [part.playouts for part in stop.parts() if isinstance(part, Playouts)],
            default=math.inf,
        )
        interval = self._algorithm.options.interval
        met, ended, messages = 0, False, None
        while True:
            left = stop.seconds_left(Progress(time.perf_counter() - start, 0, 0.0, 0, 0, 0.0))
            whole = total >= (met + 1) * workers * interval  # an interval for all
            asks = []
            for number in range(workers):
                goal = (met + 1) * interval if whole else self._share_of(total, number)
                asks.append(Ask(goal, left, ended))
            told = self._all(messages, asks)
            if told[0].result is not None:
                found = [one.result for one in told if one.result is not None]
                return self._sum(found, time.perf_counter() - start)
            messages = self._ray.put([one.message for one in told])
            if not told[0].more:
                # a meeting begins; it is the last if nobody goes on behind it
                ended = not whole or any(one.over for one in told)
                met += 1

    def _share_of(self, total: float, number: int) -> int:
        workers = len(self._actors)
        return int(total) // workers + (number < int(total) % workers)

    def _all(self, messages: Any, asks: list[Ask]) -> list[Told]:
        """What all workers answer; one whose node is gone does it all again elsewhere."""
        under_way = [
            actor.go_on.remote(messages, ask) for actor, ask in zip(self._actors, asks, strict=True)
        ]
        told = []
        for number, (ask, reference) in enumerate(zip(asks, under_way, strict=True)):

            def again(actor: Any, number: int = number, ask: Ask = ask) -> Any:
                actor.begin_search.remote(self._position.tobytes())
                for heard, before in self._past[number]:
                    actor.go_on.remote(heard, before)
                return actor.go_on.remote(messages, ask)

            one: Told = self._answer(number, again, reference)
            # as many simulations, should it have to do this again
            self._past[number].append(
                (messages, ask._replace(goal=one.simulations, seconds=math.inf))
            )
            told.append(one)
        return told

    def _sum(self, found: list[SearchResult], seconds: float) -> SearchResult:
        """Every root has the visits of all; what is proven may be known to one alone."""
        whole = super()._sum(found, seconds)
        first = {row.move: row for row in found[0].moves}
        moves = most_visited_first(
            replace(row, visits=first[row.move].visits, value=first[row.move].value)
            for row in whole.moves
        )
        best = max(moves, key=self._local._preference)
        likely = found[0].variation if found[0].move == best.move else [best.move]
        return replace(
            whole,
            moves=moves,
            move=best.move,
            record=best.record,
            value=whole.value if whole.proven else best.value,
            variation=likely,
            shared_bytes=found[0].shared_bytes,
        )
