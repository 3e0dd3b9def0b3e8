"""What a page asks for: names of lists and numbers come through, code and paths never do."""

from __future__ import annotations

import json
import shlex
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.errors import PlayoutError
from playout.lab.asked import check_task
from playout.lab.shelf import Shelf, cores
from playout.lab.task import Task

SHELF = Shelf()
SOLVE = {
    "kind": "solve",
    "problem": "samegame",
    "instance": {"random": 7},
    "problem_options": {"rows": 6, "columns": 6, "penalty": True},
    "algorithm": "nrpa",
    "options": {"level": 2, "N": [10, 20], "adapt": "all", "alpha": 1.5},
    "stop": {"seconds": 2.5, "playouts": 1000},
    "seed": 3,
}
GAME = {
    "kind": "game",
    "game": "go",
    "size": "5x5",
    "game_options": {"komi": 3.5},
    "search": "grave",
    "search_options": {"ref": 25, "solver": True},
    "playout": "mast",
    "seat": 1,
    "budget": {"simulations": 100},
}
COMPARE = {
    "kind": "compare",
    "problem": "maximum",
    "problem_options": {"n": 9},
    "runs": 3,
    "algorithms": [{"algorithm": "random"}, {"algorithm": "nmcs", "options": {"level": 1}}],
    "budget": {"playouts": 50},
}


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        (
            SOLVE,
            "playout solve samegame random:7 -p rows=6 -p columns=6 -p penalty=true -a nrpa "
            "-o level=2 -o N=10,20 -o adapt=all -o alpha=1.5 --seconds 2.5 --playouts 1000 "
            "--seed 3",
        ),
        (
            GAME,
            "playout play go:5x5,komi=3.5 -a grave:playout=mast,ref=25,solver=true "
            "--simulations 100 --seat 2 --seed 1",
        ),
        (
            COMPARE,
            "playout compare maximum -p n=9 -a random -a nmcs:level=1 --playouts 50 --runs 3",
        ),
        ({"kind": "paper", "paper": "snrpa"}, "playout reproduce snrpa --scale 0.002"),
    ],
)
def test_the_command_says_the_same(asked, command):
    task = check_task(asked, SHELF)
    assert task.command() == command
    assert Task.from_json(json.loads(json.dumps(task.to_json()))) == task
    compile(task.python(), "the page", "exec")


@pytest.mark.parametrize("asked", [SOLVE, GAME, COMPARE])
def test_the_command_is_one_that_the_command_line_takes(asked):
    from playout.cli import parse

    words = shlex.split(check_task(asked, SHELF).command())[1:]
    assert parse(words).run.__module__.endswith(words[0])


def test_the_python_and_the_command_give_the_result_of_the_task():
    asked = {
        "kind": "solve",
        "problem": "maximum",
        "problem_options": {"n": 9},
        "algorithm": "nmcs",
        "options": {"level": 1},
        "stop": {"playouts": 60},
        "seed": 5,
    }
    import playout as po
    from playout.lab.task import as_stop

    task = check_task(asked, SHELF)
    scope: dict = {}
    source = task.python().replace("seed=5", "seed=5, compiled=False").replace("print(result)", "")
    exec(compile(source, "the page", "exec"), scope)
    direct = po.solve("maximum:n=9", task.algorithm, as_stop(task.stop), seed=5, compiled=False)
    assert scope["result"].moves == direct.moves
    assert scope["result"].score == direct.score


def refused(asked):
    with pytest.raises(PlayoutError) as told:
        check_task(asked, SHELF)
    text = str(told.value)
    assert text
    assert "\n" not in text
    return text


def changed(base, **more):
    return {**base, **more}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ([], "object"),
        ({}, "kind"),
        ({"kind": "exec"}, "kind"),
        ({"kind": ["solve"]}, "kind"),
        (changed(SOLVE, problem="my.py:P"), "no problem"),
        (changed(SOLVE, problem=None), "no problem"),
        (changed(SOLVE, problem="gdl"), "no problem"),
        (changed(SOLVE, instance="boards.txt"), "instance"),
        (changed(SOLVE, instance={"file": "x"}), "instance"),
        (changed(SOLVE, instance={"listed": "../x"}), "listed"),
        (changed(SOLVE, instance={"listed": 10**6}), "listed"),
        (changed(SOLVE, instance={"random": -1}), "random"),
        (changed(SOLVE, instance={"random": 1, "listed": 2}), "instance"),
        (changed(SOLVE, algorithm="x.py:A"), "no algorithm"),
        (changed(SOLVE, algorithm="gnrpa:level=2"), "no algorithm"),
        (changed(SOLVE, options={"level": "2"}), "level"),
        (changed(SOLVE, options={"level": 2.5}), "level"),
        (changed(SOLVE, options={"level": True}), "level"),
        (changed(SOLVE, options={"level": 99}), "level"),
        (changed(SOLVE, options={"N": [10] * 13}), "N"),
        (changed(SOLVE, options={"alpha": 1e300}), "alpha"),
        (changed(SOLVE, options={"adapt": "none"}), "adapt"),
        (changed(SOLVE, options={"model": "x"}), "option"),
        (changed(SOLVE, options=[1]), "options"),
        (changed(SOLVE, options={f"o{i}": 1 for i in range(50)}), "too many"),
        (changed(SOLVE, problem_options={"rows": 10**9}), "row"),
        (changed(SOLVE, stop={}), "stop"),
        (changed(SOLVE, stop={"seconds": 0}), "seconds"),
        (changed(SOLVE, stop={"seconds": 86_401}), "seconds"),
        (changed(SOLVE, stop={"seconds": "9"}), "seconds"),
        (changed(SOLVE, stop={"file": 1}), "stop"),
        (changed(SOLVE, stop={"playouts": 0}), "playouts"),
        (changed(SOLVE, stop={"playouts": 10**15}), "playouts"),
        (changed(SOLVE, algorithm="auto", options={}, stop={"runs": 1}), "natural end"),
        (changed(SOLVE, seed=-1), "seed"),
        (changed(SOLVE, seed=2**63), "seed"),
        (changed(SOLVE, workers=cores() + 1), "workers"),
        (changed(SOLVE, parallel="x.py:T"), "parallel"),
        (changed(SOLVE, checkpoint="/tmp/x"), "checkpoint"),
        (changed(SOLVE, model="x"), "model"),
        (changed(GAME, game="x.py:G"), "no game"),
        (changed(GAME, game="gdl"), "no game"),
        (changed(GAME, game="openspiel"), "no game"),
        (changed(GAME, game="go:5x5"), "no game"),
        (changed(GAME, size="5x5,keep_eyes=true"), "size"),
        (changed(GAME, size="99x99"), "board"),
        (changed(GAME, size=5), "size"),
        (changed(GAME, search="uct:playout=x.py:P"), "no search"),
        (changed(GAME, search="zero"), "no search"),
        (changed(GAME, playout="x.py:P"), "playout"),
        (changed(GAME, backup="x.py:B"), "backup"),
        (changed(GAME, search_options={"parallel": "x.py:T"}), "parallel"),
        (changed(GAME, search_options={"playout": "x.py:P"}), "option"),
        (changed(GAME, search="pimc", playout=None, search_options={"search": "x.py:P"}), "option"),
        (changed(GAME, seat=2), "seat"),
        (changed(GAME, budget={"seconds": 1, "simulations": 2}), "budget"),
        ({"kind": "game", "game": "jass", "search": "uct"}, "uct"),
        ({"kind": "solve", "problem": "policy"}, "no problem"),
        (changed(SOLVE, algorithm="policy-mcts", options={"model": "a"}), "model"),
        (changed(SOLVE, algorithm="policy-mcts", options={"device": "cpu"}), "device"),
        ({"kind": "solve", "problem": "vgdl", "problem_options": {"game": "/etc/passwd"}}, "game"),
        ({"kind": "solve", "problem": "vgdl", "problem_options": {"level": "../x"}}, "level"),
        ({"kind": "game", "game": "bridge", "game_options": {"deal": "x"}}, "deal"),
        ({"kind": "game", "game": "bridge", "game_options": {"contract": "a/b"}}, "contract"),
        ({"kind": "paper", "paper": "x.py"}, "no experiment"),
        ({"kind": "paper", "paper": "snrpa", "scale": 2}, "scale"),
        (changed(COMPARE, algorithms=[]), "algorithms"),
        (changed(COMPARE, algorithms=[{"algorithm": "random"}] * 2), "twice"),
        (changed(COMPARE, store="/tmp/x"), "store"),
    ],
)
def test_what_is_refused(asked, words):
    assert words in refused(asked)


# texts with something bad in them never come through, wherever they stand

BAD = st.sampled_from([".py", "x.py:P", "/etc/passwd", "..", "model=x", "\\\\host\\x", "a/b"])
TEXTS = st.one_of(
    BAD,
    st.tuples(st.text(string.printable, max_size=8), BAD, st.text(max_size=5)).map("".join),
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(), st.floats(), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(TEXTS, st.text()), inner, max_size=3)
    ),
    max_leaves=6,
)


def spoilt(base):
    """A good request with some of its parts replaced by something bad."""
    names = st.sampled_from([*base, "checkpoint", "model", "store", "folder"])
    return st.dictionaries(names, VALUES, min_size=1, max_size=3).map(lambda bad: {**base, **bad})


def bad_texts(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in bad_texts(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in bad_texts(part)]
    return []


def is_bad(text):
    return any(sign in text for sign in (".py", "/", "..", "model=", "\\"))


@settings(max_examples=60, deadline=None)
@given(asked=st.one_of(spoilt(SOLVE), spoilt(GAME), spoilt(COMPARE), VALUES))
def test_nothing_bad_comes_through(asked):
    try:
        task = check_task(asked, SHELF)
    except PlayoutError:
        return
    texts = bad_texts({k: v for k, v in task.to_json().items() if k != "asked"})
    assert not any(map(is_bad, texts)), task
    assert not any(map(is_bad, bad_texts(task.asked))), task


# what was named at the start


def test_classes_of_ones_own_appear_under_their_names(tmp_path):
    from tests.support.cli_shell import KNAPSACK

    (tmp_path / "mine.py").write_text(KNAPSACK)
    (tmp_path / "two.kif").write_text("(role a)")
    shelf = Shelf.stocked([f"{tmp_path}/mine.py:Knapsack", str(tmp_path / "two.kif")])
    task = check_task({"kind": "solve", "problem": "Knapsack", "algorithm": "random"}, shelf)
    assert task.problem == f"{tmp_path}/mine.py:Knapsack"
    assert "two" in shelf.games
    assert [p["name"] for p in shelf.problems_known() if p["own"]] == ["Knapsack"]
    assert "Knapsack" in shelf.known["start"]["problems"]


@pytest.mark.parametrize("word", ["nothing.kif", "nothing.jsonl", "samegame", ".", "x.txt"])
def test_what_cannot_be_named_at_the_start(word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlayoutError):
        Shelf.stocked([word])


def test_what_there_is_is_json_and_has_every_name():
    from playout.algorithms import ALGORITHMS
    from playout.arcade import ARCADE
    from playout.games import GAMES
    from playout.problems import PROBLEMS

    known = json.loads(json.dumps(SHELF.known, allow_nan=False))
    assert [a["name"] for a in known["algorithms"]] == list(ALGORITHMS)
    assert {g["name"] for g in known["games"]} == {
        *(name for name in GAMES if not GAMES.entry(name).takes_text),
        *ARCADE,
    }
    assert {p["name"] for p in SHELF.problems_known()} == set(PROBLEMS) - {"gdl"}
    model = [o for a in known["algorithms"] for o in a["options"] if o["name"] == "model"]
    assert not model
    for game in known["games"]:
        assert game["search"] in [search["name"] for search in known["searches"]]
