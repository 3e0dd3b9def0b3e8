"""The rules of a network, compiled once for all rulesheets of a size.

What a rulesheet says is in arrays; only the record of a state has a size, one of a few
(`size_class`). Playing is differential: what has not changed is not looked at again. A step flips
the new actions on and the old ones off, settles the late gates, reads `next` against the bases,
flips those that differ, and settles the quick gates. A region's words are scanned from the lowest
bit up, in topological order, so each unit tells others at most once a step.

A unit's bit is toggled when its count crosses zero: of a gate it says "has flipped and has not
told", of legal moves, `next`, goals and cycles it is the truth itself.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper, record
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.records import mix
from playout.errors import DataError
from playout.ggp.checks import MOST_ROLES
from playout.ggp.effects import Programs
from playout.ggp.layout import CYCLE, FEEDERS, Layout, base_bits

# units and words of bases for which a state has room
_SIZES = ((512, 8), (2048, 16), (8192, 64), (32768, 128), (131072, 512), (524288, 2048))
YES = Programs.YES


def size_class(units: int, words: int, least: int = 0) -> tuple[int, int]:
    """The least room for so many units and words of bases, from the size of a number on."""
    for room in _SIZES[least:]:
        if units <= room[0] and words <= room[1]:
            return room
    raise DataError(
        f"{units:,} units and {64 * words:,} bases: there is room for {_SIZES[-1][0]:,}"
    )


@helper
def has_bit(word, number):
    """Whether a word has a bit."""
    return (word >> np.uint64(number)) & np.uint64(1) != np.uint64(0)


class Propnet(Compiled):
    """Roles who choose one after another, a step being one move of each.

    Those with a single legal move are passed over. The last one's choice plays the joint move.
    """

    fields = (
        *("starts", "targets", "segments", "regions", "units", "bases", "roles", "legal_at"),
        *("guards", "action_at", "terminal_at", "next_at", "base_words", "goal_at", "goal_role"),
        *("goal_value", "start_count", "start_bits", "start_truths", "longest", "step_counts"),
        *("goal_starts", "groups", "acts", "kept", "certain", "certain_at", "tested", "tested_at"),
        *("programs", "masks", "choices", "idle", "actions"),
    )

    least_size = 0  # the least size of a state, for who compiles a size before it is asked for

    def _take(self, layout: Layout, longest: int, bounded: bool) -> None:
        """Take the arrays of a layout; a game ends after `longest` steps, if not before."""
        network = layout.network
        self.starts, self.targets = layout.starts, layout.targets
        self.goal_starts = layout.goal_starts
        self.groups = np.array(layout.groups, np.int32)
        self.segments = np.array(layout.segments, np.int32)
        self.regions = np.array([layout.quick, layout.late, layout.goal], np.int32)
        self.units, self.bases, self.roles = layout.size, len(network.bases), len(network.roles)
        self.legal_at = np.array(layout.legal_at, np.int32)
        self.guards = np.array(layout.guards, np.int32)
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
        """Take what the actions do to the bases, as masks of words and programs of tests."""
        network, effects, programs = layout.network, layout.effects, layout.programs
        self.actions = len(network.actions)
        first = self.units + self.bases
        self.acts = bool(self.starts[first] < self.starts[first + self.actions])
        self.kept = base_bits(np.array(effects.kept, bool))
        masks: list[tuple[int, int, int]] = []
        tests: list[tuple[int, int]] = []
        self.certain_at = np.zeros(self.actions + 2, np.int32)
        self.tested_at = np.zeros(self.actions + 2, np.int32)
        for action in range(self.actions + 1):
            words: dict[int, list[int]] = {}
            for base, truth in effects.certain[action]:
                words.setdefault(base >> 6, [0, 0])[truth] |= 1 << (base & 63)
            masks += [(word, up, down) for word, (down, up) in sorted(words.items())]
            tests += [(one[0], programs.starts[one]) for one in effects.tested[action]]
            self.certain_at[action + 1], self.tested_at[action + 1] = len(masks), len(tests)
        self.certain = np.array(masks or [(0, 0, 0)], np.uint64)
        self.tested = np.array(tests or [(0, 0)], np.int32)
        sets: dict[int, int] = {}
        rows: list[tuple[int, int, int]] = []
        for node, no, yes, _, _ in programs.rows:
            if node < 0:
                at = self.units - 1 - node
            elif node in effects.taken:
                at = sets.setdefault(effects.taken[node], first + len(sets))
            else:
                at = layout.source_of(node)
            rows.append((at, no, yes))
        self.programs = np.array(rows or [(0, 0, 0)], np.int32)
        self.masks = np.array([row[3:] for row in programs.rows] or [(0, 0)], np.uint64)
        # of each set that programs ask for: a bit for each action
        words = -(-self.actions // 64)
        self.choices = np.array(
            [[mask >> 64 * i & (1 << 64) - 1 for i in range(words)] for mask in sets] or [[0]],
            np.uint64,
        )
        # the actions of roles whose turn it is not; none are known where turns are not proven
        self.idle = np.ones(self.actions, bool)
        if network.turns is not None and not network.turns.always:
            self.idle[:] = False
            for action in network.turns.idle:
                if action is not None:
                    self.idle[action] = True

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

    def flip(self, state, source, up):
        """Tell the units that read a source that it has become true, or false."""
        self.tell(state, self.starts[source], self.starts[source + 1], up)

    def tell(self, state, first, last, up):
        """Raise or lower the counts of the targets of some edges.

        A unit's bit is toggled where the sign of its count changes: without a branch, since which
        do cannot be foreseen.
        """
        count, bits, targets = state.count, state.bits, self.targets
        down = np.int64(0) if up else np.int64(1)
        for edge in range(first, last):
            target = np.int64(targets[edge])
            at = np.uint64(target >> 1)
            old = count[at]
            new = np.int8(old + 1 - 2 * ((target & 1) ^ down))
            count[at] = new
            crossed = np.uint64(np.uint8(old ^ new) >> np.uint8(7))
            bits[at >> np.uint64(6)] ^= crossed << (at & np.uint64(63))

    def settle_goals(self, state):
        """Bring the goals up to date, by the bases that are others than when last told."""
        starts = self.goal_starts
        for word in range(self.base_words):
            now = state.truths[word]
            changed = now ^ state.told[word]
            state.told[word] = now
            while changed != np.uint64(0):
                low = lowest_bit(changed)
                changed = without_lowest(changed)
                base = 64 * word + low
                self.tell(state, starts[base], starts[base + 1], has_bit(now, low))
        self.settle(state, 2)

    def settle(self, state, region):
        """Let all units of a region tell of their flips, each once."""
        fed = False
        for number in range(self.regions[region, 0], self.regions[region, 1]):
            kind = self.segments[number, 0]
            if kind == CYCLE:
                if fed:
                    self.derive_anew(state, number)
                fed = False
                continue
            for word in range(self.segments[number, 1], self.segments[number, 2]):
                while state.bits[word] != np.uint64(0):
                    low = lowest_bit(state.bits[word])
                    state.bits[word] ^= np.uint64(1) << np.uint64(low)
                    at = 64 * word + low
                    self.flip(state, at, state.count[at] >= 0)
                    if kind == FEEDERS:
                        fed = True

    def derive_anew(self, state, number):
        """The least fixed point of a cycle whose inputs have changed.

        What held is kept in the words behind the cycle's own, what follows in those behind them.
        """
        first, last = np.int64(self.segments[number, 1]), np.int64(self.segments[number, 2])
        within = np.int64(self.segments[number, 3])
        words = last - first
        for word in range(first, last):  # take back what the units have told one another
            held = state.bits[word + words]
            while held != np.uint64(0):
                source = within + 64 * (word - first) + lowest_bit(held)
                self.flip(state, source, False)
                held = without_lowest(held)
            state.bits[word + 2 * words] = np.uint64(0)
        changed = True
        while changed:
            changed = False
            for word in range(first, last):
                while state.bits[word] != state.bits[word + 2 * words]:
                    low = lowest_bit(state.bits[word] ^ state.bits[word + 2 * words])
                    state.bits[word + 2 * words] |= bit(low)
                    source = within + 64 * (word - first) + low
                    self.flip(state, source, True)
                    changed = True
        for word in range(first, last):
            new = state.bits[word]
            news = new ^ state.bits[word + words]
            state.bits[word + words] = new
            while news != np.uint64(0):
                low = lowest_bit(news)
                news = without_lowest(news)
                self.flip(state, 64 * word + low, has_bit(new, low))

    def play_step(self, state):
        """Play the joint move that was chosen."""
        if self.acts:
            self.tell_actions(state)
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
        for word in range(self.base_words):  # all is read before any flips: `next` reads bases
            changed = state.changed[word]
            now = state.truths[word] ^ changed
            state.truths[word] = now
            while changed != np.uint64(0):
                low = lowest_bit(changed)
                changed = without_lowest(changed)
                self.flip(state, self.units + 64 * word + low, has_bit(now, low))
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
        for i in range(self.certain_at[action], self.certain_at[action + 1]):
            word = self.certain[i, 0]
            truths = state.truths[word]
            state.changed[word] |= (self.certain[i, 1] & ~truths) | (self.certain[i, 2] & truths)
        for i in range(self.tested_at[action], self.tested_at[action + 1]):
            base = np.uint64(self.tested[i, 0])
            if self.says_so(state, np.int64(self.tested[i, 1])):
                state.changed[base >> np.uint64(6)] |= np.uint64(1) << (base & np.uint64(63))

    def says_so(self, state, at):
        """What a program of tests says, from a row on."""
        while at >= 0:
            source = np.int64(self.programs[at, 0])
            if source < self.units:
                truth = state.count[source] >= 0
            elif source < self.units + self.bases:
                truth = state.truths[source - self.units] & self.masks[at, 0] == self.masks[at, 1]
            else:
                truth = False
                for role in range(self.roles):
                    action = state.chosen[role]
                    bits = self.choices[source - self.units - self.bases, action >> 6]
                    truth = truth or has_bit(bits, action & 63)
            at = np.int64(self.programs[at, 2 if truth else 1])
        return at == YES

    def begin_step(self, state):
        """Choose for the roles that have no choice; the first that has one is to choose.

        The role is -1 if one of them has no legal move, which ends the game.
        """
        state.role = -2
        state.choices = 0
        for role in range(self.roles):
            number = self.count_legal(state, role)
            if number > 1:
                state.chosen[role] = -1
                if state.role == -2:
                    state.role = role
            else:
                state.chosen[role] = self.first_legal(state, role)
                if number == 0:
                    state.role = -1
        if state.role == -2:
            state.role = 0

    def group_is_open(self, state, group):
        """Whether the guard of a group of moves lets them be legal."""
        guard = self.guards[group]
        if guard < 0:
            return True
        return has_bit(state.truths[guard >> 7], (guard >> 1) & 63) != (guard & 1 != 0)

    def count_legal(self, state, role):
        number = 0
        for group in range(self.groups[role], self.groups[role + 1]):
            if self.group_is_open(state, group):
                for word in range(self.legal_at[group], self.legal_at[group + 1]):
                    number += count_bits(state.bits[word])
        return number

    def first_legal(self, state, role):
        for group in range(self.groups[role], self.groups[role + 1]):
            if self.group_is_open(state, group):
                for word in range(self.legal_at[group], self.legal_at[group + 1]):
                    if state.bits[word] != np.uint64(0):
                        return np.int64(self.action_at[64 * word + lowest_bit(state.bits[word])])
        return np.int64(-1)

    def list_legal(self, state, role, moves):
        """Fill `moves` with a role's legal moves; how many they are."""
        number = 0
        for group in range(self.groups[role], self.groups[role + 1]):
            if self.group_is_open(state, group):
                for word in range(self.legal_at[group], self.legal_at[group + 1]):
                    left = state.bits[word]
                    while left != np.uint64(0):
                        moves[number].action = self.action_at[64 * word + lowest_bit(left)]
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
