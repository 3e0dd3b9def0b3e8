"""Whatever is in a file or a text: it is read, or refused in one line.

What is read is what a second, naive reader reads. For longer: `python -m bench.soak fuzz`,
`python -m bench.soak readers`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.readers import GAME_FILE, TOKENS, Edit, mangle, readers
from bench.soak.naive_readers import compare, pairs

edits = st.builds(
    Edit,
    what=st.integers(0, 5),
    where=st.floats(0, 1, exclude_max=True),
    length=st.integers(1, 20),
    token=st.sampled_from(TOKENS) | st.binary(max_size=4),
)
NAMES = (
    *("graph", "colouring", "boards", "tour", "targets", "sgf", "game file", "game", "player"),
    *("algorithm", "problem", "stop", "solver", "result", "checkpoint", "transcript"),
    *("deals", "arcade game", "level", "message", "position", "contract", "episode"),
    *("rulesheet", "model header", "certificate", "store", "arrays", "archive", "input", "images"),
)


def test_all_readers_are_here():
    assert set(readers()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_good_contents_are_read(name, tmp_path):
    reader = readers()[name]
    for sample in reader.samples:
        assert reader.check(sample, tmp_path) == "read", sample


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mangled_contents_are_read_or_refused(name, data):
    reader = readers()[name]
    content = mangle(
        data.draw(st.sampled_from(reader.samples)),
        data.draw(st.lists(edits, min_size=1, max_size=5)),
    )
    with tempfile.TemporaryDirectory() as folder:
        reader.check(content, Path(folder))


PAIRS = ("graph", "colouring", "boards", "tour", "targets", "sgf", "game file", "rulesheet")


def test_a_wrong_reading_is_seen():
    graph = pairs()["graph"]
    assert compare(graph, b"p edge 3 3\n e 1 2\n e 2 3\n e 1 3\n") == "agree"
    assert compare(graph, b"p edge 3 3\ne 1 2\n") == "told"
    assert compare(graph, b"p edge 30 1\ne 1_0 3\n") == "refused"
    blank = GAME_FILE.replace(b"player 2:", b"player 2 :")
    assert compare(pairs()["game file"], blank) == "agree"
    blind = graph._replace(read=lambda text: ({"1", "2", "3"}, set()))  # drops the edges
    assert "naive" in compare(blind, b"p edge 3 1\n e 1 2\n")


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_two_readers_agree(name, data):
    pair = pairs()[name]
    content = data.draw(st.sampled_from(pair.samples))
    assert compare(pair, content) == "agree"
    mangled = mangle(content, data.draw(st.lists(edits, min_size=1, max_size=3)))
    assert compare(pair, mangled) in ("agree", "refused", "told")
