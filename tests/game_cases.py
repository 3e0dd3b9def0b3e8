"""The games that the conformance suite plays, and the naive rules that each is compared with."""

from __future__ import annotations

from tests import naive_games as naive

# a game's name and size, and what makes its naive rules
CASES = {
    "tictactoe": naive.TicTacToe,
}

# Sequences of 1, 2, ... moves, as published; the test also counts by the naive rules.
PERFT = {
    # every program for the game counts the same: 255,168 games in all
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
}

# Lines that are no position of the game, and a piece of what is said about them.
BAD_POSITIONS = {
    "tictactoe": [
        ("", "0 words"),
        ("... x", "1 rows, not 3"),
        ("..../.../... x", "row 1 has 4 cells, not 3"),
        ("4/3/3 x", "row 1 has 4 cells, not 3"),
        ("q../.../... o", "'q' is no piece"),
        (".../.../... w", "the player to move is x or o"),
        (".../.../... o", "0 x and 0 o with o to move"),
        ("xx./.../... x", "2 x and 0 o"),
        ("xxx/ooo/... x", "x has a line, but o moved"),
        ("xxx/oo./..o x", "x has a line"),
    ],
}
