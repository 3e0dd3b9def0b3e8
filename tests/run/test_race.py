"""The race between ways to search: who goes on, who leads, who is out."""

from __future__ import annotations

import numpy as np
import pytest

from playout.run.race import LATEST, PATIENCE, SHARE, Race


def run(curves, whole, chunk=1.0, ready=None, stand_in=False):
    """The end of a race in which runner i has the score curves[i](effort)."""
    race = Race(len(curves), 1.0)
    if not stand_in:
        race.do_without_stand_in()
    ready = np.ones(len(curves), bool) if ready is None else ready
    while race.runners["effort"].sum() < whole:
        number, until = race.turn(whole, ready)
        effort = min(until, float(race.runners[number].effort) + chunk)
        found = [(curves[number](step), -step) for step in range(1, int(effort) + 1)]
        best, at = max(found, default=(-np.inf, 0))
        race.ran(number, effort, best, float(-at))
    return race


def rising(speed):
    return lambda effort: speed * effort


def flat(score):
    return lambda effort: score


def test_a_right_first_guess_keeps_nine_tenths():
    race = run([flat(0), rising(2), *[rising(1)] * 5], 2000)
    assert race.control[0].leader == 1
    assert race.runners["effort"][1] >= (1 - SHARE) * 2000 - 10
    assert (race.runners["marks"][2:] > PATIENCE).all()  # let in again and again


def test_who_starts_slowly_and_was_behind_at_first_is_tried_again():
    def slow(effort):
        return effort**2 / 50

    race = run([flat(0), rising(1), slow, *[rising(0.9)] * 3], 8000)
    assert race.control[0].leader == 2
    assert race.runners["effort"][2] > 4000


def test_the_time_of_the_stand_in_is_nobodys_share():
    ready = np.array([True, False, False, False])
    race = run([flat(50), rising(1), rising(0.5), rising(2)], 500, ready=ready, stand_in=True)
    assert race.runners["effort"].tolist() == [500, 0, 0, 0]
    ready[:] = True
    for _ in range(40):
        number, until = race.turn(0.0, ready)
        race.ran(number, until, [50, 1, 0.5, 2][number] * until, until)
    assert race.runners[0].effort == 500  # it is gone, though it was better for a while
    assert race.control[0].leader == 3


def test_a_better_one_takes_the_lead_at_once():
    race = run([flat(0), rising(1), rising(1), rising(5)], 2000)
    assert race.control[0].leader == 3
    assert race.runners["effort"][3] > 1500


def test_a_late_bloomer_is_seen_when_the_leader_finds_nothing():
    def late(effort):
        return 10 + (effort if effort > 200 else 0)

    race = run([flat(0), flat(10), late], 4000)
    assert race.control[0].leader == 2
    assert race.runners["effort"][2] > 2000


def test_near_the_end_only_the_leader_goes_on():
    race = run([flat(0), rising(1), rising(1)], 1000)
    before = race.runners["effort"].copy()
    race = run([flat(0), rising(1), rising(1)], round(1000 * LATEST))
    assert (before[2] - race.runners["effort"][2]) <= 1000 * SHARE
    assert before[1] > before[2]


def test_only_those_that_are_ready_run():
    ready = np.array([True, False, True])
    race = run([flat(3), rising(9), rising(1)], 100, ready=ready, stand_in=True)
    assert race.runners["effort"][1] == 0
    assert race.control[0].leader == 2
    assert race.runners["effort"][2] > 60


@pytest.mark.parametrize("chunk", [0.25, 3.0])
def test_turns_in_pieces_are_the_same_race(chunk):
    curves = [flat(0), rising(1), lambda effort: 1.5 * effort**0.9, flat(40), rising(0.9)]
    whole, other = run(curves, 512, 1e9), run(curves, 512, chunk)
    assert np.array_equal(whole.runners, other.runners)
    assert np.array_equal(whole.marks, other.marks)


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [("control", "leader", 9), ("control", "unit", np.nan), ("runners", "marks", -1)],
)
def test_arrays_that_cannot_be_a_race(array, field, value):
    race = run([flat(0), rising(1), rising(2)], 50)
    race.check()
    getattr(race, array)[field] = value
    with pytest.raises(ValueError, match=r"out of range|unit"):
        race.check()
