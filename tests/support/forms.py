"""Parameters of tests: the two forms of all that is compiled, and cases that take long.

What a test asserts holds for both. Compiling takes much longer than a small search in plain
Python, so that the compiled form is among the long tests; a few others are compiled always.
"""

from __future__ import annotations

import pytest

FORMS = (
    pytest.param(False, id="plain"),
    pytest.param(True, id="compiled", marks=pytest.mark.long),
)


def long(*values: object):
    """The values of a parameter, for a case that takes long."""
    return pytest.param(*values, marks=pytest.mark.long)
