"""One look: every text can be read on every ground, in the light and in the dark."""

from __future__ import annotations

import re
from itertools import product

import pytest

from playout.pictures.look import DARK, LIGHT, colours, resource, with_colours

TEXTS = ("ink", "soft", "accent", "better", "worse", "equal")
GROUNDS = ("page", "card", "well")
CURVES = tuple(f"c{number}" for number in range(8))
# the least contrast of text, and of lines that mean something (WCAG 2.2, 1.4.3 and 1.4.11)
TEXT, LINES = 4.5, 3.0

PAIRS = [
    *product(TEXTS, GROUNDS, [TEXT]),
    *((name, f"{name}-well", TEXT) for name in ("accent", "better", "worse", "equal")),
    ("ink", "accent-well", TEXT),
    ("ink", "warn-well", TEXT),
    ("soft", "accent-well", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-paper", "paper", TEXT),
    ("on-spot", "spot", TEXT),
    ("mark", "paper", LINES),
    *product(CURVES, ["card"], [TEXT]),
    *product([*CURVES, "edge"], GROUNDS, [LINES]),
]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_written_can_be_read(scheme):
    named = colours()
    low = {
        (text, ground): round(found, 2)
        for text, ground, least in PAIRS
        if (found := contrast(named[text][scheme], named[ground][scheme])) < least
    }
    assert low == {}


STYLES = (
    ("chart.css", "playout.pictures"),
    ("page.css", "playout.report"),
    ("elements.css", "playout.pictures"),
    ("film.css", "playout.pictures"),
    ("static/lab.css", "playout.lab"),
)


@pytest.mark.parametrize(("name", "room"), STYLES)
def test_no_other_file_names_a_colour(name, room):
    rules = resource(name, room)
    known = set(re.findall(r"--([\w-]+):", resource("tokens.css")))
    known |= {"print", "ratio", "board"}  # sizes that depend on a table or a picture
    assert set(re.findall(r"var\(--([\w-]+)", rules)) <= known
    assert re.findall(r"#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(", rules) == []


def test_a_picture_that_stands_alone_has_the_colours_themselves():
    rules = with_colours(resource("chart.css"))
    assert "var(" not in rules
    assert ".chart .c0{color:#0072b2}" in rules
    assert rules.endswith("}}")
    assert "@media screen and (prefers-color-scheme:dark){.chart text{fill:#e8e6e1}" in rules
