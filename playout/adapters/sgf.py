"""SGF (Smart Game Format, FF[4]) for Go, NoGo and Atarigo.

The main line of a file is read: of variations, the first. NoGo and Atarigo have no number of
their own in SGF; they are written as Go (GM[1]) with their name as the rules, RU[NoGo], which is
how they are told apart when they are read.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from playout.adapters.game_files import PlayedGame, finished
from playout.errors import DataError, PlayoutError
from playout.games import load_game

RULES = {"Go": "go", "NoGo": "nogo", "Atarigo": "atarigo"}  # the class, and its game's name
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAMES = ("B", "W")
_MOST_NODES = 100_000

Node = dict[str, list[str]]


# writing


def to_sgf(played: PlayedGame) -> str:
    """A game as SGF; refuses games that are not Go's."""
    game = load_game(played.game)
    rules = type(game).__name__
    if rules not in RULES:
        raise DataError(f"SGF is for Go, NoGo and Atarigo, not for {played.game}: write text")
    states = played.states(game=game)
    size = f"{game.width}" if game.width == game.height else f"{game.width}:{game.height}"
    properties = [("FF", "4"), ("GM", "1"), ("CA", "UTF-8"), ("AP", "playout"), ("SZ", size)]
    properties.append(("RU", "Tromp-Taylor" if rules == "Go" else rules))
    if rules == "Go":
        properties.append(("KM", f"{game.komi:g}"))
    for name, player in zip(("PB", "PW"), played.players, strict=True):
        properties.append((name, player))
    properties.append(("RE", _result(played, game, states[-1])))
    properties = [(name, _escaped(value)) for name, value in properties if value]
    head = "".join(f"{name}[{value}]" for name, value in properties)
    head += _setup(game, states[0]) if played.start else ""
    lines, line = [f"(;{head}"], ""
    for before, text in zip(states, played.moves):
        move = game.parse_move(before[0], text)
        line += f";{_NAMES[int(before[0].player)]}[{_sgf_point(game, int(move.point))}]"
        if len(line) > 70:
            lines, line = [*lines, line], ""
    return "\n".join([*lines, *([line] if line else [])]) + ")\n"


def result_text(game: Any, states: np.ndarray) -> str:
    """The result of a finished game as SGF and GTP write it; empty if it is not over."""
    rewards = finished(game, states)
    if rewards is None:
        return ""
    if rewards[0] == rewards[1]:
        return "0"
    name = _NAMES[0 if rewards[0] > rewards[1] else 1]
    if type(game).__name__ == "Go":
        return f"{name}+{abs(int(states[0].margin) - game.komi):g}"
    return f"{name}+"


def _result(played: PlayedGame, game: Any, states: np.ndarray) -> str:
    if played.rewards is None or not played.ending:
        return result_text(game, states)
    winner = _NAMES[0 if played.rewards[0] > played.rewards[1] else 1]
    return f"{winner}+R" if played.ending.startswith("resign") else f"{winner}+"


def _setup(game: Any, states: np.ndarray) -> str:
    parts = ""
    for colour, letter in enumerate("bw"):
        points = [
            point for point, found in enumerate(game.cell_letters(states[0])) if found == letter
        ]
        if points:
            places = "".join(f"[{_sgf_point(game, point)}]" for point in points)
            parts += f"A{_NAMES[colour]}{places}"
    return parts + f"PL[{_NAMES[int(states[0].player)]}]"


def _sgf_point(game: Any, point: int) -> str:
    if point >= game.points:
        return ""  # a pass
    row, column = divmod(point, game.width)
    return _LETTERS[column] + _LETTERS[game.height - 1 - row]


def _escaped(text: str) -> str:
    return " ".join(str(text).split()).replace("\\", "\\\\").replace("]", "\\]")


# reading


def from_sgf(text: str, source: str = "the SGF text") -> PlayedGame:
    """The main line of an SGF text, replayed; `source` names it in errors."""
    nodes = parse_sgf(text, source)
    root = nodes[0]
    if _one(root, "GM", "1") != "1":
        raise _bad(source, f"GM[{_cut(_one(root, 'GM', ''))}] is no Go: GM[1] is")
    width, height = _size(root, source)
    rules = _one(root, "RU", "").strip().lower().replace(" ", "")
    name = {"nogo": "nogo", "atarigo": "atarigo", "capturego": "atarigo"}.get(rules, "go")
    turns = _turns(nodes, source)
    options = [f"{name}:{width}x{height}"]
    if name == "go":
        options += _go_options(root, width * height, len(turns), source)
    try:
        game = load_game(",".join(options))
    except PlayoutError as error:
        raise _bad(source, str(error)) from None
    played = PlayedGame(",".join(options), [_one(root, "PB", ""), _one(root, "PW", "")])
    states = _start(played, game, root, turns, source)
    for number, (colour, where) in enumerate(turns, 1):
        move = _game_point(game, where, f"{source}, move {number}")
        if finished(game, states) is None and int(states[0].player) != colour:
            raise _bad(source, f"move {number} is {_NAMES[colour]}'s, but the other is to move")
        try:
            found = game.parse_move(states[0], game.names[move])
        except PlayoutError as error:
            raise _bad(f"{source}, move {number}", str(error)) from None
        played.moves.append(game.names[move])
        game.play_move(states[0], found)
    played.rewards = finished(game, states)
    if played.rewards is None:
        _read_result(played, _one(root, "RE", ""))
    return played


def parse_sgf(text: str, source: str = "the SGF text") -> list[Node]:
    """The nodes of the main line, each a dictionary from properties to their values."""
    nodes: list[Node] = []
    place = text.find("(")
    if place < 0 or not text[place + 1 :].lstrip().startswith(";"):
        raise _bad(source, "is no SGF: it does not begin with (;")
    depth, main = 0, True  # within how many parentheses, and whether on the main line
    while place < len(text):
        character = text[place]
        if character == "(":
            depth += 1
            place += 1
        elif character == ")":
            depth -= 1
            main = False  # what comes now is another variation
            place += 1
            if depth == 0:
                return nodes
        elif character == ";":
            place += 1
            node: Node = {}
            place = _properties(text, place, node, source)
            if main:
                nodes.append(node)
            if len(nodes) > _MOST_NODES:
                raise _bad(source, f"has more than {_MOST_NODES:,} nodes")
        elif character.isspace():
            place += 1
        else:
            raise _bad(source, f"{_line(text, place)}: {character!r} where a node should begin")
    raise _bad(source, "ends before its last )")


def _properties(text: str, place: int, node: Node, source: str) -> int:
    """Read the properties of a node; where they end."""
    pattern = re.compile(r"\s*([A-Za-z]+)\s*(?=\[)")
    while match := pattern.match(text, place):
        name = "".join(letter for letter in match[1] if letter.isupper())  # FF[3]'s long names
        if not name or len(name) > 8:
            raise _bad(source, f"{_line(text, place)}: {_cut(match[1])} is no property")
        if name in node:
            raise _bad(source, f"{_line(text, place)}: {name} is twice in one node")
        place = match.end()
        node[name] = []
        while place < len(text) and text[place] == "[":
            value, place = _value(text, place + 1, source)
            node[name].append(value)
            while place < len(text) and text[place].isspace():
                place += 1
    return place


def _value(text: str, place: int, source: str) -> tuple[str, int]:
    """A value from behind its bracket, and where it ends."""
    began = place
    parts: list[str] = []
    while place < len(text):
        character = text[place]
        if character == "]":
            return "".join(parts), place + 1
        if character == "\\":
            place += 1
            if place < len(text) and text[place] not in "\r\n":
                parts.append(text[place])
        else:
            parts.append(" " if character.isspace() else character)
        place += 1
    raise _bad(source, f"{_line(text, began)}: a value without its ]")


def _size(root: Node, source: str) -> tuple[int, int]:
    text = _one(root, "SZ", "19").strip()
    match = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", text)
    if match is None:
        raise _bad(source, f"SZ[{_cut(text)}] is no size")
    return int(match[1]), int(match[2] or match[1])


def _go_options(root: Node, points: int, moves: int, source: str) -> list[str]:
    text = _one(root, "KM", "").strip() or "0"
    if not re.fullmatch(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?", text):
        raise _bad(source, f"KM[{_cut(text)}] is no komi")
    options = [f"komi={float(text):g}"]
    if moves > 2 * points:
        options.append(f"length={moves + 2 * points}")
    return options


def _turns(nodes: list[Node], source: str) -> list[tuple[int, str]]:
    """Who moves and where, as SGF writes it."""
    turns = []
    for number, node in enumerate(nodes):
        if number and {"AB", "AW", "AE"} & set(node):
            raise _bad(source, f"node {number + 1} puts stones down: only the first may")
        if "B" in node and "W" in node:
            raise _bad(source, f"node {number + 1} has a move of both players")
        for colour, name in enumerate(_NAMES):
            if name in node:
                turns.append((colour, node[name][0].strip() if node[name] else ""))
    return turns


def _start(
    played: PlayedGame, game: Any, root: Node, turns: list[tuple[int, str]], source: str
) -> np.ndarray:
    """The position at the start, noted in what was played if it is not the game's."""
    cells = ["."] * game.points
    for name, letter in (("AB", "b"), ("AW", "w"), ("AE", ".")):
        for value in root.get(name, []):
            for point in _points(game, value, f"{source}, {name}"):
                cells[point] = letter
    black_alone = "b" in cells and "w" not in cells  # a handicap
    first = turns[0][0] if turns else int(black_alone)
    if "PL" in root:
        letter = _one(root, "PL", "B").strip().upper()[:1]
        if letter not in _NAMES:
            raise _bad(source, f"PL[{_cut(_one(root, 'PL', ''))}] is neither B nor W")
        first = _NAMES.index(letter)
    if first or any(cell != "." for cell in cells):
        from playout.games.boards import position_line

        played.start = position_line(cells, game.width, "bw"[first])
    return played.first_state(source, game)


def _points(game: Any, value: str, where: str) -> list[int]:
    """A point, or all in the rectangle of two corners."""
    corners = [_game_point(game, part, where) for part in value.split(":")]
    if len(corners) > 2 or game.points in corners:
        raise _bad(where, f"{_cut(value)} is no point of the board")
    rows = sorted(corner // game.width for corner in corners)
    columns = sorted(corner % game.width for corner in corners)
    return [
        row * game.width + column
        for row in range(rows[0], rows[-1] + 1)
        for column in range(columns[0], columns[-1] + 1)
    ]


def _game_point(game: Any, text: str, where: str) -> int:
    """The number of a point; that of a pass is behind them."""
    text = text.strip()
    if text == "" or (text == "tt" and max(game.width, game.height) <= 19):
        if type(game).__name__ != "Go":
            raise _bad(where, "a pass, which the game does not have")
        return int(game.points)
    column, row = (_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= column < game.width and 0 <= row < game.height):
        raise _bad(where, f"{_cut(text)} is no point of a board of {game.width}x{game.height}")
    return int((game.height - 1 - row) * game.width + column)


def _read_result(played: PlayedGame, text: str) -> None:
    """Note how a game ended that the moves do not end: by resigning, on time, by agreement."""
    match = re.fullmatch(r"\s*([BWbw])\s*\+\s*(.*?)\s*", text)
    if match:
        winner = _NAMES.index(match[1].upper())
        played.rewards = [float(winner == 0), float(winner == 1)]
        reason = match[2][:1].upper()
        played.ending = {"R": "resigned", "T": "time", "F": "forfeit"}.get(reason, "agreed")
    elif text.strip().lower() in ("0", "draw", "jigo"):
        played.rewards, played.ending = [0.5, 0.5], "agreed"


def _one(node: Node, name: str, default: str) -> str:
    return node[name][0] if node.get(name) else default


def _line(text: str, place: int) -> str:
    return f"line {text.count(chr(10), 0, place) + 1}"


def _cut(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "..."


def _bad(source: str, reason: str) -> DataError:
    return DataError(f"{source}: {' '.join(reason.split())}")
