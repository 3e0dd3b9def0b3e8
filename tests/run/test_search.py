"""`start`: a search that is looked at has the result of `solve`, and no view of it is torn."""

from __future__ import annotations

import json
import threading
import time

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.errors import OptionError, PlayoutError
from playout.problems import Maximum
from playout.run.events import event_line, telling
from playout.run.search import Search
from tests.support.tiny_tree import TinyTree


def same(a, b):
    """Whether two results are the same but for the clock."""
    fields = ("score", "moves", "records", "playouts", "verified", "stopped_by", "seed", "options")
    return all(getattr(a, name) == getattr(b, name) for name in fields) and [
        point[1:] for point in a.curve
    ] == [point[1:] for point in b.curve]


def test_it_has_the_result_of_solve():
    settings = dict(seed=7, compiled=False, workers=2)
    search = po.start(Maximum(15), po.NRPA(level=1), po.Playouts(300), **settings)
    while search.status != "finished":
        search.look()
    assert same(
        search.result(), po.solve(Maximum(15), po.NRPA(level=1), po.Playouts(300), **settings)
    )


@pytest.mark.parametrize(
    ("compiled", "wanted"), [(False, 60), pytest.param(True, 1000, marks=pytest.mark.long)]
)
def test_snapshots_of_four_workers_replay_to_their_own_score(compiled, wanted):
    problem, looks = Maximum(41 if compiled else 15), 0
    with po.start(problem, po.Random(), "60s", seed=3, workers=4, compiled=compiled) as search:
        while looks < wanted:
            seen = search.look()
            if seen.best is None:
                time.sleep(0.001)
                continue
            with wrapping():
                assert problem.final_score(problem.replay(seen.best.moves)) == seen.best.score
            assert [seen.best.seconds, seen.best.playouts, seen.best.score] == seen.curve[-1]
            assert seen.progress.best == seen.best.score
            assert seen.progress.playouts >= seen.best.playouts
            looks += 1
    result = search.result()
    assert result.stopped_by == "asked"
    assert result.verified


def test_a_look_has_what_is_new_of_the_curve():
    search = po.start(Maximum(21), po.Random(), po.Playouts(500), seed=1, compiled=False)
    result = search.result()
    assert search.look(2).curve == result.curve[2:]
    assert search.look(len(result.curve)).curve == []
    assert not search.look().best.moves.flags.writeable


class Waiting(Maximum):
    """A problem whose 150th and 300th score wait for what the test does then."""

    scores = 0
    waits = threading.Event()
    told = threading.Event()

    def score(self, state):
        Waiting.scores += 1
        if Waiting.scores in (150, 300):
            Waiting.waits.set()
            Waiting.told.wait(600)
            Waiting.told.clear()
        return super().score(state)


def test_stopped_with_a_checkpoint_it_goes_on_to_the_same_result(tmp_path):
    settings = dict(seed=5, compiled=False)
    what = po.NRPA(level=2, N=10), po.Playouts(400)
    whole = po.solve(Maximum(15), *what, **settings)
    best = -np.inf
    for _ in range(2):
        search = po.start(Waiting(15), *what, checkpoint=tmp_path / "run.ckpt", **settings)
        assert Waiting.waits.wait(600)
        Waiting.waits.clear()
        seen = search.look().best
        assert seen is not None
        assert seen.score >= best
        search.stop()
        Waiting.told.set()
        result = search.result()
        assert result.stopped_by == "asked"
        assert result.playouts < 400
        best = result.score
    result = po.solve(Waiting(15), *what, checkpoint=tmp_path / "run.ckpt", **settings)
    assert same(result, whole)


def test_what_is_wrong_with_the_arguments_is_told_at_once():
    with pytest.raises(OptionError, match="workers=0"):
        po.start(Maximum(9), workers=0)
    with pytest.raises(OptionError, match="no algorithm"):
        po.start(Maximum(9), 3)


class Failing(TinyTree):
    """A tree whose fortieth leaf has no score."""

    def score(self, state):
        if state.leaf > 40:
            raise ValueError("that leaf is rotten")
        return 0.0


def test_result_raises_what_the_search_raised():
    search = po.start(Failing(np.zeros(3**5), branches=3), po.Random(), "60s", compiled=False)
    with pytest.raises(PlayoutError, match="rotten"):
        search.result()
    assert search.status == "failed"
    assert search.look().status == "failed"


def test_result_waits_as_long_as_it_is_told():
    with po.start(Maximum(41), po.Random(), "60s", compiled=False) as search:
        with pytest.raises(TimeoutError):
            search.result(timeout=0.01)
        assert "compiling" in repr(search) or "running" in repr(search)


def test_a_search_that_is_stopped_before_its_first_playout_says_so():
    search = Search(Maximum(9), po.Random(), "60s", compiled=False)
    search.stop()
    search.start()
    with pytest.raises(PlayoutError, match="before its first playout"):
        search.result()


# events


def told(search, stop):
    lines = []
    with telling(search, stop, lambda event: lines.append(json.loads(event_line(event)))):
        result = search.run()
    return lines, result


def test_events_tell_every_improvement_once_and_the_moves():
    stop = po.Playouts(800)
    search = Search(Maximum(15), po.Random(), stop, seed=2, compiled=False)
    lines, result = told(search, stop)
    assert lines[0] == {"event": "compiling"}
    improved = [line for line in lines if line["event"] == "improved"]
    points = [point for line in improved for point in line["points"]]
    assert points == result.curve
    assert [line["from"] for line in improved] == [
        sum(len(line["points"]) for line in improved[:i]) for i in range(len(improved))
    ]
    assert improved[-1]["records"] == result.records
    last = lines[-1]
    assert (last["event"], last["playouts"], last["left"]) == ("progress", 800, 0.0)


def test_events_of_a_failure_are_one_line():
    stop, lines = po.Seconds(60), []
    search = Search(Failing(np.zeros(3**5), branches=3), po.Random(), stop, compiled=False)
    with pytest.raises(PlayoutError), telling(search, stop, lines.append):
        search.run()
    assert lines[-1]["event"] == "failed"
    assert "rotten" in lines[-1]["error"]
    assert "\n" not in lines[-1]["error"]


def test_json_has_no_infinity_so_it_is_written_as_text():
    event = {"best": -np.inf, "points": [(1.0, 2, np.float64(np.nan))], "n": np.int64(3)}
    assert json.loads(event_line(event)) == {"best": "-inf", "points": [[1.0, 2, "nan"]], "n": 3}


def test_between_its_first_and_last_event_nothing_is_called_on_the_searchs_thread():
    calls = []
    search = Search(Maximum(41), po.Random(), po.Seconds(0.6), seed=2, compiled=False)
    with telling(search, po.Seconds(0.6), lambda event: calls.append(threading.get_ident())):
        search.run()
        during = calls[1:]  # the first says that it begins
    assert during
    assert threading.get_ident() not in during
