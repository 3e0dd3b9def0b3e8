"""Conducting a match: the games that are missing are played, by all workers, and recorded."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playout.cluster import crew_on
from playout.contract import Game
from playout.errors import DataError, OptionError, PlayoutError
from playout.interrupts import ctrl_c_held_back
from playout.matches.arena import Arena
from playout.matches.match_result import MatchResult
from playout.matches.match_settings import MatchSettings, move_budget
from playout.matches.playing import Playing, PlayingAnew
from playout.matches.referee import Played
from playout.matches.schedule import Pairing, Schedule
from playout.matches.score import Tally, best_rewards
from playout.matches.sprt import Sprt, SprtRun
from playout.matches.transcript import (
    MatchGame,
    MatchIdentity,
    TranscriptFile,
    TranscriptNotWritten,
)
from playout.provenance import cores
from playout.stop import Stop
from playout.text.live_words import Shown, Words, time_words
from playout.text.notebook_line import watched
from playout.text.user_files import users_fault
from playout.workers import Crew, Processes, Threads


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

    def shown(self) -> Shown | None:
        """For a live line: games done, the score with its interval, the test, the time left."""
        if self.done == 0:
            return None
        words: Words = [(f"{self.done:,}", "bold green"), f"/{self.total:,} games  "]
        scores = [self.tally.score(player) for player in range(len(self.players))]
        if len(scores) == 2:
            score = scores[0]
            low, high = (100 * bound for bound in score.interval)
            words += [f"{score.wins}-{score.draws}-{score.losses}  "]
            words += [(f"{100 * score.win_rate:.1f}%", "bold"), f" [{low:.1f}, {high:.1f}]  "]
        else:
            rates = [score.win_rate if score.games else -1 for score in scores]
            best = rates.index(max(rates))
            words += [f"{self.players[best]} leads with {100 * scores[best].win_rate:.1f}%  "]
        if self.sprt is not None:
            low, high = self.sprt.test.bounds()
            words += [f"LLR {self.sprt.llr:.2f} ({low:.2f}, {high:.2f})  "]
        words += time_words(self.seconds, self.seconds_left)
        return Shown(words, self.done / max(1, self.total))


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
    open: bool = False,
    progress: Watch | None = None,
    cluster: str | None = None,
) -> MatchResult:
    """Play a match between players, with seats swapped and seeds paired.

    Parameters
    ----------
    game : Game or text
        Such as `"connectfour"` or `"breakthrough:6x6"`.
    players : two or more
        Each a text (`"uct:playout=mast"`, `"random"`, `"file.py:Class"`), a `TreeSearch`, an object
        with the methods of a `Player`, or a class that makes one. More than two play a round-robin.
        Two in a game for more share its seats out in all ways, and the highest reward counts.
        After them the budget for a move may stand, `po.Playouts(500)` or `po.Seconds(0.1)`.
    games : int
        Games of each two players. Games 2k and 2k + 1 have the same seeds, opening, cards and luck,
        and the seats swapped. In a game of teams each player plays for a whole team.
    simulations, seconds
        The budget for a move by its name, 1000 simulations unless told. A player's text may have
        its own: `"uct:simulations=500"`, `"uct:seconds=0.1"`.
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
    open : bool
        Whether hidden cards and the luck to come are laid open to all players; the result says so.
    progress : function of a MatchStanding
        Called after every game.
    cluster : str
        Have the games played on nodes of a Ray cluster, as `solve` does.

    Ctrl-C ends a match with the games that were finished.

    Examples
    --------
    >>> import playout as po
    >>> result = po.match("tictactoe", "uct", "random", games=20, simulations=100, seed=1)
    >>> result.wins + result.draws / 2 > 14
    True
    """
    budgets = [player for player in players if isinstance(player, Stop)]
    if budgets:
        if budgets != [players[-1]] or simulations is not None or seconds is not None:
            raise OptionError("give one budget for a move, after the players")
        players = players[:-1]
    settings = MatchSettings(
        game,
        players,
        budgets[0] if budgets else move_budget(simulations, seconds),
        games=games,
        seed=seed,
        opening=opening,
        workers=workers,
        record=record,
        sprt=sprt,
        compiled=compiled,
        open=open,
        cluster=cluster,
    )
    with watched(progress, MatchStanding.shown) as told:
        return conduct(settings, told)


def conduct(settings: MatchSettings, progress: Watch | None = None) -> MatchResult:
    """Play what is missing of a match."""
    try:
        return _conduct(settings, progress)
    except Exception as error:
        if not settings.processes or isinstance(error, PlayoutError):
            raise
        raise users_fault(error, settings.texts()) or error from None


def _conduct(settings: MatchSettings, progress: Watch | None) -> MatchResult:
    arena = Arena.of(settings)
    threads = max(one.workers for one in arena.entrants)
    workers = settings.workers or max(1, cores() // threads)
    if (workers > 1 or settings.cluster) and (
        alone := [one.text for one in arena.entrants if one.one_object]
    ):
        raise OptionError(
            f"{alone[0]} is one object, which plays one game at a time: give its class, or "
            "workers=1"
        )
    with ExitStack() as stack:
        crew = stack.enter_context(crew_on(settings.cluster, settings.workers, threads))
        file, known = None, []
        if settings.record is not None:
            file = stack.enter_context(TranscriptFile(Path(settings.record)))
            known = file.read()
        seed = settings.seed
        if seed is None:
            seed = known[0].match.seed if known else secrets.randbits(31)
        _check_known(arena.identity(seed), arena.schedule, known, file)
        course = _Course(arena, replace(settings, seed=seed), known, file, progress)
        stopped_by = course.stopped_by()
        if stopped_by is None:
            try:
                course.play(workers, crew)
                stopped_by = course.stopped_by()
            except KeyboardInterrupt:
                if not course.games:
                    raise
                stopped_by = "interrupt"
            except TranscriptNotWritten as error:
                error.result = course.result("full disk")
                raise
        return course.result(stopped_by or "games")


class _Course:
    """A match that is going on: takes games in, and knows which are missing."""

    def __init__(
        self,
        arena: Arena,
        settings: MatchSettings,
        known: list[MatchGame],
        file: TranscriptFile | None,
        progress: Watch | None,
    ) -> None:
        assert settings.seed is not None
        self._arena, self._settings, self._seed = arena, settings, settings.seed
        self._seats = len(arena.sides)
        self._identity = arena.identity(settings.seed)
        self._file = file
        self._progress = progress
        self._sprt = SprtRun(settings.sprt) if settings.sprt is not None else None
        self._tally = Tally(len(arena.entrants), self._seats)
        self._began = time.perf_counter()
        self.games: dict[int, MatchGame] = {}
        pairings = list(arena.schedule.pairings(settings.games))
        asked = {pairing.number for pairing in pairings}
        for game in sorted(known, key=lambda game: game.number):
            if game.number in asked:
                self._add(game)
        self._total = len(pairings)
        self._resumed = len(self.games)
        self.todo = [pairing for pairing in pairings if pairing.number not in self.games]
        self._tell()

    def play(self, workers: int, crew: Crew | None = None) -> None:
        """Play the games that are missing, so many at once, until there is nothing more to play."""
        at_once = min(workers, len(self.todo))
        here = Playing(self._arena, self._seed)
        games: Generator[tuple[Pairing, Played] | None]
        if crew is not None:
            anew = PlayingAnew(replace(self._settings, record=None))
            games = crew.each(anew if anew.is_text() else here, self.todo)
        elif self._settings.processes and at_once > 1:
            games = Processes(at_once).each(PlayingAnew(self._settings), self.todo)
        elif at_once > 1:
            games = Threads(at_once).each(here, self.todo)
        else:
            games = here.each(self.todo)
        with closing(games):
            for ended in games:
                if ended is not None:
                    self._take(*ended)
                if self.stopped_by() == "sprt":
                    return

    def _take(self, pairing: Pairing, played: Played) -> None:
        """A game has ended."""
        game = MatchGame(
            match=self._identity,
            number=pairing.number,
            seats=list(pairing.seats),
            moves=played.moves,
            result=played.rewards,
            plies=len(played.moves),
            seconds=played.seconds,
            simulations=played.simulations,
        )
        with ctrl_c_held_back():  # what is in the file is in the result
            try:
                if self._file is not None:
                    self._file.append(game)
            finally:
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

    def _add(self, game: MatchGame) -> None:
        self.games[game.number] = game
        self._tally.add(game.seats, game.result)
        if self._sprt is not None:
            best = best_rewards(game.seats, game.result)
            a, b = best[0], best[1]
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
                total=self._total,
                done=done,
                resumed=self._resumed,
                seconds=seconds,
                seconds_left=left,
                players=tuple(self._identity.players),
                tally=self._tally,
                sprt=self._sprt,
            )
        )


def _check_known(
    identity: MatchIdentity, schedule: Schedule, known: list[MatchGame], file: TranscriptFile | None
) -> None:
    """Refuse a record of another match."""
    for game in known:
        assert file is not None
        if difference := identity.difference(game.match):
            raise DataError(
                f"{file.path} is the record of another match: {difference}; give another file"
            )
        if list(schedule.pairing(game.number).seats) != game.seats:
            raise DataError(f"{file.path}: game {game.number} has the wrong players in its seats")
