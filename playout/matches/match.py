"""Conducting a match: the games that are missing are played, by all workers, and recorded."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.contract import Game
from playout.errors import DataError, OptionError, PlayoutError
from playout.matches.arena import Arena
from playout.matches.match_result import MatchResult
from playout.matches.playing import Playing, PlayingAnew
from playout.matches.referee import Played
from playout.matches.schedule import Schedule, Slot
from playout.matches.score import Tally
from playout.matches.sprt import Sprt, SprtRun
from playout.matches.transcript import GameRecord, MatchIdentity, RecordFile
from playout.stop import Playouts, Seconds, Stop
from playout.workers import Processes, Threads, ctrl_c_held_back, users_fault

SIMULATIONS = 1000  # a move, unless told
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class MatchStanding:
    """How far a match is."""

    total: int
    done: int
    resumed: int  # of them, those that were in the record already
    seconds: float
    seconds_left: float | None
    players: tuple[str, ...]
    tally: Tally
    sprt: SprtRun | None


Watch = Callable[[MatchStanding], None]


def match(
    game: Game | str,
    *players: Any,
    games: int = 100,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    opening: int = 0,
    workers: int = 1,
    record: str | Path | None = None,
    sprt: Sprt | tuple[float, ...] | str | None = None,
    compiled: bool = True,
    progress: Watch | None = None,
) -> MatchResult:
    """Play a match between players, with seats swapped and seeds paired.

    Parameters
    ----------
    game : Game or text
        Such as `"connectfour"` or `"breakthrough:6x6"`.
    players : two or more
        Each a text (`"uct:playout=mast"`, `"random"`, `"file.py:Class"`), a `TreeSearch`, an object
        with the methods of a `Player`, or a class that makes one. More than two play a round-robin.
    games : int
        Games of each two players. Games 2k and 2k + 1 have the same seeds and opening, and the
        seats swapped.
    simulations, seconds
        The budget for a move, 1000 simulations unless told. A player's text may have its own:
        `"uct:simulations=500"`, `"uct:seconds=0.1"`.
    seed : int
        The same seed and `simulations` give the same games, whatever the number of workers.
    opening : int
        Random plies at the start, the same in both games of a pair.
    workers : int
        Games at once, on threads.
    record : path
        A transcript file. The games that are in it already are not played again.
    sprt : (elo0, elo1) or (elo0, elo1, alpha, beta)
        End early when the sequential test has decided.
    compiled : bool
        False runs tree searches as plain Python, for a game that cannot be compiled.
    progress : function of a MatchStanding
        Called after every game.

    Ctrl-C ends a match with the games that were finished.

    Examples
    --------
    >>> import playout as po
    >>> result = po.match("tictactoe", "uct", "random", games=20, simulations=100, seed=1)
    >>> result.wins + result.draws / 2 > 14
    True
    """
    return conduct(
        game, players, games=games, simulations=simulations, seconds=seconds, seed=seed,
        opening=opening, workers=workers, record=record, sprt=sprt, compiled=compiled,
        progress=progress,
    )  # fmt: skip


def conduct(
    game: Game | str,
    players: Sequence[Any],
    *,
    games: int = 100,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    opening: int = 0,
    workers: int | None = 1,
    record: str | Path | None = None,
    sprt: Any = None,
    compiled: bool = True,
    progress: Watch | None = None,
    processes: bool = False,
) -> MatchResult:
    """`match` with its players in a sequence; with `processes`, all workers are processes.

    They make the game and the players anew, so these must be texts; and an error in a file of the
    user's own is told by its line. `workers=None` is one a core.
    """
    try:
        return _conduct(
            game, players, games=games, simulations=simulations, seconds=seconds, seed=seed,
            opening=opening, workers=workers, record=record, sprt=sprt, compiled=compiled,
            progress=progress, processes=processes,
        )  # fmt: skip
    except Exception as error:
        if not processes or isinstance(error, PlayoutError):
            raise
        raise users_fault(error, (str(game), *players)) or error from None


def _conduct(
    game: Game | str,
    players: Sequence[Any],
    *,
    games: int,
    simulations: int | None,
    seconds: float | None,
    seed: int | None,
    opening: int,
    workers: int | None,
    record: str | Path | None,
    sprt: Any,
    compiled: bool,
    progress: Watch | None,
    processes: bool,
) -> MatchResult:
    _check_whole("games", games, 1)
    _check_whole("opening", opening, 0)
    if seed is not None:
        _check_whole("seed", seed, 0, LARGEST_SEED)
    if workers is not None:
        _check_whole("workers", workers, 1, 1024)
    test = Sprt.of(sprt)
    stop = _budget(simulations, seconds)
    arena = Arena.make(game, players, stop, opening, compiled)
    if test is not None and len(arena.entrants) > 2:
        raise OptionError("sprt compares two players: name two, or leave it out")
    workers = workers or _workers(arena)
    if workers > 1 and (alone := [one.text for one in arena.entrants if one.one_object]):
        raise OptionError(
            f"{alone[0]} is one object, which plays one game at a time: give its class, or "
            "workers=1"
        )
    with ExitStack() as stack:
        file, known = None, []
        if record is not None:
            file = stack.enter_context(RecordFile(Path(record)))
            known = file.read()
        if seed is None:
            seed = known[0].match.seed if known else secrets.randbits(31)
        identity = arena.identity(seed)
        _check_known(identity, arena.schedule, known, file)
        course = _Course(arena, identity, games, test, known, file, progress)
        stopped_by = course.stopped_by()
        if stopped_by is None:
            try:
                at_once = min(workers, len(course.todo))
                here = Playing(arena, seed)
                if processes and at_once > 1:
                    anew = PlayingAnew(str(game), tuple(players), stop, opening, compiled, seed)
                    course.play(Processes(at_once).each(anew, course.todo))
                elif at_once > 1:
                    course.play(Threads(at_once).each(here, course.todo))
                else:
                    course.play(here.each(course.todo))
                stopped_by = course.stopped_by()
            except KeyboardInterrupt:
                if not course.games:
                    raise
                stopped_by = "interrupt"
        return course.result(stopped_by or "games")


class _Course:
    """A match that is going on: takes games in, and knows which are missing."""

    def __init__(
        self, arena: Arena, identity: MatchIdentity, games: int, test: Sprt | None,
        known: list[GameRecord], file: RecordFile | None, progress: Watch | None,
    ) -> None:  # fmt: skip
        self._seats = arena.game.players
        self._identity = identity
        self._file = file
        self._progress = progress
        self._sprt = SprtRun(test) if test is not None else None
        self._tally = Tally(len(arena.entrants), self._seats)
        self._began = time.perf_counter()
        self.games: dict[int, GameRecord] = {}
        slots = list(arena.schedule.slots(games))
        asked = {slot.number for slot in slots}
        for game in sorted(known, key=lambda game: game.number):
            if game.number in asked:
                self._add(game)
        self._total = len(slots)
        self._resumed = len(self.games)
        self.todo = [slot for slot in slots if slot.number not in self.games]
        self._tell()

    def play(self, games: Generator[tuple[Slot, Played] | None]) -> None:
        """Take in the games that are played, until there is nothing more to play."""
        with closing(games):
            for ended in games:
                if ended is not None:
                    self._take(*ended)
                if self.stopped_by() == "sprt":
                    return

    def _take(self, slot: Slot, played: Played) -> None:
        """A game has ended."""
        game = GameRecord(
            match=self._identity,
            number=slot.number,
            seats=list(slot.seats),
            moves=played.moves,
            result=played.rewards,
            plies=len(played.moves),
            seconds=played.seconds,
            simulations=played.simulations,
        )
        with ctrl_c_held_back():  # what is in the file is in the result
            if self._file is not None:
                self._file.append(game)
            self._add(game)
        self._tell()

    def stopped_by(self) -> str | None:
        """Why there is nothing more to play, if so."""
        if self._sprt is not None and self._sprt.decision is not None:
            return "sprt"
        return "games" if len(self.games) == self._total else None

    def result(self, stopped_by: str) -> MatchResult:
        """The outcome; after a decision, of the games that the decision comes from."""
        numbers = sorted(self.games)
        if stopped_by == "sprt" and self._sprt is not None:
            numbers = [number for number in numbers if number < self._sprt.games]
        return MatchResult(
            self._identity,
            tuple(self.games[number] for number in numbers),
            self._seats,
            time.perf_counter() - self._began,
            stopped_by,
            self._sprt,
        )

    def _add(self, game: GameRecord) -> None:
        self.games[game.number] = game
        self._tally.add(game.seats, game.result)
        if self._sprt is not None:
            mine, other = game.seats.index(0), game.seats.index(1)
            a, b = game.result[mine], game.result[other]
            self._sprt.add(game.number, 1.0 if a > b else 0.5 if a == b else 0.0)

    def _tell(self) -> None:
        if self._progress is None:
            return
        seconds = time.perf_counter() - self._began
        done = len(self.games)
        now = done - self._resumed
        left = seconds / now * (self._total - done) if now else None
        self._progress(
            MatchStanding(
                self._total, done, self._resumed, seconds, left, tuple(self._identity.players),
                self._tally, self._sprt,
            )
        )  # fmt: skip


def _check_known(
    identity: MatchIdentity, schedule: Schedule, known: list[GameRecord], file: RecordFile | None
) -> None:
    """Refuse a record of another match."""
    for game in known:
        assert file is not None
        if difference := identity.difference(game.match):
            raise DataError(
                f"{file.path} is the record of another match: {difference}; give another file"
            )
        if list(schedule.slot(game.number).seats) != game.seats:
            raise DataError(f"{file.path}: game {game.number} has the wrong players in its seats")


def _budget(simulations: int | None, seconds: float | None) -> Stop:
    if simulations is not None and seconds is not None:
        raise OptionError("give simulations or seconds, not both: a move has one budget")
    if seconds is not None:
        return Seconds(seconds)
    return Playouts(SIMULATIONS if simulations is None else simulations)


def _workers(arena: Arena) -> int:
    """As many as the cores, or fewer if the players use several each."""
    from playout.provenance import cores

    return max(1, cores() // max(one.workers for one in arena.entrants))


def _check_whole(name: str, value: Any, low: int, high: int | None = None) -> None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= low
    if not good or (high is not None and value > high):
        upto = f" to {high}" if high is not None else ""
        raise OptionError(f"{name}={value!r}: a whole number from {low}{upto}")
