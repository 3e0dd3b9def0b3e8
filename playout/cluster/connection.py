"""Connecting to a cluster: where it is, whether it is safe, and what is wrong, in one line.

Whoever reaches a Ray cluster that asks for no token runs code on it (CVE-2023-48022). So an open
cluster is refused unless it is named as such, and a cluster of this machine alone listens to this
machine alone, asks for a token that nobody else knows, and has no dashboard.

Ray cannot be left while it starts or ends: its threads would run on in a process that ends, which
crashes now and then. So Ctrl-C and SIGTERM are held back until it has.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cluster.intruder import LET_IN, knock
from playout.cluster.node_process import ON_A_NODE, OWN_PRINT
from playout.cluster.own_processes import end_processes, marked, processes_of
from playout.errors import OptionError, PlayoutError
from playout.interrupts import signals_held_back
from playout.provenance import cores
from playout.text.silent_stderr import silent_stderr

if TYPE_CHECKING:
    from playout.algorithms.algorithm import Algorithm
    from playout.cluster.node_crew import NodeCrew
    from playout.cluster.node_hands import NodeHands
    from playout.cluster.node_session import NodeSession
    from playout.contract import Game, Problem
    from playout.run.hands import Worker

ANSWER_SECONDS = 5.0  # within which somebody must answer at an address
INTRUDER_SECONDS = 60.0  # for a process to import Ray on a busy machine, and be refused
STORE_BYTES = 100_000_000  # of Ray's object store, for a cluster of this machine
OPEN = "open:"
LONGEST_FOLDER = 30  # letters


class ClusterError(PlayoutError):
    """A cluster that cannot be had, or must not be used."""


class ClusterWarning(UserWarning):
    """Something about a cluster that one should know; the run goes on."""


class Cluster:
    """A connection to a cluster, and what can be done on it."""

    def __init__(self, text: str) -> None:
        self._allowed_open = text.startswith(OPEN)
        self._where = text.removeprefix(OPEN)
        if not re.fullmatch(r"auto|local|[^\s:/]+:[0-9]{1,5}", self._where):
            raise OptionError(
                f"cluster {text!r}: auto, local, or the address of its head, such as 10.0.0.1:6379"
            )
        if os.environ.get(ON_A_NODE):
            raise ClusterError(
                'this is a node already: guard your script with if __name__ == "__main__":'
            )
        self._folder: str | None = None
        self._ours = False
        self._printing: Callable[[], None] = lambda: None  # lets Ray print again
        self.ray: Any = None

    def __enter__(self) -> Cluster:
        local = self._where == "local"
        too_late = local and "ray" in sys.modules and "RAY_AUTH_MODE" not in os.environ
        try:
            if too_late and not sys.modules["ray"].is_initialized():
                raise ClusterError(
                    "Ray was imported before playout could ask for a token, which Ray reads then: "
                    "set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN first, or import ray later"
                )
            _choose_token(local)
            with signals_held_back():
                self.ray = _import_ray()
            if self.ray.is_initialized():
                return self  # the user's own connection, which stays theirs
            self._ours = True
            self._printing = _silence(self.ray)
            if local:
                self._start_local()
            else:
                self._join()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the cluster; one of this machine alone is taken down."""
        theirs = processes_of(self._folder) if self._folder is not None else set()
        try:
            if self._ours and self.ray is not None:
                self._ours = False
                with signals_held_back(), suppress(Exception):
                    self.ray.shutdown()
                self._printing()
        finally:
            if self._folder is not None:
                end_processes(theirs | processes_of(self._folder))
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None

    def cpus(self, refused: Collection[str] = ()) -> int:
        """How many CPUs there are just now, but for those of nodes that were refused."""
        if not refused:
            return int(self.ray.cluster_resources().get("CPU", 0))
        found = [node for node in self._alive() if node["NodeID"] not in refused]
        return sum(int(node["Resources"].get("CPU", 0)) for node in found)

    def check_room(self, wanted: int, until: str, refused: Collection[str] = ()) -> None:
        """Say if there are fewer CPUs than are wanted; refuse if there are none."""
        cpus = self.cpus(refused)
        if cpus == 0:
            raise ClusterError("the cluster has no CPU: start nodes with ray start --address=...")
        if cpus < wanted:
            warnings.warn(
                f"the cluster has {cpus} CPU{'s' * (cpus != 1)} for {wanted} workers: the others "
                f"wait for nodes {until}",
                ClusterWarning,
                stacklevel=5,
            )

    def check_threads(self, threads: int) -> None:
        """Refuse workers of more threads than any node has CPUs: they would wait for ever."""
        largest = max((int(node["Resources"].get("CPU", 0)) for node in self._alive()), default=0)
        if threads > largest:
            raise ClusterError(
                f"a worker searches with {threads} threads, and the largest node of the cluster "
                f"has {largest} CPU{'s' * (largest != 1)}: give it fewer threads, or start a node "
                "that has more"
            )

    def nodes(self) -> set[str]:
        """The nodes with CPUs that are alive, by their ids."""
        return {node["NodeID"] for node in self._alive() if node["Resources"].get("CPU", 0) > 0}

    def _alive(self) -> list[Any]:
        return [node for node in self.ray.nodes() if node["Alive"]]

    def hands(
        self, workers: Sequence[Worker], problem: Problem, algorithm: Algorithm, compiled: bool
    ) -> NodeHands:
        """Those who make the steps of searches, on nodes."""
        from playout.cluster.node_hands import NodeHands

        return NodeHands(self, workers, problem, algorithm, compiled)

    def session(self, game: Game, algorithm: Any, **settings: Any) -> NodeSession:
        """A search of a game by several nodes; `seed`, `workers` and `compiled` as for `search`."""
        from playout.cluster.node_session import NodeSession, Part
        from playout.cluster.node_slowtree import SlowTreeNodes

        part = Part(game, algorithm, **settings)
        options = getattr(algorithm, "options", None)
        meets = getattr(options, "parallel", "") == "slow-tree" and part.workers > 1
        kind = SlowTreeNodes if meets and options.levels > 0 else NodeSession  # type: ignore
        return kind(self, part)

    def crew(self, workers: int | None = None, threads: int = 1) -> NodeCrew:
        """Workers of so many threads on nodes, which do items; as many as there are CPUs for."""
        from playout.cluster.node_crew import NodeCrew

        return NodeCrew(self, workers or max(1, self.cpus() // threads), threads, workers is None)

    def options(self, refused: Sequence[str], threads: int = 1) -> dict[str, Any]:
        """How a worker is placed: a CPU a thread, over all nodes but those that were refused."""
        found: dict[str, Any] = {
            "num_cpus": threads,
            "scheduling_strategy": "SPREAD",
        }
        if refused:
            found["label_selector"] = {"ray.io/node-id": f"!in({','.join(refused)})"}
            del found["scheduling_strategy"]
        return found

    def _start_local(self) -> None:
        # the sockets of Ray have names of at most 107 letters: a folder with a short one
        usual = tempfile.gettempdir()
        place = usual if len(usual) <= LONGEST_FOLDER else "/tmp"
        self._folder = tempfile.mkdtemp(prefix="playout-", dir=place)
        told = _one_line("cannot start a cluster on this machine")
        with told, marked(self._folder), signals_held_back():
            self.ray.init(
                num_cpus=cores(),
                include_dashboard=False,
                object_store_memory=STORE_BYTES,
                _node_ip_address="127.0.0.1",
                _temp_dir=self._folder,
                **_QUIET,
            )

    def _join(self) -> None:
        address = self._where
        if address == "auto":
            address = os.environ.get("RAY_ADDRESS") or _address_here()
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host, int(port)), ANSWER_SECONDS):
                pass
        except (OSError, ValueError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ClusterError(
                f"nobody answers at {address}: {reason}; start one with: ray start --head"
            ) from None
        stranger = _send_stranger(address)
        try:
            self._check_token(address)
            if not self._allowed_open and _is_let_in(stranger):
                raise ClusterError(
                    f"the cluster at {address} asks for no token: whoever reaches it runs code on "
                    "it. Start it with RAY_AUTH_MODE=token, or name it open:"
                    f"{self._where} if nobody else can reach it"
                )
        finally:
            stranger.kill()
            stranger.wait()
        with _one_line(f"cannot connect to the cluster at {address}"), signals_held_back():
            self.ray.init(address=address, **_QUIET)

    def _check_token(self, address: str) -> None:
        from ray.exceptions import AuthenticationError

        with _one_line(f"cannot connect to the cluster at {address}"), silent_stderr():
            try:
                knock(address)
            except AuthenticationError:
                has = os.environ.get("RAY_AUTH_MODE") == "token"
                what = "does not take this token" if has else "asks for a token"
                raise ClusterError(
                    f"the cluster at {address} {what}: put its token into ~/.ray/auth_token or "
                    "RAY_AUTH_TOKEN, and set RAY_AUTH_MODE=token"
                ) from None


_QUIET = {"logging_level": "ERROR", "log_to_driver": False}


def _import_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise ClusterError("a cluster needs Ray: pip install 'playout[cluster]'") from None
    return ray


def _silence(ray: Any) -> Callable[[], None]:
    """Keep Ray from printing that nodes have died, on standard output; what lets it again."""
    inside = getattr(ray._private, "worker", None)
    before = getattr(inside, "print_to_stdstream", None)
    if before is None:
        return lambda: None
    inside.print_to_stdstream = lambda *what, **how: None  # type: ignore[union-attr]
    return lambda: setattr(inside, "print_to_stdstream", before)


def _choose_token(local: bool) -> None:
    """Ask for a token, or show one, in the way that Ray is told: by its environment, beforehand."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    for name, value in OWN_PRINT.items():
        os.environ.setdefault(name, value)
    if local:
        # every port on 127.0.0.1, which the address of the node alone does not do
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    if "RAY_AUTH_MODE" in os.environ and not (local and "ray" not in sys.modules):
        return
    has_token = (
        "RAY_AUTH_TOKEN" in os.environ
        or "RAY_AUTH_TOKEN_PATH" in os.environ
        or (Path.home() / ".ray" / "auth_token").is_file()
    )
    if local and not has_token:
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(16)
    if local or has_token:
        os.environ["RAY_AUTH_MODE"] = "token"


def _address_here() -> str:
    """The address of the cluster that this machine belongs to."""
    from ray._private.utils import read_ray_address

    with suppress(Exception):
        if found := read_ray_address():
            return str(found)
    raise ClusterError(
        "no cluster is running on this machine, and RAY_ADDRESS is not set: give the address of "
        "its head, start one with ray start --head, or try --cluster local"
    )


def _send_stranger(address: str) -> subprocess.Popen[bytes]:
    """Start the intruder, with a token that is drawn."""
    stranger = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    return subprocess.Popen(
        [sys.executable, "-m", "playout.cluster.intruder", address],
        env={**os.environ, **stranger},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _is_let_in(stranger: subprocess.Popen[bytes]) -> bool:
    try:
        return stranger.wait(INTRUDER_SECONDS) == LET_IN
    except subprocess.TimeoutExpired:
        return False  # nor did it get in


@contextmanager
def _one_line(what: str) -> Iterator[None]:
    """Whatever Ray says about a cluster that cannot be had, in one line."""
    try:
        yield
    except PlayoutError:
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()
        raise ClusterError(f"{what}: {reason[0] if reason else type(error).__name__}") from None
