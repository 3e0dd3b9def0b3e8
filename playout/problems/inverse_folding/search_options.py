"""The search that suits inverse folding: options of GNRPA.

The last line of Table 3 of T. Cazenave and T. Fournier, Monte Carlo Inverse Folding: beam and
stabilised playouts, a beam of different scores, codes with the move before, and levels that end
when the best sequence has not changed for a third of its length. See bench/README.md.
"""

from __future__ import annotations

from typing import Any

GNRPA_OPTIONS: dict[str, Any] = {
    "level": 2,
    "N": 0,
    "restart_length": 3.0,
    "P": 4,
    "beam": 8,
    "diversity": "score",
    "history": 1,
    "start_learning": 4,
    "polish": True,
}
