"""Fronts of vectors: the examples of the alpha-mu paper, and what must hold of any."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.worlds.fronts import (
    NO_ROOM,
    all_worlds,
    combine,
    front_covers,
    insert,
    most_wins,
    unite,
    words_for,
)

ROOM = 40


def vector(text: str) -> np.ndarray:
    """A vector as the paper prints it, world 1 first."""
    return np.array([int(text[::-1], 2)], np.uint64)


def front(*texts: str) -> tuple[np.ndarray, int]:
    rows, count = np.zeros((ROOM, 1), np.uint64), 0
    for text in texts:
        count = insert(rows, count, vector(text))
    return rows, count


def shown(rows: np.ndarray, count: int, worlds: int = 3) -> set[str]:
    return {f"{int(row[0]):0{worlds}b}"[::-1] for row in rows[:count]}


def combined(one, other, both=True):
    out, spare = np.zeros((ROOM, 1), np.uint64), np.zeros(1, np.uint64)
    return out, combine(*one, *other, spare, out, both)


def test_a_candidate_enters_or_is_dropped():
    # section 3.2
    assert shown(*front("100", "011", "001")) == {"100", "011"}
    assert shown(*front("100", "011", "110")) == {"110", "011"}
    assert shown(*front("100", "100")) == {"100"}


def test_the_product_at_a_min_node():
    # figure 3
    b, c = front("011", "110"), front("110", "101", "100")
    assert shown(*c) == {"110", "101"}
    assert shown(*combined(b, c)) == {"001", "110"}


def test_non_locality():
    # figure 2: with the mean alone node d would back 011 up, and b would be lost in all worlds
    d, e = front("100", "011"), front("000", "100")
    assert shown(*e) == {"100"}
    assert shown(*combined(d, e)) == {"100"}
    assert shown(*combined(front("011"), e)) == {"000"}


def test_the_early_cut():
    # figure 4
    assert front_covers(*front("110", "011"), *front("110"))
    assert not front_covers(*front("110"), *front("110", "011"))


def test_a_full_front_says_so():
    rows = np.zeros((2, 1), np.uint64)
    count = insert(rows, insert(rows, 0, vector("100")), vector("010"))
    assert insert(rows, count, vector("001")) == NO_ROOM
    assert insert(rows, count, vector("110")) == 1  # what it dominates makes room


@pytest.mark.parametrize(("worlds", "words"), [(1, 1), (64, 1), (65, 2), (200, 4)])
def test_words(worlds, words):
    whole = all_worlds(worlds)
    assert words_for(worlds) == words == len(whole)
    assert most_wins(whole[None], 1) == worlds


fronts = st.lists(st.integers(0, 31), min_size=1, max_size=5)


@given(fronts, fronts)
def test_operations_are_those_of_sets_without_what_is_dominated(one, other):
    def best(values):
        return {v for v in values if not any(u != v and u & v == v for u in values)}

    def made(values):
        rows, count = np.zeros((ROOM, 1), np.uint64), 0
        for value in values:
            count = insert(rows, count, np.array([value], np.uint64))
        return rows, count

    def numbers(rows, count):
        return {int(row[0]) for row in rows[:count]}

    pairs = list(itertools.product(one, other))
    assert numbers(*combined(made(one), made(other))) == best({u & v for u, v in pairs})
    assert numbers(*combined(made(one), made(other), False)) == best({u | v for u, v in pairs})
    rows, count = made(one)
    assert numbers(rows, unite(rows, count, *made(other))) == best({*one, *other})
