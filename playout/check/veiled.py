"""The part of `check_problem` that looks at what a player does not know, in plain Python.

At positions of random games the worlds that `redraw` draws are held against the promises: the
player cannot tell them from the position, they do not depend on what he cannot see, they vary, and
the game could have come there.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.check.outcomes import Outcomes, outcome_of
from playout.check.values import difference
from playout.compiled.records import bytes_of, copy_of
from playout.contract import Game, Problem

if TYPE_CHECKING:
    from playout.check.plain import PlainGames
    from playout.check.trace import Findings, Trace

LOOK_GAMES, ALL_EYES_GAMES = 8, 2  # in which worlds are drawn, and for all players
MOST_MOVES = 6  # of a position that are played in a world too
WORLDS_GAMES = 4  # in which all worlds of a position are looked for, where they are few
FEW_WORLDS = 16
DRAWS_FOR_EACH = 20  # so that none of a few worlds is missed
_OUTCOMES = ("outcome", "better", "worth")


class Veil:
    """Looks at positions for the games of `PlainGames`."""

    def __init__(self, plain: PlainGames) -> None:
        self.plain = plain
        self.problem: Any = plain.problem
        self.on = bool(self.problem.hidden or self.problem.chance)
        self._own_outcomes = bool(self.problem.chance) or owns(self.problem, *_OUTCOMES)
        self._varied: set[int] = set()  # the players for whom something was drawn anew
        self._looked: set[int] = set()
        self._told_more = False
        self._legal: dict[tuple[int, int], tuple[bytes, str]] = {}  # by player and view
        self._outcomes = Outcomes(plain)

    def start(self, game: int) -> np.ndarray:
        """The start of a game: the first as `reset` has it, the others dealt and drawn."""
        states = self.problem.new_states(1)
        rng = self._rng(game, 0, 0)
        if self.problem.hidden:
            self.plain.call("draw", states[0], rng)
        else:
            self.plain.call("reset", states[0])
        if self.problem.chance:
            self.plain.call("redraw", states[0], 0, rng)
        return states

    def look(self, states: np.ndarray, legal: np.ndarray, trace: Trace) -> None:
        """Check one position, whose legal moves these are."""
        if self.on and trace.number <= LOOK_GAMES:
            ply = len(trace.counts) - 1
            for player in self._players(states, len(legal), trace.number):
                self._look_for(states, legal, player, (trace.number, ply))
        if self._own_outcomes:
            self._outcomes.note(states)

    def _players(self, states: np.ndarray, count: int, game: int) -> list[int]:
        """Whose eyes a position is looked at with: all players', later who is on turn."""
        if game <= ALL_EYES_GAMES or count == 0:
            return list(range(self.problem.players))
        return [int(self.plain.call("turn", states[0], keep=states))]

    def look_back(self, trace: Trace) -> None:
        """Check a whole game: every world must be one that the game could have come to."""
        if not self.on or self.problem.chance or trace.number > WORLDS_GAMES:
            return
        player = trace.number % self.problem.players
        for ply in range(1, len(trace.states)):
            self._look_back_at(trace, ply, player)

    def end(self) -> None:
        """Check what all games together have shown."""
        still = sorted(self._looked - self._varied)
        if still:
            self.plain.add(
                "redraw() always draws the same",
                f"at no position did it draw two worlds for player {still[0] + 1}; it should draw "
                "anew, from rng, all that the player cannot know, luck to come included",
            )
        if self.on and self.problem.hidden:
            starts = {self.start(game).tobytes() for game in range(1, 21)}
            if len(starts) == 1:
                self.plain.add(
                    "draw() deals the same each time",
                    "20 streams of random numbers gave one start; write draw(state, rng), which "
                    "deals from rng",
                )
            elif not self.plain.findings:
                self._check_starts()
        self._outcomes.check()

    def _check_starts(self) -> None:
        """What is drawn at a start could have been dealt, where there are few deals."""
        deals: dict[bytes, np.ndarray] = {}
        for number in range(FEW_WORLDS * DRAWS_FOR_EACH):
            states = self.start(number)
            deals.setdefault(states.tobytes(), states)
            if len(deals) > FEW_WORLDS:
                return
        for states, player in product(deals.values(), range(self.problem.players)):
            for number in range(DRAWS_FOR_EACH):
                world = self._world(states, player, (0, 0), number)
                if world.tobytes() not in deals:
                    self.plain.add(
                        "redraw() draws worlds that cannot be",
                        f"at the start it drew for player {player + 1} what draw() never deals, "
                        f"where {difference(states, world)}",
                    )
                    return

    # worlds

    def _look_for(
        self, states: np.ndarray, legal: np.ndarray, player: int, at: tuple[int, int]
    ) -> None:
        """Check what is drawn for a player at a position."""
        world = self._world(states, player, at, 1)
        self._must_be(
            world,
            self._world(states, player, at, 1),
            "redraw() is not the same each time",
            "with the same rng for the same state {}; chance comes from rng alone",
        )
        self._check_rules(states, legal, world, player)
        if self.problem.hidden:
            self._check_view(states, legal, world, player)
        else:
            self._check_open(states, world, player)
        other = self._another(states, player, at, world)
        self._must_be(
            world,
            self._world(other, player, at, 1),
            "redraw() leaks what is hidden",
            f"from two states that player {player + 1} cannot tell apart the same rng drew "
            "different worlds: {}; the world may depend on what he sees and on rng, on nothing "
            "else. A shuffle begins with what it finds: put what is hidden into a fixed order "
            "first",
        )
        self._looked.add(player)
        if other.tobytes() != world.tobytes():
            self._varied.add(player)
        if self.problem.hidden:
            self._check_moves_seen(states, legal, world, player)

    def _must_be(self, world: np.ndarray, drawn: np.ndarray, title: str, said: str) -> None:
        """Refuse a drawn world that differs; what is said has a place for the difference."""
        if drawn.tobytes() != world.tobytes():
            self.plain.stop(title, said.format(difference(world, drawn)))

    def _check_rules(
        self, states: np.ndarray, legal: np.ndarray, world: np.ndarray, player: int
    ) -> None:
        """A world has the same player on turn, and the same legal moves if that is this one."""
        there = self.problem.new_moves()
        n = int(self.plain.call("moves", world[0], there, keep=world))
        if (n == 0) != (len(legal) == 0):
            self.plain.stop(
                "redraw() changes whether the game is over",
                f"drawn for player {player + 1}, moves() returns {n} in place of {len(legal)}",
            )
        if n == 0:
            return
        turn = int(self.plain.call("turn", states[0], keep=states))
        now = int(self.plain.call("turn", world[0], keep=world))
        if now != turn:
            self.plain.stop(
                "redraw() changes whose turn it is",
                f"drawn for player {player + 1}, turn() is {now} in place of {turn}",
            )
        if turn == player and sorted(map(bytes_of, there[:n])) != sorted(map(bytes_of, legal)):
            self.plain.stop(
                "redraw() changes the legal moves",
                f"player {player + 1} is on turn and has {len(legal)} moves, but {n} in a world "
                "drawn for him, or others: what he may do must follow from what he sees",
            )

    def _check_view(
        self, states: np.ndarray, legal: np.ndarray, world: np.ndarray, player: int
    ) -> None:
        view = self.plain.integer("view", states, player)
        there = self.plain.integer("view", world, player)
        if view != there:
            self.plain.stop(
                "redraw() changes what the player sees",
                f"view() of player {player + 1} is another in the world that was drawn for him, "
                f"where {difference(states, world)}; redraw() must leave what he sees, and view() "
                "must be of that alone",
            )
        if len(legal) and int(self.plain.call("turn", states[0], keep=states)) == player:
            own = b"".join(sorted(map(bytes_of, legal)))
            known, where = self._legal.setdefault((player, view), (own, self.plain.where))
            if known != own:
                self.plain.stop(
                    "view() is equal for states that can be told apart",
                    f"player {player + 1} has other legal moves than in {where}, where view() was "
                    "the same",
                )

    def _check_open(self, states: np.ndarray, world: np.ndarray, player: int) -> None:
        """Where luck alone is hidden, a world has come to the same and looks the same."""
        now, then = (outcome_of(self.plain, each, player) for each in (states, world))
        if now.tobytes() != then.tobytes():
            self.plain.stop(
                "redraw() changes what has come about",
                f"outcome() of player {player + 1} is {now[0]}, and {then[0]} in the world that "
                f"was drawn for him, where {difference(states, world)}; redraw() must leave all "
                "but the luck to come, or the class says hidden = True",
            )
        if owns(self.problem, "render"):
            shown_now, shown_then = (
                self.plain.call("render", each[0], keep=each) for each in (states, world)
            )
            if shown_now != shown_then:
                self.plain.findings.note(
                    "render() shows what redraw() draws anew: it should not show luck to come, or "
                    "redraw() should leave what is no luck"
                )

    def _check_moves_seen(
        self, states: np.ndarray, legal: np.ndarray, world: np.ndarray, player: int
    ) -> None:
        """A move that looks the same leaves states alike that looked alike."""
        if self.problem.chance or self._told_more:  # luck may show different things in two worlds
            return
        view = self.plain.integer("view", states, player)
        turn = self.plain.call("turn", states[0], keep=states) if len(legal) else -1
        there = self.problem.legal_moves(world[0])
        names = {self.plain.integer("seen", world, move, player): move for move in there}
        for move in legal[:MOST_MOVES]:
            name = self.plain.integer("seen", states, move, player)
            if name not in names:
                continue
            after, later = states.copy(), world.copy()
            self.plain.call("play", after[0], copy_of(move))
            self.plain.call("play", later[0], copy_of(names[name]))
            if turn == player and self.plain.integer("view", after, player) == view:
                self.plain.findings.note(
                    "view() is the same before and after a move of one's own: it should be of all "
                    "that the player knows, what was played included"
                )
            if self.plain.integer("view", after, player) != self.plain.integer(
                "view", later, player
            ):
                self._told_more = True  # once is enough
                self.plain.findings.note(
                    f"play() shows a player more than seen() says ({self.plain.where}): after the "
                    f"move {move} player {player + 1} can tell states apart that he could not "
                    f"before, where {difference(after, later)}; searches over what is seen take "
                    "them for one, unless seen() names what the move shows him besides"
                )
                return

    def _look_back_at(self, trace: Trace, ply: int, player: int) -> None:
        """The worlds of a position are those of the one before in which the move was legal."""
        states, move = trace.states[ply - 1], trace.chosen[ply - 1]
        before = self._all_worlds(states, player, (trace.number, ply - 1))
        if before is None:
            return
        name = self.plain.integer("seen", states, move[0], player)
        possible = set()
        for world in before.values():
            for other in self.problem.legal_moves(world[0]):
                if self.plain.integer("seen", world, other, player) == name:
                    after = world.copy()
                    self.plain.call("play", after[0], copy_of(other))
                    possible.add(after.tobytes())
        now = self._all_worlds(trace.states[ply], player, (trace.number, ply))
        if now is None or not possible:
            return
        for world in now.values():
            if world.tobytes() not in possible:
                self.plain.where = f"game {trace.number}, move {ply}"
                self.plain.stop(
                    "redraw() draws worlds that cannot be",
                    f"after the move {move[0]} a world was drawn for player {player + 1} in "
                    "which that could not have been played, or the play before: "
                    f"{difference(trace.states[ply], world)}; the state should keep what play has "
                    "shown, such as a suit that was not followed",
                )
        if missing := len(possible - now.keys()):
            self.plain.findings.note(
                f"redraw() never draws {missing} of {len(possible)} worlds that fit (game "
                f"{trace.number}, move {ply + 1}, player {player + 1})"
            )

    def _all_worlds(
        self, states: np.ndarray, player: int, at: tuple[int, int]
    ) -> dict[bytes, np.ndarray] | None:
        """All worlds of a position, if they are few."""
        found: dict[bytes, np.ndarray] = {}
        draws = 0
        while draws < DRAWS_FOR_EACH * (1 + len(found)):
            world = self._world(states, player, at, 10 + draws)
            found.setdefault(world.tobytes(), world)
            draws += 1
            if len(found) > FEW_WORLDS:
                return None
        return found

    def _another(
        self, states: np.ndarray, player: int, at: tuple[int, int], world: np.ndarray
    ) -> np.ndarray:
        """A second world; one that differs, if few do and none has for this player so far."""
        other = self._world(states, player, at, 2)
        for number in range(10, 10 + DRAWS_FOR_EACH):
            if player in self._varied or other.tobytes() != world.tobytes():
                break
            other = self._world(states, player, at, number)
        return other

    def _world(
        self, states: np.ndarray, player: int, at: tuple[int, int], number: int
    ) -> np.ndarray:
        world = states.copy()
        self.plain.call("redraw", world[0], player, self._rng(*at, number))
        return world

    def _rng(self, game: int, ply: int, number: int) -> np.ndarray:
        return np.random.SeedSequence([game, ply, number]).generate_state(1, np.uint64)


def check_veil(problem: Any, findings: Findings) -> None:
    """Whether the class has the methods that its declarations ask for."""
    name = type(problem).__name__
    for attribute, method, what in (
        ("hidden", "redraw", "draws anew all that the player cannot know"),
        ("hidden", "view", "names what the player knows"),
        ("hidden", "draw", "deals"),
        ("chance", "redraw", "draws the luck to come anew"),
    ):
        if getattr(problem, attribute) and not owns(problem, method):
            findings.add(
                f"{method}() is missing",
                f"{name}.{attribute} is True, which needs a {method}() that {what}",
            )
    if owns(problem, "redraw") and not (problem.hidden or problem.chance):
        findings.note("redraw() is never called: neither chance nor hidden is True")


def check_teams(plain: PlainGames, rewards: list[float]) -> None:
    """Whether all of a team get the same."""
    teams = plain.problem.teams
    if not teams or isinstance(plain.problem, Problem):
        return
    for player, team in enumerate(teams):
        first = teams.index(team)
        if rewards[player] != rewards[first]:
            plain.add(
                "reward() differs within a team",
                f"players {first + 1} and {player + 1} are of team {team} and get "
                f"{rewards[first]!r} and {rewards[player]!r}",
            )


def owns(problem: Any, *names: str) -> bool:
    """Whether the class has a method of its own for any of these."""
    return any(getattr(type(problem), name) is not getattr(Game, name) for name in names)
