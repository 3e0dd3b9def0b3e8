"""Matches in Python: seats, seeds and openings, tables, results, early ends."""

from __future__ import annotations

import doctest
import importlib
import json
import math
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import playout as po
from playout.errors import OptionError
from playout.matches.player import RandomPlayer
from playout.matches.replay import replay_transcript
from playout.matches.schedule import Schedule, draw_opening, player_seed
from playout.statistics import wilson
from tests.support.small_matches import First, plain, tictactoe


class TestSchedule:
    def test_each_two_meet_in_both_seats(self):
        pairings = list(Schedule(4, 2).pairings(6))
        assert len(pairings) == Schedule(4, 2).total(6) == 36
        seats = [pairing.seats for pairing in pairings]
        for a in range(4):
            for b in range(4):
                assert seats.count((a, b)) == (3 if a != b else 0)
        assert [pairing.number for pairing in pairings] == list(range(36))
        for k in range(0, 36, 2):  # side by side, in one round
            assert pairings[k].seats == pairings[k + 1].seats[::-1]
            assert pairings[k].round == pairings[k + 1].round

    def test_more_games_begin_with_the_same_ones(self):
        for players, seats in ((2, 2), (3, 2), (3, 3), (4, 3)):
            schedule = Schedule(players, seats)
            for games in range(1, 8):
                few, more = schedule.pairings(games), schedule.pairings(games + 1)
                assert {pairing.number for pairing in few} < {pairing.number for pairing in more}
                for pairing in schedule.pairings(games):
                    assert schedule.pairing(pairing.number) == pairing

    def test_an_odd_number_of_games(self):
        assert [pairing.seats for pairing in Schedule(2, 2).pairings(3)] == [(0, 1), (1, 0), (0, 1)]
        assert Schedule(3, 2).total(3) == len(list(Schedule(3, 2).pairings(3))) == 9

    def test_seats_rotate(self):
        pairings = list(Schedule(3, 3).pairings(6))
        for player in range(3):
            assert [pairing.seats.index(player) for pairing in pairings].count(0) == 2

    def test_seeds_belong_to_a_player_and_a_round(self):
        seeds = {player_seed(s, r, p) for s in range(5) for r in range(5) for p in range(5)}
        assert len(seeds) == 125
        assert all(0 <= seed < 2**48 for seed in seeds)


class TestPairs:
    """Games 2k and 2k + 1 have everything in common but the seats."""

    def test_seeds_and_seats(self):
        heard = []

        class Listening(RandomPlayer):
            def new_game(self, game, seed):
                super().new_game(game, seed)
                heard.append((self, seed))

        one, two = Listening(), Listening()
        result = tictactoe(one, two, games=6)
        for k in range(0, 6, 2):
            assert result.transcript[k].seats == [0, 1]
            assert result.transcript[k + 1].seats == [1, 0]
            game = dict(heard[2 * k : 2 * k + 2])
            swapped = dict(heard[2 * k + 2 : 2 * k + 4])
            assert game == swapped
            assert game[one] != game[two]
        assert len({seed for _, seed in heard}) == 6

    def test_openings(self):
        result = po.match("connectfour", "random", "random", games=12, seed=1, opening=5)
        openings = [tuple(game.moves[:5]) for game in result.transcript]
        assert openings[0::2] == openings[1::2]
        assert len(set(openings)) == 6
        assert all(game.plies > 5 for game in result.transcript)

    def test_an_opening_never_ends_the_game(self):
        game = po.games.TicTacToe()
        for round_ in range(50):
            moves = draw_opening(game, 1, round_, 7)
            states = game.replay(moves)
            assert game.moves(states[0], game.new_moves()) > 0

    def test_players_know_the_opening(self):
        one, two = First(), First(last=True)
        result = tictactoe(one, two, games=1, opening=2)
        assert len(one.told) == len(two.told) == result.transcript[0].plies


@cache
def outcome(board="." * 9, player="x"):
    """Chances that x wins, and of a draw, when both move at random: by rules of its own."""
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    for line in lines:
        row = {board[int(i)] for i in line}
        if row == {"x"}:
            return 1.0, 0.0
        if row == {"o"}:
            return 0.0, 0.0
    free = [i for i in range(9) if board[i] == "."]
    if not free:
        return 0.0, 1.0
    other = "o" if player == "x" else "x"
    parts = [outcome(board[:i] + player + board[i + 1 :], other) for i in free]
    return tuple(sum(part[k] for part in parts) / len(parts) for k in (0, 1))


def test_random_against_random_is_what_it_must_be():
    result = tictactoe("random", "random", games=1000)
    win, draw = outcome()
    assert (win, draw) == (pytest.approx(0.5849, abs=1e-4), pytest.approx(0.1270, abs=1e-4))
    first = [0, 0, 0]
    for game in result.transcript:
        first[[1.0, 0.5, 0.0].index(game.result[0])] += 1
    for count, share in zip(first, (win, draw, 1 - win - draw)):
        low, high = wilson(count, 1000)
        assert low < share < high
    low, high = result.interval
    assert low < 0.5 < high
    both = result.by_seat
    assert both[0].wins + both[1].losses == first[0]
    assert both[0].games == both[1].games == 500


class TestTables:
    def test_a_round_robin(self):
        result = tictactoe("random", "uct:simulations=60", First, games=6)
        assert result.games == 18
        table = result.table()
        assert [row["rank"] for row in table] == [1, 2, 3]
        assert table[0]["player"] == "uct:simulations=60"
        assert sum(row["wins"] for row in table) == sum(row["losses"] for row in table)
        assert sum(row["draws"] for row in table) % 2 == 0
        assert sum(row["elo"] for row in table) == pytest.approx(0, abs=1e-9)
        for row in table:
            assert row["games"] == 12 == row["wins"] + row["draws"] + row["losses"]
            others = [cell for cell in row["against"] if cell is not None]
            assert [cell["games"] for cell in others] == [6, 6]
            for name in ("wins", "draws", "losses"):
                assert sum(cell[name] for cell in others) == row[name]
                assert sum(part[name] for part in row["by_seat"]) == row[name]
            for other in table:
                if other is not row:
                    there, here = other["against"][row["number"]], row["against"][other["number"]]
                    assert (there["wins"], there["draws"]) == (here["losses"], here["draws"])
        data = json.loads(json.dumps(result.to_json(), allow_nan=False))
        assert data["table"] == table
        assert "wins-draws-losses" in str(result)

    def test_its_games_are_those_of_a_match(self):
        both = tictactoe("random", "random", games=4)
        all_three = tictactoe("random", "random", "random", games=4)
        pair = [game for game in plain(all_three) if sorted(game[1]) == [0, 1]]
        assert [game[1:] for game in pair] == [game[1:] for game in plain(both)]

    def test_a_game_for_three(self):
        game = "dotsandboxes:2x2,players=3"
        result = po.match(game, "random", "random", First, games=6, seed=1)
        assert result.seats == 3
        assert [game.seats for game in result.transcript[:3]] == [
            [0, 1, 2],
            [1, 2, 0],
            [2, 0, 1],
        ]
        for record in result.transcript:
            assert len(record.result) == len(record.seconds) == 3
        for row in result.table():
            assert row["games"] == 12  # two others in each of six games
            assert [part["games"] for part in row["by_seat"]] == [4, 4, 4]
        assert "compared by their rewards" in str(result)
        with pytest.raises(OptionError, match="a game for 3: name 3 players"):
            po.match(game, "random")

    def test_two_share_out_the_seats_of_a_game_for_three(self, tmp_path):
        record = tmp_path / "games.jsonl"
        game = "dotsandboxes:2x2,players=3"
        result = po.match(game, First, "random", games=12, seed=1, record=record)
        assert [g.seats for g in result.transcript[:3]] == [[0, 0, 1], [1, 1, 0], [0, 1, 0]]
        assert result.score(0).games == 12
        wins = 0
        for one in result.transcript:
            best = [max(r for s, r in zip(one.seats, one.result) if s == p) for p in (0, 1)]
            wins += best[0] > best[1]
        assert result.wins == wins
        assert "shared out in all ways" in str(result)
        assert po.match(game, First, "random", games=12, seed=1, record=record).wins == wins
        assert not replay_transcript(record).faults
        with pytest.raises(OptionError, match="is one object"):
            po.match(game, First(), "random", games=2)

    def test_who_moves_twice_is_asked_twice(self):
        """In Dots-and-Boxes the turn does not always pass on."""
        turns = []

        class Watcher(First):
            def choose(self, position, stop):
                turns.append((self, int(self.game.turn(position[0]))))
                return super().choose(position, stop)

        one, two = Watcher(), Watcher()
        result = po.match("dotsandboxes:2x2", one, two, games=2, seed=1)
        plies = result.transcript[0].plies
        assert {seat for player, seat in turns[:plies] if player is one} == {0}
        assert {seat for player, seat in turns[plies:] if player is one} == {1}
        seats = [seat for _, seat in turns[:plies]]
        assert any(a == b for a, b in pairwise(seats))


class TestResult:
    def test_as_data(self):
        result = tictactoe("random", First, games=10, sprt=(0, 50), opening=1)
        data = json.loads(json.dumps(result.to_json(), allow_nan=False))
        for name in (
            "game",
            "players",
            "games",
            "wins",
            "draws",
            "losses",
            "win_rate",
            "interval",
            "elo",
            "elo_interval",
            "by_seat",
            "sprt",
            "seed",
            "seconds",
        ):
            assert name in data
        assert data["games"] == 10 == data["wins"] + data["draws"] + data["losses"]
        assert data["win_rate"] == (data["wins"] + data["draws"] / 2) / 10
        assert (data["opening"], data["seed"], data["stopped_by"]) == (1, 1, "games")
        assert [part["seat"] for part in data["by_seat"]] == [1, 2]
        assert sum(data["sprt"]["pairs"]) == 5

    def test_nothing_but_wins(self):
        result = tictactoe(First, First(last=True), games=1)
        assert result.elo == math.inf
        assert result.to_json()["elo"] is None
        assert "Elo    +inf" in str(result)

    def test_as_text_and_html(self):
        result = tictactoe("random", "random", games=4)
        text = str(result)
        for words in (
            "tictactoe, 4 games, seed 1",
            "random (1)  against  random (2)",
            "score",
            "first  to move",
            "intervals are 95%",
            "Wilson",
        ):
            assert words in text
        assert repr(result) == text
        page = result._repr_html_()
        assert page.startswith("<table>")
        assert "random (1)" in page

    def test_saved(self, tmp_path):
        result = tictactoe("uct", "random", games=4)
        result.save(tmp_path / "match.json")
        saved = json.loads((tmp_path / "match.json").read_text())
        games = saved.pop("transcript")
        assert saved == {"format": "playout-match-1", **result.to_json()}
        assert [game["moves"] for game in games] == [game.moves for game in result.transcript]

    def test_html_is_escaped(self):
        class Sly(First):
            name = "<b>sly</b>"

        assert "<b>" not in tictactoe(Sly(), "random", games=2)._repr_html_()

    def test_the_seed_is_drawn_if_there_is_none(self):
        one = tictactoe("random", "random", games=1, seed=None)
        two = tictactoe("random", "random", games=1, seed=None)
        assert one.seed != two.seed


class TestEarlyEnds:
    def test_sprt(self):
        test = (0, 300, 0.1, 0.1)
        result = tictactoe("uct", "random", games=400, simulations=100, sprt=test)
        assert result.stopped_by == "sprt"
        assert result.sprt.decision == "H1"
        assert result.games == result.sprt.games < 100
        assert "H1 accepted: 300 Elo rather than 0" in str(result)
        again = tictactoe("uct", "random", games=400, simulations=100, sprt=test, workers=2)
        assert plain(again) == plain(result)
        weaker = tictactoe("random", "uct", games=400, simulations=100, sprt=test)
        assert weaker.sprt.decision == "H0"

    def test_sprt_is_for_two(self):
        with pytest.raises(OptionError, match="two players"):
            tictactoe("random", "random", "random", sprt=(0, 10))

    @pytest.mark.parametrize("workers", [1, 2])
    def test_ctrl_c_gives_what_there_is(self, workers, tmp_path):
        def progress(standing):
            if standing.done == 5:
                raise KeyboardInterrupt

        file = tmp_path / "r.jsonl"
        result = tictactoe(
            "random", "random", games=10**5, workers=workers, progress=progress, record=file
        )
        assert result.stopped_by == "interrupt"
        assert 5 <= result.games == len(file.read_text().splitlines()) < 10**5
        assert "interrupted" in str(result)

    def test_ctrl_c_before_the_first_game(self):
        def progress(standing):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            tictactoe("random", "random", progress=progress)

    def test_progress(self):
        seen = []
        tictactoe(
            "random",
            "random",
            games=6,
            sprt=(0, 10),
            progress=lambda s: seen.append((s.done, s.total, s.tally.games, s.sprt.games)),
        )
        assert seen == [(n, 6, n, n - n % 2) for n in range(7)]


def test_the_page(tmp_path):
    """The sessions and the player on the page, and the docstrings' examples."""
    page = Path(__file__).parents[2] / "docs" / "match.md"
    source = re.search(r"```python\n(class Centre.*?)```", page.read_text(), re.S)[1]
    scope: dict = {"po": po}
    exec(compile(source, "match.md", "exec"), scope)
    failed, tried = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", extraglobs=scope
    )
    assert (failed, tried >= 12) == (0, True)


@pytest.mark.parametrize("module", ["match", "match_result", "player", "schedule", "score", "sprt"])
def test_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(f"playout.matches.{module}"))
    assert (failed, tried > 0) == (0, True)
