"""The raw runs as CSV, JSON lines or Parquet, one line a run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np

from playout.errors import DataError, OptionError
from playout.study.store.results_store import Store
from playout.study.store.row import JSON_COLUMNS, RUN_COLUMNS, crafted_is_damaged
from playout.text.json_text import json_text
from playout.text.output_files import write_atomically

FORMATS = ("csv", "jsonl", "parquet")
BATCH = 5_000
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what begins one in a spreadsheet


def export_runs(store: Store, experiment: str | None, out: Path | TextIO, form: str) -> int:
    """Write the runs of an experiment, or of all, to a file or a stream; how many they are."""
    write = {"csv": write_csv, "jsonl": write_jsonl}
    if not isinstance(out, Path):
        return write[form](store, experiment, out)
    count = 0

    def body(file: BinaryIO) -> None:
        nonlocal count
        if form == "parquet":
            count = write_parquet(store, experiment, file)
            return
        text = io.TextIOWrapper(file, "utf-8", newline="")
        count = write[form](store, experiment, text)
        text.flush()
        text.detach()  # the file is closed by whoever opened it

    write_atomically(out, body)
    return count


def runs(store: Store, experiment: str | None) -> Iterator[dict[str, Any]]:
    """The runs of an experiment, or of all, oldest first; the curve as a list of points."""
    of_it = ("experiment = ?", [experiment]) if experiment else ()
    for row in store.runs(RUN_COLUMNS, *of_it):
        run = dict(zip(RUN_COLUMNS, row, strict=True))
        run["verified"] = bool(run["verified"])
        run["curve"] = np.frombuffer(run["curve"], "<f8").reshape(-1, 3).tolist()
        yield run


def write_csv(store: Store, experiment: str | None, file: TextIO) -> int:
    """Write CSV with a header; curve, options and moves are JSON texts in their columns."""
    writer = csv.DictWriter(file, RUN_COLUMNS, lineterminator="\n")
    writer.writeheader()
    count = 0
    for run in runs(store, experiment):
        writer.writerow(_harmless({**run, "curve": json_text(run["curve"])}))
        count += 1
    return count


def _harmless(run: dict[str, Any]) -> dict[str, Any]:
    """A run whose texts no spreadsheet takes for formulas, as it would one that begins with =."""
    return {
        name: f"'{value}" if isinstance(value, str) and value[:1] in FORMULAS else value
        for name, value in run.items()
    }


def write_jsonl(store: Store, experiment: str | None, file: TextIO) -> int:
    """Write a JSON object a line."""
    count = 0
    for run in runs(store, experiment):
        with crafted_is_damaged():
            run |= {name: json.loads(run[name]) for name in JSON_COLUMNS}
        file.write(json_text(run) + "\n")
        count += 1
    return count


def write_parquet(store: Store, experiment: str | None, file: BinaryIO) -> int:
    """Write Parquet (extra `parquet`); the curve is a list of lists."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise DataError("Parquet needs pyarrow: pip install 'playout[parquet]'") from None
    kinds = {
        **dict.fromkeys(("seed", "playouts"), arrow.int64()),
        **dict.fromkeys(("budget", "score", "seconds"), arrow.float64()),
        "verified": arrow.bool_(),
        "curve": arrow.list_(arrow.list_(arrow.float64())),
    }
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in RUN_COLUMNS])
    count = 0
    with parquet.ParquetWriter(file, schema) as writer:
        batch: list[dict[str, Any]] = []
        for run in runs(store, experiment):
            batch.append(run)
            count += 1
            if len(batch) == BATCH:
                writer.write_table(arrow.Table.from_pylist(batch, schema))
                batch.clear()
        if batch:
            writer.write_table(arrow.Table.from_pylist(batch, schema))
    return count


def format_of(path: Path | None, chosen: str | None) -> str:
    """The format that was asked for, or that the file's name says; CSV without a file."""
    if chosen is not None or path is None:
        return chosen or "csv"
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"--out {path}: give --format, or a name that ends in {endings}")
    return ending
