"""The algorithms that search a problem: one file each, options as frozen dataclasses.

To add one, write its file and add a line to `ALGORITHMS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from playout.algorithms.algorithm import Algorithm
from playout.errors import OptionError
from playout.text.grammar import parse_named
from playout.text.registry import Entry, Registry

ALGORITHMS = Registry(
    "algorithm",
    "playout.algorithms",
    {
        "auto": Entry("playout.run.auto:Auto"),
        "random": Entry("playout.algorithms.random_search:Random"),
        "nmcs": Entry("playout.algorithms.nmcs:NMCS"),
        "nrpa": Entry("playout.algorithms.nrpa:NRPA"),
        "snrpa": Entry("playout.algorithms.snrpa:SNRPA"),
        "gnrpa": Entry("playout.algorithms.gnrpa:GNRPA"),
        "lahc": Entry("playout.algorithms.lahc:LAHC"),
        "uct": Entry("playout.algorithms.uct:UCT"),
        "policy-mcts": Entry("playout.learn.policy_iteration.policy_mcts:PolicyMCTS"),
    },
    base="playout.algorithms.algorithm:Algorithm",
)

if TYPE_CHECKING:
    from playout.algorithms.gnrpa import GNRPA as GNRPA
    from playout.algorithms.lahc import LAHC as LAHC
    from playout.algorithms.nmcs import NMCS as NMCS
    from playout.algorithms.nrpa import NRPA as NRPA
    from playout.algorithms.random_search import Random as Random
    from playout.algorithms.snrpa import SNRPA as SNRPA
    from playout.algorithms.uct import UCT as UCT


def load_algorithm(text: str, options: Mapping[str, str] | None = None) -> Algorithm:
    """The algorithm that a text names: NAME or path/to/file.py:Class, and :OPTION=VALUE,...

    `options` are more of them, given beside the text.

    >>> load_algorithm("gnrpa:level=2,N=10,20").options()["N"]
    (10, 20)
    """
    named = parse_named(text, ALGORITHMS)
    more = dict(options or {})
    for name in named.options.keys() & more.keys():
        both = f"{named.options[name]} in {text}, and {name}={more[name]}"
        raise OptionError(f"{name} is given twice: {both}")
    algorithm: Algorithm = ALGORITHMS.find(named.name).from_text({**named.options, **more})
    return algorithm


def __getattr__(name: str) -> Any:
    return ALGORITHMS.class_named(name, __name__)


def __dir__() -> list[str]:
    return sorted([*globals(), *ALGORITHMS.class_names()])
