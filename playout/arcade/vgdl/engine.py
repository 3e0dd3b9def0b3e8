"""Games in VGDL: one compiled engine that interprets tables, tick by tick as GVGAI does.

A tick: last positions are noted; the avatar moves; all other types have their turns, the last
declared first, each group in the order of creation; edge rules; rules pair by pair; the dead are
removed; endings. Positions are pixels, and sprites touch if their blocks overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.arcade.vgdl.collisions import pair_rules
from playout.arcade.vgdl.effects import apply
from playout.arcade.vgdl.files import read_game
from playout.arcade.vgdl.javarandom import seeded
from playout.arcade.vgdl.levels import Level
from playout.arcade.vgdl.motion import note
from playout.arcade.vgdl.paths import first_steps
from playout.arcade.vgdl.pictures import screen_svg, screen_text
from playout.arcade.vgdl.pool import (
    DEAD,
    DISABLED,
    NOWHERE,
    POOL_FULL,
    RESOURCES,
    SHIELDS_FULL,
    SIZES,
    TIMERS_FULL,
    bury,
    copy_state,
    count_types,
    create_one_more,
    settle,
    spans,
    state_record,
)
from playout.arcade.vgdl.rules import Description
from playout.arcade.vgdl.spawners import spawners_turn
from playout.arcade.vgdl.sprites import SPAWNER, avatar_turn, turn
from playout.arcade.vgdl.tables import make_tables
from playout.arcade.vgdl.words import MOVE_NAMES, End, Kind
from playout.compiled import copy_record, helper, record, wrapping
from playout.compiled.random import random_bits
from playout.contract import Problem
from playout.errors import ProblemError

SPRITE_COUNTER, SPRITE_COUNTER_MORE = int(End.SPRITE_COUNTER), int(End.SPRITE_COUNTER_MORE)
SUB_TYPES, TIMEOUT = int(End.MULTI_SPRITE_COUNTER_SUB_TYPES), int(End.TIMEOUT)
LAST_TICK = 2000
MOST_PATHS = 2048  # cells: every way between two of them is found before the game


@helper
def tick(game, state, move):
    """One tick of the game."""
    turns(game, state, move)
    if len(game.timers) > 0:
        timed_rules(game, state)
    edge_rules(game, state)
    pair_rules(game, state)
    if state.dying > 0:
        bury(game, state)
    endings(game, state)
    state.tick += 1


@helper
def turns(game, state, move):
    state.shields = 0
    if state.moved > 0:
        settle(game, state)
    avatar = state.sprites[state.avatar]
    note(avatar)
    avatar_turn(game, state, move)
    for k in range(len(game.turns)):
        kind = game.turns[k]
        if kind < 0:
            break
        i = state.first[kind]
        if i < 0:
            continue
        row = game.types[kind]
        if row.kind == SPAWNER and row.static:
            spawners_turn(game, state, kind)
            continue
        fixed = row.fixed
        while i >= 0:
            s = state.sprites[i]
            if not fixed:
                note(s)
            turn(game, state, i)
            i = s.next


@helper
def timed_rules(game, state):
    """Rules whose time has come."""
    for k in range(len(game.timers)):
        rule = game.timers[k]
        if rule.timer <= 0:
            continue
        due = state.tick == rule.start
        if rule.repeats and state.tick > rule.start:
            due = (state.tick - rule.start) % rule.timer == 0
        if due:
            run_timed(game, state, rule)
    k = 0
    while k < state.timers:
        if state.timer_at[k] > state.tick:
            k += 1
            continue
        rule = game.timers[state.timer_rule[k]]
        state.timers -= 1
        for n in range(k, state.timers):
            state.timer_at[n] = state.timer_at[n + 1]
            state.timer_rule[n] = state.timer_rule[n + 1]
        run_timed(game, state, rule)


@helper
def run_timed(game, state, rule):
    if rule.first < 0:
        if apply(game, state, rule, -1, -1):
            state.score += rule.score
        return
    limit = state.serial
    for k in range(game.kin_from[rule.first], game.kin_from[rule.first + 1]):
        i = state.first[game.kin[k]]
        while i >= 0:
            s = state.sprites[i]
            if s.serial < limit and s.mode & (DEAD | DISABLED) == 0:
                if apply(game, state, rule, i, -1):
                    state.score += rule.score
            i = s.next


@helper
def edge_rules(game, state):
    """Rules of sprites that are not wholly on the screen."""
    block = game.block
    right, bottom = (game.columns - 1) * block, (game.rows - 1) * block
    for number in range(len(game.edges)):
        rule = game.edges[number]
        if rule.firsts & state.present[0] == 0:
            continue
        limit = state.serial
        for k in range(game.kin_from[rule.first], game.kin_from[rule.first + 1]):
            i = state.first[game.kin[k]]
            while i >= 0:
                s = state.sprites[i]
                outside = s.x < 0 or s.y < 0 or s.x > right or s.y > bottom
                if outside and s.serial < limit and s.mode & DEAD == 0:
                    if apply(game, state, rule, i, -1):
                        state.score += rule.score
                i = s.next


@helper
def endings(game, state):
    """The first ending that has come about, or the last tick."""
    for k in range(len(game.endings)):
        row = game.endings[k]
        if is_over(game, state, row):
            state.ended = 1
            state.won = row.win
            if row.win and state.score <= 0:
                state.score = 1
            return
    if state.tick >= LAST_TICK:
        state.ended = 1


@helper
def is_over(game, state, row):
    if row.end == TIMEOUT:
        return state.tick >= row.limit
    if row.end == SPRITE_COUNTER:
        return row.first >= 0 and count_types(game, state, row.first) <= row.limit
    if row.end == SPRITE_COUNTER_MORE:
        return row.first >= 0 and count_types(game, state, row.first) >= row.limit
    number = 0
    for kind in (row.first, row.second, row.third):
        if kind >= 0:
            number += count_types(game, state, kind)
    if row.end == SUB_TYPES:
        return number == row.limit and kinds_below(game, state, row.first) == row.kinds
    return number >= row.limit if row.least else number == row.limit


@helper
def kinds_below(game, state, kind):
    """How many of the types just below one have sprites."""
    found = 0
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        below = game.kin[k]
        if game.parents[below] == kind and count_types(game, state, below) > 0:
            found += 1
    return found


class VGDL(Problem):
    """A video game in the Video Game Description Language, on one of its levels.

    Parameters
    ----------
    game : Description
        The game, as `parse_description` reads it.
    level : Level
        The level, as `parse_level` reads it.
    sprites : int
        How many sprites there may be at a time; 0: by the level.
    shortcuts : bool
        Whether what cannot move is looked up by its cell; the game is the same without.
    """

    fields = (
        *("types", "kin", "kin_from", "family", "listed", "turns", "rules", "edges", "timers"),
        *("endings", "resource_limits", "block", "columns", "rows", "movers", "starts", "paths"),
        *("lefts", "tops", "parents"),
    )
    chance = True
    outcome_type = record(standing="i8", score="f8")

    def __init__(
        self, game: Description, level: Level, *, sprites: int = 0, shortcuts: bool = True
    ) -> None:
        tables = make_tables(game, shortcuts)
        self.game, self.level, self.tables = game, level, tables
        self.types, self.kin, self.kin_from = tables.types, tables.kin, tables.kin_from
        self.family, self.listed, self.turns = tables.family, tables.listed, tables.turns
        self.rules, self.edges, self.timers = tables.rules, tables.edges, tables.timers
        self.endings, self.resource_limits = tables.endings, tables.resource_limits
        self.columns, self.rows = level.columns, level.rows
        self.block = game.square_size or max(2, 800 // max(level.columns, level.rows))
        moving = [k for k in range(len(game.types)) if not tables.types[k].fixed]
        self.movers = np.uint64(sum(1 << k for k in moving))
        self.size = self._room(sprites)
        resources = next(n for n in RESOURCES if n >= len(tables.resources))
        self.state_type = state_record(self.size, resources)
        self.move_type = "i8"
        self.max_moves, self.max_length = len(MOVE_NAMES), LAST_TICK + 1
        self.paths = self._paths()
        self.parents = np.array(
            [kind.ancestors[-1] if kind.ancestors else -1 for kind in game.types]
        )
        self.lefts, self.tops = spans(self.columns, self.block), spans(self.rows, self.block)
        self.starts = np.zeros(1, self.state_type)
        with wrapping():
            self._lay_out(self.starts[0])

    @classmethod
    def default(
        cls, *, game: str = "orchard", level: str = "0", sprites: int = 0, **options: Any
    ) -> VGDL:
        """A game by its name or file, on a level by its number or file."""
        return cls(*read_game(game, level), sprites=sprites, **options)

    @classmethod
    def read(cls, path: Any, *, level: str = "0", sprites: int = 0, **options: Any) -> list[VGDL]:
        """The game of a description's file, on a level by its number or file."""
        return [cls(*read_game(str(path), level), sprites=sprites, **options)]

    def _room(self, sprites: int) -> int:
        """The size class: room for the level's cells and more sprites than it has."""
        there = sum(kind not in self.tables.decor for _, _, kind in self.level.sprites)
        more = sprites or min(there + max(64, there // 2), SIZES[-1])
        wanted = max(self.columns * self.rows, there, more)
        for size in SIZES:
            if size >= wanted:
                return size
        raise ProblemError(
            f"{self.level.source}: needs room for {wanted:,} sprites or cells; the most is "
            f"{SIZES[-1]:,}"
        )

    def _lay_out(self, state: Any) -> None:
        """Put the sprites of the level into an empty state."""
        state.free = state.loose = NOWHERE
        state.first[:] = state.last[:] = NOWHERE
        state.heads[:] = NOWHERE
        state.version = 1
        for column, row, kind in self.level.sprites:
            if kind in self.tables.decor:
                continue
            i = create_one_more(self, state, kind, column * self.block, row * self.block)
            if i >= 0 and self.types[kind].avatar:
                state.avatar = i

    def _paths(self) -> np.ndarray:
        """First steps between all cells, if a sprite asks for them."""
        seekers = (Kind.PATH_CHASER, Kind.PATH_ALTERNATE_CHASER)
        if not np.isin(self.types["kind"], seekers).any():
            return np.zeros((1, 1), np.int8)
        if self.rows * self.columns > MOST_PATHS:
            raise ProblemError(
                f"{self.level.source}: has {self.rows * self.columns:,} cells; paths are found "
                f"between {MOST_PATHS:,} at most"
            )
        blocked = np.zeros((self.rows, self.columns), np.bool_)
        for column, row, kind in self.level.sprites:
            blocked[row, column] |= kind in self.game.obstacles
        return first_steps(blocked)

    # the rules

    def reset(self, state):
        copy_record(self.starts[0], state)

    def moves(self, state, moves):
        if state.ended:
            return 0
        allowed = self.types[state.sprites[state.avatar].type].moves
        n = 0
        for move in range(6):
            if (allowed >> move) & 1:
                moves[n] = move
                n += 1
        return n

    def play(self, state, move):
        tick(self, state, move)
        if state.trouble == POOL_FULL:
            raise ProblemError(
                "there are more sprites than there is room for: give more, such as sprites=1000 "
                "(playout arcade: --sprites 1000)"
            )
        if state.trouble == TIMERS_FULL:
            raise ProblemError("there are more than 64 timers of addTimer at a time")
        if state.trouble == SHIELDS_FULL:
            raise ProblemError("there are more than 64 shields of shieldFrom at a time")

    def score(self, state):
        return float(state.score)

    def copy_world(self, state, out):
        copy_state(self, state, out)

    # luck and outcomes

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng) >> np.uint64(16)

    def outcome(self, state, player, out):
        out.standing = state.won + state.won + 1 - state.ended
        out.score = state.score

    def better(self, a, b):
        if a.standing != b.standing:
            return 1 if a.standing > b.standing else -1
        if a.score != b.score:
            return 1 if a.score > b.score else -1
        return 0

    def worth(self, out, low, high):
        share = (out.score - low) / (high - low) if high > low else 0.5
        return (out.standing + share) / 3.0

    def java_root(self, seed: int) -> np.ndarray:
        """The start with the luck of GVGAI's seed, as an array of one state."""
        states = self.new_states(1)
        self.reset(states[0])
        states[0].luck[0] = seeded(seed)
        return states

    # for people

    def move_text(self, state: Any, move: Any) -> str:
        return MOVE_NAMES[int(move)]

    def sprites(self, state: Any) -> dict[int, list[tuple[int, int]]]:
        """The places of all sprites in pixels, by type, each group in its order."""
        groups: dict[int, list[tuple[int, int]]] = {}
        for column, row, kind in self.level.sprites:
            if kind in self.tables.decor:
                groups.setdefault(kind, []).append((column * self.block, row * self.block))
        for kind in range(len(self.types)):
            i = int(state.first[kind])
            while i >= 0:
                sprite = state.sprites[i]
                groups.setdefault(kind, []).append((int(sprite.x), int(sprite.y)))
                i = int(sprite.next)
        return dict(sorted(groups.items()))

    def numbered_sprites(self, state: Any) -> dict[int, tuple[int, int, int]]:
        """The simulated sprites by their serial numbers: type and place in pixels."""
        found = {}
        for kind in range(len(self.types)):
            i = int(state.first[kind])
            while i >= 0:
                sprite = state.sprites[i]
                found[int(sprite.serial)] = kind, int(sprite.x), int(sprite.y)
                i = int(sprite.next)
        return found

    def render(self, state: Any) -> str:
        return screen_text(self, state)

    def svg(self, state: Any) -> str:
        return screen_svg(self, state)
