"""One real Ray cluster for all tests that need one: a head, and nodes that are processes."""

from __future__ import annotations

import importlib.util
import os
import time

import pytest

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra cluster)"
)


@pytest.fixture(scope="session")
def cluster_of_two():
    """Two nodes with a CPU each, which ask for the token of this process."""
    from bench.machines import Machines

    with Machines(2, token=os.environ["RAY_AUTH_TOKEN"]) as found:
        yield found


@pytest.fixture
def machines(cluster_of_two):
    """The cluster, whole again whatever the test before it did to it."""
    cluster_of_two.restore(2)
    return cluster_of_two


@pytest.fixture(scope="session")
def connection(cluster_of_two):
    """A connection of the user's own, which `cluster=` takes as it is."""
    import ray

    ray.init(cluster_of_two.address, logging_level="ERROR", log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture
def connected(connection, machines):
    """The cluster, with a connection to it that knows of both nodes."""
    end = time.monotonic() + 120
    while connection.cluster_resources().get("CPU", 0) != 2:
        assert time.monotonic() < end, "the cluster does not have two CPUs"
        machines.restore(2)  # Ray gives up a node that a busy machine keeps from answering
        time.sleep(0.1)
    return machines
