"""A fixture for tests of networks: PyTorch computes on one thread.

More of them wait for each other on a busy machine.
"""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """For all tests of a module that imports it."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
