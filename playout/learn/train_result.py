"""What a training has come to, while it is under way and when it is over, and its picture."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from playout.learn.alphazero.alphazero_settings import PERFECT, RIVALS, AlphaZeroSettings
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.training_settings import TrainingSettings
from playout.pictures.chart import Curve, Picture, svg
from playout.text.facts import facts_html, facts_text
from playout.text.numbers import clock, counted
from playout.text.output_files import write_atomically

Entry = dict[str, Any]

FORMAT = "playout-train-result-1"


@dataclass(frozen=True)
class TrainResult:
    """What a training has come to.

    Attributes
    ----------
    name : str
        The problem or game that is trained for.
    method : str
        `policy-iteration`, `alphazero` or `mbm`.
    model : Path
        The file of the model; it is there when the first generation or epoch is done.
    log : list of dict
        An entry for each generation or epoch that is done; `verified` in it says whether games of
        it, played again by the rules in plain Python, are legal and have their scores.
    settings, fixed : dict
        All settings, and those of them that may not change from run to run.
    stopped_by : str
        `end`, `interrupt`, or the criterion that ended the run; empty while it is under way.

    Examples
    --------
    >>> import tempfile, playout as po
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tiny = "quick:epochs=1,games=2,simulations=4,most_steps=2,blocks=1,filters=4"
    ...     result = po.train("tictactoe", tiny, out=f"{folder}/tictactoe.safetensors")
    >>> result.method, len(result.log)
    ('alphazero', 1)
    """

    settings_type: ClassVar[type[TrainingSettings]]

    name: str
    method: str
    unit: str  # what it goes on by: "generation" or "epoch"
    model: Path
    settings: dict[str, Any]
    fixed: dict[str, Any]
    seed: int
    code: str
    log: list[Entry]
    seconds: float
    stopped_by: str = ""

    # what differs with the method

    def score(self, entry: Entry) -> float:
        """The figure of a generation or epoch: the higher, the better."""
        raise NotImplementedError

    def entry_text(self, entry: Entry) -> str:
        """A generation or epoch in a line."""
        raise NotImplementedError

    def picture(self) -> Picture:
        """How it went, generation by generation or epoch by epoch."""
        raise NotImplementedError

    def y_title(self) -> str:
        """What the picture's figures are."""
        return "mean score"

    # what does not

    def settings_text(self) -> str:
        """The settings as `train` takes them: a preset, and what differs from it."""
        return self.settings_type(**self.settings).text()

    def svg(self) -> str:
        """The picture as SVG."""
        return svg(self.picture(), y_title=self.y_title())

    def plot(self, path: str | Path) -> None:
        """Write the picture as an SVG file, whole or not at all."""
        write_atomically(Path(path), self.svg().encode())

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON data."""
        return {**vars(self), "model": str(self.model)}

    def save(self, path: str | Path) -> None:
        """Write what is known of the training as JSON; the model is in a file of its own."""
        text = json.dumps({"format": FORMAT, **self.to_json()}, indent=1) + "\n"
        write_atomically(Path(path), text.encode())

    def __str__(self) -> str:
        return facts_text(self._facts())

    def _repr_html_(self) -> str:
        return facts_html(self._facts(), self.svg() if self.log else "")

    def _facts(self) -> list[tuple[str, str]]:
        facts = [
            ("trained", f"{self.name}, {self.method}"),
            ("done", f"{counted(len(self.log), self.unit)} in {clock(self.seconds)}"),
            ("stopped by", self.stopped_by or "nothing: it is under way"),
            ("seed", f"{self.seed}"),
        ]
        if self.log:
            agree = all(entry["verified"] for entry in self.log)
            check = "the replay agrees" if agree else "THE REPLAY DOES NOT AGREE"
            facts.insert(1, ("model", f"{self.model} ({check})"))
            facts.insert(3, ("the last", self.entry_text(self.log[-1])))
        return facts


class PolicyIterationResult(TrainResult):
    """Policy iteration: the score of a generation is the mean of its games'."""

    settings_type = PolicyIterationSettings

    def score(self, entry: Entry) -> float:
        return float(entry["score"])

    def entry_text(self, entry: Entry) -> str:
        seconds = entry["seconds"]
        return (
            f"generation {entry['generation']}: score {entry['score']:.1f} "
            f"(best {entry['best']:g}, {entry['games']:,} games), "
            f"loss {entry['training_loss']:.3f}, validation {entry['validation_loss']:.3f}, "
            f"{counted(entry['epochs'], 'epoch')}; {clock(seconds.get('playing', 0))} playing, "
            f"{clock(seconds.get('training', 0))} training"
        )

    def picture(self) -> Picture:
        points = []
        for entry in self.log:
            half = 1.96 * entry["deviation"] / math.sqrt(entry["games"])
            mean = entry["score"]
            points.append((float(entry["generation"]), mean, mean - half, mean + half))
        curve = Curve("self-play", tuple(points), len(self.log))
        title = f"{self.name}: mean score of a generation's games"
        return Picture(title, "generation", (curve,))


class AlphaZeroResult(TrainResult):
    """AlphaZero and MbM: the score of an epoch is the mean result against the perfect player.

    For a game that is too large to measure that, it is minus the network's losses.
    """

    settings_type = AlphaZeroSettings

    def score(self, entry: Entry) -> float:
        if PERFECT in entry:
            wins, draws, _ = entry[PERFECT]
            return float(wins + draws / 2)
        return -float(entry["policy_loss"] + entry["value_loss"])

    def entry_text(self, entry: Entry) -> str:
        text = (
            f"epoch {entry['epoch']}: policy loss {entry['policy_loss']:.3f}, value loss "
            f"{entry['value_loss']:.3f}; self-play: first wins {entry['first_wins']:.0%}, draws "
            f"{entry['draws']:.0%}, {entry['length']:.1f} moves"
        )
        for rival in RIVALS:
            if rival in entry:
                wins, draws, losses = entry[rival]
                text += f"; {rival} player: won {wins:.1%}, drawn {draws:.1%}, lost {losses:.1%}"
        return text

    def picture(self) -> Picture:
        """Results against the rivals, if they were measured, else the losses."""
        figures = {
            f"against {rival}": [
                (entry["epoch"], 100 * (entry[rival][0] + entry[rival][1] / 2))
                for entry in self.log
                if rival in entry
            ]
            for rival in RIVALS
        }
        if not any(figures.values()):
            figures = {
                name.replace("_", " "): [(entry["epoch"], entry[name]) for entry in self.log]
                for name in ("policy_loss", "value_loss")
            }
        curves = tuple(
            Curve(name, tuple((float(x), y, y, y) for x, y in points), 1)
            for name, points in figures.items()
            if points
        )
        return Picture(f"{self.name}, {self.method}", "epochs", curves)

    def y_title(self) -> str:
        measured = any(rival in entry for entry in self.log for rival in RIVALS)
        return "mean result in percent" if measured else "loss"


@dataclass(frozen=True)
class TrainingStatus:
    """What a training is doing.

    `number` is the generation or epoch under way, `last` the last; `games` of `of` are played;
    `rate` is positions evaluated a second, or mini-batches; `score` the mean of the games, `losses`
    those of the network's epochs so far, both of policy iteration.
    """

    result: TrainResult
    number: int
    last: int
    phase: str  # "starting", "playing", "training" or "done"
    games: int
    of: int
    rate: float
    score: float = math.nan
    losses: list[list[float]] = field(default_factory=list)

    def __str__(self) -> str:
        games = f"{self.games:,} of {self.of:,} games"
        positions = f"{self.rate:,.0f} positions/s"
        if self.phase == "starting":
            return "starting"
        if self.result.unit == "epoch":
            training = f"training, {self.rate:,.0f} mini-batches/s"
            what = f"{games}, {positions}" if self.phase == "playing" else training
        elif self.phase == "playing":
            what = f"{games}, mean score {self.score:.1f}, {positions}"
        elif self.losses:
            training_loss, validation_loss = self.losses[-1]
            what = (
                f"mean score {self.score:.1f}, epoch {len(self.losses)}: loss {training_loss:.3f}, "
                f"validation {validation_loss:.3f}"
            )
        else:
            what = "training"
        return f"{self.result.unit} {self.number} of {self.last}  {what}  " + clock(
            self.result.seconds
        )
