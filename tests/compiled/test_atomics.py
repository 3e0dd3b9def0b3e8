"""Atomics are exact between threads, and mean the same in plain Python."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from numba.core.errors import TypingError

from playout.compiled import kernel
from playout.compiled.atomics import compare_exchange, fetch_add, load, pause, store

ADDITIONS = 1_000_000


# Each addition is a ticket, noted in `seen`: a bare sum could be worked out before the loop.


@kernel
def add_many(array, index, seen, gate, threads):
    fetch_add(gate, 0, 1)
    while load(gate, 0) < threads:  # so that they run at the same time
        pause()
    for _ in range(len(seen) // threads):
        seen[fetch_add(array, index, 1)] += 1


@kernel
def add_many_by_exchange(array, index, seen, gate, threads):
    fetch_add(gate, 0, 1)
    while load(gate, 0) < threads:
        pause()
    for _ in range(len(seen) // threads):
        while True:
            before = load(array, index)
            if compare_exchange(array, index, before, before + 1):
                break
            pause()
        seen[before] += 1


@kernel
def each_once(array):
    before = fetch_add(array, 1, 5)
    failed = compare_exchange(array, 0, 99, 1)
    worked = compare_exchange(array, 0, 7, 8)
    store(array, 2, -3)
    return before, failed, worked, load(array, 2)


@kernel
def add_in_table(table, row, column):
    return fetch_add(table, (row, column), 10)


@kernel
def wait_for(flag, data):
    while load(flag, 0) == 0:
        pause()
    return data[0]


@kernel
def release(flag, data):
    data[0] = 42
    store(flag, 0, 1)


@kernel
def add_to_floats(array):
    return fetch_add(array, 0, 1)


@pytest.mark.parametrize("adder", [add_many, add_many_by_exchange])
def test_two_threads_lose_nothing(adder):
    array, seen = np.zeros(3, np.int64), np.zeros(2 * ADDITIONS, np.int8)
    adder(array.copy(), 1, seen[:0], np.zeros(1, np.int64), 1)  # compile before they start
    gate = np.zeros(1, np.int64)
    threads = [
        threading.Thread(target=adder, args=(array, 1, seen, gate, 2), daemon=True)
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    assert array.tolist() == [0, 2 * ADDITIONS, 0]
    assert seen.min() == seen.max() == 1


@pytest.mark.parametrize("run", [each_once, each_once.py_func], ids=["compiled", "plain"])
def test_each_operation_does_what_it_says(run):
    array = np.array([7, 10, 0], np.int64)
    assert run(array) == (10, False, True, -3)
    assert array.tolist() == [8, 15, -3]


@pytest.mark.parametrize("run", [add_in_table, add_in_table.py_func], ids=["compiled", "plain"])
def test_an_element_of_a_table_or_of_a_strided_view(run):
    table = np.arange(12, dtype=np.int64).reshape(3, 4)
    assert run(table, 1, 2) == 6
    assert run(table[:, ::2], 1, 1) == 16
    assert run(table, -1, -1) == 11
    assert table[1, 2] == 26
    assert table.sum() == 66 + 30


def test_a_waiting_thread_is_released_and_sees_the_data():
    flag, data = np.zeros(1, np.int64), np.zeros(1, np.int64)
    release(flag, data)
    assert wait_for(flag, data) == 42
    flag[0] = data[0] = 0
    seen = []
    thread = threading.Thread(target=lambda: seen.append(wait_for(flag, data)))
    thread.start()
    time.sleep(0.05)
    assert not seen
    release(flag, data)
    thread.join(600)
    assert seen == [42]


def test_an_array_of_another_type_is_refused():
    with pytest.raises(TypingError):
        add_to_floats(np.zeros(1))
