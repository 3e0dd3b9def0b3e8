"""`playout warm`: what is compiled once, and names that there are not."""

from __future__ import annotations

import re

import pytest

from tests.support.cli_shell import Shell


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    return Shell(tmp_path_factory.mktemp("warm"))


@pytest.mark.long
def test_it_compiles_and_says_what(shell):
    done = shell("warm", "tictactoe")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"tictactoe +[0-9.]+ s\n", done.stdout)


def test_bad_input_is_one_line(shell):
    assert "tictactoe" in shell.refused("warm", "tictactoee")
