"""Bo Haglund's DDS, through ctypes on the library inside the package `endplay` (extra `bridge`).

It builds large tables for every new deal, so a question costs 140 to 200 microseconds whatever the
position. It is here as the oracle of our own solver (`doubledummy.py`), and for tables of deals;
where it is not installed there is the own solver.

Each call under way has a thread of DDS's for itself, a batch or a table all of them. Other Python
threads run meanwhile.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

import numpy as np

from playout.cards.deck import cards_in, rank_of, suit_of
from playout.errors import OptionError, PlayoutError

MOST_BOARDS = 200  # of a batch

_ANY_TRICKS, _ONE_CARD, _ALL_CARDS, _ALWAYS_SEARCH = -1, 1, 3, 1


class _Deal(ctypes.Structure):
    _fields_ = [
        ("trump", ctypes.c_int),
        ("first", ctypes.c_int),
        ("suit", ctypes.c_int * 3),
        ("rank", ctypes.c_int * 3),
        ("cards", (ctypes.c_uint * 4) * 4),
    ]


class _Solution(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("nodes", "cards")),
        *((name, ctypes.c_int * 13) for name in ("suit", "rank", "equals", "score")),
    ]


class _Boards(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_int),
        ("deals", _Deal * MOST_BOARDS),
        ("target", ctypes.c_int * MOST_BOARDS),
        ("solutions", ctypes.c_int * MOST_BOARDS),
        ("mode", ctypes.c_int * MOST_BOARDS),
    ]


class _Solved(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("boards", _Solution * MOST_BOARDS)]


class _TableDeal(ctypes.Structure):
    _fields_ = [("cards", (ctypes.c_uint * 4) * 4)]


class _Table(ctypes.Structure):
    _fields_ = [("tricks", (ctypes.c_int * 4) * 5)]


class Position:
    """What is asked: hands as words of cards, who led, the cards on the table, and trumps."""

    def __init__(
        self, hands: Sequence[int], leader: int, trick: Sequence[int] = (), trump: int = 4
    ) -> None:
        self.leader, self.player = leader, (leader + len(trick)) & 3
        self.left = int(hands[(leader + 3) & 3]).bit_count()
        self.deal = _Deal(trump=trump, first=leader)
        for i, card in enumerate(trick):
            self.deal.suit[i], self.deal.rank[i] = suit_of(int(card)), rank_of(int(card)) + 2
        _write_hands(self.deal.cards, hands)

    def for_north_south(self, score: int) -> int:
        """The tricks of North and South, from those of the side that is to play."""
        return score if self.player % 2 == 0 else self.left - score

    def target(self, need: int) -> int:
        """What the side that is to play needs for North and South to get `need`, or not to."""
        return need if self.player % 2 == 0 else self.left - need + 1


def _write_hands(cards: Any, hands: Sequence[int]) -> None:
    for seat, hand in enumerate(hands):
        for suit in range(4):
            cards[seat][suit] = ((int(hand) >> 16 * suit) & 0x1FFF) << 2


def installed() -> bool:
    """Whether DDS is there."""
    return _library_file() is not None


def need_dds() -> None:
    """Refuse in one line where DDS is asked for and not there."""
    if not installed():
        raise OptionError("DDS needs endplay: pip install 'playout[bridge]'; else the own solver")


@cache
def _library_file() -> Path | None:
    found = find_spec("endplay")
    if found is None or found.origin is None:
        return None
    for path in sorted((Path(found.origin).parent / "_dds").glob("*dds*")):
        if path.suffix in (".so", ".dylib", ".dll"):
            return path
    return None


class _Library:
    """The loaded library, and its threads that are free."""

    def __init__(self) -> None:
        need_dds()
        self.dll = ctypes.CDLL(str(_library_file()))
        self.dll.SolveBoard.argtypes = [
            _Deal,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.POINTER(_Solution),
            ctypes.c_int,
        ]
        self.threads = max(1, os.cpu_count() or 1)
        self.dll.SetResources(0, self.threads)
        self._free: SimpleQueue[int] = SimpleQueue()
        for thread in range(self.threads):
            self._free.put(thread)
        self._one_at_a_time = Lock()

    @contextmanager
    def thread(self) -> Iterator[int]:
        thread = self._free.get()
        try:
            yield thread
        finally:
            self._free.put(thread)

    @contextmanager
    def all_threads(self) -> Iterator[None]:
        """DDS shares a batch out among its threads, so none may be in use by another call."""
        with self._one_at_a_time:  # else two would each wait for what the other has
            taken = [self._free.get() for _ in range(self.threads)]
        try:
            yield
        finally:
            for thread in taken:
                self._free.put(thread)

    def check(self, code: int) -> None:
        if code != 1:
            line = ctypes.create_string_buffer(80)
            self.dll.ErrorMessage(code, line)
            raise PlayoutError(f"DDS: {line.value.decode('ascii', 'replace').strip()}")


_loading = Lock()
_loaded: list[_Library] = []


def _library() -> _Library:
    with _loading:  # DDS sets itself up once
        if not _loaded:
            _loaded.append(_Library())
        return _loaded[0]


def _solve(position: Position, target: int, solutions: int) -> _Solution:
    library, found = _library(), _Solution()
    with library.thread() as thread:
        library.check(
            library.dll.SolveBoard(
                position.deal, target, solutions, _ALWAYS_SEARCH, ctypes.byref(found), thread
            )
        )
    return found


def dds_tricks(position: Position) -> int:
    """How many of the tricks left North and South get."""
    return position.for_north_south(_solve(position, _ANY_TRICKS, _ONE_CARD).score[0])


def dds_makes(position: Position, need: int) -> bool:
    """Whether North and South get `need` of the tricks left."""
    if not 0 < need <= position.left:
        return need <= 0
    target = position.target(need)
    reached = _solve(position, target, _ONE_CARD).score[0] >= target
    return reached == (position.player % 2 == 0)


def dds_card_values(position: Position) -> dict[int, int]:
    """The tricks of North and South after each card that may be played."""
    found = _solve(position, _ANY_TRICKS, _ALL_CARDS)
    values = {}
    for i in range(found.cards):
        ranks = 1 << found.rank[i] | found.equals[i]
        for rank in cards_in(ranks):
            values[16 * found.suit[i] + rank - 2] = position.for_north_south(found.score[i])
    return values


def dds_batch(positions: Sequence[Position], needs: Sequence[int] | None = None) -> list[int]:
    """The tricks of North and South of each position, or with `needs` whether they get these.

    DDS shares them out among its threads.
    """
    library = _library()
    answers = []
    for start in range(0, len(positions), MOST_BOARDS):
        part = positions[start : start + MOST_BOARDS]
        boards, solved = _Boards(count=len(part)), _Solved()
        for i, position in enumerate(part):
            boards.deals[i] = position.deal
            boards.target[i] = _ANY_TRICKS
            if needs is not None:
                need = needs[start + i]
                boards.target[i] = position.target(min(max(need, 1), position.left))
            boards.solutions[i], boards.mode[i] = _ONE_CARD, _ALWAYS_SEARCH
        with library.all_threads():
            code = library.dll.SolveAllBoardsBin(ctypes.byref(boards), ctypes.byref(solved))
        library.check(code)
        for i, position in enumerate(part):
            score = solved.boards[i].score[0]
            if needs is None:
                answers.append(position.for_north_south(score))
            elif not 0 < needs[start + i] <= position.left:
                answers.append(int(needs[start + i] <= 0))
            else:
                answers.append(int((score >= boards.target[i]) == (position.player % 2 == 0)))
    return answers


def dds_table(hands: Sequence[int]) -> np.ndarray:
    """The tricks of each declarer in each strain: rows S, H, D, C, no trump; columns N, E, S, W."""
    library, deal, table = _library(), _TableDeal(), _Table()
    _write_hands(deal.cards, hands)
    with library.all_threads():
        code = library.dll.CalcDDtable(deal, ctypes.byref(table))
    library.check(code)
    return np.array([list(row) for row in table.tricks])
