"""A process of a node that Ray has started for us: where it is, and that it is one.

It is told so by itself and not by an environment that Ray makes for it: for that Ray would start
Python twice, which doubles the time until a search goes on elsewhere.
"""

from __future__ import annotations

import os
import re
import sys

ON_A_NODE = "PLAYOUT_ON_A_NODE"  # set in processes of nodes
# a print that Ray has put in place of Python's cannot be compiled
OWN_PRINT = {"RAY_TQDM_PATCH_PRINT": "0"}


def how_it_died(reason: str) -> str:
    """The sentence that matters, of all that Ray says of a process that is gone."""
    said = re.search(r"Worker exit detail: (.+?\.)(?= |$)", reason, re.MULTILINE)
    return said[1] if said else reason.strip().splitlines()[-1]


class NodeProcess:
    """What all actors have."""

    def __init__(self) -> None:
        ray = sys.modules.get("ray")
        if ray is None or not ray.is_initialized():  # to ask it would start a cluster
            return
        if ray.get_runtime_context().get_actor_id() is not None:
            os.environ |= {ON_A_NODE: "1", **OWN_PRINT}

    def where(self) -> str:
        """The node that it is on."""
        import ray

        return str(ray.get_runtime_context().get_node_id())
