"""Fitting one network: early stopping, the mean of the weights, going on, images."""

from __future__ import annotations

import json

import numpy as np
import pytest

from playout.errors import DataError
from playout.learn.policy_iteration.policy_iteration_settings import (
    PolicyIterationSettings as Settings,
)
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.networks.network_shape import Shape  # noqa: E402
from playout.learn.networks.policy_network import new_network  # noqa: E402
from playout.learn.policy_iteration.fit import Fit, FitProgress  # noqa: E402
from playout.learn.policy_iteration.position_queues import (  # noqa: E402
    Positions,
)


def learnable(n=400, seed=0):
    """Positions whose target can be read off: where the second plane is set."""
    rng = np.random.default_rng(seed)
    targets = torch.from_numpy(rng.integers(0, 9, n))
    planes = torch.from_numpy(rng.random((n, 2, 3, 3))).half()
    planes[:, 1] = torch.nn.functional.one_hot(targets, 9).view(n, 3, 3)
    rows = torch.arange(n)
    return Positions(planes, targets, rows[: n // 2], rows[n // 2 :])


@pytest.mark.long
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
    saved = FitProgress(**json.loads(json.dumps(vars(first.progress))))
    again.restore(first.tensors(), saved)
    again.run()
    assert again.progress.losses == whole.progress.losses
    assert torch.equal(again.network.policy.weight, whole.network.policy.weight)
    with pytest.raises(DataError, match="damaged"):
        again.restore({"network.nothing": torch.zeros(1)}, saved)


@pytest.mark.parametrize("batches", [7, 13])
def test_fitting_is_interrupted_between_two_batches(batches):
    """In the second epoch, or while it is validated: nothing of it is kept, nothing is changed."""
    settings = Settings(batch=10, learning_rate=2e-3, patience=9, epochs=3)
    data, shape = learnable(120), Shape(2, 3, 3, 9)
    whole = Fit(new_network(shape, filters=4), data, settings, 1)
    whole.run()
    saved: list = []
    asked = iter(range(100))
    first = Fit(new_network(shape, filters=4), data, settings, 1)
    assert not first.run(
        lambda fit: saved.append((fit.tensors(), json.dumps(vars(fit.progress)))),
        lambda: next(asked) == batches,
    )
    assert len(saved) == first.progress.epoch == 1
    assert next(asked) == batches + 1  # at once
    again = Fit(new_network(shape, seed=9, filters=4), data, settings, 1)
    again.restore(saved[0][0], FitProgress(**json.loads(saved[0][1])))
    assert again.run()
    assert again.progress.losses == whole.progress.losses
    assert torch.equal(again.network.policy.weight, whole.network.policy.weight)


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
