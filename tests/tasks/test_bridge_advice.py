"""What is said of cards that win in as many worlds."""

from __future__ import annotations

import pytest

from playout.tasks.bridge_advice import CardAdvice, _tie


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("HA", 9, 8.0), ("H2", 8, 9.0)], ""),
        ([("HA", 9, 8.0), ("S2", 9, 7.5)], "HA, S2 win in as many worlds: more tricks decided"),
        ([("H2", 9, 8.0), ("HA", 9, 8.0)], "H2, HA win in as many worlds: the lower card decided"),
        (
            [("S4", 9, 8.0), ("D2", 9, 8.0), ("HA", 9, 7.0)],
            "S4, D2, HA win in as many worlds: nothing tells the first from others",
        ),
    ],
)
def test_how_the_first_of_equal_cards_was_chosen_is_told(rows, said):
    assert _tie([CardAdvice((card,), wins, wins, tricks) for card, wins, tricks in rows]) == said
