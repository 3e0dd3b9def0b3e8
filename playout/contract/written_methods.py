"""What a class writes where the package has a method: it must be one, with the same arguments."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from playout.contract.networked import Networked
from playout.contract.provable import Provable
from playout.contract.veiled import Veiled
from playout.errors import ProblemError

_CONTRACT = __name__.rpartition(".")[0]
_UNWRITTEN = {  # None unless a class writes them, and their arguments
    "bound": (),
    "evaluate": ("states",),
    "polish": ("state", "moves", "first", "length", "rng"),
    "all_moves": ("state", "moves"),
}


def check_written(game: Any) -> None:
    """Refuse what would be called in vain: a number, an array, a method of other arguments."""
    cls = type(game).__name__
    ours = [base for base in type(game).__mro__ if base.__module__.startswith(_CONTRACT)]
    theirs = [base for base in type(game).__mro__ if base not in ours]
    for name in dict.fromkeys([*vars(game), *(name for base in theirs for name in vars(base))]):
        base = next((base for base in ours if name in vars(base)), None)
        method: Any = vars(base)[name] if base is not None else "not ours"
        unwritten = method is None and name in _UNWRITTEN
        if not unwritten and not isinstance(method, FunctionType | classmethod):
            continue
        value = getattr(game, name)
        if value is None:
            continue
        if not callable(value):
            raise ProblemError(
                f"{cls}.{name} is of type {type(value).__name__}, but the package has a "
                f"method {name}(): give what is yours another name"
            )
        if not isinstance(method, classmethod) and _is_asked(game, base):
            wanted = _UNWRITTEN[name] if unwritten else _arguments(method)
            _check_arguments(f"{cls}.{name}", value, wanted)


def _is_asked(game: Any, audience: Any) -> bool:
    """Whether an audience asks every game: others leave their names to helpers of one's own."""
    if audience is Veiled:
        return any(
            getattr(game, name) is not False for name in ("chance", "hidden", "simultaneous")
        )
    return audience not in (Provable, Networked)


def _arguments(method: FunctionType) -> tuple[str, ...]:
    """What a method of the package is always given."""
    _, *rest = inspect.signature(method).parameters.values()
    return tuple(each.name for each in rest if each.default is each.empty)


def _check_arguments(name: str, method: Any, wanted: tuple[str, ...]) -> None:
    try:
        inspect.signature(method).bind(*wanted)
    except ValueError:  # it does not say
        return
    except TypeError:
        head = ", ".join(("self", *wanted))
        given = inspect.signature(getattr(method, "__func__", method))  # as it is written
        raise ProblemError(
            f"{name} takes {given}; it should be def {name.rpartition('.')[2]}({head}), or have "
            "another name if it is something else"
        ) from None
