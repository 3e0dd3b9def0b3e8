"""The growth of cost is fitted as it should be, and what is too large is refused at once."""

from __future__ import annotations

import importlib
import json

import pytest

from bench.growth import __main__ as growth
from bench.growth.measuring import choices, exponent
from playout.errors import PlayoutError
from playout.problems import Maximum


def test_exponents_of_powers():
    sizes = [10.0, 100.0, 1000.0]
    assert exponent(sizes, [7 * size**1.5 for size in sizes]) == pytest.approx(1.5)
    assert exponent(sizes, [1 / size for size in sizes]) == pytest.approx(-1.0)
    assert exponent([10.0], [1.0]) != exponent([10.0], [1.0])


def test_the_choices_of_a_game():
    moves, legal = choices(Maximum(9))
    assert legal >= moves > 0


def test_a_table_of_figures(monkeypatch, tmp_path):
    figures = {
        str(n): {"nodes": n, "simulations/s": 5e6 / n, "bytes a node": 200} for n in (10, 100)
    }
    monkeypatch.setattr(growth, "FIGURES", tmp_path / "figures.json")
    growth.FIGURES.write_text(json.dumps({"trees": figures}))
    lines = growth.table("trees").splitlines()
    assert "| 100 | 50,000 | 200 |" in lines
    assert lines[-2:] == ["simulations/s ~ nodes^-1.00", "bytes a node ~ nodes^0.00"]


@pytest.mark.parametrize("subject", ["samegame", "tsptw", "rna", "go"])
def test_what_is_too_large_is_refused_at_once(subject):
    module = importlib.import_module(f"bench.growth.{subject}")
    with pytest.raises(PlayoutError, match=r"too large|from 1 to|1 to 19"):
        module.measure(module.TOO_LARGE)
