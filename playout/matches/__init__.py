"""Players and matches: who plays better, with seats swapped, seeds paired and intervals.

- `player.py`: what a player is, the built-in ones, and players from text;
- `auto_player.py`: the player that is usual for a game;
- `policy_player.py`, `pool_player.py`: players of Jass;
- `match_settings.py`, `arena.py`: what a match is, and what all its games have in common;
- `schedule.py`: which game has whom in which seat, with which seeds and opening;
- `referee.py`: one game, played and checked by the rules in plain Python;
- `transcript.py`, `replay.py`: the transcript file, and whether it replays;
- `score.py`, `ratings.py`, `sprt.py`: wins and losses, intervals, Elo, the sequential test;
- `match.py`, `playing.py`: all games, on all cores, and early ends;
- `match_result.py`: what came of it, as data, text and HTML.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry

# besides these, every tree search is a player
PLAYERS = Registry(
    "player",
    "playout.players",
    {
        "auto": Entry("playout.matches.auto_player:AutoPlayer"),
        "random": Entry("playout.matches.player:RandomPlayer"),
        "handmade": Entry("playout.matches.policy_player:HandMadePlayer"),
        "minmax": Entry("playout.matches.policy_player:MinMaxPlayer"),
        "pool": Entry("playout.matches.pool_player:PoolPlayer"),
        "zero": Entry("playout.learn.alphazero.network_player:NetworkPlayer"),
    },
    base="playout.matches.player:Player",
)
