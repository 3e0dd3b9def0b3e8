"""The page of the public face: every name of `playout.__all__`, from its docstring."""

from __future__ import annotations

import inspect
from pathlib import Path

import playout


def write_api(folder: Path) -> None:
    """Write the page of all public names, in the order in which the package lists them."""
    lines = ["# The Python interface", ""]
    lines += ["Everything that `import playout as po` gives. The examples run as tests.", ""]
    for name in playout.__all__:
        value = getattr(playout, name)
        if inspect.ismodule(value) or name.startswith("__"):
            continue
        directive = "autoclass" if inspect.isclass(value) else "autofunction"
        if not inspect.isclass(value) and not callable(value):
            directive = "autodata"
        lines += [f"## {name}", "", "```{eval-rst}", f".. {directive}:: playout.{name}"]
        if directive == "autoclass" and not issubclass(value, BaseException):
            lines += ["   :members:"]
        lines += ["```", ""]
    (folder / "api.md").write_text("\n".join(lines))
