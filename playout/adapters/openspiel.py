"""OpenSpiel: its games searched here, our search as one of its bots, its bots in our matches.

`OpenSpielGame` (`openspiel_game.py`) is any of its games, interpreted. A `Bridge` connects a game
of OpenSpiel's with the one that has the same rules here, compiled, where there is one. Through it
`TreeBot` searches at full speed, and `BotPlayer` lets a bot of OpenSpiel's play against ours in
`playout.match`.

M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, 2019.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.adapters.openspiel_game import OpenSpielGame, load_spiel, pyspiel
from playout.contract import Game, check_open
from playout.errors import DataError, OptionError, PlayoutError
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.matches.player import Player
from playout.stop import Playouts, Seconds, Stop

__all__ = ["BotPlayer", "Bridge", "MCTSPlayer", "OpenSpielGame", "TreeBot"]

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
        return cls(load_spiel(name), game)

    def text(self, state: Any, action: int) -> str:
        """An action of OpenSpiel's as a move's text in our game."""
        if self._own:
            own: Any = self.game
            return str(own.action_text(state, action))
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
    "ConnectFour": _connect_four,
    "TicTacToe": _tic_tac_toe,
    "Breakthrough": _breakthrough,
    "Hex": _same,
    "Reversi": _same,
    "DotsAndBoxes": _dots_and_boxes,
}


def _native(spiel: Any) -> Game | None:
    """The game with the same rules here, if there is one."""
    from playout.games import load_game

    name, options = spiel.get_type().short_name, spiel.get_parameters()
    candidates = {
        "connect_four": "connectfour:{columns}x{rows}",
        "tic_tac_toe": "tictactoe",
        "othello": "reversi",
        "breakthrough": "breakthrough:{columns}x{rows}",
        "hex": "hex:{num_cols}",
        "dots_and_boxes": "dotsandboxes:{num_cols}x{num_rows}",
    }
    if name not in candidates:
        return None
    try:
        game: Game = load_game(candidates[name].format(**options))
    except PlayoutError:  # a size that we do not have
        return None
    there = _spiel_name(game)
    return game if there and load_spiel(there).get_parameters() == options else None


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
        self.bridge = Bridge(load_spiel(game) if isinstance(game, str) else game, native=native)
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
                game.play_move(self._position[0], move)
                self._session.play(move)
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

    def check(self, game: Game) -> None:
        check_open(game, self.name)

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
        self.game.play_move(self._position[0], move)


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
        rollout = pyspiel.RandomRolloutEvaluator(1, seed)
        limits = (self.c, most, self.memory, self.solve, seed, False)
        return pyspiel.MCTSBot(game, rollout, *limits, max_wall_clock_time=seconds)
