"""Players of a match: tree searches with their budgets, and players of one's own."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError, PlayoutError, ProblemError
from playout.gametree.tree_session import TreeSession
from playout.matches import player as players_module
from playout.matches.arena import Arena
from playout.matches.match_settings import MatchSettings
from playout.matches.player import Player, RandomPlayer, TreePlayer, parse_player
from playout.matches.referee import play_game
from playout.stop import Calls, Playouts, Seconds
from tests.support.small_matches import First, plain, tictactoe


class TestTreePlayers:
    def test_a_search_beats_chance(self):
        result = tictactoe("uct", "random", games=30, simulations=100)
        assert result.win_rate > 0.8
        assert result.interval[0] > 0.5
        assert result.elo_interval[0] > 0

    def test_the_same_seed_the_same_games(self):
        first = tictactoe("uct", "uct:C=1.2", games=10)
        assert plain(tictactoe("uct", "uct:C=1.2", games=10)) == plain(first)
        assert plain(tictactoe("uct", "uct:C=1.2", games=10, workers=2)) == plain(first)
        assert plain(tictactoe("uct", "uct:C=1.2", games=10, seed=2)) != plain(first)
        longer = tictactoe("uct", "uct:C=1.2", games=12)
        assert plain(longer)[:10] == plain(first)

    def test_interpreted_plays_the_same(self):
        settings = {"games": 2, "simulations": 12}
        ours = tictactoe("uct", "random", **settings)
        assert plain(tictactoe("uct", "random", compiled=False, **settings)) == plain(ours)

    def test_budgets_of_their_own(self):
        result = tictactoe("uct:simulations=7", "uct", games=2, simulations=20)
        assert result.match.budgets == ["simulations=7", "simulations=20"]
        for game in result.transcript:
            mine = game.seats.index(0)
            assert game.simulations[mine] % 7 == 0
            assert game.simulations[1 - mine] % 20 == 0
            moves = [0, 0]
            for ply in range(game.plies):
                moves[ply % 2] += 1
            assert game.simulations[mine] == 7 * moves[mine]

    def test_seconds(self):
        result = tictactoe("uct:seconds=0.01", "random", games=1)
        seat = result.transcript[0].seats.index(0)
        moves = len(result.transcript[0].moves[seat::2])
        assert 0.01 * moves <= result.transcript[0].seconds[seat] < 0.01 * moves + 2

    def test_the_tree_is_kept(self):
        game = po.games.TicTacToe()
        kept, fresh = (TreePlayer(po.TreeSearch("uct", keep=keep)) for keep in (True, False))
        for player, more in ((kept, True), (fresh, False)):
            player.new_game(game, 1)
            position = game.root()
            for _ in range(2):
                move = player.choose(position.copy(), Playouts(200))
                for reply in (move, None):
                    if reply is None:
                        legal = game.new_moves()
                        game.moves(position[0], legal)
                        reply = legal[0].copy()
                    game.play(position[0], reply)
                    player.played(reply)
            visits = sum(row.visits for row in player.last.moves)
            assert (visits > 200) == more

    @pytest.mark.long
    def test_a_match_needs_one_session_a_player(self, monkeypatch):
        """Nothing is learnt from one game to the next: its seed alone says how a game goes."""
        made = []

        class Counted(TreeSession):
            def __init__(self, *args, **settings):
                made.append(self)
                super().__init__(*args, **settings)

        monkeypatch.setattr(players_module, "TreeSession", Counted)
        both = tictactoe("uct:playout=mast", "uct", games=2, simulations=50, seed=4)
        assert len(made) == 2
        again = Arena.of(MatchSettings("tictactoe", ("uct:playout=mast", "uct"), Playouts(50)))
        second = again.play(again.schedule.pairing(1), 4, again.new_players())
        assert second.moves == both.transcript[1].moves

    def test_the_budget_may_stand_after_the_players(self):
        named = tictactoe("uct", "random", games=2, simulations=30)
        first = po.match("tictactoe", "uct", "random", Playouts(30), games=2, seed=1)
        assert plain(first) == plain(named)
        for players in (("uct", Playouts(30), "random"), ("uct", "random", Playouts(30))):
            with pytest.raises(OptionError, match="one budget"):
                tictactoe(*players, games=2)

    def test_objects_and_texts_play_the_same(self):
        one = tictactoe("uct:solver=true", "random", games=4)
        two = tictactoe(po.TreeSearch("uct", solver=True), RandomPlayer, games=4, workers=2)
        assert plain(one) == plain(two)

    def test_parsed(self):
        player = parse_player("uct:simulations=1_000,C=0.7,workers=2")
        assert (player.stop, player.workers) == (Playouts(1000), 2)
        assert player.make().algorithm.policy.C == 0.7
        assert parse_player("uct:seconds=0.5").stop == Seconds(0.5)
        assert parse_player("ismcts:calls=40").stop == Calls(40)
        assert parse_player("random").stop is None


class TestOwnPlayers:
    def test_an_object(self):
        result = tictactoe(First(), First(last=True), games=2)
        # first: cells from the first on; the other from the last: 0 8 1 7 2 is a row for the first
        assert [game.plies for game in result.transcript] == [5, 5]
        assert (result.wins, result.losses) == (1, 1)
        assert result.players == ["First", "First"]
        assert "First (2)" in str(result)

    def test_only_choose_is_needed(self):
        class Least:
            name = "least"

            def choose(self, position, stop):
                for cell in ("b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"):
                    try:
                        game.parse_move(position[0], cell)
                    except PlayoutError:
                        continue
                    return cell  # as text
                raise AssertionError

        game = po.games.TicTacToe()
        result = po.match(game, Least(), "random", games=10, seed=1)
        assert result.game == "TicTacToe"
        assert all(game.moves[0] == "b2" for game in result.transcript if game.seats[0] == 0)
        assert result.players == ["least", "random"]

    def test_the_position_is_the_players_own_copy(self):
        class Spoiler(First):
            def choose(self, position, stop):
                move = super().choose(position, stop).copy()
                position[:] = np.zeros_like(position)
                return move

        assert plain(tictactoe(Spoiler(), "random", games=2)) == plain(
            tictactoe(First(), "random", games=2)
        )

    def test_a_class_makes_one_for_each_worker(self):
        made = []

        class Counted(First):
            def __init__(self):
                super().__init__()
                made.append(self)

        result = tictactoe(Counted, "random", games=8, workers=2)
        assert result.games == 8
        assert len(made) <= 3  # one to look at, one for each worker

    def test_an_object_plays_one_game_at_a_time(self):
        with pytest.raises(OptionError, match="give its class"):
            tictactoe(First(), "random", workers=2)
        player = First()
        with pytest.raises(OptionError, match="against itself"):
            tictactoe(player, player)

    @pytest.mark.parametrize("move", ["z9", "a1a1", None, 3, np.zeros(1, "i8")])
    def test_an_illegal_move_ends_the_match(self, move):
        class Wrong:
            def choose(self, position, stop):
                return move

        with pytest.raises(ProblemError, match="Wrong played"):
            tictactoe(Wrong(), "random", games=2)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_fault_in_a_player_is_its_own(self, workers):
        class Faulty(Player):
            def choose(self, position, stop):
                raise ZeroDivisionError("mine")

        with pytest.raises(ZeroDivisionError, match="mine"):
            tictactoe(Faulty, "random", games=4, workers=workers)

    def test_one_game_without_a_match(self):
        played = play_game(
            po.games.TicTacToe(), [First(), First(last=True)], [Playouts(1)] * 2, [1, 2]
        )
        assert played.rewards == [1.0, 0.0]
        assert len(played.moves) == 5
