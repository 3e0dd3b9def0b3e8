"""Try to get into a cluster: `python -m playout.cluster.intruder HOST:PORT`.

Ray reads its token once in a process, so whoever shows another one is a process of its own. Its
exit code says what came of it.
"""

from __future__ import annotations

import sys
from importlib import import_module

REFUSED, LET_IN, NOBODY = 10, 11, 12


def knock(address: str) -> None:
    """Ask the head of a cluster who it is, with the token of this process; Ray's error if not."""
    import_module("ray._raylet").GcsClient(address=address)


def main(address: str) -> int:
    """How the cluster receives a stranger."""
    from ray.exceptions import AuthenticationError

    try:
        knock(address)
    except AuthenticationError:
        return REFUSED
    except Exception:
        return NOBODY
    return LET_IN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
