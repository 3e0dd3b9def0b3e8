"""Games in the lab: played by a page's commands, with the search's view, to the end and on disk."""

from __future__ import annotations

import queue
import threading
import time

import pytest

from playout.lab.asked import check_task
from playout.lab.game_worker import Table
from playout.lab.shelf import Shelf
from playout.lab.task_folder import TaskFolder
from tests.support.match_files import play
from tests.support.rulesheets import PENNIES

pytest.importorskip("starlette")


class Played:
    """A game's table without a process: its commands one after the other, and what it told."""

    def __init__(self, folder, shelf=None, **asked):
        self.told, self.commands = [], queue.Queue()
        task = check_task(
            {"kind": "game", "budget": {"simulations": 30}, **asked}, shelf or Shelf()
        )
        folder.mkdir(exist_ok=True)
        self.table = Table(task, TaskFolder(folder), self.told.append, self.commands)
        self.table.begin()

    def __call__(self, command, **fields):
        before = len(self.told)
        self.table.hear({"command": command, **fields})
        while not self.commands.empty():
            self.table.obey(self.commands.get())
        return self.told[before:]

    def last(self, kind):
        return [event for event in self.told if event["event"] == kind][-1]


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    """Sessions that compile nothing."""
    from playout.lab import game_worker

    opened = game_worker.open_session
    monkeypatch.setattr(
        game_worker, "open_session", lambda *a, **k: opened(*a, **k, compiled=False)
    )


def test_a_game_is_played_to_its_end_and_kept(tmp_path):
    game = Played(tmp_path / "1", game="tictactoe", search="uct")
    first = game.last("position")
    assert (first["turn"], first["you"], first["moves"]) == (0, True, [])
    assert len(first["legal"]) == 9
    assert first["legal"][0]["points"]
    assert first["svg"].startswith("<svg")
    while game.last("position")["rewards"] is None:
        told = game("play", move=game.last("position")["legal"][0]["move"])
        assert told[0]["event"] == "position"
    last = game.last("position")
    assert last["result"] in ("you win", "a draw", "player 2 wins")
    assert last["seats"] == [i % 2 for i in range(len(last["moves"]))]
    kept = (tmp_path / "1" / "game.txt").read_text()
    assert kept.startswith("playout record 1\ngame: tictactoe\n")
    (refused,) = game("play", move="a1")
    assert refused["error"] == "the game is over"


def test_the_view_the_tree_and_a_line(tmp_path):
    game = Played(tmp_path / "1", game="tictactoe", search="uct")
    game("tree", open=True)
    told = game("think", simulations=200)
    view = [event for event in told if event["event"] == "view"][-1]
    assert view["done"]
    assert sum(row["visits"] for row in view["rows"]) >= 200
    assert view["best"] in [row["move"] for row in view["rows"]]
    tree = [event for event in told if event["event"] == "tree"][-1]
    assert tree["branches"][0]["branches"]
    assert game.last("position")["moves"] == []  # thinking plays nothing
    (line,) = game("variation", moves=view["variation"])
    assert len(line["svgs"]) == len(line["points"]) == len(view["variation"])
    (refused,) = game("variation", moves=["a1", "a1"])
    assert "a1" in refused["error"]


def test_moves_are_taken_back_and_seats_changed(tmp_path):
    game = Played(tmp_path / "1", game="tictactoe", search="uct")
    (refused,) = game("undo")
    assert refused["error"] == "there is no move of yours to take back"
    game("play", move="b2")
    assert len(game.last("position")["moves"]) == 2
    game("undo")
    assert game.last("position")["moves"] == []
    game("seat", seat=1)  # then the search begins
    position = game.last("position")
    assert (position["seat"], len(position["moves"]), position["you"]) == (1, 1, True)
    (refused,) = game("play", move="z9")
    assert "z9" in refused["error"]
    game("resign")
    assert game.last("position")["result"] == "you resigned"


def test_a_video_game_is_played_tick_by_tick_and_goes_on(tmp_path):
    asked = {
        "game": "orchard",
        "level": 1,
        "search": "openloop",
        "search_options": {"length": 2},
        "budget": {"simulations": 2},
    }
    game = Played(tmp_path / "1", **asked)
    first = game.last("position")
    assert {"idle", "left", "right"} <= {one["move"] for one in first["legal"]}
    assert first["svg"].startswith("<svg")
    assert first["names"] == ["you"]
    game("play", move="left")
    assert game.last("position")["moves"] == ["left"]
    assert game.last("position")["you"]  # nobody else moves
    told = game("think", simulations=3)
    assert [event for event in told if event["event"] == "view"][-1]["best"]
    again = Played(tmp_path / "1", **asked)
    assert again.last("position")["svg"] == game.last("position")["svg"]  # the same luck


def test_a_game_begins_at_a_move_of_a_match(tmp_path):
    path = tmp_path / "match.jsonl"
    play(path, games=1)
    game = Played(
        tmp_path / "1",
        Shelf(transcripts=[path]),
        **{"from": {"match": 0, "game": 0, "move": 2}, "search": "uct"},
    )
    position = game.last("position")
    assert (len(position["moves"]), position["seat"], position["you"]) == (2, 0, True)


WHERELESS = """
from playout.games.tictactoe import TicTacToe
class Wobbly(TicTacToe):
    def where(self, state, move):
        return 1 / 0
"""


def test_a_game_that_cannot_tell_where_has_its_text_and_buttons(tmp_path):
    (tmp_path / "wobbly.py").write_text(WHERELESS)
    shelf = Shelf.stocked([str(tmp_path / "wobbly.py:Wobbly")])
    game = Played(tmp_path / "1", shelf, game="Wobbly", search="uct")
    position = game.last("position")
    assert (position["svg"], position["text"] != "") == ("", True)
    assert "wobbly.py, line 5" in position["note"]
    assert [one["points"] for one in position["legal"]] == [()] * 9
    game("play", move="b2")
    assert len(game.last("position")["moves"]) == 2


def test_a_game_goes_on_from_its_folder(tmp_path):
    game = Played(tmp_path / "1", game="connectfour", search="uct")
    game("play", move="d")
    moves = game.last("position")["moves"]
    again = Played(tmp_path / "1", game="connectfour", search="uct")
    assert again.last("position")["moves"] == moves


def test_what_a_player_does_not_know_is_not_told(tmp_path):
    game = Played(tmp_path / "1", game="jass", search="ismcts", seat=1, budget={"simulations": 10})
    position = game.last("position")
    assert position["hidden"]
    assert "cards" in position["svg"]
    whole = game.table.live.game.svg(game.table.live.here())
    assert len(position["svg"]) < len(whole)
    for event in game.told:  # the others' searches tell how long they thought, not what
        if event["event"] == "view" and event["player"] != 1:
            assert (event["rows"], event["best"], event["value"]) == ([], "", None)
    assert position["you"]
    own = {legal["move"] for legal in position["legal"]}
    assert "would show" in game("variation", moves=[min(own)])[0]["error"]
    before = len(position["moves"])
    game("play", move=min(own))
    assert len(game.last("position")["moves"]) > before


def test_games_of_several_players_of_cards_and_from_rulesheets(tmp_path):
    (tmp_path / "pennies.kif").write_text(PENNIES)
    shelf = Shelf.stocked([str(tmp_path / "pennies.kif")])
    cases = [
        dict(game="dotsandboxes", size="2x2", game_options={"players": 3}, search="uct"),
        dict(
            game="bridge",
            game_options={"cards": 32},
            search="pimc",
            search_options={"worlds": 2},
            budget={"simulations": 4},
        ),
        dict(game="pennies", search="uct"),
    ]
    for number, asked in enumerate(cases):
        game = Played(tmp_path / str(number), shelf, **asked)
        position = game.last("position")
        assert position["you"]
        game("play", move=position["legal"][0]["move"])
        after = game.last("position")
        assert len(after["moves"]) > len(position["moves"])
        assert after["you"] or after["rewards"] is not None


def test_a_command_ends_the_thinking(tmp_path):
    game = Played(tmp_path / "1", game="tictactoe", search="uct")
    thinking = threading.Thread(target=game, args=("think",), kwargs={"seconds": 3600})
    thinking.start()
    time.sleep(0.3)
    game.table.hear({"command": "play", "move": "b2"})
    thinking.join(600)
    assert not thinking.is_alive()
    assert "b2" in game.last("position")["moves"]


@pytest.mark.long
def test_a_game_by_way_of_the_server(lab):
    asked = {"kind": "game", "game": "tictactoe", "budget": {"simulations": 500}}
    number = lab.ask("/api/tasks", asked)["id"]
    assert lab.ask(f"/api/tasks/{number}")["page"] == f"/play/{number}"
    played = 0
    for update in lab.events(f"/api/tasks/{number}/events"):
        position = update["news"].get("position")
        if position and position["you"] and update["status"] == "ready":
            move = position["legal"][0]["move"]
            lab.ask(f"/api/tasks/{number}", {"command": "play", "move": move})
            played += 1
        if update["status"] == "over":
            break
    assert played >= 2
    assert lab.send(f"/api/tasks/{number}/game.txt")[2].startswith(b"playout record 1")
    assert lab.refused(f"/api/tasks/{number}/game.sgf")[0] == 400
    for bad in (
        {"command": "play"},
        {"command": "play", "move": 3},
        {"command": "seat"},
        {"command": "play", "move": "x" * 500},
        {"command": "variation", "moves": 3},
        {"command": "think", "seconds": -1},
        {"command": "quit"},
    ):
        assert lab.refused(f"/api/tasks/{number}", bad)[0] == 400
