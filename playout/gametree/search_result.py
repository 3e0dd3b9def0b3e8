"""What a tree search found: as data, as text for a person, as HTML for a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from playout.pictures.look import LIGHT, colours
from playout.text.facts import facts_html
from playout.text.output_files import write_json

FORMAT = "playout-search-1"
SHOWN = 10  # moves that a person is shown


@dataclass(frozen=True)
class MoveStatistics:
    """What the search knows of a move: visits, its value to the player who moves, and proofs."""

    move: str
    visits: int
    value: float
    proven: float | None
    record: Any

    def preference(self, choice: str) -> tuple[float, float]:
        """How much it is preferred by a final choice: `visits`, `mean` or `secure`."""
        if self.visits == 0:
            return -math.inf, 0.0
        if choice == "mean":
            return self.value, self.visits
        if choice == "secure":  # G. Chaslot et al., 2008: the highest lower bound
            return self.value - 1.0 / math.sqrt(self.visits), self.visits
        return self.visits, self.value

    def shown_value(self) -> str:
        """The value for a person, and that it is proven if so."""
        proof = f"  proven {self.proven:g}" if self.proven is not None else ""
        return f"{self.value:.3f}{proof}"


def most_visited_first(rows: Iterable[MoveStatistics]) -> list[MoveStatistics]:
    """The moves by their visits; of two with as many, the better one is first."""
    return sorted(rows, key=lambda row: row.preference("visits"), reverse=True)


@dataclass(frozen=True)
class SearchResult:
    """What a tree search of a position found.

    `moves` are all legal moves, the most visited first; `move` is the one to play, `variation` the
    play that the search expects; `value` is what the position is worth to the player to move.
    `simulations` and `nodes` are those of all workers; `shared_bytes` is what the workers of a
    slow-tree search have told one another; `calls` are those of `play`, where they are counted.
    Where players move at the same time, `choices` has the moves of each of them, the one to play
    first. `open` says that the search looked at hidden cards and at the luck to come.

    Examples
    --------
    >>> import playout as po
    >>> result = po.search("tictactoe", "uct", po.Playouts(1000), state="xx./oo./... x", seed=1)
    >>> result.move, result.moves[0].move, result.simulations
    ('c3', 'c3', 1000)
    """

    game: str
    position: str
    algorithm: str
    player: int
    move: str
    value: float
    proven: bool
    variation: list[str]
    moves: list[MoveStatistics]
    simulations: int
    seconds: float
    nodes: int
    full: bool
    seed: int
    record: Any
    workers: int = 1
    shared_bytes: int = 0
    choices: dict[int, list[MoveStatistics]] = field(default_factory=dict)
    calls: int = 0
    open: bool = False

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data."""
        rare = ("choices", "calls", "open")
        data = {name: value for name, value in vars(self).items() if value or name not in rare}
        del data["record"]
        data["moves"] = _as_json(self.moves)
        if self.choices:
            data["choices"] = {player: _as_json(moves) for player, moves in self.choices.items()}
        return data

    def save(self, path: str | Path) -> None:
        """Write the result as JSON, whole or not at all."""
        write_json(Path(path), {"format": FORMAT, **self.to_json()})

    def __str__(self) -> str:
        lines = [
            f"{self._game()}, {self.algorithm}: {self.move} ({self._worth()})",
            self._cost(),
            "variation  " + " ".join(self.variation),
        ]
        for move in self.moves[:SHOWN]:
            lines.append(f"{move.move:>10}  {move.visits:>10,}  {move.shown_value()}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        facts = [
            ("game", f"{self._game()} {self.position}".strip()),
            ("search", self.algorithm),
            ("move", f"{self.move} ({self._worth()})"),
            ("variation", " ".join(self.variation)),
            ("cost", self._cost()),
        ]
        return facts_html(facts, _moves_html(self.moves[:SHOWN]))

    def _game(self) -> str:
        return f"{self.game} (open)" if self.open else self.game

    def _worth(self) -> str:
        return f"{'proven' if self.proven else 'value'} {self.value:.3f}"

    def _cost(self) -> str:
        return (
            f"{self.simulations:,} simulations in {self.seconds:.2f} s, {self.nodes:,} nodes"
            + (f", {self.calls:,} calls" if self.calls else "")
            + (f", {self.workers} workers" if self.workers > 1 else "")
            + (f", {self.shared_bytes:,} bytes shared" if self.shared_bytes else "")
            + (" (the tree is full)" if self.full else "")
        )


def _moves_html(moves: list[MoveStatistics]) -> str:
    """The moves with a bar for their visits."""
    most = max((move.visits for move in moves), default=0) or 1
    bar = colours()["accent"][LIGHT]
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(move.move)}</td><td style='width:12em'>"
        f"<div style='height:.6em;background:{bar};width:{100 * move.visits / most:.1f}%'></div>"
        f"</td><td>{move.visits:,}</td><td>{escape(move.shown_value())}</td></tr>"
        for move in moves
    )
    head = "<tr><th style='text-align:left'>move</th><th></th><th>visits</th><th>value</th></tr>"
    return f"<table>{head}{rows}</table>"


def _as_json(moves: list[MoveStatistics]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in vars(move).items() if name != "record"} for move in moves
    ]
