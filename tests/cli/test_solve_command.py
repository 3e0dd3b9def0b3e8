"""The command line as a user meets it: output and exit codes, a few of them of real processes."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import playout
from playout.cli import COMMANDS
from tests.support.cli_shell import KNAPSACK, RANDOM, Shell
from tests.support.forms import long

EXAMPLES = Path(__file__).parents[2] / "examples"

UNCOMPILABLE = KNAPSACK.replace(
    "        return state.worth\n", "        return float(str(state.worth))  # not for Numba\n"
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def same(result: dict) -> tuple:
    """What must be the same in two runs with one seed."""
    names = (
        "problem",
        "instance",
        "algorithm",
        "options",
        "seed",
        "score",
        "moves",
        "playouts",
        "verified",
    )
    return tuple(result[name] for name in names)


class TestHelp:
    """Help teaches: what a command does, its options and examples; and it is quick."""

    @pytest.mark.parametrize("words", [[], ["--help"], *([command, "-h"] for command in COMMANDS)])
    def test_help(self, shell: Shell, words: list[str]) -> None:
        done = shell(*words)
        assert (done.returncode, done.stderr) == (0, "")
        assert "examples:" in done.stdout
        assert 3 <= done.stdout.count("\n  playout ") <= 8
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

    @pytest.mark.parametrize(
        ("words", "hint"),
        [
            (["algoritms"], "did you mean algorithms?"),
            (["algorithms", "gnrp"], "gnrpa"),
            (["problems", "samegam"], "samegame"),
            (["data", "xyzzy"], "there are: "),
        ],
    )
    def test_unknown(self, shell: Shell, words: list[str], hint: str) -> None:
        assert hint in shell.refused("list", *words)


def test_the_whole_list_of_moves_where_it_is_asked_for(shell: Shell) -> None:
    words = ("solve", "samegame", "-a", "random", "--playouts", "1", "--seed", "1", "--interpreted")
    moves = shell.json(*words)["moves"]
    assert len(" ".join(moves)) > 200
    assert f"{len(moves)}: {' '.join(moves)}\n" in shell(*words, "--moves").stdout
    assert " ...\n" in shell(*words).stdout
    assert "have every move already" in shell.refused(*words, "--moves", "--json")


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
        assert list(first) == [
            "problem",
            "instance",
            "algorithm",
            "options",
            "seed",
            "score",
            "moves",
            "playouts",
            "seconds",
            "verified",
            "stopped_by",
            "curve",
        ]
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
        done = shell(
            "solve",
            "my_problem.py:Knapsack",
            *RANDOM,
            "--save",
            saved,
            "--plot",
            "curve.svg",
            "--checkpoint",
            "run.ckpt",
        )
        assert done.returncode == 0
        result = playout.Result.load(saved)
        assert (result.playouts, result.verified) == (300, True)
        assert "<svg" in (shell.folder / "curve.svg").read_text()
        assert sorted(path.name for path in shell.folder.iterdir() if path.is_file()) == [
            "curve.svg",
            "my_problem.py",
            "result.json",
            "run.ckpt",
        ]

    def test_events_are_lines_of_json_and_the_result_is_the_same(self, shell: Shell) -> None:
        command = ("solve", "my_problem.py:Knapsack", *RANDOM, "--interpreted")
        shell.write("loud.py", "print('hello')\n" + KNAPSACK)
        done = shell("solve", "loud.py:Knapsack", *RANDOM, "--interpreted", "--events", "-")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, done.stderr) == (0, "hello\n")
        assert [line["event"] for line in lines[:1] + lines[-1:]] == ["compiling", "finished"]
        plain = shell.json(*command)
        assert same(lines[-1])[1:] == same(plain)[1:]
        improved = [line for line in lines if line["event"] == "improved"]
        points = [point[1:] for line in improved for point in line["points"]]
        assert points == [point[1:] for point in plain["curve"]]
        done = shell(*command, "--events", "events.jsonl")
        assert "the replay agrees" in done.stdout
        last = (shell.folder / "events.jsonl").read_text().splitlines()[-1]
        assert same(json.loads(last)) == same(plain)

    def test_events_that_cannot_be(self, shell: Shell) -> None:
        command = ("solve", "my_problem.py:Knapsack", *RANDOM, "--interpreted", "--events")
        for words in (("-", "--json"), ("-", "--show"), ("nowhere/e.jsonl",), (".",), ("",)):
            done = shell(*command, *words)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)

    def test_a_solution_is_drawn(self, shell: Shell) -> None:
        done = shell(
            "solve",
            "samegame",
            "-p",
            "rows=4",
            "-p",
            "columns=4",
            "-a",
            "random",
            "--playouts",
            "20",
            "--interpreted",
            "--svg",
            "strip.svg",
            "--html",
            "film.html",
            "--json",
        )
        assert (done.returncode, done.stderr) == (0, "")
        moves = json.loads(done.stdout)["moves"]
        assert (shell.folder / "strip.svg").read_text().count("<svg") == 5
        page = (shell.folder / "film.html").read_text()
        steps = json.loads(re.search(r'id="film">(.*)</script>', page)[1])["steps"]
        assert [step["move"] for step in steps] == [*moves, ""]

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
        assert "the replay agrees" in done.stdout  # the search was not in vain
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
    # a path comes next
    endless = (*command, "--seconds", "10m", "--json", "--checkpoint-every", "0.2", "--checkpoint")

    @pytest.mark.long
    def test_killed_and_resumed(self, shell: Shell) -> None:
        command = (*self.command, "-o", "level=4", "--playouts", "800_000")
        expected = shell.json(*command)
        path = shell.folder / "run.ckpt"
        checkpoint = ("--checkpoint", path, "--checkpoint-every", "0.2")
        process = shell.start(*command, *checkpoint)
        shell.wait_for("run.ckpt", process)
        assert process.poll() is None, "the run is too short to be killed half-way"
        process.kill()
        process.communicate()
        resumed = shell.json(*command, *checkpoint)
        assert same(resumed) == same(expected)
        assert [p[1:] for p in resumed["curve"]] == [p[1:] for p in expected["curve"]]
        assert [p.name for p in shell.folder.glob("*.ckpt*")] == ["run.ckpt"]

    def test_options_behind_the_name(self, shell: Shell) -> None:
        few = ("solve", "maximum", "-p", "n=9", "--playouts", "40", "--seed", "1", "--interpreted")
        spelt = shell.json(*few, "-a", "gnrpa", "-o", "level=2", "-o", "N=5")
        assert spelt["options"]["N"] == 5
        assert same(shell.json(*few, "-a", "gnrpa:level=2,N=5")) == same(spelt)
        assert same(shell.json(*few, "-a", "gnrpa:level=2", "-o", "N=5")) == same(spelt)
        message = shell.refused(*few, "-a", "gnrpa:level=2", "-o", "level=3")
        assert "level is given twice: 2 in gnrpa:level=2, and level=3" in message

    @pytest.mark.parametrize("number", [long(signal.SIGINT), signal.SIGTERM])
    def test_a_signal_ends_it_with_the_best_so_far(self, shell: Shell, number: int) -> None:
        path = shell.folder / "run.ckpt"
        process = shell.start(*self.endless, path, "--save", "best.json")
        shell.wait_for("run.ckpt", process)
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (128 + number, "")
        result = json.loads(out)
        assert (result["stopped_by"], result["verified"]) == ("interrupt", True)
        saved = json.loads((shell.folder / "best.json").read_text())
        assert saved["score"] == result["score"]
        again = (*self.command, "--json", "--checkpoint", path)
        more = json.loads(shell(*again, "--playouts", result["playouts"] + 1000).stdout)
        assert more["playouts"] == result["playouts"] + 1000

    def test_sigterm_ends_what_a_shell_runs_in_the_background(self, shell: Shell) -> None:
        path = shell.folder / "run.ckpt"
        ignore = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN) and None}
        process = shell.start(*self.endless, path, **ignore)
        shell.wait_for("run.ckpt", process)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (143, "")
        assert json.loads(out)["stopped_by"] == "interrupt"

    def test_ctrl_c_before_anything_is_found(self, shell: Shell) -> None:
        shell.write("slow.py", "open('loading', 'w').close()\nimport time\ntime.sleep(600)\n")
        process = shell.start("solve", "slow.py:Slow")
        shell.wait_for("loading", process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, out) == (130, "")
        assert err == "playout: interrupted before there was a result\n"

    def test_live_line_in_a_terminal(self, shell: Shell) -> None:
        master, slave = pty.openpty()
        process = shell.start(*self.command, "--seconds", "10m", stderr=slave)
        os.close(slave)
        shown, wanted = b"", (b"compiling", b"best ", b"playouts", b"/s", b"left")
        while not all(words in shown for words in wanted):
            shown += os.read(master, 65536)  # raises where the process has ended
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is closed
            while os.read(master, 65536):
                pass
        os.close(master)
        out, _ = process.communicate(timeout=600)
        assert process.returncode == 130
        assert out.startswith("problem     maximum default n=41\n")
        assert "\x1b" not in out

    def test_no_live_line_in_a_pipe(self, shell: Shell) -> None:
        done = shell(*self.command, "--seconds", "0.5", "--workers", "2")
        assert (done.returncode, done.stderr) == (0, "")
        assert "\x1b" not in done.stdout


class TestCheck:
    def test_examples(self, shell: Shell) -> None:
        for name in ("knapsack.py:Knapsack", "black_box.py:Sensors"):
            done = shell("check", EXAMPLES / name, "--games", "10", "--interpreted")
            assert (done.returncode, done.stderr) == (0, "")

    def test_examples_are_solved(self, shell: Shell) -> None:
        for name in ("knapsack.py:Knapsack", "black_box.py:Sensors"):
            done = shell(
                "solve",
                EXAMPLES / name,
                "-a",
                "random",
                "--playouts",
                "50",
                "--interpreted",
                "--show",
            )
            assert (done.returncode, done.stderr) == (0, "")
            assert "the replay agrees" in done.stdout

    def test_findings(self, shell: Shell) -> None:
        few = "self.max_moves, self.max_length = 4, 10"
        shell.write("bad.py", KNAPSACK.replace("self.max_moves = self.max_length = 10", few))
        done = shell("check", "bad.py:Knapsack", "--interpreted")
        assert (done.returncode, done.stderr) == (1, "")
        assert "max_moves" in done.stdout
