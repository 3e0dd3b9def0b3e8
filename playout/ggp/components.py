"""Strongly connected components: what needs one another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def components(needs: Mapping[T, Iterable[T]]) -> list[list[T]]:
    """The sets of keys that need one another, those that others need first (R. Tarjan, 1972).

    What is needed and is no key stands for nothing.

    >>> components({"a": ["b"], "b": ["c"], "c": ["b"]})
    [['b', 'c'], ['a']]
    """
    number: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    held: set[T] = set()
    work: list[tuple[T, int, Iterator[T]]] = []  # with where it lies in the stack
    found: list[list[T]] = []

    def enter(one: T) -> None:
        number[one] = low[one] = len(number)
        work.append((one, len(stack), iter(needs[one])))
        stack.append(one)
        held.add(one)

    for start in needs:
        if start not in number:
            enter(start)
        while work:
            one, at, rest = work[-1]
            for other in rest:
                if other in held:
                    low[one] = min(low[one], number[other])
                elif other not in number and other in needs:
                    enter(other)
                    break
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[one])
                if low[one] == number[one]:
                    found.append(stack[at:])
                    held.difference_update(stack[at:])
                    del stack[at:]
    return found
