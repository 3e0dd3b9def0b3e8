"""Bad input to the command line: one clear line on stderr, exit code 2, and nothing written."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.support.cli_shell import KNAPSACK, RANDOM, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


class TestBadCommand:
    """Mistakes in the words of a command."""

    @pytest.mark.parametrize(
        ("command", "hint"),
        [
            ("slove samegame", "did you mean solve or prove?"),
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
            ("solve maximum -x", "there is no option -x"),
            ("prove hex:3 -p size=4", "a game's options are in its name"),
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
        ],
    )
    def test_refused(self, shell: Shell, command: str, hint: str) -> None:
        assert hint in shell.refused(*command.split())

    @pytest.mark.parametrize(
        "command", ["slove samegame", "solve maximum -o level=x", "check x.py"]
    )
    def test_refused_as_a_process(self, shell: Shell, command: str) -> None:
        """Within this process and as one of its own a command says the same."""
        here, process = shell(*command.split()), shell.process(*command.split())
        assert process.returncode == 2
        assert (process.stdout, process.stderr) == (here.stdout, here.stderr)


class TestBadFile:
    """Instances, problems, checkpoints and outputs that cannot be used."""

    @pytest.mark.parametrize(
        ("content", "hint"),
        [
            (b"", "empty"),
            (b" \n\n", "empty"),
            (b"0 1 0\n1 1", "line 2"),
            (b"0 1\n0 x\n", "line 2: 'x'"),
            (b"0 1\n0 -7\n", "line 2"),
            (b"\x89PNG\r\n\x1a\n\0\0\0", "not a text file"),
            (b"0 1\n\xff\xfe\n", "line 2"),
        ],
    )
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

    @pytest.mark.parametrize(
        ("instance", "hint"),
        [
            ("nowhere.txt", "no such file"),
            (".", "folder"),
            ("board.txt#3", "there are 2 instances"),
            ("board.txt#0", "1 for the first"),
            ("standard/1", "PLAYOUT_DATA"),
        ],
    )
    def test_instance(self, shell: Shell, instance: str, hint: str) -> None:
        shell.write("board.txt", "0 1\n0 1\n\n1 1\n0 0\n")
        assert hint in shell.refused("solve", "samegame", instance)

    @pytest.mark.parametrize(
        ("problem", "hint"),
        [
            ("nowhere.py:Knapsack", "no such file"),
            ("my_problem.py:Napsack", "did you mean Knapsack"),
            ("my_problem.py:np", "is not a class"),
            ("wrong.py:Knapsack", "line 3"),
            ("raises.py:Knapsack", "raises.py, line 2: KeyError"),
            ("binary.py:Knapsack", "not a text file"),
        ],
    )
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

    @pytest.mark.parametrize(
        ("words", "hint"),
        [
            ("samegame --save /dev/full", "regular file"),
            ("samegame --save one --checkpoint ./one", "the same file"),
            ("samegame board.txt#1 --save board.txt", "would overwrite the instance"),
            ("my_problem.py:Knapsack --save my_problem.py", "would overwrite the problem"),
            ("my_problem.py:Knapsack --svg picture.svg", "draws no pictures"),
            ("samegame --plot curve.docx", "'docx' is no picture format"),
        ],
    )
    def test_outputs_together(self, shell: Shell, words: str, hint: str) -> None:
        shell.write("board.txt", "0 1\n0 1\n")
        assert hint in shell.refused("solve", *words.split())
