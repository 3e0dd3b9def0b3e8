"""What a player does not know: the choices of others who move at the same time."""

from __future__ import annotations

from typing import Any

from playout.contract.rules import Rules


class Veiled(Rules):
    """Moves at the same time: players choose one after another, and the later do not look.

    - `simultaneous`: whether `concealed` may be over 0.
    """

    simultaneous: bool = False

    def concealed(self, state: Any) -> int:
        """How many choices were made that the player to move does not know of.

        What is legal must not depend on them, nor `key`. Called by tree searches, which keep the
        statistics of such players apart, and by the referee of a match.
        """
        return 0
