"""`python -m bench.growth`: measure what is missing, print the tables."""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import subprocess
import sys
import time
from typing import Any

from bench.common import HERE, machine
from bench.growth.measuring import exponent
from playout.text.output_files import write_atomically

SUBJECTS = ("samegame", "tsptw", "coloring", "rna", "go", "trees", "stores", "matches")
FIGURES = HERE / "growth" / "figures.json"
SECONDS = 1200  # for one size, at most


def load() -> dict[str, dict[str, Any]]:
    """All figures so far: subject, then size, then column."""
    found: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return found


def measure_here(subject: str, size: int) -> None:
    """Measure one size and print its figures, as the process that does nothing else."""
    figures = importlib.import_module(f"bench.growth.{subject}").measure(size)
    figures["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({key: float(f"{value:.4g}") for key, value in figures.items()}))


def measure(subject: str, size: int) -> None:
    """Measure one size in a process of its own, and keep its figures."""
    words = [sys.executable, "-m", "bench.growth", subject, "--size", str(size)]
    start = time.perf_counter()
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        print(f"{subject} {size}: no answer in {SECONDS} s")
        return
    if done.returncode:
        print(f"{subject} {size}: {done.stderr.strip().splitlines()[-1]}")
        return
    all_figures = load()
    all_figures["machine"] = machine()
    figures = all_figures.setdefault(subject, {})
    figures[str(size)] = json.loads(done.stdout.splitlines()[-1])
    text = json.dumps(all_figures, indent=1, sort_keys=True)
    write_atomically(FIGURES, (text + "\n").encode())
    print(f"{subject} {size}: measured in {time.perf_counter() - start:.0f} s", flush=True)


def table(subject: str) -> str:
    """A subject's figures as a table in Markdown, and the exponents."""
    module = importlib.import_module(f"bench.growth.{subject}")
    measured = load().get(subject, {})
    rows = [measured[size] for size in sorted(measured, key=int)]
    if not rows:
        return f"{subject}: nothing measured"
    columns = list(column_order(module, rows[0]))
    lines = [" | ".join(columns), " | ".join("--:" for _ in columns)]
    lines += [" | ".join(shown(one[column]) for column in columns) for one in rows]
    text = "\n".join(f"| {line} |" for line in lines)
    for size, fitted in module.FIT.items():
        for column in fitted:
            b = exponent([one[size] for one in rows], [one[column] for one in rows])
            text += f"\n{column} ~ {size}^{b:.2f}"
    return f"{module.__doc__.splitlines()[0]}\n\n{text}"


def column_order(module: Any, row: dict[str, Any]) -> list[str]:
    """The columns: what the size is, what is fitted, then the rest."""
    fitted = [name for size, names in module.FIT.items() for name in (size, *names)]
    return [*fitted, *(name for name in row if name not in fitted)]


def shown(value: float) -> str:
    """A figure with three digits or so."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def main() -> None:
    """Read the command and do it."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth")
    parser.add_argument("subjects", nargs="*", choices=[[], *SUBJECTS], default=[])
    parser.add_argument("--size", type=int, help="measure this one here, and print it as JSON")
    parser.add_argument("--most", type=int, help="leave larger sizes out")
    parser.add_argument("--again", action="store_true", help="measure anew")
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    chosen = parser.parse_args()
    subjects = chosen.subjects or list(SUBJECTS)
    if chosen.size is not None:
        measure_here(subjects[0], chosen.size)
        return
    for subject in subjects:
        module = importlib.import_module(f"bench.growth.{subject}")
        for size in module.SIZES:
            known = str(size) in load().get(subject, {}) and not chosen.again
            small = chosen.most is None or size <= chosen.most
            if small and not known and not chosen.tables:
                measure(subject, size)
        print(f"\n{table(subject)}\n")


if __name__ == "__main__":
    main()
