"""When to stop: criteria that look at a run between two steps, combined with `|`.

A criterion may also say how many playouts are left until it could hold (`playouts_left`), so that
a step ends exactly there and the same seed gives the same result whatever the machine's speed.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, ClassVar, TypedDict

from playout.errors import OptionError, nearest
from playout.interrupts import ending_early
from playout.text.numbers import parse_seconds


@dataclass(frozen=True)
class Progress:
    """What is known of a run between two steps.

    Examples
    --------
    >>> import playout as po
    >>> seen = []
    >>> result = po.solve("maximum", "random", "20 playouts", compiled=False, progress=seen.append)
    >>> seen[-1].playouts
    20
    """

    seconds: float
    playouts: int
    best: float
    runs: int  # how often the algorithm came to its natural end
    improved_at: int  # playouts at the last improvement
    rate: float  # playouts per second
    calls: int = 0  # of `play`, by searches that count them
    doing: str = ""  # what a search that tries several things is trying just now
    bound: float | None = None  # no score can be better
    sign: float = 1.0  # -1 where the best score is a cost, and lower is better


class Stop:
    """A criterion; `a | b` stops when either does.

    Examples
    --------
    >>> Seconds(60) | Target(3000)
    AnyOf(criteria=(Seconds(seconds=60), Target(score=3000)))
    """

    def reached(self, progress: Progress) -> bool:
        """Whether the run is over."""
        raise NotImplementedError

    def playouts_left(self, progress: Progress) -> float:
        """How many playouts may be played before looking again."""
        return math.inf

    def calls_left(self, progress: Progress) -> float:
        """How many calls of `play` may be made before looking again."""
        return math.inf

    def seconds_left(self, progress: Progress) -> float:
        """Seconds until the criterion must hold, if it is about time."""
        return math.inf

    def look(self, progress: Progress) -> tuple[str, float, float]:
        """What of it has ended the run, empty if nothing; and the playouts and seconds left."""
        reason = next((str(part) for part in self.parts() if part.reached(progress)), "")
        return reason, self.playouts_left(progress), self.seconds_left(progress)

    def __or__(self, other: Stop) -> AnyOf:
        return AnyOf(self.parts() + other.parts())

    def parts(self) -> tuple[Stop, ...]:
        """The single criteria."""
        return (self,)

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True)
class AnyOf(Stop):
    """Stops when any of its criteria does."""

    criteria: tuple[Stop, ...]

    def reached(self, progress: Progress) -> bool:
        return any(stop.reached(progress) for stop in self.criteria)

    def playouts_left(self, progress: Progress) -> float:
        return min(stop.playouts_left(progress) for stop in self.criteria)

    def calls_left(self, progress: Progress) -> float:
        return min(stop.calls_left(progress) for stop in self.criteria)

    def seconds_left(self, progress: Progress) -> float:
        return min(stop.seconds_left(progress) for stop in self.criteria)

    def parts(self) -> tuple[Stop, ...]:
        return self.criteria

    def __str__(self) -> str:
        return repr(self)


@dataclass(frozen=True)
class Never(Stop):
    """Does not stop: for what comes to its own end."""

    def reached(self, progress: Progress) -> bool:
        return False


class Asked(Stop):
    """Stops when somebody has asked for it, from any thread."""

    came = False

    def come(self) -> None:
        """Ask for it."""
        self.came = True

    def reached(self, progress: Progress) -> bool:
        return self.came


class CtrlC(Stop):
    """Stops when Ctrl-C or SIGTERM has come within its `with` block; a second one is raised."""

    came = False

    def __enter__(self) -> CtrlC:
        self._block = ending_early(self._note)
        self._block.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._block.__exit__(*error)

    def _note(self) -> None:
        self.came = True

    def reached(self, progress: Progress) -> bool:
        return self.came

    def __str__(self) -> str:
        return "interrupt"


@dataclass(frozen=True)
class Amount(Stop):
    """Stops when a figure of the run has come to the criterion's own, which has the same name."""

    whole: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check(type(self).__name__, self._figure(self), self.whole)

    def reached(self, progress: Progress) -> bool:
        return self._figure(progress) >= self._figure(self)

    def playouts_left(self, progress: Progress) -> float:
        return self._left("playouts", progress)

    def calls_left(self, progress: Progress) -> float:
        return self._left("calls", progress)

    def seconds_left(self, progress: Progress) -> float:
        return self._left("seconds", progress)

    def _left(self, figure: str, progress: Progress) -> float:
        mine = fields(self)[0].name == figure
        return self._figure(self) - self._figure(progress) if mine else math.inf

    def _figure(self, of: Any) -> float:
        return getattr(of, fields(self)[0].name)


@dataclass(frozen=True)
class Seconds(Amount):
    """Stop after so many seconds of search (compilation is not counted).

    Examples
    --------
    >>> import playout as po
    >>> stop = po.Seconds(90) | po.Playouts(20)
    >>> po.solve("maximum:n=9", "nmcs", stop, seed=1, compiled=False).playouts
    20
    """

    whole: ClassVar[bool] = False

    seconds: float


@dataclass(frozen=True)
class Playouts(Amount):
    """Stop after exactly so many playouts.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", "nmcs", po.Playouts(20), seed=1, compiled=False).stopped_by
    'playouts'
    """

    playouts: int


@dataclass(frozen=True)
class Calls(Amount):
    """Stop after exactly so many calls of `play`, the simulator's steps, in a search over worlds.

    A playout that is under way stops in its middle, and counts as far as it has come.

    Examples
    --------
    >>> as_stop("1000 calls")
    Calls(calls=1000)
    """

    calls: int


@dataclass(frozen=True)
class Target(Stop):
    """Stop at the first playout that scores at least so much, or costs at most so much.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", "nmcs", po.Target(6), seed=1, compiled=False).stopped_by
    'target'
    """

    score: float

    def __post_init__(self) -> None:
        if not isinstance(self.score, int | float) or math.isnan(self.score):
            raise OptionError(f"Target({self.score!r}): a score is a number")

    def reached(self, progress: Progress) -> bool:
        return progress.sign * progress.best >= progress.sign * self.score


@dataclass(frozen=True)
class Bound(Target):
    """Stop when the best score is as good as any can be.

    A score that is better shows that the bound is none: it does not stop the run.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", "nmcs", seed=1, compiled=False, bound=6).stopped_by
    'bound'
    """

    def reached(self, progress: Progress) -> bool:
        return not self.beaten(progress) and self._ahead(progress) >= -self._rounding()

    def beaten(self, progress: Progress) -> bool:
        """Whether the best score is better than the bound, and not by rounding only."""
        return self._ahead(progress) > self._rounding()

    def _ahead(self, progress: Progress) -> float:
        return progress.sign * (progress.best - self.score)

    def _rounding(self) -> float:
        return 1e-9 * abs(self.score)


@dataclass(frozen=True)
class Stagnation(Stop):
    """Stop after so many playouts in a row without a better score.

    Examples
    --------
    >>> import playout as po
    >>> stop = po.Stagnation(10_000) | po.Playouts(20)
    >>> po.solve("maximum:n=9", "nmcs", stop, seed=1, compiled=False).playouts
    20
    """

    playouts: int

    def __post_init__(self) -> None:
        _check("Stagnation", self.playouts)

    def reached(self, progress: Progress) -> bool:
        return progress.playouts - progress.improved_at >= self.playouts

    def playouts_left(self, progress: Progress) -> float:
        return progress.improved_at + self.playouts - progress.playouts


@dataclass(frozen=True)
class Runs(Amount):
    """Stop when the algorithm has come to its natural end so many times.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", "nmcs", po.Runs(1), seed=1, compiled=False).stopped_by
    'runs'
    """

    runs: int = 1


def as_stop(stop: Any) -> Stop:
    """The criterion that is given as such, as seconds or as text.

    >>> as_stop("10m"), as_stop("5000 playouts")
    (Seconds(seconds=600.0), Playouts(playouts=5000))
    >>> as_stop(2.5)
    Seconds(seconds=2.5)
    """
    if isinstance(stop, Stop):
        return stop
    if isinstance(stop, int | float) and not isinstance(stop, bool):
        return Seconds(stop)
    if isinstance(stop, str):
        count = re.fullmatch(r"([0-9][0-9_]*) (playout|call)s?", stop.strip())
        if count:
            return (Playouts if count[2] == "playout" else Calls)(int(count[1]))
        if not math.isnan(seconds := parse_seconds(stop)):
            return Seconds(seconds)
    raise OptionError(
        f"{stop!r} is no stop criterion: give one such as playout.Seconds(60), "
        "'10m', '5000 playouts' or '1000 calls'"
    )


class Budget(TypedDict, total=False):
    """A budget by name, which the verbs take in place of a criterion: `seconds=60`."""

    seconds: float
    playouts: int


class Limits(Budget, total=False):
    """Criteria by name, which the verbs that look for a score take: `seconds=60, target=3000`."""

    target: float


_NAMED = {"seconds": Seconds, "playouts": Playouts, "target": Target}


def stop_of(
    stop: Any, usual: Any, limits: Mapping[str, Any], verb: Callable[..., Any] | None = None
) -> Stop:
    """What a verb was given of when to stop, as a criterion and by names; the usual if nothing.

    A name that is none of these is refused, with the nearest argument of the verb.

    >>> stop_of(None, 10, {}), stop_of("10m", 10, {})
    (Seconds(seconds=10), Seconds(seconds=600.0))
    >>> stop_of("10m", 10, {"target": 3000})
    AnyOf(criteria=(Seconds(seconds=600.0), Target(score=3000)))
    """
    for name in limits.keys() - _NAMED:
        taken = {} if verb is None else inspect.signature(verb).parameters
        others = [one.name for one in taken.values() if one.kind is not one.VAR_KEYWORD]
        raise TypeError(f"there is no argument {name!r}; {nearest(name, [*_NAMED, *others])}")
    named = [_NAMED[name](value) for name, value in limits.items() if value is not None]
    given = [] if stop is None else [as_stop(stop)]
    return reduce(Stop.__or__, [*given, *named] or [as_stop(usual)])


def budget_in(options: dict[str, Any]) -> dict[str, Any]:
    """The budget by name among keyword arguments, taken out of them.

    >>> options = {"seconds": 5, "parallel": "leaf"}
    >>> budget_in(options), options
    ({'seconds': 5}, {'parallel': 'leaf'})
    """
    return {name: options.pop(name) for name in Budget.__annotations__ if name in options}


def refuse_calls(stop: Stop, who: str) -> None:
    """Refuse `Calls` where nobody counts them: it would never hold."""
    if any(isinstance(part, Calls) for part in stop.parts()):
        raise OptionError(f"{who} counts no calls of play: give Seconds or Playouts")


def _check(name: str, value: float, whole: bool = True) -> None:
    if whole and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        raise OptionError(f"{name}({value!r}): give a whole number over 0")
    if not isinstance(value, int | float) or not value > 0 or math.isinf(value):
        raise OptionError(f"{name}({value!r}): give a number over 0")
