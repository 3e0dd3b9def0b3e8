"""Players and matches: who plays better, with seats swapped, seeds paired and intervals.

- `player.py`: what a player is, the built-in ones, and players from text;
- `schedule.py`: which game has whom in which seat, with which seeds and opening;
- `referee.py`: one game, played and checked by the rules in plain Python;
- `record.py`, `replay.py`: the transcript file, and whether it replays;
- `score.py`, `ratings.py`, `sprt.py`: wins and losses, intervals, Elo, the sequential test;
- `pool.py`, `conduct.py`: all games, on all cores, and early ends;
- `result.py`: what came of it, as data, text and HTML.
"""
