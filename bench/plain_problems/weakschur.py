"""Weak Schur numbers: 1, 2, 3, ... into a few sets, where no number is the sum of two others."""

import playout as po


class WeakSchur(po.Problem):
    """The score is the last number placed; 66 for four sets, at least 196 for five."""

    fields = ("sets", "most")

    def __init__(self, sets=5, most=260):
        self.sets, self.most = int(sets), int(most)
        self.state_type = po.record(place=("i1", self.most + 1), last="i4")
        self.move_type = po.record(number="i4", chosen="i4")
        self.max_moves, self.max_length = self.sets, self.most

    def reset(self, state):
        state.last = 0

    def moves(self, state, moves):
        number = state.last + 1
        n = 0
        if number > self.most:
            return 0
        for chosen in range(1, self.sets + 1):
            fits = True
            for a in range(1, (number + 1) // 2):
                if state.place[a] == chosen and state.place[number - a] == chosen:
                    fits = False
                    break
            if fits:
                moves[n].number = number
                moves[n].chosen = chosen
                n += 1
        return n

    def play(self, state, move):
        state.place[move.number] = move.chosen
        state.last = move.number

    def score(self, state):
        return state.last
