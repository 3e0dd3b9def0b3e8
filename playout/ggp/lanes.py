"""64 random games of a rulesheet at a time: a word for each gate, a bit of it for each game.

Every gate is evaluated at every step, but for 64 games with one instruction. That is quicker than
telling gates of what has changed (gates.py) where networks are small, or where a move changes much.
A game is known by its lane, the number of its bit. It draws from a random stream of its own, one
number for each role with a choice, in the order in which `Propnet` lists moves: so a lane plays the
same game, move by move, that the rules play with that stream.

Gates are conjunctions of two literals each, with both truth values at hand: a disjunction is the
negation of one. They are in three parts, each evaluated when it is needed: what is legal and the
end, what is next, and goals.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from playout.compiled import Compiled, helper
from playout.compiled.bits import bit, count_bits, lowest_bit, without_lowest
from playout.compiled.random import random_below, random_bits
from playout.errors import OptionError
from playout.ggp.game import GDLRules
from playout.ggp.gate_table import AND
from playout.ggp.gates import has_bit
from playout.ggp.network import Network

LANES = 64
QUICK, LATE, GOAL, _END = range(4)  # parts of the gates


@helper
def turn_over(block):
    """Turn a square of 64 words by 64 bits over: bit j of word i becomes bit i of word j."""
    size = 32
    mask = np.uint64(0xFFFFFFFF)
    while size > 0:
        shift = np.uint64(size)
        for first in range(0, 64, 2 * size):
            for i in range(first, first + size):
                low, high = block[i], block[i + size]
                swapped = ((low >> shift) ^ high) & mask
                block[i] = low ^ (swapped << shift)
                block[i + size] = high ^ swapped
        size >>= 1
        mask ^= mask << np.uint64(size)


@helper
def bit_number(word, k):
    """The number of the bit of a word that has k others below it; without a branch."""
    at, width = np.uint64(0), np.uint64(32)
    left = np.uint64(k)
    while width > np.uint64(0):
        below = np.uint64(count_bits(word & ((np.uint64(1) << width) - np.uint64(1))))
        above = np.uint64(left >= below)
        left -= above * below
        word >>= above * width
        at += above * width
        width >>= np.uint64(1)
    return at


class Lanes(Compiled):
    """The network of a game, and the games that are played on it.

    - `words`: what holds in each lane: the constant, bases, actions and conjunctions, and once
      more the negation of each;
    - `left`, `right`: the words that each conjunction has, in the three `parts`;
    - `following`, `goal_words`, `terminal`: the words of what is next, of goals and of the end;
    - `legal`: the words of the moves as `Propnet` lists them, `listed` which actions they are;
      `ranges`: those of a role as words of 64 with a mask, from `range_at` on;
    - `steps`, `rng`: of each lane how many steps its game has had, and its random stream.
    """

    fields = (
        *("words", "left", "right", "parts", "following", "goal_words", "goals", "goal_role"),
        *("goal_value", "terminal", "legal", "listed", "ranges", "range_at", "blocks", "steps"),
        *("rng", "after", "size", "bases", "roles", "longest", "several", "listed_at"),
    )

    def __init__(self, game: GDLRules) -> None:
        layout = game.loaded.layout
        network = layout.network
        if network.cycles:
            raise OptionError(
                f"{network.source}: it has facts that follow from one another (cycles), which are "
                "not played 64 at a time"
            )
        self.bases = len(network.bases)
        self.roles, self.longest = game.roles, game.longest
        gates = _Conjunctions(network)
        quick = network.cone([*network.legal, network.terminal])
        late, goal = network.cone(network.next), network.cone(network.goals)
        quick |= network.cone([2 * node for node in late & goal])
        self.parts = np.zeros(_END + 1, np.int64)
        for part, nodes in enumerate((quick, late - quick, goal - quick)):
            gates.add(sorted(nodes))
            self.parts[part + 1] = len(gates.pairs)
        self.size = size = network.first_gate + len(gates.pairs)

        def words_of(literals: Iterable[int]) -> np.ndarray:
            return np.array([(one >> 1) + size * (one & 1) for one in literals] or [0], np.uint32)

        pairs = gates.pairs or [(0, 0)]
        self.left = words_of(one for one, _ in pairs)
        self.right = words_of(one for _, one in pairs)
        self.following = words_of(map(gates.literal, network.next))
        self.goal_words = words_of(map(gates.literal, network.goals))
        self.goals = np.zeros(len(self.goal_words), np.uint64)
        self.goal_role, self.goal_value = game.goal_role, game.goal_value
        self.terminal = int(words_of([gates.literal(network.terminal)])[0])
        listed = [action for _, action in sorted(layout.action_at.items())]
        self.listed = np.array([1 + self.bases + action for action in listed], np.uint32)
        self.legal = words_of(gates.literal(network.legal[action]) for action in listed)
        self._take_ranges([network.actions[action][0] for action in listed])
        self.words = np.zeros(2 * size, np.uint64)
        self.words[0] = ~np.uint64(0)
        self.after = np.zeros(max(1, self.bases), np.uint64)
        self.blocks = np.zeros((-(-len(listed) // 64), 64), np.uint64)
        self.steps = np.zeros(LANES, np.int64)
        self.rng = np.zeros(LANES, np.uint64)
        self.several = np.zeros(self.roles, np.uint64)

    def _take_ranges(self, roles: list[int]) -> None:
        """Where the moves of each role are in the words of a lane, whose role is given for each."""
        ranges: list[tuple[int, int]] = []
        self.range_at = np.zeros(self.roles + 1, np.int64)
        for role in range(self.roles):
            masks: dict[int, int] = {}
            for at, whose in enumerate(roles):
                if whose == role:
                    masks[at // 64] = masks.get(at // 64, 0) | 1 << at % 64
            ranges += sorted(masks.items())
            self.range_at[role + 1] = len(ranges)
        self.ranges = np.array(ranges, np.uint64)
        self.listed_at = np.searchsorted(roles, np.arange(self.roles + 1))

    def put(self, lane, truths, step):
        """Put a game in a lane: the words of the bases that hold, and how many steps it had."""
        words, mine, shift, one = self.words, bit(lane), np.uint64(lane), np.uint64(1)
        bases, size = np.uint64(self.bases), np.uint64(self.size)
        for first in range(np.uint64(0), bases, np.uint64(64)):
            truth = truths[first >> np.uint64(6)]
            for i in range(min(np.uint64(64), bases - first)):
                base = one + first + i
                word = (words[base] & ~mine) | ((truth >> i & one) << shift)
                words[base] = word
                words[size + base] = ~word
        self.steps[lane] = step

    def advance(self, active):
        """Play a step in the lanes that are active, as bits; those whose games are over instead.

        Their goals can be asked for until the next step.
        """
        self.evaluate(QUICK)
        over = self.words[self.terminal] | self.at_limit()
        choosing = np.uint64(0)
        for role in range(self.roles):
            self.several[role], none = self.leave_no_choice(role)
            choosing |= self.several[role]
            over |= none
        over &= active
        left = active & ~over
        self.list_moves()
        for role in range(self.roles):
            self.choose(role, left & self.several[role])
        left &= ~choosing
        while left != np.uint64(0):  # the rules draw one of one move then
            lane = lowest_bit(left)
            left = without_lowest(left)
            random_bits(self.rng[lane : lane + 1])
        if over != np.uint64(0):
            self.evaluate(GOAL)
            for i in range(len(self.goals)):  # which may be bases: what is next would show
                self.goals[i] = self.words[self.goal_words[i]]
        if over != active:
            self.evaluate(LATE)
            self.take_next()
        return over

    def evaluate(self, part):
        """Evaluate the conjunctions of a part."""
        words, left, right = self.words, self.left, self.right
        size = np.uint64(self.size)  # an index without a sign is not looked at for it
        first = size - np.uint64(len(left))
        for i in range(np.uint64(self.parts[part]), np.uint64(self.parts[part + 1])):
            both = words[left[i]] & words[right[i]]
            words[first + i] = both
            words[size + first + i] = ~both

    def at_limit(self):
        """Count a step in each lane; those, as bits, that have had all before."""
        steps, longest = self.steps, self.longest
        found = np.uint64(0)
        for lane in range(LANES):
            found |= np.uint64(steps[lane] >= longest) << np.uint64(lane)
            steps[lane] += 1
        return found

    def leave_no_choice(self, role):
        """Do the moves of a role where it has one; the lanes with several, and those with none."""
        words, legal, listed, size = self.words, self.legal, self.listed, np.uint64(self.size)
        first, last = np.uint64(self.listed_at[role]), np.uint64(self.listed_at[role + 1])
        some, several = np.uint64(0), np.uint64(0)
        for at in range(first, last):
            word = words[legal[at]]
            several |= some & word
            some |= word
        for at in range(first, last):
            word = words[legal[at]] & ~several
            words[listed[at]] = word
            words[size + listed[at]] = ~word
        return several, ~some

    def list_moves(self):
        """Fill the blocks: of each lane the moves that are legal there, as bits."""
        words, legal, blocks = self.words, self.legal, self.blocks
        for number in range(len(blocks)):
            first = 64 * number
            n = min(64, len(legal) - first)
            for i in range(n):
                blocks[number, i] = words[legal[first + i]]
            for i in range(n, 64):
                blocks[number, i] = np.uint64(0)
            turn_over(blocks[number])

    def choose(self, role, lanes):
        """Draw a move of a role in each of some lanes, and do it."""
        words, listed, size = self.words, self.listed, np.uint64(self.size)
        blocks, ranges, rng = self.blocks, self.ranges, self.rng
        first, last = np.uint64(self.range_at[role]), np.uint64(self.range_at[role + 1])
        while lanes != np.uint64(0):
            lane = np.uint64(lowest_bit(lanes))
            mine = lanes & ~without_lowest(lanes)
            lanes = without_lowest(lanes)
            n = 0
            for i in range(first, last):
                n += count_bits(blocks[ranges[i, 0], lane] & ranges[i, 1])
            k = random_below(rng[lane : lane + np.uint64(1)], n)
            for i in range(first, last):
                word = blocks[ranges[i, 0], lane] & ranges[i, 1]
                n = count_bits(word)
                if k < n:
                    action = listed[np.uint64(64) * ranges[i, 0] + bit_number(word, k)]
                    words[action] |= mine
                    words[size + action] &= ~mine
                    break
                k -= n

    def take_next(self):
        """What is next becomes what is, in all lanes."""
        words, after, following = self.words, self.after, self.following
        bases, size = np.uint64(self.bases), np.uint64(self.size)
        for base in range(bases):
            after[base] = words[following[base]]
        for base in range(bases):
            words[base + np.uint64(1)] = after[base]
            words[base + np.uint64(1) + size] = ~after[base]

    def goal_in(self, lane, role):
        """The highest goal of a role in a lane whose game is over, from 0 to 1; 0 if none holds."""
        best = 0.0
        for i in range(len(self.goal_role)):
            if self.goal_role[i] == role and has_bit(self.goals[i], lane):
                best = max(best, self.goal_value[i])
        return best


class _Conjunctions:
    """Conjunctions of two literals each, made of the gates of a network part by part.

    Equal ones are one within a part; all parts may use those of the first.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.pairs: list[tuple[int, int]] = []
        self._of_first: dict[tuple[int, int], int] | None = None
        self._literals: dict[int, int] = {}  # of the nodes of gates

    def literal(self, literal: int) -> int:
        """The literal here of one of the network."""
        node = literal >> 1
        if node < self.network.first_gate:
            return literal
        return self._literals[node] ^ (literal & 1)

    def add(self, nodes: list[int]) -> None:
        """Add the gates of a part, whose inputs come before them."""
        known = dict(self._of_first or {})
        for node in nodes:
            gate = node - self.network.first_gate
            sign = 0 if self.network.kinds[gate] == AND else 1
            parts = [self.literal(one) ^ sign for one in self.network.inputs[gate]]
            while len(parts) > 1:  # in pairs, so that few have to wait for another
                odd = parts[len(parts) // 2 * 2 :]
                pairs = zip(parts[::2], parts[1::2], strict=False)
                parts = [self._both(*pair, known) for pair in pairs] + odd
            self._literals[node] = parts[0] ^ sign
        if self._of_first is None:
            self._of_first = known

    def _both(self, one: int, other: int, known: dict[tuple[int, int], int]) -> int:
        pair = (min(one, other), max(one, other))
        if pair not in known:
            self.pairs.append(pair)
            known[pair] = 2 * (self.network.first_gate + len(self.pairs) - 1)
        return known[pair]
