"""A search at work in a notebook: figures, curve and best solution, redrawn while it runs."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from playout.contract import score_word
from playout.run.curve_picture import curve_svg
from playout.run.film import film
from playout.text.facts import facts_html

if TYPE_CHECKING:
    from playout.run.search import Search

EVERY = 1.0  # seconds


class LiveView:
    """What a notebook shows of a search; the best solution is drawn again only when it is new."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._strip = ""
        self._score: float | None = None

    def html(self) -> str:
        """The search as it stands."""
        search = self._search
        seen = search.look()
        facts = [("search", f"{search.title}, {seen.status}")]
        if seen.progress is None or seen.best is None:
            return facts_html(facts)
        done = seen.progress
        best = f"best {score_word(search.problem.sense)}"
        facts += [
            (best, f"{seen.best.score:.10g}"),
            ("playouts", f"{done.playouts:,} in {done.seconds:.1f} s ({done.rate:,.0f}/s)"),
        ]
        if seen.best.score != self._score:
            self._strip = film(search.problem, list(seen.best.moves), title="best").strip()
            self._score = seen.best.score
        curve = curve_svg(seen.curve, done.seconds, search.title, best)
        return facts_html(facts, curve + self._strip)

    def follow(self, handle: Any) -> None:
        """Redraw once a second, and when the search has ended."""
        from IPython.display import HTML

        over = False  # it may have ended since it was shown first
        while not over:
            with suppress(BaseException):  # told to whom asks for the result
                self._search.result(EVERY)
            over = self._search.status not in ("compiling", "running")
            handle.update(HTML(self.html()))


def show_live(search: Search) -> None:
    """Show a search where a notebook shows the value of a cell, and keep it up to date."""
    from IPython.display import HTML, display

    view = LiveView(search)
    handle = display(HTML(view.html()), display_id=True)
    if handle is not None:
        threading.Thread(target=view.follow, args=(handle,), name="live", daemon=True).start()
