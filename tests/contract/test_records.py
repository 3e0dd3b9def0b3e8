"""Records whose fields have the names of NumPy's own attributes: the user's field wins."""

from __future__ import annotations

import copy
import io
import keyword
import pickle

import numpy as np
import pytest

import playout as po
from playout.compiled import kernel
from playout.compiled.records import (
    Record,
    bytes_of,
    copy_of,
    copy_record,
    hash_record,
    same_record,
)
from playout.errors import ProblemError

NUMPY_NAMES = [
    name
    for name in dir(np.record)
    if not name.startswith("_") and name not in ("data", "dtype", "view")
]


class Packing(po.Problem):
    """Take or leave each item; a weight as near to a limit as may be."""

    fields = ("weight", "limit")

    def __init__(self) -> None:
        self.weight = np.array([3.0, 4.0, 5.0, 6.0, 2.0])
        self.limit = 11.5
        self.state_type = po.record(item="i4", take=("i1", 5), base="f8", size="i8", max="f4")
        self.move_type = po.record(item="i8", take="i8", copy="i2", tobytes="i2")
        self.max_moves, self.max_length = 2, 5

    def reset(self, state):
        state.size = 5
        state.max = self.limit

    def moves(self, state, moves):
        if state.item >= 5:
            return 0
        for take in range(2):
            moves[take].item = state.item
            moves[take].take = take
            moves[take].copy = moves[take].tobytes = 0
        return 2

    def play(self, state, move):
        state.take[move.item] = move.take
        state.item += 1
        if move.take:
            state.base += self.weight[move.item]
            state.size -= 1

    def score(self, state):
        return -abs(state.max - state.base) - 0.01 * state.size


def test_a_problem_with_these_names_is_checked():
    report = po.check_problem(Packing())
    assert report.passed, str(report)
    assert report.compiled


@pytest.mark.long
@pytest.mark.parametrize("algorithm", [po.NMCS(level=1), po.GNRPA(level=1)])
def test_it_is_solved_alike_compiled_and_interpreted(algorithm):
    results = [
        po.solve(Packing(), algorithm, po.Playouts(60), seed=3, compiled=compiled)
        for compiled in (True, False)
    ]
    assert results[0].score == results[1].score
    assert results[0].records == results[1].records
    assert results[0].verified


@pytest.mark.long
def test_it_goes_on_from_a_checkpoint(tmp_path):
    path = tmp_path / "run.npz"
    for playouts in (20, 60):
        stop = po.Playouts(playouts)
        result = po.solve(Packing(), po.NRPA(level=2, N=10), stop, seed=3, checkpoint=path)
    whole = po.solve(Packing(), po.NRPA(level=2, N=10), stop, seed=3)
    assert (result.score, result.records) == (whole.score, whole.records)


@kernel
def _swap_ends(items):
    items[0].size, items[1].size = items[1].size, items[0].size
    items[1].inner.take[2] = items[0].base
    items[0].base = 3
    return items[0].max + items[1].item


def test_fields_in_arrays_and_nested_records():
    inner = po.record(take=("i4", 3), max="f8")
    kind = po.record(item="i8", base="i8", size="i8", max="i8", inner=inner, many=(inner, 2))
    for run in (_swap_ends, _swap_ends.py_func):
        items = np.zeros(2, kind)
        first, second = items[0], items[1]
        first.size, second.size, first.base, first.max, second.item = 1, 2, 7, 30, 4
        first.many[1].max = 2.5
        assert run(items) == 34
        assert (first.size, second.size, first.base) == (2, 1, 3)
        assert second.inner.take.tolist() == [0, 0, 7]
        assert items["many"]["max"].tolist() == [[0, 2.5], [0, 0]]
        assert isinstance(first.inner, Record)
        assert type(first.inner) is type(first.many[1])


def _mark(items, mask):
    first = items[0]
    first.grid[1, 2] = True
    first.grid[2] = mask
    first.row[:] = mask
    first.row[0] ^= True
    first.row[1] |= first.grid[1, 2]
    first.row[2] = not first.row[2]
    first.flag = first.row[3] and first.grid[2, 3]
    first.n = first.row.sum() + 10 * np.count_nonzero(first.grid)
    for r in range(3):
        if first.grid[r].any():
            first.n += 100
    first.row[:] &= mask
    copy_record(first, items[1])
    return hash_record(first)


def test_boolean_fields_and_arrays_of_them():
    kind = po.record(grid=("?", (3, 4)), flag=np.bool_, row=("?", 4), n="i8")
    mask = np.array([True, False, True, True])
    plain, compiled = np.zeros(2, kind), np.zeros(2, kind)
    assert _mark(plain, mask) == kernel(_mark)(compiled, mask)
    assert plain.tobytes() == compiled.tobytes()
    assert compiled[1].grid.tolist() == [[False] * 4, [False, False, True, False], mask.tolist()]
    assert compiled[1].row.tolist() == [False, False, False, True]
    assert (compiled[1].flag, compiled[1].n) == (True, 2 + 40 + 200)


def test_every_name_of_numpys_records():
    kind = po.record(**dict.fromkeys(NUMPY_NAMES, "i8"))
    items = np.zeros(1, kind)
    for i, name in enumerate(NUMPY_NAMES):
        setattr(items[0], name, i)
    item, expected = items[0], list(range(len(NUMPY_NAMES)))
    loaded = io.BytesIO()
    np.save(loaded, items)
    loaded.seek(0)
    copies = [item, copy_of(item), copy.deepcopy(item), pickle.loads(pickle.dumps(item))]
    arrays = [pickle.loads(pickle.dumps(items)), items.copy(), np.concatenate([items, items])[1:]]
    arrays.append(np.load(loaded).view(kind))
    for other in copies + [array[0] for array in arrays]:
        assert [getattr(other, name) for name in NUMPY_NAMES] == expected
        assert same_record(item, other)
        assert bytes_of(item) == bytes_of(other)
    assert str(item) == str(tuple(expected))


def test_a_wrong_name_is_an_error():
    item = np.zeros(1, po.record(size="i8"))[0]
    with pytest.raises(AttributeError, match="sizes"):
        _ = item.sizes
    with pytest.raises(AttributeError, match="sizes"):
        item.sizes = 3


@pytest.mark.parametrize("name", ["data", "dtype", "view", "__len__", *keyword.kwlist[:4]])
def test_names_that_cannot_work_are_refused(name):
    with pytest.raises(ProblemError, match=f"field named '{name}'"):
        po.record(**{name: "i8"})


@pytest.mark.parametrize("kind", ["i3", ("i1", 3, 3), (), ("i1", "wide"), {"a": 1}])
def test_a_type_that_is_none_is_told_with_its_field(kind):
    with pytest.raises(po.ProblemError, match=r"a record has a field 'grid' of type .*i1"):
        po.record(total="f8", grid=kind)
