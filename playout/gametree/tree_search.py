"""A tree search as options: its parts by name or as objects, and what they share.

On the command line a search is NAME[:OPTION=VALUE,...]. NAME is a tree policy (`uct` is UCB1); an
option belongs to the search or to one of its parts, whichever has it: `grave:bias=1e-5,ref=100`,
`uct:playout=mast,epsilon=0.2`, `uct:backup=mixmax,mix=0.25`. A part of one's own is
`file.py:Class`.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from playout.contract import Game
from playout.errors import OptionError, nearest
from playout.gametree import (
    BACKUPS,
    PARALLEL_SCHEMES,
    PLAYOUT_POLICIES,
    TREE_POLICIES,
    WORLD_SEARCHES,
)
from playout.gametree.backups import Mean
from playout.gametree.parts import Backup, Part, PlayoutPolicy, TreePolicy
from playout.gametree.playout_policies.uniform import Uniform
from playout.gametree.tree_arrays import TREE, UCT1, UCT2, UCT3
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, class_options, one_of, option, parse_values
from playout.text.registry import Registry
from playout.text.user_files import is_user_file

if TYPE_CHECKING:
    from playout.gametree.parallel_schemes import Team
    from playout.gametree.tree_session import TreeSession

GRAPHS = {"tree": TREE, "uct1": UCT1, "uct2": UCT2, "uct3": UCT3}


@dataclass(frozen=True, kw_only=True)
class TreeOptions(Options):
    """The options that every tree search has, whatever its parts."""

    name: ClassVar[str] = "tree search"

    solver: bool = option(False, "prove wins and losses (MCTS-solver)")
    graph: str = one_of(
        "positions met again: apart, or merged with UCT1, UCT2 or UCT3 statistics", *GRAPHS
    )
    symmetry: bool = option(False, "merge symmetric positions; needs a graph")
    choice: str = one_of(
        "the move to play: most visited, best mean, or best lower bound", "visits", "mean", "secure"
    )
    joint: str = one_of(
        "moves at the same time: apart (decoupled UCT), or as if the later saw the earlier",
        "decoupled",
        "sequential",
    )
    keep: bool = option(True, "keep the tree below the move played for the next search")
    nodes: int = option(1_000_000, "most nodes; a full tree grows no further", low=2)
    parallel: str = one_of(
        "how several workers share a search", "tree", "root", "leaf", "slow-tree", "lanes"
    )
    loss: float = option(1.0, "virtual loss of a simulation under way", low=0)
    general_loss: bool = option(False, "virtual loss relative to the value, for any rewards")
    levels: int = option(1, "slow-tree: levels of moves that workers share", low=0, high=3)
    interval: int = option(100, "slow-tree: simulations of each worker between two meetings", low=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.symmetry and self.graph == "tree":
            raise OptionError("symmetry merges positions: give graph=uct1, uct2 or uct3 with it")
        if self.parallel == "slow-tree" and self.graph != "uct3":
            raise OptionError("slow-tree combines UCT3 values: give graph=uct3 with it")


class TreeSearch:
    """A tree search made of parts.

    Parameters
    ----------
    policy : TreePolicy, or the name of one
        Chooses among the moves inside the tree.
    playout : PlayoutPolicy, or the name of one
        Plays on from there to the end.
    backup : Backup, or the name of one
        What a move is worth, from the rewards of its simulations.
    options
        See `TreeOptions`. `parallel` may also be a class of one's own, a
        `parallel_schemes.Team`.

    Examples
    --------
    >>> TreeSearch("grave", solver=True).text
    'grave:solver=true'
    >>> from playout.gametree.tree_policies import UCB1
    >>> TreeSearch(UCB1(C=0.5), "mast").text
    'uct:C=0.5,playout=mast'
    """

    def __init__(
        self,
        policy: TreePolicy | str = "uct",
        playout: PlayoutPolicy | str = "uniform",
        backup: Backup | str = "mean",
        **options: Any,
    ) -> None:
        self.policy: TreePolicy = as_part(policy, TREE_POLICIES, TreePolicy, "UCB1(C=0.7)")
        self.playout: PlayoutPolicy = as_part(playout, PLAYOUT_POLICIES, PlayoutPolicy, "Uniform()")
        self.backup: Backup = as_part(backup, BACKUPS, Backup, "MixMax(mix=0.25)")
        self.team = _own_team(options.get("parallel", ""))
        if self.team:
            del options["parallel"]
        self.options = TreeOptions(**options)
        if self.options.parallel == "slow-tree" and type(self.backup) is not Mean:
            raise OptionError("slow-tree combines means: leave backup out")
        given = dict(self.policy.given)
        if type(self.playout) is not Uniform:
            given |= {"playout": _name_of(self.playout), **self.playout.given}
        if type(self.backup) is not Mean:
            given |= {"backup": _name_of(self.backup), **self.backup.given}
        given |= {name: getattr(self.options, name) for name in options}
        if self.team:
            given["parallel"] = self.team.__name__
        self.text = named_text(_name_of(self.policy), given)

    @classmethod
    def parse(cls, text: str) -> TreeSearch:
        """A search from NAME[:OPTION=VALUE,...]."""
        named = parse_named(text, TREE_POLICIES)
        if named.name not in TREE_POLICIES:
            hint = nearest(named.name, TREE_POLICIES)
            raise OptionError(f"there is no tree search {named.name!r}; {hint}")
        given = dict(named.options)
        classes = {
            "backup": BACKUPS.find(given.pop("backup", "mean")),
            "playout": PLAYOUT_POLICIES.find(given.pop("playout", "uniform")),
            "policy": TREE_POLICIES.find(given.pop("policy", named.name)),
        }
        scheme = given.get("parallel")
        own = {"parallel": given.pop("parallel")} if scheme and _own_team(scheme) else {}
        parts, options = parts_from_text(text, classes, TreeOptions, given)
        search = cls(**parts, **own, **options)
        search.text = text
        return search

    def new_playout(self) -> PlayoutPolicy:
        """A playout policy that has learnt nothing, for one thread."""
        return copy.deepcopy(self.playout)

    def session(self, game: Game, **settings: Any) -> TreeSession:
        """The search at work on a game; `seed`, `workers` and `compiled` as for `search`."""
        from playout.gametree.tree_session import TreeSession

        return TreeSession(game, self, **settings)

    def __repr__(self) -> str:
        return f"TreeSearch({self.text})"


def parts_from_text(
    text: str, classes: dict[str, type[Part]], options: type[Options], given: dict[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parts of some classes and options of a search from NAME=VALUE texts.

    An option belongs to the search or to one of its parts, whichever has it; `text` is where it
    stands, for the errors.
    """
    owners = {name: part for part, found in classes.items() for name in class_options(found)}
    owners |= dict.fromkeys(options.declared(), "search")
    values: dict[str, dict[str, str]] = {part: {} for part in ("search", *classes)}
    for name, value in given.items():
        if name not in owners:
            hint = nearest(name, [*owners, *classes])
            raise OptionError(f"{text}: there is no option {name!r}; {hint}")
        values[owners[name]][name] = value
    chosen = values.pop("search")
    checked = options.from_text(chosen)
    try:
        parts = {
            part: found(**parse_values(part, class_options(found), values[part]))
            for part, found in classes.items()
        }
    except OptionError as error:
        raise OptionError(f"{text}: {error}") from None
    return parts, {name: getattr(checked, name) for name in chosen}


def as_search(algorithm: Any) -> Any:
    """A tree search or a search over worlds, given as such or as text.

    It has `text`, which names it, and `session(game, seed=..., workers=..., compiled=...)`, which
    is it at work.
    """
    if isinstance(algorithm, str):
        name = algorithm.partition(":")[0].strip()
        if name in WORLD_SEARCHES:
            return WORLD_SEARCHES[name].parse(algorithm)
    return algorithm if hasattr(algorithm, "session") else as_tree_search(algorithm)


def as_tree_search(algorithm: Any) -> TreeSearch:
    """A tree search that is given as such, as text, or as an algorithm for problems.

    Of an algorithm of the same name the options are taken that a tree search has too.

    >>> from playout.algorithms.uct import UCT
    >>> as_tree_search(UCT(C=0.5))
    TreeSearch(uct:C=0.5,nodes=200000)
    """
    if isinstance(algorithm, TreeSearch):
        return algorithm
    if isinstance(algorithm, Options) and algorithm.name in TREE_POLICIES:
        known = {*class_options(TREE_POLICIES[algorithm.name]), *TreeOptions.declared()}
        declared, chosen = algorithm.declared(), {}
        for name, value in algorithm.options().items():
            if name in known:
                chosen[name] = value
            elif value != declared[name].default:
                raise OptionError(f"{name}={value!r}: a search of a game has no such option")
        algorithm = named_text(algorithm.name, chosen)
    if isinstance(algorithm, str):
        return TreeSearch.parse(algorithm)
    raise OptionError(f"{algorithm!r} is no tree search: give one such as TreeSearch('uct')")


def as_part(given: Any, known: Registry, base: type, example: str) -> Any:
    """A part: made of its name, or as it is given."""
    part = known.find(given)() if isinstance(given, str) else given
    if not isinstance(part, base):
        raise OptionError(f"{given!r} is no {known.what}: give one such as {example}")
    return part


def _own_team(scheme: Any) -> type[Team] | None:
    """The parallel scheme that is a class of one's own, or `file.py:Class`; None: a built-in."""
    from playout.gametree.parallel_schemes import Team

    if isinstance(scheme, str) and is_user_file(scheme):
        found: type[Team] = PARALLEL_SCHEMES.find(scheme)
        return found
    return scheme if isinstance(scheme, type) and issubclass(scheme, Team) else None


def _name_of(part: Part) -> str:
    return "uct" if part.name == "ucb1" else part.name or type(part).__name__
