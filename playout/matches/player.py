"""Players: what chooses a move, the built-in ones, and players from text.

A player is told that a game begins, asked for moves when it is its turn, and told every move that
was played. In text it is `auto`, the usual search of the game, `random`, a tree search such as
`uct:playout=mast`, a search over worlds such as `ismcts`, `zero:model=FILE` for a trained network,
or `file.py:Class` for one's own; `simulations=`, `seconds=` and `workers=` among its options are
its own budget.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled.records import same_record
from playout.contract import Game
from playout.errors import OptionError, PlayoutError, nearest
from playout.gametree import PLAYOUT_POLICIES, TREE_POLICIES, WORLD_SEARCHES
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_search import TreeSearch, as_search
from playout.gametree.tree_session import TreeSession, check_search
from playout.matches import PLAYERS
from playout.stop import Calls, Playouts, Seconds, Stop
from playout.text.grammar import named_text, parse_named
from playout.text.options import class_options, parse_values
from playout.text.user_files import is_user_file

BUDGET_OPTIONS = ("simulations", "seconds", "calls", "workers")  # of every player but random


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

        What the player does not know of it was drawn at random. `stop` is the budget for the move,
        `Playouts` (simulations) or `Seconds`.
        """
        raise NotImplementedError

    def choose_for(self, position: np.ndarray, seat: int, seen: np.ndarray, stop: Stop) -> Any:
        """The move of a seat, where several move at the same time.

        `position` is the start of the step; `seen` is where the seat is to move, with any choices
        of the others in place of those that it does not know.
        """
        return self.choose(seen, stop)

    def played(self, move: Any) -> None:
        """A move was played, by anyone, this player and a given opening included.

        Of a game with hidden things it is None where the player does not see the move as it is.
        """


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
        self._lost = False
        self.last = None

    def choose_for(self, position: np.ndarray, seat: int, seen: np.ndarray, stop: Stop) -> Any:
        if self.algorithm.options.joint == "sequential":
            self._lost = True  # its tree is not at the position of the game
            chosen = self.choose(seen, stop)
            self._lost = True
            return chosen
        chosen = self.choose(position, stop)
        assert self.last is not None
        return self.last.choices[seat][0].record if seat in self.last.choices else chosen

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        session = self._session
        assert session is not None, "new_game comes first"
        self._lost |= session.searches == 0 or not self.algorithm.options.keep
        for move in self._behind:
            if not self._lost:
                session.play(move)
                self._lost = session.is_over()  # of several rounds one is over
        if self._lost:
            session.set_position(position)
        self._behind.clear()
        self._lost = False
        self.last = session.run(stop)
        self.simulations = self.last.simulations
        return self.last.record

    def played(self, move: Any) -> None:
        self._behind.append(move)


class WorldPlayer(Player):
    """Plays what a search over worlds chooses, such as `ismcts` or `pimc`.

    `last` is the result of the last search.
    """

    def __init__(self, algorithm: Any, workers: int = 1, compiled: bool = True) -> None:
        self.algorithm, self.name = algorithm, algorithm.text
        self.workers, self.compiled = workers, compiled
        self.last: SearchResult | None = None
        self._session: Any = None

    def check(self, game: Game) -> None:
        self.algorithm.check(game)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        if self._session is None or self._session.game is not game:
            self._session = self.algorithm.session(
                game, seed=0, workers=self.workers, compiled=self.compiled
            )
            self._session.run(Playouts(1))  # compiles, off the clock of a move
        self._session.reset(seed)
        self._behind: list[Any] = []
        self.last = None

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        session = self._session
        if session.searches and self._keeps() and self._follows():
            session.follow(position)
        else:
            session.set_position(position)
        self._behind.clear()
        self._at = position.copy()
        self.last = session.run(stop)
        self.simulations = self.last.simulations
        return self.last.record

    def _keeps(self) -> bool:
        return bool(getattr(self._session.algorithm.options, "keep", False))

    def _follows(self) -> bool:
        """Take the tree on by the moves that were played; False if it cannot follow them."""
        for move in self._behind:
            legal = self.game.legal_moves(self._at[0])
            if move is None or not any(same_record(move, other) for other in legal):
                return False
            self._session.play(move)
            self.game.play_move(self._at[0], move)
        return True

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
                name = self.text.partition(":")[0]
                said = str(error)
                where = "" if said.startswith(f"{name} ") else f"{self.text}: "
                raise type(error)(f"{where}{said}") from None
        if not callable(getattr(player, "choose", None)):
            raise OptionError(f"{self.text} is no player: it has no method choose(position, stop)")


def entrant(player: Any, compiled: bool = True) -> Entrant:
    """The entrant that a text, a tree search, a player, or what makes one (a class) stands for."""
    if isinstance(player, str):
        return parse_player(player, compiled)
    if isinstance(player, TreeSearch):
        return Entrant(player.text, lambda: TreePlayer(player, compiled=compiled))
    if hasattr(player, "session") and not isinstance(player, type):
        return Entrant(player.text, lambda: WorldPlayer(player, compiled=compiled))
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
    known = [*TREE_POLICIES, *WORLD_SEARCHES, *PLAYERS]
    named = parse_named(text, known)
    text, name = named.text, named.name
    if name in PLAYOUT_POLICIES and name not in known:
        raise OptionError(f"{name} is a playout policy, no player: uct:playout={name} is one")
    if name not in known and not is_user_file(name):
        hint = nearest(name, known)
        raise OptionError(f"there is no player {name!r}; {hint} (your own: file.py:Class)")
    if name == "random" and named.options:
        raise OptionError(f"{text}: random has no options")
    if name == "auto" and set(named.options) - set(BUDGET_OPTIONS):
        raise OptionError(
            f"{text}: auto chooses its options; {', '.join(BUDGET_OPTIONS)} may be given"
        )
    stop, workers = _budget(text, named.options)
    if isinstance(stop, Calls):
        check_counts_calls(name)
    others = {key: value for key, value in named.options.items() if key not in BUDGET_OPTIONS}
    make: Callable[[], Any]
    if name in TREE_POLICIES:
        algorithm = _tree_search(text, name, others)
        make = lambda: TreePlayer(algorithm, workers, compiled)  # noqa: E731
    elif name in WORLD_SEARCHES:
        search = as_search(named_text(name, others))
        search.text = text
        make = lambda: WorldPlayer(search, workers, compiled)  # noqa: E731
    elif name == "auto":
        auto = PLAYERS.find(name)
        make = lambda: auto(workers, compiled)  # noqa: E731
    else:
        make = _made(text, PLAYERS.find(name), others)
    return Entrant(text, make, stop, workers, from_text=True)


def _tree_search(text: str, name: str, options: dict[str, str]) -> TreeSearch:
    try:
        algorithm = TreeSearch.parse(named_text(name, options))
    except OptionError as error:
        for option in options:  # a budget that is misspelt is no option of the search either
            hint = nearest(option, BUDGET_OPTIONS)
            unknown = f"there is no option {option!r}" in str(error)
            if unknown and hint.startswith("did you mean"):
                raise OptionError(f"{text}: there is no option {option!r}; {hint}") from None
        raise
    algorithm.text = text
    return algorithm


def _budget(text: str, options: dict[str, str]) -> tuple[Stop | None, int]:
    """The budget that the options set, and the threads."""
    if len(options.keys() & {"simulations", "seconds", "calls"}) > 1:
        raise OptionError(f"{text}: give simulations, seconds or calls, not both")
    stop: Stop | None = None
    if "simulations" in options:
        stop = Playouts(_whole(text, "simulations", options["simulations"]))
    elif "calls" in options:
        stop = Calls(_whole(text, "calls", options["calls"]))
    elif "seconds" in options:
        try:
            stop = Seconds(float(options["seconds"]))
        except (ValueError, OptionError):
            raise OptionError(f"{text}: seconds={options['seconds']}: a number over 0") from None
    return stop, _whole(text, "workers", options.get("workers", "1"))


def check_counts_calls(name: str) -> None:
    """Refuse a player of the package whose budget cannot be calls of `play`."""
    from playout.worlds.world_search import OverWorlds

    counts = name in WORLD_SEARCHES and issubclass(WORLD_SEARCHES.find(name), OverWorlds)
    if not counts and (name in WORLD_SEARCHES or name in TREE_POLICIES or name == "auto"):
        raise OptionError(
            f"calls: {name} counts none; openloop, mixmax, ordinal, ismcts and preference do"
        )


def _whole(text: str, name: str, value: str) -> int:
    if not re.fullmatch(r"[0-9][0-9_]*", value) or int(value) < 1:
        raise OptionError(f"{text}: {name}={value}: a whole number over 0")
    return int(value)


def _made(text: str, cls: Any, given: dict[str, str]) -> Callable[[], Any]:
    """What makes a player of a class, with the options that are given as text."""
    options = class_options(cls)
    for name in given:
        if name not in options:
            hint = nearest(name, options) if options else "it has none"
            raise OptionError(f"{text}: there is no option {name!r}; {hint}")
    values = parse_values(text, options, given)
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
    if isinstance(stop, Calls):
        return f"calls={stop.calls}"
    return f"seconds={stop.seconds:g}" if isinstance(stop, Seconds) else str(stop)
