"""Games of OpenSpiel's in which players move in turn, with hidden information and chance.

They run interpreted: the rules are OpenSpiel's, called move by move. A state of ours is the
history of the actions; the last state of OpenSpiel's is kept, so that a playout costs one call
for each move. Chance is drawn from a random word in the state, right after the move before it.
What is hidden is drawn anew by OpenSpiel itself (`ResampleFromInfostate`), which not all of its
games can.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np

from playout.compiled import record, wrapping
from playout.compiled.random import random_bits, random_unit
from playout.contract import Game
from playout.errors import DataError, OptionError, nearest
from playout.text.silent_stderr import silent_stderr

try:
    import pyspiel as pyspiel
except ImportError:
    raise OptionError("OpenSpiel is missing: pip install 'playout[openspiel]'") from None

LARGEST = 1_000_000  # moves, and plies of a game, for which there is room


class OpenSpielGame(Game):
    """A game of OpenSpiel's.

    Parameters
    ----------
    game : str or pyspiel.Game
        Such as `tic_tac_toe` or `hex(board_size=5)`.

    Rewards are its returns, put into the range from 0 to 1.

    Examples
    --------
    >>> game = OpenSpielGame("tic_tac_toe")
    >>> game.move_text(game.root()[0], game.parse_move(game.root()[0], "x(1,1)"))
    'x(1,1)'
    """

    interpreted = True

    def __init__(self, game: Any) -> None:
        self.spiel = load_spiel(game) if isinstance(game, str) else game
        kind = self.spiel.get_type()
        if kind.dynamics != kind.Dynamics.SEQUENTIAL:
            raise OptionError(
                f"{kind.short_name} has moves at the same time: a game in which players move in "
                "turn can be searched"
            )
        if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
            raise OptionError(f"{kind.short_name} draws its chance itself, and tells no outcomes")
        self.hidden = kind.information != kind.Information.PERFECT_INFORMATION
        self.chance = kind.chance_mode != kind.ChanceMode.DETERMINISTIC
        if self.hidden and not kind.provides_information_state_string:
            raise OptionError(
                f"{kind.short_name} hides information, and OpenSpiel does not tell what a player "
                "knows of it (information_state_string)"
            )
        self.players = self.spiel.num_players()
        self.actions = self.spiel.num_distinct_actions()
        self.codes = self.actions * self.players
        self.max_moves = self.actions
        self.max_length = self.spiel.max_game_length()
        if not (1 <= self.actions <= LARGEST and 1 <= self.max_length <= LARGEST):
            raise OptionError(
                f"{kind.short_name} is too large here: {self.actions:,} moves, games of "
                f"{self.max_length:,}; up to {LARGEST:,} are handled"
            )
        self.low = float(self.spiel.min_utility())
        self.range = max(float(self.spiel.max_utility()) - self.low, 1e-12)
        length = self.max_length + 1
        if self.chance:
            length += self.spiel.max_chance_nodes_in_history()
        fields: dict[str, Any] = {"count": "i4", "actions": ("i4", length)}
        if self.chance or self.hidden:
            fields["luck"] = ("u8", 1)
        self.state_type = record(**fields)
        self.move_type = record(action="i4")
        self._seen: list[int] = []
        self._state = self.spiel.new_initial_state()
        if self.hidden:
            self._check_resampling(kind.short_name)

    def _check_resampling(self, name: str) -> None:
        """Refuse a game whose hidden information OpenSpiel cannot draw anew."""
        states = self.root()
        try:
            with silent_stderr():  # it writes what it raises as well
                self.redraw(states[0], self.turn(states[0]), np.array([1], np.uint64))
        except (pyspiel.SpielError, RuntimeError, TypeError):
            raise OptionError(
                f"{name} hides information, and OpenSpiel cannot draw it anew "
                "(ResampleFromInfostate)"
            ) from None

    def spiel_state(self, state: Any) -> Any:
        """OpenSpiel's state; it stays right until the next call, so clone it to keep it."""
        wanted = state.actions[: state.count].tolist()
        known = len(self._seen)
        if wanted[:known] != self._seen:
            self._state, self._seen, known = self.spiel.new_initial_state(), [], 0
        for action in wanted[known:]:
            self._state.apply_action(action)
        self._seen = wanted
        return self._state

    def reset(self, state: Any) -> None:
        state.count = 0
        self._draw_chance(state)

    def draw(self, state: Any, rng: Any) -> None:
        if self.chance:
            state.luck[0] = random_bits(rng)
        self.reset(state)

    def _draw_chance(self, state: Any) -> None:
        """Draw, from the luck in the state, until a player is to move."""
        if not self.chance:
            return
        now = self.spiel_state(state)
        while now.is_chance_node():
            with wrapping():
                left = float(random_unit(state.luck))
            drawn = 0
            for action, chance in now.chance_outcomes():
                if left >= 0 and chance > 0:
                    drawn, left = action, left - chance
            state.actions[state.count] = drawn
            state.count += 1
            now = self.spiel_state(state)

    # what a player knows

    def redraw(self, state: Any, player: int, rng: Any) -> None:
        with wrapping():
            if self.hidden:
                now = self.spiel_state(state)
                if not now.is_terminal():
                    now = now.resample_from_infostate(player, lambda: float(random_unit(rng)))
                history = now.history()
                state.actions[: len(history)] = history
                state.actions[len(history) :] = 0
                state.count = len(history)
            state.luck[0] = random_bits(rng)

    def view(self, state: Any, player: int) -> Any:
        return _hashed(self.spiel_state(state).information_state_string(player))

    def seen(self, state: Any, move: Any, player: int) -> Any:
        """What the player knows after the move: all that the move may have shown him."""
        if not self.hidden:
            return super().seen(state, move, player)
        after = np.array([state], self.state_type)
        self.play(after[0], move)
        return self.view(after[0], player)

    def key(self, state: Any) -> Any:
        if not (self.hidden or self.chance):
            return super().key(state)
        return _hashed(state.actions[: state.count].tobytes())

    # the rules

    def moves(self, state: Any, moves: Any) -> int:
        legal: list[int] = self.spiel_state(state).legal_actions()
        moves["action"][: len(legal)] = legal
        return len(legal)

    def play(self, state: Any, move: Any) -> None:
        state.actions[state.count] = move.action
        state.count += 1
        self._draw_chance(state)

    def turn(self, state: Any) -> int:
        return max(int(self.spiel_state(state).current_player()), 0)

    def reward(self, state: Any, player: int) -> float:
        return (float(self.spiel_state(state).returns()[player]) - self.low) / self.range

    def code(self, state: Any, move: Any) -> Any:
        return np.uint64(int(move.action) + self.actions * self.turn(state))

    # what a person reads and writes

    def move_text(self, state: Any, move: Any) -> str:
        return self.action_text(self.spiel_state(state), int(move.action))

    def action_text(self, now: Any, action: int) -> str:
        """What OpenSpiel calls an action in one of its states."""
        return " ".join(str(now.action_to_string(now.current_player(), action)).split())

    def position_text(self, state: Any) -> str:
        """The numbers of the actions so far, `start` if there are none."""
        return " ".join(map(str, state.actions[: state.count].tolist())) or "start"

    def read_position(self, text: str) -> np.ndarray:
        words = [] if text.strip() in ("", "start") else text.replace(",", " ").split()
        states = self.root()
        now = self.spiel.new_initial_state()
        for number, word in enumerate(words, 1):
            if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) not in now.legal_actions():
                raise DataError(
                    f"{text[:60]!r} is no position: {word[:20]!r}, number {number}, is no legal "
                    "action there; give the numbers of the actions, or 'start'"
                )
            now.apply_action(int(word))
            states[0].actions[number - 1] = int(word)
        states[0].count = len(words)
        return states

    def render_for(self, state: Any, player: int) -> str:
        if not self.hidden:
            return ""
        return str(self.spiel_state(state).information_state_string(player)).rstrip()

    def render(self, state: Any) -> str:
        now = self.spiel_state(state)
        board = str(now).rstrip()
        if now.is_terminal():
            return f"{board}\nthe end: {', '.join(f'{x:g}' for x in now.returns())}"
        return f"{board}\nplayer {now.current_player() + 1} to move"


def _hashed(what: str | bytes) -> Any:
    content = what.encode() if isinstance(what, str) else what
    return np.uint64(int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little"))


def load_spiel(text: str) -> Any:
    """OpenSpiel's game of a name, such as `hex(board_size=5)`."""
    name = text.partition("(")[0].strip()
    names = [kind.short_name for kind in pyspiel.registered_games()]
    if name not in names:
        raise OptionError(f"OpenSpiel has no game {name!r}; {nearest(name, names)}")
    try:
        with silent_stderr():  # it writes what it raises as well
            return pyspiel.load_game(text)
    except (pyspiel.SpielError, RuntimeError, ValueError, MemoryError, OverflowError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else "it cannot be made"
        raise OptionError(f"OpenSpiel's {text}: {reason[:200]}") from None
