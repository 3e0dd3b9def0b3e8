"""What a training keeps on disk, so that it goes on after a kill at any point.

Beside the model there is a folder `MODEL.training`:

- `run.json`: what is trained and how; another run is refused;
- `games-003.bin`: the finished games of generation 3, appended as they end, and when the run is
  stopped those that are not, each of fixed length; half a game at the end, as a kill may
  leave it, is cut off;
- `policy-003.safetensors`: the network that generation 3 has trained;
- `fit.safetensors`: the state of a training that is under way, written after an epoch;
- `log.jsonl`: a line for each generation that is complete.

Games that no longer reach into the queues are removed, and so are older policies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from playout.contract import Problem
from playout.errors import DataError
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.text.json_text import is_number, read_json, with_checksum, without_checksum
from playout.text.output_files import write_atomically

FORMAT = "playout-training-1"
OVER = 0xFFFF


class TrainingFolder:
    """The folder of one training; `identity` is what makes it this training and no other."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.path = folder
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot make the folder {folder}: {error.strerror}") from None
        wanted = {"format": FORMAT, **json.loads(json.dumps(identity))}
        found = description_of(folder)
        if found is None:
            write_atomically(folder / "run.json", json.dumps(wanted, indent=1).encode())
            return
        for name in {**wanted, **found}:
            if found.get(name) != wanted.get(name):
                was, now = _difference(found.get(name), wanted.get(name))
                raise DataError(
                    f"{folder} is of another training run: {name} was {was}, and now is {now}; "
                    "choose another --out, or remove the folder to begin anew"
                )

    # games

    def load_games(self, generation: int, problem: Problem, count: int) -> Games:
        """The games of a generation, as far as they are finished."""
        games = Games.empty(problem, np.arange(count))
        path = self.games_path(generation)
        kind = _game_type(problem)
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise DataError(f"cannot read {path}: {error.strerror}") from None
        entries = np.frombuffer(content[: len(content) // kind.itemsize * kind.itemsize], kind)
        if len(entries) and (
            entries["number"].max() >= count or entries["length"].max() > problem.max_length
        ):
            raise DataError(f"{path} is damaged: remove it to play the generation again")
        over = entries["prefix"] == OVER
        for entry in entries[~over]:  # the last of a game counts
            number = int(entry["number"])
            games.known[number] = entry["length"]
            games.prefixes[number] = entry["prefix"]
            games.moves[number] = entry["moves"]
        where = entries["number"][over].astype(np.int64)
        games.lengths[where] = entries["length"][over]
        games.scores[where] = entries["score"][over]
        games.moves[where] = entries["moves"][over]
        return games

    def game_file(self, generation: int, problem: Problem) -> GameFile:
        """The file to which finished games are appended."""
        return GameFile(self.games_path(generation), _game_type(problem))

    def games_path(self, generation: int) -> Path:
        return self.path / f"games-{generation:03}.bin"

    def policy_path(self, generation: int) -> Path:
        return self.path / f"policy-{generation:03}.safetensors"

    @property
    def fit_path(self) -> Path:
        return self.path / "fit.safetensors"

    def tidy(self, first_games: int, first_policy: int) -> None:
        """Remove games and policies of generations before these."""
        for pattern, first in (("games-*.bin", first_games), ("policy-*", first_policy)):
            for path in self.path.glob(pattern):
                number = path.stem.partition("-")[2]
                if number.isdigit() and int(number) < first:
                    path.unlink(missing_ok=True)

    # the log

    def log(self, unit: str, numbers: Sequence[str]) -> list[dict[str, Any]]:
        """What was logged, a dictionary for each generation or epoch, with these numbers in it."""
        path = self.path / "log.jsonl"
        if not path.exists():
            return []
        try:
            entries = [json.loads(line) for line in path.read_bytes().splitlines()]
        except OSError as error:
            raise DataError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise DataError(f"{path} is damaged: a line is not JSON") from None
        for number, entry in enumerate(entries, 1):
            good = isinstance(entry, dict) and entry.get(unit) == number
            if not good or not all(is_number(entry.get(name)) for name in numbers):
                raise DataError(f"{path} is damaged: line {number} is not of {unit} {number}")
        return [
            without_checksum(entry, f"{path}, line {number}")
            for number, entry in enumerate(entries, 1)
        ]

    def add(self, entry: dict[str, Any]) -> None:
        """Log a generation."""
        path = self.path / "log.jsonl"
        before = path.read_bytes() if path.exists() else b""
        write_atomically(path, before + json.dumps(with_checksum(entry)).encode() + b"\n")

    # the clock: seconds of the generation under way, by what they went into

    def clock(self, generation: int) -> dict[str, float]:
        path = self.path / "clock.json"
        saved = read_json(path, "the clock of a training") if path.exists() else {}
        if saved.get("generation") != generation:
            return {}
        seconds = saved.get("seconds")
        if not isinstance(seconds, dict) or not all(map(is_number, seconds.values())):
            raise DataError(f"{path} is damaged: remove it, and the time is counted anew")
        return seconds

    def set_clock(self, generation: int, seconds: dict[str, float]) -> None:
        content = {"generation": generation, "seconds": seconds}
        write_atomically(self.path / "clock.json", json.dumps(content).encode())


class GameFile:
    """Finished games, appended as they end."""

    def __init__(self, path: Path, kind: np.dtype) -> None:
        self._path, self._kind = path, kind
        try:
            self._file = path.open("ab", buffering=0)
            whole = os.path.getsize(path) // kind.itemsize * kind.itemsize
            self._file.truncate(whole)
        except OSError as error:
            raise DataError(f"cannot write {path}: {error.strerror}") from None

    def append(self, games: Games, which: np.ndarray) -> None:
        """Write down some of the games, by their indices, over or suspended."""
        over = games.lengths[which] >= 0
        entries = np.zeros(len(which), self._kind)
        entries["number"] = games.numbers[which]
        entries["length"] = np.where(over, games.lengths[which], games.known[which])
        entries["prefix"] = np.where(over, OVER, games.prefixes[which])
        entries["score"] = games.scores[which]
        entries["moves"] = games.moves[which]
        try:
            self._file.write(entries.tobytes())
        except OSError as error:
            raise DataError(f"cannot write {self._path}: {error.strerror}") from None

    def close(self) -> None:
        self._file.close()


def _game_type(problem: Problem) -> np.dtype:
    return np.dtype(
        [
            ("score", "<f8"),
            ("number", "<u4"),
            ("length", "<u2"),
            ("prefix", "<u2"),  # moves committed; OVER for a finished game
            ("moves", "<u2", problem.max_length),
        ]
    )


def description_of(folder: Path) -> dict[str, Any] | None:
    """What a folder says of its training; None before it begins."""
    path = folder / "run.json"
    return read_json(path, "the description of a training") if path.exists() else None


def folder_of(model: Path) -> Path:
    """The folder of the training that makes a model."""
    return model.with_name(model.name + ".training")


def _difference(was: Any, now: Any) -> tuple[Any, Any]:
    """Two values, or of two dictionaries what differs."""
    if isinstance(was, dict) and isinstance(now, dict):
        names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
        return tuple(", ".join(f"{name}={side.get(name)}" for name in names) for side in (was, now))  # type: ignore[return-value]
    return was, now
