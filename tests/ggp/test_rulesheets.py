"""What a rulesheet must be: every error is one line with the file and the line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from playout.errors import DataError, OptionError
from playout.ggp.checks import checked
from playout.ggp.game import GDLGame
from playout.ggp.kif import Literal, read_rulesheet, term_order, term_text
from tests.support.rulesheet_variety import VARIETY
from tests.support.rulesheets import DOORS, PENNIES, game_of

COUNTING = """(role robot)
(init (at 1))
(legal robot go)
(<= (next (at 2)) (true (at 1)))
(<= terminal (true (at 2)))
(goal robot 100)
"""


def test_alternatives_are_taken_apart():
    sheet = read_rulesheet("(<= (a ?x) (or (b ?x) (and (c ?x) (not (or (d ?x) (e ?x))))))", "s")
    assert [rule.body for rule in sheet.rules] == [
        (Literal(True, ("b", "?x")),),
        (
            Literal(True, ("c", "?x")),
            Literal(False, ("d", "?x")),
            Literal(False, ("e", "?x")),
        ),
    ]


def test_terms_are_sorted_by_their_numbers():
    terms = [("cell", "10"), ("cell", "9"), "b", "10", "9", ("cell", "9", "1")]
    assert list(map(term_text, sorted(terms, key=term_order))) == [
        "9",
        "10",
        "b",
        "(cell 9)",
        "(cell 10)",
        "(cell 9 1)",
    ]


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("(next (at 3)", "line 7: '(' is never closed"),
        (")", "line 7: ')' without '('"),
        ("()", "line 7: '()' says nothing"),
        ("(<=)", "line 7: '<=' has no head"),
        ("(" * 100 + ")" * 100, "line 7: more than 60 brackets in brackets"),
        ("(<= (p ?x) (?x a))", "line 7: (?x a) has no name"),
        ("(<= terminal (true (at 1) 2))", "line 7: 'true' takes 1 arguments, not 2"),
        ("(true (at 1))", "line 7: 'true' cannot be the head of a rule"),
        ("(<= (p) (next (at 1)))", "line 7: 'next' cannot be a condition"),
        ("(<= terminal (does robot go))", "line 7: 'terminal' depends on 'does'"),
        ("(<= (init (at 5)) (true (at 1)))", "line 7: 'init' depends on 'true'"),
        ("(<= (p a) (not))", "line 7: 'not' takes one condition, not 0"),
        ("(<= (next (at ?x)) (not (true (at ?x))))", "line 7: the variable ?x is in no positive"),
        ("(<= (next (at 3)) (true (at ?x)) (distinct ?x ?y))", "line 7: the variable ?y"),
        (
            "(<= (p ?x) (true (at ?x)) (not (q ?x)))\n(<= (q ?x) (p ?x))\n(<= terminal (p 1))",
            "line 7: negation through recursion: p -> not q -> p",
        ),
        ("(role random)", "line 7: 'role' of GDL-II"),
        ("(sees robot 1)", "line 7: 'sees' of GDL-II"),
        ("(<= (role ?x) (true (at ?x)))", "line 7: a role is a fact"),
        ("".join(f"(role r{i})" for i in range(8)), "9 roles; at most 8 can play"),
        ("(role idler)", "the role idler has no legal move in any state"),
        ("(goal robot many)", "the goal (goal robot many) is no whole number from 0 to 100"),
        ("(<= (next (at (s ?x))) (true (at ?x)))", "line 7: the terms of next grow without end"),
        ("(<= (p (s ?x)) (p ?x)) (p 0) (<= terminal (p 1))", "the terms of p grow without end"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, added, said):
    with pytest.raises(DataError) as caught:
        game_of(tmp_path, COUNTING + added)
    assert said in str(caught.value)
    assert str(tmp_path / "game.kif") in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("left_out", "said"),
    [("(role", "there is no role"), ("(<= terminal", "'terminal'"), ("(goal", "'goal'")],
)
def test_what_is_missing_is_said(tmp_path, left_out, said):
    text = "\n".join(line for line in COUNTING.splitlines() if not line.startswith(left_out))
    with pytest.raises(DataError, match=said):
        game_of(tmp_path, text)


def test_too_many_instances_are_refused_by_their_predicate(tmp_path):
    digits = " ".join(f"(digit {i})" for i in range(30))
    rule = "(<= (many ?a ?b ?c ?d) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (true (at ?a)))"
    end = "(<= terminal (many 1 1 1 ?x) (many 1 1 ?x 1) (many ?a ?b ?c 3))"
    text = f"{COUNTING}{digits}\n{rule}\n{end}"
    with pytest.raises(DataError, match="more than 1,000 rule instances, the last of many"):
        game_of(tmp_path, text, instances=1000)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_million_instances_are_refused_in_a_minute_and_in_2_gb(tmp_path):
    digits = " ".join(f"(digit {i})" for i in range(110))
    rule = "(<= (next (cell ?a ?b ?c)) (digit ?a) (digit ?b) (digit ?c) (true (at ?x)))"
    (tmp_path / "large.kif").write_text(f"{COUNTING}{digits}\n{rule}\n")
    program = """
import re, resource
from playout.errors import DataError
from playout.ggp.game import GDLGame
try:
    GDLGame("large.kif")
except DataError as error:
    print(error)
used = resource.getrusage(resource.RUSAGE_SELF)
# its own: what getrusage tells begins with that of the process which started it
memory = re.search("VmHWM:\\\\s+([0-9]+) kB", open("/proc/self/status").read())
print(used.ru_utime + used.ru_stime, memory[1])
"""
    lines = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    ).stdout.splitlines()
    assert lines[0] == (
        "large.kif, line 8: more than 1,000,000 rule instances, the last of next "
        "(the option instances)"
    )
    seconds, kilobytes = map(float, lines[1].split())
    assert seconds < 60
    assert kilobytes < 2 << 20


def test_a_join_that_never_ends_is_given_up(tmp_path):
    digits = " ".join(f"(digit {i})" for i in range(200))
    pairs = " ".join(f"(distinct ?{a} ?{b})" for a, b in ("ab", "bc", "cd", "de", "ea"))
    rule = "(<= (p ?a ?b ?c) " + " ".join(f"(digit ?{c})" for c in "abcde") + f" {pairs})"
    with pytest.raises(DataError, match=r"the rules for p take more than 0\.05 s to ground"):
        game_of(tmp_path, f"{COUNTING}{digits}\n{rule}\n(<= terminal (p 1 2 3))", seconds=0.05)


@pytest.mark.parametrize("content", [b"\0\1\2", b"\xff\xfe\xfd", b"", b"((((((", b"%PDF-1.4 noise"])
def test_what_is_no_rulesheet_is_refused(tmp_path, content):
    path = tmp_path / "noise.kif"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        GDLGame(str(path))
    assert str(path) in str(caught.value)


def test_a_rulesheet_of_10_mb_is_refused(tmp_path):
    path = tmp_path / "large.kif"
    path.write_text("(p 1)\n" * 1_700_000)
    with pytest.raises(DataError, match="at most"):
        GDLGame(str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "name a rulesheet"), ("a.kif,step=3", "no option 'step'"), ("a.kif,steps=0", "steps=0")],
)
def test_options_are_checked(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.kif").write_text(COUNTING)
    with pytest.raises(OptionError, match=said):
        GDLGame(text)


def test_rules_that_nothing_asks_for_do_no_harm(tmp_path):
    game = game_of(
        tmp_path, COUNTING + "(<= (base ?x) (not (input ?r ?x)))\n(<= (p ?x) (not (p ?x)))"
    )
    assert game.position_text(game.root()[0]) == "(at 1)"


def test_a_comment_may_be_in_an_old_encoding(tmp_path):
    path = tmp_path / "old.kif"
    path.write_bytes("; von Müller\n".encode("latin-1") + COUNTING.encode())
    assert GDLGame(str(path)).roles == 1


def test_a_rule_that_only_its_callers_bind_is_played(tmp_path):
    text = (
        COUNTING
        + "(<= (apart ?x ?y) (distinct ?x ?y))\n(<= (next (at 3)) (true (at ?x)) (apart ?x 2))"
    )
    game = game_of(tmp_path, text)
    states = game.root()
    game.play_joint(states[0], ["go"])
    assert game.position_text(states[0]) == "(at 2) (at 3)"


def test_a_goal_may_ask_for_the_absence_of_another(tmp_path):
    text = COUNTING.replace(
        "(goal robot 100)",
        "(<= (goal robot 100) (true (at 9)))\n(<= (goal robot 30) (not (goal robot 100)))",
    )
    game = game_of(tmp_path, text)
    assert game.final_rewards(game.root()[0]) == [0.3]


def test_a_goal_that_is_negated_by_itself_is_refused(tmp_path):
    text = COUNTING.replace(
        "(goal robot 100)", "(<= (goal robot ?x) (value ?x) (not (goal robot ?x))) (value 5)"
    )
    with pytest.raises(DataError, match="negation through recursion"):
        checked(read_rulesheet(text, "a text"))


def test_every_process_makes_the_same_network_and_the_same_search(tmp_path):
    for name, text in {"pennies": PENNIES, "doors": DOORS, **VARIETY}.items():
        (tmp_path / f"{name}.kif").write_text(text)
    program = """
import hashlib
from pathlib import Path
from playout.ggp.game import GDLGame
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.stop import Playouts
for path in sorted(Path().glob("*.kif")):
    game = GDLGame(str(path))
    arrays = (game.starts, game.targets, game.start_count, game.start_bits)
    data = b"".join(array.tobytes() for array in arrays) + str(game.network.actions).encode()
    print(path, hashlib.sha1(data).hexdigest())
game = GDLGame("pieces.kif")
session = TreeSession(game, TreeSearch.parse("uct:playout=mast"), seed=1, compiled=False)
print(session.run(Playouts(30)).moves)
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
