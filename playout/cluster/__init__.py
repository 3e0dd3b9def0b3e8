"""Past one machine: searches, games and runs on the nodes of a Ray cluster (extra `cluster`).

The only folder that knows Ray. A run on a cluster is the same bits as on one machine with as many
workers: `connection.py` connects and refuses what is not safe, `node_hands.py` has steps of
searches made on nodes, `node_crew.py` has items done there, `parcel.py` says what travels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playout.cluster.connection import Cluster, ClusterError, ClusterWarning

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from playout.cluster.node_crew import NodeCrew

__all__ = ["Cluster", "ClusterError", "ClusterWarning", "connect", "crew_on"]


def connect(text: str) -> AbstractContextManager[Cluster]:
    """The cluster that a text names: `auto`, `local`, HOST:PORT; `open:` before it lets it be open.

    As a context: at its end nothing is left running, and a `local` cluster is taken down.
    """
    return Cluster(text)


@contextmanager
def crew_on(
    cluster: str | None, workers: int | None, threads: int = 1
) -> Iterator[NodeCrew | None]:
    """A crew on a cluster, of workers with so many threads each; None where none is named."""
    if cluster is None:
        yield None
        return
    with connect(cluster) as connected:
        yield connected.crew(workers, threads)
