"""What of Ray the package uses, in this process: nodes that die, fall silent or differ on order."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace

from playout.cluster.connection import Cluster


class RayTaskError(Exception):
    def __init__(self, cause):
        super().__init__(str(cause))
        self.cause = cause


class RayActorError(Exception):
    pass


class FakeRay:
    """`nodes` of one CPU each; an actor that finds none free waits."""

    exceptions = SimpleNamespace(RayTaskError=RayTaskError, RayActorError=RayActorError)

    def __init__(self, nodes=("a", "b", "c")):
        self.free = list(nodes)
        self.alive = set(nodes)
        self.waiting = []
        self.actors = []
        self.silent = set()
        self.lock = threading.RLock()

    def nodes(self):
        return [
            {"NodeID": n, "Alive": n in self.alive, "Resources": {"CPU": 1}} for n in self.alive
        ]

    def cluster_resources(self):
        return {"CPU": float(len(self.alive))}

    def available_resources(self):
        return {"CPU": float(len(self.free))}

    def put(self, thing):
        return thing

    def get(self, reference):
        return reference.future().result()

    def remote(self, cls):
        return SimpleNamespace(
            options=lambda **how: SimpleNamespace(remote=lambda: self._actor(cls, how))
        )

    def _actor(self, cls, how):
        actor = FakeActor(self, cls, how)
        with self.lock:
            self.actors.append(actor)
            self.waiting.append(actor)
            self.place()
        return actor

    def place(self):
        """Give free nodes to actors that wait."""
        for actor in list(self.waiting):
            refused = actor.how.get("label_selector", {}).get("ray.io/node-id", "!in()")
            fit = [n for n in self.free if n not in refused[4:-1].split(",") and n in self.alive]
            if fit:
                self.free.remove(fit[0])
                self.waiting.remove(actor)
                actor.begin(fit[0])

    def kill(self, actor, gone=False):
        """End an actor; its node is free again, unless it is gone."""
        with self.lock:
            if actor in self.waiting:
                self.waiting.remove(actor)
            actor.end()
            if actor.node in self.alive and not gone and actor.node not in self.free:
                self.free.append(actor.node)
            self.place()

    def kill_node(self, node):
        """The power fails."""
        with self.lock:
            self.alive.discard(node)
            self.free = [other for other in self.free if other != node]
            for actor in [actor for actor in self.actors if actor.node == node and not actor.dead]:
                self.kill(actor, gone=True)

    def join(self, node):
        """A node joins."""
        with self.lock:
            self.alive.add(node)
            self.free.append(node)
            self.place()

    def kill_at_item(self, number, joins=True):
        """Let a node die while it does the so many-th item, another join; counts the items."""
        done = [0]

        def before(actor, name):
            done[0] += name == "do"
            if name == "do" and done[0] == number:
                self.kill_node(actor.node)
                if joins:
                    self.join("later")
                raise Crash

        self.before_call = before
        return done


class FakeActor:
    def __init__(self, ray, cls, how):
        self.ray, self.cls, self.how = ray, cls, how
        self.node, self.dead, self.calls = None, False, []
        self.thing = None

    def __getattr__(self, name):
        def call(*arguments):
            future: Future = Future()
            self.calls.append((name, arguments, future))
            if self.dead:
                self.end()
            elif self.node is not None:
                self.run()
            return SimpleNamespace(future=lambda: future)

        return SimpleNamespace(remote=call)

    def begin(self, node):
        self.node, self.thing = node, self.cls()
        self.run()

    def run(self):
        """Make the calls that wait, at once; on a silent node never."""
        while self.calls and not self.dead and self.node not in self.ray.silent:
            name, arguments, future = self.calls.pop(0)
            if name == "where":
                future.set_result(self.node)
                continue
            try:
                self.ray.before_call(self, name)
                found = getattr(self.thing, name)(*arguments)
            except Crash:
                self.calls.insert(0, (name, arguments, future))
                self.ray.kill(self)
                return
            except Exception as error:
                future.set_exception(RayTaskError(error))
            else:
                future.set_result(found)

    def end(self):
        self.dead = True
        calls, self.calls = self.calls, []
        for _, _, future in calls:
            future.set_exception(RayActorError("The actor died because of an error.\nsignal 9"))


class Crash(Exception):
    """The process ends without a word."""


FakeRay.before_call = lambda self, actor, name: None


def connect(monkeypatch):
    """A cluster in this process, to which everything that asks for one is connected."""
    fake = FakeRay()

    class FakeCluster(Cluster):
        def __enter__(self):
            self.ray = fake
            return self

        def close(self):
            pass

    monkeypatch.setattr("playout.cluster.Cluster", FakeCluster)
    return fake
