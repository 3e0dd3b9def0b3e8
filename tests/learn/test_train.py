"""Training: games that are what they say, queues, early stopping, killed and resumed, learning."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from playout.contract import Game
from playout.errors import DataError, OptionError
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.policy_iteration_settings import (
    PolicyIterationSettings as Settings,
)
from playout.learn.policy_iteration.policy_mcts import Noise, PolicyMCTS
from playout.learn.policy_iteration.self_play import SelfPlay, self_play_seed
from playout.problems import SameGame
from tests.support.command import run_here
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.inference.evaluators import Evaluator  # noqa: E402
from playout.learn.networks.model_file import load_model  # noqa: E402
from playout.learn.networks.network_shape import Shape, shape_of  # noqa: E402
from playout.learn.networks.policy_network import new_network  # noqa: E402
from playout.learn.policy_iteration.fit import Fit, Progress  # noqa: E402
from playout.learn.policy_iteration.generations import PolicyIteration, agrees  # noqa: E402
from playout.learn.policy_iteration.position_queues import (  # noqa: E402
    Positions,
    Queues,
    positions_of,
    split_games,
)
from playout.learn.policy_iteration.predictions import PredictingSearch, teams_of  # noqa: E402

PROBLEM = SameGame.training(rows=4, columns=4, colours=2)
TINY = Settings(
    generations=2, games=700, first_games=800, simulations=25, first_simulations=150, c_puct=5.0,
    filters=16, training_queue=6000, validation_queue=600, batch=64, learning_rate=2e-3, epochs=10,
)  # fmt: skip


def uniform(simulations, at_once=16, threads=1):
    algorithm = PolicyMCTS(
        model="uniform", leaves=1, simulations=simulations, c_puct=5.0, revisit=True
    )
    return SelfPlay(PROBLEM, algorithm, at_once=at_once, threads=threads, noise=Noise(0.25, 0.75))


def guided(network, simulations, at_once=64, threads=1):
    algorithm = PolicyMCTS(
        model="-", leaves=1, simulations=simulations, c_puct=5.0, rollouts="policy", revisit=True
    )
    evaluator = Evaluator(network, "cpu")
    return SelfPlay(PROBLEM, algorithm, at_once=at_once, threads=threads, evaluator=evaluator)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A training run of two generations."""
    path = tmp_path_factory.mktemp("train") / "model.safetensors"
    training = PolicyIteration(PROBLEM, TINY, path, name="samegame:4x4 colours=2", device="cpu")
    seen = []
    assert training.run(lambda status: bool(seen.append(status)))
    return training, path, seen


# self-play


@pytest.mark.long
def test_games_are_legal_and_their_outcome_is_their_own():
    games = Games.empty(PROBLEM, np.arange(40))
    assert uniform(20).play(games, 7)
    assert (games.lengths > 0).all()
    assert all(agrees(PROBLEM, games, 7, i) for i in range(40))
    assert not agrees(PROBLEM, games, 8, 0)
    # another company, another order, several threads: the same games
    others = Games.empty(PROBLEM, np.arange(40)[::-3])
    assert uniform(20, at_once=5, threads=3).play(others, 7)
    assert np.array_equal(others.moves, games.moves[others.numbers])
    assert np.array_equal(others.scores, games.scores[others.numbers])


@pytest.mark.long
def test_games_with_a_network_are_their_own_too():
    network = new_network(shape_of(PROBLEM), filters=4)
    games, others = (Games.empty(PROBLEM, np.arange(n)) for n in (12, 5))
    player = guided(network, 6)
    assert player.play(games, 3)
    assert all(agrees(PROBLEM, games, 3, i) for i in range(12))
    assert guided(network, 6, at_once=3, threads=2).play(others, 3)
    assert np.array_equal(others.moves, games.moves[:5])
    moves = games.lengths.sum()
    assert player.playouts <= 6 * moves


@pytest.mark.long
def test_a_look_stops_and_nothing_is_lost():
    games = Games.empty(PROBLEM, np.arange(200))
    player = uniform(60, at_once=64)
    assert not player.play(games, 1, lambda: (games.lengths >= 0).sum() >= 20)
    finished = games.lengths >= 0
    assert 20 <= finished.sum() < 200
    begun = np.flatnonzero((games.known > 0) & ~finished)
    assert len(begun) > 30
    assert (games.prefixes[begun] < games.known[begun]).all()
    assert games.prefixes[begun].max() > 0
    before = Games(*(array.copy() for array in vars(games).values()))
    assert player.play(games, 1)
    assert np.array_equal(games.moves[finished], before.moves[finished])
    assert all(agrees(PROBLEM, games, 1, i) for i in range(200))
    # the moves committed stay, and a best playout is only given up for a better one
    for i in begun:
        prefix = before.prefixes[i]
        assert np.array_equal(games.moves[i, :prefix], before.moves[i, :prefix])
    kept = Games(*(array.copy() for array in vars(before).values()))
    kept.lengths[begun] = before.known[begun]
    kept.scores[begun] = games.scores[begun]
    same = (kept.moves[begun] == games.moves[begun]).all(axis=1)
    assert all(agrees(PROBLEM, kept, 1, i) for i in begun[same])
    assert same.mean() > 0.3


class Late:
    """An evaluator that computes when it is waited for, as a GPU may; two teams play."""

    class device:
        type = "late"

    def __init__(self, network):
        self._evaluator = Evaluator(network, "cpu")
        self.evaluations = 0

    def submit(self, planes, logits):
        self.evaluations += len(planes)
        logits[:] = np.nan
        later = Late.__new__(Late)
        later.work = lambda: self._evaluator.submit(planes, logits).wait()
        return later

    def ready(self):
        return True

    def wait(self):
        self.work()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.long
def test_teams_play_while_the_device_computes(threads):
    network = new_network(shape_of(PROBLEM), filters=4)
    games, others = (Games.empty(PROBLEM, np.arange(12)) for _ in range(2))
    guided(network, 6).play(games, 3)
    algorithm = PolicyMCTS(model="-", leaves=1, simulations=6, c_puct=5.0, rollouts="policy")
    player = SelfPlay(PROBLEM, algorithm, at_once=6, threads=threads, evaluator=Late(network))
    assert player.play(others, 3)
    assert np.array_equal(others.moves, games.moves)


@pytest.mark.long
def test_the_leaves_of_one_tree_are_two_teams_as_well():
    network = new_network(shape_of(PROBLEM), filters=4)
    algorithm = PolicyMCTS(model="-", leaves=20, simulations=40, c_puct=5.0, rollouts="policy")
    searches = []
    for evaluator in (Evaluator(network, "cpu"), Late(network)):
        search = PredictingSearch(PROBLEM, algorithm, 1)
        search.prepare(PROBLEM, evaluator, 64)
        steps = search.make_step(PROBLEM, True, 1)
        while search.head[0].playouts < 200:
            steps(search, 200 - search.head[0].playouts)
        searches.append(search)
    assert teams_of(search) == 2
    one, two = searches
    assert one.head[0].best_score == two.head[0].best_score
    assert np.array_equal(one.tree["visits"], two.tree["visits"])
    assert np.array_equal(one.committed, two.committed)


# queues


@pytest.mark.long
def test_positions_are_those_of_the_games():
    games = Games.empty(PROBLEM, np.arange(30))
    uniform(20).play(games, 5)
    positions = positions_of(PROBLEM, games, 5, 0.2, torch.device("cpu"))
    total = games.lengths.sum()
    assert len(positions) == total
    assert positions.planes.shape == (2 * total, *PROBLEM.plane_shape)
    # whole games validate, as few as have a fifth of the positions
    owners = np.repeat(np.arange(30), games.lengths)
    some, others = (set(owners[rows]) for rows in (positions.validation, positions.training))
    assert not some & others
    assert 0 <= len(positions.validation) - round(0.2 * total) < games.lengths.max()
    both = np.concatenate([positions.training, positions.validation])
    assert np.array_equal(np.sort(both), np.arange(total))
    # every position has a tile of a colour in each cell or none, and the target is a tile
    assert (positions.planes.sum(1) == 1).all()
    target = positions.planes.flatten(2)[np.arange(2 * total), :, positions.targets]
    assert (target[:, 0] == 0).all()
    first, image = positions.planes[0], positions.planes[total]
    assert (first[0] == 0).all()  # the first is a full board
    assert torch.equal(image, first.flip(2))
    games.moves[0, 0] = 15 - games.moves[0, 0]
    with pytest.raises(DataError, match="not games of this problem"):
        positions_of(PROBLEM, games, 5, 0.2, torch.device("cpu"))


@pytest.mark.parametrize(
    ("lengths", "validating"), [([6], 1), ([5, 0, 0], 1), ([1, 9], {1, 9}), ([4, 4, 4, 0], 4)]
)
def test_few_games_are_split_too(lengths, validating):
    for seed in range(20):
        training, validation = split_games(np.array(lengths), 0.1, np.random.default_rng(seed))
        assert sorted([*training, *validation]) == list(range(sum(lengths)))
        assert len(training) > 0
        assert len(validation) in (validating if isinstance(validating, set) else {validating})


class Plain(SameGame):
    """SameGame whose left is not its right."""

    mirror = Game.mirror


class Seldom(SameGame):
    """SameGame with mirror images of full boards alone."""

    def mirror(self, state, move):
        return state.played == 0


@pytest.mark.parametrize("kind", [Plain, Seldom])
@pytest.mark.long
def test_a_problem_without_mirror_images_has_none(kind):
    problem = kind.training(rows=3, columns=3)
    games = Games.empty(problem, np.arange(4))
    algorithm = PolicyMCTS(model="uniform", leaves=1, simulations=5)
    SelfPlay(problem, algorithm, at_once=2).play(games, 5)
    positions = positions_of(problem, games, 5, 0.2, torch.device("cpu"))
    assert positions.images == 1
    assert len(positions.planes) == len(positions) == games.lengths.sum()


def test_queues_keep_the_last():
    def part(number, n):
        planes = torch.full((n, 1), float(number))
        return Positions(planes, torch.full((n,), number), np.arange(2, n), np.arange(2))

    queues = Queues(training=20, validation=3)
    for number in range(1, 5):
        queues.add(part(number, 10))
    assert queues.generations() == 3
    data = queues.data()
    assert data.targets[data.training].tolist() == [2] * 4 + [3] * 8 + [4] * 8
    assert data.targets[data.validation].tolist() == [3, 4, 4]
    assert torch.equal(data.planes[:, 0].long(), data.targets)


def test_mirror_images_lie_behind_all_positions():
    queues = Queues(training=20, validation=3)
    for number in (1, 2):
        here = torch.arange(10 * number, 10 * number + 4)
        both = torch.cat([here, -here])
        queues.add(Positions(both, both, np.arange(1, 4), np.arange(1), 2))
    data = queues.data()
    assert data.images == 2
    assert len(data) == 8
    assert data.targets[data.training].tolist() == [11, 12, 13, 21, 22, 23]
    assert torch.equal(data.planes[data.training + len(data)], -data.planes[data.training])


# one network


def learnable(n=400, seed=0):
    """Positions whose target can be read off: where the second plane is set."""
    rng = np.random.default_rng(seed)
    targets = torch.from_numpy(rng.integers(0, 9, n))
    planes = torch.from_numpy(rng.random((n, 2, 3, 3))).half()
    planes[:, 1] = torch.nn.functional.one_hot(targets, 9).view(n, 3, 3)
    rows = torch.arange(n)
    return Positions(planes, targets, rows[: n // 2], rows[n // 2 :])


def test_fitting_learns_stops_early_and_keeps_the_best():
    settings = Settings(batch=20, learning_rate=2e-3, patience=2, epochs=30)
    fit = Fit(new_network(Shape(2, 3, 3, 9), filters=16), learnable(), settings, 1)
    assert fit.run()
    losses = [validation for _, validation in fit.progress.losses]
    assert losses[0] > 1.5
    assert min(losses) < 0.5
    assert fit.progress.epoch == 30 or losses.index(min(losses)) == len(losses) - 3
    data = learnable()
    with torch.no_grad():
        logits = fit.network(data.planes[data.validation].float())
    loss = torch.nn.functional.cross_entropy(logits, data.targets[data.validation])
    assert float(loss) == pytest.approx(min(losses), abs=1e-4)


def test_the_mean_of_the_weights_is_what_is_validated():
    """By hand: each step leaves nine tenths of the mean, and the rest are the new weights."""
    settings = Settings(batch=50, learning_rate=2e-3, epochs=1, average=0.9)
    fit = Fit(new_network(Shape(2, 3, 3, 9), filters=4), learnable(), settings, 1)
    mean, step = fit.network.policy.weight.detach().clone(), fit._step

    def counted():
        nonlocal mean
        step()
        mean = 0.9 * mean + 0.1 * fit.network.policy.weight.detach()

    fit._step = counted
    fit.run()
    assert torch.allclose(fit.network.policy.weight, mean, atol=1e-6)


@pytest.mark.parametrize("average", [0.0, 0.8])
def test_fitting_goes_on_from_its_tensors(average):
    settings = Settings(batch=20, learning_rate=2e-3, patience=9, epochs=4, average=average)
    data, shape = learnable(120), Shape(2, 3, 3, 9)
    whole = Fit(new_network(shape, filters=4), data, settings, 1)
    whole.run()
    first = Fit(new_network(shape, filters=4), data, settings, 1)
    assert not first.run(lambda fit: fit.progress.epoch == 2)
    again = Fit(new_network(shape, seed=9, filters=4), data, settings, 1)
    saved = Progress(**json.loads(json.dumps(vars(first.progress))))
    again.restore(first.tensors(), saved)
    again.run()
    assert again.progress.losses == whole.progress.losses
    assert torch.equal(again.network.policy.weight, whole.network.policy.weight)
    with pytest.raises(DataError, match="damaged"):
        again.restore({"network.nothing": torch.zeros(1)}, saved)


# all of it


def test_presets_are_table_1():
    table = {name: Settings.preset(name) for name in ("7x7", "10x10", "15x15")}
    assert [s.generations for s in table.values()] == [50, 50, 66]
    assert [s.games for s in table.values()] == [20_000, 10_000, 5_000]
    assert [s.simulations for s in table.values()] == [100, 50, 25]
    assert [s.c_puct for s in table.values()] == [30, 4, 2]
    assert [s.alpha for s in table.values()] == [0.75, 0.4, 0.25]
    for s in table.values():
        assert (s.training_queue, s.validation_queue, s.epsilon) == (1_500_000, 150_000, 0.25)
        assert (s.batch, s.learning_rate, s.patience, s.filters) == (256, 5e-4, 3, 64)
    with pytest.raises(OptionError, match="no preset '8x8'"):
        Settings.preset("8x8")
    with pytest.raises(OptionError, match="epsilon=2"):
        Settings.preset("quick").changed({"epsilon": "2"})


@pytest.mark.long
def test_the_log_of_a_training(trained):
    training, path, seen = trained
    log = training.log
    assert [entry["generation"] for entry in log] == [1, 2]
    assert {status.phase for status in seen} == {"playing", "training"}
    model = load_model(path, PROBLEM)
    assert model.about["scores"] == [entry["score"] for entry in log]
    assert model.about["record"] == log
    assert model.about["settings"]["games"] == 700
    assert model.about["problem"] == "samegame:4x4 colours=2"
    games = training.folder.load_games(2, PROBLEM, 700)
    seed = self_play_seed(1, 2)
    assert all(agrees(PROBLEM, games, seed, i) for i in range(20))
    assert games.scores.mean() == pytest.approx(log[1]["score"], abs=1e-3)


@pytest.mark.long
def test_it_learns(trained):
    """The policy plays new boards significantly better than random moves and than a fresh network.

    One simulation a move is the policy itself: the search has nothing to choose from.
    """
    _, path, _ = trained
    network = load_model(path).network
    scores = {}
    for name, player in {
        "random": uniform(1),
        "fresh": guided(new_network(network.shape, filters=16), 1),
        "trained": guided(network, 1),
    }.items():
        games = Games.empty(PROBLEM, np.arange(2000))
        player.play(games, 99)
        scores[name] = games.scores
    for other in ("random", "fresh"):
        gain = scores["trained"] - scores[other]
        assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain)), (other, gain.mean())


def test_equal_planes_are_shown_in_random_order():
    """Where a colour of the training set tells nothing, colours it never had are understood too."""

    def loss_of_others(exchange):
        rng = np.random.default_rng(1)
        targets = torch.from_numpy(rng.integers(0, 4, 300))
        planes = torch.zeros(300, 3, 2, 2).half()
        where = torch.nn.functional.one_hot(targets, 4).view(-1, 2, 2)
        planes[:, 0] = 1 - where
        planes[:200, 1] = where[:200]  # training and validation have the first colour only
        planes[200:, 2] = where[200:]
        rows = torch.arange(300)
        settings = Settings(batch=20, learning_rate=5e-3, epochs=15, exchange=exchange)
        data = Positions(planes[:, 1:], targets, rows[:160], rows[160:200])
        fit = Fit(new_network(Shape(2, 2, 2, 4), filters=8), data, settings, 1, (0, 2))
        fit.run()
        with torch.no_grad():
            logits = fit.network(planes[200:, 1:].float())
        return float(torch.nn.functional.cross_entropy(logits, targets[200:]))

    assert loss_of_others(True) < 0.5 < loss_of_others(False)


def test_mirror_images_are_learned_too():
    """A network that saw targets on the left alone knows them on the right."""

    def loss_of_images(exchange):
        rng = np.random.default_rng(1)
        columns = torch.from_numpy(rng.integers(0, 2, 200))
        planes = torch.nn.functional.one_hot(columns, 4).view(-1, 1, 1, 4).half()
        both, targets = torch.cat([planes, planes.flip(3)]), torch.cat([columns, 3 - columns])
        rows = torch.arange(200)
        settings = Settings(batch=20, learning_rate=5e-3, epochs=15, exchange=exchange)
        data = Positions(both, targets, rows[:160], rows[160:], 2)
        fit = Fit(new_network(Shape(1, 1, 4, 4), filters=8), data, settings, 1)
        fit.run()
        with torch.no_grad():
            logits = fit.network(both[200:].float())
        return float(torch.nn.functional.cross_entropy(logits, targets[200:]))

    assert loss_of_images(True) < 0.5 < loss_of_images(False)


@pytest.mark.long
def test_stopped_again_and_again_it_comes_to_its_end(tmp_path):
    """Every run gets further: games go on where they were, and so do epochs."""
    settings = TINY.changed(
        {
            "games": "40",
            "first_games": "50",
            "simulations": "20",
            "filters": "4",
            "epochs": "3",
            "at_once": "20",
        }
    )
    phases: list[tuple] = []
    for _ in range(100):
        before = len(phases)

        def second(status, before=before):
            phases.append((status.number, status.phase))
            return len(phases) - before >= 2  # a quarter of a second later

        training = PolicyIteration(PROBLEM, settings, tmp_path / "m", name="tiny", device="cpu")
        if training.run(second):
            break
    assert len(training.log) == settings.generations
    assert {(1, "playing"), (2, "playing"), (1, "training"), (2, "training")} <= set(phases)
    for generation in (1, 2):
        count = {1: 50, 2: 40}[generation]
        games = training.folder.load_games(generation, PROBLEM, count)
        seed = self_play_seed(1, generation)
        assert all(agrees(PROBLEM, games, seed, i) for i in range(count))


@pytest.mark.long
def test_another_run_is_refused(trained):
    training, path, _ = trained

    def again(**more):
        settings = more.pop("settings", TINY)
        return PolicyIteration(
            PROBLEM, settings, path, name=training.name, device="cpu", **{"seed": 1, **more}
        )

    assert again().run(lambda status: False)  # nothing is left to do
    with pytest.raises(DataError, match="another training run: seed was 1, and now is 2"):
        again(seed=2)
    other = TINY.changed({"games": "7", "generations": "9"})
    with pytest.raises(DataError, match="settings was games=700, and now is games=7"):
        again(settings=other)


@pytest.mark.long
def test_killed_at_any_point_it_goes_on(tmp_path):
    """A run that is killed while it plays and while it trains ends as one that is not."""
    texts = {
        "generations": "2", "games": "300", "simulations": "8", "first_simulations": "300",
        "filters": "4", "batch": "32", "epochs": "3", "validation_queue": "100",
    }  # fmt: skip
    whole = PolicyIteration(
        PROBLEM,
        Settings.preset("quick").changed(texts),
        tmp_path / "whole",
        name="whole",
        device="cpu",
    )
    assert whole.run(lambda status: False)
    store, folder = str(tmp_path / "s.sqlite"), tmp_path / "killed.training"
    words = ["train", "samegame:4x4", "-p", "colours=2", "--device", "cpu", "--threads", "1"]
    words += [word for pair in texts.items() for word in ("-o", "=".join(pair))]
    words += ["--out", str(tmp_path / "killed"), "--store", store]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for wanted in ("games-001.bin", "games-002.bin"):
        process = subprocess.Popen(
            [sys.executable, "-m", "playout", *words], env=environment, stdout=subprocess.DEVNULL
        )
        while not _has(folder / wanted) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    done = run_here(words, tmp_path, environment)
    assert "the training is over" in done.stdout, done.stderr
    assert (tmp_path / "killed.svg").read_text().startswith("<svg")
    for generation in (1, 2):
        games = [
            np.sort(np.frombuffer((path / f"games-{generation:03}.bin").read_bytes(), "V32"))
            for path in (folder, whole.folder.path)
        ]
        assert len(np.unique(games[0])) == 300
        assert np.array_equal(*games)
    export = ("export", "--format", "jsonl", "--store", store)
    rows = run_here(export, tmp_path, environment).stdout.splitlines()
    assert [json.loads(row)["budget"] for row in rows] == [1, 2]
    assert all(json.loads(row)["verified"] for row in rows)


def _has(path):
    return path.exists() and path.stat().st_size > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["samegame:7x7"], "give --out"),
        (["samegame:7x7", "--out", "{}/no/m.safetensors"], "there is no folder"),
        (["samegame:7x7", "--out", "{}/m", "--preset", "8x8"], "there is no preset '8x8'"),
        (["samegame:7x7", "--out", "{}/m", "-o", "game=3"], "did you mean games"),
        (["samegame:7x7", "--out", "{}/m", "-p", "rows=8"], "give one of them"),
        (["samegame:7x7", "--out", "{}/m", "--device", "cuda:99"], "device cuda:99: there "),
        (["samegame:7x7", "--out", "{}/m", "--minutes", "0"], "give a number over 0"),
        (["maximum", "--out", "{}/m"], "Maximum cannot be learned: it has no planes"),
        (["samegame:0x7", "--out", "{}/m"], "at least one row"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path):
    result = run_here(("train", *(word.format(tmp_path) for word in words)), tmp_path, os.environ)
    assert result.returncode == 2, result.stdout
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
