"""What the settings of all trainings have in common: presets, and texts that name one.

`quick` is a preset, `quick:games=500,epsilon=0.1` the same with settings changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from playout.errors import OptionError, nearest
from playout.text.grammar import parse_named
from playout.text.options import Options

QUICK = "quick"  # a preset that every training has: minutes on a laptop


@dataclass(frozen=True, kw_only=True)
class TrainingSettings(Options):
    """Settings of a training."""

    name: ClassVar[str] = "train"

    @classmethod
    def presets(cls) -> dict[str, Self]:
        """Settings that have a name."""
        raise NotImplementedError

    @classmethod
    def preset(cls, name: str) -> Self:
        """A preset by its name."""
        presets = cls.presets()
        if name not in presets:
            raise OptionError(f"there is no preset {name!r}; {nearest(name, presets)}")
        return presets[name]

    @classmethod
    def load(cls, text: str, usual: str = QUICK) -> Self:
        """The settings that PRESET:NAME=VALUE,... says; without a name the preset is `usual`."""
        named = parse_named(text)
        return cls.preset(named.name or usual).changed(named.options)
