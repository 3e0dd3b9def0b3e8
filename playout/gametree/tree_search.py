"""A tree search as options: its parts by name or as objects, and what they share.

On the command line a search is NAME[:OPTION=VALUE,...]. NAME is a tree policy (`uct` is UCB1); an
option belongs to the search or to one of its parts, whichever has it: `grave:bias=1e-5,ref=100`,
`uct:playout=mast,epsilon=0.2`, `uct:backup=mixmax,mix=0.25`. A part of one's own is
`file.py:Class`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from playout.errors import OptionError, nearest
from playout.gametree.backups import BACKUPS, Mean
from playout.gametree.parts import Backup, Part, PlayoutPolicy, TreePolicy
from playout.gametree.playout_policies import PLAYOUT_POLICIES
from playout.gametree.tree_arrays import TREE, UCT1, UCT2, UCT3
from playout.gametree.tree_policies import TREE_POLICIES
from playout.text.options import Options, class_options, option

if TYPE_CHECKING:
    from playout.gametree.parallel_schemes import Team

GRAPHS = {"tree": TREE, "uct1": UCT1, "uct2": UCT2, "uct3": UCT3}
PARTS = ("policy", "playout", "backup")
NAMES = {"uct": "ucb1", **{name: name for name in TREE_POLICIES}}


@dataclass(frozen=True, kw_only=True)
class TreeOptions(Options):
    """The options that every tree search has, whatever its parts."""

    name: ClassVar[str] = "tree search"

    solver: bool = option(False, "prove wins and losses (MCTS-solver)")
    graph: str = option(
        "tree", "positions met again: apart, or merged with UCT1, UCT2 or UCT3 statistics",
        choices=tuple(GRAPHS),
    )  # fmt: skip
    symmetry: bool = option(False, "merge symmetric positions; needs a graph")
    choice: str = option(
        "visits", "the move to play: most visited, best mean, or best lower bound",
        choices=("visits", "mean", "secure"),
    )  # fmt: skip
    keep: bool = option(True, "keep the tree below the move played for the next search")
    nodes: int = option(1_000_000, "most nodes; a full tree grows no further", low=2)
    parallel: str = option(
        "tree", "how several workers share a search", choices=("tree", "root", "leaf", "slow-tree")
    )
    loss: float = option(1.0, "virtual loss of a simulation under way", low=0)
    general_loss: bool = option(False, "virtual loss relative to the value, for any rewards")
    levels: int = option(3, "slow-tree: levels of moves that workers share", low=0, high=3)
    interval: int = option(
        1000, "slow-tree: simulations of each worker between two meetings", low=1
    )

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
        See `TreeOptions`. `parallel` may also be a class of one's own, a `parallel.Team`.

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
        if isinstance(policy, str):
            policy = NAMES.get(policy, policy)
        self.policy: TreePolicy = _part(
            policy, TREE_POLICIES, TreePolicy, "tree policy: give one such as UCB1(C=0.7)"
        )
        self.playout: PlayoutPolicy = _part(
            playout, PLAYOUT_POLICIES, PlayoutPolicy, "playout policy: give one such as Uniform()"
        )
        self.backup: Backup = _part(
            backup, BACKUPS, Backup, "backup: give one such as MixMax(mix=0.25)"
        )
        scheme = options.get("parallel", "")
        self.team = _own_team(scheme)
        if self.team:
            del options["parallel"]
        self.options = TreeOptions(**options)
        if self.options.parallel == "slow-tree" and type(self.backup) is not Mean:
            raise OptionError("slow-tree combines means: leave backup out")
        given = dict(self.policy.given)
        if type(self.playout) is not PLAYOUT_POLICIES["uniform"]:
            given |= {"playout": _name_of(self.playout), **self.playout.given}
        if type(self.backup) is not Mean:
            given |= {"backup": _name_of(self.backup), **self.backup.given}
        given |= {name: getattr(self.options, name) for name in options}
        if self.team:
            given["parallel"] = self.team.__name__
        words = [f"{name}={_text(value)}" for name, value in given.items()]
        self.text = _name_of(self.policy) + (":" + ",".join(words) if words else "")

    @classmethod
    def parse(cls, text: str) -> TreeSearch:
        """A search from NAME[:OPTION=VALUE,...]."""
        name, _, rest = text.partition(":")
        if name not in NAMES:
            raise OptionError(f"there is no tree search {name!r}; {nearest(name, NAMES)}")
        given = _assignments(text, rest)
        policy_class = TREE_POLICIES[NAMES[name]]
        if "policy" in given:
            policy_class = _class_of(given.pop("policy"), TREE_POLICIES, TreePolicy)
        playout_class = _class_of(given.pop("playout", "uniform"), PLAYOUT_POLICIES, PlayoutPolicy)
        backup_class = _class_of(given.pop("backup", "mean"), BACKUPS, Backup)
        parts: dict[str, dict[str, Any]] = {name: {} for name in ("search", *PARTS)}
        known: dict[str, tuple[str, Any]] = {}
        for part, found in (
            ("backup", class_options(backup_class)), ("playout", class_options(playout_class)),
            ("policy", class_options(policy_class)),
            ("search", dict.fromkeys(TreeOptions.__dataclass_fields__)),
        ):  # fmt: skip
            known |= {option: (part, taker) for option, taker in found.items()}
        for option_name, value in given.items():
            if option_name not in known:
                hint = nearest(option_name, [*known, *PARTS])
                raise OptionError(f"{text}: there is no option {option_name!r}; {hint}")
            part, taker = known[option_name]
            try:
                parts[part][option_name] = value if taker is None else taker.parse(value)
            except OptionError as error:
                raise OptionError(f"{text}: {error}") from None
        scheme = parts["search"].get("parallel", "")
        if _own_team(scheme):
            del parts["search"]["parallel"]
        options = TreeOptions.from_text(parts["search"])
        chosen = {name: getattr(options, name) for name in parts["search"]}
        if _own_team(scheme):
            chosen["parallel"] = scheme
        try:
            policy, playout = policy_class(**parts["policy"]), playout_class(**parts["playout"])
            backup = backup_class(**parts["backup"])
        except OptionError as error:
            raise OptionError(f"{text}: {error}") from None
        search = cls(policy, playout, backup, **chosen)
        search.text = text
        return search

    def new_playout(self) -> PlayoutPolicy:
        """A playout policy that has learnt nothing, for one thread."""
        return copy.deepcopy(self.playout)

    def __repr__(self) -> str:
        return f"TreeSearch({self.text})"


def _assignments(text: str, rest: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for word in filter(None, rest.split(",")):
        name, sign, value = word.partition("=")
        if not sign:
            raise OptionError(f"{text}: {word!r} is not NAME=VALUE")
        if name.strip() in given:
            raise OptionError(f"{text}: {name.strip()} is given twice")
        given[name.strip()] = value.strip()
    return given


def _class_of(text: str, known: Mapping[str, type], base: Any) -> Any:
    """The class of a part: a built-in name, or `file.py:Class`."""
    if text in known:
        return known[text]
    if ".py" in text:
        from playout.text.user_files import load_class

        return load_class(text, base)
    raise OptionError(
        f"there is no part {text!r}; {nearest(text, known)} (your own: file.py:Class)"
    )


def _part(given: Any, known: Mapping[str, type], base: type, wanted: str) -> Any:
    """A part: made of its name, or as it is given."""
    part = _class_of(given, known, base)() if isinstance(given, str) else given
    if not isinstance(part, base):
        raise OptionError(f"{given!r} is no {wanted}")
    return part


def _own_team(scheme: Any) -> type[Team] | None:
    """The parallel scheme that is a class of one's own, or `file.py:Class`; None: a built-in."""
    from playout.gametree.parallel_schemes import Team

    if isinstance(scheme, str) and ".py" in scheme:
        found: type[Team] = _class_of(scheme, {}, Team)
        return found
    return scheme if isinstance(scheme, type) and issubclass(scheme, Team) else None


def _name_of(part: Part) -> str:
    return "uct" if part.name == "ucb1" else part.name or type(part).__name__


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
