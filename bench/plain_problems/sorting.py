"""A sorting network for eight numbers: comparators one after another, until all is sorted."""

import playout as po


class Sorting(po.Problem):
    """The number of comparators, and one more for each input that is not sorted after 40.

    What sorts all sequences of zeros and ones sorts everything. A comparator may only be added
    where it changes something.
    """

    sense = "min"
    fields = ("wires", "most")

    def __init__(self, wires=8, most=40):
        self.wires, self.most = wires, most
        # the sequences that can be there, as numbers with a bit for each wire
        self.state_type = po.record(there=("?", 1 << wires), count="i4")
        self.move_type = po.record(low="i4", high="i4")
        self.max_moves, self.max_length = wires * (wires - 1) // 2, most

    def reset(self, state):
        state.there[:] = True

    def changes(self, state, low, high):
        for bits in range(len(state.there)):
            if state.there[bits] and (bits >> low) & 1 > (bits >> high) & 1:
                return True
        return False

    def moves(self, state, moves):
        n = 0
        if state.count == self.most:
            return 0
        for high in range(self.wires):
            for low in range(high):
                if self.changes(state, low, high):
                    moves[n].low = low
                    moves[n].high = high
                    n += 1
        return n

    def play(self, state, move):
        state.count += 1
        for bits in range(len(state.there)):
            if state.there[bits] and (bits >> move.low) & 1 > (bits >> move.high) & 1:
                state.there[bits] = False
                state.there[bits - (1 << move.low) + (1 << move.high)] = True

    def score(self, state):
        unsorted = 0
        for bits in range(len(state.there)):
            if state.there[bits]:
                for wire in range(1, self.wires):
                    if (bits >> (wire - 1)) & 1 > (bits >> wire) & 1:
                        unsorted += 1
                        break
        return state.count + unsorted
