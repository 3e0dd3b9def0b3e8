"""A sequence of moves in pictures: a strip of moments as SVG, and a page with a slider.

Both stand alone: they need no library, no network and no other file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from playout.errors import OptionError
from playout.pictures.look import LIGHT, colours, resource, whole_page
from playout.text.numbers import counted, plain
from playout.text.output_files import write_atomically

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOMENTS = 4  # of a strip
WIDTH, GAP, TITLE = 250.0, 22.0, 24.0  # of a moment in a strip, between two, and above each

Point = tuple[float, float]


@dataclass(frozen=True)
class Step:
    """A state on the way: its picture and its text, and the move that is played there.

    `points` says where in the picture the move is; both are empty at the end.
    """

    picture: str
    text: str
    move: str = ""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, repr=False)
class Film:
    """A sequence of moves in pictures, from the first state to the last.

    Notebooks show it as a film with a slider; `save` writes it.

    Examples
    --------
    >>> import playout as po
    >>> film = po.film("tictactoe", ["b2", "a1", "c3"])
    >>> film
    Film('TicTacToe', 3 moves)
    >>> film.strip(moments=2).count("<svg")
    3
    """

    title: str
    words: str
    steps: tuple[Step, ...]

    def strip(self, moments: int = MOMENTS) -> str:
        """Some of the states side by side, as one SVG picture: always the first and the last."""
        from xml.etree.ElementTree import tostring

        last = len(self.steps) - 1
        shown = sorted({round(last * i / max(1, moments - 1)) for i in range(max(1, moments))})
        boards = [_sized(self.steps[number]) for number in shown]
        high = max(height for _, height in boards)
        across = GAP + len(shown) * (WIDTH + GAP)
        down = GAP + TITLE + high + GAP + 20
        ground, ink, soft = (colours()[name][LIGHT] for name in ("card", "ink", "soft"))
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(self.title)}" '
            f'viewBox="0 0 {across:g} {down:g}" width="{across:g}" height="{down:g}" '
            'font-family="sans-serif" font-size="13">',
            f'<rect width="{across:g}" height="{down:g}" rx="10" fill="{ground}"/>',
        ]
        for place, (number, (board, _)) in enumerate(zip(shown, boards, strict=True)):
            x = GAP + place * (WIDTH + GAP)
            board.set("x", f"{x:g}")
            board.set("y", f"{GAP + TITLE:g}")
            name = moment(number, last)
            parts.append(f'<text x="{x:g}" y="{GAP + 12:g}" fill="{soft}">{name}</text>')
            parts.append(tostring(board, "unicode"))
        words = escape(plain(f"{self.title}: {self.words}"))
        parts.append(f'<text x="{GAP:g}" y="{down - 14:g}" fill="{ink}">{words}</text>')
        return "\n".join([*parts, "</svg>\n"])

    def page(self) -> str:
        """The film as one HTML file: a picture, a slider, the moves."""
        parts, pictures = packed([step.picture for step in self.steps])
        last = len(self.steps) - 1
        steps = [
            {
                "move": step.move,
                "points": step.points,
                "text": step.text,
                "name": f"{self.title}, {moment(number, last)}",
            }
            for number, step in enumerate(self.steps)
        ]
        data = {"parts": parts, "pictures": pictures, "steps": steps}
        return film_page(self.title, self.words, data, resource("film_page.js"))

    def save(self, path: str | Path) -> None:
        """Write it: .svg is a strip of moments, .html a page with a slider."""
        forms = {".svg": self.strip, ".html": self.page}
        ending = Path(path).suffix.lower()
        if ending not in forms:
            raise OptionError(f"{path}: a film is written as .svg or .html")
        write_atomically(Path(path), forms[ending]().encode())

    def __repr__(self) -> str:
        return f"Film({self.title!r}, {counted(len(self.steps) - 1, 'move')})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        frame = f'<iframe srcdoc="{escape(self.page())}" style="width:100%;height:640px;border:0">'
        return {"text/plain": repr(self), "text/html": f"{frame}</iframe>"}


def film_page(title: str, words: str, data: Mapping[str, Any], script: str) -> str:
    """A page with a `<lab-film>`, whose data lie in the page and are shown by a script."""
    written = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    shown = escape(plain(title))
    body = Template(resource("film_body.html")).substitute(
        title=shown,
        words=escape(plain(words)),
        data=written.replace("<", "\\u003c"),  # no text of a state can end the script
        script=one_module("elements.js", "board.js", "film.js") + script,
    )
    style = "".join(map(resource, ("tokens.css", "elements.css", "film.css")))
    return whole_page(shown, style, body, images="blob:")


def one_module(*names: str) -> str:
    """Modules as one: a page that is opened from disk may not load any."""
    return re.sub(r"^import .*\n|^export ", "", "\n".join(map(resource, names)), flags=re.MULTILINE)


def packed(pictures: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Pictures by their parts, of which they have most in common: lines, and pieces of paths.

    >>> packed(["<a>\\n<b>", "<a>\\n<c>"])
    (['<a>\\n', '<b>', '<c>'], [[0, 1], [0, 2]])
    """
    numbers: dict[str, int] = {}
    found = [
        [numbers.setdefault(part, len(numbers)) for part in re.split(r"(?<=\n)|(?=M)", picture)]
        for picture in pictures
    ]
    return list(numbers), found


def moment(number: int, last: int) -> str:
    """The name of a state on the way."""
    if number == 0:
        return "start"
    return f"the end, after {counted(last, 'move')}" if number == last else f"after {number}"


def text_picture(text: str) -> str:
    """A board of text as a picture, for a state that draws none."""
    lines = text.rstrip("\n").split("\n")
    width, height = 9 * max(map(len, lines)) + 24, 18 * len(lines) + 16
    rows = (
        f'<text x="12" y="{22 + 18 * i}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="monospace" font-size="15" '
        f'fill="{colours()["on-paper"][LIGHT]}">{"".join(rows)}</svg>'
    )


def _sized(step: Step) -> tuple[Element, float]:
    """A picture as wide as a moment of a strip, and how high it then is."""
    from xml.etree.ElementTree import fromstring, register_namespace

    register_namespace("", "http://www.w3.org/2000/svg")
    board = fromstring(step.picture or text_picture(step.text))
    box = [float(part) for part in re.split(r"[\s,]+", board.get("viewBox", "").strip()) if part]
    if len(box) != 4:
        box = [0.0, 0.0, *(_length(board.get(name)) for name in ("width", "height"))]
        board.set("viewBox", " ".join(f"{part:g}" for part in box))
    height = min(WIDTH * box[3] / box[2], 2 * WIDTH)
    board.set("width", f"{WIDTH:g}")
    board.set("height", f"{height:.1f}")
    return board, height


def _length(text: str | None) -> float:
    found = re.match(r"[\d.]+", text or "")
    return float(found[0]) if found else 150.0
