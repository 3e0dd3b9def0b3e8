"""What an environment is made of: noted, changed, and put back in place."""

from __future__ import annotations

import random

import numpy as np

from playout.adapters.environment_snapshots import contents_of, put_back


def test_contents_are_put_back_in_place():
    """Two names of one array stay two names of it, and new objects are forgotten."""
    shared = np.arange(3)
    thing = type("Thing", (), {})()
    thing.a, thing.b, thing.rows = shared, shared, [[1], (shared,)]
    kept = contents_of(thing)
    shared[0], thing.b, thing.new = 9, 5, 1
    thing.rows.append(2)
    thing.rows[0][0] = 7
    put_back(kept)
    assert thing.a is thing.b is shared
    assert shared.tolist() == [0, 1, 2]
    assert thing.rows == [[1], (shared,)]
    assert not hasattr(thing, "new")


class Purse:
    """Coins in a slot, and a die of Python's."""

    __slots__ = ("__coins", "die")

    def __init__(self, seed):
        self.__coins, self.die = bytearray(1), random.Random(seed)

    def throw(self):
        self.__coins[0] += 1
        return self.die.randrange(6)

    def spend(self):
        self.__coins = self.__coins[:0]

    @property
    def coins(self):
        return bytes(self.__coins)


def test_slots_bytes_and_dice_of_pythons_are_put_back():
    purse = Purse(1)
    kept = contents_of([purse])
    thrown = [purse.throw() for _ in range(9)]
    purse.spend()
    put_back(kept)
    assert purse.coins == b"\0"
    assert [purse.throw() for _ in range(9)] == thrown
    assert purse.coins == b"\x09"
