"""Random descriptions in VGDL: every class, effect, ending and parameter, in any combination."""

from __future__ import annotations

import random

from playout.arcade.vgdl.words import (
    EFFECT_WORDS,
    EFFECTS,
    ENDING_NEEDED,
    ENDING_WORDS,
    ENDINGS,
    NEEDED,
    SPRITE_CLASSES,
    SPRITE_WORDS,
)

NAMES = ("a", "b", "c", "d", "e", "avatar", "wall")
LEVEL = ".bcde\n.b.c.\nwwA.w\nab.de"
VALUES = {
    "whole": ("0", "1", "2", "3", "5", "-1", "100"),
    "real": ("0", "0.3", "1", "2", "-1"),
    "truth": ("True", "False"),
    "sprite": NAMES,
    "sprites": (*NAMES, "a,b"),
    "way": ("UP", "DOWN", "LEFT", "RIGHT"),
    "effect": tuple(EFFECTS),
    "text": ("x",),
    "physics": ("GRID",),
}


def random_description(rng: random.Random, paths: bool) -> str:
    """A description; some of them are refused. Without `paths` nothing is compiled for it."""
    avatars = [name for name in SPRITE_CLASSES if "Avatar" in name]
    others = [name for name in SPRITE_CLASSES if "Avatar" not in name]
    others = [name for name in others if paths or "Path" not in name]
    lines = ["BasicGame square_size=10", "  SpriteSet"]
    for name in NAMES[:5]:
        lines.append(f"    {name} > {rng.choice(others)} {_words(rng, SPRITE_WORDS, 3)}")
    lines.append(f"    avatar > {rng.choice(avatars)} {_words(rng, SPRITE_WORDS, 2)}")
    lines += ["  LevelMapping", "    . > wall a", *(f"    {n} > {n}" for n in NAMES[:5])]
    lines.append("  InteractionSet")
    lines += [f"    {_rule(rng)}" for _ in range(rng.randint(3, 12))]
    lines += ["  TerminationSet", f"    {_ending(rng)}"]
    return "\n".join([*lines, "    Timeout limit=30"])


def _rule(rng: random.Random) -> str:
    name = rng.choice(list(EFFECTS))
    needed = [rng.choice(words) for words in NEEDED.get(EFFECTS[name], ())]
    given = [f"{word}={rng.choice(VALUES[EFFECT_WORDS[word]])}" for word in needed]
    free = {word: sort for word, sort in EFFECT_WORDS.items() if word not in needed}
    free = {word: sort for word, sort in free.items() if word not in ("stype", "resource", "ftype")}
    seconds = rng.choice([*NAMES, "EOS", "TIME"])
    return f"{rng.choice(NAMES)} {seconds} > {name} {' '.join(given)} {_words(rng, free, 2)}"


def _ending(rng: random.Random) -> str:
    name = rng.choice(list(ENDINGS))
    needed = rng.choice(ENDING_NEEDED[ENDINGS[name]])
    given = f"{needed}={rng.choice(VALUES[ENDING_WORDS[needed]])}"
    free = {word: sort for word, sort in ENDING_WORDS.items() if word != needed}
    return f"{name} {given} {_words(rng, free, 2)}"


def _words(rng: random.Random, known: dict[str, str], number: int) -> str:
    chosen = rng.sample(list(known), number)
    return " ".join(f"{word}={rng.choice(VALUES[known[word]])}" for word in chosen)
