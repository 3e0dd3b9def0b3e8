"""The wheel and the sdist are built, installed and used from where no source is."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import playout

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], ROOT)
    return folder


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_works_alone(built, tmp_path):
    (wheel,) = built.glob("playout-*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    run([*pip, "--target", str(tmp_path / "installed"), str(wheel)], tmp_path)
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r})\n"
        "import playout as po\n"
        f"assert po.__file__.startswith({str(tmp_path)!r}), po.__file__\n"
        "from playout.problems import Maximum\n"
        "result = po.solve(Maximum(5), po.Random(), po.Playouts(20), seed=1, compiled=False)\n"
        "print(po.__version__, result.verified)\n"
    )
    assert run([sys.executable, "-I", "-c", script], tmp_path).split() == [
        playout.__version__,
        "True",
    ]
    package = tmp_path / "installed" / "playout"
    source = {path.relative_to(ROOT / "playout") for path in (ROOT / "playout").rglob("*")}
    for path in source:
        if path.suffix in (".py", ".css", ".js", ".html", ".svg", ".typed", ".safetensors"):
            assert (package / path).exists(), f"the wheel lacks {path}"


def test_the_sdist_has_what_one_needs_to_work_on_it(built):
    (sdist,) = built.glob("playout-*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("Makefile", "pyproject.toml", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"):
        assert name in names
    for folder in ("tests", "docs", "bench", "examples"):
        assert any(name.startswith(f"{folder}/") for name in names)
    assert not any(".cache" in name or "generated/" in name for name in names)
