"""Matches in files: their games without what depends on the speed of the machine."""

from __future__ import annotations

import json

import playout as po
from playout.matches.transcript import read_transcript


def plain(path):
    """The games of a file in their order, without what depends on the machine's speed."""
    games = sorted(read_transcript(path), key=lambda game: game.number)
    return [(g.number, g.seats, g.moves, g.result, g.simulations) for g in games]


def unsealed(path):
    """The lines of a file as data without their checksums, as an older version wrote them."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: line[name] for name in line if name != "checksum"} for line in lines]


def play(path, games=6, **settings):
    settings = {"seed": 3, "record": path, **settings}
    return po.match("tictactoe", "random", "random", games=games, **settings)


def plain_of(result):
    return [(g.number, g.seats, g.moves, g.result, g.simulations) for g in result.transcript]
