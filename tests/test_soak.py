"""The notes of long runs: what was tried is not tried again, whoever goes on."""

from __future__ import annotations

import argparse

import pytest

from bench.soak.case_notes import FAILED, CaseNotes, chance, part_in_turns, part_of
from bench.soak.damage import soak_damage
from bench.soak.writes import ALL, shares


def test_a_sweep_goes_on_where_it_was_ended(tmp_path):
    path = str(tmp_path / "notes")
    first = CaseNotes(path, "abc")
    cases = first.left(range(5))
    for _ in range(3):
        first.note(next(cases), "good", "SIGKILL")
    with open(path, "a") as file:
        file.write("good\t3")  # cut off by a kill
    second = CaseNotes(path, "abc")
    assert (second.last, second.all) == ("good SIGKILL", 5)
    assert list(second.left(range(5))) == [3, 4]
    assert second.words() == {"good": 3, "SIGKILL": 3}
    with pytest.raises(SystemExit, match="is of commit abc, and this is commit other"):
        CaseNotes(path, "other")


def test_without_time_it_is_paused(tmp_path):
    notes = CaseNotes(str(tmp_path / "notes"), "abc", until=0)
    assert list(notes.left(range(5))) == []
    notes.close()
    assert CaseNotes(str(tmp_path / "notes"), "abc").last == "paused"


@pytest.mark.parametrize("of_part", [part_of, lambda asked: part_in_turns(asked, 7)])
def test_parts_are_all_cases_once(of_part):
    parts = [of_part(argparse.Namespace(count=40, part=(part, 3))) for part in range(3)]
    assert sorted(number for part in parts for number in part) == list(range(40))
    assert chance(1, 7).random() == chance(1, 7).random() != chance(1, 8).random()


def test_every_operation_of_every_command_is_in_one_share():
    for parts in (1, 4, 22):
        found = [one for part in range(parts) for many in shares()[part::parts] for one in many]
        for command in ALL:
            slices = sorted(which for of, which, _ in found if of == command)
            assert slices == list(range(command.slices or 1))


@pytest.mark.long
def test_damaged_files_are_refused_or_mean_the_same():
    pytest.importorskip("torch")
    notes = CaseNotes("", "")
    soak_damage(argparse.Namespace(count=240, seed=2, part=(0, 1)), notes)
    assert len(notes.known) == 240
    assert notes.words()[FAILED] == 0
