"""Small rulesheets, and the transcripts of another engine's games."""

from __future__ import annotations

import gzip

from playout.ggp.game import GDLGame
from playout.ggp.kif import expressions
from tests.support.datafolder import data

# Matching pennies: both choose at the same time; `even` wants them equal.
PENNIES = """
(role even) (role odd)
(side heads) (side tails)
(<= (legal ?r ?s) (role ?r) (side ?s) (not (true (shown ?r heads))) (not (true (shown ?r tails))))
(<= (legal ?r wait) (role ?r) (true (shown ?r ?s)))
(<= (next (shown ?r ?s)) (does ?r ?s) (side ?s))
(<= terminal (true (shown ?r ?s)))
(<= same (true (shown even ?s)) (true (shown odd ?s)))
(<= (goal even 100) same) (<= (goal even 0) (not same))
(<= (goal odd 0) same) (<= (goal odd 100) (not same))
"""

# Doors between rooms are opened and shut; who can be reached from room 1 decides what is legal.
# What is reached depends on itself on the ground level, in both directions of every door.
DOORS = """
(role robot)
(door 1 2) (door 2 3) (door 3 4) (door 4 1) (door 4 5) (door 5 6) (door 6 2)
(<= (linked ?a ?b) (door ?a ?b) (true (open ?a ?b)))
(<= (linked ?b ?a) (door ?a ?b) (true (open ?a ?b)))
(<= (reached 1) (not (true dark)))
(<= (reached ?b) (reached ?a) (linked ?a ?b))
(<= (lit ?a) (reached ?a) (not (true (count 0))))
(<= (far ?a) (lit ?a) (distinct ?a 1))
(<= (far ?b) (far ?a) (linked ?a ?b))
(init (open 1 2)) (init (open 4 5)) (init (count 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(<= (legal robot (toggle ?a ?b)) (door ?a ?b))
(<= (legal robot switch) (far 3))
(<= (legal robot (stand ?a)) (far ?a))
(<= (next (open ?a ?b)) (true (open ?a ?b)) (not (does robot (toggle ?a ?b))))
(<= (next (open ?a ?b)) (does robot (toggle ?a ?b)) (not (true (open ?a ?b))))
(<= (next dark) (true dark) (not (does robot switch)))
(<= (next dark) (does robot switch) (not (true dark)))
(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
(<= (next (saw ?a)) (reached ?a))
(<= terminal (true (count 9)))
(<= (goal robot 100) (reached 6))
(<= (goal robot 40) (not (reached 6)) (far 2))
(<= (goal robot 0) (not (reached 6)) (not (far 2)))
"""


def game_of(folder, text, name="game.kif", **options):
    """The game of a rulesheet's text."""
    path = folder / name
    path.write_text(text)
    return GDLGame(str(path), **options)


def term_of(text):
    return next(expressions(text, "a term"))[0]


def transcript(name, most):
    """The first games of a transcript: steps of (legal moves by role, joint move), and goals."""
    games = []
    with gzip.open(data(f"ggp/transcripts/{name}.txt.gz"), "rt") as lines:
        legal = []
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "game":
                if len(games) == most:
                    break
                games.append(([], []))
            elif word == "legal":
                legal.append({term_of(move) for move in rest.split("|")})
            elif word == "does":
                games[-1][0].append((legal, [term_of(move) for move in rest.split("|")]))
                legal = []
            elif word == "goals":
                games[-1][1].extend(rest.split())
    return games
