"""Job-level proof-number search: the same tree whoever does its jobs, and in which order."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout.algorithms import array_checks
from playout.cluster import ClusterError, crew_on
from playout.errors import OptionError
from playout.games import load_game
from playout.solvers import dfpn, job_level, pn2, proof_checkpoint, proof_job
from playout.solvers.certificate import check_certificate
from playout.solvers.job_level import JobTree, jobs_ahead
from playout.solvers.proof_checkpoint import run_proof
from playout.solvers.prove import prove
from playout.solvers.prover import Prover
from playout.solvers.strategy import write_certificate
from playout.stop import Playouts
from playout.workers import Threads
from tests.cluster.fake_ray import Crash, connect
from tests.support.forms import long
from tests.support.naive_minimax import minimax

GAME = "nogo:3x2"


@pytest.fixture(autouse=True)
def small_jobs(monkeypatch):
    """Interpreted, with jobs so small that the tree has many of them."""
    for module in (pn2, dfpn):
        monkeypatch.setattr(module, "step", module.step.py_func)
    monkeypatch.setattr(job_level, "compact", pn2.compact.py_func)
    monkeypatch.setattr(array_checks, "tree_is_legal", array_checks.tree_is_legal.py_func)
    monkeypatch.setattr(pn2, "SMALLEST", 5)
    monkeypatch.setattr(proof_job, "FIRST_MOVES", 1)


class OneByOne:
    """Does jobs here, each when a lot says so, and hands them over in the order of another lot."""

    def __init__(self, workers, seed):
        self.workers, self.rng = workers, random.Random(seed)
        self.most = 0  # jobs that were out at once

    def each(self, recipe, items):
        with np.errstate(over="ignore"):
            work, items, out = recipe.make(), iter(items), []
            while True:
                while len(out) < self.workers and (job := next(items)) is not None:
                    out.append(job)
                self.most = max(self.most, len(out))
                if out and self.rng.random() < 0.8:
                    job = out.pop(self.rng.randrange(len(out)))
                    yield job, work(job, lambda: False)
                else:
                    yield None


def prover_of(name, crew, size=10, **options):
    """A prover with jobs of a few moves, which `job=` would refuse."""
    found = Prover(load_game(name), "jlpn", crew=crew, order="game", **options)
    object.__setattr__(found.solver, "job", size)
    return found


def trees(prover, monkeypatch):
    """The bits of the trees of all questions, when they were answered."""
    seen = []
    whole = JobTree._answer

    def answer(self, table):
        seen.append(self.tree[: self.used[0]].tobytes() + self.head.tobytes())
        return whole(self, table)

    with monkeypatch.context() as patch:
        patch.setattr(JobTree, "_answer", answer)
        assert prover.run() == "proven"
    return seen


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "size"),
    [
        (GAME, 10),
        ("hex:2", 1),
        ("dotsandboxes:1x2", 200),
        ("go:2x1,komi=0", 5),
        ("go:2x2,komi=0.5", 30),
    ],
)
def test_against_minimax(name, size):
    """Passes, superko, boxes that give another move, draws; the line of perfect play."""
    game = load_game(name)
    prover = prover_of(name, OneByOne(3, 1), size)
    prover.run()
    assert prover.value == minimax(game)
    state = game.root()
    for text in prover.variation():
        game.play_move(state[0], game.parse_move(state[0], text))
    assert game.final_rewards(state[0])[0] == prover.value


@pytest.mark.parametrize("workers", [long(1), 4])
def test_the_tree_depends_on_the_number_of_workers_alone(workers, monkeypatch):
    crews = [OneByOne(workers, seed) for seed in range(3)]
    found = [trees(prover_of(GAME, crew), monkeypatch) for crew in [*crews, Threads(workers)]]
    assert all(one == found[0] for one in found)
    assert max(crew.most for crew in crews) == workers
    assert all(len(one) > 100 for one in found[0])


@pytest.mark.long
def test_one_worker_is_best_first():
    """With one job at a time the leaf is the most proving one of the tree."""
    prover = prover_of(GAME, OneByOne(1, 1))
    (search,) = prover.searches()
    chosen = []
    job_of = search._job

    def job(number, leaf):
        tree, node = search.tree, 0
        while tree["count"][node]:
            here = slice(tree["begin"][node], tree["begin"][node] + tree["count"][node])
            number_of = "proof" if tree["wants"][node] == 1 else "disproof"
            node = here.start + int(np.argmin(tree[number_of][here]))
        chosen.append(node == leaf)
        return job_of(number, leaf)

    search._job = job
    prover.run()
    assert len(chosen) > 20
    assert all(chosen)


@pytest.mark.long
def test_no_leaf_has_two_jobs_and_some_wait():
    prover = prover_of(GAME, OneByOne(4, 2))
    (search,) = prover.searches()
    most = 0
    for _ in range(60):
        prover._step(1)
        if prover.value is not None or search is not prover.searches()[0]:
            break
        assert len(set(search.under_way.tolist())) == len(search.under_way)
        assert (search.tree["count"][search.under_way] == 0).all()
        most = max(most, len(search.under_way))
    search.rest()
    assert most == jobs_ahead(4) == 6


@pytest.mark.long
def test_a_checkpoint_goes_on_to_the_same_tree(tmp_path, monkeypatch):
    path = tmp_path / "proof"
    whole = prover_of(GAME, OneByOne(3, 1))
    wanted = trees(whole, monkeypatch)
    nodes = whole.nodes
    for stop in (nodes // 5, nodes // 3, nodes // 2):
        part = prover_of(GAME, OneByOne(3, stop))
        proof = run_proof(part, Playouts(stop), checkpoint=path, name=GAME)
        assert proof.value is None
        assert len(part.searches()[0].under_way) > 0
    last = prover_of(GAME, OneByOne(3, 9))
    kept = proof_checkpoint.ProofCheckpoint(path, last, GAME)
    assert kept.read()
    assert trees(last, monkeypatch) == wanted
    assert (last.value, last.nodes) == (whole.value, nodes)


@pytest.mark.long
def test_a_full_tree_costs_moves_and_not_the_answer():
    prover = prover_of(GAME, OneByOne(3, 1), entries=40)
    prover.run()
    assert prover.value == minimax(load_game(GAME))
    assert len(prover.searches()[0].tree) <= 1024


@pytest.mark.long
def test_a_certificate_holds(tmp_path):
    path = tmp_path / "nogo.txt"
    prover = prover_of(GAME, OneByOne(2, 1))
    prover.run()
    before = prover.table.used[0]
    made = write_certificate(prover, GAME, path)
    assert check_certificate(path, compiled=False).positions == made.positions
    assert before > 5  # what the tree has shown need not be searched once more


@pytest.fixture
def nodes(monkeypatch):
    return connect(monkeypatch)


def test_on_nodes_that_die(nodes, monkeypatch):
    here = trees(prover_of(GAME, Threads(3)), monkeypatch)
    jobs = [0]

    def before(actor, name):
        jobs[0] += name == "do"
        if name == "do" and jobs[0] in (2, 9):
            nodes.kill_node(actor.node)
            nodes.join(f"later{jobs[0]}")
            raise Crash

    nodes.before_call = before
    with crew_on("auto", 3) as crew:
        assert trees(prover_of(GAME, crew), monkeypatch) == here
    assert jobs[0] > 20
    there = prove(GAME, order="game", job=1000, cluster="auto")
    assert (there.solver, there.value) == ("jlpn", minimax(load_game(GAME)))


@pytest.mark.long
def test_a_job_that_crashes_three_nodes_is_named_and_nothing_is_lost(nodes, tmp_path, monkeypatch):
    whole, jobs = prover_of(GAME, Threads(1)), [0]
    wanted = trees(whole, monkeypatch)

    def before(actor, name):
        jobs[0] += name == "do"
        if jobs[0] >= 6:
            raise Crash

    nodes.before_call = before
    with crew_on("auto", 1) as crew:
        part = prover_of(GAME, crew)
        with pytest.raises(ClusterError, match="a worker died 3 times in job 5"):
            run_proof(part, checkpoint=tmp_path / "proof")
    assert all(actor.dead for actor in nodes.actors)
    last = prover_of(GAME, Threads(1))
    assert proof_checkpoint.ProofCheckpoint(tmp_path / "proof", last).read()
    assert last.nodes > 0
    assert trees(last, monkeypatch) == wanted


@pytest.mark.parametrize(
    ("solver", "options", "says"),
    [
        ("dfpn", {"cluster": "auto"}, "dfpn works on one machine: on a cluster give jlpn"),
        ("jlpn", {"order": "mcsuccess"}, "learns from the moves of a proof"),
        ("jlpn", {"job": 3}, "job"),
        ("pn2", {"workers": 2}, "pn2 has one; auto, alphabeta, ids, jlpn may"),
    ],
)
def test_bad_input(nodes, solver, options, says):
    with pytest.raises(OptionError, match=says):
        prove(GAME, solver, **options)
