"""The race between ways to search: who goes on, who leads, who is out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from playout.run.race import (
    CATCHING_UP,
    FIRST,
    FURTHER_SHARE,
    NEAR,
    SHARE,
    STALLED_CATCHING_UP,
    Race,
)


def run(curves, whole, chunk=1e9, ready=None, known=False):
    """The end of a race in which runner i has the score curves[i](effort)."""
    race = Race(len(curves), 1.0)
    if known:
        race.expect(whole)
    ready = np.ones(len(curves), bool) if ready is None else ready
    while race.runners["effort"].sum() < whole:
        number, until = race.turn(ready)
        had, left = float(race.runners[number].effort), whole - race.runners["effort"].sum()
        effort = min(until, had + chunk, had + left)
        found = [(curves[number](step), -step) for step in range(1, int(effort) + 1)]
        best, at = max(found, default=(-np.inf, 0))
        race.ran(number, effort, best, float(-at))
        race.check()  # a checkpoint may be read at any time
    return race


def leader(race):
    return int(np.argmin(race.runners["rank"]))


def rising(speed):
    return lambda effort: speed * effort


def flat(score):
    return lambda effort: score


def test_shares_are_by_rank():
    race = run([flat(0), *(rising(speed) for speed in (9, 6, 4, 3))], 100_000)
    assert race.runners["rank"].tolist() == [4, 0, 1, 2, 3]
    effort = race.runners["effort"][1:]
    assert effort[0] > 0.93 * effort.sum()
    wanted = [SHARE, FURTHER_SHARE, FURTHER_SHARE]
    for (more, less), share in zip(pairwise(effort), wanted, strict=True):
        # turns are long: a doubling at most, which the one is owed and the other has had
        assert share / 2 <= less / more <= share * 2


def test_while_the_leader_finds_nothing_each_has_half_of_the_one_before():
    race = run([flat(0), *(flat(score) for score in (9, 6, 4, 3))], 100_000)
    effort = race.runners["effort"][1:]
    for more, less in pairwise(effort):
        assert 1 / 4 <= less / more <= 1


def test_what_is_owed_is_what_the_front_runner_ran():
    """After each turn: shares of it to the others, and who had a turn has paid for it."""
    race = Race(4, 1.0)
    ready = np.ones(4, bool)
    turns = []
    for _ in range(60):
        number, until = race.turn(ready)
        turns.append((number, until - float(race.runners[number].effort)))
        race.ran(number, until, [0, 9, 6, 4][number] * until, until)
    race.turn(ready)
    front = sum(length for number, length in turns if number == 1)
    for number, share in ((2, SHARE), (3, SHARE * FURTHER_SHARE)):
        had = sum(length for who, length in turns if who == number)
        assert race.runners[number].owed == pytest.approx(
            share * front - had, abs=1
        )  # ranks at the start


@pytest.mark.parametrize("whole", [200, 600, 6000])
def test_first_turns_are_early_in_a_short_race(whole):
    race = run([flat(0), *(rising(speed) for speed in (9, 6, 4, 3))], whole, known=True)
    assert (race.runners["effort"][2:4] > 0).all()
    soon = run([flat(0), *(rising(speed) for speed in (9, 6, 4, 3))], FIRST * whole / 4, known=True)
    assert soon.runners["effort"][2:].sum() <= 0.02 * whole


@pytest.mark.parametrize("whole", [100, 1000, 10_000, 100_000])
def test_others_cost_little_while_the_first_guess_is_the_best(whole):
    """At any time: where it goes on finding more, others have less than a tenth."""
    race = run([flat(0), *(rising(speed) for speed in (9, 8, 7, 6, 5, 4, 3))], whole, known=True)
    effort = race.runners["effort"]
    assert effort[2:].sum() < 0.1 * effort.sum()


def test_a_better_starter_that_is_far_behind_catches_up_and_leads():
    """Ahead at equal effort, and the front runner goes on until it has a part of its effort."""
    race = Race(3, 1.0)

    def spend(number, speed, efforts):
        for effort in map(float, efforts):
            race.ran(number, effort, speed * effort, effort)
        race.control[0].turn, race.control[0].until = number, race.runners[number].effort
        race.turn(np.ones(3, bool))

    spend(1, 1.0, range(1, 101))
    spend(2, 1.2, range(1, 10))
    assert race.runners["rank"][2] == 0
    assert race.control[0].front == 1
    assert race.runners[2].share == CATCHING_UP
    spend(2, 1.2, range(10, int(NEAR * 100) + 1))
    assert race.control[0].front == 2


def test_a_better_starter_catches_up_faster_while_the_leader_finds_nothing():
    race = Race(3, 1.0)
    for effort, found in ((1, 1), (20, 20), (200, 20)):  # nothing since an effort of 20
        race.ran(1, float(effort), float(found), float(found))
    race.ran(2, 1.0, 5.0, 1.0)  # better when the first had spent as little
    race.control[0].turn, race.control[0].until = 1, 200.0
    race.turn(np.ones(3, bool))
    assert race.control[0].front == 1
    assert race.runners[2].share == STALLED_CATCHING_UP
    race.check()


def test_the_first_guess_leads_among_equals():
    race = run([flat(0), *[rising(1)] * 4], 3000)
    assert leader(race) == 1
    assert race.runners["effort"][1] > 0.8 * 3000


def test_who_starts_slowly_takes_the_lead_in_the_end():
    def slow(effort):
        return effort**2 / 50

    race = run([flat(0), rising(1), slow, *[rising(0.9)] * 3], 60_000)
    assert leader(race) == 2
    assert race.runners["effort"][2] > 5000


def test_everybody_has_a_first_turn():
    race = run([flat(0), *(rising(speed) for speed in (9, 8, 7, 6, 5, 4, 3))], 600)
    assert (race.runners["effort"][1:] > 0).all()
    assert race.runners["effort"][1] > 0.9 * 600


def test_nobody_is_ever_out():
    race = run([flat(0), rising(1), *[flat(-9)] * 3], 1000)
    later = run([flat(0), rising(1), *[flat(-9)] * 3], 8000)
    assert (later.runners["effort"][1:3] > 5 * race.runners["effort"][1:3]).all()


def test_who_stands_in_has_no_share():
    ready = np.array([True, False, False, False])
    race = run([flat(50), rising(1), rising(0.5), rising(2)], 500, ready=ready)
    assert race.runners["effort"].tolist()[1:] == [0, 0, 0]
    ready[:] = True
    stood_in = float(race.runners[0].effort)
    assert race.turn(ready) == (1, 1.0)
    for _ in range(90):
        number, until = race.turn(ready)
        race.ran(number, until, [50, 1, 0.5, 2][number] * until, until)
    assert race.runners[0].effort == stood_in  # it is gone, though it was better for a while
    assert race.runners["effort"][1:].argmax() == 2  # the fourth runner
    assert (race.runners["effort"] > 0).all()


def test_a_better_one_takes_the_lead_at_once():
    race = run([flat(0), rising(1), rising(1), rising(5)], 2000)
    assert leader(race) == 3
    assert race.runners["effort"][3] > 1500


def test_a_lead_is_lost_again_at_no_more_than_it_had_cost():
    def early(effort):
        return min(20 * effort, 100)  # ahead of the first guess up to an effort of 100

    race = run([flat(0), rising(1), early], 2000)
    assert leader(race) == 1
    assert race.runners["effort"][2] < 2 * 128 + SHARE * 2000


def test_a_late_bloomer_is_seen_when_the_leader_finds_nothing():
    def late(effort):
        return 10 + (effort if effort > 200 else 0)

    race = run([flat(0), flat(10), late], 4000)
    assert leader(race) == 2
    assert race.runners["effort"][2] > 2000


def test_only_those_that_are_ready_run():
    ready = np.array([True, False, True])
    race = run([flat(3), rising(9), rising(1)], 100, ready=ready)
    assert race.runners["effort"].tolist()[:2] == [0, 0]


@pytest.mark.parametrize("chunk", [0.25, 3.0])
def test_turns_in_pieces_are_the_same_race(chunk):
    curves = [flat(0), rising(1), lambda effort: 1.5 * effort**0.9, flat(40), rising(0.9)]
    whole, other = run(curves, 512, 1e9), run(curves, 512, chunk)
    assert np.array_equal(whole.runners, other.runners)
    assert np.array_equal(whole.marks, other.marks)


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [
        ("control", "turn", 9),
        ("control", "unit", np.nan),
        ("runners", "marks", -1),
        ("runners", "rank", 1),
        ("runners", "share", 3.0),
        ("runners", "owed", np.inf),
        ("control", "front", 3),
        ("control", "early", np.nan),
    ],
)
def test_arrays_that_cannot_be_a_race(array, field, value):
    race = run([flat(0), rising(1), rising(2)], 50)
    race.check()
    getattr(race, array)[field] = value
    with pytest.raises(ValueError, match=r"out of range|unit|ranks|owed"):
        race.check()
