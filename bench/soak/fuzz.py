"""Files and texts of every kind (`bench/readers.py`), mangled by chance: read, or refused."""

from __future__ import annotations

import argparse
import faulthandler
import tempfile
import traceback
from pathlib import Path

from bench.readers import drawn_edits, mangle, readers
from bench.soak import CASE_SECONDS
from bench.soak.case_notes import FAILED, CaseNotes, chance, part_of


def soak_fuzz(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Read mangled files and texts; all are read or refused in one line."""
    known = sorted(readers().items())
    with tempfile.TemporaryDirectory() as name:
        for number in notes.left(part_of(arguments)):
            rng = chance(arguments.seed, number)
            what, reader = known[number % len(known)]
            content = mangle(rng.choice(reader.samples), drawn_edits(rng))
            faulthandler.dump_traceback_later(CASE_SECONDS, exit=True)
            try:
                how = reader.check(content, Path(name))
            except Exception:
                how = FAILED
                print(what, content, traceback.format_exc(), sep="\n", flush=True)
            faulthandler.cancel_dump_traceback_later()
            notes.note(number, how)
