"""OpenSpiel: its games searched here, our search as one of its bots, its bots in our matches.

`OpenSpielGame` is any of its games of perfect information without chance, in which players move in
turn. It runs interpreted: the rules are OpenSpiel's, called move by move. A state of ours is the
history of the actions; the last state of OpenSpiel's is kept, so that a playout costs one call
for each move.

A `Bridge` connects a game of OpenSpiel's with the one that has the same rules here, compiled, where
there is one. Through it `TreeBot` searches at full speed, and `BotPlayer` lets a bot of
OpenSpiel's play against ours in `playout.match`.

M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, 2019.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from playout.compiled import record
from playout.errors import DataError, OptionError, PlayoutError, nearest
from playout.gametree.options import TreeSearch
from playout.gametree.session import SearchResult, TreeSession
from playout.matches.player import Player
from playout.problem import Game
from playout.run.stop import Playouts, Seconds, Stop

try:
    import pyspiel
except ImportError:
    raise OptionError("OpenSpiel is missing: pip install 'playout[openspiel]'") from None


class OpenSpielGame(Game):
    """A game of OpenSpiel's.

    Parameters
    ----------
    game : str or pyspiel.Game
        Such as `tic_tac_toe` or `hex(board_size=5)`.

    Rewards are its returns, put into the range from 0 to 1.

    Examples
    --------
    >>> game = OpenSpielGame("tic_tac_toe")
    >>> game.move_text(game.root()[0], game.parse_move(game.root()[0], "x(1,1)"))
    'x(1,1)'
    """

    interpreted = True

    def __init__(self, game: Any) -> None:
        self.spiel = _load(game) if isinstance(game, str) else game
        kind = self.spiel.get_type()
        for wanted, found, why in (
            (kind.Information.PERFECT_INFORMATION, kind.information, "hides information"),
            (kind.Dynamics.SEQUENTIAL, kind.dynamics, "has moves at the same time"),
            (kind.ChanceMode.DETERMINISTIC, kind.chance_mode, "has chance in it"),
        ):
            if found != wanted:
                raise OptionError(
                    f"{kind.short_name} {why}: a game of perfect information without chance, in "
                    "which players move in turn, can be searched"
                )
        self.players = self.spiel.num_players()
        self.actions = self.spiel.num_distinct_actions()
        self.codes = self.actions * self.players
        self.max_moves = self.actions
        self.max_length = self.spiel.max_game_length()
        self.low = float(self.spiel.min_utility())
        self.range = max(float(self.spiel.max_utility()) - self.low, 1e-12)
        self.state_type = record(count="i4", actions=("i4", self.max_length + 1))
        self.move_type = record(action="i4")
        self._seen: list[int] = []
        self._state = self.spiel.new_initial_state()

    def spiel_state(self, state: Any) -> Any:
        """OpenSpiel's state; it stays right until the next call, so clone it to keep it."""
        wanted = state.actions[: state.count].tolist()
        known = len(self._seen)
        if wanted[:known] != self._seen:
            self._state, self._seen, known = self.spiel.new_initial_state(), [], 0
        for action in wanted[known:]:
            self._state.apply_action(action)
        self._seen = wanted
        return self._state

    def reset(self, state: Any) -> None:
        state.count = 0

    def moves(self, state: Any, moves: Any) -> int:
        legal: list[int] = self.spiel_state(state).legal_actions()
        moves["action"][: len(legal)] = legal
        return len(legal)

    def play(self, state: Any, move: Any) -> None:
        state.actions[state.count] = move.action
        state.count += 1

    def turn(self, state: Any) -> int:
        return max(int(self.spiel_state(state).current_player()), 0)

    def reward(self, state: Any, player: int) -> float:
        return (float(self.spiel_state(state).returns()[player]) - self.low) / self.range

    def code(self, state: Any, move: Any) -> Any:
        return np.uint64(int(move.action) + self.actions * self.turn(state))

    # what a person reads and writes

    def move_text(self, state: Any, move: Any) -> str:
        return self._text(self.spiel_state(state), int(move.action))

    def _text(self, now: Any, action: int) -> str:
        return " ".join(str(now.action_to_string(now.current_player(), action)).split())

    def position_text(self, state: Any) -> str:
        """The numbers of the actions so far, `start` if there are none."""
        return " ".join(map(str, state.actions[: state.count].tolist())) or "start"

    def read_position(self, text: str) -> np.ndarray:
        words = [] if text.strip() in ("", "start") else text.replace(",", " ").split()
        states = self.root()
        now = self.spiel.new_initial_state()
        for number, word in enumerate(words, 1):
            if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) not in now.legal_actions():
                raise DataError(
                    f"{text[:60]!r} is no position: {word[:20]!r}, number {number}, is no legal "
                    "action there; give the numbers of the actions, or 'start'"
                )
            now.apply_action(int(word))
            states[0].actions[number - 1] = int(word)
        states[0].count = len(words)
        return states

    def render(self, state: Any) -> str:
        now = self.spiel_state(state)
        board = str(now).rstrip()
        if now.is_terminal():
            return f"{board}\nthe end: {', '.join(f'{x:g}' for x in now.returns())}"
        return f"{board}\nplayer {now.current_player() + 1} to move"


def _load(text: str) -> Any:
    name = text.partition("(")[0].strip()
    names = [kind.short_name for kind in pyspiel.registered_games()]
    if name not in names:
        raise OptionError(f"OpenSpiel has no game {name!r}; {nearest(name, names)}")
    try:
        with _without_stderr():
            return pyspiel.load_game(text)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else "it cannot be made"
        raise OptionError(f"OpenSpiel's {text}: {reason[:200]}") from None


@contextmanager
def _without_stderr() -> Iterator[None]:
    """OpenSpiel writes what it raises to the process's stderr as well."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


# the games that both have


class Bridge:
    """A game of OpenSpiel's, `spiel`, the same game here, `game`, and their moves.

    Without a native game, or with `native=False`, the game here is OpenSpiel's own, interpreted.
    """

    def __init__(self, spiel: Any, game: Game | None = None, native: bool = True) -> None:
        self.spiel = spiel
        found = _native(spiel) if native and game is None else None
        self.game: Game = game or found or OpenSpielGame(spiel)
        self._own = isinstance(self.game, OpenSpielGame)

    @classmethod
    def of(cls, game: Game) -> Bridge:
        """The bridge from a game of ours."""
        if isinstance(game, OpenSpielGame):
            return cls(game.spiel, game)
        name = _spiel_name(game)
        if not name:
            known = ", ".join(sorted(_TEXTS))
            raise OptionError(
                f"OpenSpiel has no game with the rules of this {type(game).__name__}; it has "
                f"those of {known} and its own, such as openspiel:nim"
            )
        return cls(_load(name), game)

    def text(self, state: Any, action: int) -> str:
        """An action of OpenSpiel's as a move's text in our game."""
        if self._own:
            own: Any = self.game
            return str(own._text(state, action))
        translate = _TEXTS[type(self.game).__name__]
        return translate(self.game, str(state.action_to_string(state.current_player(), action)))

    def action(self, state: Any, text: str) -> int:
        """The action of OpenSpiel's that a move's text stands for."""
        for action in state.legal_actions():
            if self.text(state, action) == text:
                return int(action)
        raise DataError(f"OpenSpiel has no move {text!r} there")


def _connect_four(game: Any, text: str) -> str:
    return chr(ord("a") + int(text[1:]))


def _tic_tac_toe(game: Any, text: str) -> str:
    row, column = re.findall(r"\d", text)
    return f"{'abc'[int(column)]}{3 - int(row)}"


def _breakthrough(game: Any, text: str) -> str:
    """Its first player moves down the board, ours up."""
    source, target, taken = text[:2], text[2:4], "x" if text.endswith("*") else "-"
    rows = [game.height + 1 - int(cell[1]) for cell in (source, target)]
    return f"{source[0]}{rows[0]}{taken}{target[0]}{rows[1]}"


def _same(game: Any, text: str) -> str:
    return text


def _dots_and_boxes(game: Any, text: str) -> str:
    """Its rows are counted from the top, from 0."""
    found = re.fullmatch(r"P\d\((h|v),(\d+),(\d+)\)", text)
    assert found is not None
    row, column = int(found[2]), int(found[3])
    top, left = game.height + 1 - row, "abcdefgh"[column]
    if found[1] == "h":
        return f"{left}{top}-{'abcdefgh'[column + 1]}{top}"
    return f"{left}{top - 1}-{left}{top}"


_TEXTS: dict[str, Callable[[Any, str], str]] = {
    "ConnectFour": _connect_four, "TicTacToe": _tic_tac_toe, "Breakthrough": _breakthrough,
    "Hex": _same, "Reversi": _same, "DotsAndBoxes": _dots_and_boxes,
}  # fmt: skip


def _native(spiel: Any) -> Game | None:
    """The game with the same rules here, if there is one."""
    from playout.games import load_game

    name, options = spiel.get_type().short_name, spiel.get_parameters()
    candidates = {
        "connect_four": "connectfour:{columns}x{rows}", "tic_tac_toe": "tictactoe",
        "othello": "reversi",
        "breakthrough": "breakthrough:{columns}x{rows}", "hex": "hex:{num_cols}",
        "dots_and_boxes": "dotsandboxes:{num_cols}x{num_rows}",
    }  # fmt: skip
    if name not in candidates:
        return None
    try:
        game: Game = load_game(candidates[name].format(**options))
    except PlayoutError:  # a size that we do not have
        return None
    there = _spiel_name(game)
    return game if there and _load(there).get_parameters() == options else None


def _spiel_name(game: Any) -> str:
    """The name of OpenSpiel's game with the rules of ours; empty if it has none."""
    kind = type(game).__name__
    if kind == "ConnectFour":
        return f"connect_four(columns={game.width},rows={game.height})"
    if kind == "TicTacToe":
        return "tic_tac_toe"
    if kind == "Reversi":
        return "othello" if game.side == 8 else ""
    if kind == "Breakthrough" and not game.misere and game.height < 10:
        return f"breakthrough(columns={game.width},rows={game.height})"
    if kind == "Hex" and not game.swap:
        return f"hex(board_size={game.side})"
    if kind == "DotsAndBoxes" and game.players == 2:
        return f"dots_and_boxes(num_cols={game.width},num_rows={game.height})"
    return ""


# our search as a bot of OpenSpiel's


class TreeBot(pyspiel.Bot):  # type: ignore[misc]
    """A tree search as an OpenSpiel bot; it keeps its tree from move to move.

    Parameters
    ----------
    game : pyspiel.Game, or its name
    algorithm : TreeSearch or str
        UCT if none is given.
    stop : Playouts or Seconds
        The budget of a move, 1,000 simulations if none is given.
    seed : int
    native : bool
        Whether the game is searched as the compiled game of ours with the same rules, if
        there is one.

    Examples
    --------
    >>> game = pyspiel.load_game("tic_tac_toe")
    >>> bot = TreeBot(game, "uct:solver=true", Playouts(500), seed=1)
    >>> bot.step(game.new_initial_state())
    4
    """

    def __init__(
        self,
        game: Any,
        algorithm: TreeSearch | str = "uct",
        stop: Stop | None = None,
        *,
        seed: int | None = None,
        native: bool = True,
    ) -> None:
        super().__init__()
        self.bridge = Bridge(_load(game) if isinstance(game, str) else game, native=native)
        search = TreeSearch.parse(algorithm) if isinstance(algorithm, str) else algorithm
        self._stop = stop or Playouts(1000)
        self._session = TreeSession(self.bridge.game, search, seed=seed)
        self._position: np.ndarray = self.bridge.game.root()
        self._history: list[int] | None = None  # that of the session's position
        self.last: SearchResult | None = None

    def step(self, state: Any) -> int:
        """The action to play."""
        self._follow(state)
        self.last = self._session.run(self._stop)
        return self.bridge.action(state, self.last.move)

    def provides_policy(self) -> bool:
        return True

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The share of the visits of each action, and the action to play."""
        action = self.step(state)
        return self._policy(state), action

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The share of the visits of each action."""
        self.step(state)
        return self._policy(state)

    def _policy(self, state: Any) -> list[tuple[int, float]]:
        assert self.last is not None
        visits = {row.move: row.visits for row in self.last.moves}
        total = max(sum(visits.values()), 1)
        return [
            (int(action), visits[self.bridge.text(state, action)] / total)
            for action in state.legal_actions()
        ]

    def restart(self) -> None:
        """A new game begins."""
        self._history = None

    def restart_at(self, state: Any) -> None:
        """A game goes on from here."""
        self._history = None

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing to do: `step` sees from the state what was played."""

    def _follow(self, state: Any) -> None:
        """Bring the session to OpenSpiel's state."""
        history = [int(action) for action in state.history()]
        known = self._history
        if known is None or history[: len(known)] != known:
            known, self._position = [], self.bridge.game.root()
            self._session.set_position(self._position)
        game = self.bridge.game
        at = self.bridge.spiel.new_initial_state()
        for number, action in enumerate(history):
            if number >= len(known):
                move = game.parse_move(self._position[0], self.bridge.text(at, action))
                with np.errstate(over="ignore"):
                    game.play(self._position[0], move)
                self._session.advance(move)
            at.apply_action(action)
        self._history = history


# a bot of OpenSpiel's as a player of ours


class BotPlayer(Player):
    """A bot of OpenSpiel's in `playout.match`.

    Parameters
    ----------
    make : function
        Makes the bot of a game: it gets OpenSpiel's game, the number of the player from 0, the
        budget and a seed.
    name : str
    """

    def __init__(
        self, make: Callable[[Any, int, Stop, int], Any], name: str = "OpenSpiel bot"
    ) -> None:
        self._make = make
        self.name = name

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._bridge = Bridge.of(game)
        self._state = self._bridge.spiel.new_initial_state()
        self._position = game.root()
        self._bot: Any = None
        self._budget: Stop | None = None

    def choose(self, position: np.ndarray, stop: Stop) -> str:
        if self._bot is None or self._budget != stop:
            player = self._state.current_player()
            seed = self.seed & 0x7FFFFFFF  # its seeds are ints of C++
            self._bot = self._make(self._bridge.spiel, player, stop, seed)
            self._budget = stop
        action = int(self._bot.step(self._state))
        if isinstance(stop, Playouts):
            self.simulations = stop.playouts
        return self._bridge.text(self._state, action)

    def played(self, move: Any) -> None:
        text = self.game.move_text(self._position[0], move)
        self._state.apply_action(self._bridge.action(self._state, text))
        with np.errstate(over="ignore"):
            self.game.play(self._position[0], move)


class MCTSPlayer(BotPlayer):
    """OpenSpiel's own MCTS in C++, with one random rollout for each leaf.

    Parameters
    ----------
    c : float
        Its exploration constant, for returns from -1 to 1; 2 in its examples.
    solve : bool
        Whether it proves wins and losses.
    memory : int
        Megabytes of its tree.
    """

    def __init__(self, *, c: float = 2.0, solve: bool = False, memory: int = 1000) -> None:
        self.c, self.solve, self.memory = float(c), bool(solve), int(memory)
        super().__init__(self._mcts, f"OpenSpiel MCTS, c={c:g}")

    def _mcts(self, game: Any, player: int, stop: Stop, seed: int) -> Any:
        seconds = stop.seconds if isinstance(stop, Seconds) else -1.0
        most = stop.playouts if isinstance(stop, Playouts) else 1 << 30
        return pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, seed), self.c, most, self.memory, self.solve,
            seed, False, max_wall_clock_time=seconds,
        )  # fmt: skip
