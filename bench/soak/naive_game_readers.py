"""Naive readers of played games and rulesheets: SGF, game files, KIF."""

from __future__ import annotations

from typing import Any

from bench.soak.naive_words import Refused, whole
from playout.adapters.game_files import from_text
from playout.adapters.sgf import from_sgf


def read_sgf(text: str) -> Any:
    """The size, the players and the moves of the main line."""
    nodes, place = [], text.index("(") if "(" in text else len(text)
    ended = False
    while place < len(text) and not (ended := text[place] == ")"):
        if text[place] == ";":
            nodes.append({})
        elif text[place].isalpha() and nodes:
            name = ""
            while place < len(text) and (text[place].isalpha()):
                name += text[place] if text[place].isupper() else ""
                place += 1
            values, place = sgf_values(text, place)
            if not values or not name or name in nodes[-1]:
                raise Refused
            nodes[-1][name] = values
            continue
        elif text[place] != "(" and not text[place].isspace():
            raise Refused
        place += 1
    if not ended or not nodes:
        raise Refused
    root = {name: values[0] for name, values in nodes[0].items()}
    size = root.get("SZ", "19").strip()
    width, _, height = size.partition(":")
    moves = []
    for node in nodes:
        for colour in "BW":
            if colour in node:
                moves.append(sgf_point(node[colour][0].strip(), whole(height or width)))
    return f"{whole(width)}x{whole(height or width)}", moves


def sgf_values(text: str, place: int) -> tuple[list[str], int]:
    values: list[str] = []
    while place < len(text) and (text[place].isspace() or text[place] == "["):
        if text[place] == "[":
            value = ""
            place += 1
            while place < len(text) and text[place] != "]":
                place += text[place] == "\\"
                value += text[place : place + 1]
                place += 1
            values.append(value)
        place += 1
    return values, place


def sgf_point(text: str, height: int) -> str:
    if text in ("", "tt"):
        return "pass"
    column, row = text
    return f"{column}{height - (ord(row) - ord('a'))}"


def sgf_read(text: str) -> Any:
    played = from_sgf(text, "file")
    size = played.game.partition(":")[2].partition(",")[0]
    return size, [move.lower() for move in played.moves]


def read_game_file(text: str) -> Any:
    """The game, the names and the moves of a text."""
    lines = [line.strip() for line in text.split("\n")]
    if lines[0] != "playout record 1":
        raise Refused
    headers: dict[str, str] = {}
    moves = []
    blank = False
    for line in lines[1:]:
        blank = blank or not line
        if blank and line:
            words = line.split(None, 2)
            if len(words) != 3 or whole(words[0], False) != len(moves) + 1:
                raise Refused
            moves.append("".join(words[2].split()).lower())  # as tic-tac-toe reads them
        elif line:
            name, mark, value = line.partition(":")
            if not mark or name.strip().lower() in headers:
                raise Refused
            headers[name.strip().lower()] = value.strip()
    return headers["game"], [headers.get(f"player {seat}", "") for seat in (1, 2)], moves


def game_file_read(text: str) -> Any:
    played = from_text(text, "file")
    return played.game, list(played.players), list(played.moves)


def read_rules(text: str) -> Any:
    """The expressions of a rulesheet, by recursive descent."""
    found, place = [], 0
    while (place := _skip(text, place)) < len(text):
        one, place = _expression(text, place, 0)
        found.append(one)
    return found


def _skip(text: str, place: int) -> int:
    while place < len(text) and (text[place].isspace() or text[place] == ";"):
        if text[place] == ";":
            while place < len(text) and text[place] != "\n":
                place += 1
        else:
            place += 1
    return place


def _expression(text: str, place: int, depth: int) -> tuple[Any, int]:
    if text[place] == ")" or depth > 60:
        raise Refused
    if text[place] != "(":
        start = place
        while place < len(text) and not (text[place].isspace() or text[place] in "();"):
            place += 1
        return text[start:place].lower(), place
    parts, place = [], _skip(text, place + 1)
    while place < len(text) and text[place] != ")":
        one, place = _expression(text, place, depth + 1)
        parts.append(one)
        place = _skip(text, place)
    if place == len(text) or not parts:
        raise Refused
    if depth and len(parts) == 1 and isinstance(parts[0], str):
        return parts[0], place + 1
    return tuple(parts), place + 1
