"""The site has the look of the lab: what its theme writes can be read in the light and the dark."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from playout.pictures.look import DARK, LIGHT, colours
from tests.pictures.test_tokens import TEXT, contrast

ROOT = Path(__file__).parents[2]
TEXTS = (
    "text-base",
    "text-muted",
    "heading",
    "link",
    "link-hover",
    "primary",
    "secondary",
    "accent",
    "inline-code",
    "on-surface",
    "table",
    "link-higher-contrast",
)
GROUNDS = (
    "background",
    "on-background",
    "surface",
    "table-heading-bg",
    "table-row-zebra-low-bg",
    "table-row-zebra-high-bg",
)
PAIRS = [
    *product(TEXTS, GROUNDS),
    ("primary-text", "primary"),
    ("secondary-text", "secondary"),
    ("text-base", "target"),
    ("table", "table-row-hover-bg"),
    ("link", "table-row-hover-bg"),
]


def theme(scheme: str) -> dict[str, str]:
    """The theme's own colours for a scheme, and what the site says over them."""
    package = pytest.importorskip("pydata_sphinx_theme", reason="the site's theme is missing")
    place = Path(package.__file__).parent / "theme/pydata_sphinx_theme/static/styles"
    found: dict[str, str] = {}
    texts = (place / "pydata-sphinx-theme.css").read_text(), (ROOT / "docs/static/site.css")
    for text in (texts[0], texts[1].read_text()):
        for names, rules in re.findall(r"([^{}]*)\{([^{}]*)\}", text):
            chosen = [name.strip().replace('"', "") for name in names.split(",")]
            if f"html[data-theme={scheme}]" in chosen:
                found |= dict(re.findall(r"--pst-color-([\w-]+):\s*([^;]+)", rules))
    return found


def resolved(value: str, named: dict[str, str], which: int) -> str:
    """A colour as six digits."""
    while found := re.fullmatch(r"var\(--(pst-color-)?([\w-]+)\)", value.strip()):
        value = named[found[2]] if found[1] else colours()[found[2]][which]
    digits = value.strip().removeprefix("#")
    assert re.fullmatch("[0-9a-f]{3}|[0-9a-f]{6}", digits), value
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


@pytest.mark.parametrize(("scheme", "which"), [("light", LIGHT), ("dark", DARK)])
def test_what_the_theme_writes_can_be_read(scheme, which):
    named = theme(scheme)
    assert len(named) > 40  # the theme was found, and is read
    low = {}
    for text, ground in PAIRS:
        pair = resolved(named[text], named, which), resolved(named[ground], named, which)
        if contrast(*pair) < TEXT:
            low[text, ground] = round(contrast(*pair), 2)
    assert low == {}


@pytest.mark.parametrize(("style", "which"), [("light", LIGHT), ("dark", DARK)])
def test_code_can_be_read(style, which):
    pytest.importorskip("a11y_pygments", reason="the site's theme is missing")
    from pygments.styles import get_style_by_name

    ground = colours()["well"][which]
    words = {
        f"#{token['color']}"
        for _, token in get_style_by_name(f"a11y-high-contrast-{style}")
        if token["color"]
    }
    assert len(words) > 4
    assert [word for word in words if contrast(word, ground) < TEXT] == []


def test_the_site_names_no_colour_of_its_own():
    rules = (ROOT / "docs/static/site.css").read_text()
    assert re.findall(r"#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(", rules) == []
