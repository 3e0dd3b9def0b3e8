"""What a solver found out: as data, as text for a person, as HTML for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.text.facts import facts_html
from playout.text.output_files import write_json

FORMAT = "playout-prove-1"

WINNERS = {
    "first": "the first player wins",
    "second": "the second player wins",
    "draw": "a draw",
    "unknown": "not known yet",
}


@dataclass(frozen=True)
class Proof:
    """What a solver found out.

    `value` is what the position is worth to the first player; `winner` is first, second, draw, or
    unknown if the solver was stopped before it knew. `variation` is one line of perfect play.

    Examples
    --------
    >>> import playout as po
    >>> proof = po.prove("tictactoe", "alphabeta:order=history")
    >>> print(proof.winner, proof.value, len(proof.variation))
    draw 0.5 9
    """

    game: str
    position: str
    winner: str
    value: float | None
    variation: list[str]
    nodes: int
    seconds: float
    solver: str
    order: str
    depth: int
    table: float  # the share of the transposition table that is in use
    stopped_by: str
    open: bool = False  # whether hidden cards and the luck to come were laid open
    chosen: str = ""  # by the solver `auto`: the solver that does the same

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON data."""
        rare = ("open", "chosen")
        return {name: value for name, value in vars(self).items() if value or name not in rare}

    def save(self, path: str | Path) -> None:
        """Write the proof as JSON, whole or not at all."""
        write_json(Path(path), {"format": FORMAT, **self.to_json()})

    def __str__(self) -> str:
        lines = [f"{self._game()}: {WINNERS[self.winner]}", self._cost()]
        if self.chosen:
            lines.append(f"chosen     {self.chosen}")
        if self.variation:
            lines.append("variation  " + " ".join(self.variation))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        facts = [
            ("game", self._game()),
            ("value", WINNERS[self.winner]),
            ("variation", " ".join(self.variation)),
            ("cost", self._cost()),
            ("stopped by", self.stopped_by),
        ]
        return facts_html(facts)

    def _game(self) -> str:
        return f"{self.game} (open)" if self.open else self.game

    def _cost(self) -> str:
        rate = self.nodes / self.seconds if self.seconds > 0 else 0.0
        return (
            f"{self.nodes:,} moves in {self.seconds:.2f} s ({rate:,.0f}/s), {self.depth} deep, "
            f"table {self.table:.0%} full; {self.solver}, order {self.order}"
        )
