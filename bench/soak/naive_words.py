"""Words and numbers of a line, for the naive readers: a character at a time."""

from __future__ import annotations

DIGITS = "0123456789"


class Refused(Exception):
    """The text is not of the format."""


def words_of(line: str) -> list[str]:
    """The words of a line, a character at a time."""
    found, word = [], ""
    for character in [*line, " "]:
        if not character.isspace():
            word += character
        elif word:
            found.append(word)
            word = ""
    return found


def whole(word: str, sign: bool = True) -> int:
    """A whole number of ASCII digits."""
    digits = word[1:] if sign and word[0] in "+-" else word
    if not digits or any(digit not in DIGITS for digit in digits) or len(digits) > 18:
        raise Refused
    value = 0
    for digit in digits:
        value = 10 * value + DIGITS.index(digit)
    return -value if word[0] == "-" else value


def number(word: str) -> float:
    """A number from 0 up, perhaps with a point or an exponent."""
    mantissa, mark, exponent = word.lower().partition("e")
    before, _, behind = mantissa.lstrip("+-").partition(".")
    if len(mantissa) - len(mantissa.lstrip("+-")) > 1:
        raise Refused
    if mark:
        whole(exponent or "x")
    if not before + behind or any(digit not in DIGITS for digit in before + behind):
        raise Refused
    value = float(word)
    if not 0 <= value <= 1e9:
        raise Refused
    return value


def without_comment(line: str) -> str:
    return line[: line.index("#")] if "#" in line else line
