"""How a command declares its arguments, and the kinds of value that commands share."""

from __future__ import annotations

import argparse

import pytest

from playout.cli.arguments import (
    COUNT,
    SEED,
    Parser,
    as_dict,
    assignment,
    duration,
    keywords,
    number,
    whole,
)
from playout.errors import OptionError


@pytest.fixture
def parser() -> Parser:
    parser = Parser(prog="playout try")
    what = parser.group("what")
    what("GAME", "a game")
    what("[POSITION]", "a position")
    what("PLAYER ...", "players", dest="players")
    how = parser.group("how")
    how("-a, --algorithm NAME", "an algorithm", default="uct")
    how("-o NAME=VALUE ...", "an option", assignment, dest="options")
    how("--by {seconds,playouts}", "a unit")
    how("--seed N", "a seed", SEED)
    how("--json", "an object")
    return parser


def test_what_was_not_given(parser: Parser) -> None:
    options = vars(parser.parse_args(["hex"]))
    assert options == {
        "game": "hex",
        "position": None,
        "players": [],
        "algorithm": "uct",
        "options": [],
        "by": None,
        "seed": None,
        "json": False,
    }


def test_what_was_given(parser: Parser) -> None:
    words = "hex start uct grave --algorithm rave -o a=1 -o b=2 --by playouts --seed 1_000 --json"
    options = parser.parse_args(words.split())
    assert options.players == ["uct", "grave"]
    assert as_dict(options.options) == {"a": "1", "b": "2"}
    chosen = keywords(options, "position", "algorithm", "by", "seed", "json")
    assert list(chosen.values()) == ["start", "rave", "playouts", 1000, True]


def test_the_help_is_as_declared(parser: Parser) -> None:
    text = parser.format_help()
    for words in ("what:", "how:", "PLAYER", "-o NAME=VALUE", "--by {seconds,playouts}"):
        assert words in text
    assert "-a NAME, --algorithm NAME" in text


def test_one_of_several(parser: Parser) -> None:
    either = parser.group("who begins").one_of()
    either("--first", "you")
    either("--second", "the other")
    assert parser.parse_args(["hex", "--second"]).second
    with pytest.raises(OptionError, match="not allowed with"):
        parser.parse_args(["hex", "--first", "--second"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "give GAME"),
        ("hex --by minutes", "invalid choice: 'minutes'"),
        ("hex --seed -1", "'-1' is no seed: give a whole number from 0"),
        ("hex -o level", "'level' is not NAME=VALUE"),
    ],
)
def test_mistakes(parser: Parser, words: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        parser.parse_args(words.split())


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (duration, "90", 90.0),
        (duration, "1.5", 1.5),
        (duration, "10m", 600.0),
        (duration, "2 h", 7200.0),
        (number, "-1e3", -1000.0),
        (COUNT, "20_000", 20_000),
        (assignment, " a = b=c ", ("a", "b=c")),
    ],
)
def test_values(kind, text, value) -> None:
    assert kind(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (duration, "0"),
        (duration, "10 minutes"),
        (duration, "nan"),
        (number, "inf"),
        (number, "one"),
        (COUNT, "0"),
        (COUNT, "1.5"),
        (assignment, "=3"),
        (whole(2, "size"), "1"),
    ],
)
def test_no_values(kind, text) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no"):
        kind(text)


def test_a_name_twice() -> None:
    with pytest.raises(OptionError, match="level is given twice"):
        as_dict([("level", "2"), ("level", "3")])
