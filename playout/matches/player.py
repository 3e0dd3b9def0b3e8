"""Players: what chooses a move, the built-in ones, and players from text.

A player is told that a game begins, asked for moves when it is its turn, and told every move that
was played. In text it is `random`, a tree search such as `uct:playout=mast`, `zero:model=FILE` for
a trained network, or `file.py:Class` for one's own; `simulations=`, `seconds=` and `workers=` among
its options are its own budget.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.contract import Game
from playout.errors import OptionError, PlayoutError, nearest
from playout.gametree.tree_search import NAMES, TreeSearch
from playout.gametree.tree_session import SearchResult, TreeSession, check_search
from playout.stop import Playouts, Seconds, Stop

OWN_OPTIONS = ("simulations", "seconds", "workers")

# path/to/file.py, then :Class, then :OPTION=VALUE,...
_OWN = re.compile(r"(?P<file>.*\.py(:[A-Za-z_]\w*(?=:|$))?)(:(?P<rest>.*))?")


class Player:
    """What plays one side of a game; a player of one's own is a subclass with `choose`.

    `name` is shown in results (the name of the class if there is none). `simulations` says how many
    the last `choose` took, for a player that counts them.

    Examples
    --------
    >>> class First(Player):
    ...     def choose(self, position, stop):
    ...         moves = self.game.new_moves()
    ...         self.game.moves(position[0], moves)
    ...         return moves[0]
    """

    name: str = ""
    simulations: int = 0
    game: Game
    seed: int

    def check(self, game: Game) -> None:
        """Refuse a game that it cannot play."""

    def new_game(self, game: Game, seed: int) -> None:
        """A game begins; the same seed should give the same play."""
        self.game, self.seed = game, seed

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        """The move to play in a position, an array of one state: a record, or the move as text.

        `stop` is the budget for it, `Playouts` (simulations) or `Seconds`.
        """
        raise NotImplementedError

    def played(self, move: Any) -> None:
        """A move was played, by anyone, this player and a given opening included."""


class RandomPlayer(Player):
    """Plays any legal move, each as likely as another."""

    name = "random"

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._random = random.Random(seed)

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        legal = self.game.legal_moves(position[0])
        return legal[self._random.randrange(len(legal))]


class TreePlayer(Player):
    """Plays what a tree search chooses; the tree below the moves played is kept.

    `last` is the result of the last search.
    """

    def __init__(self, algorithm: TreeSearch, workers: int = 1, compiled: bool = True) -> None:
        self.algorithm = algorithm
        self.name = algorithm.text
        self.workers = workers
        self.compiled = compiled
        self.last: SearchResult | None = None
        self._session: TreeSession | None = None

    def check(self, game: Game) -> None:
        check_search(game, self.algorithm, self.workers, self.compiled)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        if self._session is None or self._session.game is not game:
            session = TreeSession(
                game, self.algorithm, seed=0, workers=self.workers, compiled=self.compiled
            )
            session.play(session.run(Playouts(1)).record)  # compiles, off the clock of a move
            self._session = session
        self._session.reset(seed)
        self._behind: list[Any] = []
        self.last = None

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        session = self._session
        assert session is not None, "new_game comes first"
        if session.searches == 0 or not self.algorithm.options.keep:
            session.set_position(position)
        else:
            for move in self._behind:
                session.play(move)
        self._behind.clear()
        self.last = session.run(stop)
        self.simulations = self.last.simulations
        return self.last.record

    def played(self, move: Any) -> None:
        self._behind.append(move)


@dataclass(frozen=True)
class Entrant:
    """Who takes part in a match: the text that names it, and how a player is made of it."""

    text: str
    make: Callable[[], Any]
    stop: Stop | None = None  # a budget of its own
    workers: int = 1  # threads of its own
    from_text: bool = False  # whether another process can make it from the text
    one_object: bool = False  # whether `make` gives the same player every time

    def check(self, game: Game) -> None:
        """Refuse, before anything is played, a player that cannot play the game."""
        player = self.make()
        if isinstance(player, Player):
            try:
                player.check(game)
            except PlayoutError as error:
                raise type(error)(f"{self.text}: {error}") from None
        if not callable(getattr(player, "choose", None)):
            raise OptionError(f"{self.text} is no player: it has no method choose(position, stop)")


def entrant(player: Any, compiled: bool = True) -> Entrant:
    """The entrant that a text, a tree search, a player, or what makes one (a class) stands for."""
    if isinstance(player, str):
        return parse_player(player, compiled)
    if isinstance(player, TreeSearch):
        return Entrant(player.text, lambda: TreePlayer(player, compiled=compiled))
    if hasattr(player, "choose") and not isinstance(player, type):
        return Entrant(_name_of(player), lambda: player, one_object=True)
    if callable(player):
        return Entrant(_name_of(player), player)
    raise OptionError(
        f"{player!r} is no player: give a text such as 'uct', a TreeSearch, or an object with the "
        "method choose(position, stop)"
    )


def parse_player(text: str, compiled: bool = True) -> Entrant:
    """The entrant that a text names: `random`, `NAME:OPTION=VALUE,...` or `file.py:Class:...`.

    >>> parse_player("uct:simulations=500,C=0.7").stop
    Playouts(playouts=500)
    """
    text = text.strip()
    name, _, rest = text.partition(":")
    name = name.strip()
    if name == "random":
        if rest:
            raise OptionError(f"{text}: random has no options")
        return Entrant(text, RandomPlayer, from_text=True)
    if name == "zero":
        from playout.learn.alphazero.network_player import NetworkPlayer

        words, stop, workers = _budget(text, rest)
        return Entrant(text, _made(text, NetworkPlayer, words), stop, workers, from_text=True)
    own = _OWN.fullmatch(text)
    if name not in NAMES and not own:
        hint = nearest(name, [*NAMES, "random", "zero"])
        raise OptionError(f"there is no player {name!r}; {hint} (your own: file.py:Class)")
    if name in NAMES:
        others, stop, workers = _budget(text, rest)
        algorithm = _tree_search(text, name, others)
        return Entrant(
            text, lambda: TreePlayer(algorithm, workers, compiled), stop, workers, from_text=True
        )
    assert own is not None
    others, stop, workers = _budget(text, own["rest"] or "")
    return Entrant(text, _own_player(text, own["file"], others), stop, workers, from_text=True)


def _tree_search(text: str, name: str, words: list[str]) -> TreeSearch:
    shorter = name + (":" + ",".join(words) if words else "")
    try:
        algorithm = TreeSearch.parse(shorter)
    except OptionError as error:
        for word in words:  # a budget that is misspelt is no option of the search either
            option = word.partition("=")[0].strip()
            hint = nearest(option, OWN_OPTIONS)
            unknown = f"there is no option {option!r}" in str(error)
            if unknown and hint.startswith("did you mean"):
                raise OptionError(f"{text}: there is no option {option!r}; {hint}") from None
        raise
    algorithm.text = text
    return algorithm


def _budget(text: str, rest: str) -> tuple[list[str], Stop | None, int]:
    """The options that are not about the budget, the budget, and the threads."""
    others: list[str] = []
    found: dict[str, str] = {}
    for word in filter(None, rest.split(",")):
        option, sign, value = word.partition("=")
        option = option.strip()
        if option in OWN_OPTIONS and sign:
            if option in found:
                raise OptionError(f"{text}: {option} is given twice")
            found[option] = value.strip()
        else:
            others.append(word)
    if "simulations" in found and "seconds" in found:
        raise OptionError(f"{text}: give simulations or seconds, not both")
    stop: Stop | None = None
    if "simulations" in found:
        stop = Playouts(_whole(text, "simulations", found["simulations"]))
    elif "seconds" in found:
        try:
            stop = Seconds(float(found["seconds"]))
        except (ValueError, OptionError):
            raise OptionError(f"{text}: seconds={found['seconds']}: a number over 0") from None
    return others, stop, _whole(text, "workers", found.get("workers", "1"))


def _whole(text: str, name: str, value: str) -> int:
    if not re.fullmatch(r"[0-9][0-9_]*", value) or int(value) < 1:
        raise OptionError(f"{text}: {name}={value}: a whole number over 0")
    return int(value)


def _own_player(text: str, place: str, words: list[str]) -> Callable[[], Any]:
    """What makes a user's own player: a class in a file, with its options."""
    from playout.text.user_files import load_class

    base: Any = Player
    return _made(text, load_class(place, base), words)


def _made(text: str, cls: Any, words: list[str]) -> Callable[[], Any]:
    """What makes a player of a class, with the options that words give."""
    from playout.text.options import class_options

    options = class_options(cls)
    values: dict[str, Any] = {}
    for word in words:
        option, sign, value = word.partition("=")
        option = option.strip()
        if not sign:
            raise OptionError(f"{text}: {word!r} is not NAME=VALUE")
        if option not in options:
            hint = nearest(option, options) if options else "it has none"
            raise OptionError(f"{text}: there is no option {option!r}; {hint}")
        if option in values:
            raise OptionError(f"{text}: {option} is given twice")
        values[option] = options[option].parse(value)
    try:
        inspect.signature(cls).bind(**values)
    except TypeError as error:
        raise OptionError(f"{text} cannot be made: {error}") from None
    return lambda: cls(**values)


def _name_of(player: Any) -> str:
    name = getattr(player, "name", "") or getattr(player, "__name__", "")
    return name if isinstance(name, str) and name else type(player).__name__


def budget_text(stop: Stop) -> str:
    """A budget as a player's option."""
    if isinstance(stop, Playouts):
        return f"simulations={stop.playouts}"
    return f"seconds={stop.seconds:g}" if isinstance(stop, Seconds) else str(stop)
