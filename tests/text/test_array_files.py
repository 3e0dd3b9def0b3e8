"""Arrays in files: damage and absurd sizes are one line, and cost no memory."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from playout.errors import DataError
from playout.text.array_files import read_array, read_arrays, write_arrays
from playout.text.input_files import archive_members, read_member
from playout.zonnscan.classifier_files import load_input
from playout.zonnscan.images import read_idx

ARRAYS = {
    "a": np.arange(6).reshape(2, 3),
    "empty": np.zeros((0, 3), "f2"),
    "number": np.array(3.0),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "records": np.zeros(3, [("x", "i4"), ("y", "f8", 2)]),
}


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def header(shape: str, dtype: str = "'<f8'") -> bytes:
    text = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


class TestArrays:
    def test_what_was_written_is_read(self, tmp_path: Path) -> None:
        write_arrays(tmp_path / "a.npz", ARRAYS)
        found = read_arrays(tmp_path / "a.npz")
        assert found.keys() == ARRAYS.keys()
        for name, array in ARRAYS.items():
            assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
            assert (found[name] == array).all()
            assert found[name].flags.writeable

    def test_any_damage_is_one_line(self, tmp_path: Path) -> None:
        """A thousand files with some bytes changed, cut or added: read, or a DataError."""
        path, rng = tmp_path / "a.npz", random.Random(1)
        write_arrays(path, ARRAYS)
        whole = path.read_bytes()
        for _ in range(1000):
            content = bytearray(whole)
            for _ in range(rng.randrange(1, 8)):
                content[rng.randrange(len(content))] = rng.randrange(256)
            if rng.random() < 0.3:
                del content[rng.randrange(len(content)) :]
            path.write_bytes(content)
            try:
                found = read_arrays(path)
            except DataError:
                continue
            for name in found.keys() & ARRAYS.keys():
                assert found[name].tobytes() == ARRAYS[name].tobytes()

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\x93NUMPY",
            b"\x93NUMPY\x09\x00" + bytes(20),
            header("(1000000000000,)"),
            header("(-1,)"),
            header("(" * 5000),
            header("[3]"),
            header("(2, 'a')"),
            header("(3,)", "'O'"),
            header("(3,)", "[('a', '<f8'), ('a', '<f8')]"),
            header("(3,)", "'<f8', 5"),
            npy(np.arange(3))[:-1],
            npy(np.arange(3)) + b"x",
            zipfile.ZipFile.__doc__.encode(),
        ],
    )
    def test_a_bad_npy(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "a.npy").write_bytes(content)
        with pytest.raises(DataError, match="damaged, or not an array"):
            read_array(tmp_path / "a.npy")

    def test_an_archive_named_npy(self, tmp_path: Path) -> None:
        write_arrays(tmp_path / "a.npy", ARRAYS)
        with pytest.raises(DataError, match="not an array of numbers that NumPy saved"):
            load_input(str(tmp_path / "a.npy"))

    @pytest.mark.parametrize("array", [np.array(1.0), np.zeros((0, 3)), np.zeros((3, 0))])
    def test_no_input(self, tmp_path: Path, array: np.ndarray) -> None:
        np.save(tmp_path / "a.npy", array)
        for text in ("a.npy", "a.npy#1"):
            with pytest.raises(DataError, match="has no input in it"):
                load_input(str(tmp_path / text))


class TestBombs:
    """Small files that unpack to gigabytes: refused before there is room for them."""

    @pytest.fixture(autouse=True)
    def little_memory(self):
        tracemalloc.start()
        yield
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 << 20

    def test_arrays(self, tmp_path: Path) -> None:
        path = tmp_path / "a.npz"
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("a.npy", "w", force_zip64=True) as file,
        ):
            file.write(header("(100000000,)", "'|u1'"))
            for _ in range(100):
                file.write(bytes(1_000_000))
        with pytest.raises(DataError, match="at most 1,000,000 are unpacked"):
            read_arrays(path, 1_000_000)

    def test_an_archive_that_says_less_than_it_holds(self, tmp_path: Path) -> None:
        path = tmp_path / "a.npz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.npy", header("(10000000,)", "'|u1'") + bytes(10_000_000))
        content = path.read_bytes()
        size = (10_000_000 + len(header("(10000000,)", "'|u1'"))).to_bytes(4, "little")
        path.write_bytes(content.replace(size, (1000).to_bytes(4, "little")))
        with pytest.raises(DataError, match="damaged"):
            read_arrays(path)

    def test_idx(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("playout.zonnscan.images.MOST_BYTES", 1_000_000)
        path = tmp_path / "images"
        with gzip.open(path, "wb") as file:
            file.write(b"\0\0\x08\x01" + (2_000_000).to_bytes(4, "big"))
            for _ in range(2):
                file.write(bytes(1_000_000))
        with pytest.raises(DataError, match="more than 1,000,000 bytes when unpacked"):
            read_idx(path)

    def test_a_tar_header(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("playout.text.input_files.MOST_BYTES", 1_000_000)
        path = tmp_path / "a.tar.gz"
        member = tarfile.TarInfo("x")
        member.type, member.size = tarfile.XHDTYPE, 5_000_000
        with gzip.open(path, "wb") as file:
            file.write(member.tobuf(tarfile.USTAR_FORMAT))
            for _ in range(6):
                file.write(bytes(1_000_000))
        for read in (archive_members, lambda path: read_member(path, "x")):
            with pytest.raises(DataError, match="is no archive that can be read"):
                read(path)


@pytest.mark.parametrize("form", ["", "gz", "bz2", "xz"])
def test_a_good_archive(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, f"w:{form}") as archive:
        for name in ("one", "two"):
            member = tarfile.TarInfo(name)
            member.size = 5
            archive.addfile(member, io.BytesIO(b"text\n"))
    assert archive_members(path) == ["one", "two"]
    assert read_member(path, "two") == "text\n"
