"""The files beside this one that a page is made of: its frame, its look, and its script.

The script shows the curves' values at the pointer; the page is complete without it. Nothing in them
refers to anything outside of the page.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def resource(name: str) -> str:
    """The text of one of the files."""
    return files(__package__).joinpath(name).read_text("utf-8")
