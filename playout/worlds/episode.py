"""An episode: decide, play, and so on to the end of a game for one player.

The luck of the game is drawn from a seed, and the search decides without it. What was played is
kept with the instance, the luck's seed and the moves, so that anyone can replay it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.records import copy_of, mix
from playout.contract import Problem
from playout.errors import OptionError, PlayoutError, ProblemError
from playout.gametree import WORLD_SEARCHES
from playout.gametree.search_result import MoveStatistics
from playout.problems.instances import open_problem
from playout.stop import Budget, Calls, CtrlC, Playouts, Seconds, Stop, stop_of
from playout.text.grammar import parse_named
from playout.text.output_files import check_writable
from playout.worlds.episode_result import Decision, Episode, outcome_of
from playout.worlds.world_search import OverWorlds

IN_TIME = 0.1, 0.005  # what a decision in real time leaves of its seconds: a share, at most so many
IDLE = "idle"  # what a late decision plays


@dataclass(frozen=True)
class EpisodeProgress:
    """An episode under way, after a move: how it stands, and what was decided."""

    moves: int
    score: float
    calls: int
    seconds: float
    late: int
    move: str
    position: np.ndarray


def episode(
    problem: Problem | str,
    search: Any = "openloop",
    stop: Stop | float | str | None = None,
    *,
    seed: int | None = None,
    luck: int | None = None,
    workers: int = 1,
    compiled: bool = True,
    progress: Callable[[EpisodeProgress], None] | None = None,
    instance: str = "",
    save: str | Path | None = None,
    idle: str = IDLE,
    verify: bool = True,
    **limits: Unpack[Budget],
) -> Episode:
    """Play a game for one player from its start to its end, with a search for every move.

    Parameters
    ----------
    problem : Problem, or text
        An instance of a problem class, or a problem's name as for `solve`.
    search : text, or a search over worlds
        `openloop`, `mixmax`, `ordinal`, `preference`, such as `"ordinal:C=1.25,length=5"`.
    stop : Calls, Playouts or Seconds, seconds, or text
        The budget of one decision, `Calls(1000)` if none is given. With `Seconds` it is real time:
        a decision that comes later than that plays the idle move.
    seconds, playouts
        The same by name.
    seed : int
        The same seed gives the same episode, but for real time.
    luck : int
        The seed of the game's luck; `seed` if it is not given. The search does not know it.
    workers : int
        Threads, each with a tree of its own.
    compiled : bool
        False runs everything as plain Python.
    progress : callable
        Called with an `EpisodeProgress` after every move.
    instance : str
        Of a problem given as text, the instance; of an object, a name for its data.
    save : path
        Keep the episode in this file: at its end, and as far as it came if it is interrupted.
        If it cannot be written then, a warning says so.
    idle : str
        The move, as text, that a late decision plays, where it is legal. One that is not
        `"idle"` must be a move of the start.
    verify : bool
        Whether the game is replayed in plain Python at its end, which takes long where the rules
        do; `Episode.replay` does it at any time.

    Examples
    --------
    >>> import playout as po
    >>> from playout.compiled.random import random_below, random_bits
    >>> class Dice(po.Problem):
    ...     chance = True
    ...     def __init__(self):
    ...         self.state_type = po.record(luck=("u8", 1), total="i8", left="i8")
    ...         self.move_type, self.max_moves, self.max_length = "i8", 2, 3
    ...     def reset(self, state):
    ...         state.left = 3
    ...     def redraw(self, state, player, rng):
    ...         state.luck[0] = random_bits(rng)
    ...     def moves(self, state, moves):  # take 3 for sure, or roll a die
    ...         moves[0], moves[1] = 0, 1
    ...         return 2 if state.left else 0
    ...     def play(self, state, move):
    ...         state.left -= 1
    ...         state.total += 1 + random_below(state.luck, 6) if move else 3
    ...     def score(self, state):
    ...         return float(state.total)
    >>> played = po.episode(Dice(), "openloop", po.Calls(900), seed=1, compiled=False)
    >>> played.moves, played.verified, played.calls
    (['1', '1', '1'], True, 2700)
    """
    if isinstance(problem, str):
        problem, instance = open_problem(problem, instance or None)
    if not isinstance(problem, Problem):
        raise ProblemError(f"{problem!r} is no problem: an episode is played by one player")
    problem.check_attributes()
    algorithm = as_world_search(search)
    budget = stop_of(stop, "1000 calls", limits, episode)
    words = budget_words(budget)
    path = None if save is None else Path(save)
    if path is not None:
        check_writable(path)
    seed = secrets.randbits(31) if seed is None else _checked("seed", seed)
    luck = seed if luck is None else _checked("luck", luck)
    with wrapping():
        own = int(mix(np.uint64(seed) ^ mix(np.uint64(2)))) >> 1  # worlds are not the luck's
    session = algorithm.session(problem, seed=own, workers=workers, compiled=compiled)
    table = Table(problem, luck, session)
    player = Decider(session, budget, idle)
    player.check_budget(len(table.legal()))
    player.check_idle(table)
    stopped_by = "error"
    try:
        with CtrlC() as interrupt:
            stopped_by = _play(table, player, interrupt, progress)
    finally:
        played = Episode.of(
            problem,
            instance=instance,
            algorithm=algorithm.text,
            budget=words,
            seeds=(seed, luck),
            table=table,
            stopped_by=stopped_by,
        )
        if verify:
            played = played.checked(problem)
        if path is not None:
            played.save_if_possible(path)
    return played


def as_world_search(search: Any) -> OverWorlds:
    """A search with one tree over worlds, given as such or as text."""
    if isinstance(search, str):
        found = WORLD_SEARCHES.find(parse_named(search, WORLD_SEARCHES).name)
        search = found.parse(search)
    if not isinstance(search, OverWorlds):
        shown = getattr(search, "text", repr(search))
        raise OptionError(
            f"{shown} decides no episodes: give openloop, mixmax, ordinal, ismcts or preference"
        )
    return search


def budget_words(stop: Stop) -> str:
    """The budget of a decision, in words.

    >>> budget_words(Calls(1000) | Seconds(0.04))
    '1000 calls or 0.04 s'
    """
    words: dict[type[Stop], str] = {
        Calls: "{calls} calls",
        Playouts: "{playouts} playouts",
        Seconds: "{seconds:g} s",
    }
    known = [words[type(part)].format(**vars(part)) for part in stop.parts() if type(part) in words]
    if not known:
        raise OptionError(f"{stop!r}: a decision ends by Calls, Playouts or Seconds")
    return " or ".join(known)


class Table:
    """The true game: its state, whose luck nobody looks at, and what was played."""

    def __init__(self, problem: Problem, luck: int, session: Any = None) -> None:
        self.problem = problem
        self.states = problem.root(luck)
        self.moves: list[Any] = []
        self.texts: list[str] = []
        self.decisions: list[Decision] = []
        self._rules = session.team if session is not None and session.compiled else None

    def legal(self) -> np.ndarray:
        """The legal moves; none if the game is over."""
        return self.problem.legal_moves(self.states[0])

    def play(self, move: Any, decision: Decision) -> None:
        """Play a move, by the rules as the search has them; a person's in plain Python."""
        text = self.problem.move_text(self.states[0], move)
        kept = copy_of(move)
        with friendly():
            if self._rules is not None:
                self._rules.play(self.states, move)
            else:
                self.problem.play(self.states[0], move)
        self.moves.append(kept)
        self.texts.append(text)
        self.decisions.append(decision)

    def score(self) -> float:
        """The score of the state as it is."""
        return outcome_of(self.problem, self.states)["score"]


class Decider:
    """The search that decides, and its time."""

    def __init__(self, session: Any, stop: Stop, idle: str) -> None:
        self.session, self.idle = session, idle
        self._follows = False
        self.seconds = min(
            (part.seconds for part in stop.parts() if isinstance(part, Seconds)), default=0.0
        )
        parts = [_in_time(part) for part in stop.parts()]
        self.stop = parts[0]
        for part in parts[1:]:
            self.stop = self.stop | part

    def check_budget(self, moves: int) -> None:
        """Refuse a budget in which not every move of the start can be tried."""
        for part in self.stop.parts():
            counts = str(part) if isinstance(part, Calls | Playouts) else ""
            if counts and getattr(part, counts) < moves:
                raise OptionError(
                    f"a budget of {getattr(part, counts)} {counts} for a decision: the start has "
                    f"{moves} moves, give at least as many"
                )

    def check_idle(self, table: Table) -> None:
        """Refuse an idle move of one's own that the start does not have."""
        if self.idle == IDLE or not len(table.legal()):
            return
        with suppress(PlayoutError):
            table.problem.parse_move(table.states[0], self.idle)
            return
        texts = [table.problem.move_text(table.states[0], move) for move in table.legal()[:20]]
        raise OptionError(
            f"idle={self.idle[:40]!r}: the start has no such move, but {', '.join(texts)}"
        )

    def decide(self, table: Table, interrupt: Stop) -> tuple[Any, Decision]:
        """The move to play and what it took; a late one is the idle move, where that is legal."""
        session, began = self.session, time.perf_counter()
        legal = table.legal()
        if len(legal) == 1:
            row, simulations, calls = MoveStatistics("", 0, 0.0, None, legal[0]), 0, 0
        else:
            if not self._follows:
                session.set_position(table.states)
            row = session.decide(self.stop | interrupt)
            simulations, calls = session.team.done(), session.team.calls()
        spent = time.perf_counter() - began
        late = 0 < self.seconds < spent
        move = row.record
        if late:
            with suppress(PlayoutError):
                move = table.problem.parse_move(table.states[0], self.idle)
        return move, Decision(simulations, calls, row.value, round(spent, 6), late)

    def played(self, table: Table) -> None:
        """A move was played; a search that keeps its tree follows it."""
        self._follows = bool(self.session.algorithm.options.keep) and len(table.legal()) > 0
        if self._follows:
            self.session.play(table.moves[-1], table.states)


def _play(
    table: Table,
    player: Decider,
    interrupt: CtrlC,
    progress: Callable[[EpisodeProgress], None] | None,
) -> str:
    """The game, move by move; why it ended."""
    if len(table.legal()):
        player.session.set_position(table.states)
        with friendly():
            player.session.team.simulate(0)  # compile before the clock of the first decision
    while len(table.legal()):
        if len(table.moves) >= table.problem.max_length:
            name = type(table.problem).__name__
            raise ProblemError(f"a game of {name} went on after max_length moves")
        move, decision = player.decide(table, interrupt)
        if interrupt.came:
            return "interrupt"
        table.play(move, decision)
        player.played(table)
        if progress is not None:
            progress(_progress(table))
    return "end"


def _progress(table: Table) -> EpisodeProgress:
    return EpisodeProgress(
        moves=len(table.moves),
        score=table.score(),
        calls=sum(decision.calls for decision in table.decisions),
        seconds=sum(decision.seconds for decision in table.decisions),
        late=sum(decision.late for decision in table.decisions),
        move=table.texts[-1],
        position=table.states,
    )


def _in_time(part: Stop) -> Stop:
    """A criterion that leaves a decision in real time a moment to be played in."""
    if not isinstance(part, Seconds):
        return part
    share, most = IN_TIME
    return Seconds(part.seconds - min(share * part.seconds, most))


def _checked(name: str, value: Any) -> int:
    if not hasattr(value, "__index__") or isinstance(value, bool) or not 0 <= int(value) < 2**63:
        raise OptionError(f"{name}={value!r}: a whole number from 0 to 2^63 - 1")
    return int(value)
