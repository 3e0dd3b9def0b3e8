"""A game under way between a person and a search: what was played, and the search's session."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.adapters.analysis import view
from playout.adapters.game_files import PlayedGame, load_game_file, save_game_file
from playout.adapters.game_under_way import GameUnderWay, board_for
from playout.compiled import hash_record, wrapping
from playout.contract import is_veiled
from playout.errors import DataError, OptionError, PlayoutError
from playout.games import load_game
from playout.gametree.usual_search import usual_search
from playout.stop import Calls, Playouts, Seconds

if TYPE_CHECKING:
    from playout import Game
    from playout.gametree.search_result import SearchResult
    from playout.gametree.tree_session import TreeSession
    from playout.stop import Stop

PERSON = "a person"


class LiveGame(GameUnderWay):
    """A game between a person, who has one seat, and a search, which has all others.

    `name` is the game as `load_game` reads it; `stop` is the search's budget for a move.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        start: np.ndarray,
        stop: Stop,
        session: TreeSession,
        seat: int,
        deal: int | None = None,
    ) -> None:
        super().__init__(game, session, start)
        self.deal = deal
        self.seed: int | None = None  # that was asked for, of the search
        self.name, self.stop, self.seat = name, stop, seat
        self.opponent = session.algorithm.text
        self.resigned = False
        self.file: Path | None = None
        self._start = self.start_text()  # refused at once if it cannot be written
        self._result: SearchResult | None = None

    # the game

    def turn(self) -> int:
        with wrapping():
            return int(self.game.turn(self.here()))

    def legal(self) -> list[str]:
        """The legal moves as text."""
        here = self.here()
        return [self.game.move_text(here, move) for move in self.game.legal_moves(here)]

    def rewards(self) -> list[float] | None:
        if self.resigned:
            others = 1.0 / (self.game.players - 1) if self.game.players > 1 else 1.0
            return [0.0 if seat == self.seat else others for seat in range(self.game.players)]
        return super().rewards()

    def ending(self, rewards: list[float]) -> str:
        """What the game came to, in words to the person."""
        if self.resigned:
            return "you resigned"
        best = max(rewards)
        winners = [seat for seat, reward in enumerate(rewards) if reward == best]
        if len(winners) == len(rewards):
            return "a draw" if len(rewards) > 1 else f"the end: {best:g}"
        if winners == [self.seat]:
            return "you win"
        names = ["you" if seat == self.seat else f"player {seat + 1}" for seat in winners]
        return f"{' and '.join(names)} win{'s' if len(names) == 1 else ''}"

    def play(self, move: Any) -> None:
        super().play(move)
        self._result = None

    def play_texts(self, texts: list[str], source: str) -> None:
        """Play moves that were written down."""
        for number, text in enumerate(texts, 1):
            try:
                self.play(self.game.parse_move(self.here(), text))
            except PlayoutError as error:
                raise DataError(f"{source}, move {number}: {error}") from None

    def board(self) -> str:
        """The position as the person may see it; after the end, all of it."""
        if self.game.is_over(self.here()):
            return str(self.game.render(self.here())).rstrip("\n")
        return board_for(self.session.game, self.states[-1], self.seat)

    def hides(self) -> bool:
        """Whether there is something that the person does not know."""
        return bool(is_veiled(self.session.game)) and not self.game.is_over(self.here())

    def sees_last_move(self) -> bool:
        """Whether the person sees the move that was played last as it is."""
        return self.sees_move(len(self.moves) - 1)

    def sees_move(self, number: int) -> bool:
        """Whether the person sees a move that was played as it is."""
        game, before, move = self.game, self.states[number], self.moves[number]
        with wrapping():
            if (
                game.concealed(self.here()) > 0
                and number >= self._step_begins(len(self.moves))
                and int(game.turn(before[0])) != self.seat
            ):
                return False  # until all of the step have chosen
            if not self.hides() or not game.hidden or int(game.turn(before[0])) == self.seat:
                return True
            return bool(game.seen(before[0], move, self.seat) == hash_record(move))

    def together(self) -> list[tuple[int, str]]:
        """The moves of a step that has just ended, if they were made at the same time: by seat."""
        first = self._step_begins(len(self.moves) - 1) if self.moves else 0
        with wrapping():
            if self.game.concealed(self.here()) > 0 or first == len(self.moves) - 1:
                return []
            seats = [int(self.game.turn(states[0])) for states in self.states[first:-1]]
        return list(zip(seats, self.texts()[first:], strict=True))

    def _step_begins(self, at: int) -> int:
        """The number of the state at which the step of another begins."""
        with wrapping():
            while at > 0 and self.game.concealed(self.states[at][0]) > 0:
                at -= 1
        return at

    def undo(self) -> int:
        """Go back to the person's last move and before it; how many moves were taken back."""
        back = len(self.states) - 2
        while back >= 0 and int(self.game.turn(self.states[back][0])) != self.seat:
            back -= 1
        if back < 0:
            return 0
        taken = len(self.moves) - back
        self.take_back(back)
        self._result, self.resigned = None, False
        return taken

    # the search

    def think(
        self, view: Callable[[SearchResult], None] | None = None, stop: Stop | None = None
    ) -> SearchResult:
        """Search the position, unless that was done already or another `stop` is given."""
        if self._result is None or stop is not None:
            first = self._step_begins(len(self.states) - 1)
            together = first < len(self.states) - 1
            stop = stop or self.stop
            self._result = self._of_step(first, stop) if together else self.search(stop, view)
        return self._result

    def _of_step(self, first: int, stop: Stop) -> SearchResult:
        """What to choose without knowing what others have chosen in the step."""
        self.session.set_position(self.states[first])
        self._at = -1  # the session is not where the game is
        result = self.session.run(stop)
        moves = result.choices.get(self.turn())
        if not moves:  # by a player that does not search
            return self.search(stop)
        best = moves[0]
        return replace(
            result,
            player=self.turn(),
            move=best.move,
            record=best.record,
            value=best.value,
            moves=moves,
            variation=[best.move],
        )

    def view(self) -> str:
        """What the search thinks of the position."""
        result = self.think()
        if not result.simulations:
            return f"{self.opponent} would play {result.move}; it does not search"
        return view(self.session, result)

    # what remains of it

    def played(self) -> PlayedGame:
        """The game so far."""
        names = [
            PERSON if seat == self.seat else f"{self.opponent}, {self.budget()}"
            for seat in range(self.game.players)
        ]
        ending = "resigned" if self.resigned else ""
        texts = self.texts()
        deal = None if self._start else self.deal
        return PlayedGame(self.name, names, texts, self._start, self.rewards(), ending, deal=deal)

    def budget(self) -> str:
        """The search's budget for a move, in words."""
        if isinstance(self.stop, Calls):
            return f"{self.stop.calls:,} calls"
        playouts = getattr(self.stop, "playouts", None)
        seconds = getattr(self.stop, "seconds", 0.0)
        return f"{seconds:g} s" if playouts is None else f"{playouts:,} simulations"

    def write(self) -> None:
        """Write the file that was asked for."""
        if self.file is not None:
            save_game_file(self.played(), self.file)

    def rescue(self) -> Path | None:
        """Keep what was played where nobody can be told of it; the file, if there is any."""
        if self.file is not None or not self.moves:
            return self.file
        name = self.name.partition(":")[0].rpartition("/")[2].removesuffix(".py")
        for number in itertools.count(1):
            path = Path(f"playout-{name}-{number}.txt")
            if not path.exists():
                save_game_file(self.played(), path)
                return path
        return None

    def go_on(self) -> str:
        """The command that goes on with this game."""
        words = ["playout", "play", self.name]
        if self.deal is not None and not self._start:
            words += ["--seed", str(self.deal), "--moves", self.line()]
        else:
            try:
                words += ["--position", self.game.position_text(self.here())]
            except DataError:
                words += ["--moves", self.line()]
        if self.seed is not None and "--seed" not in words:
            words += ["--seed", str(self.seed)]
        if self.session.game.opened:
            words += ["--open"]
        if self.seat != 0:
            words += ["--second"] if self.seat == 1 else ["--seat", str(self.seat + 1)]
        if self.opponent != usual_search(self.game.searched(), self.session.game.opened):
            words += ["-a", self.opponent]
        if isinstance(self.stop, Playouts):
            words += ["--simulations", str(self.stop.playouts)]
        elif isinstance(self.stop, Calls):
            words += ["--calls", str(self.stop.calls)]
        elif isinstance(self.stop, Seconds) and self.stop.seconds != 1:
            words += ["--seconds", f"{self.stop.seconds:g}"]
        if self.session.team.workers > 1:
            words += ["--workers", str(self.session.team.workers)]
        if not self.session.compiled and not getattr(self.game, "interpreted", False):
            words += ["--interpreted"]
        return shlex.join(words)

    def line(self) -> str:
        """The moves in one line, as `--moves` reads them."""
        texts = self.texts()
        return (", " if any(" " in text for text in texts) else " ").join(texts)


def continued(path: Path, game: Game, name: str) -> PlayedGame:
    """The game in a file that goes on."""
    played = load_game_file(path, name)
    other = load_game(played.game)
    same = type(other) is type(game) and other.root().tobytes() == game.root().tobytes()
    if not same:
        raise OptionError(f"{path} is a game of {played.game}, not of {name}")
    if played.rewards is not None:
        raise OptionError(f"the game in {path} is over: give another file")
    return played
