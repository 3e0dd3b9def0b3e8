"""The two forms of everything that is compiled, as a parameter of a test.

What a test asserts holds for both. Compiling takes much longer than a small search in plain
Python, so that the compiled form is among the long tests; a few others are compiled always.
"""

from __future__ import annotations

import pytest

FORMS = (
    pytest.param(False, id="plain"),
    pytest.param(True, id="compiled", marks=pytest.mark.long),
)
