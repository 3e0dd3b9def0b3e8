"""Every record is replayed by the rules; a file that is wrong is found out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.records.__main__ import keep
from bench.records.record_files import Record, read_record
from bench.records.sets import SETS, RecordSet
from playout.errors import DataError, ProblemError
from playout.problems import SameGame
from tests.support.datafolder import needs_data

BOARD = SameGame([[0, 0, 1], [0, 0, 1]])
# four tiles and two, and the board is cleared
SMALL = Record("samegame", "99", 1004, "gnrpa:level=4,N=50", 7, 10, ("0,0", "0,0"))


@needs_data("samegame/boards.txt")
@pytest.mark.parametrize("name", SETS)
def test_every_record_is_replayed(name):
    one = SETS[name]
    problems = dict(one.problems())
    files = sorted(one.folder.glob("*"))
    for file in files:
        record = read_record(file)
        assert (record.set_name, record.instance) == (name, file.stem)
        assert record.replay(problems[file.stem]) == record.score
    if name == "samegame":
        assert len(files) == len(problems) == 20


def test_a_record_by_hand(tmp_path):
    assert SMALL.replay(BOARD) == 1004
    file = tmp_path / "99.txt"
    SMALL.write(file)
    assert read_record(file) == SMALL


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"score": 1005}, DataError, "the file says 1005, the rules 1004"),
        ({"moves": ("0,0",)}, ProblemError, "the game is not over"),
        ({"moves": ("0,0", "5,0")}, ProblemError, "5,0"),
    ],
)
def test_a_record_that_is_wrong(wrong, error, message):
    with pytest.raises(error, match=message):
        replace(SMALL, **wrong).replay(BOARD)


def test_a_file_without_its_head(tmp_path):
    file = tmp_path / "99.txt"
    file.write_text("0,0\n0,0\n")
    with pytest.raises(DataError, match="should begin with three lines"):
        read_record(file)


def test_the_better_one_is_kept_and_time_adds_up(tmp_path, monkeypatch):
    one = SETS["samegame"]
    monkeypatch.setattr(RecordSet, "folder", tmp_path)
    assert keep(one, SMALL) == "the first"
    assert keep(one, replace(SMALL, score=900, seed=8)) == "1004 before"
    assert read_record(tmp_path / "99.txt") == replace(SMALL, core_seconds=20)
    keep(one, replace(SMALL, score=1100, seed=9))
    assert read_record(tmp_path / "99.txt") == replace(SMALL, score=1100, seed=9, core_seconds=30)
