"""The lab's pages: what is a page's own (`static/NAME.html`), in the frame of all."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

STATIC = Path(__file__).parent / "static"
TITLES = {
    "home": "Playout lab",
    "search": "Search · Playout lab",
    "play": "Play · Playout lab",
    "compare": "Compare · Playout lab",
    "store": "Store · Playout lab",
    "run": "A run · Playout lab",
    "papers": "Papers · Playout lab",
    "matches": "Matches · Playout lab",
    "missing": "Not here · Playout lab",
}
REPORT_HEAD = """\
<link rel="stylesheet" href="/report.css">
<script src="/report.js" defer></script>
"""


def page(name: str) -> str:
    """A page that is the same for everyone; its script fills it."""
    return _framed(name, TITLES[name], _filled("main", main=_read(name)))


def report_page(name: str, title: str, header: str, main: str) -> str:
    """The page of an experiment's report."""
    body = _filled("report", header=header, main=main, name=escape(name, quote=True))
    return _framed("report", f"{title} · Playout lab", body, REPORT_HEAD)


def _framed(name: str, title: str, body: str, head: str = "") -> str:
    return _filled("frame", name=name, title=title, body=body, head=head)


def _filled(file: str, **parts: str) -> str:
    return Template(_read(file)).substitute(parts)


def _read(name: str) -> str:
    return (STATIC / f"{name}.html").read_text("utf-8")
