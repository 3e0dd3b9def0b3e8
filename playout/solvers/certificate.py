"""Winning strategies as files, and their check by the rules alone.

A certificate is text, with a JSON object in its first line: the game, the position, and one or two
claims, that the first player gets at least so much, or at most. For each claim there is a line with
it, and then a line for every position in which the player who holds it has to move and that his
own moves may lead to: the position, a tab, the move to play. A position that comes about in several
ways has one line. The last line says how many there are. A file named `.gz` is compressed.

The check plays the strategy against every reply and uses nothing but the rules of the game: no
table, no order, no solver. It reads the file line by line: positions stand in the
order in which it comes to them, replies being tried in the order of their positions' texts. So
neither does a long file take memory, nor can a wrong one be long before it is found out.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from playout._version import __version__
from playout.compiled import kernel
from playout.compiled.compile_errors import friendly
from playout.contract import Game, room_for_moves
from playout.errors import DataError, ProblemError
from playout.games.game_text import game_of_file
from playout.text.input_files import ordinary

FORMAT = "playout-proof-2"
LONGEST_LINE = 1 << 16
EVERY = 256  # positions between two reports of progress

Look = Callable[[int], None]
Choose = Callable[[np.ndarray, str, np.ndarray], int]


@dataclass(frozen=True)
class Claim:
    """What a player's strategy holds: the first player gets at least this, or at most."""

    player: int
    reward: float

    def holds(self, reward: float) -> bool:
        """Whether the end of a game is as claimed."""
        return reward >= self.reward if self.player == 0 else reward <= self.reward

    def __str__(self) -> str:
        return f"the first player gets at {'most' if self.player else 'least'} {self.reward:g}"


@dataclass(frozen=True)
class Certificate:
    """What a certificate shows."""

    game: str
    position: str
    claims: tuple[Claim, ...]
    positions: int

    def winner(self) -> str:
        """Who wins by it: first, second, draw, or unknown if it does not show so much."""
        least = max((c.reward for c in self.claims if c.player == 0), default=-math.inf)
        most = min((c.reward for c in self.claims if c.player == 1), default=math.inf)
        if least > 0.5:
            return "first"
        if most < 0.5:
            return "second"
        return "draw" if least == most == 0.5 else "unknown"

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "position": self.position,
            "winner": self.winner(),
            "claims": [vars(claim) for claim in self.claims],
            "positions": self.positions,
        }


@kernel
def follow(game, states, legal, after):
    """Write the legal moves and the states that they lead to; how many, whose turn, the reward."""
    n = game.moves(states[0], legal)
    for i in range(min(n, len(after))):
        after[i] = states[0]
        game.play(after[i], legal[i])
    reward = game.reward(states[0], 0) if n == 0 else 0.0
    return n, np.int64(game.turn(states[0])), np.float64(reward)


def play_strategy(
    game: Game,
    root: np.ndarray,
    claim: Claim,
    choose: Choose,
    progress: Look | None = None,
    compiled: bool = True,
) -> int:
    """Play a strategy against every reply; in how many positions it had to choose.

    `choose` is given a position, its text and the legal moves, and says which of these to play; it
    is asked once for each position. Raises `DataError` if the strategy does not hold what is
    claimed.
    """
    rules = follow if compiled else follow.py_func
    seen: set[bytes] = set()
    chosen = 0
    todo = [(game.position_text(root[0]), root)]
    legal, after = game.new_moves(room_for_moves(game.max_moves)), game.new_states(game.max_moves)
    with friendly():
        while todo:
            text, state = todo.pop()
            digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
            if digest in seen:
                continue
            seen.add(digest)
            n, turn, reward = rules(game, state, legal, after)
            if n > game.max_moves:
                raise ProblemError(f"{type(game).__name__}.moves() returned more than max_moves")
            if n == 0:
                if not claim.holds(float(reward)):
                    raise DataError(f"it leads to {text}, where it is not so that {claim}")
            elif turn == claim.player:
                i = choose(state, text, legal[:n])
                chosen += 1
                if progress is not None and chosen % EVERY == 0:
                    progress(chosen)
                todo.append((game.position_text(after[i]), after[i : i + 1].copy()))
            else:
                texts = [game.position_text(after[i]) for i in range(n)]
                for i in sorted(range(n), key=texts.__getitem__, reverse=True):
                    todo.append((texts[i], after[i : i + 1].copy()))
    return chosen


def check_certificate(
    path: str | Path,
    game: str | None = None,
    progress: Look | None = None,
    compiled: bool = True,
) -> Certificate:
    """Check a certificate; what it shows, or `DataError` with where it fails.

    A game that is a file's class is only loaded if it is named here: that executes the file.
    """
    with _lines(Path(path)) as (lines, where):
        try:
            header = _header(next(lines, ""))
            name = header["game"]
            if game is not None and game != name:
                raise DataError(f"it is about {name!r}, not {game!r}")
            rules = game_of_file(name, game)
            root = rules.read_position(header["position"])
            total = 0
            for claim in header["claims"]:
                if json_line(next(lines, "")) != vars(claim):
                    raise DataError("the line of a claim is missing")
                reader = _reader(rules, lines)
                total += play_strategy(rules, root, claim, reader, progress, compiled)
            if json_line(next(lines, "")) != {"positions": total}:
                raise DataError(f"the last line, {{'positions': {total}}}, is missing")
            if next(lines, ""):
                raise DataError("it goes on after its end")
        except DataError as error:
            raise DataError(f"{path}, line {where[0]}: {error}") from None
    return Certificate(name, header["position"], tuple(header["claims"]), total)


def _reader(game: Game, lines: Iterator[str]) -> Choose:
    """The next move of the file, which must be for this position."""

    def choose(state: np.ndarray, text: str, legal: np.ndarray) -> int:
        line = next(lines, "")
        position, tab, move = line.partition("\t")
        if not line:
            raise DataError(f"the file ends before there is a move for {text}")
        if not tab or position != text:
            raise DataError(f"here should be the move for {text}")
        for i in range(len(legal)):
            if game.move_text(state[0], legal[i]) == move:
                return i
        game.parse_move(state[0], move)  # says what is wrong
        raise DataError(f"{move!r} should be written as the game writes it")

    return choose


def write_header(file: IO[str], game: str, position: str, claims: list[Claim]) -> None:
    """Write the first line of a certificate."""
    header = {
        "format": FORMAT,
        "game": game,
        "position": position,
        "claims": [vars(claim) for claim in claims],
        "playout": __version__,
    }
    file.write(json.dumps(header) + "\n")


def _header(line: str) -> dict[str, Any]:
    data = json_line(line)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise DataError(f"this is not a certificate ({FORMAT})")
    for name in ("game", "position"):
        if not isinstance(data.get(name), str):
            raise DataError(f"{name} is missing, or not what it should be")
    claims = data.get("claims")
    if not isinstance(claims, list) or not 1 <= len(claims) <= 2:
        raise DataError("claims is missing, or not what it should be")
    return {**data, "claims": [_claim(claim) for claim in claims]}


def _claim(data: Any) -> Claim:
    if (
        not isinstance(data, dict)
        or data.keys() != {"player", "reward"}
        or data["player"] not in (0, 1)
        or isinstance(data["player"], bool)
        or not isinstance(data["reward"], int | float)
        or not math.isfinite(data["reward"])
    ):
        raise DataError("a claim is not what it should be")
    return Claim(int(data["player"]), float(data["reward"]))


def json_line(line: str) -> Any:
    """The JSON of a line; None if it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


@contextmanager
def _lines(path: Path) -> Iterator[tuple[Iterator[str], list[int]]]:
    """The lines of a file, one at a time, and a list with the number of the last."""
    where = [0]

    def read(file: IO[str]) -> Iterator[str]:
        while line := file.readline(LONGEST_LINE):
            where[0] += 1
            if not line.endswith("\n"):
                raise DataError(
                    "the line is too long" if len(line) == LONGEST_LINE else "the file is cut off"
                )
            yield line[:-1]

    try:
        with open_text(path) as file:
            yield read(file), where
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(f"{path} is damaged or cut off") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a certificate ({FORMAT})") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None


def open_text(path: Path) -> IO[str]:
    """A text file, compressed if it is named so."""
    ordinary(path)
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return open(path, encoding="utf-8", newline="\n")


@contextmanager
def text_in(raw: BinaryIO, path: Path) -> Iterator[IO[str]]:
    """What writes text into an open file, compressed if it is named so; the file stays open."""
    packed: Any = None
    if path.suffix == ".gz":
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    text = io.TextIOWrapper(packed or raw, "utf-8", newline="\n")
    try:
        yield text
        text.detach()
        if packed is not None:
            packed.close()
    finally:
        with suppress(OSError, ValueError):  # it was detached, or there is no room
            text.detach()
        if packed is not None:
            packed.fileobj = None  # which keeps it from writing its end
