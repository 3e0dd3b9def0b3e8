"""Store, papers and matches as the lab's pages read them."""

from __future__ import annotations

import json

import pytest

import playout as po
from playout.errors import PlayoutError
from playout.lab.asked import check_task
from playout.lab.reading import Reading
from playout.lab.shelf import Shelf
from playout.lab.study_worker import _plan
from tests.support.match_files import play

pytest.importorskip("starlette")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("reading") / "results.sqlite"
    po.compare("maximum:n=9", ["random", "nmcs:level=1"], "40 playouts", runs=3, store=path)
    return path


@pytest.mark.long
def test_the_experiments_of_a_store(store):
    reading = Reading(store, [])
    (found,) = reading.store()["experiments"]
    assert found["runs"] == 6
    assert found["page"] == f"/store/{found['name']}"
    report = reading.report_json(found["name"])
    assert report["tables"][0]["columns"] == ("random", "nmcs:level=1")
    assert json.dumps(report)
    title, header, main = reading.report_html(found["name"])
    assert "Comparison on" in title
    assert "<table" in main
    assert "style=" not in header + main  # the policy of the pages forbids it
    runs = reading.runs(found["name"])["runs"]
    assert len(runs) == 6
    assert all(run["curve"][-1][2] == run["score"] for run in runs)
    assert reading.report(found["name"]) is reading.report(found["name"])  # kept
    with pytest.raises(PlayoutError, match="no experiment"):
        reading.report("../../etc/passwd")


def test_papers_that_were_never_run(tmp_path):
    papers = Reading(tmp_path / "no.sqlite", []).papers()
    assert {paper["name"] for paper in papers} >= {"snrpa", "gnrpa"}
    assert all(paper["done"] is None and not paper["page"] for paper in papers)


def test_the_matches_of_a_transcript(tmp_path):
    path = tmp_path / "match.jsonl"
    play(path, games=4)
    (tmp_path / "bad.jsonl").write_text("nothing\n")
    reading = Reading(None, [path, tmp_path / "bad.jsonl"])
    one, bad = reading.matches()["transcripts"]
    assert (one["game"], one["games"], one["error"]) == ("tictactoe", 4, "")
    assert bad["error"]
    match = reading.match(0)
    assert [game["game"] for game in match["list"]] == [0, 1, 2, 3]
    film, note = reading.game_film(0, 2)
    assert (len(film.steps), note) == (match["list"][2]["moves"] + 1, "")
    assert film.steps[0].points
    for number, game in ((0, 4), (0, -1), (2, 0), (-1, 0)):
        with pytest.raises(PlayoutError):
            reading.game_film(number, game)


def test_a_comparison_that_a_page_asks_for_is_that_of_the_command():
    asked = {"kind": "compare", "problem": "maximum", "problem_options": {"n": 9}, "runs": 2,
             "algorithms": [{"algorithm": "random"}, {"algorithm": "nmcs"}],
             "budget": {"playouts": 64}}  # fmt: skip
    plan = _plan(check_task(asked, Shelf()))
    assert len(plan.tasks()) == 4
    assert {task.budget for task in plan.tasks()} == {64}
    assert plan.experiment.name == "compare maximum default n=9"
