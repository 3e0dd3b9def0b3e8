"""The experiment of the alpha-mu paper: what is played, and what is shown of deals played twice."""

from __future__ import annotations

import json

import numpy as np
import pytest

from playout.errors import OptionError
from playout.experiments import load_experiment
from playout.games import load_game
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.duplicate import Duplicate
from playout.study.kinds.kind import Budget
from playout.study.specification import Experiment

TABLES = {table.name: table for table in load_experiment("alphamu").tables}


def test_tables_are_those_of_the_paper():
    papers = ["1", "2", "3", "4", "4 results"]
    assert list(TABLES) == [*papers, "contested", "contested results"]
    printed = {cell.row: cell.paper.value for cell in TABLES["1"].cells}
    assert printed == {"32": 0.620, "36": 0.545, "40": 0.550, "52": 0.580}
    assert len(TABLES["2"].cells) == 8
    times = {cell.row: cell.paper.value for cell in TABLES["3"].cells if cell.paper}
    assert times["3, n n n"] == 10.276
    assert times["3, y y y"] == 1.176
    assert [cell.paper.value for cell in TABLES["4"].cells][:3] == [0.643, 0.673, 0.679]


def test_every_search_can_be_made():
    for table in TABLES.values():
        for cell in table.cells:
            for search in cell.searches:
                search.check()


def test_tables_1_and_2_share_their_runs():
    keys = [{search.key() for cell in TABLES[n].cells for search in cell.searches} for n in "12"]
    assert keys[0] == keys[1]


def test_it_is_kept_in_a_store():
    experiment = load_experiment("alphamu")
    assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment


def test_what_is_shown_of_the_runs():
    runs = [
        {"made": 1.0, "games": 1.0, "results": 1.0, "wins": 1.0},
        {"made": 0.0, "games": 1.0, "results": 1.0, "wins": 0.0},
        {"made": 1.0, "games": 1.0, "results": 0.0},
        {"made": 1.0, "games": 0.0, "results": 0.0},
    ]
    found = FinishedRuns(
        None,  # type: ignore[arg-type]
        np.ones(4),
        np.ones(4),
        [json.dumps(run) for run in runs],
    )
    for shows, expected in (
        ("wins", [1.0, 0.0]),  # of the deals that one of them makes only
        ("games", [1.0, 1.0, 1.0, 0.0]),
        ("results", [1.0, 1.0, 0.0, 0.0]),
        ("made", [1.0, 0.0, 1.0, 1.0]),
    ):
        kind = Duplicate("bridge", "alphamu", "alphamu:M=1", shows=shows)
        assert kind.shown(found, 1.0, False).tolist() == expected
    with pytest.raises(OptionError, match="shows='all'"):
        Duplicate("bridge", "alphamu", shows="all").check()


@pytest.mark.long
def test_a_deal_played_twice():
    game = load_game("bridge:3NT,S,cards=32")
    kind = Duplicate("bridge:3NT,S,cards=32", "alphamu:M=2,worlds=5", "alphamu:M=1,worlds=5")
    row = kind.perform(game, Budget("playouts", 1), 3, lambda: False)
    assert row.verified
    assert [len(cards) for cards in row.moves] == [32, 32]
    again = kind.perform(game, Budget("playouts", 1), 3, lambda: False)
    assert again.moves == row.moves
    same = Duplicate(kind.game, kind.second, kind.second)
    row = same.perform(game, Budget("playouts", 1), 3, lambda: False)
    assert row.moves[0] == row.moves[1]
    assert row.details["games"] == row.details["results"] == 0.0
