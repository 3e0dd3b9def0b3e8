"""The files that a run is asked to write: refused before the search, written after it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from playout.cli.problem_arguments import sources
from playout.errors import DataError, OptionError, nearest

if TYPE_CHECKING:
    from playout import Problem, Result

OPTIONS = ("checkpoint", "save", "plot", "svg")


def check_outputs(options: argparse.Namespace, problem: Problem) -> None:
    """Refuse, before hours of search, files that cannot be written or should not be."""
    from playout.text.output_files import check_writable

    taken: list[tuple[str, Path]] = []
    for name in OPTIONS:
        text = getattr(options, name)
        if text is None:
            continue
        if not text:
            raise OptionError(f"--{name}: give the name of a file")
        path = Path(text)
        check_writable(path)
        if path.exists() and not path.is_file():
            raise DataError(f"cannot write {path}: it is not a regular file")
        for what, file in sources(options, problem).items():
            if _same(path, file):
                raise OptionError(f"--{name} {path} would overwrite {what}")
        for other, earlier in taken:
            if _same(path, earlier):
                raise OptionError(f"--{other} and --{name} name the same file, {path}")
        taken.append((name, path))
    if options.plot:
        _check_plot(Path(options.plot))
    if options.svg and not problem.svg(problem.root()[0]):
        raise OptionError(f"{type(problem).__name__} draws no pictures: it has no svg() method")


def write_outputs(options: argparse.Namespace, problem: Problem, result: Result) -> None:
    """Write what was asked for, each file whole or not at all."""
    from playout.text.output_files import write_atomically

    if options.save:
        result.save(options.save)
    if options.plot:
        result.plot(options.plot)
    if options.svg:
        picture = problem.svg(result.final_state(problem)[0]).encode()

        def write(file: BinaryIO) -> None:
            file.write(picture)

        write_atomically(Path(options.svg), write)


def _same(a: Path, b: Path) -> bool:
    if a.exists() and b.exists():
        return os.path.samefile(a, b)
    return os.path.realpath(a) == os.path.realpath(b)


def _check_plot(path: Path) -> None:
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise OptionError("--plot needs Matplotlib: pip install 'playout[plot]'") from None
    kinds = FigureCanvasBase.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind and kind not in kinds:
        raise OptionError(f"--plot {path}: {kind!r} is no picture format; {nearest(kind, kinds)}")
