"""How a Gymnasium environment is put back: the ways that there are, and the proof that one works.

A way saves what an environment is like and puts it back. No way is trusted: `proven_way` plays on
from a snapshot, plays something else, puts the environment back and plays the same again. The
first way whose rewards, ends and observations are the same is taken. A game that begins again with
the same seed must be the same as well: so it is replayed, and brought to other processes.
"""

from __future__ import annotations

import copy
import random
import types
import zlib
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from playout.errors import OptionError, ProblemError

TRIALS, STEPS, OTHERS = 4, 50, 7  # of the proof: snapshots, steps from each, steps in between


class Simulator(Protocol):
    """What is put back: an environment, and what is kept of it here."""

    actions: int

    def reset(self, seed: int) -> None:
        """Begin a game."""

    def step(self, action: int) -> tuple[float, bool]:
        """The reward of a step, and whether the game is over."""

    def shown(self) -> int:
        """A digest of what can be seen."""


class Way(Protocol):
    """A way to put an environment back."""

    name: str

    def save(self) -> Any:
        """What the environment is like now."""

    def load(self, snapshot: Any) -> None:
        """Put it back; a snapshot may be loaded many times."""


def proven_way(who: str, simulator: Simulator, ways: list[Way]) -> Way:
    """The first way that puts the environment back as it was; refused where there is none."""
    faults, begun = [], first_steps(who, simulator)
    for way in ways:
        fault = fault_of(simulator, way)
        if not fault:
            if other := difference(begun, first_steps(who, simulator)):
                raise OptionError(
                    f"{who} is another game when it begins again: after reset(seed=0) {other}; "
                    "it keeps something from game to game, or draws without its seed"
                )
            return way
        faults.append(f"{way.name}: {fault}")
    raise OptionError(
        f"{who} cannot be put back, so it cannot be searched ({'; '.join(faults)}); "
        "Gymnasium(..., save=, load=) takes functions of your own"
    )


def first_steps(who: str, simulator: Simulator) -> list[tuple[float, bool, int]]:
    """What the first steps of a game bring."""
    draw = random.Random(1)
    simulator.reset(0)
    try:
        return _played(simulator, [draw.randrange(simulator.actions) for _ in range(STEPS)])
    except Exception as error:  # whatever the environment raises
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise ProblemError(f"{who}: a step failed: {what}") from error


def fault_of(simulator: Simulator, way: Way) -> str:
    """What is wrong with a way to put an environment back; empty if nothing is."""
    draw = random.Random(1)
    for trial in range(TRIALS):
        simulator.reset(trial)
        _played(simulator, [draw.randrange(simulator.actions) for _ in range(3 * trial)])
        plan = [draw.randrange(simulator.actions) for _ in range(STEPS)]
        others = [draw.randrange(simulator.actions) for _ in range(OTHERS)]
        try:
            snapshot = way.save()
            once = _played(simulator, plan)
            way.load(snapshot)
            _played(simulator, others)
            way.load(snapshot)
            again = _played(simulator, plan)
        except Exception as error:  # whatever the environment raises
            return " ".join(f"{type(error).__name__}: {error}".split())[:120]
        if fault := difference(once, again):
            return fault
    return ""


def difference(once: list[tuple[float, bool, int]], again: list[tuple[float, bool, int]]) -> str:
    """The first thing in which two games differ; empty if they do not."""
    for number, (one, two) in enumerate(zip(once, again), 1):
        for what, first, second in zip(("reward", "end", "observation"), one, two):
            if first != second:
                return f"step {number} has another {what} then"
    return ""


def _played(simulator: Simulator, plan: list[int]) -> list[tuple[float, bool, int]]:
    """What the steps of a plan bring, up to the end of the game."""
    found = []
    for action in plan:
        reward, over = simulator.step(action)
        found.append((reward, over, simulator.shown()))
        if over:
            break
    return found


def digest(shown: Any, start: int = 0) -> int:
    """A number that tells observations apart: arrays, numbers, and mappings and tuples of them."""
    if isinstance(shown, dict):
        for key in shown:
            start = digest(shown[key], zlib.crc32(str(key).encode(), start))
        return start
    if isinstance(shown, tuple | list):
        for part in shown:
            start = digest(part, start)
        return start
    if isinstance(shown, str):
        return zlib.crc32(shown.encode(), start)
    return zlib.crc32(np.ascontiguousarray(shown).tobytes(), start)


# the ways


class OwnFunctions:
    """By functions of the user's own."""

    name = "save and load"

    def __init__(
        self, env: Any, save: Callable[[Any], Any], load: Callable[[Any, Any], None]
    ) -> None:
        self._env, self._save, self._load = env, save, load

    def save(self) -> Any:
        return self._save(self._env)

    def load(self, snapshot: Any) -> None:
        self._load(self._env, snapshot)


class StateMethods:
    """By the environment's own methods; what wrappers keep is kept beside it."""

    def __init__(self, env: Any, save: str, load: str) -> None:
        self.name = f"{save} and {load}"
        self._env, self._own = env, env.unwrapped
        self._save, self._load = getattr(self._own, save), getattr(self._own, load)

    def save(self) -> Any:
        return self._save(), contents_of(self._env, self._own)

    def load(self, snapshot: Any) -> None:
        self._load(snapshot[0])
        put_back(snapshot[1])


class Fields:
    """By the contents of all objects, lists, arrays and generators that it is made of."""

    name = "its fields"

    def __init__(self, env: Any) -> None:
        self._env = env

    def save(self) -> Any:
        return contents_of(self._env)

    def load(self, snapshot: Any) -> None:
        put_back(snapshot)


def contents_of(whole: Any, without: Any = None) -> list[tuple[Any, Any]]:
    """All that can change in an object and what it holds, with what it is like now.

    Objects keep who they are: `put_back` fills them again, so that two names of one array stay so.
    """
    found: list[tuple[Any, Any]] = []
    known, left = {id(without)}, [whole]
    while left:
        thing = left.pop()
        if id(thing) in known or isinstance(thing, _LEFT_OUT):
            continue
        known.add(id(thing))
        if isinstance(thing, np.ndarray):
            found.append((thing, thing.copy()))
            if thing.dtype == object:
                left.extend(thing.ravel())
        elif isinstance(thing, np.random.Generator):
            found.append((thing, thing.bit_generator.state))
        elif isinstance(thing, np.random.RandomState):
            found.append((thing, thing.get_state()))
        elif _is_random(thing):
            found.append((thing, thing.getstate()))
        elif isinstance(thing, bytearray | array):
            found.append((thing, thing[:]))
        elif isinstance(thing, list | dict | set | deque):
            found.append((thing, thing.copy()))
            left.extend(thing.values() if isinstance(thing, dict) else thing)
        elif isinstance(thing, tuple):
            left.extend(thing)
        elif not _of_gymnasium(thing):
            if hasattr(thing, "__dict__"):
                left.append(vars(thing))
            if slots := _slots_of(thing):
                found.append((thing, slots))
                left.extend(slots.values())
    return found


def _is_random(thing: Any) -> bool:
    """Whether it is a generator of Python's that can be put back."""
    return isinstance(thing, random.Random) and not isinstance(thing, random.SystemRandom)


def _slots_of(thing: Any) -> dict[Any, Any]:
    """What an object holds in the slots of its classes, by the slots' descriptors."""
    return {
        member: member.__get__(thing)
        for kind in type(thing).__mro__
        if "__slots__" in vars(kind)
        for name, member in vars(kind).items()
        if isinstance(member, types.MemberDescriptorType) and hasattr(thing, name)
    }


# what holds nothing that changes, and what is not part of an environment
_LEFT_OUT = (
    *(bool, int, float, complex, str, bytes, type(None), type, np.generic, types.ModuleType),
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MappingProxyType),
)


def _of_gymnasium(thing: Any) -> bool:
    """Whether an object describes an environment: a space, or its specification."""
    module = type(thing).__module__
    return module.startswith(("gymnasium.spaces", "gymnasium.envs.registration"))


def put_back(contents: list[tuple[Any, Any]]) -> None:
    """Make all be as it was when `contents_of` was asked."""
    for thing, was in contents:
        if isinstance(thing, np.ndarray):
            thing[...] = was
        elif isinstance(thing, np.random.Generator):
            thing.bit_generator.state = was
        elif isinstance(thing, np.random.RandomState):
            thing.set_state(was)
        elif isinstance(thing, list | bytearray | array):
            thing[:] = was
        elif isinstance(thing, dict | set | deque):
            thing.clear()
            thing.extend(was) if isinstance(thing, deque) else thing.update(was)
        elif _is_random(thing):
            thing.setstate(was)
        else:
            for member, value in was.items():
                member.__set__(thing, value)


def generators_in(whole: Any) -> Iterator[Any]:
    """The random generators, of NumPy's and Python's, that an object is made of."""
    for thing, _ in contents_of(whole):
        if isinstance(thing, np.random.Generator | np.random.RandomState) or _is_random(thing):
            yield thing


class Copies:
    """By a copy of the whole environment, from which others are copied."""

    name = "deepcopy"

    def __init__(self, simulator: Any) -> None:
        self._simulator = simulator

    def save(self) -> Any:
        return copy.deepcopy(self._simulator.env)

    def load(self, snapshot: Any) -> None:
        self._simulator.env = copy.deepcopy(snapshot)
        self._simulator.generators = list(generators_in(self._simulator.env))
