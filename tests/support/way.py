"""The way of a command through the package: the files whose functions it calls, in order.

`python -m tests.support.way WORDS...` prints them as JSON, with how often it goes from one file to
another. What runs when a module is imported is left out.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import playout
from playout.cli import main

ROOT = str(Path(playout.__file__).parent) + os.sep


def way_of(words: list[str]) -> dict[str, Any]:
    """The files in the order in which they are first entered, and the changes of file."""
    entered: dict[str, None] = {}
    last = ""
    changes = importing = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal last, changes, importing
        file = frame.f_code.co_filename
        if frame.f_code.co_name == "<module>":
            importing += (event == "call") - (event == "return")
        elif event == "call" and not importing and file.startswith(ROOT) and file != last:
            changes += bool(last)
            last = file
            entered.setdefault(file[len(ROOT) :].replace(os.sep, "/"))

    sys.setprofile(note)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            code = main(words)
    finally:
        sys.setprofile(None)
    assert code == 0
    return {"files": list(entered), "changes": changes}


if __name__ == "__main__":
    print(json.dumps(way_of(sys.argv[1:])))
