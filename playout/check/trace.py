"""What `check_problem` writes down: its findings, and all that is compared of a game."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


class CannotGoOn(Exception):
    """A finding after which it makes no sense to play on."""


class Findings:
    """What was found so far: each kind of thing once, where it was seen first."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.notes: list[str] = []
        self._kinds: set[str] = set()  # of notes that are made once

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, title: str, explanation: str) -> None:
        self.found.setdefault(title, explanation)

    def note(self, text: str, once: str = "") -> None:
        """Note something; of a kind that is noted once, what was seen first."""
        if text not in self.notes and once not in self._kinds:
            self.notes.append(text)
            self._kinds |= {once} - {""}


@dataclass
class Trace:
    """All that is compared with the compiled game; lists have an entry for each position."""

    number: int
    choices: np.ndarray
    dealt: bool = False  # whether it began with a deal or luck that was drawn, not by `reset`
    counts: list[int] = field(default_factory=list)
    moves: list[np.ndarray] = field(default_factory=list)
    codes: list[list[int]] = field(default_factory=list)
    biases: list[list[float]] = field(default_factory=list)
    features: list[list[int]] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    states: list[np.ndarray] = field(default_factory=list)
    chosen: list[np.ndarray] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
