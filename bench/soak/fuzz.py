"""Files and texts of every kind (`bench/readers.py`), mangled by chance: read, or refused."""

from __future__ import annotations

import argparse
import faulthandler
import random
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from bench.readers import drawn_edits, mangle, readers
from bench.soak import CASE_SECONDS, cases


def soak_fuzz(arguments: argparse.Namespace) -> int:
    """Read mangled files and texts; all are read or refused in one line."""
    rng = random.Random(arguments.seed)
    ended: Counter[str] = Counter()
    known = sorted(readers().items())
    with tempfile.TemporaryDirectory() as name:
        for number in cases(arguments):
            what, reader = known[number % len(known)]
            content = mangle(rng.choice(reader.samples), drawn_edits(rng))
            faulthandler.dump_traceback_later(CASE_SECONDS, exit=True)
            try:
                how = reader.check(content, Path(name))
            except Exception:
                how = "failed"
                print(what, content, traceback.format_exc(), sep="\n", flush=True)
            faulthandler.cancel_dump_traceback_later()
            ended[how] += 1
            if (number + 1) % 10_000 == 0:
                print(f"{number + 1}: {dict(ended)}", flush=True)
    arguments.count = ended.total()
    print(f"{arguments.count}: {dict(ended)}", flush=True)
    return ended["failed"]
