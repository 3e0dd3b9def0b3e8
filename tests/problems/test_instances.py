"""Instances by name, options from texts, files of every bad kind, and a user's own problem."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile

import numpy as np
import pytest

from playout.contract import Problem
from playout.errors import DataError, OptionError, PlayoutError, ProblemError
from playout.problems import PROBLEMS, TSPTW, Maximum, SameGame
from playout.problems.instances import find_instance, list_data, parse_options
from playout.text.input_files import read_member, read_text
from tests.support.datafolder import DATA, needs_data

INSTANCE = "2\n0 {}\n1 0\n0 9\n0 9\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A small data folder: two boards, a folder and an archive of TSPTW instances."""
    root = tmp_path / "data"
    (root / "samegame").mkdir(parents=True)
    (root / "samegame" / "boards.txt").write_text("0 0\n\n1 1 1\n")
    (root / "tsptw" / "SolomonPotvinBengio").mkdir(parents=True)
    for name, way in (("rc_201.1", 3), ("rc_201.2", 4)):
        (root / "tsptw" / "SolomonPotvinBengio" / f"{name}.txt").write_text(INSTANCE.format(way))
    with tarfile.open(root / "tsptw" / "AFG.tar.gz", "w:gz") as archive:
        for name, text in (("rbg010a.tw", INSTANCE.format(5)), ("bad.tw", "2\n0 x\n")):
            member = tarfile.TarInfo(f"AFG/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    (root / "tsptw" / "Langevin.tar.gz").write_bytes(b"\x1f\x8bthis is no archive")
    monkeypatch.setenv("PLAYOUT_DATA", str(root))
    return root


def fails(error, cls, text, **options):
    with pytest.raises(error) as caught:
        find_instance(cls, text, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# the kinds of names


@pytest.mark.parametrize("text", [None, ""])
def test_no_name_is_the_default(text):
    problem, name = find_instance(SameGame, text, rows=4, penalty=True)
    assert name == "default"
    assert problem.rows.shape == (4, 15)
    assert problem.penalty


def test_random():
    problem, name = find_instance(SameGame, "random:7", columns=3)
    assert name == "random:7"
    assert np.array_equal(problem.rows, SameGame.random(7, columns=3).rows)
    for text in ("random:", "random:x", "random:-1", "random:1.5", "random:" + "9" * 30):
        assert "a seed is a whole number" in fails(DataError, SameGame, text)


def test_files(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text("0 0\n\n1 1 1\n")
    assert find_instance(SameGame, str(file))[1] == f"{file}#1"
    problem, name = find_instance(SameGame, f"{file}#2", tabu=False)
    assert (problem.rows.tolist(), problem.tabu, name) == ([[1, 1, 1]], False, f"{file}#2")
    assert "there are 2 instances in the file" in fails(DataError, SameGame, f"{file}#3")
    for number in ("0", "x", "-1", ""):
        assert "1 for the first" in fails(DataError, SameGame, f"{file}#{number}")
    only = tmp_path / "n.txt"
    only.write_text("5\n")
    assert find_instance(Maximum, str(only))[1] == str(only)
    assert "there is 1 instance" in fails(DataError, Maximum, f"{only}#2")


def test_a_file_with_a_hash_in_its_name(tmp_path):
    (tmp_path / "a#2").write_text("5\n")
    assert find_instance(Maximum, str(tmp_path / "a#2"))[0].n == 5


def test_collections(folder):
    assert find_instance(SameGame, "standard/2")[0].rows.tolist() == [[1, 1, 1]]
    for name, way in (
        ("SolomonPotvinBengio/rc_201.2", 4),
        ("SolomonPotvinBengio/rc_201.2.txt", 4),
        ("AFG/rbg010a", 5),
    ):
        problem, full = find_instance(TSPTW, name, objective="makespan")
        assert problem.distance[0, 1] == way
        assert problem.objective == "makespan"
        assert full == name
    assert sorted(path.name for path in (folder / "tsptw").iterdir()) == [
        "AFG.tar.gz",
        "Langevin.tar.gz",
        "SolomonPotvinBengio",
    ]


def test_unknown_names(folder):
    assert "did you mean rc_201." in fails(DataError, TSPTW, "SolomonPotvinBengio/rc_201.9")
    assert "no instance '3' among its 2" in fails(DataError, SameGame, "standard/3")
    assert "did you mean standard/1?" in fails(DataError, SameGame, "standrad/1")
    assert "mean SolomonPotvinBengio/rc_201.1?" in fails(DataError, TSPTW, "rc_201.1")
    assert "mean AFG/rbg010a?" in fails(DataError, TSPTW, "afg/rbg010a")
    assert "collections are " in fails(DataError, TSPTW, "zzzz/1")
    assert "named as standard/NAME" in fails(DataError, SameGame, "nothing.txt")
    assert fails(DataError, Maximum, "none.txt") == "none.txt: there is no such file"
    assert "there is no" in fails(DataError, TSPTW, "SolomonPesant/rc201.0")


def test_bad_data(folder, monkeypatch):
    assert "AFG/bad.tw, line 2: 'x' is not a number" in fails(DataError, TSPTW, "AFG/bad")
    assert "archive" in fails(DataError, TSPTW, "Langevin/N20ft301")
    monkeypatch.setenv("PLAYOUT_DATA", str(folder / "not there"))
    assert "is not a folder" in fails(DataError, SameGame, "standard/1")


def test_no_data_folder(monkeypatch):
    monkeypatch.delenv("PLAYOUT_DATA", raising=False)
    for text in ("standard/1", "standrad/1", "nothing.txt"):
        assert "set PLAYOUT_DATA" in fails(DataError, SameGame, text)
    assert all(not found.instances for found in list_data())


def test_list_data(folder):
    found = {(item.problem, item.collection): item for item in list_data()}
    assert found["samegame", "standard"].instances == ["1", "2"]
    assert found["samegame", "simple"].instances == []
    assert found["tsptw", "SolomonPotvinBengio"].instances == ["rc_201.1", "rc_201.2"]
    assert found["tsptw", "AFG"].instances == ["bad", "rbg010a"]
    assert "archive" in found["tsptw", "Langevin"].error
    with pytest.raises(DataError):
        list_data(folder / "not there")


@needs_data("samegame/boards.txt", "tsptw/AFG.tar.gz", "tsptw/SolomonPotvinBengio")
def test_the_public_data():
    found = {(d.problem, d.collection): len(d.instances) for d in list_data(DATA)}
    expected = {
        ("samegame", "standard"): 20,
        ("samegame", "simple"): 5,
        ("tsptw", "SolomonPotvinBengio"): 30,
        ("tsptw", "SolomonPesant"): 27,
        ("tsptw", "AFG"): 50,
        ("tsptw", "GendreauDumasExtended"): 130,
        ("tsptw", "Langevin"): 70,
        ("inversefolding", "eterna100"): 100,
    }
    assert {place: found[place] for place in expected} == expected


# options


def test_options_from_texts():
    texts = {"penalty": "true", "tabu": "no", "bias_limit": "2.5", "rows": "4"}
    assert parse_options(SameGame, texts) == {
        "penalty": True,
        "tabu": False,
        "bias_limit": 2.5,
        "rows": 4,
    }
    assert parse_options(TSPTW, {"objective": "makespan", "n": "5"}) == {
        "objective": "makespan",
        "n": 5,
    }
    assert parse_options(Maximum, {"n": "9"}) == {"n": 9}


@pytest.mark.parametrize(
    ("cls", "name", "text", "message"),
    [
        (SameGame, "penaly", "true", "did you mean penalty?"),
        (SameGame, "penalty", "perhaps", "penalty=perhaps: true or false"),
        (SameGame, "rows", "4.5", "rows=4.5: a whole number"),
        (SameGame, "bias_limit", "nan", "bias_limit=nan: a number"),
        (SameGame, "board", "1", "no option 'board'"),
        (SameGame, "seed", "1", "no option 'seed'"),
        (TSPTW, "objective", "time", "objective=time: one of travel, makespan"),
    ],
)
def test_bad_options(cls, name, text, message):
    with pytest.raises(OptionError) as caught:
        parse_options(cls, {name: text})
    assert message in str(caught.value)


def test_sizes_belong_to_made_instances(folder):
    assert "rows is an option of" in fails(OptionError, SameGame, "standard/1", rows=4)
    assert "only" in fails(OptionError, TSPTW, "AFG/rbg010a", n=4)
    assert "no option 'rws'" in fails(OptionError, SameGame, "random:1", rws=4)
    assert "no option" in fails(OptionError, SameGame, None, rws=4)
    assert "from 1 to 2000" in fails(OptionError, TSPTW, "random:1", n=0)


class Positional(Problem):
    """A user's class with a default for an argument that need not be a keyword."""

    def __init__(self, n=3, deep: bool | None = None):
        self.n, self.deep = n, deep


class Bare(Problem):
    """A user's class that needs to be told something."""

    def __init__(self, n):
        self.n = n


class Counted(Bare):
    """The same, with a type that says how to read it."""

    def __init__(self, n: int):
        super().__init__(n)


def test_what_has_no_default_can_be_given():
    assert parse_options(Counted, {"n": "8"}) == {"n": 8}
    assert find_instance(Counted, None, n=8)[0].n == 8
    with pytest.raises(OptionError, match=r"only what is declared as int, .* as n: int"):
        parse_options(Bare, {"n": "8"})


def test_classes_of_other_people():
    options = parse_options(Positional, {"n": "8", "deep": "yes"})
    assert options == {"n": 8, "deep": True}
    assert parse_options(Positional, {"deep": "none"}) == {"deep": None}
    assert find_instance(Positional, None, **options)[0].n == 8
    assert "no default instance" in fails(ProblemError, Bare, None)
    assert "no random instances" in fails(ProblemError, Bare, "random:1")
    assert "reads no files" in fails(ProblemError, Bare, __file__)


# files


def test_read_text(tmp_path):
    file = tmp_path / "text.txt"
    file.write_bytes(b"\xef\xbb\xbfhello\n")
    assert read_text(file) == "hello\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"a\0b", "not a text file"),
        (b"a\nb\xff\n", "line 2: is not a text file"),
        (b"x" * 1001, "1,001 bytes; at most 1,000"),
    ],
)
def test_files_that_are_not_text(tmp_path, content, reason):
    file = tmp_path / "file.txt"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_text(file, most_bytes=1000)
    assert str(caught.value).startswith(str(file))
    assert reason in str(caught.value)


def test_places_that_are_not_files(tmp_path):
    with pytest.raises(DataError, match="is a folder"):
        read_text(tmp_path)
    for place in (tmp_path / "none", tmp_path / ("x" * 5000), "nul\0byte"):
        with pytest.raises(DataError, match=r"no such file|cannot be read"):
            read_text(place)


def test_members_of_an_archive(folder):
    archive = folder / "tsptw" / "AFG.tar.gz"
    assert read_member(archive, "AFG/rbg010a.tw") == INSTANCE.format(5)
    with pytest.raises(DataError, match="has no file"):
        read_member(archive, "AFG/none")
    with pytest.raises(DataError, match="at most 5"):
        read_member(archive, "AFG/rbg010a.tw", most_bytes=5)
    with pytest.raises(DataError, match="no such file"):
        read_member(folder / "none.tar.gz", "x")


# the registry and the user's own problems


def test_registry():
    assert {SameGame, TSPTW, Maximum} <= {PROBLEMS.find(name) for name in PROBLEMS}
    assert PROBLEMS.find("tsptw") is TSPTW
    for name in ("same-game", "samegam"):
        with pytest.raises(PlayoutError, match="did you mean samegame"):
            PROBLEMS.find(name)
        with pytest.raises(PlayoutError, match="did you mean samegame"):
            PROBLEMS.find(name)
    with pytest.raises(ImportError, match="Nothing"):
        from playout.problems import Nothing  # noqa: F401


def test_importing_the_registry_is_cheap():
    """It imports neither a problem nor, unless the package itself does, Numba."""
    code = (
        "import sys, playout; before = 'numba' in sys.modules; import playout.problems; "
        "assert ('numba' in sys.modules) == before; "
        "assert 'playout.problems.samegame' not in sys.modules or before"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a file and load it as a problem; what was imported is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)

    def load(source, name="", file="my_own_problem.py"):
        (tmp_path / file).write_text(source)
        return PROBLEMS.find(str(tmp_path / file) + name)

    yield load
    for module in set(sys.modules) - before:
        del sys.modules[module]


MINE = "import playout.contract\nclass Mine(playout.contract.Problem):\n    '''{}'''\nX = 3\n"


def test_own_class(own, tmp_path):
    cls = own(MINE.format("one"), ":Mine")
    assert cls.__module__ == "my_own_problem"
    assert sys.modules["my_own_problem"].Mine is cls
    assert own(MINE.format("one"), ":Mine") is cls
    assert own(MINE.format("two"), ":Mine").__doc__ == "two"
    assert own(MINE.format("two")).__doc__ == "two"  # the only problem in the file


def test_own_class_has_neighbours(own, tmp_path):
    (tmp_path / "my_own_neighbour.py").write_text("DOC = 'from next door'\n")
    source = MINE.format("x") + "import my_own_neighbour\nMine.__doc__ = my_own_neighbour.DOC\n"
    assert own(source, ":Mine").__doc__ == "from next door"


def test_own_file_named_like_another_module(own):
    import random

    assert own(MINE.format("x"), ":Mine", file="random.py").__module__ == "random_"
    assert sys.modules["random"] is random


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        (MINE, ":Mime", "no class 'Mime'; did you mean Mine?"),
        (MINE, ":X", "X is not a class"),
        ("class Other: pass\n", ":Other", "Other is not a problem"),
        (
            "import playout\nclass G(playout.Game): pass\n",
            ":G",
            "G is a game, and this is for problems",
        ),
        ("x = 1\n", ":Mine", "no subclass of playout.Problem"),
        ("x = 1\n", "", "name the class"),
        ("x = 1\n\ny = x / 0\n", ":Mine", "py, line 3: ZeroDivisionError: division by zero"),
        ("def f():\n    return [][1]\nf()\n", ":Mine", "py, line 2: IndexError"),
        ("x = 1\ndef f(:\n", ":Mine", "py, line 2: "),
        ("import nowhere_to_be_found\n", ":Mine", "py, line 1: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", ":Mine", "py, line 1: SystemExit: 3"),
        ("", ":Mine", "the file is empty"),
    ],
)
def test_own_class_that_is_wrong(own, source, name, message):
    with pytest.raises(PlayoutError) as caught:
        own(source, name)
    assert message in str(caught.value)
    assert "my_own_problem.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_own_class_that_is_not_there(tmp_path):
    with pytest.raises(PlayoutError, match="there is no such file"):
        PROBLEMS.find(f"{tmp_path}/nothing.py:Mine")
    with pytest.raises(PlayoutError, match="is a folder"):
        PROBLEMS.find(f"{tmp_path}:Mine")
    (tmp_path / "notes.txt").write_text("x = 1\n")
    with pytest.raises(PlayoutError, match=r"end in \.py"):
        PROBLEMS.find(f"{tmp_path}/notes.txt:Mine")


@pytest.mark.parametrize(
    ("method", "text", "message"),
    [
        ("def default(self): return self", None, r"default\(\) .*write @classmethod above it"),
        ("def random(self, seed): return self", "random:1", "write @classmethod above it"),
        ("@classmethod\n def default(cls): pass", None, r"returned None; an instance is due"),
        ("@classmethod\n def random(cls, seed): return 5", "random:1", "returned 5; an instance"),
        ("@classmethod\n def read(cls, path): return 5", __file__, "5; a list of instances is due"),
    ],
)
def test_own_ways_to_make_instances_that_are_wrong(method, text, message):
    names = {"Problem": Problem}
    exec(f"class Mine(Problem):\n {method}", names)
    with pytest.raises(ProblemError, match=message):
        find_instance(names["Mine"], text)
