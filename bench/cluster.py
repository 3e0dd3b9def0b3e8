"""Searches on nodes: kills, speed and what a head can drive, on a Ray cluster of this machine.

python -m bench.cluster kills --count 50     # nodes are killed or frozen at random: the same bits
python -m bench.cluster kills --count 5 --algorithm auto     # of another algorithm
python -m bench.cluster speed                # playouts a CPU second on nodes and on threads
python -m bench.cluster head --actors 4,8    # the head's CPU time for a report, and the model of it
python -m bench.cluster move --game hex:11x11   # what a move of 1 s takes more on two nodes
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from typing import Any

import numpy as np

import playout as po
from bench.machines import Machines
from playout.cluster import node_hands
from playout.cluster.node_search import Ask, Report
from playout.cluster.parcel import digest_of_arrays
from playout.run.hands import Worker

PROBLEM, ALGORITHM = "samegame", "gnrpa:level=3"
NODES = 3
STAGES = (
    "noticed",
    "a process of another node was there",
    "it had the search",
    "it had caught up and made the step",
)
ARRAYS, COPIES = 0.7e-3, 10.0  # s a copy of all arrays, s between two


def bits(search: Any) -> str:
    """A digest of all that the searches of a run know."""
    arrays = {
        f"{number}/{name}": array
        for number, worker in enumerate(search._run.workers)
        for name, array in worker.search.arrays().items()
    }
    return digest_of_arrays(arrays)


def solved(algorithm: str, playouts: int, cluster: str | None, look: Any = None) -> Any:
    """A run by two workers, and what it came to."""
    stop = po.Playouts(playouts)
    search = po.Search(PROBLEM, algorithm, stop, seed=1, workers=2, cluster=cluster)
    result = search.run(None if look is None else lambda progress: look(search, progress))
    return search, result


class Striker:
    """Kills or freezes a node that searches, at a random moment of a run, and adds another."""

    def __init__(self, machines: Machines, ray: Any, rng: random.Random) -> None:
        self._machines, self._ray, self._rng = machines, ray, rng
        self._moment = rng.uniform(0.5, 6.0)
        self.struck: float | None = None
        self.how = "freeze" if rng.random() < 0.2 else "kill"

    def look(self, search: Any, progress: Any) -> None:
        """Strike when it is time."""
        if self.struck is not None or progress.seconds < self._moment:
            return
        remotes = search._run.hands._remotes
        used = {place.node for one in remotes for place in one.places if place.node}
        busy = [node for node in _alive(self._ray) if node["NodeID"] in used]
        if not busy:
            return
        victim = self._machines.name_of(busy, self._rng.choice(busy)["NodeID"])
        self.struck = time.perf_counter()
        print(f"  {self.how} {victim} after {progress.seconds:.1f} s", flush=True)
        getattr(self._machines, self.how)(victim)
        self._machines.nodes.pop(victim, None)
        self._machines.add()


def kills(algorithm: str, count: int, playouts: int, seed: int) -> None:
    """Kill or freeze nodes at random moments, and compare all bits with those of threads."""
    rng = random.Random(seed)
    search, _ = solved(algorithm, playouts, None)
    wanted = bits(search)
    print(f"threads: {wanted}", flush=True)
    done, wrong = 0, 0
    seconds: dict[str, list[list[float]]] = {"kill": [], "freeze": []}
    with Machines(NODES) as machines:
        os.environ.update(machines.tokens())
        import ray

        ray.init(machines.address, logging_level="ERROR", log_to_driver=False)
        try:
            while done < count:
                striker = Striker(machines, ray, rng)
                search, result = solved(algorithm, playouts, "auto", striker.look)
                same = bits(search) == wanted
                done += striker.struck is not None
                wrong += not same
                if striker.struck is not None:
                    seconds[striker.how].append(_after(striker.struck, search._run.hands))
                what = "same" if same else "OTHER"
                print(f"{done}: {what} bits, {result.seconds:.1f} s", flush=True)
                while len(_alive(ray)) < NODES:
                    time.sleep(0.2)
        finally:
            ray.shutdown()
    print(f"{done} nodes struck, {wrong} runs with other bits")
    for how, found in seconds.items():
        for what, parts in zip(STAGES, zip(*found)):
            print(
                f"{how}: {what} after {statistics.median(parts):.1f} s "
                f"({min(parts):.1f} to {max(parts):.1f}, {len(parts)} times)"
            )


def _after(struck: float, hands: Any) -> list[float]:
    """Seconds from a strike until it was noticed, and until each stage of going on elsewhere."""
    stages = hands.moved, hands.placed, hands.taken_on, hands.back
    return [
        min((at - struck for at, *_ in stage if at >= struck), default=float("nan"))
        for stage in stages
    ]


def _alive(ray: Any) -> list[Any]:
    return [n for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU", 0) > 0]


def speed(playouts: int) -> None:
    """Playouts for a CPU second of the workers, on threads and on nodes, by turns."""
    rates: dict[str, list[float]] = {"threads": [], "nodes": []}
    with Machines(2) as machines:
        os.environ.update(machines.tokens())
        import ray

        ray.init(machines.address, logging_level="ERROR", log_to_driver=False)
        try:
            for _ in range(3):
                for where in rates:
                    search = po.Search(
                        PROBLEM,
                        ALGORITHM,
                        po.Playouts(playouts),
                        seed=1,
                        workers=2,
                        cluster=None if where == "threads" else "auto",
                    )
                    run = search._run
                    cpu = [0.0] * 2
                    if where == "threads":
                        for number, worker in enumerate(run.workers):
                            worker.take_step = _timed(worker.take_step, cpu, number)
                    result = search.run()
                    if where == "nodes":
                        cpu = [run.hands.cpu]
                    rates[where].append(result.playouts / sum(cpu))
                    print(f"{where}: {rates[where][-1]:,.0f} playouts a CPU second", flush=True)
        finally:
            ray.shutdown()
    ratio = statistics.median(rates["nodes"]) / statistics.median(rates["threads"])
    print(f"nodes against threads: {ratio:.2f} (medians of 3)")


def _timed(step: Any, cpu: list[float], number: int) -> Any:
    def timed(search: Any, playouts: int) -> int:
        before = time.thread_time()
        status = step(search, playouts)
        cpu[number] += (time.thread_time() - before) * (playouts > 0)  # not to compile
        return status

    return timed


class PretendedActor:
    """A search that takes time and no CPU."""

    seconds = 0.05

    def where(self) -> str:
        import ray

        return str(ray.get_runtime_context().get_node_id())

    def start(self, *luggage: Any) -> str:
        self._head = np.zeros(1, po.Random().start(po.problems.Maximum(5), 1).head.dtype)
        return "pretended"

    def step(self, ask: Ask) -> Report:
        """Sleep, and report as a real search does."""
        time.sleep(self.seconds if ask.goal else 0.0)
        self._head[0].playouts = min(ask.goal, int(self._head[0].playouts) + 1000)
        return Report(self._head.tobytes(), b"", 0, b"", {}, b"", {}, self.seconds, 0.0)


def head(actors: list[int], seconds: float) -> None:
    """The head's CPU time for a report of a real actor, and what follows for many nodes."""
    costs = []
    with Machines(0) as machines:
        machines.await_node(machines.add(cpus=max(actors)))
        os.environ.update(machines.tokens())
        import ray

        from playout.cluster import connect
        from playout.run.driver import Driver

        ray.init(machines.address, logging_level="ERROR", log_to_driver=False)
        node_hands.SearchActor = PretendedActor  # type: ignore[misc,assignment]
        problem = po.problems.Maximum(5)
        try:
            with connect("auto") as cluster:
                for count in actors:
                    team = [
                        Worker(po.Random().start(problem, 1), lambda *_: 0, None)
                        for _ in range(count)
                    ]
                    hands = node_hands.NodeHands(cluster, team, problem, po.Random(), False)
                    driver = Driver(team, po.Seconds(seconds), hands)
                    driver.prepare()
                    reports, cpu = [0], time.process_time()
                    ended = hands.ended

                    def counted(wait: float, ended: Any = ended, reports: Any = reports) -> Any:
                        found = ended(wait)
                        reports[0] += len(found)
                        return found

                    hands.ended = counted  # type: ignore[method-assign]
                    driver.go(lambda _: None, 0.1)
                    cpu = time.process_time() - cpu
                    costs.append(cpu / reports[0])
                    print(
                        f"{count} actors: {reports[0] / driver.seconds():.0f} reports/s, "
                        f"{1e6 * costs[-1]:.0f} us each, "
                        f"{100 * cpu / driver.seconds():.1f}% of a core",
                        flush=True,
                    )
        finally:
            ray.shutdown()
    print(model(costs[-1]))


def move(name: str, count: int, seconds: float) -> None:
    """How much longer than its time a move takes on two nodes, and where."""
    from playout.cluster import connect
    from playout.games import load_game

    stages: dict[str, list[float]] = {"all in all": [], "the last step": [], "the way": []}
    with Machines(2) as machines:
        os.environ.update(machines.tokens())
        game = load_game(name)
        with connect(machines.address) as cluster:
            session = cluster.session(game, po.TreeSearch.parse("uct:parallel=root"), workers=2)
            longest = [0.0]
            add_up = session._sum

            def noted(found: Any, took: float) -> Any:
                longest[0] = max(one.seconds for one in found)
                return add_up(found, took)

            session._sum = noted  # type: ignore[method-assign]
            session.set_position()
            session.run(po.Seconds(0.1))
            head = time.process_time()
            for _ in range(count):
                began = time.perf_counter()
                session.run(po.Seconds(seconds))
                took = time.perf_counter() - began
                stages["all in all"].append(took - seconds)
                stages["the last step"].append(longest[0] - seconds)
                stages["the way"].append(took - longest[0])
            head = (time.process_time() - head) / count
            session.close()
    for what, found in stages.items():
        print(
            f"{name}, {what}: {1e3 * statistics.median(found):.1f} ms more "
            f"({1e3 * min(found):.1f} to {1e3 * max(found):.1f}, {count} moves)"
        )
    print(f"CPU time of the head's process a move: {1e3 * head:.1f} ms")


def model(report: float) -> str:
    """What share of the head's core nodes of 1, 16 and 64 CPUs take, a report costing so much."""
    lines = [f"a model with {1e6 * report:.0f} us a report, a report a search every 2 s:"]
    for nodes in (100, 1_000, 10_000):
        shares = []
        for cpus in (1, 16, 64):
            searches = nodes * cpus
            share = searches * (report / node_hands.STEP_SECONDS + ARRAYS / COPIES)
            shares.append(f"{cpus} CPUs each: {100 * share:,.1f}%")
        lines.append(f"  {nodes:6,} nodes, of the head's core: " + ", ".join(shares))
    full = 1 / (report / node_hands.STEP_SECONDS + ARRAYS / COPIES)
    return "\n".join([*lines, f"  full at {full:,.0f} searches"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["kills", "speed", "head", "move"])
    parser.add_argument("--algorithm", default=ALGORITHM)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--playouts", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actors", default="4,8,16")
    parser.add_argument("--seconds", type=float, default=10.0, help="of head")
    parser.add_argument("--game", default="connectfour", help="of move")
    options = parser.parse_args()
    if options.what == "kills":
        kills(options.algorithm, options.count, options.playouts, options.seed)
    elif options.what == "move":
        move(options.game, min(options.count, 12), 1.0)
    elif options.what == "speed":
        speed(options.playouts)
    else:
        head([int(n) for n in options.actors.split(",")], options.seconds)


if __name__ == "__main__":
    main()
