"""The figures that papers print: `tables/PAPER.txt`, one table after the other."""

from __future__ import annotations

import re
from pathlib import Path

TABLES = Path(__file__).parent / "tables"


def printed(paper: str, table: str) -> str:
    """The lines of a table of a paper.

    >>> printed("gnrpa", "1").split()[:2]
    ['40.96', '2435.12']
    """
    text = (TABLES / f"{paper}.txt").read_text("utf-8")
    _, *parts = re.split(r"^Table (\S+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))[table].strip()
