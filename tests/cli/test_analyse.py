"""`playout analyse`, the top of a tree in all its forms; games in `list` and `check`."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import playout as po
from playout.cli import main
from playout.games import load_game
from playout.gametree.tree_picture import Branch, top_dot, top_svg, top_text, tree_top
from playout.gametree.tree_session import TreeSession
from tests.support.cli_shell import Shell

QUICK = ("--simulations", "300", "--seed", "1")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """A command within this process; what it printed."""
    monkeypatch.chdir(tmp_path)

    def command(*words: object, code: int = 0) -> str:
        assert main(list(map(str, words))) == code
        out, err = capsys.readouterr()
        if code == 2:
            assert out == ""
            assert err.count("\n") == 1
            return err
        assert err == ""
        return out

    return command


def searched(
    name: str, algorithm: str, moves: str = "", simulations: int = 300, compiled: bool = False
):
    """A session after a search, and its result."""
    game = load_game(name)
    states = game.root()
    for text in moves.split():
        with np.errstate(over="ignore"):
            game.play(states[0], game.parse_move(states[0], text))
    session = TreeSession(game, po.TreeSearch.parse(algorithm), seed=1, compiled=compiled)
    session.set_position(states)
    return session, session.run(po.Playouts(simulations))


def every(branches):
    """All branches of a tree."""
    for branch in branches:
        yield branch
        yield from every(branch.branches)


# the top of a tree


@pytest.mark.parametrize(
    ("name", "algorithm", "moves"),
    [
        ("tictactoe", "uct", ""),
        ("tictactoe", "uct", "b2"),
        ("tictactoe", "grave", "b2"),
        ("connectfour", "uct:graph=uct3", "d d"),
        ("dotsandboxes:2x2", "uct", "a1-b1"),
    ],
)
def test_the_top_is_what_the_result_says(name, algorithm, moves):
    session, result = searched(name, algorithm, moves)
    top = tree_top(session, result, depth=3, width=100)
    assert {b.move: (b.visits, b.value, b.proven) for b in top} == {
        row.move: (row.visits, row.value, row.proven) for row in result.moves if row.visits
    }
    assert [b.visits for b in top] == sorted((b.visits for b in top), reverse=True)
    assert sum(b.share for b in top) == pytest.approx(1.0)
    assert all(b.player == result.player for b in top)
    line, branches = [], top
    while main_ones := [b for b in branches if b.main]:
        assert len(main_ones) == 1
        line.append(main_ones[0].move)
        branches = main_ones[0].branches
    assert line == result.variation[:3]


@pytest.mark.parametrize("simulations", range(20, 60))
def test_of_two_moves_with_as_many_visits_the_better_is_expected(simulations):
    """Few simulations leave many moves with as many visits as another."""
    session, result = searched("tictactoe", "uct:solver=false", "", simulations)
    branches = tree_top(session, result, depth=3, width=100)
    assert branches[0].main
    while branches:
        ranks = [(branch.visits, branch.value) for branch in branches]
        assert ranks == sorted(ranks, reverse=True)
        expected = [rank for rank, branch in zip(ranks, branches, strict=True) if branch.main]
        assert expected in ([], [ranks[0]])
        branches = next((branch.branches for branch in branches if branch.main), ())


def test_visits_add_up_below():
    """A move's visits are those behind it and the one that made its node."""
    session, result = searched("connectfour", "uct")
    for branch in every(tree_top(session, result, depth=3, width=100)):
        behind = sum(b.visits for b in branch.branches)
        assert behind in (0, branch.visits - 1)


@pytest.mark.parametrize("graph", ["uct1", "uct2", "uct3"])
def test_symmetric_positions_are_shown_as_they_are(graph):
    """Each move is legal where it is shown, and symmetric moves share what is behind them."""
    algorithm = f"uct:graph={graph},symmetry=true"
    session, result = searched("tictactoe", algorithm, "c3 b2", 2000, compiled=True)
    game, start = session.game, load_game("tictactoe").root()
    for text in ("c3", "b2"):
        game.play(start[0], game.parse_move(start[0], text))

    def look(states, branches):
        legal = game.new_moves()
        texts = [game.move_text(states[0], legal[i]) for i in range(game.moves(states[0], legal))]
        for branch in branches:
            assert branch.move in texts
            assert branch.player == game.turn(states[0])
            after = states.copy()
            game.play(after[0], game.parse_move(after[0], branch.move))
            look(after, branch.branches)

    top = tree_top(session, result, depth=3, width=9)
    assert len(top) == len(result.moves) == 7
    look(start, top)
    by_move = {branch.move: branch for branch in top}
    mirrored = str.maketrans("abc123", "123abc")  # in the diagonal through both stones
    for one, other in (("b3", "c2"), ("a3", "c1"), ("a2", "b1")):
        behind = {(b.move.translate(mirrored)[::-1], b.visits) for b in by_move[one].branches}
        assert behind == {(b.move, b.visits) for b in by_move[other].branches}


@pytest.mark.long
@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_the_trees_of_several_workers(parallel):
    game = load_game("connectfour")
    session = TreeSession(game, po.TreeSearch("uct", parallel=parallel), seed=1, workers=2)
    result = session.run(po.Playouts(2000))
    top = tree_top(session, result, depth=2, width=7)
    assert {b.move: b.visits for b in top} == {row.move: row.visits for row in result.moves}
    for branch in top:
        assert sum(b.visits for b in branch.branches) <= branch.visits


def test_width_and_depth():
    session, result = searched("connectfour", "uct:choice=mean")
    top = tree_top(session, result, depth=2, width=2)
    assert len(top) == 2
    assert all(len(branch.branches) <= 2 for branch in top)
    assert all(not b.branches for branch in top for b in branch.branches)
    assert any(branch.move == result.move for branch in top)  # even if others had more visits
    assert top[0].more == 5


# what is drawn of it

ODD = (
    Branch(
        '<"a\\n">',
        0,
        70,
        0.7,
        0.6,
        None,
        True,
        (Branch("b & c", 1, 69, 1.0, 0.4, 0.0, True, (), 0),),
        3,
    ),
    Branch("d", 0, 30, 0.3, -2.5, None, False, (), 0),
)


def test_text():
    assert top_text(ODD, 4).splitlines() == [
        "move               visits  share  value",
        '<"a\\n"> *              70    70%  0.600',
        "  b & c *              69   100%  0.400  proven 0",
        "  and 3 more",
        "d                      30    30%  -2.500",
        "and 4 more",
    ]
    assert top_text(()) == "move       visits  share  value"


def test_dot_is_valid():
    session, result = searched("breakthrough:4x4", "uct")
    for top in (ODD, (), tree_top(session, result)):
        text = top_dot(top, 'a "title" \\')
        _check_dot(text, len(list(every(top))))


def _check_dot(text: str, branches: int) -> None:
    """Strings closed, statements ended, each node declared once and reached once."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", text)
    assert '"' not in bare
    assert bare.startswith("digraph search {\n")
    assert bare.endswith("}\n")
    statements = [line.strip() for line in bare.splitlines()[1:-1]]
    assert all(statement.endswith(";") for statement in statements)
    names = [s.split()[0] for s in statements if re.match(r"n\d+ \[", s)]
    edges = [re.match(r"(n\d+) -> (n\d+) \[penwidth=[0-9.]+\];$", s) for s in statements]
    edges = [edge for edge in edges if edge]
    assert names == [f"n{i}" for i in range(branches + 1)]
    assert sorted(edge[2] for edge in edges) == sorted(names[1:])
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tplain"], input=text, text=True, capture_output=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count("\nnode ") == branches + 1


@pytest.mark.parametrize("top", [ODD, ()])
def test_svg_is_valid(top):
    game = load_game("connectfour")
    for picture in (game.svg(game.root()[0]), "text <\n & more"):
        root = ElementTree.fromstring(top_svg(top, "a <title>", picture, 2))
        assert root.tag == SVG + "svg"
        texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
        assert "a <title>" in texts
        assert "player 2" in texts
        for branch in every(top):
            assert branch.move in texts


def test_nothing_of_the_svg_is_outside_its_page():
    session, result = searched("breakthrough:4x4", "uct")
    top = tree_top(session, result, 4, 2)
    root = ElementTree.fromstring(
        top_svg(top, "title", session.game.svg(session.game.root()[0]), 2)
    )
    width, height = float(root.get("width")), float(root.get("height"))
    for box in root.findall(SVG + "rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        assert x + float(box.get("width")) <= width
        assert y + float(box.get("height")) <= height


# the command


@pytest.mark.long
def test_analyse_as_text(run):
    out = run("analyse", "connectfour", "--moves", "d d", *QUICK, "--depth", 2, "--width", 2)
    assert out.startswith("6 . . .")
    assert "x to move\n\nbest       " in out
    assert re.search(r"\nvariation  [a-g]( [a-g])+\n", out)
    assert "uct, 300 simulations in " in out
    assert re.search(r"\n[a-g] \* +[\d,]+ +\d+%  0\.\d{3}\n  [a-g] \* ", out)
    assert "\nand 5 more\n" in out


def test_calls_are_a_budget_of_searches_over_worlds(run):
    harvest = Path(__file__).parents[2] / "examples" / "harvest.py"
    words = ("analyse", f"{harvest}:Harvest", "--interpreted", "--calls", 60, "--seed", 1)
    data = json.loads(run(*words, "-a", "openloop:length=3", "--format", "json"))
    assert data["calls"] == 60
    assert "uct counts none" in run("analyse", "tictactoe", "--calls", 60, code=2)
    assert "give one of them" in run(*words, "-a", "openloop", "--seconds", 1, code=2)


@pytest.mark.long
def test_analyse_as_json(run):
    position = "......./......./......./...o.../...x... x"
    by_position = json.loads(
        run("analyse", "connectfour:7x5", position, *QUICK, "--format", "json")
    )
    by_moves = json.loads(
        run("analyse", "connectfour:7x5", "--moves", "d, d", *QUICK, "--format", "json")
    )
    for data in (by_position, by_moves):
        assert data.pop("seconds") > 0
    assert by_position == by_moves
    assert by_position["position"] == position
    assert by_position["simulations"] == sum(row["visits"] for row in by_position["moves"]) == 300
    assert by_position["move"] == by_position["variation"][0]
    assert (by_position["player"], by_position["players"]) == (0, 2)
    branch = by_position["tree"][0]
    assert set(branch) == set(Branch.__dataclass_fields__)
    assert len(by_position["tree"]) == 3


def test_analyse_proves(run):
    """o is about to complete b1 b2 b3; x must stop him, and draws."""
    words = ("tictactoe", "xox/.o./... x", "-a", "uct:solver=true", "--simulations", "5000")
    data = json.loads(run("analyse", *words, "--seed", 1, "--format", "json"))
    assert (data["move"], data["value"], data["proven"]) == ("b1", 0.5, True)
    assert data["simulations"] < 5000
    assert "proven 0.500 for player 1" in run("analyse", *words, "--seed", 1)


@pytest.mark.parametrize("kind", ["text", "json", "dot", "svg"])
def test_analyse_into_a_file(run, tmp_path, kind):
    words = ("analyse", "tictactoe", *QUICK, "--format", kind)
    assert run(*words, "--out", "file") == ""
    found = (tmp_path / "file").read_text()
    if kind in ("dot", "svg"):
        assert found == run(*words)
    if kind == "svg":
        ElementTree.fromstring(found)
    if kind == "dot":
        _check_dot(found, found.count("->"))


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("tictac", "did you mean tictactoe"),
        ("tictactoe xyz", "is no position"),
        ("tictactoe --moves a1,b9", "--moves, move 2: 'b9' is not a legal move"),
        ("tictactoe --moves a1 --format pdf", "pdf"),
        ("tictactoe --depth 0", "'0' is no count"),
        ("tictactoe --out missing/file", "there is no folder"),
        ("tictactoe --out .", "it is a folder"),
        ("tictactoe -a uct:C=x", "C=x"),
        ("tictactoe -a nrpa", "there is no tree search 'nrpa'"),
        ("tictactoe -a uct:symmetry=true", "give graph="),
        ("tictactoe --seconds 1 --simulations 2", "give one of them"),
        ("tictactoe --moves a1,b1,a2,b2,a3", "the game is over"),
    ],
)
def test_bad_commands(run, words, hint):
    assert hint in run("analyse", *words.split(), code=2)


# games in `playout list` and `playout check`


def test_list_games(run):
    overview = run("list")
    games = run("list", "games")
    for name in ("tictactoe", "misere-domineering", "dotsandboxes", "nogo"):
        assert f"\n  {name} " in overview
        assert f"\n{name}: " in "\n" + games
    assert ".../.../... x" in games
    one = run("list", "games", "breakthrough:5x5")
    assert "bbbbb/bbbbb/...../wwwww/wwwww w" in one
    assert "misere" in one
    assert "misere  " not in run("list", "games", "misere-breakthrough").partition("option")[2]
    assert "did you mean hex" in run("list", "games", "hx", code=2)


def test_list_searches(run):
    out = run("list", "searches")
    for text in ("uct\n", "grave\n", "playout=uniform\n", "solver", "C       0.7"):
        assert text in out
    assert "ref     50" in run("list", "searches", "grave")
    assert "did you mean grave" in run("list", "searches", "grav", code=2)


NIM = re.search(
    r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs" / "game.md").read_text(), re.S
)[1]


# it shows that the search is under way
WATCHED = """
class Watched(Nim):
    def play(self, state, move):
        open("begun", "w").close()
        Nim.play(self, state, move)
"""


def test_ctrl_c_shows_what_was_found(tmp_path):
    shell = Shell(tmp_path)
    shell.write("nim.py", NIM + WATCHED)
    process = shell.start("analyse", "nim.py:Watched", "--seconds", "10m", "--interpreted")
    shell.wait_for("begun", process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "best       " in out or "interrupted" in err


def test_check_games(run, tmp_path):
    assert "Breakthrough: passed (3 games" in run(
        "check", "breakthrough:5x5", "--games", 3, "--interpreted"
    )
    (tmp_path / "nim.py").write_text(NIM)
    for name in ("nim.py:Nim", "nim.py", "nim.py:Nim:heaps=2"):
        assert "Nim: passed" in run("check", name, "--games", 3, "--interpreted")
    (tmp_path / "bad.py").write_text(NIM.replace("1 - state.player", "state.player + 7"))
    assert "turn()" in run("check", "bad.py:Nim", "--games", 3, "--interpreted", code=1)
    (tmp_path / "raises.py").write_text(NIM.replace("self.heaps, self", "1 / 0, self", 1))
    (tmp_path / "fails.py").write_text(NIM.replace("return state.player", "return 1 // 0"))
    for words, hint in (
        ("hex 3", "is a game: it has no instances"),
        ("hex -p size=3", "is a game"),
        ("hexx", "there is no problem or game 'hexx'; did you mean hex"),
        ("nim.py:Nim:heap=2", "did you mean heaps"),
        ("nim.py:Nimm", "did you mean Nim"),
        ("hex:1", "no board of 1x1"),
    ):
        assert hint in run("check", *words.split(), code=2)


def test_an_error_in_a_users_game_names_its_line(run, tmp_path):
    (tmp_path / "fails.py").write_text(NIM.replace("return state.player", "return 1 // 0"))
    words = ("analyse", "fails.py:Nim:heaps=2", "--interpreted", "--simulations", 5)
    assert "fails.py, line " in run(*words, code=2)


def test_the_page():
    page = Path(__file__).parents[2] / "docs" / "play.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried >= 12
    assert failed == 0
