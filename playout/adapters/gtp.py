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
from playout.adapters.game_files import PlayedGame, load_game_file, save_game_file
from playout.adapters.game_under_way import GameUnderWay, searched_game, wins_by_passing
from playout.adapters.gtp_clock import Clock
from playout.adapters.sgf import RULES, result_text, to_sgf
from playout.errors import OptionError, PlayoutError
from playout.games import load_game
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.stop import Playouts, Seconds, Stop

LARGEST = 19
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
        **settings: Any,
    ) -> None:
        self._name, _, rest = game.partition(":")
        words = [word.strip() for word in rest.split(",") if word.strip()]
        self._size = words.pop(0) if words and _SIZE.fullmatch(words[0]) else "9"
        self._options = dict(word.split("=", 1) for word in words if "=" in word)
        if type(load_game(game)).__name__ not in RULES:
            raise OptionError(f"GTP is for Go, NoGo and Atarigo, not for {self._name}")
        self._algorithm = algorithm or TreeSearch()
        self._stop = stop
        self._settings = settings
        self._seed, self._games = seed, 0
        self._clock: Clock | None = None
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

    def _new_game(self, start: np.ndarray | None = None) -> None:
        self._resigned: int | None = None
        self._games += 1
        seed = None if self._seed is None else self._seed + self._games - 1
        session = TreeSession(self._searched, self._algorithm, seed=seed, **self._settings)
        self._played = GameUnderWay(self.game, session, start)
        if self._clock is not None:
            self._clock.begin()

    def _here(self) -> Any:
        return self._played.here()

    def _over(self) -> bool:
        return self._played.rewards() is not None

    def _make_turn(self, colour: int) -> None:
        """Let a colour be on move: the other passes, where that is possible."""
        if self._over() or int(self._here().player) == colour:
            return
        name = ("black", "white")[1 - colour]
        if not self._is_go or self._here().passes:
            raise Refused(f"illegal move: it is {name}'s turn")
        self._played.play(self.game.parse_move(self._here(), "pass"))

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
            self.search(Playouts(1))
            self._compiled_for = kind
        return ""

    def _komi(self, words: list[str]) -> str:
        if not words or not re.fullmatch(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?", words[0]):
            raise Refused("syntax error: komi takes a number")
        if self._is_go:  # the board stays as it is; the others have no komi
            self._options["komi"] = words[0]
            before = self._played
            self._new_rules()
            self._played.states, self._played.moves = before.states, before.moves
        return ""

    # commands of the game

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Refused("syntax error: play takes a colour and a point")
        colour = _colour(words[0])
        if words[1].lower() == "resign":
            self._resigned = colour
            return ""
        before = len(self._played.moves)
        self._make_turn(colour)
        try:
            self._played.play(self.game.parse_move(self._here(), words[1]))
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
        self._played.play(move)
        if self._clock is not None:
            self._clock.spend(colour, time.perf_counter() - began)
        return str(text)

    def _reg_genmove(self, words: list[str]) -> str:
        colour = _colour(words[0] if words else "")
        before = len(self._played.moves)
        self._make_turn(colour)
        try:
            if self._over():
                return "pass" if self._is_go else "resign"
            return str(self.game.move_text(self._here(), self._choose(colour)))
        finally:
            self._take_back(before)

    def _undo(self, words: list[str]) -> str:
        if not self._played.moves:
            raise Refused("cannot undo")
        self._take_back(len(self._played.moves) - 1)
        return ""

    def _take_back(self, moves: int) -> None:
        self._played.take_back(moves)
        self._resigned = None

    def _final_score(self, words: list[str]) -> str:
        if self._resigned is not None:
            return f"{'BW'[1 - self._resigned]}+R"
        states = self._played.states[-1].copy()
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
            played = load_game_file(words[0])
            states = played.states(words[0])
        except PlayoutError as error:
            raise Refused(f"cannot load file: {error}") from None
        name, _, rest = played.game.partition(":")
        if name != self._name:
            raise Refused(f"cannot load file: it is a game of {name}, not of {self._name}")
        self._size, *options = rest.split(",")
        self._options |= dict(option.split("=", 1) for option in options)
        self._new_rules()
        count = len(played.moves) if most is None else min(max(most - 1, 0), len(played.moves))
        self._new_game(states[0])
        for text in played.moves[:count]:
            self._played.play(self.game.parse_move(self._here(), text))
        return ""

    def _printsgf(self, words: list[str]) -> str:
        if words:
            save_game_file(self.played(), words[0] if "." in words[0] else words[0] + ".sgf")
            return ""
        return to_sgf(self.played()).rstrip("\n")

    def played(self) -> PlayedGame:
        """The game so far."""
        rewards, ending = self._played.rewards(), ""
        if self._resigned is not None:
            rewards = [float(self._resigned == 1), float(self._resigned == 0)]
            ending = "resigned"
        texts, start = self._played.texts(), self._played.start_text()
        return PlayedGame(self._text(), ["", ""], texts, start, rewards, ending)

    # the search and its time

    def _choose(self, colour: int) -> Any:
        """The move to play."""
        position, searched = self._played.states[-1], self._searched
        legal = searched.legal_moves(position[0])
        if wins_by_passing(self.game, position):
            return self.game.parse_move(position[0], "pass")
        if len(legal) == 1:
            return legal[0]
        return self.search(self._budget(colour)).record

    def search(self, stop: Stop) -> SearchResult:
        """Search the position."""
        return self._played.search(stop)

    def _time_settings(self, words: list[str]) -> str:
        numbers = [_number(word) for word in words[:3]]
        if len(numbers) < 3:
            raise Refused("syntax error: time_settings takes main time, byo-yomi time and stones")
        main, period, stones = numbers
        unlimited = period > 0 and stones == 0
        self._clock = None if unlimited or main + period == 0 else Clock(main, period, int(stones))
        return ""

    def _time_left(self, words: list[str]) -> str:
        if len(words) < 3:
            raise Refused("syntax error: time_left takes a colour, seconds and stones")
        colour, seconds, stones = _colour(words[0]), _number(words[1]), _number(words[2])
        if self._clock is not None:
            self._clock.set_left(colour, seconds, int(stones))
        return ""

    def _budget(self, colour: int) -> Stop:
        """The time of a move: its share of what is left, and not more than was asked for."""
        if self._clock is None:
            return self._stop or Seconds(5.0)
        played = len(self._played.moves)
        budget = Seconds(self._clock.seconds(colour, played, self.game.points))
        if isinstance(self._stop, Seconds):
            return Seconds(min(budget.seconds, self._stop.seconds))
        return budget if self._stop is None else self._stop | budget


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
