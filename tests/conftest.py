"""For all tests: one cache of compiled code, kept in the clone, and how long they take.

Tests, their processes and the commands that they run share the cache, so that a kernel is compiled
once, and the next run compiles only what has changed. Tests of the cache itself have their own.
"""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for what a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("PLAYOUT_CACHE", str(Path(__file__).parents[1] / ".cache" / "compiled"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tenths", action="store_true", help="say how long each tenth of tests took")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--tenths"):
        config.pluginmanager.register(Tenths())


class Tenths:
    """The seconds of each tenth of the tests, in the order of their files."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        tests = sorted(self.seconds)
        for tenth in range(10):
            part = tests[len(tests) * tenth // 10 : len(tests) * (tenth + 1) // 10]
            if part:
                first, last = (test.partition("::")[0] for test in (part[0], part[-1]))
                seconds = sum(self.seconds[test] for test in part)
                terminalreporter.write_line(
                    f"tenth {tenth + 1:2}: {seconds:6.1f} s, {len(part)} tests, {first} to {last}"
                )
