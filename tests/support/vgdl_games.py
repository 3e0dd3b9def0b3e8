"""Games in VGDL for tests: those of the data folder, their traces, and small ones from text."""

from __future__ import annotations

import gzip
import json
import zlib
from functools import cache

import numpy as np

from playout.arcade.vgdl.engine import VGDL
from playout.arcade.vgdl.levels import parse_level
from playout.arcade.vgdl.rules import parse_description
from playout.compiled import copy_record, kernel
from tests.support.datafolder import data, needs_data

TRACES = "vgdl/traces.jsonl.gz"
needs_traces = needs_data(TRACES)
SEVEN = ("aliens", "boulderchase", "chase", "jaws", "surround", "whackamole", "zelda")


IDLE, USE, LEFT, RIGHT, DOWN, UP = range(6)


def vgdl(description: str, level: str, **options) -> VGDL:
    """The game of two texts."""
    game = parse_description(description, "game.txt")
    return VGDL(game, parse_level(level, "level.txt", game), **options)


def small(types: str, rules: str, level: str, mapping: str = "", ends: str = "", **options):
    """A game with blocks of 10 pixels; `.` is nothing, and the avatar walks unless declared."""
    sections = {
        "SpriteSet": "nothing > Immovable\n" + types,
        "LevelMapping": ". > nothing\n" + mapping,
        "InteractionSet": rules,
        "TerminationSet": ends or "Timeout limit=100 win=False",
    }
    lines = ["BasicGame square_size=10"]
    for section, text in sections.items():
        lines.append(f"    {section}")
        lines += [f"        {line}" for line in text.splitlines()]
    return vgdl("\n".join(lines), level, **options)


def play(game, *moves: int, seed: int = 1):
    state = game.java_root(seed)[0]
    for move in moves:
        game.play_move(state, move)
    return state


def places(game, state, name: str) -> list[tuple[int, int]]:
    """Where the sprites of a type are, in cells."""
    number = next(kind.number for kind in game.game.types if kind.name == name)
    return [(x / 10, y / 10) for x, y in game.sprites(state).get(number, [])]


def data_game(name: str, level: int, **options) -> VGDL:
    """A game of the data folder."""
    text = data(f"vgdl/{name}.txt").read_text()
    game = parse_description(text, f"{name}.txt")
    drawn = data(f"vgdl/{name}_lvl{level}.txt").read_text()
    return VGDL(game, parse_level(drawn, f"{name}_lvl{level}.txt", game), **options)


@cache
def traces() -> dict[tuple[str, int, int], dict]:
    """What GVGAI did, by game, level and seed."""
    with gzip.open(data(TRACES), "rt") as lines:
        found = [json.loads(line) for line in lines]
    return {(trace["game"], trace["level"], trace["seed"]): trace for trace in found}


def checksum(game: VGDL, state) -> int:
    """The number that stands for all sprites in a trace."""
    groups = game.sprites(state)
    parts = [
        f"|{game.game.types[kind].name} " + " ".join(f"{x},{y}" for x, y in groups[kind])
        for kind in groups
    ]
    return zlib.crc32(" ".join(parts).encode())


def seen(game: VGDL, state) -> list[int]:
    """A tick as a trace has it."""
    return [int(state.score), int(state.ended), int(state.won), checksum(game, state)]


@kernel
def play_all(game, states, moves):
    """Play moves from the first state; the state after each into the next."""
    for k in range(len(moves)):
        copy_record(states[k], states[k + 1])
        game.play(states[k + 1], moves[k])


def after_each(game: VGDL, seed: int, moves: np.ndarray, compiled: bool) -> np.ndarray:
    """The states after each move, with the luck of a seed of GVGAI's."""
    states = game.new_states(len(moves) + 1)
    states[:1] = game.java_root(seed)
    (play_all if compiled else play_all.py_func)(game, states, moves)
    return states[1:]
