"""The words of VGDL as GVGAI has them: classes, effects, endings, and their parameters.

A parameter is accepted wherever a class of its sort knows it, as GVGAI ignores what a class does
not use; a word that no class knows is refused.
"""

from __future__ import annotations

from enum import IntEnum

from playout.arcade.vgdl import effect_numbers


def each(meaning: str, words: str) -> dict[str, str]:
    """Words that mean the same, each with its meaning."""
    return dict.fromkeys(words.split(), meaning)


class Kind(IntEnum):
    """What a sprite does in its turn."""

    STILL = 0
    FLICKER = 1
    SPREADER = 2
    MISSILE = 3
    RANDOM_MISSILE = 4
    ERRATIC_MISSILE = 5
    RANDOM_NPC = 6
    CHASER = 7
    ALTERNATE_CHASER = 8
    PATH_CHASER = 9
    PATH_ALTERNATE_CHASER = 10
    SPAWNER = 11
    BOMBER = 12
    RANDOM_BOMBER = 13
    BOMBER_RANDOM_MISSILE = 14
    # from here on avatars
    MOVING_AVATAR = 20
    ORIENTED_AVATAR = 21
    SHOOT_AVATAR = 22
    FLAK_AVATAR = 23
    ONGOING_AVATAR = 24
    ONGOING_SHOOT_AVATAR = 25
    MISSILE_AVATAR = 26
    NULL_AVATAR = 27


FIRST_AVATAR = Kind.MOVING_AVATAR
MOST_SPEED = 100.0  # blocks a tick

Defaults = dict[str, object]
_STILL: Defaults = {"is_static": True}
_NPC: Defaults = {"speed": 1.0}
_ORIENTED: Defaults = {"speed": 1.0, "is_oriented": True}
_AVATAR: Defaults = {"speed": 1.0}
_TURNING: Defaults = {
    "speed": 1.0,
    "is_oriented": True,
    "orientation": "RIGHT",
    "rotateInPlace": True,
}
_SPAWNER: Defaults = {"is_static": True, "cooldown": 1, "prob": 1.0}
_BOMBER: Defaults = {
    "is_oriented": True,
    "orientation": "RIGHT",
    "cooldown": 1,
    "prob": 1.0,
}

# what a class does, and the parameters that it sets
SPRITE_CLASSES: dict[str, tuple[Kind, Defaults]] = {
    "Immovable": (Kind.STILL, _STILL),
    "Passive": (Kind.STILL, {}),
    "Resource": (Kind.STILL, {"is_resource": True, "value": 1, "limit": 2}),
    "Door": (Kind.STILL, {"is_static": True, "portal": True}),
    "Portal": (Kind.STILL, {"is_static": True, "portal": True}),
    "Conveyor": (Kind.STILL, {"is_static": True, "is_oriented": True}),
    "Flicker": (Kind.FLICKER, {"limit": 1}),
    "OrientedFlicker": (Kind.FLICKER, {"limit": 1, "is_oriented": True}),
    "Spreader": (Kind.SPREADER, {"limit": 1, "spreadprob": 1.0}),
    "Missile": (Kind.MISSILE, _ORIENTED),
    "RandomMissile": (Kind.RANDOM_MISSILE, _ORIENTED),
    "ErraticMissile": (Kind.ERRATIC_MISSILE, {**_ORIENTED, "prob": 0.1}),
    "RandomNPC": (Kind.RANDOM_NPC, _NPC),
    "Chaser": (Kind.CHASER, _NPC),
    "Fleeing": (Kind.CHASER, {**_NPC, "fleeing": True}),
    "AlternateChaser": (Kind.ALTERNATE_CHASER, _NPC),
    "RandomAltChaser": (Kind.ALTERNATE_CHASER, {**_NPC, "wanders": True}),
    "PathChaser": (Kind.PATH_CHASER, _NPC),
    "PathAltChaser": (Kind.PATH_ALTERNATE_CHASER, _NPC),
    "RandomPathAltChaser": (Kind.PATH_ALTERNATE_CHASER, {**_NPC, "wanders": True}),
    "SpawnPoint": (Kind.SPAWNER, _SPAWNER),
    "Bomber": (Kind.BOMBER, _BOMBER),
    "RandomBomber": (Kind.RANDOM_BOMBER, _BOMBER),
    "BomberRandomMissile": (Kind.BOMBER_RANDOM_MISSILE, _BOMBER),
    "MovingAvatar": (Kind.MOVING_AVATAR, _AVATAR),
    "HorizontalAvatar": (Kind.MOVING_AVATAR, _AVATAR),
    "VerticalAvatar": (Kind.MOVING_AVATAR, _AVATAR),
    "OrientedAvatar": (Kind.ORIENTED_AVATAR, _TURNING),
    "ShootAvatar": (Kind.SHOOT_AVATAR, _TURNING),
    "FlakAvatar": (Kind.FLAK_AVATAR, _AVATAR),
    "OngoingAvatar": (Kind.ONGOING_AVATAR, _TURNING),
    "OngoingShootAvatar": (Kind.ONGOING_SHOOT_AVATAR, _TURNING),
    "MissileAvatar": (Kind.MISSILE_AVATAR, _TURNING),
    "NullAvatar": (Kind.NULL_AVATAR, _AVATAR),
}

# moves by their numbers in GVGAI's order
IDLE, USE, LEFT, RIGHT, DOWN, UP = range(6)
MOVE_NAMES = ("idle", "use", "left", "right", "down", "up")
DIRECTIONS = {"NONE": (0, 0), "UP": (0, -1), "LEFT": (-1, 0), "DOWN": (0, 1), "RIGHT": (1, 0)}

# the moves that the avatar's class has besides idle
AVATAR_MOVES: dict[str, tuple[int, ...]] = {
    "HorizontalAvatar": (LEFT, RIGHT),
    "VerticalAvatar": (DOWN, UP),
    "ShootAvatar": (USE, LEFT, RIGHT, DOWN, UP),
    "OngoingShootAvatar": (USE, LEFT, RIGHT, DOWN, UP),
    "FlakAvatar": (USE, LEFT, RIGHT),
    "MissileAvatar": (),
    "NullAvatar": (),
}
ALL_WAYS = (LEFT, RIGHT, DOWN, UP)

# as GVGAI spells them; a description may have them in any case
EFFECT_NAMES = (
    *("killSprite", "killBoth", "killAll", "killIfHasMore", "killIfHasLess"),
    *("killIfOtherHasMore", "killIfOtherHasLess", "killIfFromAbove", "killIfAlive"),
    *("killIfFrontal", "killIfNotFrontal", "stepBack", "undoAll", "turnAround"),
    *("reverseDirection", "flipDirection", "bounceForward", "attractGaze", "align"),
    *("wrapAround", "pullWithIt", "teleportToExit", "transformTo", "transformToAll"),
    *("transformToSingleton", "transformToRandomChild", "transformIfCount", "spawn"),
    *("spawnIfHasMore", "spawnIfHasLess", "spawnBehind", "spawnAbove", "spawnBelow"),
    *("spawnLeft", "spawnRight", "cloneSprite", "collectResource", "collectResourceIfHeld"),
    *("changeResource", "addHealthPoints", "addHealthPointsToMax", "subtractHealthPoints"),
    *("increaseSpeedToAll", "decreaseSpeedToAll", "setSpeedForAll", "halfSpeed"),
    *("updateSpawnType", "shieldFrom", "removeScore", "addTimer", "wallStop"),
)
EFFECTS = {name.lower(): getattr(effect_numbers, name.upper()) for name in EFFECT_NAMES}


# parameters that an effect cannot do without; one of several
_MADE, _HELD = ("stype",), ("resource",)
NEEDED: dict[int, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(
        (
            effect_numbers.KILLALL,
            effect_numbers.TRANSFORMTO,
            effect_numbers.TRANSFORMTORANDOMCHILD,
            effect_numbers.SPAWN,
            effect_numbers.SPAWNBEHIND,
            effect_numbers.SPAWNABOVE,
            effect_numbers.SPAWNBELOW,
            effect_numbers.SPAWNLEFT,
            effect_numbers.SPAWNRIGHT,
            effect_numbers.INCREASESPEEDTOALL,
            effect_numbers.DECREASESPEEDTOALL,
            effect_numbers.SETSPEEDFORALL,
        ),
        (_MADE,),
    ),
    **dict.fromkeys(
        (
            effect_numbers.KILLIFHASMORE,
            effect_numbers.KILLIFHASLESS,
            effect_numbers.KILLIFOTHERHASMORE,
            effect_numbers.KILLIFOTHERHASLESS,
            effect_numbers.CHANGERESOURCE,
        ),
        (_HELD,),
    ),
    **dict.fromkeys((effect_numbers.SPAWNIFHASMORE, effect_numbers.SPAWNIFHASLESS), (_MADE, _HELD)),
    effect_numbers.TRANSFORMTOALL: (_MADE, ("stypeTo", "stype2")),
    effect_numbers.TRANSFORMTOSINGLETON: (_MADE, ("stype_other",)),
    effect_numbers.TRANSFORMIFCOUNT: (_MADE, ("stypeCount",)),
    effect_numbers.UPDATESPAWNTYPE: (_MADE, ("spawnPoint",)),
    effect_numbers.SHIELDFROM: (_MADE, ("ftype",)),
    effect_numbers.ADDTIMER: (("ftype",), ("timer",)),
    effect_numbers.COLLECTRESOURCEIFHELD: (("heldResource",),),
}
# effects that need a second sprite, which the edge and the time are not
WITH_SECOND = (
    effect_numbers.KILLIFOTHERHASMORE,
    effect_numbers.KILLIFOTHERHASLESS,
    effect_numbers.KILLIFFROMABOVE,
    effect_numbers.KILLIFALIVE,
    effect_numbers.KILLIFFRONTAL,
    effect_numbers.KILLIFNOTFRONTAL,
    effect_numbers.BOUNCEFORWARD,
    effect_numbers.ATTRACTGAZE,
    effect_numbers.ALIGN,
    effect_numbers.PULLWITHIT,
    effect_numbers.TELEPORTTOEXIT,
    effect_numbers.SPAWNBEHIND,
    effect_numbers.COLLECTRESOURCE,
    effect_numbers.COLLECTRESOURCEIFHELD,
)
# effects that need no first sprite: what a timer may set going
WITHOUT_FIRST = (
    effect_numbers.KILLALL,
    effect_numbers.UNDOALL,
    effect_numbers.TRANSFORMTOALL,
    effect_numbers.INCREASESPEEDTOALL,
    effect_numbers.DECREASESPEEDTOALL,
    effect_numbers.SETSPEEDFORALL,
    effect_numbers.UPDATESPAWNTYPE,
    effect_numbers.REMOVESCORE,
)


class End(IntEnum):
    """What ends a game."""

    SPRITE_COUNTER = 0
    SPRITE_COUNTER_MORE = 1
    MULTI_SPRITE_COUNTER = 2
    TIMEOUT = 3
    STOP_COUNTER = 4
    MULTI_SPRITE_COUNTER_SUB_TYPES = 5


ENDINGS = {
    "SpriteCounter": End.SPRITE_COUNTER,
    "SpriteCounterMore": End.SPRITE_COUNTER_MORE,
    "MultiSpriteCounter": End.MULTI_SPRITE_COUNTER,
    "Timeout": End.TIMEOUT,
    "StopCounter": End.STOP_COUNTER,
    "MultiSpriteCounterSubTypes": End.MULTI_SPRITE_COUNTER_SUB_TYPES,
}

# the parameter that an ending cannot do without; one of several
_ONE, _SOME = ("stype", "stype1"), ("stype1", "stype", "stype2", "stype3")
ENDING_NEEDED = {
    End.SPRITE_COUNTER: _ONE,
    End.SPRITE_COUNTER_MORE: _ONE,
    End.MULTI_SPRITE_COUNTER: _SOME,
    End.TIMEOUT: ("limit",),
    End.STOP_COUNTER: _SOME,
    End.MULTI_SPRITE_COUNTER_SUB_TYPES: _ONE,
}

# parameters and what their values are: whole, real, truth, sprite, sprites, way, text (not used)
SPRITE_WORDS = {
    **each(
        "text",
        "img color shrinkfactor hidden invisible autotiling randomtiling frameRate portal "
        "drawarrow draw_arrow sound timer frictions mass strength friction gravity jump_strength "
        "airsteering is_npc is_avatar is_stochastic color_change img_change resource_name width "
        "height wall mean angle_diff facing_threshold max_speed maxSpeed lookahead counter",
    ),
    **each(
        "whole",
        "cooldown limit total cons value healthPoints limitHealthPoints maxHealthPoints ammoCost "
        "minAmmo timeToLive",
    ),
    **each("real", "speed prob spreadprob epsilon maxDistance"),
    **each(
        "truth",
        "singleton rotateInPlace randomTarget fleeing only_active is_oriented is_static "
        "is_resource",
    ),
    **each("way", "orientation spawnorientation orient"),
    **each("sprites", "stype stype1 stype2 stypeMissile ammo"),
    "physicstype": "physics",
}
EFFECT_WORDS = {
    **each(
        "whole",
        "scoreChange scoreChangeIfKilled limit timer nextExecution spend geq leq delay repeat",
    ),
    **each("real", "prob offset value"),
    **each(
        "truth",
        "killSecond killResource align orient pixelPerfect repeating takeOrientation "
        "forceOrientation",
    ),
    **each(
        "sprite",
        "stype stype_other stypeTo stype2 stypeCount estype resource heldResource notStype "
        "spawnPoint",
    ),
    "ftype": "effect",
    **each("text", "friction counter"),
}
ENDING_WORDS = {
    **dict.fromkeys(("stype", "stype1", "stype2", "stype3"), "sprite"),
    **dict.fromkeys(("limit", "subTypesNum"), "whole"),
    **dict.fromkeys(("win", "min", "canEnd", "count_score"), "truth"),
}
GAME_WORDS = {
    "square_size": "whole",
    "obs": "sprites",
    "no_players": "whole",
    **each("text", "key_handler img no_counters"),
}
