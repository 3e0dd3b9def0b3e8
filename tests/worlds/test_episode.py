"""Episodes: the same for the same seed, verified by replay, kept when they are cut short."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import threading
import time

import pytest

import playout as po
from playout.errors import DataError, OptionError, ProblemError
from playout.games import load_game
from playout.gametree import stepping
from playout.text.json_text import with_checksum, without_checksum
from playout.worlds.episode_result import Episode
from tests.support.forms import FORMS
from tests.support.world_games import Guess, Walk


def play(search="ordinal", stop="60 calls", seed=1, **settings):
    return po.episode(Walk(), search, stop, seed=seed, compiled=False, **settings)


class TestPlay:
    @pytest.mark.parametrize("compiled", FORMS)
    @pytest.mark.parametrize("search", ["openloop:length=2", "ordinal", "preference"])
    def test_the_same_seed_gives_the_same_game_for_any_step(self, monkeypatch, search, compiled):
        first = po.episode(Walk(), search, "60 calls", seed=4, compiled=compiled)
        monkeypatch.setattr(stepping, "STEP_SECONDS", 0.0)
        second = po.episode(Walk(), search, "60 calls", seed=4, compiled=compiled)
        assert (first.moves, first.score, first.state) == (
            second.moves,
            second.score,
            second.state,
        )
        assert first.verified
        assert [decision.calls for decision in first.decisions] == [60] * 6

    def test_costs_are_kept_low_and_shown(self, tmp_path):
        """What is sure costs 0.6; a guess costs 0.5 in the mean."""

        class Fine(Guess):
            sense = "min"

        for seed in range(3):
            played = po.episode(Fine(), "openloop", "2000 calls", seed=seed, compiled=False)
            assert played.moves != ["2"]
            assert played.verified
            assert played.score in (0.0, 1.0)
            assert f"\ncost      {played.score:g} (the replay agrees)" in str(played)
        played.save(tmp_path / "costs.json")
        assert Episode.load(tmp_path / "costs.json") == played
        assert po.search(Fine(), "openloop", "2000 calls", seed=1, compiled=False).move != "2"
        assert "sense" not in po.episode(Guess(), "openloop", "9 calls", compiled=False).to_json()

    def test_the_luck_is_another_for_another_seed_of_it(self):
        states = {play(luck=luck).state for luck in range(5)}
        assert len(states) == 5

    def test_the_search_does_not_know_the_luck(self):
        """It takes what is sure, whatever the coin in the true state is."""
        for seed in range(5):
            played = po.episode(Guess(), "openloop", "400 calls", seed=seed, compiled=False)
            assert played.moves == ["2"]
            assert played.score == 0.6

    def test_the_tree_is_kept_if_it_is_to_be(self):
        kept, anew = play("openloop:keep=true"), play("openloop")
        assert kept.verified
        assert kept.moves == play("openloop:keep=true").moves
        values = [[decision.value for decision in one.decisions] for one in (kept, anew)]
        assert values[0][0] == values[1][0]
        assert values[0] != values[1]  # from the second on more simulations are known

    @pytest.mark.parametrize("search", ["openloop", "ordinal", "preference"])
    def test_of_moves_that_are_alike_any_is_played(self, search):
        """Always the first would be to stand still."""

        class Level(Walk):
            def score(self, state):
                return 0.0

        found = [
            po.episode(Level(12), f"{search}:length=1", "6 playouts", seed=seed, compiled=False)
            for seed in (1, 1, 2)
        ]
        assert len(set(found[0].moves)) >= 2
        assert found[0].moves == found[1].moves != found[2].moves

    def test_progress_is_told_after_every_move(self):
        told = []
        played = play(progress=lambda now: told.append((now.moves, now.move, now.score)))
        assert [moves for moves, _, _ in told] == [1, 2, 3, 4, 5, 6]
        assert [move for _, move, _ in told] == played.moves
        assert told[-1][2] == played.score

    def test_real_time(self):
        played = po.episode(Walk(), "openloop", po.Seconds(0.05), seed=1, compiled=False)
        assert played.stopped_by == "end"
        assert all(decision.seconds < 0.05 for decision in played.decisions if not decision.late)

    def test_a_late_decision_plays_the_idle_move(self, monkeypatch):
        from playout.worlds.world_session import WorldSession

        decide = WorldSession.decide

        def late(self, stop):
            found = decide(self, stop)
            time.sleep(0.06)
            return found

        monkeypatch.setattr(WorldSession, "decide", late)
        played = po.episode(
            Walk(2), "openloop", po.Seconds(0.05), seed=1, compiled=False, idle="-1"
        )
        assert played.moves == ["-1", "-1"]
        assert played.late == 2
        assert "2 decisions" in str(played)

    def test_an_idle_move_that_the_start_does_not_have_is_refused(self):
        with pytest.raises(OptionError, match="idle='jump': the start has no such move, but -1, "):
            po.episode(Walk(2), "openloop", po.Calls(9), compiled=False, idle="jump")


class TestRecord:
    def test_it_is_saved_and_read(self, tmp_path):
        path = tmp_path / "episode.json"
        played = play(save=path)
        read = Episode.load(path)
        assert read == played
        assert read.replay(Walk()).tobytes() == played.replay(Walk()).tobytes()

    def test_a_replay_with_another_luck_is_refused(self, tmp_path):
        path = tmp_path / "episode.json"
        played = play(save=path)
        other = dataclasses.replace(played, luck=played.luck + 1)
        other.save(path)
        with pytest.raises(DataError, match="does not replay"):
            Episode.load(path).replay(Walk())
        with pytest.raises(DataError, match="does not replay"):
            played.replay(Walk(), luck=played.luck + 1)

    def test_a_file_that_was_changed_by_hand_is_refused(self, tmp_path):
        path = tmp_path / "episode.json"
        play(save=path)
        data = json.loads(path.read_text())
        path.write_text(json.dumps(data | {"luck": data["luck"] + 1}))
        with pytest.raises(DataError, match="checksum"):
            Episode.load(path)

    def test_another_instance_is_refused(self):
        with pytest.raises(DataError, match="does not replay"):
            play().replay(Walk(5))

    @pytest.mark.parametrize(
        ("name", "value"),
        [("luck", -1), ("moves", [1]), ("decisions", [{}]), ("score", None), ("records", [])],
    )
    def test_a_damaged_file_is_refused(self, tmp_path, name, value):
        path = tmp_path / "episode.json"
        play(save=path)
        data = without_checksum(json.loads(path.read_text()), "episode.json")
        path.write_text(json.dumps(with_checksum(data | {name: value})))
        with pytest.raises(DataError, match=r"episode.json"):
            Episode.load(path)

    def test_ctrl_c_keeps_what_was_played(self, tmp_path):
        path = tmp_path / "episode.json"
        told = []

        def interrupt(now):
            told.append(now.moves)
            if now.moves == 3:
                os.kill(os.getpid(), signal.SIGINT)

        played = play(save=path, progress=interrupt)
        assert (played.stopped_by, len(played.moves), played.verified) == ("interrupt", 3, True)
        assert Episode.load(path) == played

    def test_ctrl_c_in_the_middle_of_a_decision(self):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        played = play(stop=po.Seconds(30))
        assert (played.stopped_by, played.moves) == ("interrupt", [])


class TestRefusals:
    @pytest.mark.parametrize("budget", ["1 calls", "1 playouts"])
    def test_a_budget_below_the_number_of_moves(self, budget):
        with pytest.raises(OptionError, match=r"a budget of 1 \w+ for a decision: the start has 2"):
            po.episode(Walk(), "openloop", budget, compiled=False)

    def test_a_game_for_two(self):
        with pytest.raises(ProblemError, match="one player"):
            po.episode(load_game("tictactoe"))

    def test_a_search_that_reads_the_luck(self):
        with pytest.raises(OptionError, match="no search over worlds 'uct'"):
            po.episode(Walk(), "uct")

    def test_luck_that_nobody_draws_anew(self):
        class Open(Walk):
            redraw = po.Problem.redraw

        with pytest.raises(ProblemError, match=r"Open.chance is True, which needs redraw\(self"):
            po.episode(Open(), "ordinal", compiled=False)

    def test_an_outcome_that_is_better_than_itself(self):
        class Always(Walk):
            def better(self, a, b):
                return 1 if a.score >= b.score else -1

        with pytest.raises(ProblemError, match=r"Always.better\(a, a\) is 1: it should be 0"):
            po.episode(Always(), "ordinal", compiled=False)

    @pytest.mark.parametrize("name", ["seed", "luck"])
    def test_a_seed_that_is_none(self, name):
        with pytest.raises(OptionError, match=f"{name}=-1"):
            po.episode(Walk(), **{name: -1})

    def test_a_file_that_cannot_be_written(self, tmp_path):
        with pytest.raises(DataError, match="no folder"):
            play(save=tmp_path / "no" / "episode.json")
