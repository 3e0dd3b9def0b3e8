"""The figures of *Which algorithm when* are those of the results that its curves are drawn from."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_table_on_the_page_is_that_of_the_results():
    from bench.curves import ALGORITHMS, PROBLEMS, RUNS

    page = (ROOT / "docs/which_algorithm.md").read_text()
    found = json.loads((ROOT / "docs/results/which_algorithm.json").read_text())
    assert list(found) == list(PROBLEMS)
    shown = re.findall(r"^\| `([^`]+)` \| ([\d,]+ ± .*) \| (.*) \| ([\d,]+ ± .*) \|$", page, re.M)
    assert tuple(name for name, *_ in shown) == ALGORITHMS
    for name, samegame, tsptw, maximum in shown:
        for problem, cell, digits in (
            ("samegame", samegame, 0),
            ("tsptw", tsptw, 1),
            ("maximum", maximum, 0),
        ):
            (curve,) = (c for c in found[problem]["curves"] if c["name"] == name)
            assert curve["runs"] == RUNS
            playouts, mean, _, high = curve["points"][-1]
            assert playouts == 20_000
            if cell == "windows missed":
                assert mean < -1e6  # each missed window costs a million
                continue
            assert cell == f"{abs(mean):,.{digits}f} ± {high - mean:,.{digits}f}"
    for problem in found:
        assert f"generated/pictures/curves-{problem}.svg" in page


def test_the_curves_are_drawn_for_the_light_ground_that_pictures_keep(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs"), *sys.path])
    from site_pages.curves import write_curves

    write_curves(tmp_path)
    drawn = [path.read_text() for path in tmp_path.glob("pictures/*.svg")]
    assert len(drawn) == 3
    for text in drawn:
        assert "prefers-color-scheme" not in text
        assert "var(" not in text
        assert "fill:#1d2126" in text  # ink, as it is in the light
