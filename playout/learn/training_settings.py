"""What the settings of all trainings have in common: presets, and texts that name one.

`quick` is a preset, `quick:games=500,epsilon=0.1` the same with settings changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from playout.errors import OptionError, nearest
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options

QUICK = "quick"  # a preset that every training has: minutes on a laptop
AUTO = "auto"  # no preset: chosen by what is there (auto_settings.py)


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
    def load(cls, text: str) -> Self:
        """The settings that PRESET:NAME=VALUE,... says.

        Without a name the preset is `quick`, and so it is with `auto` until there is a choice.
        """
        named = parse_named(text)
        preset = QUICK if named.name in ("", AUTO) else named.name
        return cls.preset(preset).changed(named.options)

    def text(self) -> str:
        """The preset that is nearest, with what is different: `load` gives the same settings."""
        own = self.options()
        changes = {
            name: {key: value for key, value in own.items() if preset.options()[key] != value}
            for name, preset in self.presets().items()
        }
        return named_text(*min(changes.items(), key=lambda item: len(item[1])))
