"""A search over worlds as options: a name, its parts, and what they share.

On the command line it is NAME[:OPTION=VALUE,...], such as `openloop:C=0.25,length=5`, `mixmax`,
`ordinal:length=5`, `ismcts:observers=many,playout=mast`, `ismcts:policy=ucb1tuned`. A name stands
for parts: `openloop` is the policy `ucb`, `mixmax` the same with another backup, `ordinal` the same
with `ordered=true`, `ismcts` the policy `ucb1`.
"""

from __future__ import annotations

import copy
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from playout.contract import Game, Problem
from playout.contract.veiled import is_veiled
from playout.errors import OptionError, ProblemError
from playout.gametree import BACKUPS, PLAYOUT_POLICIES, WORLD_SEARCHES
from playout.gametree.parts import Backup, PlayoutPolicy
from playout.gametree.tree_search import as_part, parts_from_text
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, class_options, one_of, option
from playout.worlds import WORLD_POLICIES
from playout.worlds.policies import WorldPolicy

if TYPE_CHECKING:
    from playout.worlds.world_session import WorldSession


@dataclass(frozen=True, kw_only=True)
class WorldOptions(Options):
    """The options that every search over worlds has."""

    name: ClassVar[str] = "search over worlds"

    length: int = option(0, "most moves of a playout; 0: to the end of the game", low=0)
    horizon: int = option(
        0, "most moves of a simulation, in the tree and its playout; 0: no limit", low=0
    )
    observers: str = one_of(
        "one tree for the player who decides, or one for each player", "one", "many"
    )
    choice: str = one_of("the move to play: most visited, or best value", "visits", "mean")
    keep: bool = option(False, "keep the tree below the move played for the next search")
    nodes: int = option(1_000_000, "most nodes; a full tree grows no further", low=2)


class OverWorlds:
    """What every search over worlds has, whatever it does at a node."""

    text: str
    options: Any
    playout: PlayoutPolicy
    ordered = False  # whether the value of a move is its Borda score

    def new_playout(self) -> PlayoutPolicy:
        """A playout policy that has learnt nothing, for one tree."""
        return copy.deepcopy(self.playout)

    def check(self, game: Game) -> None:
        """Refuse a game that the search cannot search."""
        name = type(game).__name__
        if game.simultaneous and not game.hidden:
            raise OptionError(
                f"{self.text}: the players of {name} move at the same time: use a tree search such "
                "as uct"
            )
        if is_veiled(game) and type(game).redraw is Game.redraw:
            says = "hidden" if game.hidden else "chance"
            raise ProblemError(
                f"{name}.{says} is True, which needs redraw(self, state, player, rng): without it "
                f"{self.text} would know what the player cannot"
            )
        if itself := _beside_itself(game):
            raise ProblemError(f"{name}.better(a, a) is {itself}: it should be 0")
        own = type(game).outcome is not Game.outcome
        if isinstance(game, Problem) and game.sense == "min" and own:
            raise OptionError(
                f"{self.text}: the score of outcome() is to be high, and {name} has costs (sense = "
                "'min'): leave outcome() out, or let score() be minus the cost"
            )
        if getattr(game, "evaluate", None) is not None:
            raise OptionError(
                f"{self.text}: {name} is scored in plain Python (evaluate), and an outcome is "
                "asked for in every simulation: write outcome() or score()"
            )
        self.new_playout().prepare(game, 0)

    def session(self, game: Game, **settings: Any) -> WorldSession:
        """The search at work on a game; `seed`, `workers` and `compiled` as for a tree search."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text})"


class WorldSearch(OverWorlds):
    """A search over worlds made of parts.

    Parameters
    ----------
    name : str
        `openloop`, `mixmax`, `ordinal` or `ismcts`: what the parts are unless they are given.
    policy : WorldPolicy, or the name of one
        Chooses among the moves inside the tree.
    playout : PlayoutPolicy, or the name of one
        Plays on from there.
    backup : Backup, or the name of one
        What a move is worth, from the rewards of its simulations; of no use to `ordinal`.
    options
        See `WorldOptions`.

    Examples
    --------
    >>> WorldSearch("ordinal", length=5).text
    'ordinal:length=5'
    >>> WorldSearch.parse("ismcts:observers=many,C=1").policy.C
    1.0
    """

    def __init__(
        self,
        name: str = "openloop",
        policy: WorldPolicy | str | None = None,
        playout: PlayoutPolicy | str = "uniform",
        backup: Backup | str | None = None,
        **options: Any,
    ) -> None:
        usual = _parts_of(name)
        self.policy: WorldPolicy = as_part(
            usual[0] if policy is None else policy, WORLD_POLICIES, WorldPolicy, "UCB(C=0.25)"
        )
        self.playout: PlayoutPolicy = as_part(playout, PLAYOUT_POLICIES, PlayoutPolicy, "Uniform()")
        self.backup: Backup = as_part(
            usual[1] if backup is None else backup, BACKUPS, Backup, "MixMax(mix=0.25)"
        )
        self.ordered = bool(self.policy.wants_order())
        self.options = WorldOptions(**options)
        given: dict[str, Any] = {}
        for role, part, default in (
            ("policy", policy, None),
            ("playout", playout, "uniform"),
            ("backup", backup, None),
        ):
            if part != default:
                made = getattr(self, role)
                given |= {role: made.name or type(made).__name__, **made.given}
        given |= {key: getattr(self.options, key) for key in options}
        self.text = named_text(name, given)

    @classmethod
    def parse(cls, text: str) -> WorldSearch:
        """A search from NAME[:OPTION=VALUE,...]."""
        named = parse_named(text, WORLD_SEARCHES)
        given, usual = dict(named.options), dict(_entry(named.name))
        classes = {
            "policy": WORLD_POLICIES.find(given.pop("policy", usual.pop("policy"))),
            "playout": PLAYOUT_POLICIES.find(given.pop("playout", "uniform")),
            "backup": BACKUPS.find(given.pop("backup", usual.pop("backup", "mean"))),
        }
        known = {key for found in classes.values() for key in class_options(found)}
        usual = {key: value for key, value in usual.items() if key in known}
        parts, options = parts_from_text(text, classes, WorldOptions, usual | given)
        search = cls(named.name, **parts, **options)
        search.text = named.text
        return search

    def session(self, game: Game, **settings: Any) -> WorldSession:
        from playout.worlds.world_session import WorldSession

        return WorldSession(game, self, **settings)


def _beside_itself(game: Game) -> Any:
    """What the game's own order says of an outcome and the same outcome."""
    if type(game).better is Game.better:
        return 0
    out = np.zeros(1, game.outcome_type)[0]
    with suppress(Exception):  # zeros may be no outcome of this game
        return game.better(out, out)


def _entry(name: str) -> dict[str, str]:
    """What a name stands for."""
    if name not in WORLD_SEARCHES:
        raise WORLD_SEARCHES.unknown(name)
    return dict(WORLD_SEARCHES.entry(name).options)


def _parts_of(name: str) -> tuple[WorldPolicy, Backup]:
    """The policy and the backup that a name stands for."""
    usual = _entry(name)
    classes = {
        "policy": WORLD_POLICIES[usual.pop("policy")],
        "backup": BACKUPS[usual.pop("backup", "mean")],
    }
    parts, _ = parts_from_text(name, classes, WorldOptions, usual)
    return parts["policy"], parts["backup"]
