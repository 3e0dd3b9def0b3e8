"""A player of the GGP protocol: one match at a time, by a tree search.

Another match is answered `busy` while one goes on; one of which nothing is heard for long is given
up. A request that is no message, or that does not fit the match, raises `DataError`, and the match
goes on as if it had not come.

The game is loaded beside the clock. While it is not there the rules are played as they are written
(plain_rules.py), with random legal moves; the search takes over where the match then stands. Moves
have the letters of the rulesheet: some game servers tell `Noop` from `noop`.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from playout.errors import DataError, PlayoutError
from playout.gametree.joint_moves import choosers
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.ggp.checks import checked
from playout.ggp.game import GDLGame
from playout.ggp.ground import Limits
from playout.ggp.kif import Term, read_rulesheet, term_text
from playout.ggp.lane_team import quicker
from playout.ggp.plain_rules import PlainRules
from playout.ggp.protocol import Message, parse_message
from playout.stop import Playouts, Seconds

TRIED = 0.1  # seconds that each way to play is tried for, to see which is quicker
SILENCE = 60.0  # seconds beyond its clocks after which a match is given up


def time_for(clock: float) -> float:
    """How much of a clock is used: the rest is for the way."""
    return max(0.05, clock - min(0.6, 0.3 * clock))


class _Loader(threading.Thread):
    """Makes the game of a rulesheet and its search, compiled and standing at the start.

    It ends soon after the match is over, for which `over` stands.
    """

    def __init__(self, message: Message, search: TreeSearch, seed: int, compiled: bool) -> None:
        super().__init__(daemon=True)
        self.message, self.search, self.seed, self.compiled = message, search, seed, compiled
        self.error: Exception | None = None
        self.over = threading.Event()
        self.made: tuple[GDLGame, TreeSession, Any] | None = None

    def run(self) -> None:
        began = time.monotonic()
        try:
            source = f"the rules of {self.message.match}"
            game = GDLGame.from_text(self.message.rules, source, Limits(go_on=self._go_on))
            self._go_on()
            session = TreeSession(game, self.search, seed=self.seed, compiled=self.compiled)
            state = game.root()
            session.set_position(state)
            if not game.is_over(state[0]):
                session.run(Playouts(1))  # compiles
                left = self.message.start_clock / 2 - (time.monotonic() - began)
                if self.compiled and left > 10 * TRIED:
                    session = quicker(session, TRIED)
                    session.set_position(state)
            self.made = game, session, state
        except Exception as error:  # told by who waits for it
            self.error = error

    def _go_on(self) -> None:
        if self.over.is_set():
            raise PlayoutError("the match is over")


@dataclass
class _Match:
    """A match under way; its game is None until it is loaded, and then the facts are not kept."""

    name: str
    role: int
    clock: float
    spelling: dict[str, str]
    patience: float
    heard: float
    rules: PlainRules
    facts: frozenset[Term]
    loader: _Loader
    chance: random.Random
    game: GDLGame | None = None
    session: TreeSession | None = None
    state: Any = None
    played: list[tuple[Term, ...]] = field(default_factory=list)  # while it was not loaded
    last: tuple[tuple[Term, ...] | None, str] | None = None  # what was asked, and our answer

    def take_loaded(self, seconds: float) -> bool:
        """Wait for the game, and bring it to where the match stands; whether it is there."""
        if self.game is None and self.loader.is_alive() and seconds > 0:
            self.loader.join(seconds)
        if self.game is None and self.loader.made is not None:
            self.game, self.session, self.state = self.loader.made
            for moves in self.played:
                self.play(moves)
        return self.game is not None

    def play(self, moves: tuple[Term, ...]) -> None:
        """Play a move of each role; DataError if it cannot be, and all stays as it was."""
        game, session = self.game, self.session
        if game is None or session is None:
            self.facts = self.rules.following(self.facts, moves)
            self.played.append(moves)
            return
        if len(moves) != game.roles:
            raise DataError(f"{len(moves)} moves for {game.roles} roles")
        if game.is_over(self.state[0]):
            raise DataError("the game is over: nothing can be played")
        after = self.state.copy()
        game.play_joint(after[0], list(moves))
        for role, seen in choosers(game, self.state):
            session.play(game.move_of(seen[0], role, moves[role]))
        self.state = after


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
            self._end(match)
            match = None
        return match is not None or bool(self._starting)

    def _end(self, match: _Match) -> None:
        self._match = None
        match.loader.over.set()

    def _start(self, message: Message) -> str:
        began = time.monotonic()
        with self._lock:
            if self._is_busy():
                return "busy"
            self._starting = message.match
        try:
            match = self._new_match(message, began)
        finally:
            self._starting = ""
        match.heard = time.monotonic()
        self._match = match
        took = time.monotonic() - began
        size = "not loaded yet" if match.game is None else f"{match.game.units:,} units"
        self.note(f"{match.name}: {message.role}, {size}, ready in {took:.1f} s")
        return "ready"

    def _new_match(self, message: Message, began: float) -> _Match:
        """A match whose game is loaded, and searched, as far as the start clock allows."""
        limit = time_for(message.start_clock)
        source = f"the rules of {message.match}"
        sheet = checked(read_rulesheet(message.rules, source))
        rules = PlainRules(sheet, Limits(seconds=limit))
        if message.role not in rules.roles:
            raise DataError(f"{message.role} is no role: {', '.join(rules.roles)}")
        seed = random.getrandbits(31) if self.seed is None else self.seed
        match = _Match(
            message.match,
            rules.roles.index(message.role),
            message.play_clock,
            message.spelling,
            message.start_clock + 3 * message.play_clock + SILENCE,
            began,
            rules,
            rules.start,
            _Loader(message, self.search, seed, self.compiled),
            random.Random(seed),
        )
        match.loader.start()
        if match.take_loaded(limit - (time.monotonic() - began)):
            assert match.game is not None
            assert match.session is not None
            left = limit - (time.monotonic() - began)
            if left > 0.1 and not match.game.is_over(match.state[0]):
                match.session.run(Seconds(left))
        elif match.loader.error is not None:
            raise match.loader.error
        return match

    def _go_on(self, message: Message) -> str:
        match = self._match
        if match is None or message.match != match.name:
            if self._is_busy():
                return "busy"
            raise DataError(f"there is no match {message.match[:40]!r}")
        match.heard = time.monotonic()
        if message.kind == "abort":
            self._end(match)
            self.note(f"{match.name}: aborted")
            return "aborted"
        if message.kind == "stop":
            if message.moves is not None:
                match.play(message.moves)
            self._end(match)
            goals = [] if match.game is None else match.game.goals(match.state[0])
            self.note(f"{match.name}: stopped, goals {' '.join(map(str, goals)) or 'not known'}")
            return "done"
        if match.last is not None and match.last[0] == message.moves:
            return match.last[1]  # asked again
        if message.moves is not None:
            match.play(message.moves)
        move = self._choose(match)
        match.last = (message.moves, move)
        match.heard = time.monotonic()
        return move

    def _choose(self, match: _Match) -> str:
        """The search's move; what the rules leave no choice about is not searched."""
        began = time.monotonic()
        if match.game is None and not match.take_loaded(0.0):
            legal = match.rules.legal(match.facts)[match.role]
            if not legal:
                raise DataError("there is no move to choose")
            if len(legal) == 1:
                return term_text(legal[0], match.spelling)
            if not match.take_loaded(time_for(match.clock) - (time.monotonic() - began)):
                move = term_text(match.chance.choice(legal), match.spelling)
                self.note(f"{match.name}: {move}, at random: the game is not loaded yet")
                return move
        game, session, role = match.game, match.session, match.role
        assert game is not None
        assert session is not None
        legal = game.role_moves(match.state[0], role)
        if game.is_over(match.state[0]):
            raise DataError("the game is over: there is no move to choose")
        if len(legal) == 1:
            return term_text(legal[0], match.spelling)
        left = time_for(match.clock) - (time.monotonic() - began)
        result = session.run(Seconds(max(0.05, left)))
        if role in result.choices:
            row = result.choices[role][0]
        elif result.player == role:
            row = max(result.moves, key=lambda one: one.record == result.record)
        else:
            raise PlayoutError(f"{match.name}: no move of the role was searched")
        move = next(move for move in legal if term_text(move) == row.move)
        self.note(f"{match.name}: {row.move} {row.value:.2f}, {result.simulations:,} simulations")
        return term_text(move, match.spelling)


_TINY = """
(role one) (role two) (init (left 2))
(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
(<= terminal (true (left 0))) (goal one 100) (goal two 0)
"""


SIZES = (0, 1, 2)  # of state, that most rulesheets have


def compile_sizes(search: TreeSearch) -> None:
    """Compile a search for the sizes of state that most rulesheets have."""
    for size in SIZES:
        game = GDLGame.from_text(_TINY, "a tiny game", least_size=size)
        quicker(TreeSession(game, search, seed=1), 0.01)
