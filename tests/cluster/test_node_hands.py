"""Nodes that die, fall silent, differ or crash: the same bits, or one clear line."""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import playout as po
from playout.algorithms import ALGORITHMS
from playout.cluster import connection, node_hands, node_search, parcel
from playout.cluster.connection import Cluster, ClusterError, ClusterWarning
from playout.cluster.node_crew import NodeCrew
from playout.cluster.node_process import ON_A_NODE, NodeProcess, how_it_died
from playout.cluster.parcel import NodeRefused, Parcel
from playout.compiled import kernel, wrapping
from playout.errors import ProblemError
from playout.games import load_game
from playout.workers import Recipe
from tests.cluster.conftest import needs_ray
from tests.cluster.fake_ray import Crash, connect

QUICK = dict(seed=3, compiled=False)
WHAT = "maximum:n=12", "nrpa:level=2"


@pytest.fixture
def nodes(monkeypatch):
    """A cluster in this process, and `solve` on it."""
    monkeypatch.setattr(node_hands, "COPY_SECONDS", 0.0)
    monkeypatch.setattr(node_search, "TRIAL_PLAYOUTS", 3)
    return connect(monkeypatch)


def solved(path, playouts=300, workers=3, **how):
    found = po.solve(*WHAT, po.Playouts(playouts), workers=workers, checkpoint=path, **QUICK, **how)
    with np.load(path) as archive:
        arrays = {name: archive[name].tobytes() for name in archive.files if name != "header"}
    return found.score, found.moves, found.playouts, [p[1:] for p in found.curve], arrays


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return solved(tmp_path_factory.mktemp("here") / "run")


def at_call(nodes, number, then):
    """Have something happen before a certain step on a node."""
    steps = [0]

    def before(actor, name):
        if name == "step":
            steps[0] += 1
            if steps[0] == number:
                then(actor)

    nodes.before_call = before
    return steps


def test_it_is_the_run_on_threads(nodes, whole, tmp_path):
    assert solved(tmp_path / "run", cluster="auto") == whole


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "policy-mcts"])
def test_every_algorithm_is_the_same_bits(nodes, tmp_path, name):
    found = []
    for where in (None, "auto"):
        path = tmp_path / str(where)
        po.solve(
            "maximum:n=12", name, "60 playouts", workers=2, checkpoint=path, cluster=where, **QUICK
        )
        with np.load(path) as archive:
            found.append({n: archive[n].tobytes() for n in archive.files if n != "header"})
    assert found[0] == found[1]


@pytest.mark.parametrize("number", [5, 14])
def test_a_node_dies(nodes, whole, tmp_path, number):
    nodes.join("d")

    def then(actor):
        nodes.kill_node(actor.node)
        raise Crash

    steps = at_call(nodes, number, then)
    assert solved(tmp_path / "run", cluster="auto") == whole
    assert steps[0] > number


def test_a_node_falls_silent(nodes, whole, tmp_path, monkeypatch):
    monkeypatch.setattr(node_hands, "SHORTEST_LATE", 0.1)
    monkeypatch.setattr(node_hands, "LOOK_SECONDS", 0.05)
    nodes.join("d")

    silenced = []

    def before(actor, name):
        if name == "step" and actor.node == "b" and len(silenced) < 30:
            silenced.append(actor)
            if len(silenced) == 8:
                nodes.silent.add("b")

    nodes.before_call = before
    assert solved(tmp_path / "run", cluster="auto") == whole
    assert "b" in nodes.silent


def test_fewer_cpus_than_workers(nodes, whole, tmp_path):
    nodes.kill_node("c")
    with pytest.warns(ClusterWarning, match="2 CPUs for 3 workers: the others wait for nodes"):
        assert solved(tmp_path / "run", cluster="auto") == whole


def test_a_cluster_without_a_cpu(nodes):
    for node in "abc":
        nodes.kill_node(node)
    with pytest.raises(ClusterError, match="the cluster has no CPU"):
        po.solve(*WHAT, "20 playouts", cluster="auto", **QUICK)


def test_a_process_that_crashes_three_times_is_not_tried_a_fourth(nodes, tmp_path):
    crashes = []

    def before(actor, name):
        if name == "step" and len(nodes.actors) > 0:
            crashes.append(actor)
            raise Crash

    nodes.before_call = before
    with pytest.raises(ClusterError, match=r"worker 1 died 3 times .* signal 9"):
        po.solve(*WHAT, "50 playouts", cluster="auto", **QUICK)
    assert len(crashes) == 3
    assert all(actor.dead for actor in nodes.actors)


def test_other_versions_are_named_and_the_node_is_left_out(nodes, whole, tmp_path, monkeypatch):
    def before(actor, name):
        if name == "start" and actor.node == "a":
            raise NodeRefused("node a has Numba 0.1, the head 0.2: it is not used")

    nodes.before_call = before
    nodes.join("d")
    with pytest.warns(ClusterWarning, match=r"node a has Numba 0\.1"):
        assert solved(tmp_path / "run", cluster="auto") == whole
    assert not [actor for actor in nodes.actors[3:] if actor.node == "a"]


def test_a_worker_of_a_node_that_is_left_out_waits_for_another(nodes, whole, tmp_path):
    def before(actor, name):
        if name == "start" and actor.node == "a":
            raise NodeRefused("node a has Numba 0.1, the head 0.2: it is not used")

    nodes.before_call = before
    with pytest.warns(ClusterWarning) as told:
        assert solved(tmp_path / "run", cluster="auto") == whole
    assert [str(one.message).partition(":")[0] for one in told] == [
        "node a has Numba 0.1, the head 0.2",
        "the cluster has 2 CPUs for 3 workers",
    ]


def test_no_node_that_could_be_used(nodes):
    def before(actor, name):
        if name == "start":
            raise NodeRefused("node has Numba 0.1, the head 0.2: it is not used")

    nodes.before_call = before
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        with pytest.raises(ClusterError, match="no node can be used: node has Numba"):
            po.solve(*WHAT, "20 playouts", cluster="auto", **QUICK)
    assert all(actor.dead for actor in nodes.actors)


def test_another_arithmetic_is_refused(monkeypatch):
    problem, algorithm = po.problems.Maximum(12), po.NRPA(level=1)
    assigned = node_search.Assignment(problem, algorithm, False)
    with wrapping():
        playouts, digest = node_search.trial(assigned)
    there = assigned._replace(trial_playouts=playouts, trial_digest="another")
    with pytest.raises(NodeRefused, match="does not come to the head's bits"):
        node_search.NodeSearch().start(Parcel.of(there), 1, b"")
    same = assigned._replace(trial_playouts=playouts, trial_digest=digest)
    sent = Parcel.of(same)
    node_search.NodeSearch().start(sent, 1, b"")
    other = replace(sent, versions={**sent.versions, "playout": "9"})
    with pytest.raises(NodeRefused, match=r"has playout 0\.1, the head|has playout .*, the head 9"):
        node_search.NodeSearch().start(other, 1, b"")


def test_an_error_of_the_problem_is_told_as_here(nodes):
    class Endless(po.problems.Maximum):
        def score(self, state):
            return float("nan")

    with pytest.raises(ProblemError, match="NaN"):
        po.solve(Endless(9), "random", "20 playouts", cluster="auto", **QUICK)


def test_threads_of_one_machine_do_not_share_out_a_batch_of_another(nodes):
    with pytest.raises(po.OptionError, match="parallel='leaf'"):
        po.solve(*WHAT, workers=2, parallel="leaf", cluster="auto")


def test_an_address_that_is_none_and_one_where_nobody_is(monkeypatch):
    with pytest.raises(po.OptionError, match="auto, local, or the address of its head"):
        Cluster("nowhere")
    strange = SimpleNamespace(is_initialized=lambda: False, shutdown=lambda: None, _private=None)
    monkeypatch.setattr(connection, "_import_ray", lambda: strange)
    with pytest.raises(ClusterError, match=r"nobody answers at 127\.0\.0\.1:1: "):
        Cluster("127.0.0.1:1").__enter__()


def test_ray_imported_before_it_can_be_told_of_a_token(monkeypatch):
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    with pytest.raises(ClusterError, match="Ray was imported before playout could ask"):
        Cluster("local").__enter__()
    assert "RAY_AUTH_MODE" not in os.environ


@pytest.mark.long
@needs_ray
def test_no_cluster_on_this_machine(monkeypatch):
    monkeypatch.setattr("ray._private.utils.read_ray_address", lambda *where: None)
    with pytest.raises(ClusterError, match="no cluster is running on this machine"):
        connection._address_here()


# items


class Squares(Recipe):
    def make(self):
        return lambda item, over: item * item


@pytest.mark.parametrize("number", [0, 1, 5, 9, 17])
def test_an_item_whose_node_died_is_done_again_and_handed_over_once(nodes, number):
    nodes.kill_at_item(number)
    cluster = Cluster("auto")
    cluster.ray = nodes
    found = [pair for pair in NodeCrew(cluster, 3, 1, False).each(Squares(), range(20)) if pair]
    assert sorted(found) == [(item, item * item) for item in range(20)]


@pytest.mark.parametrize("number", [3, 19, 20])
def test_an_item_whose_node_died_is_done_again_where_no_other_joins(nodes, number):
    done = nodes.kill_at_item(number, joins=False)
    cluster = Cluster("auto")
    cluster.ray = nodes
    found = [pair for pair in NodeCrew(cluster, 3, 1, False).each(Squares(), range(20)) if pair]
    assert sorted(found) == [(item, item * item) for item in range(20)]
    assert done[0] == 21


def test_more_workers_than_cpus_do_all_items(nodes):
    cluster = Cluster("auto")
    cluster.ray = nodes
    with pytest.warns(ClusterWarning, match="3 CPUs for 5 workers"):
        found = [pair for pair in NodeCrew(cluster, 5, 1, False).each(Squares(), range(20)) if pair]
    assert sorted(found) == [(item, item * item) for item in range(20)]


def test_an_item_that_crashes_three_nodes_is_named(nodes):
    def before(actor, name):
        if name == "do":
            raise Crash

    nodes.before_call = before
    cluster = Cluster("auto")
    cluster.ray = nodes
    with pytest.raises(ClusterError, match="a worker died 3 times in 7"):
        list(NodeCrew(cluster, 1, 1, False).each(Squares(), [7]))


def test_threads_that_no_node_has_cpus_for(nodes):
    cluster = Cluster("auto")
    cluster.ray = nodes
    crew = NodeCrew(cluster, 3, 1, True)
    assert (crew.of_threads(2).workers, crew.of_threads(2).threads) == (1, 2)
    with pytest.raises(ClusterError, match="2 threads, and the largest node of the cluster has 1"):
        list(crew.of_threads(2).each(Squares(), [7]))
    assert not nodes.actors


class Kept(Squares):
    """A recipe whose file must travel."""

    def objects(self):
        return (self,)


@pytest.fixture
def full_disks(nodes, monkeypatch, tmp_path):
    """Nodes whose disks are full, by their names."""
    full, at = set(), [""]

    def before(actor, name):
        at[0] = actor.node

    def write(path, content):
        if at[0] in full:
            raise OSError(28, "No space left on device")

    def private_folder(name=""):
        return tmp_path

    nodes.before_call = before
    monkeypatch.setattr(parcel, "_write", write)
    monkeypatch.setattr(parcel, "private_folder", private_folder)
    monkeypatch.setattr(parcel, "load_module", lambda path: sys.modules[__name__])
    monkeypatch.setattr(parcel, "machine_code", lambda: {"a.nbc": b"code"})
    return full


def test_a_full_disk_on_a_node(nodes, full_disks):
    full_disks.add("a")
    cluster = Cluster("auto")
    cluster.ray = nodes
    crew = NodeCrew(cluster, 2, 1, False)
    with pytest.warns(ClusterWarning, match="cannot keep your files: No space left on device"):
        found = [pair for pair in crew.each(Kept(), range(5)) if pair]
    assert sorted(found) == [(item, item * item) for item in range(5)]
    for actor in nodes.actors:
        nodes.kill(actor)
    full_disks.update("bc")
    with (
        pytest.warns(ClusterWarning),
        pytest.raises(ClusterError, match=r"no node can be used: .* cannot keep your files"),
    ):
        list(NodeCrew(cluster, 2, 1, False).each(Kept(), range(5)))


def test_the_machine_code_that_travels_is_what_this_process_has_used(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_CACHE", str(tmp_path))
    (tmp_path / "another-process.nbc").write_bytes(b"code")
    tripled = kernel(lambda x: 3 * x)
    assert tripled(5) == 15
    (written,) = set(tmp_path.glob("*.nbc")) - {tmp_path / "another-process.nbc"}
    assert parcel.machine_code() == {written.name: written.read_bytes()}


def test_machine_code_without_room_is_compiled_again(full_disks):
    full_disks.add("")
    parcel.take_machine_code({"a.nbc": b"code"})  # and nothing is said


# a move


def test_a_move_on_nodes_is_the_root_parallel_search_on_threads(nodes):
    how = dict(seed=5, compiled=False)
    one = po.search("tictactoe", "uct", "150 playouts", **how)
    there = po.search("tictactoe", "uct:parallel=root", "150 playouts", cluster="auto", **how)
    assert [replace(row, record=None) for row in there.moves] == [
        replace(row, record=None) for row in one.moves
    ]
    assert all(actor.dead for actor in nodes.actors)


def test_a_move_goes_on_where_a_node_died(nodes):
    how = dict(seed=5, workers=3, compiled=False, cluster="auto")
    whole = po.search("tictactoe", "uct:parallel=root", "151 playouts", **how)
    nodes.join("d")
    searches = [0]

    def before(actor, name):
        searches[0] += name == "search"
        if name == "search" and searches[0] == 2:
            nodes.kill_node(actor.node)
            raise Crash

    nodes.before_call = before
    again = po.search("tictactoe", "uct:parallel=root", "151 playouts", **how)
    assert searches[0] == 4
    assert [(row.move, row.visits, row.value) for row in again.moves] == [
        (row.move, row.visits, row.value) for row in whole.moves
    ]
    assert again.simulations == whole.simulations == 151


def test_what_a_move_on_nodes_cannot_be(nodes):
    with pytest.raises(po.OptionError, match="give parallel=root"):
        po.search("tictactoe", "uct:parallel=tree", "9 playouts", workers=2, cluster="auto")
    with pytest.raises(po.OptionError, match="by tree searches"):
        po.search("tictactoe", "pimc", "9 playouts", workers=2, cluster="auto")


def test_a_move_leaves_a_node_of_another_version_out(nodes, monkeypatch):
    how = dict(seed=5, workers=2, compiled=False, cluster="auto")
    whole = po.search("tictactoe", "uct:parallel=root", "60 playouts", **how)
    at = [""]

    def before(actor, name):
        at[0] = actor.node

    def check(wanted, node):
        if at[0] == "a":
            raise NodeRefused(f"node {at[0]} has Numba 0.1, the head 0.2: it is not used")

    nodes.before_call = before
    monkeypatch.setattr(parcel, "check_versions", check)
    with pytest.warns(ClusterWarning, match=r"node a has Numba 0\.1"):
        again = po.search("tictactoe", "uct:parallel=root", "60 playouts", **how)
    assert [row.visits for row in again.moves] == [row.visits for row in whole.moves]
    for node in "bc":
        nodes.kill_node(node)
    with (
        pytest.warns(ClusterWarning),
        pytest.raises(ClusterError, match="no node can be used: node a has Numba"),
    ):
        po.search("tictactoe", "uct:parallel=root", "60 playouts", **how)


def test_a_session_needs_no_settings_of_its_own(nodes):
    cluster = Cluster("auto")
    cluster.ray = nodes
    game = load_game("tictactoe")
    session = cluster.session(game, po.TreeSearch.parse("uct:parallel=root"), compiled=False)
    session.set_position(game.root())
    assert session.run(po.Playouts(30)).simulations == 30


def test_where_ray_is_only_imported_no_process_asks_it_where_it_is(monkeypatch):
    asked = SimpleNamespace(is_initialized=lambda: False)  # a question would start a cluster
    monkeypatch.setitem(sys.modules, "ray", asked)
    NodeProcess()
    assert ON_A_NODE not in os.environ


def test_of_all_that_ray_says_of_a_death_one_sentence_is_told():
    said = (
        "The actor died unexpectedly before finishing this task.\n\tclass_name: SearchActor\n"
        "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR "
        "Worker exit detail: Worker unexpectedly exits with a connection error code 2. End of file."
        " There are some potential root causes. (1) The process is killed by SIGKILL by OOM killer."
    )
    assert how_it_died(said) == "Worker unexpectedly exits with a connection error code 2."
    assert how_it_died("The actor is dead.\nIts node was lost\n") == "Its node was lost"
