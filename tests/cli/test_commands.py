"""The registry of commands: each is one file with the same parts, imported when it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from playout.cli import main, parse
from playout.cli.arguments import Parser
from playout.cli.commands import COMMANDS

MINE = '''
"""Say hello."""

USAGE = "playout hello NAME"
DESCRIPTION = EPILOG = ""

def add(parser):
    parser.group()("NAME", "whom")

def run(options):
    print("hello", options.name)
    return 7
'''


@pytest.mark.parametrize("name", COMMANDS)
def test_parts(name: str) -> None:
    command = COMMANDS[name]
    assert command.__doc__.startswith(f"`playout {name}`: ")
    assert command.USAGE.startswith(f"playout {name}")
    assert command.DESCRIPTION.endswith("\n")
    assert command.EPILOG.startswith("examples:\n")
    command.add(Parser(prog=f"playout {name}"))
    assert callable(command.run)


def imported(*words: str) -> set[str]:
    """The files of commands that a command line imports."""
    code = (
        "import sys\nfrom playout.cli import main\n"
        f"try: main({list(words)})\nexcept SystemExit: pass\n"
        "known = [m for m in sys.modules if m.startswith('playout.cli.commands.')]\n"
        "sys.stderr.write(' '.join(known))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return {name.rpartition(".")[2] for name in done.stderr.split()}


def test_only_what_is_asked_for_is_imported() -> None:
    assert imported("--version") == imported("--help") == set()
    assert imported("solve", "--help") == {"solve"}
    assert imported("list", "--help") == {"listing"}


def test_a_command_of_another_package(monkeypatch, tmp_path, capsys) -> None:
    (tmp_path / "a_hello_command.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)

    class Point:
        name, value, dist = "hello", "a_hello_command", None

    monkeypatch.setattr("playout.text.registry.entry_points", lambda group: [Point])
    COMMANDS.__dict__.pop("_others", None)
    try:
        assert main(["hello", "world"]) == 7
        assert capsys.readouterr().out == "hello world\n"
        with pytest.raises(SystemExit):
            main(["--help"])
        assert re.search(r"hello +Say hello\.", capsys.readouterr().out)
        assert main(["hello", "big", "world"]) == 2
        assert "see playout hello --help" in capsys.readouterr().err
    finally:
        COMMANDS.__dict__.pop("_others", None)


def test_options_before_the_command() -> None:
    with pytest.raises(Exception, match="there is no option --quick; did you mean --quiet"):
        parse(["--quick", "solve", "samegame"])
