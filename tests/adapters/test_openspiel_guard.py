"""A game of OpenSpiel's that is too large is refused in one line; without OpenSpiel, too."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace

import pytest

from playout.errors import OptionError

KIND = SimpleNamespace(
    short_name="hex",
    dynamics=1,
    Dynamics=SimpleNamespace(SEQUENTIAL=1),
    chance_mode=1,
    ChanceMode=SimpleNamespace(DETERMINISTIC=1, SAMPLED_STOCHASTIC=2),
    information=1,
    Information=SimpleNamespace(PERFECT_INFORMATION=1),
    provides_information_state_string=True,
)


@pytest.fixture
def game_class(monkeypatch):
    """The class, imported with a module in OpenSpiel's place where that is missing."""
    if importlib.util.find_spec("pyspiel") is None:
        monkeypatch.setitem(sys.modules, "pyspiel", ModuleType("pyspiel"))
        monkeypatch.delitem(sys.modules, "playout.adapters.openspiel_game", raising=False)
        module = importlib.import_module("playout.adapters.openspiel_game")
        monkeypatch.delitem(sys.modules, "playout.adapters.openspiel_game")
    else:
        module = importlib.import_module("playout.adapters.openspiel_game")
    return module.OpenSpielGame


@pytest.mark.parametrize(("moves", "length"), [(99_999**2, 99_999**2), (9, 1_000_001), (0, 5)])
def test_what_is_too_large_is_refused(game_class, moves, length):
    spiel = SimpleNamespace(
        get_type=lambda: KIND,
        num_players=lambda: 2,
        num_distinct_actions=lambda: moves,
        max_game_length=lambda: length,
    )
    with pytest.raises(OptionError, match="hex is too large here") as error:
        game_class(spiel)
    assert "\n" not in str(error.value)
