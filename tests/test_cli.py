"""The command line, as a user meets it: real processes, their output and their exit codes.

A bad input is one line on stderr and exit code 2, and nothing is written. All processes share
one cache of compiled code, so that each kernel is compiled once.
"""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import playout

EXAMPLES = Path(__file__).parent.parent / "examples"

KNAPSACK = '''
import numpy as np
import playout

class Knapsack(playout.Problem):
    """Fill a sack."""

    fields = ("weight", "value", "capacity")

    def __init__(self, capacity: int = 60):
        self.weight = np.array([12, 7, 11, 8, 9, 6, 7, 3, 10, 15])
        self.value = np.array([24.0, 13, 23, 15, 16, 11, 12, 5, 19, 30])
        self.capacity = capacity
        self.max_moves = self.max_length = 10
        self.move_type = playout.record(index="i8")
        self.state_type = playout.record(room="i8", worth="f8", taken=("i1", 10))

    def reset(self, state):
        state.room = self.capacity

    def moves(self, state, moves):
        n = 0
        for item in range(10):
            if not state.taken[item] and self.weight[item] <= state.room:
                moves[n].index = item
                n += 1
        return n

    def play(self, state, move):
        state.taken[move.index] = 1
        state.room -= self.weight[move.index]
        state.worth += self.value[move.index]

    def score(self, state):
        return state.worth
'''

UNCOMPILABLE = KNAPSACK.replace(
    "        return state.worth\n", "        return float(str(state.worth))  # not for Numba\n"
)

RANDOM = ("-a", "random", "--playouts", "300", "--seed", "1")


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all processes of all of pytest's workers."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cli-cache"


class Shell:
    """A folder to work in, and commands run there."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PLAYOUT_CACHE": str(cache), "COLUMNS": "100"}
        self.environment.pop("PLAYOUT_DATA", None)
        (folder / "my_problem.py").write_text(KNAPSACK)

    def start(self, *words: object, **settings: object) -> subprocess.Popen[str]:
        """A process that is running."""
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
        return subprocess.Popen(
            [sys.executable, "-m", "playout", *map(str, words)],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, text=True,
            # a shell may have started pytest with Ctrl-C switched off
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
            **settings,
        )  # type: ignore[call-overload] # fmt: skip

    def __call__(self, *words: object) -> subprocess.CompletedProcess[str]:
        """A process that has ended."""
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def json(self, *words: object) -> dict:
        """The object that a command prints."""
        done = self(*words, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def refused(self, *words: object) -> str:
        """The one line that a bad command gets; it leaves no file behind and changes none."""
        before = self.files()
        done = self(*words)
        assert done.returncode == 2, done
        assert done.stdout == ""
        assert done.stderr.startswith("playout: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert self.files() == before
        return done.stderr

    def files(self) -> dict[str, tuple[int, int]]:
        """Every file in the folder, with its length and time."""
        found = (path for path in self.folder.rglob("*") if "__pycache__" not in str(path))
        return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in found if p.is_file()}

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


@pytest.fixture
def shell(tmp_path: Path, cache: Path) -> Shell:
    return Shell(tmp_path, cache)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a process has written a file."""
    deadline = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def same(result: dict) -> tuple:
    """What must be the same in two runs with one seed."""
    names = ("problem", "instance", "algorithm", "options", "seed", "score", "moves", "playouts",
             "verified")  # fmt: skip
    return tuple(result[name] for name in names)


class TestHelp:
    """Help teaches: what a command does, its options and examples; and it is quick."""

    @pytest.mark.parametrize("words", [[], ["--help"], ["solve", "-h"], ["list", "-h"],
                                       ["check", "--help"]])  # fmt: skip
    def test_help(self, shell: Shell, words: list[str]) -> None:
        done = shell(*words)
        assert (done.returncode, done.stderr) == (0, "")
        assert "examples:" in done.stdout
        assert 3 <= done.stdout.count("\n  playout ") <= 5
        assert max(map(len, done.stdout.splitlines())) <= 130

    def test_version(self, shell: Shell) -> None:
        assert shell("--version").stdout == f"playout {playout.__version__}\n"

    def test_help_imports_nothing_heavy(self, shell: Shell) -> None:
        code = (
            "import sys\nfrom playout.cli import main\n"
            "try: main(['solve', '--help'])\nexcept SystemExit: pass\n"
            "sys.exit(str({'numpy', 'numba', 'rich', 'matplotlib'} & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stderr == "set()\n"


class TestList:
    def test_overview(self, shell: Shell) -> None:
        text = shell("list").stdout
        for word in ("samegame", "tsptw", "maximum", "gnrpa", "uct", "file.py:Class"):
            assert word in text

    def test_algorithms(self, shell: Shell) -> None:
        done = shell("list", "algorithms")
        assert done.returncode == 0
        for name in ("random", "nmcs", "nrpa", "snrpa", "gnrpa", "uct"):
            assert f"\n{name}\n" in "\n" + done.stdout
        for word in ("-o level", "Rosin", "a number over 0", "learning rate"):
            assert word in done.stdout

    def test_one_algorithm(self, shell: Shell) -> None:
        text = shell("list", "algorithms", "gnrpa").stdout
        assert text.startswith("gnrpa\n")
        assert "\nuct\n" not in text

    def test_problems(self, shell: Shell) -> None:
        assert "-p colours" in shell("list", "problems", "samegame").stdout
        assert "-p capacity" in shell("list", "problems", "my_problem.py:Knapsack").stdout

    def test_data(self, shell: Shell) -> None:
        assert "PLAYOUT_DATA is not set" in shell("list", "data").stdout
        (shell.folder / "samegame").mkdir()
        shell.write("samegame/boards.txt", "0 1\n0 1\n\n1 1\n0 0\n")
        shell.environment["PLAYOUT_DATA"] = str(shell.folder)
        assert "standard/1 standard/2" in shell("list", "data").stdout

    @pytest.mark.parametrize(("words", "hint"), [
        (["algoritms"], "did you mean algorithms?"),
        (["algorithms", "gnrp"], "gnrpa"),
        (["problems", "samegam"], "samegame"),
        (["data", "nothing"], "there are: "),
    ])  # fmt: skip
    def test_unknown(self, shell: Shell, words: list[str], hint: str) -> None:
        assert hint in shell.refused("list", *words)


class TestOwnProblem:
    """A user's file, with the fastest algorithm to compile."""

    def test_solve(self, shell: Shell) -> None:
        done = shell("solve", "my_problem.py:Knapsack", *RANDOM, "--show")
        assert (done.returncode, done.stderr) == (0, "")
        for words in ("the replay agrees", "300 in", "start\n", "end\n", "my_problem.py:Knapsack"):
            assert words in done.stdout

    def test_json_is_the_same_twice(self, shell: Shell) -> None:
        command = ("solve", "my_problem.py:Knapsack", *RANDOM)
        first, second = shell.json(*command), shell.json(*command)
        assert list(first) == ["problem", "instance", "algorithm", "options", "seed", "score",
                               "moves", "playouts", "seconds", "verified", "stopped_by",
                               "curve"]  # fmt: skip
        assert same(first) == same(second)
        assert first["verified"] is True
        assert first["problem"] == "my_problem.py:Knapsack"
        assert (first["playouts"], first["stopped_by"]) == (300, "playouts")
        assert [point[1:] for point in first["curve"]] == [p[1:] for p in second["curve"]]
        assert first["curve"][-1][2] == first["score"]

    def test_interpreted_gives_the_same_result(self, shell: Shell) -> None:
        command = ("solve", "my_problem.py:Knapsack", *RANDOM)
        assert same(shell.json(*command)) == same(shell.json(*command, "--interpreted"))

    def test_prints_of_the_problem_stay_out_of_json(self, shell: Shell) -> None:
        shell.write("loud.py", "print('hello')\n" + KNAPSACK)
        done = shell("solve", "loud.py:Knapsack", *RANDOM, "--json", "--interpreted")
        assert json.loads(done.stdout)["verified"] is True
        assert done.stderr == "hello\n"

    def test_numbers_that_json_does_not_have(self, shell: Shell) -> None:
        shell.write("endless.py", KNAPSACK.replace("return state.worth", "return -np.inf"))
        done = shell("solve", "endless.py:Knapsack", *RANDOM, "--json", "--interpreted")
        assert json.loads(done.stdout, parse_constant=pytest.fail)["score"] is None

    def test_stop_criteria_combine(self, shell: Shell) -> None:
        command = ("solve", "my_problem.py:Knapsack", "-a", "random", "--seconds", "1m")
        assert shell.json(*command, "--target", "50")["stopped_by"] == "target"
        assert shell.json(*command, "--stagnation", "2000")["stopped_by"] == "stagnation"
        assert shell.json(*command[:-1], "0.2")["stopped_by"] == "seconds"

    def test_files(self, shell: Shell) -> None:
        saved = shell.write("result.json", "something older")
        done = shell("solve", "my_problem.py:Knapsack", *RANDOM, "--save", saved,
                     "--plot", "curve.svg", "--checkpoint", "run.ckpt")  # fmt: skip
        assert done.returncode == 0
        result = playout.Result.load(saved)
        assert (result.playouts, result.verified) == (300, True)
        assert "<svg" in (shell.folder / "curve.svg").read_text()
        assert sorted(path.name for path in shell.folder.iterdir() if path.is_file()) == [
            "curve.svg", "my_problem.py", "result.json", "run.ckpt",
        ]  # fmt: skip

    def test_reader_that_goes_away(self, shell: Shell) -> None:
        process = shell.start("solve", "my_problem.py:Knapsack", *RANDOM, "--show")
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        with process.stderr as errors:
            assert errors.read() == ""
        process.wait()

    def test_exception_in_the_problem_is_one_line(self, shell: Shell) -> None:
        shell.write(
            "broken.py", KNAPSACK + "\n    def render(self, state):\n        return 1 / 0\n"
        )
        done = shell("solve", "broken.py:Knapsack", *RANDOM, "--show", "--interpreted")
        assert done.returncode == 2
        line = len(KNAPSACK.splitlines()) + 3
        assert done.stderr == (
            f"playout: broken.py, line {line}, in render: ZeroDivisionError: division by zero\n"
        )

    def test_checkpoint_of_another_run(self, shell: Shell) -> None:
        command = ["solve", "my_problem.py:Knapsack", *RANDOM, "--checkpoint", "run.ckpt"]
        assert shell(*command).returncode == 0
        assert "seed" in shell.refused(*command[:-3], "2", *command[-2:])
        assert "instance" in shell.refused(*command, "-p", "capacity=50")
        path = shell.folder / "my_problem.py"
        path.write_text(KNAPSACK.replace("return state.worth", "return state.worth + 1"))
        assert "has changed" in shell.refused(*command)
        path.write_text(KNAPSACK)
        whole = (shell.folder / "run.ckpt").read_bytes()
        shell.write("run.ckpt", whole[: len(whole) // 2])
        assert "run.ckpt" in shell.refused(*command)

    def test_uncompilable(self, shell: Shell) -> None:
        shell.write("hard.py", UNCOMPILABLE)
        line = next(i for i, t in enumerate(UNCOMPILABLE.splitlines(), 1) if "not for Numba" in t)
        message = shell.refused("solve", "hard.py:Knapsack", *RANDOM)
        assert f"line {line}" in message
        assert "--interpreted" in message
        assert shell.json("solve", "hard.py:Knapsack", *RANDOM, "--interpreted")["verified"]


class TestLongRuns:
    """Kill and resume, Ctrl-C, the live line: GNRPA on a small Maximum."""

    command = ("solve", "maximum", "-p", "n=41", "-a", "gnrpa", "--seed", "1")

    def test_killed_and_resumed(self, shell: Shell) -> None:
        command = (*self.command, "-o", "level=4", "--playouts", "400_000")
        expected = shell.json(*command)
        path = shell.folder / "run.ckpt"
        checkpoint = ("--checkpoint", path, "--checkpoint-every", "0.2")
        process = shell.start(*command, *checkpoint)
        wait_for(path, process)
        time.sleep(0.3)
        assert process.poll() is None, "the run is too short to be killed half-way"
        process.kill()
        process.communicate()
        resumed = shell.json(*command, *checkpoint)
        assert same(resumed) == same(expected)
        assert [p[1:] for p in resumed["curve"]] == [p[1:] for p in expected["curve"]]
        assert [p.name for p in shell.folder.glob("*.ckpt*")] == ["run.ckpt"]

    def test_ctrl_c_gives_the_best_so_far(self, shell: Shell) -> None:
        path = shell.folder / "run.ckpt"
        process = shell.start(*self.command, "--seconds", "10m", "--json", "--checkpoint", path,
                              "--checkpoint-every", "0.2")  # fmt: skip
        wait_for(path, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (130, "")
        result = json.loads(out)
        assert (result["stopped_by"], result["verified"]) == ("interrupt", True)

    def test_ctrl_c_before_anything_is_found(self, shell: Shell) -> None:
        shell.write("slow.py", "open('loading', 'w').close()\nimport time\ntime.sleep(60)\n")
        process = shell.start("solve", "slow.py:Slow")
        wait_for(shell.folder / "loading", process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out) == (130, "")
        assert err == "playout: interrupted before there was a result\n"

    def test_live_line_in_a_terminal(self, shell: Shell) -> None:
        master, slave = pty.openpty()
        process = shell.start(*self.command, "--seconds", "1", stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the other end is closed
                break
        os.close(master)
        out, _ = process.communicate()
        assert process.returncode == 0
        for words in (b"compiling", b"best ", b"playouts", b"/s", b"left"):
            assert words in shown
        assert out.startswith("problem     maximum default n=41\n")
        assert "\x1b" not in out

    def test_no_live_line_in_a_pipe(self, shell: Shell) -> None:
        done = shell(*self.command, "--seconds", "0.5", "--workers", "2")
        assert (done.returncode, done.stderr) == (0, "")
        assert "\x1b" not in done.stdout


class TestBadCommand:
    """Mistakes in the words of a command."""

    @pytest.mark.parametrize(("command", "hint"), [
        ("slove samegame", "did you mean solve?"),
        ("solve", "give PROBLEM"),
        ("solve samegam", "did you mean samegame"),
        ("solve maximum -a gnrp", "did you mean gnrpa"),
        ("solve maximum -o levle=3", "did you mean level"),
        ("solve maximum -o level", "'level' is not NAME=VALUE"),
        ("solve maximum -o level=x", "a whole number"),
        ("solve maximum -o level=0", "from 1 to"),
        ("solve maximum -o alpha=nan", "a number over 0"),
        ("solve maximum -o level=2 -o level=3", "given twice"),
        ("solve maximum -a uct -o value=men", "did you mean mean"),
        ("solve maximum -p m=3", "'m'"),
        ("solve maximum -p n=x", "a whole number"),
        ("solve maximum -p n=0", "n=0"),
        ("solve maximum -p n=9999999999999", "n=9999999999999"),
        ("solve maximum --secnds 3", "did you mean --seconds"),
        ("solve maximum one two", "'two'"),
        ("solve maximum --seconds 0", "'0' is no time"),
        ("solve maximum --seconds nan", "'nan' is no time"),
        ("solve maximum --seconds -5", "--seconds"),
        ("solve maximum --playouts 0", "'0' is no count"),
        ("solve maximum --playouts 1.5", "'1.5' is no count"),
        ("solve maximum --target inf", "'inf' is no number"),
        ("solve maximum --workers 0", "'0' is no number of workers"),
        ("solve maximum --workers 100000", "workers=100000"),
        ("solve maximum --seed -1", "seed"),
        ("solve maximum --seed 99999999999999999999", "seed"),
        ("solve maximum --parallel rot", "'rot'"),
        ("solve maximum --json --show", "--show"),
        ("solve maximum random:x", "random:1"),
        ("check", "give PROBLEM"),
        ("check my_problem.py:Knapsack --games none", "'none'"),
    ])  # fmt: skip
    def test_refused(self, shell: Shell, command: str, hint: str) -> None:
        assert hint in shell.refused(*command.split())


class TestBadFile:
    """Instances, problems, checkpoints and outputs that cannot be used."""

    @pytest.mark.parametrize(("content", "hint"), [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"0 1 0\n1 1", "line 2"),
        (b"0 1\n0 x\n", "line 2: 'x'"),
        (b"0 1\n0 -7\n", "line 2"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "not a text file"),
        (b"0 1\n\xff\xfe\n", "line 2"),
    ])  # fmt: skip
    def test_board(self, shell: Shell, content: bytes, hint: str) -> None:
        shell.write("board.txt", content)
        message = shell.refused("solve", "samegame", "board.txt")
        assert "board.txt" in message
        assert hint in message

    def test_truncated_tsptw(self, shell: Shell) -> None:
        shell.write("tour.txt", "4\n0 1 2 3\n1 0 1 2\n2 1")
        message = shell.refused("solve", "tsptw", "tour.txt")
        assert "tour.txt" in message
        assert "line 4" in message

    def test_very_large_file(self, shell: Shell) -> None:
        with open(shell.folder / "large.txt", "wb") as file:
            file.truncate(1 << 30)
        assert "bytes" in shell.refused("solve", "samegame", "large.txt")

    @pytest.mark.parametrize(("instance", "hint"), [
        ("nowhere.txt", "no such file"),
        (".", "folder"),
        ("board.txt#3", "there are 2 instances"),
        ("board.txt#0", "1 for the first"),
        ("standard/1", "PLAYOUT_DATA"),
    ])  # fmt: skip
    def test_instance(self, shell: Shell, instance: str, hint: str) -> None:
        shell.write("board.txt", "0 1\n0 1\n\n1 1\n0 0\n")
        assert hint in shell.refused("solve", "samegame", instance)

    @pytest.mark.parametrize(("problem", "hint"), [
        ("nowhere.py:Knapsack", "no such file"),
        ("my_problem.py:Napsack", "did you mean Knapsack"),
        ("my_problem.py:np", "is not a class"),
        ("wrong.py:Knapsack", "line 3"),
        ("raises.py:Knapsack", "raises.py, line 2: KeyError"),
        ("binary.py:Knapsack", "not a text file"),
    ])  # fmt: skip
    def test_problem(self, shell: Shell, problem: str, hint: str) -> None:
        shell.write("wrong.py", "import playout\n\nclass Knapsack(\n")
        shell.write("raises.py", "\n{}['x']\n")
        shell.write("binary.py", b"\0\1\2")
        assert hint in shell.refused("solve", problem)
        assert hint in shell.refused("check", problem)

    def test_exception_in_init(self, shell: Shell) -> None:
        shell.write("broken.py", KNAPSACK.replace("= capacity\n", "= capacity / 0\n"))
        assert "broken.py, line 13, in __init__" in shell.refused("solve", "broken.py:Knapsack")

    @pytest.mark.parametrize("content", [b"", b"garbage" * 100, b"PK\3\4" + b"x" * 100, None])
    def test_checkpoint(self, shell: Shell, content: bytes | None) -> None:
        if content is None:  # an archive, but not ours
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr("header.npy", "hello")
            content = buffer.getvalue()
        shell.write("run.ckpt", content)
        command = ("solve", "my_problem.py:Knapsack", *RANDOM, "--checkpoint", "run.ckpt")
        assert "run.ckpt" in shell.refused(*command)

    @pytest.mark.parametrize("option", ["--save", "--plot", "--svg", "--checkpoint"])
    def test_output(self, shell: Shell, option: str) -> None:
        command = ("solve", "samegame", "-p", "rows=4", "-p", "columns=4", option)
        assert "no folder" in shell.refused(*command, "missing/file.svg")
        assert "folder" in shell.refused(*command, ".")

    @pytest.mark.parametrize(("words", "hint"), [
        ("samegame --save /dev/full", "regular file"),
        ("samegame --save one --checkpoint ./one", "the same file"),
        ("samegame board.txt#1 --save board.txt", "would overwrite the instance"),
        ("my_problem.py:Knapsack --save my_problem.py", "would overwrite the problem"),
        ("my_problem.py:Knapsack --svg picture.svg", "draws no pictures"),
        ("samegame --plot curve.docx", "'docx' is no picture format"),
    ])  # fmt: skip
    def test_outputs_together(self, shell: Shell, words: str, hint: str) -> None:
        shell.write("board.txt", "0 1\n0 1\n")
        assert hint in shell.refused("solve", *words.split())


class TestCheck:
    def test_examples(self, shell: Shell) -> None:
        for name in ("knapsack.py:Knapsack", "black_box.py:Sensors"):
            done = shell("check", EXAMPLES / name, "--games", "10", "--interpreted")
            assert (done.returncode, done.stderr) == (0, "")

    def test_examples_are_solved(self, shell: Shell) -> None:
        for name in ("knapsack.py:Knapsack", "black_box.py:Sensors"):
            done = shell("solve", EXAMPLES / name, "-a", "random", "--playouts", "50",
                         "--interpreted", "--show")  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert "the replay agrees" in done.stdout

    def test_findings(self, shell: Shell) -> None:
        shell.write("bad.py", KNAPSACK.replace("self.max_moves = self.max_length = 10",
                                               "self.max_moves, self.max_length = 4, 10"))  # fmt: skip
        done = shell("check", "bad.py:Knapsack", "--interpreted")
        assert (done.returncode, done.stderr) == (1, "")
        assert "max_moves" in done.stdout
