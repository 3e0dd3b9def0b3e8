"""Small rulesheets of many kinds, written as people write them: puzzles, boards, three players."""

from __future__ import annotations

# Letters of any size, brackets around symbols, comments, numbers, terms in terms, `distinct` first
# and on terms, `not` of `or`, of `and`, of `distinct`, predicates of two arities and a variable
# whose name begins another's.
ODD = """
; a comment (with brackets
(ROLE Robot)(role other)
(Init (heap (Of 1 2))) (init (heap (of 2 3))) (init (TURN robot)) ; (init nothing)
(succ 0 1) (succ 1 2) (succ 2 3)
(part 1) (<= (part 2) (init (heap (of 2 3)))) (part 1 2) (part 2 1) (<= (base ?f) (init ?f))
(<= (legal ?r (take ?x ?xx)) (distinct ?x ?xx) (true (turn ?r)) (true (heap (of ?x ?xx)))
    (or (part ?x) (and (succ ?x ?xx) (not (succ ?xx ?x)))))
(<= (legal ?r (SPLIT (of ?x ?n))) (true (turn ?r)) (true (heap (of ?x ?n)))
    (not (or (distinct ?x ?x) (true (heap (of ?n ?x))))))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?b)) (true (turn ?a)) (role ?b) (not (not (distinct (f ?a) (f ?b)))))
(<= (next (heap (of ?x ?m))) (does ?r (take ?x ?n)) (succ ?m ?n) (not (and (part ?m) (part ?x ?m))))
(<= (next (heap (of ?x ?n))) (true (heap (of ?x ?n))) (not touched))
(<= (next (heap ?h)) (true (heap ?h)) (does ?r (split ?g)) (distinct ?h ?g))
(<= (next (heap (of ?n ?n))) (does ?r (split (of ?x ?n))) (not (distinct ?x ?x)))
(<= (touched) (does ?r (take ?x ?n)))
(<= touched (does ?r (split ?h)))
(<= (next (steps ?n)) (steps ?n))
(<= (steps 1) (not (true (steps 1))) (not (true (steps 2))) (not (true (steps 3))))
(<= (steps ?n) (true (steps ?m)) (succ ?m ?n))
(<= blocked (true (turn ?r)) (not (able ?r)))
(<= (able ?r) (legal ?r ?m) (distinct ?m noop))
(<= terminal (or blocked (true (steps 3))))
(<= (goal ?r 100) (true (turn ?r)) (not blocked)) (<= (goal ?r 0) (true (turn ?r)) blocked)
(<= (goal ?r 50) (role ?r) (not (true (turn ?r))) (not (goal robot 0)))
"""

# A sudoku of four numbers; a number that stands in a row, a column or a block is not legal there.
SUDOKU = """
(role player) (number 1) (number 2) (number 3) (number 4)
(block 1 a) (block 2 a) (block 3 b) (block 4 b)
(given 1 1 1) (given 2 3 4) (given 3 2 3) (given 4 4 2)
(<= (init (cell ?x ?y ?n)) (given ?x ?y ?n))
(<= (filled ?x ?y) (true (cell ?x ?y ?n)))
(<= (seen ?x ?y ?n) (number ?y) (true (cell ?x ?z ?n)))
(<= (seen ?x ?y ?n) (number ?x) (true (cell ?z ?y ?n)))
(<= (seen ?x ?y ?n) (true (cell ?u ?v ?n)) (block ?u ?b) (block ?v ?c) (block ?x ?b) (block ?y ?c))
(<= (legal player (mark ?x ?y ?n)) (number ?x) (number ?y) (number ?n)
    (not (filled ?x ?y)) (not (seen ?x ?y ?n)))
(<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))
(<= (next (cell ?x ?y ?n)) (does player (mark ?x ?y ?n)))
(<= open (number ?x) (number ?y) (not (filled ?x ?y)))
(<= possible (legal player ?m))
(<= terminal (not possible))
(<= (goal player 100) (not open)) (<= (goal player 0) open)
"""

# Lights out: a button switches its own light and those beside it; seven moves.
LIGHTS = """
(role robot) (init (on 1 1)) (init (on 2 2)) (init (on 3 3)) (init (step 0))
(++ 1 2) (++ 2 3) (line 1) (line 2) (line 3)
(<= (beside ?x ?y ?x ?y) (line ?x) (line ?y))
(<= (beside ?x ?y ?z ?y) (line ?y) (or (++ ?x ?z) (++ ?z ?x)))
(<= (beside ?x ?y ?x ?z) (line ?x) (or (++ ?y ?z) (++ ?z ?y)))
(<= (legal robot (press ?x ?y)) (line ?x) (line ?y))
(<= (switched ?x ?y) (does robot (press ?u ?v)) (beside ?u ?v ?x ?y))
(<= (next (on ?x ?y)) (true (on ?x ?y)) (not (switched ?x ?y)))
(<= (next (on ?x ?y)) (switched ?x ?y) (not (true (on ?x ?y))))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7)
(<= lit (true (on ?x ?y))) (<= terminal (not lit)) (<= terminal (true (step 7)))
(<= (goal robot 100) (not lit)) (<= (goal robot 0) lit)
"""

# Three bid at the same time for the next card; arithmetic by recursion, sums of unequal length.
AUCTION = """
(role a) (role b) (role c) (init (card 3)) (<= (init (coins ?r 3)) (role ?r))
(<= (init (points ?r 0)) (role ?r))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (number 0)) (<= (number ?y) (succ ?x ?y))
(<= (gt ?x ?y) (succ ?y ?x)) (<= (gt ?x ?y) (succ ?z ?x) (gt ?z ?y))
(<= (add 0 ?x ?x) (number ?x))
(<= (add ?x ?y ?z) (succ ?w ?x) (add ?w ?y ?v) (succ ?v ?z))
(<= (legal ?r (bid ?n)) (true (coins ?r ?m)) (number ?n) (not (gt ?n ?m)) (not (tired ?r ?n)))
(<= (tired ?r 3) (true (points ?r ?p)) (gt ?p 2))
(<= (beaten ?r) (does ?r (bid ?n)) (does ?s (bid ?m)) (gt ?m ?n))
(<= (tied ?r) (does ?r (bid ?n)) (does ?s (bid ?n)) (distinct ?r ?s))
(<= (wins ?r) (role ?r) (not (beaten ?r)) (not (tied ?r)))
(<= (next (coins ?r ?m)) (true (coins ?r ?n)) (wins ?r) (does ?r (bid ?b)) (add ?b ?m ?n))
(<= (next (coins ?r ?n)) (true (coins ?r ?n)) (not (wins ?r)))
(<= (next (points ?r ?m)) (true (points ?r ?n)) (wins ?r) (true (card ?c)) (add ?n ?c ?m))
(<= (next (points ?r ?n)) (true (points ?r ?n)) (not (wins ?r)))
(<= (next (card ?m)) (true (card ?n)) (succ ?m ?n))
(<= terminal (true (card 0)))
(<= (behind ?r) (true (points ?r ?n)) (true (points ?s ?m)) (gt ?m ?n))
(<= (goal ?r 100) (role ?r) (not (behind ?r))) (<= (goal ?r 10) (behind ?r))
"""

# Groups on a board, as in Lines of Action: who is connected wins; pieces slide over empty cells.
GROUPS = """
(role white) (role black) (init (control white)) (init (step 0))
(init (cell 1 1 white)) (init (cell 3 3 white)) (init (cell 1 3 black)) (init (cell 3 1 black))
(row 1) (row 2) (row 3) (up 1 2) (up 2 3)
(<= (beside ?x ?y ?u ?y n) (up ?x ?u) (row ?y)) (<= (beside ?x ?y ?u ?y s) (up ?u ?x) (row ?y))
(<= (beside ?x ?y ?x ?v e) (up ?y ?v) (row ?x)) (<= (beside ?x ?y ?x ?v w) (up ?v ?y) (row ?x))
(<= (taken ?x ?y) (true (cell ?x ?y ?p)))
(<= (path ?x ?y ?u ?v ?d) (beside ?x ?y ?u ?v ?d) (not (taken ?u ?v)))
(<= (path ?x ?y ?u ?v ?d) (path ?x ?y ?s ?t ?d) (beside ?s ?t ?u ?v ?d) (not (taken ?u ?v)))
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (true (cell ?x ?y ?p)) (path ?x ?y ?u ?v ?d))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p noop) (true (control ?p)) (not (able ?p)))
(<= (able ?p) (true (cell ?x ?y ?p)) (path ?x ?y ?u ?v ?d))
(<= (next (cell ?u ?v ?p)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)))
(<= (left ?x ?y) (does ?p (move ?x ?y ?u ?v)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (joined ?p ?x ?y ?u ?v) (true (cell ?x ?y ?p)) (beside ?x ?y ?u ?v ?d) (true (cell ?u ?v ?p)))
(<= (joined ?p ?x ?y ?s ?t) (joined ?p ?x ?y ?u ?v) (beside ?u ?v ?s ?t ?d) (true (cell ?s ?t ?p)))
(<= (apart ?p) (true (cell ?x ?y ?p)) (true (cell ?u ?v ?p))
    (or (distinct ?x ?u) (distinct ?y ?v)) (not (joined ?p ?x ?y ?u ?v)))
(<= (one ?p) (role ?p) (not (apart ?p)))
(<= terminal (one ?p)) (<= terminal (true (step 6)))
(<= (goal ?p 100) (one ?p)) (<= (goal ?p 20) (apart ?p))
"""

# Pieces with two properties, as in Quarto: a row of equal height or colour wins.
PIECES = """
(role first) (role second) (init (control first))
(piece wt) (piece ws) (piece bt) (piece bs)
(is 1 wt w) (is 1 ws w) (is 1 bt b) (is 1 bs b) (is 2 wt t) (is 2 bt t) (is 2 ws s) (is 2 bs s)
(<= (alike ?p ?q ?r) (property ?n ?v) (is ?n ?p ?v) (is ?n ?q ?v) (is ?n ?r ?v))
(<= (property ?n ?v) (is ?n ?p ?v))
(place 1) (place 2) (place 3)
(<= (init (left ?p)) (piece ?p))
(<= (legal ?w (put ?p ?x ?y)) (true (control ?w)) (piece ?p) (place ?x) (place ?y)
    (not (taken ?x ?y)))
(<= (taken ?x ?y) (true (on ?x ?y ?p)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (on ?x ?y ?p)) (does ?w (put ?p ?x ?y)))
(<= (next (on ?x ?y ?p)) (true (on ?x ?y ?p)))
(<= (next (control ?w)) (role ?w) (not (true (control ?w))))
(<= row (place ?y) (true (on 1 ?y ?p)) (true (on 2 ?y ?q)) (true (on 3 ?y ?r)) (alike ?p ?q ?r))
(<= row (place ?x) (true (on ?x 1 ?p)) (true (on ?x 2 ?q)) (true (on ?x 3 ?r)) (alike ?p ?q ?r))
(<= open (place ?x) (place ?y) (not (taken ?x ?y)))
(<= terminal row) (<= terminal (not open))
(<= (goal ?w 100) row (role ?w) (not (true (control ?w)))) (<= (goal ?w 0) row (true (control ?w)))
(<= (goal ?w 50) (role ?w) (not row))
"""

# Light cycles of three: all move at once; who runs into a wall, off the board or to where another
# goes is out. `does` is asked for by helpers, and in an `or` with a `not` in it.
TRON = """
(role red) (role blue) (role green)
(init (head red 1 1)) (init (wall 1 1)) (init (head blue 3 3)) (init (wall 3 3))
(init (head green 3 1)) (init (wall 3 1))
(plus1 0 1) (plus1 1 2) (plus1 2 3) (plus1 3 4) (coord 1) (coord 2) (coord 3)
(direction north) (direction south) (direction east) (direction west)
(<= (legal ?r (go ?d)) (role ?r) (alive ?r) (direction ?d))
(<= (legal ?r dead) (role ?r) (not (alive ?r)))
(<= (alive ?r) (true (head ?r ?x ?y)))
(<= (target ?r ?x ?y2) (does ?r (go north)) (true (head ?r ?x ?y)) (plus1 ?y ?y2))
(<= (target ?r ?x ?y2) (does ?r (go south)) (true (head ?r ?x ?y)) (plus1 ?y2 ?y))
(<= (target ?r ?x2 ?y) (does ?r (go east)) (true (head ?r ?x ?y)) (plus1 ?x ?x2))
(<= (target ?r ?x2 ?y) (does ?r (go west)) (true (head ?r ?x ?y)) (plus1 ?x2 ?x))
(<= (crash ?r) (target ?r ?x ?y) (or (true (wall ?x ?y)) (not (onboard ?x ?y))))
(<= (crash ?r) (target ?r ?x ?y) (target ?s ?x ?y) (distinct ?r ?s))
(<= (onboard ?x ?y) (coord ?x) (coord ?y))
(<= (next (head ?r ?x ?y)) (target ?r ?x ?y) (not (crash ?r)))
(<= (next (wall ?x ?y)) (true (wall ?x ?y)))
(<= (next (wall ?x ?y)) (target ?r ?x ?y) (onboard ?x ?y))
(<= two_alive (alive ?r) (alive ?s) (distinct ?r ?s))
(<= any_alive (alive ?r))
(<= terminal (not (two_alive)))
(<= (goal ?r 100) (role ?r) (alive ?r) (not two_alive)) (<= (goal ?r 50) (role ?r) (not any_alive))
(<= (goal ?r 25) (alive ?r) two_alive) (<= (goal ?r 0) (role ?r) (not (alive ?r)) any_alive)
"""

# Rock, paper, scissors without throwing the same twice running; points are added up by recursion.
ROSHAMBO = """
(role left) (role right)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(number 0) (<= (number ?y) (succ ?x ?y))
(<= (sum ?x 0 ?x) (number ?x))
(<= (sum ?x ?b2 ?c2) (succ ?b ?b2) (succ ?c ?c2) (sum ?x ?b ?c))
(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (succ ?b ?c) (less ?a ?b))
(init (score left 0)) (init (score right 0)) (init (round 0))
(throw rock) (throw paper) (throw scissors)
(beats rock scissors 1) (beats scissors paper 2) (beats paper rock 3)
(<= (legal ?p ?t) (role ?p) (throw ?t) (not (true (last ?p ?t))))
(<= (gain ?p ?n) (does ?p ?t) (does ?q ?u) (distinct ?p ?q) (beats ?t ?u ?n))
(<= (gains ?p) (gain ?p ?n))
(<= (next (score ?p ?s)) (true (score ?p ?o)) (gain ?p ?n) (sum ?o ?n ?s))
(<= (next (score ?p ?o)) (true (score ?p ?o)) (not (gains ?p)))
(<= (next (last ?p ?t)) (does ?p ?t))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= terminal (true (round 2)))
(<= (goal ?p 100) (true (score ?p ?a)) (true (score ?q ?b)) (less ?b ?a))
(<= (goal ?p 0) (true (score ?p ?a)) (true (score ?q ?b)) (less ?a ?b))
(<= (goal ?p 50) (true (score ?p ?a)) (true (score ?q ?a)) (distinct ?p ?q))
"""

VARIETY = {
    "odd": ODD,
    "sudoku": SUDOKU,
    "lights": LIGHTS,
    "auction": AUCTION,
    "groups": GROUPS,
    "pieces": PIECES,
    "tron": TRON,
    "roshambo": ROSHAMBO,
}
