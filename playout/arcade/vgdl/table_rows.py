"""The rows of the tables that the engine reads: a type of sprites, a rule, an ending."""

from __future__ import annotations

from playout.arcade.vgdl.words import each
from playout.compiled import record

TYPE = record(
    kind="i4",
    speed="f8",
    **each("i4", "cooldown cons limit total"),
    prob="f8",
    **each("i4", "makes makes_first makes_number"),
    **each("i1", "oriented faces static turns way_x way_y spawn_x spawn_y"),
    **each("i4", "health most_health"),
    rivals="u8",
    fixed="i1",
    **each("i4", "resource value ammo ammo_cost least_ammo"),
    flees="i1",
    reach="f8",
    **each("i4", "chased chased_number feared feared_number"),
    wanders="i1",
    epsilon="f8",
    life="i4",
    any_target="i1",
    moves="i4",
    avatar="i1",
)
RULE = record(
    **each("i4", "effect first second"),
    **each("u8", "firsts seconds"),
    **each("i4", "score other third resource held limit most"),
    **each("f8", "value prob"),
    **each("i1", "flag kills_second by_seconds"),
    **each("i4", "wakes_score spend timer"),
    repeats="i1",
    **each("i4", "start shield counted repeat later"),
)
ENDING = record(
    **each("i4", "end first second third limit kinds"),
    **each("i1", "least win"),
)
