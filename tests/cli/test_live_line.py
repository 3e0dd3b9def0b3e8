"""The live line: what a terminal is shown of a run under way, and a pipe is not."""

from __future__ import annotations

import io
import os
import re
import threading
from contextlib import redirect_stderr, suppress

import pytest

from playout.cli.failures import INTERRUPTED, finish_compiling, reported
from playout.cli.live_line import LiveLine, search_line, waiting
from playout.interrupts import COMPILING
from playout.stop import Never, Playouts, Progress, Seconds
from playout.text.live_words import Shown, how_far, time_words
from playout.text.numbers import clock


class Terminal(io.StringIO):
    """A terminal that keeps what it is shown."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


def progress(seconds: float, playouts: int) -> Progress:
    return Progress(seconds, playouts, 12.5, 0, 0, playouts / seconds)


def test_search(terminal: Terminal) -> None:
    with redirect_stderr(terminal), search_line(Seconds(20), "compiling ...", True) as line:
        line._rich.refresh()
        line.update(progress(10, 5000))
        line._rich.refresh()
    shown = terminal.getvalue()
    assert re.search(r"compiling \.\.\. \d+ s", shown)
    for words in ("best ", "12.5", "5,000 playouts  500/s  10 s", "10 s left"):
        assert words in shown
    assert shown.count("\n") == 1  # one line, which is taken away at the end
    assert shown.endswith("\x1b[1A\x1b[2K")


def test_waiting_says_how_far_it_is(terminal: Terminal) -> None:
    with redirect_stderr(terminal), waiting("checking ...") as line:
        line.update("7 positions")
        line._rich.refresh()
    assert "checking ... 7 positions" in terminal.getvalue()


def test_what_says_nothing_yet(terminal: Terminal) -> None:
    with (
        redirect_stderr(terminal),
        LiveLine(lambda games: Shown(["3 games"]) if games else None) as line,
    ):
        line.update(0)
        line._rich.refresh()
        assert "starting ... 0 s" in terminal.getvalue()
        line.update(3)
        line._rich.refresh()
    assert "3 games" in terminal.getvalue()


def test_too_long_for_the_terminal(terminal: Terminal) -> None:
    with redirect_stderr(terminal), LiveLine(lambda words: Shown([words])) as line:
        line.update("word " * 100)
        line._rich.refresh()
    assert "…" in terminal.getvalue()
    assert terminal.getvalue().count("\n") == 1


@pytest.mark.parametrize("wanted", [True, False])
def test_nothing_in_a_pipe(wanted: bool) -> None:
    pipe = io.StringIO()
    with redirect_stderr(pipe), search_line(Playouts(10), "compiling ...", wanted) as line:
        line.update(progress(1, 5))
    assert pipe.getvalue() == ""
    assert line.progress.playouts == 5


def test_not_wanted(terminal: Terminal) -> None:
    with redirect_stderr(terminal), search_line(Playouts(10), "compiling ...", False):
        pass
    assert terminal.getvalue() == ""


def test_ctrl_c_says_what_is_safe(terminal: Terminal) -> None:
    line = LiveLine(lambda runs: Shown([]), safe=lambda runs: f"{runs} runs are safe")
    with redirect_stderr(terminal), reported() as outcome, line:
        line.update(3)
        raise KeyboardInterrupt
    assert outcome.code == INTERRUPTED
    assert terminal.getvalue().endswith("playout: interrupted; 3 runs are safe\n")


def test_an_error_ends_the_line(terminal: Terminal) -> None:
    with redirect_stderr(terminal), suppress(ValueError), waiting("checking ..."):
        raise ValueError
    assert terminal.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")  # the cursor is there again


def test_how_far() -> None:
    assert how_far(Seconds(40), progress(10, 100)) == (0.25, 30.0)
    assert how_far(Playouts(400), progress(10, 100)) == (0.25, 30.0)
    assert how_far(Never(), progress(10, 100))[0] is None


def test_times() -> None:
    assert [clock(s) for s in (7, 90, 7200)] == ["7 s", "1:30", "2:00:00"]
    assert time_words(7, None) == time_words(7, float("inf")) == ["7 s"]
    assert time_words(7, 90) == ["7 s", (", 1:30 left", "dim")]


def test_a_process_says_that_it_compiles_for_the_next_run(terminal, monkeypatch):
    compiled, left = threading.Event(), []
    monkeypatch.setattr(os, "_exit", left.append)
    thread = threading.Thread(target=compiled.wait, name=COMPILING, daemon=True)
    thread.start()
    finish_compiling(INTERRUPTED)  # who has pressed Ctrl-C does not wait
    assert left == [INTERRUPTED]
    threading.Timer(0.1, compiled.set).start()
    with redirect_stderr(terminal):
        finish_compiling(0)
    assert not thread.is_alive()
    assert "compiling more for the next run" in terminal.getvalue()
    assert left == [INTERRUPTED]
