"""For all tests: one cache of compiled code, kept in the clone, and how long they take.

Tests, their processes and the commands that they run share the cache, so that a kernel is compiled
once, and the next run compiles only what has changed. Tests of the cache itself have their own.
"""

from __future__ import annotations

import gc
import os
import secrets
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for what a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("PLAYOUT_CACHE", str(Path(__file__).parents[1] / ".cache" / "compiled"))
# Ray reads its token once in a process, when it is imported: all tests have the same, in any order
os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(16))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tenths", action="store_true", help="say how long each tenth of tests took")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--tenths"):
        config.pluginmanager.register(Tenths())


def pytest_collection_finish() -> None:
    """Look for garbage less often: compiling makes millions of objects, most of which stay."""
    gc.freeze()  # what is there now stays to the end
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(autouse=True)
def algorithms_as_they_are() -> Iterator[None]:
    """A name that a test has given to an algorithm of its own is not there for the next."""
    yield
    if "playout.algorithms" in sys.modules:
        sys.modules["playout.algorithms"].ALGORITHMS._adopted.clear()


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
