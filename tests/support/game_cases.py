"""The games that the conformance suite plays, and the naive rules that each is compared with."""

from __future__ import annotations

from functools import partial

from tests.support import naive_flat as flat
from tests.support import naive_games as naive
from tests.support import naive_go as stones

# a game's name and size, and what makes its naive rules
CASES = {
    "tictactoe": naive.TicTacToe,
    "connectfour": naive.ConnectFour,
    "connectfour:5x4": partial(naive.ConnectFour, 5, 4),
    "connectfour:8x7": partial(naive.ConnectFour, 8, 7),
    "breakthrough": naive.Breakthrough,
    "breakthrough:5x6": partial(naive.Breakthrough, 5, 6),
    "misere-breakthrough:4x5": partial(naive.Breakthrough, 4, 5, misere=True),
    "knightthrough": naive.Knightthrough,
    "knightthrough:3x6": partial(naive.Knightthrough, 3, 6),
    "misere-knightthrough:5x5": partial(naive.Knightthrough, 5, 5, misere=True),
    "domineering": naive.Domineering,
    "domineering:4x3": partial(naive.Domineering, 4, 3),
    "misere-domineering:3x5": partial(naive.Domineering, 3, 5, misere=True),
    "reversi": flat.Reversi,
    "reversi:4x4": partial(flat.Reversi, 4),
    "hex:5x5": partial(flat.Hex, 5),
    "hex:4x4,swap=true": partial(flat.Hex, 4, swap=True),
    "dotsandboxes": flat.DotsAndBoxes,
    "dotsandboxes:3x2": partial(flat.DotsAndBoxes, 3, 2),
    "go:2x2,komi=0.5": partial(stones.Go, 2, 2, 0.5),
    "go:4x3,komi=0.5": partial(stones.Go, 4, 3, 0.5),
    "go:4x2,komi=1,keep_eyes=true": partial(stones.Go, 4, 2, 1, eyes=True),
    "go:3x2,komi=0,length=9,unfinished=draw,exact_keys=true": partial(
        stones.Go, 3, 2, 0, length=9, draw=True
    ),
    "atarigo:3x3": partial(stones.Atarigo, 3, 3),
    "atarigo:5x4": partial(stones.Atarigo, 5, 4),
    "nogo:3x3": partial(stones.NoGo, 3, 3),
    "nogo:7x3": partial(stones.NoGo, 7, 3),
}

# Sequences of 1, 2, ... moves, as published; the test also counts by the naive rules.
PERFT = {
    # every program for the game counts the same: 255,168 games in all
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connectfour": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
    "reversi": [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288],
}

_FORM = [
    ("", "0 words"),
    ("x", "1 words, not 2"),
]

# Lines that are no position of the game, and a piece of what is said about them.
BAD_POSITIONS = {
    "tictactoe": [
        *_FORM,
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
    "connectfour:5x4": [
        *_FORM,
        ("5/5/5/5/5 x", "5 rows, not 4"),
        ("5/5/x4/5 o", "x hangs over an empty cell"),
        ("5/5/5/xx3 o", "2 x and 0 o with o to move"),
        ("5/5/5/xo3 o", "1 x and 1 o with o to move"),
        ("5/5/ooo2/xxxx. x", "4 x and 3 o with x to move"),
        ("5/o4/ooo2/xxxx. x", "x has four, but o moved"),
        ("4o/o3x/x3o/xoooo x", "3 x and 7 o"),
        ("x3o/x3o/x3o/x3o x", "x has four, but o moved"),
        ("5/5/xxoxx/oooox x", "o had four before the last stone"),
    ],
    "breakthrough:5x6": [
        *_FORM,
        ("5/5/5/5/5 w", "5 rows, not 6"),
        ("5/5/5/5/5/5 w", "b moved last, but has no piece"),
        ("5/5/5/b4/5/5 b", "w moved last, but has no piece"),
        ("5/5/5/5/w4/5 w", "b moved last, but has no piece"),
        ("w4/5/5/b4/5/5 w", "w is at the far edge, but b moved last"),
        ("ww3/5/5/b4/5/5 b", "2 w are at the far edge"),
        ("w4/5/5/5/5/b4 b", "b is at the far edge, but w moved last"),
        ("bbbbb/bbbbb/5/b4/wwwww/wwwww w", "11 b, but each begins with 10"),
        ("5/5/5/x4/5/5 w", "'x' is no piece; there are w and b"),
    ],
    "knightthrough:3x6": [("w../.../.../.../.../b.. w", "w is at the far edge")],
    "domineering:4x3": [
        *_FORM,
        ("4/4/4 h", "0 upright and 0 lying with h to move"),
        ("4/v3/4 h", "cells of v are not upright dominoes"),
        ("4/4/hh2 v", "0 upright and 1 lying with v to move"),
        ("v3/v3/2vv h", "cells of v are not upright"),
        ("vvhh/vvh1/3h v", "cells of h are not lying"),
        ("v2h/v2h/4 v", "cells of h are not lying"),
        ("vv2/vv2/h2h v", "cells of h are not lying"),
        ("vvv1/vvv1/v3 h", "cells of v are not upright"),
        ("vv2/vv2/4 v", "2 upright and 0 lying with v to move"),
    ],
    "reversi:4x4": [
        *_FORM,
        ("4/4/4/4 b", "b2 is empty, but the game begins with a stone there"),
        ("4/1wb1/1b2/4 b", "c3 is empty"),
        ("4/1wb1/1wb1/4 b", "four stones stand as at the start"),
        ("4/1wb1/1bw1/4 w", "4 stones with w to move, but b begins and nobody can have passed"),
        ("1b2/1bb1/1bw1/4 b", "5 stones with b to move"),
        ("1b1b/1bb1/1bw1/4 w", "6 stones with w to move"),
        ("4/1wb1/1bw1/4 x", "the player to move is b or w"),
        ("4/1xb1/1bw1/4 b", "'x' is no piece; there are b and w"),
    ],
    "reversi": [
        ("8/8/8/3wb3/3bw3/8/8/b7 w", "the stone on a8 is not connected with the middle"),
        ("b7/8/8/3wb3/3bw3/8/8/8 w", "the stone on a1 is not connected with the middle"),
        ("8/8/8/3wb3/3bw3/8/8 b", "7 rows, not 8"),
    ],
    "hex:5x5": [
        *_FORM,
        ("5/5/5/5/5 b", "0 r and 0 b with b to move"),
        ("r4/5/5/5/5 r", "1 r and 0 b with r to move"),
        ("b4/5/5/5/5 r", "0 r and 1 b with r to move"),
        ("r4/rbbb1/r4/r1b2/r3b r", "r has connected, but b moved last"),
        ("rbbbb/rbbbb/r4/r4/r4 b", "5 r and 8 b"),
        ("rrbb1/rrbb1/rrb2/rrbb1/rrbb1 b", "r had connected before the last stone"),
        ("5/rrrr1/bbbbb/5/rr3 b", "b has connected, but r moved last"),
        ("5/5/5/5 r", "4 rows, not 5"),
    ],
    "dotsandboxes:3x2": [
        *_FORM,
        ("---/.../... r", "3 rows, not 5"),
        (".../......./.../......./.. r", "row 5 has 2 signs, not 3"),
        (".../....../.../......./... r", "row 2 has 6 signs, not 7"),
        ("||./......./.../......./... r", "row 1 has '|' where - or . goes"),
        (".../-....../.../......./... r", "row 2 has '-' where | or . goes"),
        (".../.x...../.../......./... r", "row 2 has 'x' where r or b or . goes"),
        (".../......./.../......./... g", "the player to move is r or b, not 'g'"),
        (".../......./.../......./... b", "0 lines and 0 boxes with b to move"),
        (".../......./.../......./-.. r", "1 lines and 0 boxes with r to move"),
        (".../......./.../.r...../... r", "the box right and up of a1 is open, but has an owner"),
        (".../......./-../|.|..../-.. r", "the box right and up of a1 is closed, but has no owner"),
        (".../......./-../|b|..../-.. r", "4 lines and 1 boxes with r to move"),
        ("---/|r|r|r|/---/|r|r|r|/--- b", "b drew the last line, but has no box"),
    ],
    "go:3x3,komi=0.5": [
        *_FORM,
        ("b../b../... x", "the player to move is b or w"),
        ("wb./b../... b", "the white chain at A3 has no liberty"),
        ("bbb/bbb/bbb w", "the black chain at A1 has no liberty"),
        (".../.../b.. w after", "leads to '.../.../... b'"),
        (".../.../b.. w after B1", "leads to '.../.../.b. w'"),
        (".../.../b.. b after A1", "leads to '.../.../b.. w'"),
        (".../.../b.. w after A1 A1", "move 2: 'A1' is not a legal move here: it is taken"),
        (".../.../b.. w after D1", "move 1: 'D1' is not a legal move here"),
        (".../.../b.. b after .../b", "1 words, not 2"),
        (".../.../b.. b after .../.../... w", "leads to '.../.../... w'"),
        (".../.../wb. b after .../.../wb. b b1", "it is taken"),
        (".../.../... b after pass pass pass", "move 3: 'pass' cannot be played: the game is over"),
    ],
    "atarigo:3x3": [
        *_FORM,
        (".../.../b.. b", "1 b and 0 w with b to move"),
        (".../.../.w. b", "0 b and 1 w with b to move"),
        (".../.../wb. w", "1 b and 1 w with w to move"),
        (".../b../wb. b", "2 b and 1 w with b to move"),
        ("bw./w.b/... w", "2 b and 2 w"),
        ("b../w.b/bw. w", "the black chain at A1 has no liberty"),
        (".bw/bwb/wb. w", "black had taken stones before the last move"),
        ("bwb/w.w/bwb w", "4 b and 4 w"),
    ],
    "nogo:3x3": [
        *_FORM,
        (".../.../b.. b", "1 b and 0 w with b to move"),
        (".../b../wb. w", "the white chain at A1 has no liberty"),
        ("..b/w../bw. b", "the black chain at A1 has no liberty"),
    ],
}
