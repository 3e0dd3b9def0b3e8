"""Options that a class's signature says."""

from __future__ import annotations

from playout.text.options import class_options


class Plain:
    def __init__(self, *, rate: float = 0.5, size: int = 3) -> None:
        pass


class Passing(Plain):
    def __init__(self, *, depth: int = 1, rate: float = 0.1, **others) -> None:
        super().__init__(rate=rate, **others)


class Closed(Plain):
    def __init__(self, *, depth: int = 1) -> None:
        super().__init__()


def test_options_that_are_passed_on_are_those_of_the_base():
    found = class_options(Passing)
    assert {name: option.default for name, option in found.items()} == {
        "depth": 1,
        "rate": 0.1,
        "size": 3,
    }
    assert list(class_options(Closed)) == ["depth"]
