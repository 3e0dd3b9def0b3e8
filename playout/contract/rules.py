"""The contract: what a problem is to a search.

A `Game` is a class of plain methods over NumPy records. A `Problem` is the game with one
player, whose score is to be made as high as possible. The same methods run as ordinary
Python and compiled, with the same results; `playout.check_problem` plays random games to
see that they do.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from playout.compiled import Compiled, copy_record, hash_record, same_record, wrapping
from playout.compiled.records import check_type, is_number, lower_words, record_words
from playout.errors import DataError, ProblemError

UNSURE = 1e6  # see Game.lateness


class Game(Compiled):
    """Players who move in turn over states and moves that are NumPy records.

    An instance sets, usually in `__init__`:

    - `state_type`, `move_type`: record types, made with `playout.record(name=type, ...)`, or types
      of plain numbers such as "i8": then a state is an array of one number (`state[0]`), a move
      a number (`moves[0] = 3`);
    - `max_moves`: the most moves that any state offers;
    - `max_length`: the most moves that any play of the game has;
    - `fields` (on the class): the attributes that compiled code may read;
    - `players`: how many there are, if not two;
    - `symmetries`: how many symmetries the rules have, the identity included;
    - `codes`: every `code` is a number from 0 and below this, if the codes are small numbers;
    - `kinds`: every `features` is a number from 0 and below this;
    - `plane_shape`, `outputs`: what a network sees and says, for `planes` and `output`;
    - `equal_planes`: planes from the first of these to before the second whose order makes no
      difference to what is best, as that of the colours in SameGame;
    - `outcomes`: every reward of the first player that there is, from the lowest;
    - `packed`: how many words `pack` writes, if the class has a form of its own.
    """

    state_type: Any
    move_type: Any
    max_moves: int
    max_length: int
    players: int = 2
    symmetries: int = 1
    codes: int = 0  # 0: codes are any 64-bit numbers
    kinds: int = 1
    plane_shape: tuple[int, int, int] = (0, 0, 0)  # planes, rows, columns; 0: no network
    outputs: int = 0
    equal_planes: tuple[int, int] = (0, 0)
    outcomes: tuple[float, ...] = (0.0, 0.5, 1.0)
    packed: int = 0  # 0: as many as the state has

    def reset(self, state: Any) -> None:
        """Write the start of the game into `state`, whose bytes are all zero."""
        raise NotImplementedError

    def moves(self, state: Any, moves: Any) -> int:
        """Fill `moves` with the legal moves and return how many; 0 ends the game."""
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> None:
        """Play a move: change `state` in place."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        """Whose move it is: 0 for the first player."""
        raise NotImplementedError

    def reward(self, state: Any, player: int) -> float:
        """What a finished game is worth to a player; higher is better."""
        raise NotImplementedError

    def code(self, state: Any, move: Any) -> Any:
        """The policy's name for a move, a 64-bit number: equal codes share a weight."""
        return hash_record(move)

    def bias(self, state: Any, move: Any) -> float:
        """Prior log-weight of a move (GNRPA's beta)."""
        return 0.0

    def features(self, state: Any, move: Any) -> int:
        """What kind of move it is there, a small number from 0 (a capture, a pattern, ...).

        Playout policies with move features learn a weight for each code and features.
        """
        return 0

    def key(self, state: Any) -> Any:
        """A 64-bit hash of the state: equal keys are taken as equal positions."""
        return hash_record(state)

    # for solvers

    def lateness(self, state: Any, move: Any) -> float:
        """How late a solver should try the move: the lowest number first.

        From `UNSURE` on the game has no view of its own, and what a search has learnt may decide.
        """
        return UNSURE - self.bias(state, move)

    def decided(self, state: Any) -> float:
        """What the first player gets under perfect play, if it is plain to see; else NaN."""
        return math.nan

    def decided_packed(self, state: Any, words: Any) -> float:
        """As `decided`, of a position that is not, by its words of `pack_least`; NaN: unknown."""
        return math.nan

    def left(self, state: Any) -> int:
        """About how many moves are left, for orders that learn at each stage; -1: not known."""
        return -1

    def needed(self, state: Any, moves: Any, n: int) -> int:
        """Put the moves first that perfect play needs, where `decided` tells nothing; their number.

        No other of the n moves is better than the best of these. At least one is needed.
        """
        return n

    def pack(self, state: Any, symmetry: int, spare: Any, out: Any) -> None:
        """Write the position, as a symmetry shows it, into the 64-bit words `out`.

        Positions with the same words have the same value. `spare` is a state to work in.
        """
        self.transform(state, symmetry, spare)
        record_words(spare, out)

    def pack_least(self, state: Any, symmetries: int, spare: Any, out: Any, other: Any) -> int:
        """Write words that all symmetric forms of the position share; by which symmetry.

        Positions with the same words have the same value. Here they are the lowest that `pack`
        writes by any of the symmetries. `other` is room for as many words.
        """
        self.pack(state, 0, spare, out)
        chosen = 0
        for symmetry in range(1, symmetries):
            self.pack(state, symmetry, spare, other)
            if lower_words(other, out):
                chosen = symmetry
                for i in range(len(out)):
                    out[i] = other[i]
        return chosen

    # What a network needs (`playout.learn`).

    def planes(self, state: Any, out: Any) -> None:
        """Write the state into `out`, float32 zeros of `plane_shape`, as its player sees it.

        Equal keys must give equal planes.
        """
        raise NotImplementedError

    def output(self, state: Any, move: Any) -> int:
        """The network's output for a legal move, from 0 and below `outputs`; each move has its own.

        It depends on the state and the move only, not on how the state came about.
        """
        raise NotImplementedError

    def draw(self, state: Any, rng: Any) -> None:
        """Write a random start into `state`, whose bytes are all zero: what training plays from.

        Random numbers come from `rng` (`playout.compiled.random`). Without it, the one start.
        """
        self.reset(state)

    def mirror(self, state: Any, move: Any) -> bool:
        """Turn a state and a legal move of it into their mirror image; False if there is none.

        Whatever is best in the one is best in the other: training shows both.
        """
        return False

    # for solvers of games whose rules look at earlier positions; see solvers/path_dependence.py

    def remembers(self) -> bool:
        """Whether what is legal depends on earlier positions."""
        return False

    def moment(self, state: Any) -> int:
        """The number of the position: how many moves have been played."""
        return 0

    def forbidden_by(self, state: Any) -> int:
        """The number of the earliest position that forbids a move here; a high one if none does."""
        return 1 << 40

    def may_return(self, state: Any, move: Any) -> bool:
        """Whether the move may bring an earlier position back."""
        return False

    def mark(self, state: Any) -> Any:
        """A word with one bit for the position, the same for all its symmetric forms."""
        return np.uint64(0)

    def past_marks(self, state: Any) -> Any:
        """The marks of the position and all before it, in one word."""
        return np.uint64(0)

    # Symmetries are numbered from 0, the identity, and keep the players as they are. Together
    # they are a group: one after another is again one of them.

    def transform(self, state: Any, symmetry: int, out: Any) -> None:
        """Write the state as a symmetry shows it into `out`, every field of it."""
        copy_record(state, out)

    def transform_move(self, move: Any, symmetry: int, out: Any) -> None:
        """Write the move as a symmetry shows it into `out`, every field of it."""
        copy_record(move, out)

    # what a person reads and writes, in plain Python

    def render(self, state: Any) -> str:
        """The state as text for a person."""
        if isinstance(state, np.ndarray):
            return str(state[0])
        return "\n".join(f"{name}: {state[name]}" for name in self.state_type.names)

    def svg(self, state: Any) -> str:
        """The state as an SVG picture; empty if the game has none."""
        return ""

    def move_text(self, state: Any, move: Any) -> str:
        """A move as text for a person, in the state in which it is played."""
        if not isinstance(move, np.void):
            return str(move)
        return " ".join(str(move[name]) for name in self.move_type.names)

    def parse_move(self, state: Any, text: str) -> Any:
        """The legal move that a text names, as `move_text` writes it.

        Capitals and blanks make no difference. Raises `DataError` if the text names no legal
        move, or more than one.
        """
        legal = self.legal_moves(state)
        texts = [self.move_text(state, move) for move in legal]
        found = [i for i, name in enumerate(texts) if _bare(name) == _bare(text)]
        if len(found) == 1:
            return legal[found[0]]
        if not texts:
            raise DataError(f"{_shown(text)} cannot be played: the game is over")
        if found:
            raise DataError(f"{_shown(text)} names {len(found)} legal moves: it is ambiguous")
        few = ", ".join(texts[:8]) + (f", ... ({len(texts)} in all)" if len(texts) > 8 else "")
        raise DataError(f"{_shown(text)} is not a legal move here; legal: {few}")

    def position_text(self, state: Any) -> str:
        """The position in one line, which `read_position` reads."""
        raise DataError(f"{type(self).__name__} has no notation for positions")

    def read_position(self, text: str) -> np.ndarray:
        """The position that a line tells, as an array of one state.

        Raises `DataError` if it is none, or one that cannot come about.
        """
        raise DataError(f"{type(self).__name__} has no notation for positions")

    # what the package does with a game, in plain Python

    def check_attributes(self) -> None:
        """Refuse a class whose declarations are missing or make no sense."""
        cls = type(self).__name__
        for name in ("state_type", "move_type", "max_moves", "max_length"):
            if not hasattr(self, name):
                raise ProblemError(f"{cls} sets no {name}: __init__ should set self.{name}")
        check_type(self.state_type, f"{cls}.state_type")
        check_type(self.move_type, f"{cls}.move_type")
        for name in ("max_moves", "max_length"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
                raise ProblemError(f"{cls}.{name} is {value!r}; it should be a whole number over 0")
        if not isinstance(self.symmetries, int | np.integer) or self.symmetries < 1:
            raise ProblemError(
                f"{cls}.symmetries is {self.symmetries!r}; it should be a whole number over 0"
            )
        for name, low in (("codes", 0), ("kinds", 1), ("packed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < low:
                raise ProblemError(
                    f"{cls}.{name} is {value!r}; it should be a whole number from {low}"
                )
        if self.players > 1 and not _rises(self.outcomes):
            raise ProblemError(
                f"{cls}.outcomes is {self.outcomes!r}; it should be two numbers or more, rising"
            )
        if isinstance(self.fields, str):
            raise ProblemError(f"{cls}.fields is a string; it should be a tuple of names")

    def pack_words(self) -> int:
        """How many words `pack` writes."""
        return int(self.packed) or -(-np.dtype(self.state_type).itemsize // 8)

    def new_states(self, n: int) -> np.ndarray:
        """An array of n zeroed states; each is an array of one, where states are numbers."""
        return np.zeros((n, 1) if is_number(self.state_type) else n, self.state_type)

    def is_one_state(self, states: Any) -> bool:
        """Whether this is an array of one state, such as `root` gives."""
        one = self.new_states(1)
        if not isinstance(states, np.ndarray):
            return False
        return states.shape == one.shape and states.dtype == one.dtype

    def new_moves(self, n: int | None = None) -> np.ndarray:
        """An array for moves, `max_moves` of them unless told."""
        return np.zeros(self.max_moves if n is None else n, self.move_type)

    def root(self) -> np.ndarray:
        """The start of the game, as an array of one state."""
        states = self.new_states(1)
        with wrapping():
            self.reset(states[0])
        return states

    def legal_moves(self, state: Any) -> np.ndarray:
        """The legal moves of a state, an array of exactly these; empty if the game is over."""
        moves = self.new_moves()
        with wrapping():
            return moves[: self.moves(state, moves)]

    def is_over(self, state: Any) -> bool:
        """Whether a game is finished: there is no legal move."""
        return len(self.legal_moves(state)) == 0

    def play_move(self, state: Any, move: Any) -> None:
        """Play a move that is known to be legal: change `state` in place."""
        with wrapping():
            self.play(state, move)

    def final_rewards(self, state: Any) -> list[float]:
        """What a finished game is worth to each player.

        Raises `ProblemError` if one of these is no finite number.
        """
        with wrapping():
            found = [float(self.reward(state, player)) for player in range(self.players)]
        if not all(map(math.isfinite, found)):
            name = type(self).__name__
            raise ProblemError(f"{name}.reward() returned {found}: no finite numbers")
        return found

    def replay(
        self, moves: Any, start: np.ndarray | None = None, texts: list[str] | None = None
    ) -> np.ndarray:
        """Play a sequence by the rules in plain Python; the final state, in an array of one.

        It begins at `start`, an array of one state, or else at the root; a list `texts` gets
        each move as text. Raises `ProblemError` at the first move that is not legal where it is
        played.
        """
        states = self.root() if start is None else start.copy()
        for number, move in enumerate(moves, 1):
            if not any(same_record(legal, move) for legal in self.legal_moves(states[0])):
                raise ProblemError(f"move {number}, {move}, is not legal there")
            if texts is not None:
                texts.append(self.move_text(states[0], move))
            self.play_move(states[0], move)
        return states


def _rises(outcomes: Any) -> bool:
    """Whether these are two numbers or more, each higher than the one before."""
    if not isinstance(outcomes, tuple) or len(outcomes) < 2:
        return False
    if not all(isinstance(outcome, int | float | np.number) for outcome in outcomes):
        return False
    return all(low < high for low, high in pairwise(outcomes))


def _bare(text: str) -> str:
    return "".join(text.split()).lower()


def _shown(text: str) -> str:
    """A text quoted for an error message, in one line and cut if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class Problem(Game):
    """A game with one player: make the score of the finished game as high as possible.

    Write `reset`, `moves`, `play` and `score`; optionally `code`, `bias`, `key`, `render`.
    An objective that cannot be compiled is `evaluate(states)` in place of `score`: plain
    Python over a batch of finished states, returning one score each.

    Two more methods are used only where an algorithm's option asks for them:

    - `polish(state, moves, first, length, rng)` (`polish=true`) improves a finished game, such as
      by local search. It rewrites `moves[first:length]` in place, leaving the first ones as they
      are, and returns the new length; what comes out must again be a whole game by the rules.
      `state` is the end of the game, and working space after that; `rng` is for
      `playout.compiled.random`.
      Of a problem with `evaluate` it is plain Python too; where it takes long, it returns what it
      has as soon as `self.ending()` is true.
    - `all_moves(state, moves)` (`adapt=all`) fills `moves` with the legal moves and those that
      were left out, at most `max_moves` in all, and returns how many: what AdaptAll learns from.
    """

    players: int = 1
    evaluate: Any = None
    polish: Any = None
    all_moves: Any = None

    def ending(self) -> bool:
        """Whether the run is to end: for an `evaluate` or a `polish` that takes long."""
        return False

    def score(self, state: Any) -> float:
        """The score of a finished game; higher is better."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        return 0

    def reward(self, state: Any, player: int) -> float:
        return self.score(state)

    def final_score(self, states: np.ndarray) -> float:
        """The score of the finished state in an array of one, in plain Python."""
        if self.evaluate is not None:
            return float(self.evaluate(states)[0])
        with wrapping():
            return float(self.score(states[0]))

    def verify(self, moves: Any) -> float:
        """The score of a sequence of moves, by the rules in plain Python.

        A built-in problem overrides this with a verifier that shares no code with its moves.
        """
        return self.final_score(self.replay(moves))

    # How instances are found. `options` are keyword arguments of `__init__`.

    @classmethod
    def default(cls, **options: Any) -> Any:
        """The instance used when none is named."""
        return cls(**options)

    @classmethod
    def training(cls, **options: Any) -> Any:
        """The instance whose `draw` training plays from."""
        return cls.default(**options)

    @classmethod
    def read(cls, path: Any, **options: Any) -> list[Any]:
        """All instances in a file."""
        raise ProblemError(f"{cls.__name__} reads no files: it has no read() method")

    @classmethod
    def random(cls, seed: int = 0, **options: Any) -> Any:
        """A random instance, the same for the same seed."""
        raise ProblemError(f"{cls.__name__} has no random instances: it has no random() method")

    def write(self) -> str:
        """The instance as text that `read` reads."""
        raise ProblemError(f"{type(self).__name__} writes no files: it has no write() method")
