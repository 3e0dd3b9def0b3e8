"""The process of one game between a person and a search, with the search's view of it.

Commands: `play` a move, `think` (the view, without a move), `reply` (the search plays for whoever
is to move), `undo`, `resign`, `seat`, `tree` (whether the tree is shown), `variation` (pictures of
a line), `stop`. After the person's move the search replies by itself. Whatever comes ends a search
under way. The game is kept in its folder after every move.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any

from playout.adapters.game_under_way import open_session, wins_by_passing
from playout.adapters.live_game import LiveGame, continued
from playout.compiled import wrapping
from playout.compiled.compile_errors import fault_line
from playout.errors import PlayoutError
from playout.games import load_game
from playout.gametree.search_result import SearchResult
from playout.lab.task import Task, as_stop
from playout.lab.task_folder import TaskFolder
from playout.lab.worker import listen
from playout.stop import Asked, Playouts, Seconds, Stop

TREE_EVERY = 1.0  # seconds
MOST_LINE = 40  # moves of a variation that are drawn
MOST_THINKING = 600.0  # seconds

Tell = Callable[[dict[str, Any]], None]


def playing(task: Task, folder: TaskFolder, tell: Tell) -> None:
    """Play until the input ends."""
    commands: queue.Queue[dict[str, Any]] = queue.Queue()
    table = Table(task, folder, tell, commands)
    listen(table.hear, lambda: table.hear({"command": "quit"}))
    table.begin()
    while (command := commands.get())["command"] != "quit":
        table.obey(command)


class Table:
    """A game under way and those who watch it."""

    def __init__(
        self,
        task: Task,
        folder: TaskFolder,
        tell: Tell,
        commands: queue.Queue[dict[str, Any]],
    ) -> None:
        self._task, self._folder, self._tell, self._commands = task, folder, tell, commands
        self._asked = Asked()
        self._shows_tree, self._tree_at = False, 0.0
        self.live: LiveGame

    def hear(self, command: dict[str, Any]) -> None:
        """Take a command, on another thread; it ends a search that is under way."""
        if command["command"] == "tree":
            self._shows_tree = bool(command.get("open"))
            return
        self._commands.put(command)
        self._asked.come()

    def begin(self) -> None:
        """Compile, and show the first position."""
        task = self._task
        self._tell({"event": "compiling"})
        game = load_game(task.game)
        session, _ = open_session(
            game, task.game, task.search, seed=task.seed, workers=task.workers
        )
        start, moves, deal = game.root(task.seed), task.moves, task.seed
        if self._folder.game.exists():
            played = continued(self._folder.game, game, task.game)
            start, moves = played.first_state("the game", game), played.moves
            deal = played.deal if played.deal is not None else deal
        stop = as_stop(task.stop)
        self.live = LiveGame(game, task.game, start, stop, session, task.seat, deal)
        self.live.play_texts(moves, "the game")
        self.live.file = self._folder.game
        if self.live.rewards() is None:
            self.live.search(Playouts(1))  # compiled before anybody waits for a move
        self._show()
        self._reply()

    def obey(self, command: dict[str, Any]) -> None:
        """Do what a command says; what cannot be done is refused in one line."""
        if self._commands.empty():
            self._asked = Asked()
        try:
            _COMMANDS[command["command"]](self, command)
        except Exception as error:
            self._tell({"event": "refused", "error": fault_line(error)})

    # commands

    def _play(self, command: dict[str, Any]) -> None:
        live = self.live
        if live.rewards() is not None:
            raise PlayoutError("the game is over")
        if live.turn() != live.seat:
            raise PlayoutError("it is not your turn")
        live.play(live.game.parse_move(live.here(), command["move"]))
        self._played()

    def _played(self) -> None:
        self.live.write()
        self._show()
        self._reply()

    def _reply(self, anyway: bool = False) -> None:
        """Let the search move for as long as it is to move."""
        live = self.live
        while live.rewards() is None and (anyway or live.turn() != live.seat):
            anyway = False
            if wins_by_passing(live.game, live.states[-1]):
                live.play(live.game.parse_move(live.here(), "pass"))
            else:
                hidden = live.hides() and live.turn() != live.seat
                result = self._think(live.stop, hidden)
                if not self._commands.empty() and self._commands.queue[0]["command"] in LEAVES:
                    return
                live.play(result.record)
            live.write()
            self._show()

    def _think(self, stop: Stop, hidden: bool = False) -> SearchResult:
        """Search the position with views of it."""
        live = self.live
        if not self._commands.empty():
            self._asked.come()

        def view(result: SearchResult) -> None:
            self._view(result, hidden, done=False)

        result = live.think(view, stop | self._asked)
        self._view(result, hidden, done=True)
        return result

    def _on_demand(self, command: dict[str, Any]) -> None:
        if self.live.rewards() is not None:
            raise PlayoutError("the game is over: there is nothing to think about")
        if self.live.hides() and self.live.turn() != self.live.seat:
            raise PlayoutError("its view would tell what you do not know")
        if "simulations" in command:
            self._think(Playouts(command["simulations"]))
        else:
            self._think(Seconds(min(command.get("seconds", 20.0), MOST_THINKING)))

    def _undo(self, command: dict[str, Any]) -> None:
        if not self.live.undo():
            raise PlayoutError("there is no move of yours to take back")
        self._played()

    def _resign(self, command: dict[str, Any]) -> None:
        self.live.resigned = True
        self.live.write()
        self._show()

    def _seat(self, command: dict[str, Any]) -> None:
        self.live.seat = command["seat"]
        self._played()

    def _variation(self, command: dict[str, Any]) -> None:
        live, game = self.live, self.live.game
        if live.hides():
            raise PlayoutError("the line would show what you do not know")
        states, svgs, places = live.states[-1].copy(), [], []
        for text in command["moves"][:MOST_LINE]:
            move = game.parse_move(states[0], text)
            places.append(game.where(states[0], move))
            game.play_move(states[0], move)
            svgs.append(game.svg(states[0]))
        self._tell({"event": "line", "moves": command["moves"], "svgs": svgs, "points": places})

    def _stop(self, command: dict[str, Any]) -> None:
        """The thinking has ended; if it was the search's turn it has moved."""
        self._reply()

    # what is told

    def _show(self) -> None:
        live, game = self.live, self.live.game
        rewards, note = live.rewards(), ""
        over = game.is_over(live.here())
        with wrapping():
            seats = [int(game.turn(states[0])) for states in live.states[:-1]]
        hides = live.hides() and game.hidden
        legal: list[dict[str, Any]] = []
        svg, last = "", ()
        try:
            svg = game.svg_for(live.here(), live.seat) if hides else game.svg(live.here())
            if rewards is None and not over:
                mine = live.turn() == live.seat
                legal = self._legal(bool(svg)) if mine or not hides else []
            if (
                live.moves and svg and not hides and live.sees_last_move()
            ):  # no card stays in its place
                last = game.where(live.states[-2][0], live.moves[-1])
        except Exception as error:
            note = f"the picture failed: {fault_line(error)}"
            svg, last = "", ()
            if not legal and rewards is None:
                legal = [{"move": text, "points": ()} for text in live.legal()]
        turn = None if rewards is not None else live.turn()
        self._tell(
            {
                "event": "position",
                "svg": svg,
                "text": live.board(),
                "moves": [
                    text if live.sees_move(i) else "?" for i, text in enumerate(live.texts())
                ],
                "seats": seats,
                "turn": turn,
                "you": turn == live.seat,
                "seat": live.seat,
                "names": [
                    "you" if seat == live.seat else f"{live.opponent}, {live.budget()}"
                    for seat in range(game.players)
                ],
                "legal": legal,
                "last": last,
                "rewards": rewards,
                "result": "" if rewards is None else live.ending(rewards),
                "hidden": hides,
                "note": note,
            }
        )

    def _legal(self, drawn: bool) -> list[dict[str, Any]]:
        game, here = self.live.game, self.live.here()
        return [
            {
                "move": game.move_text(here, move),
                "points": game.where(here, move) if drawn else (),
            }
            for move in game.legal_moves(here)
        ]

    def _view(self, result: SearchResult, hidden: bool, done: bool) -> None:
        """What the search thinks; nothing of it if that would tell of its cards."""
        moves = len(self.live.moves)
        rows = [
            {"move": row.move, "visits": row.visits, "value": row.value, "proven": row.proven}
            for row in ([] if hidden else result.moves)
        ]
        total = sum(row.visits for row in result.moves)
        self._tell(
            {
                "event": "view",
                "rows": rows,
                "variation": [] if hidden else result.variation,
                "best": "" if hidden else result.move,
                "value": None if hidden else result.value,
                "player": result.player,
                "proven": result.proven and not hidden,
                "simulations": result.simulations,
                "kept": max(0, total - result.simulations),
                "seconds": result.seconds,
                "rate": result.simulations / max(result.seconds, 1e-9),
                "nodes": result.nodes,
                "full": result.full,
                "done": done,
                "moves": moves,
            }
        )
        now = time.monotonic()
        if self._shows_tree and not hidden and (done or now - self._tree_at >= TREE_EVERY):
            self._tree_at = now
            top = self._top(result)
            self._tell(
                {"event": "tree", "branches": [branch.to_json() for branch in top], "moves": moves}
            )

    def _top(self, result: SearchResult) -> Any:
        from playout.gametree.tree_picture import tree_top

        session: Any = self.live.session
        return session.top(result) if hasattr(session, "top") else tree_top(session, result)


LEAVES = ("quit", "undo", "resign", "seat")  # what takes the search's move away
_COMMANDS: dict[str, Callable[[Table, dict[str, Any]], None]] = {
    "play": Table._play,
    "think": Table._on_demand,
    "reply": lambda table, command: table._reply(anyway=True),
    "undo": Table._undo,
    "resign": Table._resign,
    "seat": Table._seat,
    "variation": Table._variation,
    "stop": Table._stop,
}
