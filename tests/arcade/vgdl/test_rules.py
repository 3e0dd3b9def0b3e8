"""Descriptions: every word is understood, or refused in one line with its file, line and word."""

from __future__ import annotations

from pathlib import Path

import pytest

from playout.arcade.vgdl import effect_numbers
from playout.arcade.vgdl.rules import parse_description
from playout.arcade.vgdl.words import EFFECT_NAMES, EFFECTS, ENDINGS, SPRITE_CLASSES
from playout.errors import DataError, DataWarning
from tests.support.vgdl_games import SEVEN, data_game, needs_traces, vgdl

GAME = """\
BasicGame square_size=10
    SpriteSet
        floor > Immovable color=GREEN
        beast > speed=0.5
            cat > RandomNPC cooldown=3
                lion > speed=0.25
            dog > Chaser stype=cat
        avatar > ShootAvatar stype=ball
        ball > Missile
    LevelMapping
        . > floor
        c > floor cat
        A > floor avatar
    InteractionSet
        cat avatar > killSprite scoreChange=2
        beast EOS > stepBack
        cat avatar > stepBack
    TerminationSet
        SpriteCounter stype=cat limit=0 win=True
        Timeout limit=50 win=False
"""
LEVEL = ".....\n.cA..\n....."


def changed(old: str, new: str) -> str:
    assert old in GAME
    return GAME.replace(old, new)


def test_types_inherit_parameters_and_the_class_above_comes_first():
    game = parse_description(GAME.replace("lion > speed", "lion > Missile speed"), "game.txt")
    types = {kind.name: kind for kind in game.types}
    assert types["lion"].class_name == "RandomNPC"
    assert types["lion"].values == {"speed": 0.25, "cooldown": 3}
    assert types["dog"].values["speed"] == 0.5
    names = [game.types[number].name for number in types["cat"].family]
    assert names == ["beast", "cat", "lion"]


def test_wall_and_avatar_come_first_in_the_order_of_types():
    names = [kind.name for kind in parse_description(GAME, "game.txt").types]
    assert names == ["wall", "avatar", "floor", "beast", "cat", "lion", "dog", "ball"]


def test_tabs_windows_lines_and_comments_make_no_difference():
    other = GAME.replace("    ", "\t").replace("\n", "   # a comment\r\n")
    assert parse_description(other, "game.txt") == parse_description(GAME, "game.txt")


def test_rules_of_a_pair_stand_together_where_the_pair_is_first_mentioned():
    text = changed("        beast EOS", "        dog avatar > killSprite\n        beast EOS")
    effects = vgdl(text, LEVEL).rules
    assert [int(rule.effect) for rule in effects] == [
        effect_numbers.KILLSPRITE,
        effect_numbers.STEPBACK,
        effect_numbers.KILLSPRITE,
    ]


def test_edge_rules_run_once_for_each_mention():
    text = changed("beast EOS > stepBack", "beast EOS > stepBack\n        EOS beast > killSprite")
    assert len(vgdl(text, LEVEL).edges) == 4


@needs_traces
@pytest.mark.parametrize("name", SEVEN)
def test_every_description_and_level_of_the_data_folder_is_read(name):
    for level in range(5):
        assert data_game(name, level).columns >= 13


def test_as_many_classes_effects_and_endings_are_known_as_the_page_says():
    assert (len(SPRITE_CLASSES), len(EFFECTS), len(ENDINGS)) == (34, 51, 6)
    page = (Path(__file__).parents[3] / "docs" / "arcade.md").read_text()
    for name in [*SPRITE_CLASSES, *ENDINGS, *EFFECT_NAMES]:
        assert f"`{name}`" in page
    assert sorted(EFFECTS.values()) == list(range(len(EFFECTS)))


REFUSED = [
    ("RandomNPC cooldown=3", "RandomNCP cooldown=3", "line 5", "'RandomNCP'"),
    ("> stepBack", "> stepBak", "line 16", "'stepBak'; did you mean stepBack"),
    ("Timeout", "Timeut", "line 20", "'Timeut'"),
    ("cooldown=3", "coldown=3", "line 5", "'coldown'"),
    ("cooldown=3", "cooldown=fast", "line 5", "cooldown=fast"),
    ("cooldown=3", "cooldown=99999999999", "line 5", "cooldown=99999999999"),
    ("cooldown=3", "cooldown", "line 5", "'cooldown'"),
    ("scoreChange=2", "scoreChange=two", "line 15", "scoreChange=two"),
    ("scoreChange=2", "score=2", "line 15", "'score'"),
    ("stype=cat limit=0", "stype=cow limit=0", "line 19", "'cow'"),
    ("win=True", "win=maybe", "line 19", "win=maybe"),
    ("stype=ball", "stype=bal", "line 8", "'bal'"),
    ("cat avatar > killSprite", "cat goat > killSprite", "line 15", "'goat'"),
    ("cat avatar > killSprite", "cat > killSprite", "line 15", "'cat > killSprite"),
    ("c > floor cat", "c > floor cow", "line 12", "'cow'"),
    ("c > floor cat", "cc > floor cat", "line 12", "'cc > floor cat'"),
    ("c > floor cat", "c >", "line 12", "'c'"),
    ("ball > Missile", "ball > Missile physicstype=CONT", "line 9", "physicstype=CONT"),
    ("ball > Missile", "ball > SpawnPoint stype=ball", "line 9", "ball"),
    ("ball > Missile", "ball Missile", "line 9", "'ball Missile'"),
    ("> killSprite scoreChange=2", "> transformTo", "line 15", "stype"),
    ("> killSprite scoreChange=2", "> killIfHasMore limit=2", "line 15", "resource"),
    ("> killSprite scoreChange=2", "> spawnIfHasMore stype=cat", "line 15", "resource"),
    ("> killSprite scoreChange=2", "> addTimer timer=2 ftype=killSprite", "line 15", "addTimer"),
    ("> killSprite scoreChange=2", "> addTimer timer=2 ftype=killAll", "line 15", "stype"),
    ("cat avatar > killSprite", "TIME EOS > killSprite", "line 15", "'EOS'"),
    ("square_size=10", "square_size=1000", "line 1", "square_size=1000"),
    ("square_size=10", "no_players=2", "line 1", "no_players"),
    ("BasicGame", "BasicGames", "line 1", "BasicGame"),
    ("LevelMapping", "LevelMap", "line 10", "'LevelMap'"),
    ("LevelMapping", "LevelMapping x=1", "line 10", "'x=1'"),
    ("square_size=10", "square_size=1", "line 1", "square_size=1"),
    ("    SpriteSet", "SpriteSet", "line 2", "'SpriteSet'"),
    ("    LevelMapping", "  LevelMapping", "line 14", "InteractionSet"),
    ("    LevelMapping", "        LevelMapping", "line 10", "LevelMapping"),
    ("ball > Missile", "ball > BomberRandomMissile stypeMissile=cat,ball", "line 9", "ball"),
    ("stype=cat limit=0", "limit=0", "line 19", "stype"),
    ("SpriteCounter stype=cat", "MultiSpriteCounter", "line 19", "stype1"),
    ("Timeout limit=50", "Timeout", "line 20", "limit"),
    ("cat avatar > killSprite", "cat TIME > killSprite", "line 15", "timer"),
    ("cat avatar > killSprite", "cat TIME > killSprite timer=0", "line 15", "timer=0"),
    ("cat avatar > killSprite", "cat EOS > killIfAlive", "line 15", "'cat EOS'"),
    (
        "cat avatar > killSprite",
        "cat TIME > spawnBehind stype=cat timer=3",
        "line 15",
        "'cat TIME'",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "word"), REFUSED)
def test_what_is_not_understood_is_refused_with_its_line_and_word(old, new, line, word):
    with pytest.raises(DataError) as refused:
        vgdl(GAME.replace(old, new, 1), LEVEL)
    said = str(refused.value)
    assert said.startswith(f"game.txt, {line}: ")
    assert word in said
    assert "\n" not in said


def test_a_type_may_be_declared_again_and_a_character_for_nothing_is_harmless_if_unused():
    text = changed("ball > Missile", "cat > RandomNPC cooldown=5\n        ball > Missile")
    types = {kind.name: kind for kind in parse_description(text, "game.txt").types}
    assert types["cat"].values["cooldown"] == 5
    assert vgdl(changed("c > floor", "x > nothing\n        c > floor"), LEVEL).columns == 5


def test_a_section_that_is_missing_is_named():
    with pytest.raises(DataError, match=r"game.txt: has no TerminationSet"):
        parse_description(GAME.partition("    TerminationSet")[0], "game.txt")


LEVELS = [
    ("..c..\n..Ax.", "level.txt, line 2: the character 'x'"),
    ("..c..\n.....", "level.txt: has no avatar"),
    ("A.c..\n..A..", "level.txt, line 2: has another avatar, avatar; there are 2"),
    ("\n", "level.txt: has 0 columns"),
    ("A" + "." * 300, "level.txt: has 301 columns"),
]


@pytest.mark.parametrize(("level", "said"), LEVELS)
def test_levels_that_cannot_be_played_are_refused(level, said):
    with pytest.raises(DataError) as refused:
        vgdl(GAME, level)
    assert str(refused.value).startswith(said)


TOLD = [
    ("        A > floor", "         A > floor", "line 13", "'A > floor avatar'"),
    ("        beast EOS", "         beast EOS", "line 16", "'beast EOS > stepBack'"),
    ("        Timeout", "         Timeout", "line 20", "'Timeout limit=50 win=False'"),
    ("floor > Immovable color", "floor > color", "line 11", "'floor'"),
]


@pytest.mark.parametrize(("right", "odd", "line", "said"), TOLD)
def test_what_is_left_out_is_told(right, odd, line, said):
    with pytest.warns(DataWarning) as told:
        vgdl(GAME.replace(right, odd, 1), "..c\n.A...\n")
    first = str(told[0].message)
    assert f"{line}: " in first
    assert said in first


@pytest.mark.parametrize("level", ["..c\n.A...\n", "..c\n.A...\n\n\n", "..cA\r\n     \r\n"])
def test_short_lines_of_a_level_are_filled_with_blanks(level):
    """Empty lines at its end are none of its rows, and a row of blanks is one."""
    game = vgdl(GAME, level)
    assert (game.columns, game.rows) == (5, 2)


MANY = "".join(f"        s{i} > Immovable\n" for i in range(70))
RULES = "".join(f"        cat avatar > stepBack scoreChange={i}\n" for i in range(300))
DEEP = "".join(" " * i + f"s{i} > speed=1\n" for i in range(8, 60))
BALL = "        ball > Missile\n"
LIMITS = [
    (GAME.replace(BALL, BALL + MANY), "more than 62 types"),
    (GAME.replace("    TerminationSet\n", RULES + "    TerminationSet\n"), "more than 256 rules"),
    (GAME.replace(BALL, BALL + DEEP), "40 levels deep"),
    ("BasicGame\n" * 6000, "has 6,000 lines"),
    ("x" * 2000, "more than 1,000 characters"),
    ("\x01\x02 binary", "line 1: the character '\\x01' is no text"),
]


@pytest.mark.parametrize(("text", "said"), LIMITS, ids=range(len(LIMITS)))
def test_sizes_are_bounded(text, said):
    with pytest.raises(DataError) as refused:
        parse_description(text, "game.txt")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
