"""The part of `check_problem` that plays in plain Python, where every index is checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.check.overflow import Overflow
from playout.check.plain_calls import PlainCalls
from playout.check.planes import Planes
from playout.check.rules import Rules
from playout.check.trace import Findings, Trace
from playout.check.values import close, difference, is_finite, shown
from playout.check.veiled import Veil, check_teams
from playout.compiled.records import bytes_of, copy_of
from playout.contract import Problem, score_word

RULES_GAMES, RULES_MOVES = 2, 40  # in which notation and symmetries are looked at
MOST_CODES = 64  # moves of a state whose code and bias are looked at
_GARBAGE = 0x5A


class PlainGames(PlainCalls):
    """Plays random games by calling the problem's methods as plain Python."""

    def __init__(self, problem: Any, findings: Findings) -> None:
        super().__init__(problem, findings)
        self.traces: list[Trace] = []
        self.games_played = self.moves_played = 0
        self._rules = Rules(self)
        self._planes = Planes(self)
        self._overflow = Overflow(self)
        self._veil = Veil(self)

    # one game

    def play(self, game: int, choices: np.ndarray) -> None:
        """Play one game; `CannotGoOn` where it makes no sense to."""
        self.games_played += 1
        trace = Trace(game + 1, choices)
        first = game == 0
        self.where = f"game {game + 1}, at the start"
        states = self._reset()
        if self._veil.on and not first:
            trace.dealt, states = True, self._veil.start(game)
        for number in range(self.problem.max_length + 1):
            self.where = f"game {game + 1}, move {number + 1}"
            trace.states.append(states.copy())
            legal, n = self._moves(states)
            trace.counts.append(n)
            trace.moves.append(legal[:n].copy())
            trace.keys.append(self.integer("key", states))
            if first and number < 50:
                self._check_texts(states, legal[:n])
            if game < RULES_GAMES and (number < RULES_MOVES or n == 0):
                self._rules.look(states, legal[:n])
            self._veil.look(states, legal[:n], trace)
            if n == 0:
                break
            if number == self.problem.max_length:
                self.stop(
                    "the game is longer than max_length",
                    f"after {number} moves moves() still returns {n}, but max_length is {number}; "
                    "make it the most moves that a game can have, or let the game end",
                )
            trace.turns.append(self._turn(states))
            self._overflow.look(states, legal[:n])
            self._check_moves_apart(legal[:n])
            self._codes(states, legal[:n], trace)
            self._planes.look(states, legal[:n], trace.keys[-1])
            k = int(choices[number] * n)
            trace.chosen.append(legal[k : k + 1].copy())
            before, states = states, self._play(states, trace.chosen[-1])
            self._overflow.look_after(before, trace.chosen[-1], states)
            self.moves_played += 1
        self.where = f"game {game + 1}, at the end"
        trace.rewards = self.rewards(states)
        check_teams(self, trace.rewards)
        self._look_at_outcomes(trace.rewards)
        self._veil.look_back(trace)
        self._check_replay(trace)
        self.traces.append(trace)
        if isinstance(self.problem, Problem) and trace.rewards and not trace.dealt:
            self._check_verify(trace, trace.rewards[0])
        self._check_own(None)

    def _reset(self) -> np.ndarray:
        states, again = self.problem.new_states(1), self.problem.new_states(1)
        returned = self.call("reset", states[0])
        self.call("reset", again[0])
        if returned is not None and not any(states.tobytes()):
            self.stop(
                "reset() returns something and changes nothing",
                f"it returned {shown(returned)}; it should write the start into the state that it "
                "is given",
            )
        if states.tobytes() != again.tobytes():
            self.add(
                "reset() is not the same each time",
                f"{difference(states, again)}; chance belongs in __init__, not in reset()",
            )
        return states

    def _moves(self, states: np.ndarray) -> tuple[np.ndarray, int]:
        most = self.problem.max_moves
        legal, again = self.problem.new_moves(), self.problem.new_moves()
        again.view(np.uint8)[:] = _GARBAGE
        n = self.call("moves", states[0], legal, keep=states)
        if not isinstance(n, int | np.integer) or isinstance(n, bool):
            self.stop(
                "moves() does not return a number of moves",
                f"it returned {shown(n)}; it should fill `moves` and return how many as an int",
            )
        if n < 0 or n > most:
            self.stop(
                "moves() returns a number out of range",
                f"it returned {n}; it should be from 0 to max_moves, which is {most}",
            )
        m = self.call("moves", states[0], again, keep=states)
        if m != n:
            self.stop(
                "moves() is not the same each time",
                f"it returned {n} and then {m} for the same state",
            )
        n = int(n)
        if legal[:n].tobytes() != again[:n].tobytes():
            i = next(i for i in range(n) if bytes_of(legal[i]) != bytes_of(again[i]))
            self.stop(
                "moves() leaves part of a move unset or changes its mind",
                f"asked twice, moves[{i}] is {legal[i]} and {again[i]} when the array held other "
                "things before; set every field of every move, and leave chance out",
            )
        return legal, n

    def _check_moves_apart(self, legal: np.ndarray) -> None:
        seen: dict[bytes, int] = {}
        for i, move in enumerate(legal):
            j = seen.setdefault(bytes_of(move), i)
            if j != i:
                self.add(
                    "moves() gives a move twice",
                    f"moves[{j}] and moves[{i}] are both {move}; each legal move should stand once",
                )
                return

    def _play(self, states: np.ndarray, move: np.ndarray) -> np.ndarray:
        after, again, before = states.copy(), states.copy(), move.tobytes()
        returned = self.call("play", after[0], move[0])
        if returned is not None and after.tobytes() == states.tobytes():
            self.stop(
                "play() returns something and changes nothing",
                f"it returned {shown(returned)}; it should change the state that it is given",
            )
        if move.tobytes() != before:
            self.stop(
                "play() changes the move",
                f"{np.frombuffer(before, move.dtype)[0]} became {move[0]}; "
                "it should change the state only",
            )
        self.call("play", again[0], move[0])
        if after.tobytes() != again.tobytes():
            self.stop(
                "play() is not the same each time",
                f"after the same move in the same state {difference(after, again)}; "
                "all that a game depends on belongs in the state",
            )
        return after

    def _codes(self, states: np.ndarray, legal: np.ndarray, trace: Trace) -> None:
        codes: list[int] = []
        biases: list[float] = []
        features: list[int] = []
        for i in range(min(len(legal), MOST_CODES)):
            codes.append(self.integer("code", states, legal[i]))
            bias = self.twice("bias", states, legal[i])
            if not is_finite(bias):
                self.stop(
                    "bias() is not a finite number", f"it returned {shown(bias)} for {legal[i]}"
                )
            biases.append(float(bias))
            features.append(self.integer("features", states, legal[i]))
            self._check_range("code", codes[-1], "codes", legal[i])
            self._check_range("features", features[-1], "kinds", legal[i])
        if len(set(codes)) < len(codes) and not self.findings:  # a move that stands twice is one
            i = next(i for i, code in enumerate(codes) if codes.index(code) < i)
            self.findings.note(
                f"code() gives {legal[codes.index(codes[i])]} and {legal[i]} the same code "
                f"({self.where}): they share one weight in a policy",
                once="codes",
            )
        trace.codes.append(codes)
        trace.biases.append(biases)
        trace.features.append(features)

    def _check_range(self, method: str, value: int, name: str, move: Any) -> None:
        """Whether a code or a feature is below the number that the class gives."""
        limit = int(getattr(self.problem, name))
        if (limit or method == "features") and value >= limit:
            self.add(
                f"{method}() is not below {name}",
                f"it returned {value} for {move}, but {name} is {limit}",
            )

    def _turn(self, states: np.ndarray) -> int:
        turn, players = self.twice("turn", states), self.problem.players
        if not isinstance(turn, int | np.integer) or not 0 <= turn < players:
            self.stop(
                "turn() is not a player",
                f"it returned {shown(turn)}; it should be an int from 0 to {players - 1}",
            )
        return int(turn)

    def rewards(self, states: np.ndarray) -> list[float]:
        if isinstance(self.problem, Problem):
            if self.problem.evaluate is not None:
                return []
            values = [("score", self.twice("score", states))]
        else:
            players = range(self.problem.players)
            values = [("reward", self.twice("reward", states, player)) for player in players]
        for name, value in values:
            if value is None:
                self.stop(f"{name}() returns None", "does every path of it end in a return?")
            if isinstance(value, bool | np.bool_):
                self.stop(
                    f"{name}() is no number",
                    f"it returned {shown(value)}: write float(...), or 1.0 if ... else 0.0",
                )
            if isinstance(value, tuple | list | np.ndarray):
                self.stop(
                    f"{name}() is no number",
                    f"it returned {shown(value)}: it should be one; add several up, each with its "
                    "weight",
                )
            if not is_finite(value):
                low = "high cost" if getattr(self.problem, "sense", "max") == "min" else "low score"
                self.stop(
                    f"{name}() is not a finite number",
                    f"it returned {shown(value)}; a bad result should have a {low}",
                )
        return [float(value) for _, value in values]

    # what holds of whole games

    def _look_at_outcomes(self, rewards: list[float]) -> None:
        """Whether solvers, which take `outcomes` for all that there are, may take this end."""
        game = self.problem
        if game.players != 2 or game.chance or game.hidden or game.no_solution():
            return
        if rewards[0] not in game.outcomes:
            self.findings.note(
                f"reward() of the first player is {rewards[0]}, which is none of outcomes = "
                f"{game.outcomes}: playout prove needs all that he can get there ({self.where})",
                once="outcomes",
            )

    def _check_replay(self, trace: Trace) -> None:
        """The same moves from a new start lead to the same states and keys."""
        states = trace.states[0].copy()
        for number, move in enumerate(trace.chosen):
            self.call("play", states[0], copy_of(move[0]))
            if states.tobytes() != trace.states[number + 1].tobytes():
                self.where = f"game {trace.number}, move {number + 1}"
                self.stop(
                    "the same moves lead to another state",
                    f"played again, {difference(trace.states[number + 1], states)}",
                )
        key = self.integer("key", states)
        if key != trace.keys[-1]:
            self.add(
                "key() is not the same for the same state",
                f"{trace.keys[-1]} and, when the game was played again, {key}",
            )

    def _check_verify(self, trace: Trace, score: float) -> None:
        moves = np.concatenate(trace.chosen) if trace.chosen else self.problem.new_moves(0)
        verified = self.call("verify", moves)
        if not close(verified, score):
            name = "score" if trace.rewards else "evaluate"
            self.add(
                f"verify() disagrees with {name}()",
                f"verify() says {shown(verified)}, {name}() says {score!r}",
            )

    def end(self) -> None:
        """Look at what all games together have shown."""
        self.where = f"{self.games_played} games"
        if self.games_played and not self.moves_played:
            self.findings.note("no game had a move: moves() returns 0 at the start")
        self._veil.end()

    def check_evaluate(self) -> None:
        """`evaluate` over all finished games at once."""
        self.where = f"the finished states of {len(self.traces)} games"
        if type(self.problem).score is not Problem.score:
            self.findings.note("score() is not used, as there is evaluate()")
        states = np.concatenate([trace.states[-1] for trace in self.traces])
        results = []
        for batch in (states, states, states[:1]):
            given = batch.copy()
            returned = self.call("evaluate", given)
            if returned is None:
                self.add("evaluate() returns None", "does every path of it end in a return?")
                return
            try:
                scores = np.asarray(returned, dtype=float)
            except (TypeError, ValueError):
                self.add("evaluate() does not return numbers", "one score for each state is due")
                return
            if scores.shape != (len(batch),):
                self.add(
                    "evaluate() does not return one score for each state",
                    f"{len(batch)} states gave a result of shape {scores.shape}",
                )
                return
            if given.tobytes() != batch.tobytes():
                self.add("evaluate() changes the states", "it should only read them")
            results.append(scores)
        if not np.isfinite(results[0]).all():
            bad = results[0][~np.isfinite(results[0])][0]
            self.add("evaluate() is not finite", f"one of its scores is {bad}")
        elif self.problem.noisy:
            return  # nothing that follows holds of it
        elif not np.array_equal(results[0], results[1]):
            i = int(np.flatnonzero(results[0] != results[1])[0])
            self.add(
                "evaluate() is not the same each time",
                f"state {i} scored {results[0][i]} and then {results[1][i]}; draw the same random "
                "numbers for every state, or say that it is meant so: noisy = True on the class",
            )
        elif not close(results[0][0], results[2][0]):
            self.add(
                "evaluate() depends on the batch",
                f"a state scored {results[0][0]} among others and {results[2][0]} alone",
            )
        else:
            for trace, score in list(zip(self.traces, results[0], strict=True))[:3]:
                self._check_verify(trace, float(score))  # a few: each may be costly

    def check_bound(self) -> None:
        """Whether `bound` is a number that no game has beaten."""
        self.where = f"after {self.games_played} games"
        bound = self.call("bound")
        if bound is None:
            return
        if not is_finite(bound):
            self.stop("bound() is not a finite number", f"it returned {shown(bound)}")
        sign = -1 if self.problem.sense == "min" else 1
        for trace in self.traces:
            for score in trace.rewards:
                if sign * (score - bound) > 0 and not close(score, bound):
                    self.stop(
                        "bound() is beaten",
                        f"it returned {bound}, but game {trace.number} has {score}; it should be "
                        f"a {score_word(self.problem.sense)} that none can be better than",
                    )

    def _check_texts(self, states: np.ndarray, legal: np.ndarray) -> None:
        calls: list[tuple[str, tuple]] = [("render", ()), ("svg", ())]
        if len(legal):
            calls.append(("move_text", (legal[0],)))
        for name, rest in calls:
            text = self.call(name, states[0], *rest, keep=states)
            if not isinstance(text, str):
                self.add(f"{name}() does not return text", f"it returned {shown(text)}")
