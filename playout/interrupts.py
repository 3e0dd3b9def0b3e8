"""Ctrl-C and SIGTERM: how a long piece of work ends early without losing what it has.

Ctrl-C is a person's, SIGTERM a batch system's or a container's. Both end a run between two steps,
where its arrays agree. What is told to end sets a flag and looks at it in its own time; a second
signal interrupts at once, as Python does.
"""

from __future__ import annotations

import _thread
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

TOLD_AGAIN = 0.02  # seconds, after which the callback is over
COMPILING = "compile"  # the name of threads that compile what a run may do without
LOOKED_AT = 0.05  # seconds, after which a wait is ended that a signal may not have ended
UNHEARD = 5.0  # seconds, after which a person is told that a signal was not heard yet
WAKES = getattr(signal, "SIGURG", 0)  # ignored by whoever does not know it

_ends: list[Callable[[], None]] = []  # of the work under way in the main thread, innermost last


@contextmanager
def ending_early(end: Callable[[], None]) -> Iterator[None]:
    """In a block of the main thread, let the first Ctrl-C or SIGTERM call `end`.

    Where someone else has a say in what Ctrl-C does, it is left to them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    ours = before is signal.default_int_handler

    def once() -> None:
        if ours:
            signal.signal(signal.SIGINT, before)
        _ends.remove(once)
        end()

    _ends.append(once)
    if ours:
        signal.signal(signal.SIGINT, lambda number, frame: once())
    try:
        yield
    finally:
        if once in _ends:
            _ends.remove(once)
        if ours:
            signal.signal(signal.SIGINT, before)


@contextmanager
def sigterm_as_ctrl_c(told: Callable[[], None]) -> Iterator[None]:
    """In a block of the main thread, let SIGTERM do what Ctrl-C does; `told` is called first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        told()
        ctrl_c = signal.getsignal(signal.SIGINT)
        if _ends:
            _ends[-1]()
        elif callable(ctrl_c):
            ctrl_c(signal.SIGINT, frame)
        else:  # switched off, as for what a shell runs in the background
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def ctrl_c_never_dropped() -> Iterator[None]:
    """In a block, have Ctrl-C told again if Python dropped it.

    Inside a callback of its own, such as the end of an object or of an import's lock, Python
    cannot raise anything: it prints that an exception was ignored, and goes on.
    """
    before = sys.unraisablehook

    def tell_again(dropped: Any) -> None:
        if dropped.exc_type is KeyboardInterrupt:
            threading.Timer(TOLD_AGAIN, _tell_main_thread).start()
        else:
            before(dropped)

    sys.unraisablehook = tell_again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _tell_main_thread() -> None:
    number = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and number is not None:
        signal.pthread_kill(number, signal.SIGINT)  # which ends a wait, too
    else:
        _thread.interrupt_main()


@contextmanager
def signals_heard_in_waits() -> Iterator[None]:
    """In a block of the main thread, let no signal go unheard, whatever is waited for there.

    A signal that comes just before a system's call that waits, or to another thread, is only
    noted, and the call waits on. So a thread that is told of every signal ends the call by
    another, which means nothing else, until Python has looked.
    """
    main = threading.current_thread()
    if main is not threading.main_thread() or not hasattr(signal, "pthread_kill"):
        yield
        return
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    looked = [0]  # times; Python calls the handler after those of the signals meant here

    def look(number: int, frame: FrameType | None) -> None:
        looked[0] += 1

    def wake() -> None:
        while number := os.read(told, 1):
            insist = _insisting(told)
            # twice: the first look may have been half over when the signal came
            for before in () if number[0] == WAKES else (looked[0], looked[0] + 1):
                while looked[0] <= before:
                    time.sleep(LOOKED_AT)
                    signal.pthread_kill(main.ident or 0, WAKES)
                    insist()

    thread = threading.Thread(target=wake, daemon=True)
    handler = signal.signal(WAKES, look)
    descriptor = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(descriptor)
        os.close(tell)
        thread.join()
        os.close(told)
        signal.signal(WAKES, handler)


def _insisting(told: int) -> Callable[[], None]:
    """What to call while a signal is not heard: it says so once, and a later one ends all.

    Compiled code comes back in its own time; that of a loop without an end never does.
    """
    came, said = time.monotonic(), False

    def insist() -> None:
        nonlocal said
        if time.monotonic() - came < UNHEARD or not select.select([told], [], [], 0)[0]:
            return
        numbers = {signal.SIGINT, signal.SIGTERM}.intersection(os.read(told, 1 << 16))
        if not said:
            said = True
            _print_unheard()
        elif numbers:
            if sys.stderr.isatty():
                sys.stderr.write("\x1b[?25h\n")  # the live line has put the cursor out
            sys.stderr.flush()
            os._exit(128 + max(numbers))

    return insist


def _print_unheard() -> None:
    print(
        "playout: Ctrl-C is noted, and heard when compiled code or the compiler comes back; if a "
        "loop of yours has no end, Ctrl-C again ends all at once",
        file=sys.stderr,
        flush=True,
    )


@contextmanager
def ctrl_c_held_back() -> Iterator[list[Any]]:
    """Hold Ctrl-C back until the end of a block, in the main thread; the list says that it came."""
    came: list[Any] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield came
        return
    signal.signal(signal.SIGINT, lambda *what: came.append(what))
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[0])


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the end of a block, in the main thread.

    For what others have written and cannot be left halfway. Nor can it take the signals over:
    handlers that it sets are forgotten. A second signal is told at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # one that is switched off stays so; one that is not Python's cannot be put back
    before = {n: h for n, h in handlers.items() if h is not None and h != signal.SIG_IGN}
    came: list[int] = []
    setting = signal.signal

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            give_back()
            signal.raise_signal(number)

    def give_back() -> None:
        signal.signal = setting
        for number, handler in before.items():
            setting(number, handler)

    def others_setting(number: Any, handler: Any) -> Any:
        return handlers[number] if number in handlers else setting(number, handler)

    for number in before:
        setting(number, note)
    signal.signal = others_setting  # type: ignore[assignment]
    try:
        yield
    finally:
        give_back()
        if len(came) == 1:
            signal.raise_signal(came[0])


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Keep Ctrl-C and SIGTERM from a process that is started meanwhile, until it ignores them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would unblock what is blocked here
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
