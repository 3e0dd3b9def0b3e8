"""A game server for local matches: players by their addresses, clocks, and what goes wrong.

Who answers too late, or with no legal move, gets a random legal one, and it is counted.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playout.errors import DataError, OptionError
from playout.ggp.game import GDLGame
from playout.ggp.kif import Term, expressions, term_text

RANDOM = "random"  # in place of an address: moves at random, here
GRACE = 1.0  # seconds beyond a clock


@dataclass
class ServedMatch:
    """What came of a match: goals from 0 to 100, joint moves, and by role what went wrong."""

    roles: list[str]
    players: list[str]
    goals: list[int]
    moves: list[list[str]] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    illegal: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{len(self.moves)} steps"]
        for role, player, goal, late, illegal in zip(
            self.roles, self.players, self.goals, self.late, self.illegal, strict=True
        ):
            wrong = [f"{n} {what}" for n, what in ((late, "late"), (illegal, "illegal")) if n]
            lines.append(
                f"{role:12} {goal:3}  {player}" + (f"  ({', '.join(wrong)})" if wrong else "")
            )
        return "\n".join(lines)


class GameServer:
    """Plays matches of a game between players at addresses.

    Parameters
    ----------
    game : GDLGame
    rules : str
        The rulesheet's text.
    players : sequence of str
        An address for each role, in the order of the rulesheet, or `random`.
    start, play : float
        The clocks, in seconds.
    """

    def __init__(
        self, game: GDLGame, rules: str, players: Sequence[str], start: float, play: float
    ) -> None:
        if len(players) != game.roles:
            roles = ", ".join(game.role_names)
            raise OptionError(f"{len(players)} players for {game.roles} roles: {roles}")
        for player in players:
            if player != RANDOM and not player.startswith(("http://", "https://")):
                raise OptionError(f"{player}: an address such as http://127.0.0.1:9147, or random")
        self.game, self.players = game, list(players)
        self.start, self.play = start, play
        terms = [term_text(term) for term, _ in expressions(rules, game.source)]
        self.rules = "( " + " ".join(terms) + " )"

    def run(self, match: str, seed: int, note: Callable[[str], None]) -> ServedMatch:
        """Play one match."""
        game, chance = self.game, random.Random(seed)
        found = ServedMatch(
            game.role_names, self.players, [], late=[0] * game.roles, illegal=[0] * game.roles
        )
        messages = [
            f"( START {match} {role} {self.rules} {self.start:g} {self.play:g} )"
            for role in game.role_names
        ]
        for role, answer in enumerate(self._ask(messages, self.start)):
            if self.players[role] != RANDOM and answer != "ready":
                note(f"{game.role_names[role]} is not ready: {answer!r}")
        states = game.root()
        said = "nil"
        while not game.is_over(states[0]):
            messages = [f"( PLAY {match} {said} )"] * game.roles
            joint: list[Term] = []
            for role, answer in enumerate(self._ask(messages, self.play)):
                legal = game.role_moves(states[0], role)
                joint.append(self._legal(found, role, answer, legal, chance))
            game.play_joint(states[0], joint)
            texts = [term_text(move) for move in joint]
            found.moves.append(texts)
            said = f"( {' '.join(texts)} )"
            note(f"{len(found.moves):4}  {' | '.join(texts)}")
        self._ask([f"( STOP {match} {said} )"] * game.roles, self.play)
        found.goals.extend(round(100 * goal) for goal in game.final_rewards(states[0]))
        return found

    def _ask(self, messages: list[str], clock: float) -> list[str | None]:
        """The answers of all players, asked at the same time; None for who is late.

        Nobody waits longer for a player who answers a letter at a time, nor at Ctrl-C.
        """
        answers: list[str | None] = [None] * len(messages)

        def ask(role: int) -> None:
            answers[role] = _post(self.players[role], messages[role], clock + GRACE)

        threads = [
            threading.Thread(target=ask, args=(role,), daemon=True) for role in range(len(messages))
        ]
        end = time.monotonic() + clock + GRACE
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        return list(answers)

    def _legal(
        self, found: ServedMatch, role: int, answer: str | None, legal: list[Term], chance: Any
    ) -> Term:
        """The move that a player answered; if it is none, a random one."""
        if self.players[role] != RANDOM:
            if answer is None:
                found.late[role] += 1
            else:
                try:
                    (move,) = (term for term, _ in expressions(f"({answer})", "the answer"))
                    if len(move) == 1 and move[0] in legal:
                        return move[0]
                except (DataError, ValueError):
                    pass
                found.illegal[role] += 1
        return legal[chance.randrange(len(legal))]


def _post(address: str, message: str, seconds: float) -> str | None:
    """What a player answers within some seconds; None if nothing."""
    if address == RANDOM:
        return None
    request = urllib.request.Request(
        address, message.encode(), {"Content-Type": "text/acl", "Sender": "playout"}
    )
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            text: str = answer.read(1 << 16).decode("utf-8", "replace")
            return text.strip().lower()
    except urllib.error.HTTPError as error:
        return f"error {error.code}"
    except (OSError, http.client.HTTPException, ValueError):
        return None
