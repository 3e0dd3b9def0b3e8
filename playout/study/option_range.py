"""The values of an option that a tuning searches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from playout.algorithms import ALGORITHMS
from playout.errors import OptionError, nearest
from playout.text.grammar import value_text


@dataclass(frozen=True)
class Range:
    """The values of an option that are searched: from low to high, or one of some choices."""

    name: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] = ()

    @classmethod
    def parse(cls, algorithm: str, text: str) -> Range:
        """A range from NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=A|B|C."""
        name, sign, values = text.partition("=")
        usual = ALGORITHMS.find(algorithm)()
        options = usual.options()
        example = "as in alpha=0.1:10:log, level=1:4 or diversity=none|score"
        if not sign:
            raise OptionError(f"--search {text}: give NAME=LOW:HIGH, {example}")
        if name not in options:
            raise OptionError(f"{algorithm} has no option {name!r}; {nearest(name, options)}")
        if "|" in values or isinstance(options[name], bool | str):
            words = values.split("|") if "|" in values else values.split(":")
            parsed = [getattr(type(usual).from_text({name: word}), name) for word in words]
            return cls(name, choices=tuple(parsed))
        whole = isinstance(options[name], int)
        low, high, log = _bounds(text, values, example)
        if whole and (low != int(low) or high != int(high)):
            raise OptionError(f"--search {text}: {name} takes whole numbers")
        for bound in (low, high):
            value: dict[str, Any] = {name: int(bound) if whole else bound}
            type(usual)(**value)  # says what the option takes
        return cls(name, low, high, log, whole)

    def suggest(self, trial: Any) -> Any:
        """A value for an Optuna trial; a choice is a text there."""
        if self.choices:
            return trial.suggest_categorical(self.name, list(self._texts()))
        if self.whole:
            return trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log)
        return trial.suggest_float(self.name, self.low, self.high, log=self.log)

    def distribution(self, optuna: Any) -> Any:
        """The range as Optuna has it."""
        kinds = optuna.distributions
        if self.choices:
            return kinds.CategoricalDistribution(list(self._texts()))
        if self.whole:
            return kinds.IntDistribution(int(self.low), int(self.high), log=self.log)
        return kinds.FloatDistribution(self.low, self.high, log=self.log)

    def holds(self, value: Any) -> bool:
        """Whether a value of a trial is in the range."""
        if self.choices:
            return value in self._texts()
        return isinstance(value, int | float) and self.low <= value <= self.high

    def option(self, value: Any) -> Any:
        """The option that a value of a trial stands for."""
        return self._texts()[value] if self.choices else value

    def _texts(self) -> dict[str, Any]:
        return {value_text(choice): choice for choice in self.choices}


def _bounds(text: str, values: str, example: str) -> tuple[float, float, bool]:
    words = values.split(":")
    try:
        low, high = float(words[0]), float(words[1])
        log = words[2:] == ["log"]
        good = len(words) == 2 or (len(words) == 3 and log)
    except (ValueError, IndexError):
        low = high = math.nan
        log = good = False
    if not good or not low < high or not math.isfinite(high - low):
        raise OptionError(f"--search {text}: give NAME=LOW:HIGH, {example}")
    if log and low <= 0:
        raise OptionError(f"--search {text}: a logarithmic range begins over 0")
    return low, high, log
