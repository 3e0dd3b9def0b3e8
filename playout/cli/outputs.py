"""What a command writes: files are refused before the search and written after it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from playout.cli.problem_arguments import sources
from playout.errors import DataError, OptionError, nearest

if TYPE_CHECKING:
    from playout import Problem, Result

NONE: Mapping[str, Path] = MappingProxyType({})
OPTIONS = ("checkpoint", "save", "plot", "svg", "html")


def output_file(name: str, text: str | None, sources: Mapping[str, Path] = NONE) -> Path | None:
    """The file that --NAME gives, if any: refused, before hours of search, if it cannot be written.

    `sources` are files that must not be overwritten, by what they are.
    """
    from playout.text.output_files import check_writable

    if text is None:
        return None
    if not text:
        raise OptionError(f"--{name}: give the name of a file")
    path = Path(text)
    check_writable(path)
    for what, file in sources.items():
        if _same(path, file):
            raise OptionError(f"--{name} {path} would overwrite {what}")
    return path


def refuse_show_with_json(options: argparse.Namespace) -> None:
    """Refuse --show beside --json."""
    if options.json and options.show:
        raise OptionError("--json prints nothing but its object: leave --show out")


def prints_aside(wanted: bool = True) -> AbstractContextManager[Any]:
    """What a problem or game prints for its author's sake must not get into what is printed."""
    return redirect_stdout(sys.stderr) if wanted else nullcontext()


def check_outputs(options: argparse.Namespace, problem: Problem) -> None:
    """Refuse the files of a search that cannot be written or should not be."""
    taken: dict[str, Path] = {}
    files = sources(options, problem)
    for name in OPTIONS:
        path = output_file(name, getattr(options, name), files)
        if path is None:
            continue
        for other, earlier in taken.items():
            if _same(path, earlier):
                raise OptionError(f"--{other} and --{name} name the same file, {path}")
        taken[name] = path
    if options.plot:
        _check_plot(Path(options.plot))
    if options.svg:
        problem.check_attributes()
        if not problem.svg(problem.root()[0]):
            raise OptionError(f"{type(problem).__name__} draws no pictures: it has no svg() method")


def write_outputs(options: argparse.Namespace, problem: Problem, result: Result) -> None:
    """Write what was asked for, each file whole or not at all."""
    from playout.text.output_files import write_atomically

    if options.save:
        result.save(options.save)
    if options.plot:
        result.plot(options.plot)
    if options.svg or options.html:
        film = result.film(problem)
        if options.svg:
            write_atomically(Path(options.svg), film.strip().encode())
        if options.html:
            write_atomically(Path(options.html), film.page().encode())


def write_answer(out: Path | None, text: str, shown: str | None = None) -> None:
    """Write an answer to a file, or print it; where it cannot be written it is printed, too.

    `shown` is what is printed then, if not the text itself.
    """
    from playout.text.output_files import write_atomically

    if out is None:
        sys.stdout.write(text)
        return
    try:
        write_atomically(out, text.encode())
    except DataError:
        sys.stdout.write(text if shown is None else shown)
        raise


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
