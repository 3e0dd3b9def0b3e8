"""Running: stop criteria, results on disk, objectives in plain Python, what goes wrong."""

from __future__ import annotations

import itertools
import json
import random
import signal
import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

import playout as po
from playout.algorithms.nested_policy import NestedPolicySearch
from playout.algorithms.random_search import RandomSearch
from playout.errors import DataError, OptionError, ProblemError
from playout.run.checkpoint import CheckpointError, CheckpointWarning
from playout.run.known_scores import CHECKS
from playout.stop import Progress
from tests.support.forms import long
from tests.support.tiny_tree import TinyTree

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)


class Evaluated(TinyTree):
    """The same tree, scored from outside by plain Python."""

    def evaluate(self, states):
        return [float(self.leaves[state.leaf]) for state in states]

    def score(self, state):
        raise NotImplementedError


def progress(**known):
    usual = dict(seconds=0.0, playouts=0, best=0.0, runs=0, improved_at=0, rate=0.0)
    return Progress(**(usual | known))


class TestStop:
    def test_each_criterion(self):
        assert po.Seconds(2).reached(progress(seconds=2.0))
        assert not po.Seconds(2).reached(progress(seconds=1.9))
        assert po.Playouts(5).reached(progress(playouts=5))
        assert not po.Playouts(5).reached(progress(playouts=4))
        assert po.Target(3).reached(progress(best=3.0))
        assert not po.Target(3).reached(progress(best=2.9))
        assert po.Stagnation(10).reached(progress(playouts=15, improved_at=5))
        assert not po.Stagnation(10).reached(progress(playouts=14, improved_at=5))
        assert po.Runs(2).reached(progress(runs=2))
        assert not po.Runs(2).reached(progress(runs=1))

    def test_any_of_several(self):
        stop = po.Seconds(9) | po.Playouts(5) | po.Target(3)
        assert len(stop.parts()) == 3
        assert stop.reached(progress(playouts=5))
        assert not stop.reached(progress(playouts=4, seconds=8))
        assert stop.playouts_left(progress(playouts=2)) == 3
        assert stop.seconds_left(progress(seconds=2)) == 7

    def test_stagnation_is_exact(self):
        result = po.solve(PROBLEM, po.Random(), po.Stagnation(77), seed=2)
        assert result.stopped_by == "stagnation"
        assert result.playouts == result.curve[-1][1] + 77

    def test_seconds_are_kept(self):
        start = time.perf_counter()
        po.solve(PROBLEM, po.Random(), po.Playouts(1), seed=1)  # compile
        result = po.solve(PROBLEM, po.Random(), po.Seconds(0.5), seed=1)
        assert result.stopped_by == "seconds"
        assert 0.5 <= result.seconds < 60
        assert time.perf_counter() - start >= 0.5

    @pytest.mark.parametrize(
        "make",
        [
            lambda: po.Seconds(0),
            lambda: po.Seconds(float("nan")),
            lambda: po.Seconds("9"),
            lambda: po.Playouts(0),
            lambda: po.Playouts(2.5),
            lambda: po.Playouts(True),
            lambda: po.Target(float("nan")),
            lambda: po.Stagnation(-1),
            lambda: po.Runs(0),
        ],
    )
    def test_nonsense_is_refused(self, make):
        with pytest.raises(OptionError):
            make()


class Infinite(TinyTree):
    """A tree whose good leaves are beyond all bounds, and whose others are below them."""

    def score(self, state):
        return np.inf if self.leaves[state.leaf] > 40 else -np.inf


class TestInfiniteScores:
    @pytest.mark.parametrize("compiled", [False, True])
    def test_the_budget_is_kept(self, compiled):
        problem = Infinite(PROBLEM.leaves, branches=3)
        result = po.solve(problem, po.Random(), po.Playouts(60), seed=1, compiled=compiled)
        assert (result.score, result.playouts) == (np.inf, 60)
        assert result.verified

    def test_nothing_but_the_worst(self):
        problem = Infinite(np.zeros(3**5), branches=3)
        result = po.solve(problem, po.NMCS(level=1), po.Playouts(9), seed=1, compiled=False)
        assert (result.score, result.verified) == (-np.inf, True)
        assert result.curve[-1][2] == -np.inf

    def test_a_target_that_is_infinite(self):
        problem = Infinite(PROBLEM.leaves, branches=3)
        stop = po.Playouts(60) | po.Target(np.inf)
        result = po.solve(problem, po.Random(), stop, seed=1, compiled=False)
        assert result.stopped_by == "target"


class TestResult:
    def test_saved_and_loaded_is_the_same(self, tmp_path):
        result = po.solve(PROBLEM, po.NRPA(level=1, N=20), po.Playouts(60), seed=1)
        result.save(tmp_path / "r.json")
        again = po.Result.load(tmp_path / "r.json")
        assert again == result
        assert again.final_state(PROBLEM).tobytes() == result.final_state(PROBLEM).tobytes()

    def test_no_infinity_in_json(self, tmp_path):
        problem = TinyTree([-np.inf, -np.inf])
        result = po.solve(problem, po.Random(), po.Playouts(3), seed=1)
        assert result.score == -np.inf
        result.save(tmp_path / "r.json")
        json.loads((tmp_path / "r.json").read_text(), parse_constant=pytest.fail)
        assert po.Result.load(tmp_path / "r.json") == result

    def test_print_and_plot(self, tmp_path):
        result = po.solve(PROBLEM, po.GNRPA(level=1, N=(20,)), po.Playouts(60), seed=1)
        text = str(result)
        assert "the replay agrees" in text
        assert "gnrpa level=1 N=20" in text
        assert "Result(" in repr(result)
        result.plot(tmp_path / "curve.png")
        assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
        with pytest.raises(DataError, match="no picture format"):
            result.plot(tmp_path / "curve.xyz")

    @pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"format": "other"}', b"[1]"])
    def test_foreign_files(self, content, tmp_path):
        (tmp_path / "r.json").write_bytes(content)
        with pytest.raises(DataError, match="not a result"):
            po.Result.load(tmp_path / "r.json")
        with pytest.raises(DataError, match="cannot read"):
            po.Result.load(tmp_path / "missing.json")


class TestEvaluate:
    @pytest.mark.parametrize("compiled", [True, False])
    @pytest.mark.parametrize(
        "algorithm",
        [
            po.Random(),
            long(po.NMCS(level=1)),
            long(po.GNRPA(level=2, N=6, P=3, beam=2)),
            long(po.UCT()),
        ],
    )
    def test_it_finds_what_the_compiled_score_finds(self, algorithm, compiled):
        problem = Evaluated(PROBLEM.leaves, branches=3)
        inside = po.solve(PROBLEM, algorithm, po.Playouts(150), seed=3)
        outside = po.solve(problem, algorithm, po.Playouts(150), seed=3, compiled=compiled)
        assert outside.verified
        assert (outside.score, outside.records) == (inside.score, inside.records)
        assert outside.playouts == 150

    @pytest.mark.parametrize(
        "algorithm", [po.NMCS(level=2), long(po.GNRPA(level=2, N=6, P=3, beam=2))]
    )
    def test_threads_share_out_a_batch(self, algorithm):
        """Every game is scored by two threads as by one, and nothing else changes."""
        seen = []

        class Noted(Evaluated):
            def evaluate(self, states):
                seen.append((threading.get_ident(), len(states)))
                # long enough for the other thread to begin, on a busy machine too
                time.sleep(0.05 if len({thread for thread, _ in seen}) == 1 else 0.0)
                return super().evaluate(states)

        problem = Noted(PROBLEM.leaves, branches=3)
        inside = po.solve(PROBLEM, algorithm, po.Playouts(200), seed=3)
        shared = po.solve(problem, algorithm, po.Playouts(200), seed=3, workers=2, parallel="leaf")
        assert (shared.score, shared.records) == (inside.score, inside.records)
        assert shared.playouts == 200
        replayed = 2  # once more by the replay, once by the verifier
        counted = shared.counters
        assert sum(count for _, count in seen) == counted["evaluations"] + replayed
        assert 0 <= counted["evaluations"] + counted["repeated"] - 200 <= CHECKS
        assert len({thread for thread, _ in seen}) >= 2

    @pytest.mark.long
    def test_an_error_in_a_thread_is_raised(self):
        problem = Evaluated(PROBLEM.leaves, branches=3)
        problem.evaluate = lambda states: [1.0] * (len(states) + 1)
        with pytest.raises(ProblemError, match="returned 2 scores"):
            po.solve(
                problem, po.GNRPA(level=1, P=4), po.Playouts(50), seed=1, workers=2, parallel="leaf"
            )

    def test_too_few_scores(self):
        problem = Evaluated(PROBLEM.leaves, branches=3)
        problem.evaluate = lambda states: []
        with pytest.raises(ProblemError, match="given 1 states and returned 0 scores"):
            po.solve(problem, po.Random(), po.Playouts(20), seed=1)


class TestInterrupt:
    def test_ctrl_c_in_the_middle_of_a_lesson(self, tmp_path, monkeypatch, request):
        """However often it is interrupted, a run comes to the result of an undisturbed one."""
        adapt, press = NestedPolicySearch._adapt, [0]

        def adapt_and_press(self, element):
            adapt(self, element)
            press[0] -= 1
            if press[0] == 0:  # adapted, and not yet noted that the lesson is over
                signal.raise_signal(signal.SIGINT)

        def run(after, **more):
            press[0] = after
            return po.solve(
                PROBLEM, po.NRPA(level=2, N=8), po.Playouts(300), seed=1, compiled=False, **more
            )

        monkeypatch.setattr(NestedPolicySearch, "_adapt", adapt_and_press)
        # a shell may have started pytest with Ctrl-C switched off
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
        whole = run(0)
        file = tmp_path / "checkpoint"
        for after in (31, 18, 53):
            result = run(after, checkpoint=file)
            assert result.stopped_by == "interrupt"
            assert result.verified
            assert result.playouts < 300
        result = run(0, checkpoint=file)
        assert result.stopped_by == "playouts"
        assert result.playouts == 300
        assert [result.records, result.curve[-1][1:]] == [whole.records, whole.curve[-1][1:]]


@dataclass(frozen=True, kw_only=True)
class Rough(po.Random):
    """An algorithm that knows nothing of its option."""

    def start(self, problem, seed):
        return RandomSearch(problem, seed)


class TestRefused:
    def test_a_search_that_does_not_polish(self):
        with pytest.raises(OptionError, match="random does not polish: its start"):
            po.solve(PROBLEM, Rough(polish=True), playouts=5, compiled=False)
        assert po.solve(PROBLEM, Rough(), playouts=5, compiled=False).playouts == 5

    def test_what_is_no_problem_algorithm_or_stop(self):
        with pytest.raises(ProblemError, match="TinyTree is no problem: give an instance"):
            po.solve(TinyTree)
        with pytest.raises(OptionError, match="no algorithm"):
            po.solve(PROBLEM, po.Seconds(1))
        with pytest.raises(OptionError, match="the class NRPA is no algorithm: give one such as"):
            po.solve(PROBLEM, po.NRPA)
        with pytest.raises(ProblemError, match="hex is a game, and this is for problems: use"):
            po.solve("hex")
        with pytest.raises(OptionError, match="there is no algorithm 'nrap'; did you mean nrpa"):
            po.solve(PROBLEM, "nrap")
        with pytest.raises(OptionError, match="no stop criterion"):
            po.solve(PROBLEM, po.Random(), po.Random())
        with pytest.raises(OptionError, match="'soon' is no stop criterion"):
            po.solve(PROBLEM, po.Random(), "soon")
        with pytest.raises(ProblemError, match="there is no problem 'samegam'; did you mean"):
            po.solve("samegam")
        with pytest.raises(OptionError, match="workers=0"):
            po.solve(PROBLEM, workers=0)
        with pytest.raises(OptionError, match="one of root, leaf"):
            po.solve(PROBLEM, parallel="tree")
        with pytest.raises(OptionError, match="seed=-1"):
            po.solve(PROBLEM, seed=-1)

    @pytest.mark.parametrize(
        "content", [b"", b"PK\x03\x04 nothing", random.Random(1).randbytes(300)]
    )
    def test_damaged_checkpoints(self, content, tmp_path):
        file = tmp_path / "checkpoint"
        file.write_bytes(content)
        with pytest.raises(CheckpointError, match="not a checkpoint"):
            po.solve(PROBLEM, po.Random(), po.Playouts(5), seed=1, checkpoint=file)
        assert file.read_bytes() == content

    def test_a_truncated_checkpoint(self, tmp_path):
        file = tmp_path / "checkpoint"
        po.solve(PROBLEM, po.Random(), po.Playouts(5), seed=1, checkpoint=file)
        file.write_bytes(file.read_bytes()[:-200])
        with pytest.raises(CheckpointError):
            po.solve(PROBLEM, po.Random(), po.Playouts(5), seed=1, checkpoint=file)

    def test_a_full_disk_costs_the_checkpoint_and_not_the_result(self, tmp_path, monkeypatch):
        def no_space(*_):
            raise DataError("cannot write checkpoint: No space left on device")

        monkeypatch.setattr("playout.run.checkpoint_writer.write_checkpoint", no_space)
        with pytest.warns(CheckpointWarning, match="No space left"):
            result = po.solve(
                PROBLEM, po.Random(), po.Playouts(50), seed=1, checkpoint=tmp_path / "c"
            )
        assert result.playouts == 50

    def test_a_problem_without_its_declarations(self):
        class Bare(po.Problem):
            pass

        with pytest.raises(ProblemError, match="Bare sets no state_type"):
            po.solve(Bare())


def test_the_curve_of_two_workers_is_the_same_from_run_to_run():
    """By playouts: it does not depend on which of them was ahead."""
    curves = []
    for _ in range(6):
        result = po.solve("maximum:n=31", "nmcs", "4000 playouts", seed=3, workers=2)
        assert result.curve[-1][2] == result.score
        assert [x for x, _, _ in result.curve] == sorted(x for x, _, _ in result.curve)
        assert all(a[1] <= b[1] and a[2] < b[2] for a, b in itertools.pairwise(result.curve))
        curves.append([point[1:] for point in result.curve])
    assert all(curve == curves[0] for curve in curves)
    assert 2 <= curves[0][-1][0] <= 4000
