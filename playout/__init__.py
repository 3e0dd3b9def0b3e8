from playout.compiled import record
from playout.problem import Game, Problem
