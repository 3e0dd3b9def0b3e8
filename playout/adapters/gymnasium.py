"""Gymnasium: any environment that can be put back, searched by the searches over worlds.

`playout episode gymnasium:CartPole-v1`, `gymnasium:ALE/Breakout-v5`, `gymnasium:MinAtar/Asterix-v1`
(extra `gymnasium`). There is one environment, and it is where the last state is. A state is a
number that stands for a history; the environment is put back (`environment_snapshots.py`) where
a search copies a state, which is the root, and stepped from there. It runs interpreted. Luck is in
the environment's generators of NumPy's or Python's: `redraw` fills them anew.

M. Towers et al., Gymnasium: A Standard Interface for Reinforcement Learning Environments, 2024.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from playout.adapters.environment_snapshots import proven_way
from playout.adapters.environments import Environment, mixed, open_environment
from playout.compiled import copy_record, record, wrapping
from playout.compiled.random import random_bits
from playout.contract import Problem
from playout.errors import OptionError, PlayoutError, ProblemError

STEPS = 10_000  # most steps of a game, where the environment says nothing of it
KEPT = 1024  # snapshots
REMEMBERED = 200_000  # histories of states in simulations


class Gymnasium(Problem):
    """A Gymnasium environment whose actions are numbers.

    Parameters
    ----------
    environment : str, or a function that makes one, or one
        Its name there, with options for `gymnasium.make`: "FrozenLake-v1,is_slippery=false". Of an
        object there is only one, so that it can have one worker.
    steps : int
        Most steps of a game, after which it is truncated; 0: as the environment says.
    save, load : function
        How it is put back, if it cannot be found out: `save(env)` is a snapshot, `load(env,
        snapshot)` puts it back.

    The score is the sum of the rewards. Before it is used, it is proven that it can be put back.

    Examples
    --------
    >>> game = Gymnasium("CartPole-v1", steps=5)
    >>> state = game.root(seed=1)
    >>> game.play_move(state[0], 1)
    >>> game.score(state[0]), len(game.legal_moves(state[0]))
    (1.0, 2)
    """

    interpreted = True
    chance = True

    def __init__(
        self,
        environment: str | Callable[[], Any] | Any = "CartPole-v1",
        *,
        steps: int = 0,
        save: Callable[[Any], Any] | None = None,
        load: Callable[[Any, Any], None] | None = None,
    ) -> None:
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 0:
            raise OptionError(f"steps={steps!r}: a whole number from 0; 0: as the environment says")
        if (save is None) != (load is None):
            raise OptionError("save= and load= belong together: give both")
        self.recipe = None
        if isinstance(environment, str) or callable(environment):
            self.recipe = partial(Gymnasium, environment, steps=steps, save=save, load=load)
        self.simulator: Environment = open_environment(environment)
        self.max_moves = self.simulator.actions
        self.max_length = steps or self.simulator.most_steps or STEPS
        self.state_type = record(
            at="u8",  # which history: a digest of it
            count="i8",
            total="f8",
            over="i1",
            true="i1",  # no luck was drawn anew in it
            shown="u8",  # of a true state, a digest of what the environment shows
        )
        self.move_type = np.dtype("i8")
        own = None if save is None or load is None else (save, load)
        self._way = proven_way(self.simulator.name, self.simulator, self.simulator.ways(own))
        self._at = 0  # the history of the environment as it is
        self._kept: dict[int, tuple[Any, list[Any]]] = {}
        self._seeds: dict[int, int] = {}
        self._played: dict[int, tuple[int, int]] = {}  # of true states: the one before, the action
        self._recent: dict[int, tuple[int, int]] = {}  # of others: the same, or minus the luck
        self._arrived: tuple[int, list[int], np.ndarray] | None = None
        self._all_moves = np.arange(self.max_moves)
        self._names = np.arange(1, self.max_moves + 1, dtype=np.uint64)

    @property
    def put_back_by(self) -> str:
        """How the environment is put back."""
        return self._way.name

    # the rules

    def root(self, seed: int | None = None) -> np.ndarray:
        """The start of a game, as the environment has it with this seed."""
        states = self.new_states(1)
        seed = 0 if seed is None else int(seed)
        at = mixed(seed)
        self._seeds[at] = seed
        self._begin(at, seed)
        states[0].at = at
        states[0].true = 1
        states[0].shown = self.simulator.shown()
        return states

    def reset(self, state: Any) -> None:
        copy_record(self.root()[0], state)

    def redraw(self, state: Any, player: int, rng: Any) -> None:
        with wrapping():
            luck = int(random_bits(rng))
        at = int(state["at"])
        if at != self._at:
            self._go_to(at)
        self.simulator.redraw(luck)
        self._at = mixed(at ^ luck)
        self._remember(at, -1 - luck)
        state["at"] = self._at
        state["true"] = 0

    def copy_world(self, state: Any, out: Any) -> None:
        at = int(state["at"])
        if at not in self._kept:
            self._go_to(at)
            self._keep(at)
        copy_record(state, out)

    def moves(self, state: Any, moves: Any) -> int:
        if state["over"]:
            return 0
        moves[: self.max_moves] = self._all_moves
        return self.max_moves

    def play(self, state: Any, move: Any) -> None:
        at, count, total, _, true, _ = state.item()
        action = int(move)
        if at != self._at:
            self._go_to(at)
        reward, over = self._step(action)
        self._at = mixed(at + action + 1)
        if true:
            self._played[self._at] = at, action
            state["shown"] = self.simulator.shown()
        else:
            self._remember(at, action)
        state["at"], state["count"] = self._at, count + 1
        if reward:
            state["total"] = total + reward
        if over or count + 1 >= self.max_length:
            state["over"] = 1

    def seen(self, state: Any, move: Any, player: int) -> Any:
        return self._names[move]

    def score(self, state: Any) -> float:
        return float(state["total"])

    # where the environment is

    def _begin(self, at: int, seed: int) -> None:
        self.simulator.reset(seed)
        self._at = at

    def _step(self, action: int) -> tuple[float, bool]:
        try:
            return self.simulator.step(action)
        except PlayoutError:
            raise
        except Exception as error:  # whatever the environment raises
            what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise ProblemError(f"{self.simulator.name}: step({action}) failed: {what}") from error

    def _keep(self, at: int) -> None:
        """Take a snapshot of where the environment is."""
        if len(self._kept) >= KEPT:
            for old in list(self._kept)[: KEPT // 2]:
                del self._kept[old]
        self._kept[at] = self._way.save(), self.simulator.generators

    def _remember(self, before: int, action: int) -> None:
        if len(self._recent) >= REMEMBERED:
            for old in list(self._recent)[: REMEMBERED // 2]:
                del self._recent[old]
        self._recent[self._at] = before, action

    def _go_to(self, at: int) -> None:
        """Put the environment back where a history leads, by a snapshot and the steps from it."""
        steps, here = [], at
        while here not in self._kept and here not in self._seeds:
            found = self._played.get(here) or self._recent.get(here)
            if found is None:
                raise ProblemError(
                    f"a state of {self.simulator.name} is of another process, or too long ago"
                )
            here, action = found
            steps.append(action)
        if here in self._kept:
            snapshot, self.simulator.generators = self._kept[here]
            self._way.load(snapshot)
        else:
            self.simulator.reset(self._seeds[here])
        for action in reversed(steps):
            if action < 0:
                self.simulator.redraw(-1 - action)
            else:
                self._step(action)
        self._at = at

    # what a state is in another process

    def departing(self, state: Any) -> tuple[int, list[int]]:
        """The seed and the actions that lead to a state in which no luck was drawn anew."""
        actions, at = [], int(state["at"])
        while at not in self._seeds:
            at, action = self._played[at]
            actions.append(action)
        return self._seeds[at], actions[::-1]

    def arriving(self, seed: int, actions: list[int]) -> np.ndarray:
        """The state that a seed and actions lead to; what was played already is not again."""
        known = self._arrived
        if known is None or known[0] != seed or actions[: len(known[1])] != known[1]:
            known = seed, [], self.root(seed)
        _, before, states = known
        for action in actions[len(before) :]:
            self.play(states[0], action)
        self._arrived = seed, actions, states
        return states.copy()

    # what a person reads

    def move_text(self, state: Any, move: Any) -> str:
        return self.simulator.action_text(int(move))

    def render(self, state: Any) -> str:
        if int(state["at"]) != self._at:
            self._go_to(int(state["at"]))
        line = f"step {int(state['count'])}, score {float(state['total']):g}"
        return "\n".join(filter(None, [self.simulator.picture(), line]))
