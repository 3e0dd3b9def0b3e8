"""The GGP protocol: messages, a player of matches, its server, and the game server beside it."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from playout.errors import DataError, OptionError
from playout.ggp import match_player
from playout.ggp.game import GDLGame
from playout.ggp.game_server import GameServer
from playout.ggp.ground import Limits
from playout.ggp.http_server import PlayerServer, _Handler
from playout.ggp.match_player import MatchPlayer, compile_sizes
from playout.ggp.protocol import MOST_BYTES, parse_message
from tests.support.naive_gdl import NaiveRules
from tests.support.rulesheets import DOORS, PENNIES, game_of, term_of

RULES = "( " + " ".join(line for line in PENNIES.splitlines() if line) + " )"
START = f"( START m.1 odd {RULES} 0.4 0.2 )"


def player_of():
    return MatchPlayer("uct", seed=1, compiled=False)


def test_messages_are_read_in_any_letters():
    assert parse_message("(info)").kind == "info"
    start = parse_message(START.lower())
    assert (start.match, start.role, start.start_clock, start.play_clock) == (
        "m.1",
        "odd",
        0.4,
        0.2,
    )
    assert parse_message("( Play m.1 NIL )").moves is None
    assert parse_message("(STOP m.1 (a b))").moves == ("a", "b")
    assert parse_message("(play m.1 (noop))").moves == ("noop",)


@pytest.mark.parametrize(
    "text",
    ["", "play", "((play))", "(jump m)", "(play m)", "(start m r x 1 1)", "(info) (info)", "(play"]
    + [f"(start m r ((role r)) {clocks})" for clocks in ("soon 1", "1 -1", "nan 1")],
)
def test_what_is_no_message_is_refused(text):
    with pytest.raises(DataError):
        parse_message(text)


def test_a_match_is_played_to_its_end():
    player = player_of()
    assert player.answer("( INFO )") == "( ( name playout ) ( status available ) )"
    assert player.answer(START) == "ready"
    assert "busy" in player.answer("( INFO )")
    move = player.answer("( PLAY m.1 nil )")
    assert move in ("heads", "tails")
    assert player.answer("( PLAY m.1 nil )") == move  # asked again
    assert player.answer(f"( STOP m.1 ( heads {move} ) )") == "done"
    assert "available" in player.answer("( INFO )")


def test_another_match_is_answered_busy_and_abort_ends_one():
    player = player_of()
    player.answer(START)
    assert player.answer(START.replace("m.1", "m.2")) == "busy"
    assert player.answer("( PLAY m.2 nil )") == "busy"
    assert player.answer("( ABORT m.1 )") == "aborted"
    with pytest.raises(DataError, match="no match"):
        player.answer("( PLAY m.1 nil )")


@pytest.mark.parametrize("moves", ["( heads )", "( heads jump )", "( heads ( tails 1 ) )", "heads"])
def test_a_move_that_is_no_move_leaves_the_match_as_it_was(moves):
    player = player_of()
    player.answer(START)
    with pytest.raises(DataError):
        player.answer(f"( PLAY m.1 {moves} )")
    assert player.answer("( PLAY m.1 nil )") in ("heads", "tails")


@pytest.mark.parametrize(
    "text", [START.replace("odd (", "nobody ("), "( START m.1 a ( ( role a ) ) 1 1 )"]
)
def test_rules_that_cannot_be_played_leave_the_player_free(text):
    player = player_of()
    with pytest.raises(DataError):
        player.answer(text)
    assert player.answer(START) == "ready"


def test_a_match_of_which_nothing_is_heard_is_given_up():
    player = player_of()
    player.answer(START)
    player._match.patience = -1.0
    assert "available" in player.answer("( INFO )")
    assert player.answer(START.replace("m.1", "m.2")) == "ready"


@pytest.fixture
def may_load(monkeypatch):
    """What a game that is loaded waits for."""
    allowed, made = threading.Event(), GDLGame.from_text

    def slow(*given):
        assert allowed.wait(600)
        return made(*given)

    monkeypatch.setattr(GDLGame, "from_text", slow)
    return allowed


def test_a_match_goes_on_while_its_game_is_not_loaded(may_load):
    player = player_of()
    rules = "( " + " ".join(line for line in DOORS.splitlines() if line) + " )"
    assert player.answer(f"( START m.1 robot {rules} 0.2 0.1 )") == "ready"
    moves = ["nil"]
    for _ in range(3):
        moves.append(f"( {player.answer(f'( PLAY m.1 {moves[-1]} )')} )")
    with pytest.raises(DataError, match="not legal"):
        player.answer("( PLAY m.1 ( ( toggle 9 9 ) ) )")
    match = player._match
    assert match.game is None
    may_load.set()
    match.loader.join()
    last = player.answer(f"( PLAY m.1 {moves[-1]} )")
    assert match.game is not None  # and it stands where the match does
    naive = NaiveRules(DOORS)
    facts = naive.start()
    for move in moves[1:]:
        facts = naive.after(facts, list(term_of(move)))
    assert set(match.game.facts(match.state[0])) == facts
    assert player.answer(f"( STOP m.1 ( {last} ) )") == "done"


@pytest.mark.parametrize("end", ["( ABORT m.1 )", "( STOP m.1 nil )"])
def test_a_match_that_is_over_loads_no_longer(may_load, end):
    player = player_of()
    assert player.answer(START) == "ready"
    loader = player._match.loader
    player.answer(end)
    may_load.set()
    loader.join(600)
    assert loader.made is None
    assert str(loader.error) == "the match is over"


@pytest.mark.parametrize("moment", [1, 30, 60])
def test_loading_ends_when_it_is_told_to(moment):
    """It looks while it grounds, while it makes gates, and while it finds what moves do."""
    left = moment

    def go_on():
        nonlocal left
        left -= 1
        if left == 0:
            raise DataError("told to end")

    with pytest.raises(DataError, match="told to end"):
        GDLGame.from_text(DOORS, "doors", Limits(go_on=go_on))


def test_a_game_that_cannot_be_loaded_is_refused_or_played_by_its_rules(monkeypatch):
    may_load = threading.Event()

    def fails(*given):
        assert may_load.wait(600)
        raise DataError("too many instances")

    monkeypatch.setattr(GDLGame, "from_text", fails)
    player = player_of()
    assert player.answer(START) == "ready"
    may_load.set()
    player._match.loader.join()
    assert player.answer("( PLAY m.1 nil )") in ("heads", "tails")
    assert player.answer("( ABORT m.1 )") == "aborted"
    with pytest.raises(DataError, match="too many"):
        player.answer(START.replace("0.4 0.2", "600 1"))
    assert "available" in player.answer("( INFO )")


def test_moves_have_the_letters_of_the_rulesheet():
    text = START.replace("heads", "Heads").replace("tails", "TAILS")
    player = player_of()
    assert player.answer(text) == "ready"
    assert player.answer("( PLAY m.1 nil )") in ("Heads", "TAILS")


@contextmanager
def served(player):
    with PlayerServer(player, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def post(port, body, headers=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}", body, headers or {})
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def raw(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        connection.sendall(data)
        return connection.recv(1 << 16).decode()


def test_the_server_answers_whatever_comes_and_goes_on(monkeypatch):
    monkeypatch.setattr(_Handler, "timeout", 600.0)  # idle connections stay to the end
    with served(player_of()) as port:
        assert post(port, b"\xff\xfe")[0] == 400
        assert post(port, b"hello, world") == (
            400,
            "the body is no message, such as ( PLAY match nil )",
        )
        assert post(port, b"(" * 5000)[0] == 400
        assert "405" in raw(port, b"GET / HTTP/1.0\r\n\r\n")
        assert "411" in raw(port, b"POST / HTTP/1.0\r\n\r\n")
        size = str(MOST_BYTES + 1).encode()
        assert "413" in raw(port, b"POST / HTTP/1.0\r\nContent-Length: " + size + b"\r\n\r\n")
        assert post(port, b"x" * (MOST_BYTES + 10_000_000))[0] == 413  # heard after all is sent
        assert "400" in raw(port, b"\0\1\2\r\n\r\n")
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
        answers: list[tuple[int, str]] = []
        threads = [
            threading.Thread(target=lambda: answers.append(post(port, b"( INFO )")))
            for _ in range(50)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [(200, "( ( name playout ) ( status available ) )")] * 50
        for connection in idle:
            connection.close()
        assert post(port, START.encode()) == (200, "ready")


def test_the_game_server_plays_a_match(tmp_path):
    game = game_of(tmp_path, PENNIES)
    lines = []
    with served(player_of()) as port:
        players = ["random", f"http://127.0.0.1:{port}"]
        found = GameServer(game, PENNIES, players, 0.4, 0.2).run("m.7", 3, lines.append)
    assert sorted(found.goals) == [0, 100]
    assert (found.late, found.illegal) == ([0, 0], [0, 0])
    assert len(found.moves) == 1
    assert "even" in str(found)


class Liar(MatchPlayer):
    """Says that it is ready, and then nothing that is a move."""

    def answer(self, text):
        return "ready" if "start" in text.lower() else "( jump ( 1"


def test_illegal_and_late_answers_are_replaced_and_counted(tmp_path):
    game = game_of(tmp_path, DOORS)
    with served(Liar()) as port:
        server = GameServer(game, DOORS, [f"http://127.0.0.1:{port}"], 1, 0.1)
        found = server.run("m.8", 3, lambda line: None)
    assert found.illegal == [9]
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    found = GameServer(game, DOORS, [address], 1, 0.1).run("m.9", 3, lambda line: None)
    assert found.late == [9]


@pytest.mark.parametrize("players", [[], ["random", "random"], ["ftp://x"]])
def test_players_that_do_not_fit_are_refused(tmp_path, players):
    with pytest.raises(OptionError):
        GameServer(game_of(tmp_path, DOORS), DOORS, players, 1, 1)


def test_a_match_that_never_ends_is_ended_by_its_steps(tmp_path):
    text = """(role robot) (init (at 1)) (legal robot a) (legal robot b)
    (<= (next (at 1)) (true (at 1))) (<= terminal (true (at 3))) (goal robot 10)"""
    game = game_of(tmp_path, text, steps=4)
    found = GameServer(game, text, ["random"], 1, 1).run("m.10", 3, lambda line: None)
    assert len(found.moves) == 4
    assert found.goals == [10]


def test_what_most_rulesheets_need_is_compiled_before_the_first_match(monkeypatch):
    compiled = []
    monkeypatch.setattr(match_player, "SIZES", (0,))
    monkeypatch.setattr(match_player, "quicker", lambda session, seconds: compiled.append(session))
    compile_sizes(MatchPlayer("uct").search)
    (session,) = compiled
    assert session.compiled
