"""The look of all pages: tokens for colours, type and space, and the files beside this one.

`tokens.css` is the only place that names a colour of a page. A page has it as it is. An SVG file
has the colours themselves (`with_colours`): many programs that show one know no variables. Nothing
in these files refers to anything outside of the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

LIGHT, DARK = 0, 1


@cache
def resource(name: str, room: str = __package__) -> str:
    """The text of a file that lies in a room: style, script or frame of a page."""
    return files(room).joinpath(name).read_text("utf-8")


def whole_page(title: str, style: str, body: str, images: str = "") -> str:
    """A page in one file that opens from disk: the browser keeps it from fetching anything.

    `images` says where its pictures may come from, if it has any besides its own SVG.
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    if images:
        policy += f"; img-src {images}"
    return Template(resource("page.html")).substitute(
        policy=escape(policy), title=title, style=style, body=body
    )


@cache
def colours() -> Mapping[str, tuple[str, str]]:
    """The colours by their names, for light and for dark.

    >>> colours()["card"][0]
    '#ffffff'
    """
    found = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]*#[^;]*);", resource("tokens.css")):
        both = re.findall(r"#[0-9a-f]{6}", value)
        found[name] = (both[LIGHT], both[-1])
    return found


def with_colours(rules: str) -> str:
    """Rules for a picture that stands alone: light, and dark where the reader prefers it.

    >>> with_colours(".a{fill:var(--card)}.b{fill:none}")
    '.a{fill:#ffffff}.b{fill:none}@media screen and (prefers-color-scheme:dark){.a{fill:#1b1f25}}'
    """
    lit = [rule + "}" for rule in "".join(rules.splitlines()).split("}") if rule.strip()]
    dark = "".join(in_scheme(rule, DARK) for rule in lit if "var(--" in rule)
    light = in_scheme("".join(lit), LIGHT)
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def in_scheme(rules: str, scheme: int) -> str:
    """Rules with the colours of one scheme in place of their names."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours()[found[1]][scheme], rules)
