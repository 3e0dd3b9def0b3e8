"""Files that are written whole or not at all, and what killed runs have left of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from playout.errors import DataError
from playout.text import output_files
from playout.text.output_files import check_writable, write_atomically


@pytest.fixture(autouse=True)
def new_process(monkeypatch):
    monkeypatch.setattr(output_files, "_swept", set())


def test_what_a_killed_run_has_left_is_swept(tmp_path):
    path = tmp_path / "file"
    code = (
        "import os, pathlib; from playout.text.output_files import write_atomically\n"
        f"write_atomically(pathlib.Path({str(path)!r}), lambda file: os._exit(9))"
    )
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1  # each has swept what was left before it
    write_atomically(path, b"content")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_what_others_may_be_writing_is_left_alone(tmp_path):
    path = tmp_path / "file"
    mine = tmp_path / f".file.playout-{output_files._HERE}-{os.getppid()}-x"
    elsewhere = tmp_path / ".file.playout-00000000-1-x"
    other = tmp_path / ".file2.playout-00000000-1-x"
    for file in (mine, elsewhere, other):
        file.write_bytes(b"")
    write_atomically(path, b"content")
    assert all(file.exists() for file in (mine, elsewhere, other))
    old = time.time() - 4000
    os.utime(elsewhere, (old, old))
    output_files._swept.clear()
    write_atomically(path, b"content")
    assert (mine.exists(), elsewhere.exists(), other.exists()) == (True, False, True)


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"older")

    def fail(file):
        file.write(b"newer")
        raise OSError(28, "No space left on device")

    with pytest.raises(DataError, match=r"cannot write .*: No space left"):
        write_atomically(path, fail)
    assert path.read_bytes() == b"older"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_link_stays_and_its_file_is_written(tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    here.mkdir()
    (here / "link").symlink_to("../there/file")
    for content in (b"created", b"written again"):
        check_writable(here / "link")
        write_atomically(here / "link", content)
        assert (here / "link").is_symlink()
        assert (there / "file").read_bytes() == content
    assert [one.name for one in (*here.iterdir(), *there.iterdir())] == ["link", "file"]
    (here / "astray").symlink_to("nowhere/file")
    (here / "round").symlink_to("round")
    for name, why in (("astray", "no folder .*nowhere"), ("round", "symbolic links")):
        with pytest.raises(DataError, match=f"cannot write .*{name}: .*{why}"):
            check_writable(here / name)


def test_who_may_read_a_file_stays_as_it_was(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"mine alone")
    path.chmod(0o600)
    write_atomically(path, b"still mine")
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_no_file_is_not_replaced_by_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to("pipe")
    for path in (pipe, tmp_path / "link"):
        for write in (check_writable, lambda path: write_atomically(path, b"content")):
            with pytest.raises(DataError, match="it is not a regular file"):
                write(path)
    assert pipe.is_fifo()
    with pytest.raises(DataError, match="it is a folder"):
        write_atomically(tmp_path, b"content")
