"""How a command ends when something goes wrong: one line for a person, and an exit code.

| code | meaning |
|---|---|
| 0 | done, and the replay agrees |
| 1 | the replay does not agree, or `check` found something; or a bug in playout |
| 2 | something the user can mend |
| 130 | Ctrl-C |
| 143 | SIGTERM, as batch systems and containers send it: all that Ctrl-C keeps is kept |
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from playout.cli.live_line import waiting
from playout.cli.problem_arguments import problem_file
from playout.errors import NO_MEMORY, NotWrittenWarning, PlayoutError
from playout.interrupts import (
    COMPILING,
    ctrl_c_never_dropped,
    signals_heard_in_waits,
    sigterm_as_ctrl_c,
)
from playout.text.numbers import plain

INTERRUPTED = 130
TERMINATED = 128 + signal.SIGTERM
LONGEST = 500  # characters of what went wrong


@dataclass
class Outcome:
    """The exit code, and the PROBLEM that was asked for."""

    code: int = 0
    problem: str | None = None
    terminated: bool = False
    not_written: bool = False  # a file that was asked for, though the answer was printed

    def terminate(self) -> None:
        """Note that SIGTERM has come."""
        self.terminated = True

    def warn(self, message: Warning | str, *rest: object, **more: object) -> None:
        """Say a warning in one line."""
        self.not_written |= isinstance(message, NotWrittenWarning)
        _say(f"warning: {message}", 0)

    def exit_code(self) -> int:
        """What the process ends with."""
        if self.terminated:
            return TERMINATED
        return 2 if self.not_written and self.code == 0 else self.code


def open_standard_files() -> None:
    """Where a standard file is closed (`>&-`), nothing that is opened later may take its number."""
    number = 0
    while number < 3:
        number = os.open(os.devnull, os.O_RDWR)
        os.set_inheritable(number, number < 3)
    os.close(number)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


@contextmanager
def reported() -> Iterator[Outcome]:
    """Report what goes wrong inside, and set the exit code."""
    outcome = Outcome()
    warnings.showwarning = outcome.warn
    begun = False
    try:
        with (
            sigterm_as_ctrl_c(outcome.terminate),
            ctrl_c_never_dropped(),
            signals_heard_in_waits(),
        ):
            begun = True
            yield outcome
    except PlayoutError as error:
        outcome.code = _say(str(error), 2)
    except SystemExit as error:  # of the help, or of the user's own file
        place = _place_in(outcome.problem, error)
        if place is None:
            raise
        outcome.code = _say(f"{place}: SystemExit: {error}", 2)
    except KeyboardInterrupt as error:
        outcome.code = _say(str(error) or "interrupted before there was a result", INTERRUPTED)
    except BrokenPipeError:
        # the reader (`| head`) has gone; keep Python from complaining as it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        outcome.code = 128 + 13
    except MemoryError:
        outcome.code = _say(NO_MEMORY, 2)
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        outcome.code = _say(f"{file}{error.strerror or error}", 2)
    except Exception as error:
        if fault := _users_fault(outcome.problem, error):
            outcome.code = _say(fault, 2)
        else:
            traceback.print_exc()
            outcome.code = _say(
                "this is a bug in playout: please report it with the lines above", 1
            )
    if not begun:  # a signal that came before anything was done
        raise SystemExit(outcome.exit_code())


def finish_compiling(code: int) -> None:
    """Wait for code that is compiled for the next run, which Python would do without a word.

    Who has ended the run by Ctrl-C or SIGTERM does not wait, nor who does so now.
    """
    threads = [thread for thread in threading.enumerate() if thread.name == COMPILING]
    if not threads:
        return
    try:
        if code in (INTERRUPTED, TERMINATED):
            raise KeyboardInterrupt
        if sys.stderr.isatty():
            line = waiting("compiling more for the next run (Ctrl-C leaves at once) ...")
            with line, signals_heard_in_waits():
                for thread in threads:
                    thread.join()
    except KeyboardInterrupt:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _say(message: str, code: int) -> int:
    """Print the line; a message is always one line, and one that a person can read.

    What a file or its name has brought into it can tell a terminal nothing.
    """
    print("playout: " + shortened(plain(message)), file=sys.stderr)
    return code


def shortened(text: str) -> str:
    """A text without its middle, if it is too long to be read.

    >>> shortened("a mistake"), len(shortened("x" * 6_248)) <= LONGEST
    ('a mistake', True)
    """
    if len(text) <= LONGEST:
        return text
    half = (LONGEST - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def _users_fault(problem: str | None, error: Exception) -> str:
    """What is wrong with the user's own problem, by its line or by a game of it; or empty."""
    if not problem_file(problem or ""):
        return ""
    from playout.compiled.compile_errors import describe, fault_in_plain_python

    place = _place_in(problem, error)
    return f"{place}: {describe(error)}" if place else fault_in_plain_python(error)


def _place_in(problem: str | None, error: BaseException) -> str | None:
    """Where the user's own problem raised the error: file, line and function."""
    file = problem_file(problem or "")
    if not file:
        return None
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.realpath(frame.filename) == os.path.realpath(file):
            return f"{file}, line {frame.lineno}, in {frame.name}"
    return None
