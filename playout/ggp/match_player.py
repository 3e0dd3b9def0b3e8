"""A player of the GGP protocol: one match at a time, by a tree search.

Another match is answered `busy` while one goes on; one of which nothing is heard for long is given
up. A request that is no message, or that does not fit the match, raises `DataError`, and the match
goes on as if it had not come.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from typing import Any

from playout.errors import DataError, PlayoutError
from playout.gametree.joint_moves import choosers
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.ggp.game import GDLGame
from playout.ggp.kif import Term, term_text
from playout.ggp.protocol import Message, parse_message
from playout.stop import Playouts, Seconds

SILENCE = 60.0  # seconds beyond its clocks after which a match is given up


def time_for(clock: float) -> float:
    """How much of a clock is used: the rest is for the way."""
    return max(0.05, clock - min(0.6, 0.3 * clock))


@dataclass
class _Match:
    """A match under way."""

    name: str
    game: GDLGame
    role: int
    session: TreeSession
    clock: float
    state: Any
    heard: float
    patience: float
    last: tuple[tuple[Term, ...] | None, str] | None = None  # what was asked, and our answer


class MatchPlayer:
    """What answers messages; any thread may ask.

    Parameters
    ----------
    search : TreeSearch, or the text that names one
    seed : int
        None draws one for each match.
    note : callable
        Called with a line for each thing that happens.
    compiled : bool
        Whether the search runs compiled.
    """

    def __init__(
        self, search: Any = "uct", seed: int | None = None, note: Any = None, compiled: bool = True
    ) -> None:
        self.search = TreeSearch.parse(search) if isinstance(search, str) else search
        self.seed = seed
        self.note = note or (lambda line: None)
        self.compiled = compiled
        self._lock = threading.Lock()
        self._match: _Match | None = None
        self._starting = ""

    def answer(self, text: str) -> str:
        """The answer to a message; DataError if it is none, or does not fit."""
        message = parse_message(text)
        if message.kind == "info":
            status = "busy" if self._is_busy() else "available"
            return f"( ( name playout ) ( status {status} ) )"
        if message.kind == "preview":
            return "ready"
        if message.kind == "start":
            return self._start(message)
        with self._lock:
            return self._go_on(message)

    def _is_busy(self) -> bool:
        match = self._match
        if match is not None and time.monotonic() > match.heard + match.patience:
            self.note(f"{match.name}: given up, nothing was heard")
            self._match = match = None
        return match is not None or bool(self._starting)

    def _start(self, message: Message) -> str:
        began = time.monotonic()
        with self._lock:
            if self._is_busy():
                return "busy"
            self._starting = message.match
        try:
            limit = time_for(message.start_clock)
            game = GDLGame.from_text(message.rules, f"the rules of {message.match}", limit)
            if message.role not in game.role_names:
                raise DataError(f"{message.role} is no role: {', '.join(game.role_names)}")
            seed = random.getrandbits(31) if self.seed is None else self.seed
            session = TreeSession(game, self.search, seed=seed, compiled=self.compiled)
            state = game.root()
            session.set_position(state)
            match = _Match(
                message.match,
                game,
                game.role_names.index(message.role),
                session,
                message.play_clock,
                state,
                time.monotonic(),
                message.start_clock + 3 * message.play_clock + SILENCE,
            )
            if not game.is_over(state[0]):
                session.run(Playouts(1))  # compiles
                left = limit - (time.monotonic() - began)
                if left > 0.1:
                    session.run(Seconds(left))
        finally:
            self._starting = ""
        match.heard = time.monotonic()
        self._match = match
        took = time.monotonic() - began
        self.note(f"{match.name}: {message.role}, {game.units:,} units, ready in {took:.1f} s")
        return "ready"

    def _go_on(self, message: Message) -> str:
        match = self._match
        if match is None or message.match != match.name:
            if self._is_busy():
                return "busy"
            raise DataError(f"there is no match {message.match[:40]!r}")
        match.heard = time.monotonic()
        if message.kind == "abort":
            self._match = None
            self.note(f"{match.name}: aborted")
            return "aborted"
        if message.kind == "stop":
            if message.moves is not None:
                self._play(match, message.moves)
            self._match = None
            goals = match.game.goals(match.state[0])
            self.note(f"{match.name}: stopped, goals {' '.join(map(str, goals))}")
            return "done"
        if match.last is not None and match.last[0] == message.moves:
            return match.last[1]  # asked again
        if message.moves is not None:
            self._play(match, message.moves)
        move = self._choose(match)
        match.last = (message.moves, move)
        match.heard = time.monotonic()
        return move

    def _play(self, match: _Match, moves: tuple[Term, ...]) -> None:
        game = match.game
        if len(moves) != game.roles:
            raise DataError(f"{len(moves)} moves for {game.roles} roles")
        if game.is_over(match.state[0]):
            raise DataError("the game is over: nothing can be played")
        after = match.state.copy()
        game.play_joint(after[0], list(moves))
        for role, seen in choosers(game, match.state):
            match.session.play(game.move_of(seen[0], role, moves[role]))
        match.state = after

    def _choose(self, match: _Match) -> str:
        """The search's move; what the rules leave no choice about is not searched."""
        game, role = match.game, match.role
        legal = game.role_moves(match.state[0], role)
        if game.is_over(match.state[0]):
            raise DataError("the game is over: there is no move to choose")
        if len(legal) == 1:
            return term_text(legal[0])
        result = match.session.run(Seconds(time_for(match.clock)))
        if role in result.choices:
            row = result.choices[role][0]
        elif result.player == role:
            row = max(result.moves, key=lambda one: one.record == result.record)
        else:
            raise PlayoutError(f"{match.name}: no move of the role was searched")
        self.note(f"{match.name}: {row.move} {row.value:.2f}, {result.simulations:,} simulations")
        return row.move


_TINY = """
(role one) (role two) (init (left 2))
(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
(<= terminal (true (left 0))) (goal one 100) (goal two 0)
"""


def compile_sizes(search: TreeSearch) -> None:
    """Compile a search for the sizes of state that most rulesheets have."""
    for size in (0, 1, 2):
        game = GDLGame.from_text(_TINY, "a tiny game", least_size=size)
        session = TreeSession(game, search, seed=1)
        session.run(Playouts(1))
