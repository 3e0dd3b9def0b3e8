"""A game under way between a person and a search: what was played, and the search's session."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.adapters.game_record import GameRecord, finished, save_record
from playout.compiled import wrapping
from playout.errors import DataError, OptionError, PlayoutError
from playout.stop import Playouts, Seconds

if TYPE_CHECKING:
    from playout import Game
    from playout.gametree.tree_session import SearchResult, TreeSession
    from playout.stop import Stop

PERSON = "a person"


class Table:
    """Positions and moves so far; the person has one seat and the search all others."""

    def __init__(
        self, game: Game, name: str, start: np.ndarray, stop: Stop, session: TreeSession, seat: int
    ) -> None:
        self.game, self.name, self.stop, self.seat = game, name, stop, seat
        self.search = session.algorithm.text
        self.states = [start]
        self.texts: list[str] = []
        self.records: list[Any] = []
        self.resigned = False
        self.file: Path | None = None
        self._start = ""
        if start.tobytes() != game.root().tobytes():
            self._start = game.position_text(start[0])
        self._session = session
        self._at = -1  # the number of moves up to where the session has come; -1: nowhere
        self._result: SearchResult | None = None

    # the game

    def here(self) -> Any:
        """The state as it is now."""
        return self.states[-1][0]

    def turn(self) -> int:
        with wrapping():
            return int(self.game.turn(self.here()))

    def legal(self) -> list[str]:
        """The legal moves as text."""
        here = self.here()
        return [self.game.move_text(here, move) for move in self.game.legal_moves(here)]

    def rewards(self) -> list[float] | None:
        """What the game is worth to each player, if it is over."""
        if self.resigned:
            others = 1.0 / (self.game.players - 1) if self.game.players > 1 else 1.0
            return [0.0 if seat == self.seat else others for seat in range(self.game.players)]
        return finished(self.game, self.states[-1])

    def play(self, move: Any) -> None:
        """Play a move, a record."""
        after = self.states[-1].copy()
        self.texts.append(self.game.move_text(self.here(), move))
        self.records.append(move.copy())
        self.game.play_move(after[0], move)
        self.states.append(after)
        self._result = None

    def play_texts(self, texts: list[str], source: str) -> None:
        """Play moves that were written down."""
        for number, text in enumerate(texts, 1):
            try:
                self.play(self.game.parse_move(self.here(), text))
            except PlayoutError as error:
                raise DataError(f"{source}, move {number}: {error}") from None

    def undo(self) -> int:
        """Go back to the person's last move and before it; how many moves were taken back."""
        back = len(self.states) - 2
        while back >= 0 and int(self.game.turn(self.states[back][0])) != self.seat:
            back -= 1
        if back < 0:
            return 0
        taken = len(self.texts) - back
        del self.states[back + 1 :], self.texts[back:], self.records[back:]
        self._result, self._at, self.resigned = None, -1, False
        return taken

    # the search

    def think(self) -> SearchResult:
        """Search the position, unless that was done already."""
        if self._result is None:
            if 0 <= self._at <= len(self.records):
                for move in self.records[self._at :]:
                    self._session.play(move)
            else:
                self._session.set_position(self.states[-1])
            self._at = len(self.records)
            self._result = self._session.run(self.stop)
        return self._result

    def view(self) -> str:
        """What the search thinks of the position."""
        from playout.cli.commands.analyse import summary
        from playout.gametree.tree_picture import top_text, tree_top

        result = self.think()
        top = tree_top(self._session, result, depth=1, width=7)
        more = sum(row.visits > 0 for row in result.moves) - len(top)
        return "\n".join([*summary(result), "", top_text(top, more)])

    # what remains of it

    def record(self) -> GameRecord:
        """The game so far."""
        names = [
            PERSON if seat == self.seat else f"{self.search}, {self.budget()}"
            for seat in range(self.game.players)
        ]
        ending = "resigned" if self.resigned else ""
        return GameRecord(
            self.name, names, list(self.texts), self._start, self.rewards(), ending
        )  # fmt: skip

    def budget(self) -> str:
        """The search's budget for a move, in words."""
        playouts = getattr(self.stop, "playouts", None)
        seconds = getattr(self.stop, "seconds", 0.0)
        return f"{seconds:g} s" if playouts is None else f"{playouts:,} simulations"

    def write(self) -> None:
        """Write the file that was asked for."""
        if self.file is not None:
            save_record(self.record(), self.file)

    def rescue(self) -> Path | None:
        """Keep what was played where nobody can be told of it; the file, if there is any."""
        if self.file is not None or not self.texts:
            return self.file
        name = self.name.partition(":")[0].rpartition("/")[2].removesuffix(".py")
        for number in itertools.count(1):
            path = Path(f"playout-{name}-{number}.txt")
            if not path.exists():
                save_record(self.record(), path)
                return path
        return None

    def go_on(self) -> str:
        """The command that goes on with this game."""
        words = ["playout", "play", self.name]
        try:
            words += ["--position", self.game.position_text(self.here())]
        except DataError:
            words += ["--moves", self.line()]
        if self.seat != 0:
            words += ["--second"] if self.seat == 1 else ["--seat", str(self.seat + 1)]
        if self.search != "uct":
            words += ["-a", self.search]
        if isinstance(self.stop, Playouts):
            words += ["--simulations", str(self.stop.playouts)]
        elif isinstance(self.stop, Seconds) and self.stop.seconds != 1:
            words += ["--seconds", f"{self.stop.seconds:g}"]
        if self._session.team.workers > 1:
            words += ["--workers", str(self._session.team.workers)]
        if not self._session.compiled and not getattr(self.game, "interpreted", False):
            words += ["--interpreted"]
        return shlex.join(words)

    def line(self) -> str:
        """The moves in one line, as `--moves` reads them."""
        blanks = any(" " in text for text in self.texts)
        return (", " if blanks else " ").join(self.texts)


def continued(path: Path, game: Game, name: str) -> GameRecord:
    """The record in a file that a game goes on with."""
    from playout.adapters.game_record import load_record
    from playout.games import load_game

    record = load_record(path)
    other = load_game(record.game)
    same = type(other) is type(game) and other.root().tobytes() == game.root().tobytes()
    if not same:
        raise OptionError(f"{path} is a game of {record.game}, not of {name}")
    if record.rewards is not None:
        raise OptionError(f"the game in {path} is over: give another file")
    return record
