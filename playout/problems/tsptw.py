"""TSPTW: the travelling salesman problem with time windows.

A tour leaves the depot, visits every other node once and comes back. A node that is reached
before its window opens is waited for; one that is reached after its window closes is a violation,
and so is a late return. The score is -(cost + 10^6 violations), as in A. Rimmel, F. Teytaud and
T. Cazenave, Optimization of the Nested Monte-Carlo Algorithm on the TSP with Time Windows.

From the papers: the bias of T. Cazenave, Generalized NRPA, section 6.2, normalises the distances
and multiplies them by ten; the paper prints it without the minus sign that makes short ways likely.
Two more terms are the other heuristics of Rimmel, Teytaud and Cazenave: the time wasted by waiting,
and the time left until a window closes. The third, of this project, favours nodes that are far from
the others, to be taken when the tour is near them, since coming back for them costs most. The
paper's own bias is `bias_factor=10 wait_factor=0 due_factor=0 remote_factor=0`; bench/README.md
compares it with the default.

The selective rule is the expert knowledge of T. Cazenave and F. Teytaud, Application of NRPA to the
TSP with Time Windows; the tables of the GNRPA and Stabilized NRPA papers do not say that they use
it, so compare with `selective=False` too.
"""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal

import numpy as np

from playout.compiled import record
from playout.compiled.records import mix
from playout.contract.visible import Places
from playout.errors import OptionError
from playout.problems.tsptw_files import (
    checked_tables,
    draw_svg,
    draw_text,
    instance_text,
    parse_instance,
    random_instance,
    row_point,
)
from playout.problems.tsptw_local_search import PENALTY, TourLocalSearch
from playout.problems.tsptw_referee import TOLERANCE, Visit, checked_tour, schedule
from playout.text.input_files import read_text

DEFAULT_SEED = 1


class TSPTW(TourLocalSearch):
    """An instance of the travelling salesman problem with time windows.

    Parameters
    ----------
    distance : array (n, n)
        Time, and cost, from each node to each other, service included; the diagonal is ignored.
    windows : array (n, 2)
        When each node opens and closes; node 0 is the depot, whose opening is the start.
    objective : "travel" or "makespan"
        The cost: the sum of distances along the tour, or the time of return, waits included.
    selective : bool
        Leave out a node if going there first makes another unvisited node late that could be
        reached in time directly; if that leaves none, all unvisited nodes are moves.
    bias_factor : float
        The bias of going from i to j is -bias_factor (d_ij - min + terms) / (max - min), with
        the least and the greatest distance and the three terms that follow.
    wait_factor : float
        + wait_factor * (time waited at j): nodes that are open are likelier.
    due_factor : float
        + due_factor * (time left until j closes): nodes that close soon are likelier.
    remote_factor : float
        - remote_factor * (mean distance to j from all others): remote nodes are likelier.
    """

    collections = {
        "SolomonPotvinBengio": "tsptw/SolomonPotvinBengio",
        "SolomonPesant": "tsptw/SolomonPesant",
        "AFG": "tsptw/AFG.tar.gz",
        "GendreauDumasExtended": "tsptw/GendreauDumasExtended.tar.gz",
        "Langevin": "tsptw/Langevin.tar.gz",
    }

    window_fields = ("distance", "earliest", "due", "farthest", "order", "n")
    option_fields = ("makespan", "selective", "biases", "wait_bias", "due_bias")
    fields = (*window_fields, *option_fields, "ended")

    def __init__(
        self,
        distance: Any,
        windows: Any,
        *,
        objective: Literal["travel", "makespan"] = "travel",
        selective: bool = True,
        bias_factor: float = 20.0,
        wait_factor: float = 0.1,
        due_factor: float = 0.0,
        remote_factor: float = 0.5,
    ) -> None:
        self.distance, self.windows = checked_tables(distance, windows)
        if objective not in ("travel", "makespan"):
            raise OptionError(f"objective={objective!r}: one of travel, makespan")
        n = self.n = len(self.distance)
        self.objective = objective
        self.makespan = objective == "makespan"
        self.selective = bool(selective)
        self.bias_factor = float(bias_factor)
        self.earliest = self.windows[:, 0].copy()
        self.due = self.windows[:, 1] + TOLERANCE
        others = ~np.eye(n, dtype=bool)
        self.farthest = np.where(others, self.distance, 0.0).max(axis=1)
        # Nodes that close first come first, so that `moves` meets what may become late early.
        customers = np.arange(1, n)
        self.order = customers[np.argsort(self.due[1:], kind="stable")].astype(np.int16)
        self.biases = np.zeros((n, n))
        self.wait_bias = self.due_bias = 0.0
        if n > 1:
            low, high = self.distance[others].min(), self.distance[others].max()
            if high > low:
                scale = self.bias_factor / (high - low)
                remote = np.where(others, self.distance, 0.0).sum(axis=0) / (n - 1)
                ways = self.distance - low - remote_factor * remote
                self.biases = np.where(others, -scale * ways, 0.0)
                self.wait_bias = float(wait_factor * scale)
                self.due_bias = float(due_factor * scale)
        self.ended = np.zeros(1, np.int64)
        self.max_moves = self.max_length = max(1, n - 1)
        self.move_type = record(node="i2")
        # in steps of 32, so that instances of about one size share their compiled code
        room = -(-n // 32) * 32
        self.state_type = record(
            time="f8",
            travel="f8",
            violations="i8",
            node="i8",
            left="i8",
            unvisited=("i2", room),  # `left` of them, those that close first in front
            path=("i2", room),
        )

    def reset(self, state):
        state.time = self.earliest[0]
        state.left = self.n - 1
        state.unvisited[: self.n - 1] = self.order

    def moves(self, state, moves):
        unvisited, left = state.unvisited, state.left
        n = 0
        if self.selective:
            distance, due = self.distance, self.due
            here, time = state.node, state.time
            for a in range(left):
                i = unvisited[a]
                leaves = max(time + distance[here, i], self.earliest[i])
                safe_from = leaves + self.farthest[i]
                keep = True
                for b in range(left):
                    j = unvisited[b]
                    if due[j] >= safe_from:
                        break  # neither this node nor those that close later can become late
                    if j != i and leaves + distance[i, j] > due[j]:
                        if time + distance[here, j] <= due[j]:
                            keep = False
                            break
                if keep:
                    moves[n].node = i
                    n += 1
        if n == 0:
            for a in range(left):
                moves[a].node = unvisited[a]
            n = left
        return n

    def play(self, state, move):
        unvisited, left = state.unvisited, state.left
        here, there = state.node, np.int64(move.node)
        # close the gap rather than fill it with the last: the order by closing time is kept
        a = 0
        while unvisited[a] != there:
            a += 1
        for b in range(a, left - 1):
            unvisited[b] = unvisited[b + 1]
        unvisited[left - 1] = 0
        state.path[self.n - 1 - left] = there
        state.left = left - 1
        self._go(state, here, there)
        if left == 1:
            self._go(state, there, 0)

    def _go(self, state, here, there):
        """Travel to a node and wait there for its window to open."""
        way = self.distance[here, there]
        state.travel += way
        arrival = state.time + way
        if arrival > self.due[there]:
            state.violations += 1
        state.time = max(arrival, self.earliest[there])
        state.node = there

    def score(self, state):
        cost = state.time if self.makespan else state.travel
        return 0.0 - (cost + PENALTY * state.violations)

    def code(self, state, move):
        return np.uint64(state.node * self.n + move.node)

    def bias(self, state, move):
        there = move.node
        bias = self.biases[state.node, there]
        if self.wait_bias != 0.0:
            wait = self.earliest[there] - state.time - self.distance[state.node, there]
            bias -= self.wait_bias * max(wait, 0.0)
        return bias - self.due_bias * (self.due[there] - state.time)

    def key(self, state):
        """The same for paths over the same nodes to the same node, time and cost."""
        key = np.uint64(0)
        for a in range(state.left):
            key ^= mix(np.uint64(state.unvisited[a] + 1))
        key = mix(key ^ np.uint64(state.node))
        key = mix(key ^ np.uint64(np.int64(state.time * 1000.0)))
        key = mix(key ^ np.uint64(np.int64(state.travel * 1000.0)))
        return mix(key ^ np.uint64(state.violations))

    # what a person sees, in plain Python

    def tour(self, moves: Any) -> list[int]:
        """The nodes of a tour in order, with the depot at both ends."""
        return [0, *(int(move.node) for move in moves), 0]

    def verify(self, moves: Any) -> float:
        """The score of a tour, added up again without the rules that `play` has."""
        visits, travel = checked_tour(self.distance, self.windows, self.tour(self.as_moves(moves)))
        cost = visits[-1].begin if self.objective == "makespan" else travel
        return 0.0 - (cost + PENALTY * sum(visit.late for visit in visits))

    def _visits(self, state: Any) -> tuple[list[Visit], str]:
        """The stops so far and a line about them."""
        nodes = [0, *state.path[: self.n - 1 - int(state.left)].tolist()]
        if state.left == 0 and self.n > 1:
            nodes.append(0)
        visits, travel = schedule(self.distance.tolist(), self.windows.tolist(), nodes)
        missed = sum(visit.late for visit in visits)
        summary = (
            f"{self.n} nodes, travel cost {travel:.2f}, time {visits[-1].begin:.2f}, "
            f"{missed} window{'' if missed == 1 else 's'} missed"
        )
        if state.left > 0:
            summary += f", {state.left} to visit"
        return visits, summary

    def render(self, state: Any) -> str:
        visits, summary = self._visits(state)
        return draw_text(visits, self.windows.tolist(), summary)

    def svg(self, state: Any) -> str:
        visits, summary = self._visits(state)
        waiting = state.unvisited[: int(state.left)].tolist()
        return draw_svg(visits, waiting, self.windows.tolist(), summary)

    def where(self, state: Any, move: Any) -> Places:
        """The row of the node."""
        rows = len(self._visits(state)[0])
        waiting = state.unvisited[: int(state.left)].tolist()
        return (row_point(rows + waiting.index(int(move.node))),)

    def move_text(self, state: Any, move: Any) -> str:
        """The number of the node."""
        return str(move.node)

    # where instances come from

    @classmethod
    def default(cls, *, n: int = 20, width: float = 100.0, **options: Any) -> TSPTW:
        """A random instance that is always the same."""
        return cls.random(DEFAULT_SEED, n=n, width=width, **options)

    @classmethod
    def random(cls, seed: int = 0, *, n: int = 20, width: float = 100.0, **options: Any) -> TSPTW:
        """An instance of n nodes, depot included, that has a tour without violations.

        Nodes lie in a square of side 100. Windows open up to `width` before and close up to
        `width` after the arrival times of a tour that goes to one of the three nearest nodes.
        """
        return cls(*random_instance(seed, n, width), **options)

    @classmethod
    def read(cls, path: str | PathLike[str], **options: Any) -> list[TSPTW]:
        """The instance in a file: see `tsptw_files` for its form."""
        return cls.parse(read_text(path), str(path), **options)

    @classmethod
    def parse(cls, text: str, source: str, **options: Any) -> list[TSPTW]:
        """The instance in the text of a file; `source` is its name for error messages."""
        return [cls(*parse_instance(text, source), **options)]

    def write(self) -> str:
        return instance_text(self.distance, self.windows)
