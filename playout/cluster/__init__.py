"""Past one machine: searches, games and runs on the nodes of a Ray cluster (extra `cluster`).

The only folder that knows Ray. A run on a cluster is the same bits as on one machine with as many
workers: `connection.py` connects and refuses what is not safe, `node_hands.py` has steps of
searches made on nodes, `node_crew.py` has items done there, `parcel.py` says what travels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from playout.cluster.connection import Cluster, ClusterError, ClusterWarning

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["Cluster", "ClusterError", "ClusterWarning", "connect"]


def connect(text: str) -> AbstractContextManager[Cluster]:
    """The cluster that a text names: `auto`, `local`, HOST:PORT; `open:` before it lets it be open.

    As a context: at its end nothing is left running, and a `local` cluster is taken down.
    """
    return Cluster(text)
