"""Hostile requests: none runs code, opens a file or stops the server.

`python -m bench.lab hostile` sends ten thousand.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.lab_attack import attack, plant_canary
from tests.support.lab_server import lab_server

pytest.importorskip("starlette")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with lab_server(tmp_path_factory.mktemp("hostile") / "lab") as server:
        yield server


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_nothing_happens(lab, seed):
    canary = plant_canary(lab.folder)
    found = attack(lab, 20, canary, seed)
    assert sum(found.values()) == 20
