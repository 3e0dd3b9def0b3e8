"""Every operation of a command on its files fails, or is its last: nothing is lost.

A layer below Python (`bench/soak/failing_files.c`) lets the first, the second, the third operation
fail, and so on, with a disk that is full from then on, one that fails once, or a process that is
killed there. For all commands: `python -m bench.soak writes --count 0`.
"""

from __future__ import annotations

import pytest

from bench.soak.forked_commands import ForkedCommands, missing
from bench.soak.writes import ALL, REASONS, Undisturbed

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

# commands, and of the long ones every so manyth operation
SHORT = ("solve maximum -p n=7 --interpreted -a nmcs --playouts 300 --seed 1 --save file", "color")
LONG = {
    "match": 1,
    "zonnscan": 1,
    "compare": 47,
    "train tictactoe --method mbm": 151,
    "reproduce": 41,
}


@pytest.fixture(scope="module")
def commands():
    with ForkedCommands() as commands:
        yield commands


@pytest.fixture(scope="module")
def few_commands():
    with ForkedCommands(modules=()) as commands:
        yield commands


def every_fault(commands, folder, start: str, step: int) -> None:
    (command,) = [one for one in ALL if one.words.startswith(start)]
    whole = Undisturbed(command, commands, folder / "commands")
    assert whole.operations >= 4
    for at in range(1, whole.operations + 1, step):
        for reason in REASONS:
            assert whole.disturb(at, reason) == "", (command.words, at, reason)


@pytest.mark.parametrize("start", SHORT)
def test_at_every_operation(few_commands, tmp_path, start):
    every_fault(few_commands, tmp_path, start, 1)


@pytest.mark.long
@pytest.mark.parametrize("start", LONG)
def test_at_some_operations(commands, tmp_path, start):
    if start.startswith(("train", "zonnscan")):
        pytest.importorskip("torch")
    every_fault(commands, tmp_path, start, LONG[start])
