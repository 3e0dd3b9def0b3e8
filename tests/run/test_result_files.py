"""Saved results: what is damaged is told in one line."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

import playout as po
from playout.errors import DataError
from playout.text.json_text import with_checksum, without_checksum

BAD = {
    "moves": [5, "a", [5], None],
    "curve": [5, [5], [[1, 2]], [["x", 1, 1]], {"a": 1}],
    "score": ["high", None, [1], {}],
    "seed": [-1, "1", 1.5, True],
    "playouts": [-1, None, "many", 10**400],
    "seconds": [-1, "long", None, "nan", 10**400],
    "workers": ["two"],
    "verified": [1, "yes", None],
    "options": [[], 5],
    "records": [5, [5]],
    "counters": [[1], {"a": "b"}],
    "problem": [5, None],
    "stopped_by": [5],
    "unknown": [1],
}


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "result.json"
    po.solve("maximum:n=5", "random", "20 playouts", seed=1, compiled=False).save(path)
    return path


@pytest.mark.parametrize("name", BAD)
def test_wrong_fields(saved, name):
    data = json.loads(saved.read_text())
    del data["checksum"]  # as an older version has written it
    for value in BAD[name]:
        saved.write_text(json.dumps({**data, name: value}))
        with pytest.raises(DataError, match=r"damaged|missing"):
            po.Result.load(saved)


@pytest.mark.parametrize("content", [b"", b"[]", b"5", b"[" * 100_000, b"9" * 5000, b"\xff", b"{}"])
def test_no_result(saved, content):
    saved.write_bytes(content)
    with pytest.raises(DataError, match="not a result that playout saved"):
        po.Result.load(saved)


def test_the_name_of_the_checksum_may_be_what_is_damaged():
    whole = with_checksum({"epoch": 1, "loss": 0.5})
    assert without_checksum(whole, "log") == {"epoch": 1, "loss": 0.5}
    assert without_checksum({"epoch": 1}, "older") == {"epoch": 1}
    damaged = {"chesksum" if name == "checksum" else name: whole[name] for name in whole}
    with pytest.raises(DataError, match="its checksum differs"):
        without_checksum(damaged, "log")


def test_it_is_read_as_it_was(saved):
    result = po.Result.load(saved)
    result.save(saved)
    assert po.Result.load(saved) == result


def test_damage_is_told(saved):
    """Flipped bits give text that is none, or another meaning: the checksum differs."""
    content, result = saved.read_bytes(), po.Result.load(saved)
    for place in range(0, len(content), 3):
        flipped = bytes([content[place] ^ 1 << place % 8])
        saved.write_bytes(content[:place] + flipped + content[place + 1 :])
        with suppress(DataError):
            assert po.Result.load(saved) == result  # between the words
