"""auto: what one setting has found in the race, it finds alone with the same seed."""

from __future__ import annotations

import doctest
import time

import numpy as np
import pytest

import playout as po
import playout.run.auto
from bench.plain_problems.exams import Exams
from bench.plain_problems.fragments import Fragments
from playout.errors import OptionError, ProblemError
from playout.run.portfolio import UNIT_SECONDS, OneAlgorithmWarning, _Steps
from playout.run.race import EARLY, FIRST, SHARE
from tests.support.cli_shell import Shell
from tests.support.tiny_tree import TinyTree

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("problem", [PROBLEM, "maximum:n=9"])
def test_the_finder_alone_finds_the_same(problem, seed):
    raced = po.solve(problem, "auto", po.Playouts(300), seed=seed, compiled=False)
    alone = po.solve(
        problem, raced.found_by, po.Playouts(raced.found_at), seed=seed, compiled=False
    )
    assert (alone.score, alone.records) == (raced.score, raced.records)
    assert alone.curve[-1][1] == raced.found_at  # and not before


def test_more_than_one_setting_is_tried_and_can_find_it():
    found = {
        po.solve(PROBLEM, "auto", po.Playouts(120), seed=seed, compiled=False).found_by
        for seed in range(1, 13)
    }
    assert len(found) > 1


def test_the_example_of_its_docstring():
    failed, tried = doctest.testmod(playout.run.auto, optionflags=doctest.ELLIPSIS)
    assert (failed, tried) == (0, 3)


class Places(po.Problem):
    """A trip to all of six places: moves are places, whose codes do not tell where one is."""

    def __init__(self):
        self.state_type = po.record(seen=("i1", 6))
        self.move_type = "i8"
        self.max_moves = self.max_length = 6

    def moves(self, state, moves):
        n = 0
        for place in range(6):
            if state.seen[place] == 0:
                moves[n] = place
                n += 1
        return n

    def play(self, state, move):
        state.seen[move] = 1

    def score(self, state):
        return 0.0


class NamedPlaces(Places):
    def code(self, state, move):
        return move


class Hours(Places):
    """Six hours for six lessons, which are taken one after the other: moves are hours."""

    def moves(self, state, moves):
        for hour in range(6):
            moves[hour] = hour
        return 0 if state.seen.sum() == 6 else 6

    def play(self, state, move):
        state.seen[state.seen.sum()] = 1


BEFORE = po.GNRPA(level=4, alpha=0.3, history=1)
NUMBERED = po.GNRPA(level=4, alpha=0.3, numbered=True)


@pytest.mark.parametrize(
    ("problem", "more"),
    [
        (Places(), [BEFORE, NUMBERED]),
        (Fragments(), [BEFORE, NUMBERED]),
        (Hours(), [NUMBERED, BEFORE]),
        (NamedPlaces(), []),  # a code of one's own says what is needed
        (Exams(), []),
    ],
)
def test_codes_tell_more_where_a_move_does_not_say_its_place(problem, more):
    settings = po.algorithms.Auto().settings(problem)
    assert [one for one in settings if one in (BEFORE, NUMBERED)] == more
    place = settings.index(po.GNRPA(level=4, alpha=0.3)) - len(
        more
    )  # before slow learning as it is
    assert settings[place : place + len(more)] == more


def test_rules_that_fail_are_told_by_the_search():
    class Crowded(Hours):
        def __init__(self):
            super().__init__()
            self.max_moves = 2

    with pytest.raises(ProblemError, match="more than max_moves = 2 moves"):
        po.solve(Crowded(), "auto", "20 playouts", seed=1, compiled=False)


class TestTheDefault:
    """Where nothing is named it is auto, and GNRPA where its options or natural ends are asked."""

    def test_of_solve(self):
        assert po.solve(PROBLEM, stop="20 playouts", compiled=False).algorithm == "auto"
        result = po.solve(PROBLEM, stop=po.Runs(1) | po.Playouts(20), compiled=False)
        assert result.algorithm == "gnrpa"

    @pytest.mark.parametrize("name", ["auto", "random"])
    def test_what_has_no_end_is_not_asked_for_it(self, name):
        with pytest.raises(OptionError, match=f"{name} comes to no natural end"):
            po.solve(PROBLEM, name, po.Runs(1), compiled=False)

    @pytest.mark.parametrize(
        ("words", "name"),
        [([], "auto"), (["-o", "tau=1.4"], "gnrpa"), (["-a", "nmcs"], "nmcs")],
    )
    def test_of_the_command_line(self, tmp_path, words, name):
        found = Shell(tmp_path).json(
            "solve", "maximum", "-p", "n=9", "--playouts", 20, "--interpreted", *words
        )
        assert found["algorithm"] == name


def test_a_portfolio_of_which_one_can_search_says_so(monkeypatch):
    def refuse(self, problem, seed):
        raise OptionError("this one cannot")

    for one in (po.GNRPA, po.LAHC):
        monkeypatch.setattr(one, "start", refuse)
    with pytest.warns(OneAlgorithmWarning, match="nmcs alone can search TinyTree.*this one cannot"):
        result = po.solve(PROBLEM, "auto", "50 playouts", seed=1, compiled=False)
    assert (result.playouts, result.verified) == (50, True)
    monkeypatch.setattr(po.NMCS, "start", refuse)
    with pytest.warns(OneAlgorithmWarning, match="random alone"):
        result = po.solve(PROBLEM, "auto", "50 playouts", seed=1, compiled=False)
    assert (result.playouts, result.found_by) == (50, "random")


make_steps = _Steps.__init__


def as_if_compiled(self, *given):
    """Members in plain Python that are waited for as compiled ones are."""
    make_steps(self, *given)
    self._compiled = True


def test_the_clock_begins_when_the_first_guess_is_compiled(monkeypatch):
    """A short run is not one of the stand-in alone; what is found before is kept."""
    compile_one = _Steps._compile_one

    def slowly(self, number):
        time.sleep(1.5 if number == 1 else 0.0)
        return compile_one(self, number)

    monkeypatch.setattr(_Steps, "_compile_one", slowly)
    monkeypatch.setattr(_Steps, "__init__", as_if_compiled)
    run, ran, seen = _Steps._run, set(), []

    def noted(self, number, size):
        ran.add(number)
        return run(self, number, size)

    class HasRun(po.Stop):
        def reached(self, progress):
            return 1 in ran

    monkeypatch.setattr(_Steps, "_run", noted)
    stop = po.Seconds(60) | HasRun()
    began = time.perf_counter()
    result = po.solve(PROBLEM, "auto", stop, seed=1, compiled=False, progress=seen.append)
    assert result.seconds < 60
    assert result.seconds + 1.4 < time.perf_counter() - began  # what was compiled is not counted
    assert result.compiling > 1.4
    assert any(progress.seconds == 0 and progress.playouts > 0 for progress in seen)
    assert {0, 1} <= ran


@pytest.mark.parametrize(
    ("stop", "early"),
    [
        (po.Seconds(1) | po.Playouts(40), SHARE * FIRST * 40),  # by playouts, whose unit is one
        (po.Seconds(0.2), SHARE * FIRST * 0.2 / UNIT_SECONDS),
        (po.Seconds(60) | po.Target(40), 1.0),
        (po.Target(40), EARLY),
    ],
)
def test_first_turns_fit_the_budget(monkeypatch, stop, early):
    begun, start = [], po.algorithms.Auto.start
    monkeypatch.setattr(
        po.algorithms.Auto,
        "start",
        lambda *given: begun.append(start(*given)) or begun[-1],
    )
    po.solve(PROBLEM, "auto", stop, seed=1, compiled=False)
    assert begun[0].control[0].early == pytest.approx(early, rel=0.01)


def test_the_result_says_what_to_add_for_the_winner_alone(tmp_path):
    words = ("solve", "maximum", "-p", "n=9", "--playouts", 200, "--interpreted")
    shell = Shell(tmp_path)
    raced = shell(*words, "--seed", 1).stdout
    (alone,) = [line for line in raced.splitlines() if line.startswith("alone ")]
    more = alone.split()[1:]
    assert more[0] == "-a"
    again = shell(*words[:4], "--interpreted", *more).stdout
    score = [line for line in raced.splitlines() if line.startswith("score ")]
    assert score == [line for line in again.splitlines() if line.startswith("score ")]


def test_alone_it_begins_with_the_same_solution(tmp_path):
    words = ("solve", "maximum", "-p", "n=9", "--interpreted", "--start-from", "given.json")
    shell = Shell(tmp_path)
    given = po.solve("maximum:n=9", "random", po.Playouts(1), seed=7, compiled=False)
    given.save(tmp_path / "given.json")
    raced = shell(*words, "--playouts", 200, "--seed", 1).stdout
    (alone,) = [line for line in raced.splitlines() if line.startswith("alone ")]
    more, same = alone.removeprefix("alone").split(", ")
    assert same == "begun with the same solution"
    again = shell(*words, *more.split()).stdout
    score = [line for line in raced.splitlines() if line.startswith("score ")]
    assert score == [line for line in again.splitlines() if line.startswith("score ")]


def test_plain_python_is_not_compiled():
    result = po.solve(PROBLEM, "auto", po.Seconds(0.1), seed=1, compiled=False)
    assert result.compiling == 0.0
    assert "compiling" not in str(result)
