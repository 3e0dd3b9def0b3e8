"""What policies ask: searches that learn, from playouts, which moves to prefer."""

from __future__ import annotations

from typing import Any

from playout.compiled import hash_record
from playout.contract.rules import Rules


class Learnable(Rules):
    """What a policy can tell moves by.

    - `codes`: every `code` is a number from 0 and below this, if the codes are small numbers;
    - `kinds`: every `features` is a number from 0 and below this.
    """

    codes: int = 0  # 0: codes are any 64-bit numbers
    kinds: int = 1

    def code(self, state: Any, move: Any) -> Any:
        """The policy's name for a move, a 64-bit number: equal codes share a weight.

        Called by the nested algorithms, by playout policies that learn, by AMAF statistics and by
        the solvers' move orders.
        """
        return hash_record(move)

    def bias(self, state: Any, move: Any) -> float:
        """Prior log-weight of a move (GNRPA's beta).

        Called by GNRPA, by playouts with `bias=true`, by tree policies with a prior, by the
        playout policy `heuristic`, and by `lateness` for solvers.
        """
        return 0.0

    def features(self, state: Any, move: Any) -> int:
        """What kind of move it is there, a small number from 0 (a capture, a pattern, ...).

        Called by the playout policy PPAF, which learns a weight for each code and features.
        """
        return 0
