"""The Go Text Protocol, version 2, for Go, NoGo and Atarigo.

G. Farneback, Specification of the Go Text Protocol, version 2, draft 2, 2002. An `Engine` answers
one line at a time; `playout gtp` connects it to its input and output.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from playout._version import __version__
from playout.adapters.game_record import GameRecord, finished, load_record, save_record
from playout.adapters.sgf import RULES, result_text, to_sgf
from playout.contract import Game
from playout.errors import OptionError, PlayoutError
from playout.games import load_game
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import SearchResult, TreeSession
from playout.stop import Playouts, Seconds, Stop

LARGEST = 19
LAG = 0.05  # seconds that a move may take besides the search
_SIZE = re.compile(r"\d{1,4}(x\d{1,4})?")
_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class Refused(Exception):
    """A command that gets an error for an answer."""


class Engine:
    """A program that plays by the protocol.

    Parameters
    ----------
    game : str
        `go`, `nogo` or `atarigo`, with a size and options if need be, as `load_game` reads it.
    algorithm : TreeSearch
    stop : Playouts or Seconds, optional
        The budget of a move. With a clock (`time_settings`) a move gets its share of the time
        that is left, and no more than this. Without either it is 5 seconds.
    seed, workers, compiled
        As for `TreeSession`.

    In Go the search leaves its own eyes alone and passes when nothing else is left, or when the
    other has passed and it wins so.
    """

    def __init__(
        self,
        game: str,
        algorithm: TreeSearch | None = None,
        stop: Stop | None = None,
        *,
        seed: int | None = None,
        workers: int = 1,
        compiled: bool = True,
    ) -> None:
        self._name, _, rest = game.partition(":")
        words = [word.strip() for word in rest.split(",") if word.strip()]
        self._size = words.pop(0) if words and _SIZE.fullmatch(words[0]) else "9"
        self._options = dict(word.split("=", 1) for word in words if "=" in word)
        if type(load_game(game)).__name__ not in RULES:
            raise OptionError(f"GTP is for Go, NoGo and Atarigo, not for {self._name}")
        self._algorithm = algorithm or TreeSearch()
        self._stop = stop
        self._settings: dict[str, Any] = {"workers": workers, "compiled": compiled}
        self._seed, self._games = seed, 0
        self._clock: tuple[float, float, int] | None = None  # main, byo-yomi time and stones
        self._left: list[tuple[float, int]] = []  # by colour: seconds, and stones to play in them
        self._compiled_for: tuple[str, int] | None = None
        self.quit = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Playout",
            "version": lambda words: __version__,
            "known_command": self._known_command,
            "list_commands": lambda words: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda words: "\n" + self.game.render(self._here()),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "loadsgf": self._loadsgf,
            "printsgf": self._printsgf,
        }
        self._new_rules()

    def answer(self, line: str) -> str:
        """The answer to a line, with the empty line behind it; empty if it needs none."""
        line = line.replace("\t", " ").partition("#")[0]
        words = "".join(c for c in line if c == " " or c.isprintable()).split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        sign, text = "?", "syntax error: a number without a command"
        if words:
            try:
                sign, text = "=", self._run(words[0], words[1:])
            except (PlayoutError, Refused) as error:
                text = " ".join(str(error).split())
            except Exception as error:  # a client must have an answer, whatever it is
                text = f"internal error: {type(error).__name__}: {' '.join(str(error).split())}"
        return f"{sign}{number} {text}".rstrip(" ") + "\n\n"

    def _run(self, name: str, words: list[str]) -> str:
        if name not in self._commands:
            raise Refused("unknown command")
        return self._commands[name](words)

    # the game

    def _text(self) -> str:
        options = [f"{key}={value}" for key, value in self._options.items()]
        return ",".join([f"{self._name}:{self._size}", *options])

    def _new_rules(self) -> None:
        """The game of this size and komi, at its start."""
        self.game: Any = load_game(self._text())
        self._is_go = type(self.game).__name__ == "Go"
        self._searched = searched_game(self.game, self._text())
        self._new_game()

    def _new_game(self, states: np.ndarray | None = None) -> None:
        self._states = [self.game.root() if states is None else states]
        self._moves: list[Any] = []
        self._resigned: int | None = None
        self._games += 1
        seed = None if self._seed is None else self._seed + self._games - 1
        self._session = TreeSession(self._searched, self._algorithm, seed=seed, **self._settings)
        self._at = -1  # up to which move the session has come; -1: nowhere
        if self._clock is not None:
            self._left = [self._first_period()] * 2

    def _here(self) -> Any:
        return self._states[-1][0]

    def _over(self) -> bool:
        return self.game.is_over(self._here())

    def _push(self, move: Any) -> None:
        after = self._states[-1].copy()
        self.game.play_move(after[0], move)
        self._states.append(after)
        self._moves.append(move.copy())

    def _make_turn(self, colour: int) -> None:
        """Let a colour be on move: the other passes, where that is possible."""
        if self._over() or int(self._here().player) == colour:
            return
        name = ("black", "white")[1 - colour]
        if not self._is_go or self._here().passes:
            raise Refused(f"illegal move: it is {name}'s turn")
        self._push(self.game.parse_move(self._here(), "pass"))

    # commands of the administration

    def _known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self._commands else "false"

    def _quit(self, words: list[str]) -> str:
        self.quit = True
        return ""

    def _boardsize(self, words: list[str]) -> str:
        size = _whole(words, "boardsize takes a size")
        if not 1 <= size <= LARGEST:
            raise Refused("unacceptable size")
        self._size = str(size)
        self._new_rules()
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._new_game()
        kind = (type(self.game).__name__, self.game.points)
        if self._compiled_for != kind:  # not on anybody's clock
            self._session.set_position()
            self._session.run(Playouts(1))
            self._compiled_for = kind
            self._at = 0
        return ""

    def _komi(self, words: list[str]) -> str:
        if not words or not re.fullmatch(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?", words[0]):
            raise Refused("syntax error: komi takes a number")
        if self._is_go:  # the board stays as it is; the others have no komi
            self._options["komi"] = words[0]
            states, moves = self._states, self._moves
            self._new_rules()
            self._states, self._moves = states, moves
        return ""

    # commands of the game

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Refused("syntax error: play takes a colour and a point")
        colour = _colour(words[0])
        if words[1].lower() == "resign":
            self._resigned = colour
            return ""
        before = len(self._moves)
        self._make_turn(colour)
        try:
            self._push(self.game.parse_move(self._here(), words[1]))
        except PlayoutError as error:
            self._take_back(before)
            raise Refused(f"illegal move: {error}") from None
        return ""

    def _genmove(self, words: list[str]) -> str:
        colour = _colour(words[0] if words else "")
        began = time.perf_counter()
        self._make_turn(colour)
        if self._over():
            return "pass" if self._is_go else "resign"
        move = self._choose(colour)
        text = self.game.move_text(self._here(), move)
        self._push(move)
        self._spend(colour, time.perf_counter() - began)
        return str(text)

    def _reg_genmove(self, words: list[str]) -> str:
        colour = _colour(words[0] if words else "")
        before = len(self._moves)
        self._make_turn(colour)
        try:
            if self._over():
                return "pass" if self._is_go else "resign"
            return str(self.game.move_text(self._here(), self._choose(colour)))
        finally:
            self._take_back(before)

    def _undo(self, words: list[str]) -> str:
        if not self._moves:
            raise Refused("cannot undo")
        self._take_back(len(self._moves) - 1)
        return ""

    def _take_back(self, moves: int) -> None:
        """Go back to the position after so many moves."""
        if moves < len(self._moves):
            del self._states[moves + 1 :], self._moves[moves:]
            self._at = -1
        self._resigned = None

    def _final_score(self, words: list[str]) -> str:
        if self._resigned is not None:
            return f"{'BW'[1 - self._resigned]}+R"
        states = self._states[-1].copy()
        if self._is_go:
            while not self.game.is_over(states[0]):  # the area as it is
                self.game.play_move(states[0], self.game.parse_move(states[0], "pass"))
        text = result_text(self.game, states)
        if not text:
            raise Refused("cannot score: the game is not over")
        return text if text != "B+" and text != "W+" else text + "R"

    def _loadsgf(self, words: list[str]) -> str:
        if not words:
            raise Refused("syntax error: loadsgf takes a file")
        most = _whole(words[1:], "loadsgf takes a number of a move") if len(words) > 1 else None
        try:
            record = load_record(words[0])
            states = record.states(words[0])
        except PlayoutError as error:
            raise Refused(f"cannot load file: {error}") from None
        name, _, rest = record.game.partition(":")
        if name != self._name:
            raise Refused(f"cannot load file: it is a game of {name}, not of {self._name}")
        self._size, *options = rest.split(",")
        self._options |= dict(option.split("=", 1) for option in options)
        self._new_rules()
        count = len(record.moves) if most is None else min(max(most - 1, 0), len(record.moves))
        self._new_game(states[0])
        for text in record.moves[:count]:
            self._push(self.game.parse_move(self._here(), text))
        return ""

    def _printsgf(self, words: list[str]) -> str:
        if words:
            save_record(self.record(), words[0] if "." in words[0] else words[0] + ".sgf")
            return ""
        return to_sgf(self.record()).rstrip("\n")

    def record(self) -> GameRecord:
        """The game so far."""
        texts = [
            self.game.move_text(before[0], move)
            for before, move in zip(self._states, self._moves)
        ]  # fmt: skip
        start = self._states[0]
        given = start.tobytes() != self.game.root().tobytes()
        rewards, ending = finished(self.game, self._states[-1]), ""
        if self._resigned is not None:
            rewards = [float(self._resigned == 1), float(self._resigned == 0)]
            ending = "resigned"
        line = self.game.position_text(start[0]) if given else ""
        return GameRecord(self._text(), ["", ""], texts, line, rewards, ending)

    # the search and its time

    def _choose(self, colour: int) -> Any:
        """The move to play."""
        position, searched = self._states[-1], self._searched
        legal = searched.legal_moves(position[0])
        if wins_by_passing(self.game, position):
            return self.game.parse_move(position[0], "pass")
        if len(legal) == 1:
            return legal[0]
        return self.search(self._budget(colour)).record

    def search(self, stop: Stop) -> SearchResult:
        """Search the position."""
        if 0 <= self._at <= len(self._moves):
            for move in self._moves[self._at :]:
                self._session.play(move)
        else:
            self._session.set_position(self._states[-1])
        self._at = len(self._moves)
        return self._session.run(stop)

    def _time_settings(self, words: list[str]) -> str:
        numbers = [_number(word) for word in words[:3]]
        if len(numbers) < 3:
            raise Refused("syntax error: time_settings takes main time, byo-yomi time and stones")
        main, period, stones = numbers
        unlimited = period > 0 and stones == 0
        self._clock = None if unlimited or main + period == 0 else (main, period, int(stones))
        self._left = [] if self._clock is None else [self._first_period()] * 2
        return ""

    def _first_period(self) -> tuple[float, int]:
        assert self._clock is not None
        main, period, stones = self._clock
        return (main, 0) if main > 0 else (period, stones)

    def _time_left(self, words: list[str]) -> str:
        if len(words) < 3:
            raise Refused("syntax error: time_left takes a colour, seconds and stones")
        colour, seconds, stones = _colour(words[0]), _number(words[1]), _number(words[2])
        if self._clock is not None:
            self._left[colour] = (seconds, int(stones))
        return ""

    def _budget(self, colour: int) -> Stop:
        """The time of a move: its share of what is left, and not more than was asked for."""
        if self._clock is None:
            return self._stop or Seconds(5.0)
        seconds, stones = self._left[colour]
        if stones > 0:
            share = seconds / stones
        else:  # as if the board were to be filled by two thirds, but never fewer than ten moves
            played = len(self._moves)
            share = seconds / max(10.0, (0.66 * self.game.points - played) / 2)
            _, period, later = self._clock
            if later > 0:  # and then the byo-yomi begins
                share = max(share, min(0.8 * period / later, seconds))
        budget = Seconds(max(0.01, 0.9 * share - LAG))
        if isinstance(self._stop, Seconds):
            return Seconds(min(budget.seconds, self._stop.seconds))
        return budget if self._stop is None else self._stop | budget

    def _spend(self, colour: int, seconds: float) -> None:
        """Take a move's time off the clock; a controller that keeps it says so by time_left."""
        if self._clock is None:
            return
        _, period, later = self._clock
        left, stones = self._left[colour]
        left -= seconds
        if stones == 0:
            self._left[colour] = (left, 0) if left > 0 or later == 0 else (period, later)
        else:
            self._left[colour] = (left, stones - 1) if stones > 1 else (period, later)
        self._left[colour] = (max(self._left[colour][0], 0.1), self._left[colour][1])


def searched_game(game: Game, text: str) -> Game:
    """The game to search for moves of a game that `text` names.

    In Go all moves are legal, but a search has no use for filling its own eyes, nor for playouts
    in which that is done; unless the text says something of `keep_eyes`, it leaves them alone.
    """
    if type(game).__name__ != "Go" or "keep_eyes" in text:
        return game
    eyes: Game = load_game(f"{text}{',' if ':' in text else ':'}keep_eyes=true")
    return eyes


def wins_by_passing(game: Any, states: np.ndarray) -> bool:
    """Whether the other has just passed in Go, and who passes too wins."""
    if type(game).__name__ != "Go" or not states[0].passes:
        return False
    after = states.copy()
    game.play_move(after[0], game.parse_move(after[0], "pass"))
    rewards = finished(game, after)
    return rewards is not None and rewards[int(states[0].player)] == 1.0


def _colour(word: str) -> int:
    if word.lower() not in _COLOURS:
        raise Refused("syntax error: a colour is black or white")
    return _COLOURS[word.lower()]


def _whole(words: list[str], what: str) -> int:
    if not words or not re.fullmatch(r"[0-9]{1,9}", words[0]):
        raise Refused(f"syntax error: {what}")
    return int(words[0])


def _number(word: str) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,9})?", word):
        raise Refused(f"syntax error: {word[:20]!r} is no number of seconds or stones")
    return float(word)
