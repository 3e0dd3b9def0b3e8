"""A game in VGDL: its types, which sprites a character stands for, rules and endings.

T. Schaul, A Video Game Description Language for Model-based or Interactive Learning, CIG 2013; the
dialect is that of GVGAI (D. Perez-Liebana et al., General Video Game AI, IEEE ToG 2019). Every word
is understood or refused with its file and line.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from playout.arcade.vgdl import effect_numbers
from playout.arcade.vgdl.tree import Node, parse_tree
from playout.arcade.vgdl.words import (
    DIRECTIONS,
    EFFECT_NAMES,
    EFFECT_WORDS,
    EFFECTS,
    ENDING_NEEDED,
    ENDING_WORDS,
    ENDINGS,
    FIRST_AVATAR,
    GAME_WORDS,
    NEEDED,
    SPRITE_CLASSES,
    SPRITE_WORDS,
    WITH_SECOND,
    WITHOUT_FIRST,
    End,
    Kind,
)
from playout.errors import DataError, DataWarning, nearest

MOST_TYPES = 64  # a type is a bit of a 64-bit word
MOST_RULES = 256
LARGEST = 1_000_000  # of numbers in a description
_WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
_REAL = re.compile(r"[-+]?(?:[0-9]{1,9}\.?[0-9]{0,18}|\.[0-9]{1,18})")
_MAKERS = (Kind.SPAWNER, Kind.BOMBER, Kind.RANDOM_BOMBER, Kind.BOMBER_RANDOM_MISSILE)
_SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet")
EDGE, TIME = "EOS", "TIME"


@dataclass
class Type:
    """A type of sprites: its class, and parameters, those of the types above it included."""

    name: str
    line: int
    number: int = 0
    class_name: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    ancestors: list[int] = field(default_factory=list)  # from the outermost
    descendants: list[int] = field(default_factory=list)  # in the order of the file

    @property
    def is_avatar(self) -> bool:
        return bool(self.class_name) and SPRITE_CLASSES[self.class_name][0] >= FIRST_AVATAR

    @property
    def family(self) -> list[int]:
        """The types that its name stands for, in GVGAI's order: its ancestors are among them."""
        return list(dict.fromkeys([*self.ancestors, self.number, *self.descendants]))


@dataclass
class Rule:
    """An effect of two types that touch; of one type at the edge, or at a time."""

    first: int
    second: int
    effect: int
    values: dict[str, Any]
    line: int


@dataclass
class Ending:
    """What ends the game, and whether it is won then."""

    end: End
    values: dict[str, Any]
    line: int


@dataclass
class Description:
    """All that a file says of a game."""

    source: str
    types: list[Type] = field(default_factory=list)
    mapping: dict[str, list[int]] = field(default_factory=dict)
    faults: dict[str, tuple[int, str]] = field(default_factory=dict)  # names of no sprite there
    rules: list[Rule] = field(default_factory=list)  # of pairs, in the order of the file
    edges: list[Rule] = field(default_factory=list)
    timers: list[Rule] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    square_size: int = 0
    obstacles: list[int] = field(default_factory=lambda: [0])  # of paths; else the wall


def parse_description(text: str, source: str) -> Description:
    """The game that a text describes."""
    return _Reader(source).read(text)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.game = Description(source)
        self.by_name: dict[str, Type] = {}

    def refuse(self, line: int, reason: str) -> DataError:
        return DataError(f"{self.source}, line {line}: {reason}")

    def read(self, text: str) -> Description:
        root = parse_tree(text, self.source)
        begins = root.children[0].text.split()[0] == "BasicGame" if root.children else False
        if not begins or len(root.children) > 1:
            node = root.children[begins] if root.children else Node("", 1, 0)
            raise self.refuse(
                node.line,
                f"{node.text[:40]!r}: a game begins with one line BasicGame, and all else stands "
                "deeper",
            )
        top = root.children[0]
        options = self.values(top.text.split()[1:], GAME_WORDS, top.line, "the game")
        self.game.square_size = options.get("square_size", 0)
        if not 2 <= options.get("square_size", 2) <= 200:
            raise self.refuse(top.line, f"square_size={self.game.square_size}: from 2 to 200")
        if options.get("no_players", 1) != 1:
            raise self.refuse(top.line, "no_players: only games of one player are played")
        sections: dict[str, Node] = {}
        for node in top.children:
            name, *rest = node.text.split()
            if name not in _SECTIONS:
                raise self.refuse(
                    node.line, f"there is no section {name[:40]!r}; {nearest(name, _SECTIONS)}"
                )
            if name in sections:
                raise self.refuse(node.line, f"a second {name}")
            if rest:
                raise self.refuse(node.line, f"{rest[0][:40]!r}: {name} should stand alone")
            sections[name] = node
        for name in _SECTIONS:
            if name not in sections:
                raise self.missing(name, top)
        # two types are there without being declared, and are the first in GVGAI's order
        for name, class_name in (("wall", "Immovable"), ("avatar", "MovingAvatar")):
            self.by_name[name] = Type(name, 0, len(self.by_name), class_name)
            self.game.types.append(self.by_name[name])
        self.read_types(sections["SpriteSet"].children, None)
        self.check_types()
        if "obs" in options:
            names = options["obs"].split(",")
            self.game.obstacles = [self.type_of(name, top.line).number for name in names]
        self.game.mapping = {"w": [0], "A": [1]}
        for node in self.lines_of(sections["LevelMapping"]):
            self.read_mapping(node)
        for node in self.lines_of(sections["InteractionSet"]):
            self.read_rule(node)
        for node in self.lines_of(sections["TerminationSet"]):
            self.read_ending(node)
        return self.game

    def missing(self, name: str, top: Node) -> DataError:
        """A section that is not there, or not where it should be."""
        left = list(top.children)
        while left:
            node = left.pop()
            if node.text.split()[0] == name:
                return self.refuse(node.line, f"{name} should be as deep as the other sections")
            left += node.children
        return DataError(f"{self.source}: has no {name}")

    def warn(self, line: int, text: str) -> None:
        """Say what is played otherwise than it looks."""
        warnings.warn(f"{self.source}, line {line}: {text}", DataWarning, stacklevel=3)

    def lines_of(self, section: Node) -> Iterator[Node]:
        """The lines of a section. What stands deeper belongs to none: it is left out, and told."""
        for node in section.children:
            for below in node.children:
                text = f"{below.text[:40]!r} stands deeper than line {node.line}: it is left out"
                self.warn(below.line, text)
            yield node

    # types

    def read_types(self, nodes: list[Node], parent: Type | None) -> None:
        for node in nodes:
            name, arrow, rest = node.text.partition(">")
            name = name.strip()
            if not arrow or not name or len(name.split()) > 1:
                raise self.refuse(
                    node.line, f"{node.text[:40]!r} should be NAME > CLASS WORD=VALUE"
                )
            if name in (EDGE, TIME):
                raise self.refuse(node.line, f"{name} is no name for a sprite")
            found = self.by_name.get(name)
            if found is None:
                found = Type(name, node.line, len(self.game.types))
                self.game.types.append(found)
                self.by_name[name] = found
                if len(self.game.types) > MOST_TYPES:
                    raise self.refuse(
                        node.line, f"more than {MOST_TYPES - 2} types of sprites ({name[:40]})"
                    )
            found.line = node.line
            words = rest.split()
            own = ""
            if words and "=" not in words[0]:
                own = words.pop(0)
                if own not in SPRITE_CLASSES:
                    hint = nearest(own, SPRITE_CLASSES)
                    raise self.refuse(
                        node.line, f"there is no class of sprites {own[:40]!r}; {hint}"
                    )
            values = self.values(words, SPRITE_WORDS, node.line, name)
            # the class of the type above comes before its own
            found.class_name = (parent.class_name if parent else "") or own
            found.values = {**(parent.values if parent else {}), **values}
            if parent is not None and not found.ancestors:  # not one declared again
                found.ancestors = [*parent.ancestors, parent.number]
                for number in found.ancestors:
                    self.game.types[number].descendants.append(found.number)
            if found.number in found.ancestors:
                raise self.refuse(node.line, f"{name} is below itself")
            self.read_types(node.children, found)

    def check_types(self) -> None:
        """Look up the types that parameters name, now that all are declared."""
        for kind in self.game.types:
            for word, sort in SPRITE_WORDS.items():
                if sort == "sprites" and isinstance(kind.values.get(word), str):
                    names = kind.values[word].split(",")
                    kind.values[word] = [self.type_of(name, kind.line).number for name in names]
            made = [*kind.values.get("stype", ()), *kind.values.get("stypeMissile", ())]
            does = SPRITE_CLASSES[kind.class_name][0] if kind.class_name else Kind.STILL
            if kind.number in made and does in _MAKERS:
                raise self.refuse(kind.line, f"{kind.name} makes sprites of its own type")

    def type_of(self, name: str, line: int) -> Type:
        if name not in self.by_name:
            raise self.refuse(
                line, f"there is no sprite {name[:40]!r}; {nearest(name, self.by_name)}"
            )
        return self.by_name[name]

    # the other sections

    def read_mapping(self, node: Node) -> None:
        sign, blank, rest = node.text[:1], node.text[1:].lstrip(), ""
        if not blank.startswith(">"):
            raise self.refuse(node.line, f"{node.text[:40]!r} should be CHARACTER > SPRITE ...")
        rest = blank[1:]
        names = rest.split()
        if not names:
            raise self.refuse(node.line, f"the character {sign!r} stands for no sprite")
        self.game.mapping[sign] = found = []
        for name in names:
            kind = self.by_name.get(name)
            if kind is None:
                self.game.faults.setdefault(sign, (node.line, name))
            elif kind.class_name:  # of one without a class no sprite is made
                found.append(kind.number)
            elif not kind.descendants:
                self.warn(node.line, f"{name[:40]!r} has no class: no sprite of it is made")

    def read_rule(self, node: Node) -> None:
        left, arrow, right = node.text.partition(">")
        names, words = left.split(), right.split()
        if not arrow or len(names) < 2 or not words or "=" in words[0]:
            raise self.refuse(node.line, f"{node.text[:40]!r} should be SPRITE SPRITE > EFFECT")
        effect = self.effect_of(words[0], node.line)
        values = self.values(words[1:], EFFECT_WORDS, node.line, words[0])
        self.look_up(values, EFFECT_WORDS, node.line)
        self.check_effect(effect, words[0], values, node.line)
        if not {EDGE, TIME}.isdisjoint(name.upper() for name in names) and effect in WITH_SECOND:
            raise self.refuse(node.line, f"{words[0]} needs two sprites: {left.strip()[:40]!r}")
        names = [name.upper() if name.upper() in (EDGE, TIME) else name for name in names]
        for second in names[1:]:
            pair = (names[0], second)
            rule = Rule(-1, -1, effect, values, node.line)
            if TIME in pair:
                rule.first = self.type_of(pair[pair[0] == TIME], node.line).number
                self.need(("timer",), TIME, values, node.line)
                if values["timer"] < 1:
                    raise self.refuse(node.line, f"timer={values['timer']}: should be 1 or more")
                self.game.timers.append(rule)
            elif EDGE in pair:
                rule.first = self.type_of(pair[pair[0] == EDGE], node.line).number
                self.game.edges.append(rule)
            else:
                rule.first, rule.second = (self.type_of(name, node.line).number for name in pair)
                self.game.rules.append(rule)
        game = self.game
        if len(game.rules) + len(game.edges) + len(game.timers) > MOST_RULES:
            raise self.refuse(node.line, f"more than {MOST_RULES} rules")

    def check_effect(self, effect: int, word: str, values: dict[str, Any], line: int) -> None:
        """Refuse an effect without the parameters that it needs."""
        needed = NEEDED.get(effect, ())
        if effect == effect_numbers.ADDTIMER and "ftype" in values:
            if values["ftype"] not in WITHOUT_FIRST:
                names = {EFFECTS[name.lower()]: name for name in EFFECT_NAMES}
                able = ", ".join(names[number] for number in WITHOUT_FIRST)
                raise self.refuse(
                    line,
                    f"addTimer: ftype={names[values['ftype']]} needs a sprite, which a timer has "
                    f"not; there are: {able}",
                )
            needed = (*needed, *NEEDED.get(values["ftype"], ()))
        for words in needed:
            self.need(words, word, values, line)
        spawns = (effect_numbers.SPAWNIFHASMORE, effect_numbers.SPAWNIFHASLESS)
        if values.get("resource", 0) < 0 and effect not in spawns:
            raise self.refuse(line, f"{word}: there is no sprite 'null'")

    def need(self, words: tuple[str, ...], what: str, values: dict[str, Any], line: int) -> None:
        """Refuse what has none of some parameters."""
        if not any(name in values for name in words):
            raise self.refuse(line, f"{what} needs the parameter {words[0]}")

    def effect_of(self, word: str, line: int) -> int:
        if word.lower() not in EFFECTS:
            raise self.refuse(
                line, f"there is no effect {word[:40]!r}; {nearest(word, EFFECT_NAMES)}"
            )
        return EFFECTS[word.lower()]

    def read_ending(self, node: Node) -> None:
        words = node.text.split()
        if words[0] not in ENDINGS:
            raise self.refuse(
                node.line, f"there is no ending {words[0][:40]!r}; {nearest(words[0], ENDINGS)}"
            )
        values = self.values(words[1:], ENDING_WORDS, node.line, words[0])
        self.need(ENDING_NEEDED[ENDINGS[words[0]]], words[0], values, node.line)
        self.look_up(values, ENDING_WORDS, node.line)
        self.game.endings.append(Ending(ENDINGS[words[0]], values, node.line))

    def look_up(self, values: dict[str, Any], known: Mapping[str, str], line: int) -> None:
        for word, value in values.items():
            if known[word] == "sprite":
                nothing = word == "resource" and value == "null"
                values[word] = -1 if nothing else self.type_of(value, line).number

    # parameters

    def values(
        self, words: list[str], known: Mapping[str, str], line: int, what: str
    ) -> dict[str, Any]:
        """WORD=VALUE, each understood; names of sprites stay text here."""
        found = {}
        for word in words:
            name, sign, value = word.partition("=")
            if not sign:
                raise self.refuse(line, f"{word[:40]!r} of {what} should be WORD=VALUE")
            if name not in known:
                raise self.refuse(
                    line, f"{what} has no parameter {name[:40]!r}; {nearest(name, known)}"
                )
            found[name] = self.value(value, known[name], word, line)
        return found

    def value(self, text: str, sort: str, word: str, line: int) -> Any:
        one = text.split(",")[0]  # of several players the first
        if sort == "whole" and _WHOLE.fullmatch(one) and abs(int(one)) <= LARGEST:
            return int(one)
        if sort in ("whole", "real") and _REAL.fullmatch(one) and abs(float(one)) <= LARGEST:
            return int(float(one)) if sort == "whole" else float(one)
        if sort == "truth" and one.lower() in ("true", "false", "0", "1"):
            return one.lower() in ("true", "1")
        if sort == "way" and text.upper() in DIRECTIONS:
            return text.upper()
        if sort == "effect":
            return self.effect_of(text, line)
        if sort == "physics":
            if text.upper() == "GRID":
                return text
            raise self.refuse(line, f"{word[:40]}: only games with physicstype=GRID are played")
        if sort in ("sprite", "sprites", "text") and text:
            return text
        wanted = {
            "whole": f"a whole number up to {LARGEST:,}",
            "real": f"a number up to {LARGEST:,}",
            "truth": "True or False",
            "way": "UP, DOWN, LEFT or RIGHT",
        }
        raise self.refuse(line, f"{word[:40]}: should be {wanted.get(sort, 'a name')}")
