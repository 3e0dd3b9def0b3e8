"""Gymnasium environments as they are stepped here: any, and Atari games frame by frame.

Atari's repeated actions are drawn here, by the law of the Arcade Learning Environment: before each
frame the last action is kept with some probability. The last action is not in ALE's own
snapshots, so that an environment with repeated actions would not be the same when it is put back.

M. Machado et al., Revisiting the Arcade Learning Environment, 2018.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.adapters.environment_snapshots import (
    Copies,
    Fields,
    OwnFunctions,
    StateMethods,
    Way,
    digest,
    generators_in,
)
from playout.errors import OptionError, ProblemError, nearest
from playout.text.grammar import parse_named

Own = tuple[Callable[[Any], Any], Callable[[Any, Any], None]]

WORD = (1 << 64) - 1
MOST_ACTIONS = 1_000_000


def mixed(word: int) -> int:
    """64 bits that depend on every bit of a word (splitmix64)."""
    word = (word + 0x9E3779B97F4A7C15) & WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


class Environment:
    """An environment, stepped as it is; its luck is in the generators that it is made of."""

    def __init__(self, env: Any, name: str) -> None:
        import gymnasium

        self.env, self.name = env, name
        space = env.action_space
        if not isinstance(space, gymnasium.spaces.Discrete):
            raise OptionError(
                f"{name} has the actions {space}: Discrete ones can be searched; wrap it "
                "(gymnasium.wrappers.DiscretizeAction, TransformAction)"
            )
        self.actions, self.first = int(space.n), int(space.start)
        if not 0 < self.actions <= MOST_ACTIONS:
            raise OptionError(f"{name} has {self.actions:,} actions: 1 to {MOST_ACTIONS:,}")
        self.most_steps = _most_steps(env)
        self.generators: list[Any] = []
        self._shown: Any = None

    def ways(self, own: Own | None) -> list[Way]:
        """The ways to put it back, the fastest first; only the user's own if there is one."""
        if own is not None:
            return [OwnFunctions(self.env, *own)]
        inner = self.env.unwrapped
        pairs = (("clone_state", "restore_state"), ("get_state", "set_state"))
        return [
            *(
                StateMethods(self.env, *pair)
                for pair in pairs
                if all(hasattr(inner, m) for m in pair)
            ),
            Fields(self.env),
            Copies(self),
        ]

    def reset(self, seed: int) -> None:
        """Begin a game."""
        try:
            self._shown, _ = self.env.reset(seed=seed)
        except Exception as error:  # whatever the environment raises, or has in place of two
            what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise ProblemError(f"{self.name}: reset(seed={seed}) failed: {what}") from error
        self.generators = list(generators_in(self.env))

    def step(self, action: int) -> tuple[float, bool]:
        """The reward of a step, and whether the game is over."""
        self._shown, reward, ended, cut, _ = self.env.step(action + self.first)
        if reward != reward:
            raise ValueError("the reward is no number")
        return float(reward), bool(ended or cut)

    def shown(self) -> int:
        """A digest of the last observation."""
        return digest(self._shown)

    def redraw(self, luck: int) -> None:
        """Fill the generators anew."""
        for number, generator in enumerate(self.generators):
            fill(generator, mixed(luck + number))

    def action_text(self, action: int) -> str:
        """An action as text."""
        return str(action + self.first)

    def picture(self) -> str:
        """What the environment draws as text, if it does."""
        if getattr(self.env, "render_mode", None) != "ansi":
            return ""
        return str(self.env.render()).rstrip()


def fill(generator: Any, word: int) -> None:
    """Fill a generator from a word."""
    if isinstance(generator, random.Random):
        generator.seed(word)
        return
    if isinstance(generator, np.random.RandomState):
        generator.seed([word & 0xFFFFFFFF, word >> 32])
        return
    bits: Any = generator.bit_generator
    if not isinstance(bits, np.random.PCG64):
        bits.state = type(bits)(word).state
        return
    words = [mixed(word + number) for number in range(4)]
    inner: Any = {"state": words[0] << 64 | words[1], "inc": words[2] << 64 | words[3] | 1}
    bits.state = {"bit_generator": "PCG64", "state": inner, "has_uint32": 0, "uinteger": 0}


class AtariFrames(Environment):
    """A game of the Arcade Learning Environment, stepped frame by frame without its pictures."""

    def __init__(self, env: Any, name: str, repeat: float) -> None:
        super().__init__(env, name)
        options = env.spec.kwargs
        self.ale, self._repeat = env.unwrapped.ale, repeat
        every = options.get("full_action_space", False)
        self._codes = self.ale.getLegalActionSet() if every else self.ale.getMinimalActionSet()
        skip = options.get("frameskip", 4)
        least, most = (skip, skip + 1) if isinstance(skip, int) else skip
        self._least, self._most = int(least), int(most)
        self.most_steps = options.get("max_num_frames_per_episode", 0) // self._least
        self._texts = env.unwrapped.get_action_meanings()
        self.last, self.luck = self._codes[0], 0

    def ways(self, own: Own | None) -> list[Way]:
        return [OwnFunctions(self.env, *own) if own else AtariState(self)]

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)
        self.last, self.luck = self._codes[0], mixed(seed)

    def step(self, action: int) -> tuple[float, bool]:
        code, last, luck, act = self._codes[action], self.last, self.luck, self.ale.act
        frames, reward = self._least, 0
        if self._most > self._least + 1:
            luck = mixed(luck)
            frames += luck % (self._most - self._least)
        if self._repeat > 0.0:
            bar = int(self._repeat * 2.0**64)
            for _ in range(frames):
                luck = mixed(luck)
                if luck >= bar:
                    last = code
                reward += act(last)
        else:
            last = code
            for _ in range(frames):
                reward += act(code)
        self.last, self.luck = last, luck
        return float(reward), self.ale.game_over()

    def shown(self) -> int:
        return digest(self.ale.getRAM())

    def redraw(self, luck: int) -> None:
        self.luck = luck

    def action_text(self, action: int) -> str:
        return str(self._texts[action])


class AtariState:
    """By ALE's own snapshots, with the last action and the luck that are kept here."""

    name = "cloneState and restoreState"

    def __init__(self, frames: AtariFrames) -> None:
        self._frames = frames

    def save(self) -> Any:
        frames = self._frames
        return frames.ale.cloneState(), frames.last, frames.luck

    def load(self, snapshot: Any) -> None:
        state, self._frames.last, self._frames.luck = snapshot
        self._frames.ale.restoreState(state)


def open_environment(environment: Any) -> Environment:
    """The environment that a name, a function or an object stands for."""
    try:
        import gymnasium
    except ImportError:
        raise OptionError("Gymnasium is missing: pip install 'playout[gymnasium]'") from None
    if isinstance(environment, str):
        return _named(gymnasium, environment)
    env = _made(environment, "the environment") if callable(environment) else environment
    if not isinstance(env, gymnasium.Env):
        raise OptionError(f"{env!r} is no Gymnasium environment")
    name = env.spec.id if env.spec is not None else type(env.unwrapped).__name__
    return Environment(env, name)


def _named(gymnasium: Any, text: str) -> Environment:
    """The environment of a name, such as `ALE/Breakout-v5` or `FrozenLake-v1,is_slippery=false`."""
    named = parse_named(f"gymnasium:{text}", ("gymnasium",), sized=True)
    name, options = named.first, {key: _value(word) for key, word in named.options.items()}
    atari = name.startswith("ALE/")
    if atari:
        ale = _package("ale_py", "ale-py", name)
        ale.ALEInterface.setLoggerMode(ale.LoggerMode.Error)
        gymnasium.register_envs(ale)
    elif name.startswith("MinAtar/") and name not in gymnasium.registry:
        _package("minatar.gym", "minatar", name).register_envs()
    if ":" in name and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a module beside one's own files, as `python -m` finds it
    elif ":" not in name and name not in gymnasium.registry:
        raise OptionError(
            f"Gymnasium has no environment {name!r}; {nearest(name, gymnasium.registry)}"
        )
    if atari:
        usual = gymnasium.spec(name).kwargs.get("repeat_action_probability", 0.0)
        repeat = options.pop("repeat_action_probability", usual)
        if not isinstance(repeat, int | float) or not 0 <= repeat < 1:
            raise OptionError(f"{text}: repeat_action_probability is a number from 0 to below 1")
        options = {"obs_type": "ram", **options, "repeat_action_probability": 0.0}
        env = _made(lambda: gymnasium.make(name, disable_env_checker=True, **options), text)
        return AtariFrames(env, name, float(repeat))
    # steps are counted here: a limit in the environment would have to be put back, too
    options = {"max_episode_steps": -1, **options}
    env = _made(lambda: gymnasium.make(name, disable_env_checker=True, **options), text)
    found = Environment(env, name)
    if options["max_episode_steps"] == -1:
        registered = gymnasium.spec(name.rpartition(":")[2]).max_episode_steps
        found.most_steps = registered or found.most_steps
    return found


def _made(make: Callable[[], Any], text: str) -> Any:
    try:
        return make()
    except Exception as error:  # whatever its code raises
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise OptionError(f"{text} cannot be made: {reason}") from None


def _package(module: str, package: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise OptionError(f"{name}: pip install {package}") from None


def _value(word: str) -> Any:
    """An option's value: true, false, none, a number or text."""
    known = {"true": True, "false": False, "none": None}
    if word.lower() in known:
        return known[word.lower()]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _most_steps(env: Any) -> int:
    """The most steps that a wrapper of the environment allows; 0 if none does."""
    return (env.spec.max_episode_steps if env.spec is not None else 0) or 0
