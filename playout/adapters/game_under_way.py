"""A game under way: what was played, and a search that follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from playout.adapters.game_files import finished
from playout.compiled import wrapping
from playout.compiled.records import copy_of
from playout.contract import Game, is_veiled, open_copy
from playout.errors import OptionError
from playout.games import load_game
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_search import as_search
from playout.gametree.tree_session import TreeSession, laid_open
from playout.gametree.usual_search import usual_search
from playout.stop import Stop


class GameUnderWay:
    """Positions and moves so far, and the session of a search that follows them.

    `states` has a position more than `moves`: the first is the start. `deal` is the seed of cards
    and luck at the start, if there are any.
    """

    deal: int | None = None

    def __init__(self, game: Any, session: TreeSession, start: np.ndarray | None = None) -> None:
        self.game, self.session = game, session
        self.states = [game.root() if start is None else start]
        self.moves: list[Any] = []
        self._at = -1  # up to which move the session has come; -1: nowhere

    def here(self) -> Any:
        """The state as it is now."""
        return self.states[-1][0]

    def rewards(self) -> list[float] | None:
        """What the game is worth to each player, if it is over."""
        return finished(self.game, self.states[-1])

    def texts(self) -> list[str]:
        """The moves as the game writes them."""
        return [self.game.move_text(before[0], m) for before, m in zip(self.states, self.moves)]

    def start_text(self) -> str:
        """The position at the start; empty if it is the game's own."""
        start = self.states[0]
        if start.tobytes() == self.game.root(self.deal).tobytes():
            return ""
        text: str = self.game.position_text(start[0])
        return text

    def play(self, move: Any) -> None:
        """Play a move, a record."""
        after = self.states[-1].copy()
        self.game.play_move(after[0], move)
        self.states.append(after)
        self.moves.append(copy_of(move))

    def take_back(self, moves: int) -> None:
        """Go back to the position after so many moves."""
        if moves < len(self.moves):
            del self.states[moves + 1 :], self.moves[moves:]
            self._at = -1

    def search(
        self, stop: Stop, view: Callable[[SearchResult], None] | None = None
    ) -> SearchResult:
        """Search the position; what was found out about it before is kept.

        `view` is shown what was found so far, a few times a second.
        """
        rounds = self.game.searched() is not self.game  # of which the session knows one
        if 0 <= self._at <= len(self.moves) and not rounds:
            for move in self.moves[self._at :]:
                self.session.play(move)
        else:
            self.session.set_position(self.states[-1])
        self._at = len(self.moves)
        return self.session.run(stop, view=view)


def open_session(
    game: Game,
    name: str,
    search: str | None = None,
    stop: Stop | None = None,
    *,
    seed: int | None = None,
    workers: int = 1,
    compiled: bool = True,
    open: bool = False,
) -> tuple[TreeSession, Stop | None]:
    """What searches a game that is called `name`, and its budget.

    `search` is a tree search, a search over worlds, the usual one if none is given, or a player of
    matches, such as `zero:model=FILE` for a trained network, which may have a budget of its own in
    place of `stop`. With `open` it sees all cards and luck.
    """
    from playout.matches import PLAYERS

    if search in (None, "auto"):
        search = usual_search(game.searched(), open)
    if search.partition(":")[0].strip() not in PLAYERS:
        algorithm = as_search(search)
        searched = searched_game(game, name)
        if open:
            searched = laid_open(searched, algorithm)
        session = algorithm.session(searched, seed=seed, workers=workers, compiled=compiled)
        return session, stop
    from playout.matches.player import parse_player

    name = search.partition(":")[0].strip()
    if workers > 1 or not compiled:
        what = "a network searches" if name == "zero" else "a player plays"
        raise OptionError(f"{name}: {what} compiled, with one worker")
    entrant = parse_player(search)
    if stop is not None and entrant.stop is not None:
        raise OptionError(f"{search}: it has a budget already")
    player: Any = entrant.make()
    game = open_copy(game.searched()) if open else game.searched()
    player.check(game)
    if name == "zero":
        from playout.learn.alphazero.network_session import NetworkSession

        return NetworkSession(game, player, search, seed), stop or entrant.stop
    from playout.adapters.player_session import PlayerSession

    return PlayerSession(game, player, search, seed), stop or entrant.stop


def board_for(game: Game, states: np.ndarray, player: int) -> str:
    """A position as text, with nothing in it that a player does not know."""
    if not (is_veiled(game) and game.hidden):
        return game.render(states[0]).rstrip("\n")
    with wrapping():
        if text := game.render_for(states[0], player):
            return text.rstrip("\n")
        world = states.copy()
        game.redraw(world[0], player, np.array([0], np.uint64))
    board = game.render(world[0]).rstrip("\n")
    return f"{board}\n(what player {player + 1} does not know is drawn at random)"


def searched_game(game: Game, text: str) -> Game:
    """The game to search for moves of a game that `text` names: one of its rounds, if it has many.

    In Go all moves are legal, but a search has no use for filling its own eyes, nor for playouts
    in which that is done; unless the text says something of `keep_eyes`, it leaves them alone.
    """
    if type(game).__name__ != "Go" or "keep_eyes" in text:
        return game.searched()
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
