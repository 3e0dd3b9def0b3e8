"""One real Ray cluster for all tests that need one: a head, and nodes that are processes."""

from __future__ import annotations

import importlib.util
import os

import pytest

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra cluster)"
)


@pytest.fixture(scope="session")
def machines():
    """Two nodes with a CPU each, and a token that this process has."""
    from bench.machines import Machines

    with Machines(2) as found:
        before = {name: os.environ.get(name) for name in found.tokens()}
        os.environ.update(found.tokens())
        try:
            yield found
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


@pytest.fixture(scope="session")
def connected(machines):
    """A connection of the user's own, which `cluster=` takes as it is."""
    import ray

    ray.init(machines.address, logging_level="ERROR", log_to_driver=False)
    yield machines
    ray.shutdown()
