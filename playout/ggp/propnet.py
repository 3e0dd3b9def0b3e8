"""The rules of a network, compiled once for all rulesheets of a size.

What a rulesheet says is in arrays; only the record of a state has a size, one of a few
(`size_class`). Playing is differential: what has not changed is not looked at again. A step notes
which bases its moves change (effects.py), and reads for the others what their gates say is next;
then it flips all of them, and settles the quick gates (gates.py).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from playout.compiled import record
from playout.compiled.bits import count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.errors import DataError
from playout.ggp.checks import MOST_ROLES
from playout.ggp.effect_programs import FIRST_ROW, EffectArrays
from playout.ggp.gates import Gates, has_bit
from playout.ggp.layout import PLAIN, Layout, base_bits

# units and words of bases for which a state has room
_SIZES = ((512, 8), (2048, 16), (8192, 64), (32768, 128), (131072, 512), (524288, 2048))
GUARD, MASK, WANTED, FIRST, LAST = range(5)  # of a group of moves: its guard and its words
_FEW_WORDS = 8  # of quick gates, up to which those with flips are kept in mind


def _guard_bit(guard: int) -> tuple[int, int]:
    """The bit of a guard in its word, and what it is where the group is open."""
    if guard < 0:
        return 0, 0
    bit_of = 1 << (guard >> 1 & 63)
    return bit_of, 0 if guard & 1 else bit_of


def size_class(units: int, words: int, least: int = 0) -> tuple[int, int]:
    """The least room for so many units and words of bases, from the size of a number on."""
    for room in _SIZES[least:]:
        if units <= room[0] and words <= room[1]:
            return room
    raise DataError(
        f"{units:,} units and {64 * words:,} bases: there is room for {_SIZES[-1][0]:,}"
    )


class Propnet(Gates):
    """Roles who choose one after another, a step being one move of each.

    Those with a single legal move are passed over. The last one's choice plays the joint move.
    """

    fields = (
        *("starts", "targets", "segments", "regions", "units", "bases", "roles"),
        *("role_groups", "action_at", "terminal_at", "next_at", "base_words", "goal_at"),
        *("goal_role", "goal_value", "start_count", "start_bits", "start_truths", "longest"),
        *("step_counts", "goal_starts", "groups", "acts", "kept", "telling", "certain"),
        *("certain_at", "tested", "tested_at", "programs", "choices", "idle", "actions", "gated"),
        "quick_words",
    )

    least_size = 0  # the least size of a state, for who compiles a size before it is asked for

    def _take(self, layout: Layout, longest: int, bounded: bool) -> None:
        """Take the arrays of a layout; a game ends after `longest` steps, if not before."""
        network = layout.network
        self.starts, self.targets = layout.starts, layout.targets
        self.goal_starts = layout.goal_starts
        self.role_groups = np.array(layout.groups, np.int64)
        self.groups = np.array(
            [
                (max(guard, 0) >> 7, *_guard_bit(guard), first, last)
                for guard, (first, last) in zip(
                    layout.guards, pairwise(layout.legal_at), strict=True
                )
            ],
            np.uint64,
        )
        self.segments = np.array(layout.segments, np.int32)
        self.regions = np.array([layout.quick, layout.late, layout.goal], np.int32)
        self.units, self.bases, self.roles = layout.size, len(network.bases), len(network.roles)
        self.action_at = np.zeros(64 * layout.legal_at[-1] + 1, np.int32)
        for at, action in layout.action_at.items():
            self.action_at[at] = action
        self.terminal_at, self.next_at = layout.terminal_at, layout.next_at
        self.goal_at = layout.goal_at
        self.base_words = -(-self.bases // 64)
        self.goal_role = np.array([role for role, _ in network.goal_values] or [-1], np.int32)
        self.goal_value = np.array([value / 100 for _, value in network.goal_values] or [0.0])
        self._take_effects(layout)
        self.longest = longest
        self.step_counts = not bounded  # whether the number of the step is part of the position
        room, words = size_class(self.units, self.base_words, self.least_size)
        self.state_type = record(
            count=("i1", room),
            bits=("u8", room // 64),
            truths=("u8", words),
            changed=("u8", words),
            told=("u8", words),  # the bases as the gates of the goals know them
            does=("i4", MOST_ROLES),
            chosen=("i4", MOST_ROLES),
            role="i4",
            step="i4",
            choices="i4",
        )
        self.move_type = record(action="i4")
        start = np.array(network.init, bool)
        self.start_truths = base_bits(start)
        self.start_count, self.start_bits = layout.evaluate(start)

    def _take_effects(self, layout: Layout) -> None:
        """Take what the actions do to the bases."""
        first = self.units + self.bases
        arrays = EffectArrays(layout.network, layout.effects, layout.programs, layout.source_of)
        self.actions = len(layout.network.actions)
        self.certain, self.certain_at = arrays.certain, arrays.certain_at
        self.tested, self.tested_at = arrays.tested, arrays.tested_at
        self.programs, self.choices, self.idle = arrays.programs, arrays.choices, arrays.idle
        self.kept = base_bits(np.array(layout.effects.kept, bool))
        self.acts = bool(self.starts[first] < self.starts[first + self.actions])
        self.telling = base_bits(np.diff(self.starts[self.units : first + 1]) > 0)
        self.gated = layout.has_gates(layout.late)
        (kind, begun, end, _), *more = layout.segments[slice(*layout.quick)]
        few = kind == PLAIN and begun == 0 and end <= _FEW_WORDS and not more
        self.quick_words = np.uint64((1 << end) - 1 if few else 0)

    def reset(self, state):
        for i in range(self.units):
            state.count[i] = self.start_count[i]
        for i in range(len(self.start_bits)):
            state.bits[i] = self.start_bits[i]
        for i in range(self.base_words):
            state.truths[i] = self.start_truths[i]
            state.told[i] = self.start_truths[i]
        for role in range(self.roles):
            state.does[role] = -1
        self.begin_step(state)

    def play_step(self, state):
        """Play the joint move that was chosen."""
        if self.acts:
            self.tell_actions(state)
        if self.gated:
            self.settle(state, 1)
        for word in range(self.base_words):
            new_word = state.bits[self.next_at + word]
            state.changed[word] = (new_word ^ state.truths[word]) & self.kept[word]
        nobody = True
        for role in range(self.roles):
            action = np.int64(state.chosen[role])
            self.take_effect(state, action)
            nobody = nobody and self.idle[action]
        if nobody:
            self.take_effect(state, self.actions)
        pending = np.uint64(0)
        for word in range(self.base_words):  # all is read before any flips: `next` reads bases
            changed = state.changed[word]
            now = state.truths[word] ^ changed
            state.truths[word] = now
            changed &= self.telling[word]
            while changed != np.uint64(0):
                low = lowest_bit(changed)
                changed = without_lowest(changed)
                pending |= self.flip(state, self.units + 64 * word + low, has_bit(now, low))
        if self.quick_words != np.uint64(0):
            self.settle_quick(state, pending)
        else:
            self.settle(state, 0)
        state.step += 1
        self.begin_step(state)
        if self.has_ended(state):
            self.settle_goals(state)

    def tell_actions(self, state):
        """Flip the actions that were chosen on, and those before them off."""
        actions = self.units + self.bases
        for role in range(self.roles):
            new, old = state.chosen[role], state.does[role]
            if new != old:
                self.flip(state, actions + new, True)
                if old >= 0:
                    self.flip(state, actions + old, False)
                state.does[role] = new

    def take_effect(self, state, action):
        """Note which bases an action changes: those that it certainly does, and those by a test."""
        truths, changed, certain, tested = state.truths, state.changed, self.certain, self.tested
        for i in range(self.certain_at[action], self.certain_at[action + 1]):
            word = certain[3 * i]
            truth = truths[word]
            changed[word] |= (certain[3 * i + 1] & ~truth) | (certain[3 * i + 2] & truth)
        for i in range(self.tested_at[action], self.tested_at[action + 1]):
            base = tested[2 * i]
            says = self.says_so(state, tested[2 * i + 1])
            changed[base >> np.uint64(6)] |= says << (base & np.uint64(63))

    def says_so(self, state, at):
        """What a program of tests says, from a row on: 1 or 0."""
        truths, programs = state.truths, self.programs
        units, bases = np.uint64(self.units), np.uint64(self.bases)
        while at >= np.uint64(FIRST_ROW):
            source = programs[4 * at]
            if source < units:
                truth = state.count[source] >= 0
            elif source < units + bases:
                truth = truths[source - units] & programs[4 * at + 1] == programs[4 * at + 2]
            else:
                truth = self.is_chosen(state, source - units - bases)
            further = programs[4 * at + 3]
            at = (further >> np.uint64(32)) if truth else (further & np.uint64(0xFFFFFFFF))
        return at

    def is_chosen(self, state, number):
        """Whether one of a set of actions was chosen."""
        for role in range(self.roles):
            action = state.chosen[role]
            if has_bit(self.choices[number, action >> 6], action & 63):
                return True
        return False

    def begin_step(self, state):
        """Choose for the roles that have no choice; the first that has one is to choose.

        The role is -1 if one of them has no legal move, which ends the game.
        """
        mover = -2
        state.choices = 0
        for role in range(self.roles):
            number, action = self.count_legal(state, role)
            if number > 1:
                action = np.int64(-1)
                if mover == -2:
                    mover = role
            elif number == 0:
                mover = -1
            state.chosen[role] = action
        state.role = 0 if mover == -2 else mover

    def count_legal(self, state, role):
        """How many legal moves a role has, and one of them; -1 if there is none."""
        bits, truths, groups = state.bits, state.truths, self.groups
        number, at = 0, -1
        for group in range(self.role_groups[role], self.role_groups[role + 1]):
            if truths[groups[group, GUARD]] & groups[group, MASK] == groups[group, WANTED]:
                for word in range(groups[group, FIRST], groups[group, LAST]):
                    if bits[word] != np.uint64(0):
                        number += count_bits(bits[word])
                        at = 64 * np.int64(word) + lowest_bit(bits[word])
        return number, np.int64(self.action_at[at]) if at >= 0 else np.int64(-1)

    def list_legal(self, state, role, moves):
        """Fill `moves` with a role's legal moves; how many they are."""
        bits, truths, groups, actions = state.bits, state.truths, self.groups, self.action_at
        number = 0
        for group in range(self.role_groups[role], self.role_groups[role + 1]):
            if truths[groups[group, GUARD]] & groups[group, MASK] == groups[group, WANTED]:
                for word in range(groups[group, FIRST], groups[group, LAST]):
                    left = bits[word]
                    while left != np.uint64(0):
                        moves[number].action = actions[64 * np.int64(word) + lowest_bit(left)]
                        number += 1
                        left = without_lowest(left)
        return number

    def is_terminal(self, state):
        return state.count[self.terminal_at] >= 0

    def has_ended(self, state):
        """Whether nothing more is played: by the rules, by the limit, or without a legal move."""
        return self.is_terminal(state) or state.step >= self.longest or state.role < 0

    def moves(self, state, moves):
        if self.has_ended(state):
            return 0
        return self.list_legal(state, np.int64(state.role), moves)

    def play(self, state, move):
        state.chosen[state.role] = move.action
        for role in range(state.role + 1, self.roles):
            if state.chosen[role] < 0:
                state.role = role
                state.choices += 1
                return
        self.play_step(state)

    def concealed(self, state):
        return np.int64(state.choices)

    def goal_of(self, state, role):
        """The highest goal that holds for a role in any state, from 0 to 1; 0 if none does."""
        self.settle_goals(state)
        return self.final_goal(state, role)

    def final_goal(self, state, role):
        """The same where the game has ended, which leaves the state as it is."""
        best = 0.0
        for i in range(len(self.goal_role)):
            if self.goal_role[i] == role and state.count[self.goal_at + i] >= 0:
                best = max(best, self.goal_value[i])
        return best

    def goals_holding(self, state, role):
        """How many goals hold for a role; there should be one."""
        self.settle_goals(state)
        number = 0
        for i in range(len(self.goal_role)):
            if self.goal_role[i] == role and state.count[self.goal_at + i] >= 0:
                number += 1
        return number

    def code(self, state, move):
        return np.uint64(move.action)

    def key(self, state):
        word = np.uint64(state.role + 1)
        for i in range(self.base_words):
            word = mix(word ^ state.truths[i]) + np.uint64(i)
        return word

    def pack(self, state, symmetry, spare, out):
        for i in range(self.base_words):
            out[i] = state.truths[i]
        step = state.step if self.step_counts else 0
        out[self.base_words] = np.uint64(16 * step + state.role + 1)
        for role in range(self.roles):
            chosen = state.chosen[role] if role < state.role else -1
            out[self.base_words + 1 + role] = np.uint64(chosen + 1)
