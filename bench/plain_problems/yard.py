"""A container yard: 45 containers in nine stacks are fetched in a given order, from the top."""

import numpy as np

import playout as po


class Yard(po.Problem):
    """How often a container is put from one stack onto another, as it was in the way."""

    sense = "min"
    fields = ("first", "height", "most", "containers")

    def __init__(self, stacks=9, height=5, most=7, seed=58):
        draw = np.random.default_rng(seed)
        self.containers = stacks * height
        # by stack, from the ground up: when it is fetched, from 1
        self.first = draw.permutation(self.containers).reshape(stacks, height) + 1
        self.height, self.most = height, most
        self.state_type = po.record(
            box=("i4", (stacks, most)), tall=("i4", stacks), next="i4", lifts="i4"
        )
        self.move_type = po.record(box="i4", stack="i4")
        self.max_moves, self.max_length = stacks - 1, self.containers * (most - 1)

    def reset(self, state):
        for stack in range(len(self.first)):
            for level in range(self.height):
                state.box[stack, level] = self.first[stack, level]
            state.tall[stack] = self.height
        state.next = 1
        self.fetch(state)

    def fetch(self, state):
        """Take what is next away as long as it is on top of a stack."""
        stack = 0
        while stack < len(self.first):
            top = state.tall[stack] - 1
            if top >= 0 and state.box[stack, top] == state.next:
                state.tall[stack] -= 1
                state.next += 1
                stack = 0
            else:
                stack += 1

    def buried(self, state):
        """The stack in which the next one is."""
        for stack in range(len(self.first)):
            for level in range(state.tall[stack]):
                if state.box[stack, level] == state.next:
                    return stack
        return -1

    def moves(self, state, moves):
        n = 0
        if state.next > self.containers:
            return 0
        here = self.buried(state)
        for stack in range(len(self.first)):
            if stack != here and state.tall[stack] < self.most:
                moves[n].box = state.box[here, state.tall[here] - 1]
                moves[n].stack = stack
                n += 1
        return n

    def play(self, state, move):
        here = self.buried(state)
        state.tall[here] -= 1
        state.box[move.stack, state.tall[move.stack]] = move.box
        state.tall[move.stack] += 1
        state.lifts += 1
        self.fetch(state)

    def score(self, state):
        return state.lifts
