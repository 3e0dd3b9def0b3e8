"""`playout color` as a user has it: its output, files and exit codes."""

from __future__ import annotations

import gzip

import pytest

from tests.support.cli_shell import Shell

# six subjects; the first four share pupils with each other
CLASHES = "maths art\nmaths music\nmaths sport\nart music\nart sport\nmusic sport\nsport latin\n"
SQUARE = "p edge 4 5\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\ne 3 1\ne 2 2\n"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = Shell(tmp_path_factory.mktemp("color"))
    shell.write("clashes.txt", CLASHES)
    shell.write("square.col", SQUARE)
    shell.write("square.col.gz", gzip.compress(SQUARE.encode()))
    return shell


def test_an_edge_list_with_names(shell):
    done = shell("color", "clashes.txt", "--seed", 1, "--save", "plan.sol", "--show")
    assert (done.returncode, done.stderr) == (0, "")
    assert "colours      4 (optimal)" in done.stdout
    assert "checked      every edge" in done.stdout
    assert (shell.folder / "plan.sol").read_text().splitlines()[1] == "s col 4"
    checked = shell("color", "clashes.txt", "--check", "plan.sol")
    assert (checked.returncode, checked.stdout) == (
        0,
        "yes: a colouring with 4 colours; all 7 edges checked\n",
    )


def test_json(shell):
    for file in ("square.col", "square.col.gz"):
        found = shell.json("color", file, "--seed", 1)
        assert (found["colors"], found["lower_bound"], found["optimal"]) == (3, 3, True)
        assert found["verified"] is True
        colours = found["coloring"]
        assert set(colours) == {"1", "2", "3", "4"}
        assert colours["2"] == colours["4"] != colours["1"] != colours["3"]
        assert found["notes"] == [
            "the header says 5 edges, the file has 7 edge lines",
            "1 self-loop dropped",
            "1 repeated edge counted once",
        ]
        assert {"problem", "instance", "algorithm", "score", "moves", "curve"} <= found.keys()


def test_oddities_are_reported(shell):
    done = shell("color", "square.col")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "playout: square.col: the header says 5 edges, the file has 7 edge lines",
        "playout: square.col: 1 self-loop dropped",
        "playout: square.col: 1 repeated edge counted once",
    ]


def test_a_file_that_contradicts_its_header_is_not_answered_as_if_it_were_whole(shell):
    shell.write("cut.col", "p edge 4 6\ne 1 2\ne 3 4\n")
    done = shell("color", "cut.col")
    doubt = "the header says 6 edges, the file has 2 edge lines: is it whole?"
    assert done.stderr == f"playout: warning: cut.col: {doubt}\n"
    assert ["WARNING", *doubt.split()] in [line.split() for line in done.stdout.splitlines()]
    assert "2 (optimal for the edges read)" in done.stdout
    solve = ("solve", "coloring", "cut.col", "--playouts", 5, "-p", "k=2", "--interpreted")
    assert shell(*solve).stderr == done.stderr


def test_one_number_of_colours(shell):
    done = shell("color", "clashes.txt", "-k", 3)
    assert done.returncode == 1
    assert "3 colours are too few: these 4 are all neighbours: maths art music sport" in done.stdout
    assert shell("color", "clashes.txt", "-k", 5).returncode == 0


def test_a_search_by_playouts_is_repeatable(shell):
    words = ("color", "random:3", "-p", "n=14", "-p", "density=0.6", "-p", "polish_steps=20")
    stop = ("--playouts", 12, "--seed", 2, "--interpreted")
    one, two = shell.json(*words, *stop), shell.json(*words, *stop)
    assert one["coloring"] == two["coloring"]
    assert one["colors"] >= one["lower_bound"]


def test_wrong_colourings_are_found_out(shell):
    shell.write("bad.sol", "l 1 1\nl 2 2\nl 3 1\nl 4 2\n")
    done = shell("color", "square.col", "--check", "bad.sol")
    assert done.returncode == 1
    assert done.stdout == "no: 1 of 5 edges are wrong, such as 1 to 3\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.col"], "there is no such file"),
        (["empty.col"], "the file is empty"),
        (["cut.col"], "cut.col, line 3: 1 vertices, but an edge is two"),
        (["range.col"], "range.col, line 2: vertex 5 is not from 1 to 4"),
        (["cut.col.gz"], "damaged or cut off"),
        (["square.col", "-k", "0"], "is no number of colours"),
        (["square.col", "-k", "3", "--enough", "3"], "not together with k"),
        (["square.col", "-a", "nrp"], "did you mean nrpa"),
        (["square.col", "-a", "dsatur", "--polish"], "dsatur has no options"),
        (["square.col", "-p", "k=3"], "give the number of colours as -k N"),
        (["square.col", "--save", "square.col"], "would overwrite the graph"),
        (["square.col", "--save", "no/where.sol"], "no/where.sol"),
        (["square.col", "--json", "--show"], "leave --show out"),
        (["square.col", "--check", "missing.sol"], "there is no such file"),
    ],
)
def test_bad_input_is_one_line(shell, words, message):
    shell.write("empty.col", "")
    shell.write("cut.col", "p edge 4 2\ne 1 2\ne 3")
    shell.write("range.col", "p edge 4 2\ne 1 5\n")
    shell.write("cut.col.gz", gzip.compress(SQUARE.encode())[:-9])
    done = shell("color", *words)
    assert done.returncode == 2, done
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if "square.col: " not in line]
    assert len(said) == 1
    assert message in said[0]
