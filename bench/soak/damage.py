"""Damaged files of every kind that has a checksum: refused or told of, or they mean the same.

Real ones are written, and a bit is flipped, bytes are put in or over, cut out, doubled or cut off,
anywhere. What is then read without a word is what was written.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import playout as po
from bench.readers import Edit, mangle
from bench.soak.case_notes import FAILED, CaseNotes, chance, part_of
from playout.errors import DataWarning
from playout.learn.networks.model_file import load_model, save_model
from playout.learn.training_folder import TrainingFolder
from playout.matches.transcript import read_transcript
from playout.study.export import runs
from playout.study.store.results_store import Store
from playout.study.store.row import Row, RunKey
from playout.text.array_files import read_arrays, write_arrays
from playout.worlds.episode_result import Episode

ROWS = 20  # runs of the store, and trials


class Kept(NamedTuple):
    """A kind of file: how one is written, and what is read from it, to be compared."""

    write: Callable[[Path], Any]
    meaning: Callable[[Path], Any]


def drawn_damage(rng: random.Random) -> list[Edit]:
    """What happens to a file on a bad disk or a bad line: most often that one bit flips."""
    what = rng.choice((5, 5, 5, 5, 1, 2, 3, 4))
    token = rng.randbytes(rng.choice((1, 4, 16)))
    return [Edit(what, rng.random(), rng.choice((1, 2, 7, 20)), token)]


def all_kept() -> dict[str, Kept]:
    """Every kind that docs/promises.md says has a checksum."""
    return {
        "model": Kept(_write_model, _model),
        "store": Kept(_fill_store, _store),
        "transcript": Kept(
            lambda path: po.match("tictactoe", "random", "random", games=6, seed=1, record=path),
            lambda path: [game.to_json() for game in read_transcript(path)],
        ),
        "result": Kept(
            lambda path: _solve(None, 40).save(path), lambda path: repr(po.Result.load(path))
        ),
        "episode": Kept(_live, lambda path: repr(Episode.load(path))),
        "checkpoint": Kept(lambda path: _solve(path, 40), _go_on),
        "arrays": Kept(
            lambda path: write_arrays(path, {"a": np.arange(600.0), "b": np.eye(9, dtype=bool)}),
            lambda path: [(name, a.tobytes()) for name, a in read_arrays(path).items()],
        ),
        "log of a training": Kept(_write_log, _log),
    }


def _solve(checkpoint: Path | None, playouts: int) -> Any:
    settings = {"seed": 1, "compiled": False, "checkpoint": checkpoint}
    return po.solve("maximum:n=6", "nrpa", po.Playouts(playouts), **settings)


def _go_on(path: Path) -> Any:
    copy = path.with_name("copy")  # the run writes its own last one
    shutil.copy(path, copy)
    found = _solve(copy, 80)
    return found.score, found.moves, [point[1:] for point in found.curve]


def _live(path: Path) -> None:
    settings = {"seed": 1, "compiled": False}
    po.episode("maximum:n=5", "openloop", "5 playouts", **settings).save(path)


def _write_model(path: Path) -> None:
    from playout.learn.networks.network_shape import shape_of
    from playout.learn.networks.policy_network import new_network
    from playout.problems import SameGame

    network = new_network(shape_of(SameGame.random(1, rows=4, columns=5, colours=3)), filters=4)
    save_model(path, network, {"problem": "samegame", "scores": [1.5]})


def _model(path: Path) -> Any:
    model = load_model(path)
    weights = {name: one.numpy().tobytes() for name, one in model.network.state_dict().items()}
    return model.about, weights


def _fill_store(path: Path) -> None:
    with Store(path) as store:
        for seed in range(ROWS):
            curve = [(0.01 * step, step, seed + step / 10) for step in range(1, 6)]
            row = Row(problem="p", algorithm="a", score=1.5, playouts=3, seconds=1.0, curve=curve)
            store.finish(RunKey("e", "cell", seed, "seconds", 1.0, "0.1", "code"), row)
            store.add_trial("study", {"a": seed}, seed / 2, "now")


def _store(path: Path) -> Any:
    with Store(path, read_only=True) as store:
        return store.trials("study"), list(runs(store, None))


def _write_log(path: Path) -> None:
    folder = TrainingFolder(path.with_name("training"), {})
    for epoch in range(1, 6):
        folder.add({"epoch": epoch, "loss": epoch / 7, "games": 30})
    (folder.path / "log.jsonl").replace(path)


def _log(path: Path) -> Any:
    folder = TrainingFolder(path.with_name("training"), {})
    shutil.copy(path, folder.path / "log.jsonl")
    return folder.log("epoch", ("loss", "games"))


class Whole:
    """A file as it was written, and what it means."""

    def __init__(self, kept: Kept, folder: Path) -> None:
        self._meaning, self._path = kept.meaning, folder / "file"
        folder.mkdir()
        kept.write(self._path)
        self.content = self._path.read_bytes()
        self._first = self._read()

    def damaged(self, content: bytes) -> str:
        """How a damaged content is taken: `refused`, `told`, `same`, `shorter`, or what is wrong.

        Lines are added one by one: a file that was cut off where a line ends is a shorter one.
        """
        self._path.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataWarning)
            try:
                found = self._read()
            except DataWarning:
                return "told"
            except po.PlayoutError as error:
                return "refused" if "\n" not in str(error) else f"not one line: {error}"
            except Exception:
                return traceback.format_exc()
        if found == self._first:
            return "same"
        if self.content.startswith(content) and content.endswith(b"\n"):
            return "shorter"
        return f"{str(found)[:3000]}, and not {str(self._first)[:3000]}"

    def _read(self) -> Any:
        return self._meaning(self._path)


def soak_damage(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Read damaged files; none of them means something else without a word."""
    with tempfile.TemporaryDirectory() as name:
        whole = {}
        for number, (what, kept) in enumerate(sorted(all_kept().items())):
            try:
                whole[what] = Whole(kept, Path(name) / str(number))
            except po.PlayoutError as error:
                if "pip install" not in str(error):
                    raise
                notes.leave_out(what, str(error))
        known = sorted(whole)
        for number in notes.left(part_of(arguments)):
            what = known[number % len(known)]
            edits = drawn_damage(chance(arguments.seed, number))
            content = mangle(whole[what].content, edits)
            how = whole[what].damaged(content)
            if how not in ("refused", "told", "same", "shorter"):
                print(what, edits, how, sep="\n", flush=True)
                how = FAILED
            notes.note(number, how)
