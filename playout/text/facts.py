"""Facts about a result, a name and a value each: as lines of text, and as a table of HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

Facts = Sequence[tuple[str, str]]


def facts_text(facts: Facts) -> str:
    """A line for each, the values under each other.

    >>> print(facts_text([("score", "6"), ("playouts", "400")]))
    score     6
    playouts  400
    """
    width = max(len(name) for name, _ in facts)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in facts)


def facts_html(facts: Facts, picture: str = "") -> str:
    """A table with a line for each, as notebooks show it, and perhaps an SVG picture below."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td>{html.escape(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table>{rows}</table>{picture}"
