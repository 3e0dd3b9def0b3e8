"""A game and a level as tables of numbers, which the one compiled engine interprets.

A row for each type, rule, edge rule, timer and ending. Three shortcuts are decided here, none of
which changes what happens:

- a type is *fixed* if its sprites never move. They hang on chains at their cells, and each cell
  has a word with a bit for each fixed type that is there;
- a type is *decor* if nothing mentions it: it is drawn, and not simulated;
- rules whose firsts are all fixed are looked up from the side of their seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.arcade.vgdl import effect_numbers
from playout.arcade.vgdl.pool import counted
from playout.arcade.vgdl.rules import Description, Rule, Type
from playout.arcade.vgdl.table_rows import ENDING, RULE, TYPE
from playout.arcade.vgdl.words import (
    ALL_WAYS,
    AVATAR_MOVES,
    DIRECTIONS,
    FIRST_AVATAR,
    MOST_SPEED,
    SPRITE_CLASSES,
    SPRITE_WORDS,
    End,
    Kind,
)
from playout.errors import DataError

MOST_RESOURCES = 12
NEVER = 1 << 30


@dataclass
class Tables:
    """What the engine reads."""

    types: np.ndarray
    kin: np.ndarray  # the types that each name stands for, one after another
    kin_from: np.ndarray
    family: np.ndarray  # the same as words of bits
    listed: np.ndarray  # types that parameters list
    turns: np.ndarray  # types in the order of their turns
    rules: np.ndarray
    edges: np.ndarray
    timers: np.ndarray
    endings: np.ndarray
    resources: list[int]
    resource_limits: np.ndarray
    decor: set[int]


def make_tables(game: Description, shortcuts: bool = True) -> Tables:
    """The tables of a game; without shortcuts every type is simulated, and as one that moves."""
    return _Maker(game, shortcuts).make()


def has_flag(rule: Rule) -> bool:
    """Whether a rule asks for the other form of its effect."""
    return any(rule.values.get(word, False) for word in _FLAGS)


def family_word(kind: Type) -> int:
    """The bits of the types that a name stands for."""
    return sum(1 << number for number in kind.family)


class _Maker:
    def __init__(self, game: Description, shortcuts: bool) -> None:
        self.game, self.shortcuts = game, shortcuts
        self.rules = [*game.rules, *game.edges, *game.timers]
        self.resources = self.find_resources()
        self.listed: list[int] = []

    def make(self) -> Tables:
        game = self.game
        fixed = self.find_fixed() if self.shortcuts else set()
        decor = self.find_decor() if self.shortcuts else set()
        types = np.zeros(len(game.types), TYPE)
        for kind in game.types:
            self.fill_type(types[kind.number], kind, kind.number in fixed)
        kin = [number for kind in game.types for number in kind.family]
        sizes = [len(kind.family) for kind in game.types]
        limits = [counted(game.types[n].values.get("limit", 2)) for n in self.resources]
        # those declared come after the two that are there always; the last has the first turn
        order = sorted(game.types, key=lambda kind: (kind.line, kind.number), reverse=True)
        awake = [k.number for k in order if k.class_name and k.number not in fixed | decor]
        awake += [k.number for k in order if k.number in fixed and self.acts(k)]
        awake.sort(key=[kind.number for kind in order].index)
        return Tables(
            types=types,
            kin=np.array(kin, np.int32),
            kin_from=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
            family=np.array([family_word(kind) for kind in game.types], np.uint64),
            listed=np.array([*self.listed, 0], np.int32),
            turns=np.array([n for n in awake if not game.types[n].is_avatar] or [-1], np.int32),
            rules=self.with_timers(self.fill_rules(self.by_pairs(), fixed)),
            edges=self.fill_rules(self.by_mentions(), fixed),
            timers=self.fill_timers(fixed),
            endings=self.fill_endings(),
            resources=self.resources,
            resource_limits=np.array([*limits, 0], np.int32),
            decor=decor,
        )

    # orders of GVGAI

    def by_pairs(self) -> list[Rule]:
        """The rules of a pair together, where the pair is first mentioned."""
        pairs: dict[tuple[int, int], list[Rule]] = {}
        for rule in self.game.rules:
            pairs.setdefault((rule.first, rule.second), []).append(rule)
        return [rule for rules in pairs.values() for rule in rules]

    def by_mentions(self) -> list[Rule]:
        """All edge rules of a type, once for each of its mentions."""
        return [
            rule
            for mention in self.game.edges
            for rule in self.game.edges
            if rule.first == mention.first
        ]

    # shortcuts

    def acts(self, kind: Type) -> bool:
        """Whether a type that does not move does something in its turn."""
        found = SPRITE_CLASSES[kind.class_name][0] if kind.class_name else Kind.STILL
        mortal = kind.values.get("timeToLive", -1) >= 0
        return mortal or found in (Kind.FLICKER, Kind.SPREADER, Kind.SPAWNER)

    def stays(self, values: Mapping[str, Any]) -> bool:
        """Whether sprites with these parameters are never carried on by their orientation."""
        return bool(values.get("is_static") or values.get("only_active"))

    def moves_itself(self, kind: Type) -> bool:
        if not kind.class_name:
            return False
        sort, defaults = SPRITE_CLASSES[kind.class_name]
        values = {**defaults, **kind.values}
        if sort in (Kind.STILL, Kind.FLICKER, Kind.SPREADER, Kind.SPAWNER):
            pushed = values.get("is_oriented") and values.get("speed", 0) != 0
            return bool(pushed) and not self.stays(values)
        return True

    def find_fixed(self) -> set[int]:
        """Types that never move, however they come about."""
        game = self.game
        moving = {kind.number for kind in game.types if self.moves_itself(kind)}
        stepped: set[int] = set()
        for rule in self.rules:
            aligns = rule.effect == effect_numbers.ATTRACTGAZE and has_flag(rule)
            if (aligns or rule.effect in _MOVING) and rule.first >= 0:
                moving |= set(game.types[rule.first].family)
            if rule.effect in _SPEEDS and "stype" in rule.values:
                moving |= set(game.types[rule.values["stype"]].family)
            if rule.effect == effect_numbers.STEPBACK:
                stepped |= set(game.types[rule.first].family)
            if rule.effect == effect_numbers.UNDOALL:
                stepped |= {kind.number for kind in game.types}
        # a sprite that was made of another has its last position, and may be stepped back to it
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                made = self.transformed(rule) & stepped
                makers = set(game.types[rule.first].family) if rule.first >= 0 else set()
                if "stype" in rule.values and rule.effect == effect_numbers.TRANSFORMTOALL:
                    makers |= set(game.types[rule.values["stype"]].family)
                if rule.effect == effect_numbers.TRANSFORMTOSINGLETON:
                    makers |= set(game.types[rule.values.get("stype", 0)].family)
                if makers & moving and made - moving:
                    moving |= made
                    changed = True
        return {k.number for k in game.types if k.class_name and k.number not in moving}

    def transformed(self, rule: Rule) -> set[int]:
        """The types that a rule may turn sprites into."""
        if not effect_numbers.TRANSFORMTO <= rule.effect <= effect_numbers.TRANSFORMIFCOUNT:
            return set()
        found = {rule.values[word] for word in _SPRITE_WORDS if word in rule.values}
        return found | {n for number in found for n in self.game.types[number].descendants}

    def find_decor(self) -> set[int]:
        """Types that nothing mentions."""
        game = self.game
        mentioned: set[int] = set()
        for rule in self.rules:
            named = [rule.first, rule.second]
            named += [value for word, value in rule.values.items() if word in _SPRITE_WORDS]
            for number in named:
                if number >= 0:
                    mentioned |= set(game.types[number].family)
        for ending in game.endings:
            named = [ending.values[word] for word in _ENDING_SPRITES if word in ending.values]
            if not named and ending.end != End.TIMEOUT:
                named = list(range(len(game.types)))
            for number in named:
                mentioned |= set(game.types[number].family)
        for kind in game.types:
            for word, sort in SPRITE_WORDS.items():
                if sort == "sprites":
                    for number in kind.values.get(word, ()):
                        mentioned |= set(game.types[number].family)
        return {
            kind.number
            for kind in game.types
            if kind.number not in mentioned and not self.moves_itself(kind) and not self.acts(kind)
        }

    def find_resources(self) -> list[int]:
        game = self.game
        found = {kind.number for kind in game.types if kind.class_name == "Resource"}
        for rule in self.rules:
            found |= {rule.values[w] for w in ("resource", "heldResource") if w in rule.values}
        found.discard(-1)
        for kind in game.types:
            found |= set(kind.values.get("ammo", ()))
        if len(found) > MOST_RESOURCES:
            raise DataError(
                f"{game.source}: has {len(found)} resources; the most is {MOST_RESOURCES}"
            )
        return sorted(found)

    # rows

    def list_types(self, numbers: list[int]) -> tuple[int, int]:
        """Note some types one after another: where they begin, and how many."""
        self.listed += numbers
        return len(self.listed) - len(numbers), len(numbers)

    def fill_type(self, row: Any, kind: Type, fixed: bool) -> None:
        if not kind.class_name:
            row.kind = -1
            return
        sort, defaults = SPRITE_CLASSES[kind.class_name]
        values = {**defaults, **kind.values}
        row.kind = sort
        row.avatar = sort >= FIRST_AVATAR
        row.speed = max(-MOST_SPEED, min(values.get("speed", 0.0), MOST_SPEED))
        row.cooldown = values.get("cooldown", 0)
        if sort in (Kind.SPAWNER, Kind.BOMBER, Kind.RANDOM_BOMBER, Kind.BOMBER_RANDOM_MISSILE):
            row.cooldown = max(1, row.cooldown)
        row.cons = counted(values.get("cons", 0))
        row.limit = values.get("limit", 0)
        row.total = values.get("total", 0)
        row.prob = values.get("spreadprob" if sort == Kind.SPREADER else "prob", 0.0)
        made = values.get("stypeMissile", []) if sort == Kind.BOMBER_RANDOM_MISSILE else []
        made = made or values.get("stype", [])
        if sort == Kind.SPREADER:
            made = made or [kind.number]
        row.makes = made[0] if made else -1
        row.makes_first, row.makes_number = self.list_types(made)
        row.oriented = values.get("is_oriented", False)
        row.faces = row.oriented or values.get("orientation", "NONE") != "NONE"
        row.static = self.stays(values)
        row.turns = values.get("rotateInPlace", False)
        row.way_x, row.way_y = DIRECTIONS[values.get("orientation", "NONE")]
        row.spawn_x, row.spawn_y = DIRECTIONS[values.get("spawnorientation", "NONE")]
        row.health = counted(values.get("healthPoints", 0))
        row.most_health = counted(values.get("limitHealthPoints", 1000))
        row.rivals = self.rivals(kind)
        row.fixed = fixed
        row.resource = self.resource(kind.number)
        row.value = counted(values.get("value", 1))
        row.ammo = self.resource(values["ammo"][0]) if values.get("ammo") else -1
        row.ammo_cost = counted(values.get("ammoCost", 1))
        row.least_ammo = values.get("minAmmo", -1)
        row.flees = values.get("fleeing", False)
        row.reach = values.get("maxDistance", -1)
        row.epsilon = values.get("epsilon", 0.0)
        row.wanders = values.get("wanders", False)
        chased = values.get("stype1", made)
        row.chased, row.chased_number = self.list_types(chased)
        row.feared, row.feared_number = self.list_types(values.get("stype2", []))
        row.life = values.get("timeToLive", -1)
        row.any_target = values.get("randomTarget", False)
        usable = AVATAR_MOVES.get(kind.class_name, ALL_WAYS) if row.avatar else ()
        row.moves = sum(1 << move for move in usable) | 1

    def rivals(self, kind: Type) -> int:
        """Types of which one sprite is enough for no more of this type to be made."""
        word = 0
        for number in [*kind.ancestors, kind.number]:
            if self.game.types[number].values.get("singleton"):
                word |= family_word(self.game.types[number])
        return word

    def resource(self, number: int) -> int:
        return self.resources.index(number) if number in self.resources else -1

    def fill_rules(self, rules: list[Rule], fixed: set[int]) -> np.ndarray:
        rows = np.zeros(len(rules), RULE)
        game = self.game
        for row, rule in zip(rows, rules, strict=True):
            values = rule.values
            row.effect, row.first, row.second = rule.effect, rule.first, rule.second
            firsts = set(game.types[rule.first].family) if rule.first >= 0 else set()
            row.firsts = sum(1 << number for number in firsts)
            row.seconds = family_word(game.types[rule.second]) if rule.second >= 0 else 0
            row.score = values.get("scoreChange", 0)
            row.other = values.get("stype", -1)
            row.third = next((values[w] for w in _THIRDS if w in values), -1)
            for name, word in (("resource", "resource"), ("held", "heldResource")):
                setattr(row, name, self.resource(values[word]) if word in values else -1)
            row.limit = values.get("limit", values.get("geq", 0))
            row.most = values.get("leq", NEVER)
            row.value = counted(values.get("value", _SPEEDS.get(rule.effect, 1.0)))
            row.prob = values.get("prob", 1.0)
            if rule.effect == effect_numbers.WRAPAROUND:
                row.value = values.get("offset", 0.0)
            row.flag = has_flag(rule)
            row.repeat = max(1, min(values.get("repeat", 1), 100))
            if rule.effect in _COLLECTING:
                row.flag = values.get("killResource", True)
            if rule.effect == effect_numbers.ALIGN:
                row.flag = values.get("orient", True)
            row.kills_second = values.get("killSecond", False)
            row.by_seconds = bool(firsts & fixed) and rule.effect not in _MOVE_SECONDS
            row.wakes_score = values.get("scoreChangeIfKilled", 0)
            row.spend = counted(values.get("spend", 0))
            row.timer = values.get("timer", 0)
            row.start = values.get("nextExecution", row.timer)
            row.repeats = values.get("repeating", False)
            row.shield = values.get("ftype", -1)
            row.counted = values.get("stypeCount", -1)
        return rows

    def fill_timers(self, fixed: set[int]) -> np.ndarray:
        """Rules that run at their times, then those that others set going."""
        later = [
            Rule(-1, -1, rule.values.get("ftype", effect_numbers.KILLALL), rule.values, rule.line)
            for rule in self.by_pairs()
            if rule.effect == effect_numbers.ADDTIMER
        ]
        rows = self.fill_rules([*self.game.timers, *later], fixed)
        rows["timer"][len(self.game.timers) :] = 0
        return rows

    def with_timers(self, rows: np.ndarray) -> np.ndarray:
        """Tell each rule that sets a timer the number of what runs then."""
        number = len(self.game.timers)
        for row in rows:
            if row.effect == effect_numbers.ADDTIMER:
                row.later = number
                number += 1
        return rows

    def fill_endings(self) -> np.ndarray:
        # one that cannot end the game only counts, which nobody here asks for
        endings = [ending for ending in self.game.endings if ending.values.get("canEnd", True)]
        rows = np.zeros(len(endings), ENDING)
        for row, ending in zip(rows, endings, strict=True):
            values = ending.values
            row.end = ending.end
            row.first = values.get("stype", values.get("stype1", -1))
            row.second, row.third = values.get("stype2", -1), values.get("stype3", -1)
            row.limit, row.kinds = values.get("limit", 0), values.get("subTypesNum", 0)
            row.least, row.win = values.get("min", False), values.get("win", False)
        return rows


_SPRITE_WORDS = (
    "stype",
    "stype_other",
    "stypeTo",
    "stype2",
    "stypeCount",
    "estype",
    "notStype",
    "spawnPoint",
    "resource",
    "heldResource",
)
_ENDING_SPRITES = ("stype", "stype1", "stype2", "stype3")
_THIRDS = ("stype_other", "stypeTo", "stype2", "estype", "spawnPoint", "notStype")
_FLAGS = ("killResource", "align", "orient", "pixelPerfect", "takeOrientation", "forceOrientation")
_SPEEDS = {  # effects on the speed of all sprites of a type, with their usual value
    effect_numbers.INCREASESPEEDTOALL: 0.1,
    effect_numbers.DECREASESPEEDTOALL: 0.1,
    effect_numbers.SETSPEEDFORALL: 0.0,
}
_COLLECTING = (effect_numbers.COLLECTRESOURCE, effect_numbers.COLLECTRESOURCEIFHELD)
_MOVING = (
    effect_numbers.TURNAROUND,
    effect_numbers.BOUNCEFORWARD,
    effect_numbers.ALIGN,
    effect_numbers.WRAPAROUND,
    effect_numbers.PULLWITHIT,
    effect_numbers.TELEPORTTOEXIT,
    effect_numbers.WALLSTOP,
)
# effects after which other seconds may touch, or the same touch other firsts
_MOVE_SECONDS = (*_MOVING, effect_numbers.UNDOALL)
