"""One lab for all tests that begin and end their own tasks in it: starting one takes seconds."""

from __future__ import annotations

import pytest

from tests.support.lab_server import lab_server


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A lab in which nothing runs, and task 1 is finished."""
    with lab_server(tmp_path_factory.mktemp("shared") / "lab") as server:
        yield server
