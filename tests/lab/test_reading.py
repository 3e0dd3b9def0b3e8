"""Store, papers and matches as the lab's pages read them."""

from __future__ import annotations

import json
import re
import warnings

import pytest

import playout as po
from playout.errors import PlayoutError
from playout.lab.asked import check_task
from playout.lab.reading import Reading
from playout.lab.shelf import Shelf
from playout.lab.study_worker import _plan
from playout.lab.transcripts import Transcripts
from tests.support.match_files import play

pytest.importorskip("starlette")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("reading") / "results.sqlite"
    po.compare("maximum:n=9", ["random", "nmcs:level=1"], "40 playouts", runs=3, store=path)
    return path


@pytest.mark.long
def test_the_experiments_of_a_store(store):
    reading = Reading(store)
    (found,) = reading.store()["experiments"]
    assert found["runs"] == 6
    assert found["page"] == "/store/compare%20maximum%20default%20n%3D9"
    report = reading.report_json(found["name"])
    assert report["tables"][0]["columns"] == ("random", "nmcs:level=1")
    assert json.dumps(report)
    title, header, main = reading.report_html(found["name"])
    assert "Comparison on" in title
    assert "<table" in main
    assert "style=" not in header + main  # the policy of the pages forbids it
    runs = reading.runs(found["name"])["runs"]
    assert len(runs) == 6
    run = reading.run(found["name"], runs[0]["number"])
    assert run["curve"][-1][2] == run["score"] == runs[0]["score"]
    film, note = reading.run_film(found["name"], runs[0]["number"])
    assert (len(film.steps), note) == (9 + 1, "")  # its moves, and the end
    for number in (0, 10**6):
        with pytest.raises(PlayoutError, match=f"there is no run {number}"):
            reading.run(found["name"], number)
    assert reading.report(found["name"]) is reading.report(found["name"])  # kept
    with pytest.raises(PlayoutError, match="no experiment"):
        reading.report("../../etc/passwd")


def test_papers_that_were_never_run(tmp_path):
    papers = Reading(tmp_path / "no.sqlite").papers()
    assert {paper["name"] for paper in papers} >= {"snrpa", "gnrpa"}
    assert all(paper["done"] is None and not paper["page"] for paper in papers)


def test_the_matches_of_a_transcript(tmp_path):
    path = tmp_path / "match.jsonl"
    play(path, games=4)
    (tmp_path / "bad.jsonl").write_text("nothing\n")
    reading = Transcripts([path, tmp_path / "bad.jsonl"])
    one, bad = reading.all()["transcripts"]
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
    assert one["sprt"]["pairs"] == match["sprt"]["pairs"]
    assert sum(one["sprt"]["pairs"]) == 2
    assert "SPRT" in match["text"]


def test_the_film_of_a_card_game_lies_open_from_the_deal_of_its_match(tmp_path):
    path = tmp_path / "jass.jsonl"
    po.match("jass", "random", "random", games=4, seed=5, record=path, compiled=False)
    reading, games = (
        Transcripts([path]),
        [json.loads(line) for line in path.read_text().splitlines()],
    )
    starts = set()
    for number, game in enumerate(games):
        film, note = reading.game_film(0, number)
        assert ([step.move for step in film.steps[:-1]], note) == (game["moves"], "")
        hands = re.findall(r"[SHDC] ([6-9TJQKA]+)", film.steps[0].text)
        assert sum(map(len, hands)) == 36  # all cards
        starts.add(film.steps[0].text)
    assert len(starts) == 2  # games 2k and 2k + 1 have the same cards
    with pytest.raises(PlayoutError, match="a new one begins on the page Play"):
        reading.until(0, 0, 3)


def test_a_match_that_goes_on_is_read_again_and_a_game_just_written_is_no_fault(tmp_path):
    path = tmp_path / "match.jsonl"
    play(path, games=4)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + lines[2][:40])
    found = Transcripts([path])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found.match(0)["games"] == 2
        path.write_bytes(whole)
        assert found.match(0)["games"] == 4


def test_a_game_goes_on_from_a_move_of_a_match(tmp_path):
    path = tmp_path / "match.jsonl"
    play(path, games=2)
    shelf = Shelf(transcripts=[path])
    asked = {"kind": "game", "from": {"match": 0, "game": 1, "move": 3}, "search": "uct"}
    task = check_task(asked, shelf)
    (_, moves) = Transcripts([path]).until(0, 1, 3)
    assert (task.game, task.moves, task.seat) == ("tictactoe", moves, 1)
    assert f"--moves '{' '.join(moves)}'" in task.command()
    few = task.python().replace("po.Seconds(1)", "po.Playouts(5), compiled=False")
    exec(compile(few, "page", "exec"), {})
    for wrong in (
        {"match": 1, "game": 0, "move": 0},
        {"match": 0, "game": 2, "move": 0},
        {"match": 0, "game": 0, "move": 99},
        {"match": 0, "game": 0},
        {"match": 0, "game": 0, "move": "3"},
        "match.jsonl",
    ):
        with pytest.raises(PlayoutError):
            check_task({"kind": "game", "from": wrong}, shelf)
    with pytest.raises(PlayoutError, match="that of the match"):
        check_task({**asked, "game": "hex"}, shelf)


def test_a_comparison_that_a_page_asks_for_is_that_of_the_command():
    asked = {
        "kind": "compare",
        "problem": "maximum",
        "problem_options": {"n": 9},
        "runs": 2,
        "algorithms": [{"algorithm": "random"}, {"algorithm": "nmcs"}],
        "budget": {"playouts": 64},
    }
    plan = _plan(check_task(asked, Shelf()))
    assert len(plan.planned_runs()) == 4
    assert {run.budget for run in plan.planned_runs()} == {64}
    assert plan.experiment.name == "compare maximum default n=9"
