"""A crossword: names of animals on a board of 10 by 10, each crossing another one."""

import numpy as np

import playout as po

ANIMALS = """
alpaca badger beaver bison camel cobra cougar coyote eagle falcon ferret gibbon gorilla hamster
heron hyena iguana jaguar koala lemur lizard llama moose otter panda parrot pelican puma rabbit
raccoon salmon seal stork tiger
"""


class Crossword(po.Problem):
    """The letters on the board, and once more each that two words share.

    The first word lies across, in the middle row. Each other one shares a letter with a word on
    the board. Its new letters touch no others at their sides; before and after it the board is
    empty or ends.
    """

    fields = ("text", "length", "size")

    def __init__(self, size=10):
        self.names = ANIMALS.split()
        self.length = np.array([len(name) for name in self.names])
        self.text = np.zeros((len(self.names), self.length.max()), np.int64)
        for i, name in enumerate(self.names):
            self.text[i, : len(name)] = [ord(letter) - ord("a") + 1 for letter in name]
        self.size = size
        words = len(self.names)
        self.state_type = po.record(
            cell=("i4", (size, size)), used=("?", words), count="i4", letters="i4", shared="i4"
        )
        self.move_type = po.record(word="i4", x="i4", y="i4", down="i4")
        self.max_moves = int(2 * size * (size + 1 - self.length).sum())
        self.max_length = words

    def empty(self, state, x, y):
        if x < 0 or y < 0 or x >= self.size or y >= self.size:
            return True
        return state.cell[y, x] == 0

    def fits(self, state, word, x, y, down):
        right, below = 1 - down, down
        n = self.length[word]
        if not self.empty(state, x - right, y - below):
            return False
        if not self.empty(state, x + n * right, y + n * below):
            return False
        shared, new = 0, 0
        for i in range(n):
            cx, cy = x + i * right, y + i * below
            if state.cell[cy, cx] == self.text[word, i]:
                shared += 1
            elif state.cell[cy, cx] != 0:
                return False
            else:
                new += 1
                if not self.empty(state, cx + below, cy + right):
                    return False
                if not self.empty(state, cx - below, cy - right):
                    return False
        if state.count == 0:
            return down == 0 and y == self.size // 2
        return new > 0 and shared > 0

    def moves(self, state, moves):
        n = 0
        for word in range(len(self.length)):
            if state.used[word]:
                continue
            room = self.size + 1 - self.length[word]
            for a in range(room):
                for b in range(self.size):
                    for down in range(2):
                        x, y = (b, a) if down else (a, b)
                        if self.fits(state, word, x, y, down):
                            moves[n].word = word
                            moves[n].x = x
                            moves[n].y = y
                            moves[n].down = down
                            n += 1
        return n

    def play(self, state, move):
        for i in range(self.length[move.word]):
            x, y = move.x + i * (1 - move.down), move.y + i * move.down
            if state.cell[y, x] == 0:
                state.cell[y, x] = self.text[move.word, i]
                state.letters += 1
            else:
                state.shared += 1
        state.used[move.word] = True
        state.count += 1

    def score(self, state):
        return state.letters + state.shared

    def move_text(self, state, move):
        way = "down" if move.down else "across"
        return f"{self.names[move.word]} {way} from {move.x},{move.y}"
