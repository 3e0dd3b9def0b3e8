"""Descriptions that nobody would write on purpose: played as they say, and alike in every form."""

from __future__ import annotations

import pytest

from tests.support.vgdl_games import DOWN, IDLE, RIGHT, USE, places, play, small, vgdl

VANISHING = {
    "hole > Portal stype=exit\nexit > Immovable": "avatar hole > teleportToExit",
    "hole > Immovable\nexit > Immovable": "hole avatar > transformTo stype=exit killSecond=True",
}


@pytest.mark.parametrize("types", VANISHING)
def test_an_avatar_that_is_gone_leaves_its_moves_to_nobody(types):
    """A sprite that is made afterwards has a place of its own in the pool."""
    more = "\ntap > SpawnPoint stype=stone\nstone > Passive"
    game = small(types + more, VANISHING[types], "Ah\nt.", "h > hole\nt > tap")
    state = play(game, RIGHT, DOWN, RIGHT)
    assert places(game, state, "avatar") == []
    assert places(game, state, "stone") == [(0, 1)] * 3
    assert [int(move) for move in game.legal_moves(state)] == [0, 2, 3, 4, 5]


COUNTS = {
    "coin > Resource value=-9000": "coin avatar > collectResource killResource=False",
    "coin > Immovable": "avatar coin > addHealthPoints value=-9000",
    "coin > Passive": "avatar coin > subtractHealthPoints value=9000 limit=-999999",
}


@pytest.mark.parametrize("types", COUNTS)
def test_what_a_sprite_counts_has_an_end(types):
    game = small(types, COUNTS[types], "A", "A > coin avatar")
    own = play(game, *[IDLE] * 6).sprites[1]
    assert min(int(own.health), int(own.held[0])) == -15_000


def test_ammunition_that_grows_has_an_end():
    types = "avatar > FlakAvatar stype=dart ammo=darts ammoCost=-9000\ndart > Immovable"
    game = small(f"{types}\ndarts > Resource", "darts avatar > collectResource", "Ad", "d > darts")
    assert play(game, RIGHT, USE, USE, USE).sprites[0].held[0] == 15_000


def test_a_type_that_stands_at_two_places_is_among_a_group_once():
    lines = ["a > Immovable", " b > Immovable", "c > Immovable", " a > Immovable", "b > Immovable"]
    types = "\n".join(f"  {line}" for line in [*lines, " c > Immovable"])
    text = f"BasicGame\n SpriteSet\n{types}\n LevelMapping\n InteractionSet\n TerminationSet"
    for kind in vgdl(text, "A").game.types:
        assert len(kind.family) == len(set(kind.family))


def test_a_level_has_room_for_its_own_sprites_however_few_are_asked_for():
    types, rules = "a > Immovable\nb > Immovable", "a b > killSprite"
    level = "\n".join(["x" * 14] * 8 + ["x" * 13 + "A"])
    game = small(types, rules, level, "x > a b", sprites=1)
    assert game.size == 256
    assert len(places(game, play(game, IDLE), "b")) == 125


@pytest.mark.long
def test_a_large_level_has_what_room_is_left():
    """Half as many sprites again would be more than there can be."""
    level = "\n".join(["x" * 110] * 109 + ["x" * 109 + "A"])
    assert small("x > Immovable", "x avatar > killSprite", level, "x > x").size == 16_384


@pytest.mark.parametrize("shortcuts", [True, False])
def test_a_belt_that_is_put_in_line_with_what_it_meets_is_at_its_new_place(shortcuts):
    """A ball that a first belt has turned down passes a second one half a cell beside it."""
    types = "turn > Conveyor orientation=DOWN\nbelt > Conveyor orientation=RIGHT\n"
    types += "ball > Missile orientation=RIGHT speed=0.5"
    rules = "ball turn > attractGaze\nbelt ball > attractGaze align=True\nbelt wall > killSprite"
    mapping = "b > ball\nt > turn\nv > belt"
    game = small(types, rules, "b.t.\n....\n.wvA", mapping, shortcuts=shortcuts)
    assert places(game, play(game, *[IDLE] * 6), "belt") == [(2, 2)]
    assert places(game, play(game, *[IDLE] * 7), "belt") == []
