"""Playout policies with dictionaries, by the papers' formulas and without any economy.

A move is (player, code), an N-gram a tuple of moves. A step of a simulation is the legal moves and
the one that was played.
"""

from __future__ import annotations

import math
from collections import defaultdict


def softmax(weights):
    most = max(weights)
    odds = [math.exp(weight - most) for weight in weights]
    return [x / sum(odds) for x in odds]


class Naive:
    """What both kinds share: N-grams of the last moves, up to length L."""

    def __init__(self, L=1, V=7, discount=1.0, unseen=0.0):
        self.L, self.V, self.discount, self.unseen = L, V, discount, unseen
        self.visits = defaultdict(int)

    def grams(self, history, move):
        """The N-grams that a move would end, the shortest first."""
        return [(*history[len(history) - n :], move) for n in range(min(self.L, len(history) + 1))]

    def value(self, history, move):
        grams = self.grams(history, move)
        counted = [grams[0]] + [gram for gram in grams[1:] if self.visits[gram] >= self.V]
        return sum(self.known(gram) for gram in counted) / len(counted)

    def probabilities(self, history, legal, sharpness):
        return softmax([sharpness * self.value(history, move) for move in legal])


class NaiveNST(Naive):
    def __init__(self, **options):
        super().__init__(unseen=1.0, **options)
        self.totals = defaultdict(float)

    def known(self, gram):
        return self.totals[gram] / self.visits[gram] if self.visits[gram] else self.unseen

    def learn(self, steps, rewards):
        history = []
        for i, (_, played) in enumerate(steps):
            reward = rewards[played[0]] * self.discount ** (len(steps) - 1 - i)
            for gram in self.grams(history, played):
                self.visits[gram] += 1
                self.totals[gram] += reward
            history.append(played)


class NaivePPA(Naive):
    def __init__(self, alpha, update, **options):
        super().__init__(**options)
        self.alpha, self.update = alpha, update
        self.weights = defaultdict(float)

    def known(self, gram):
        return self.weights[gram]

    def learn(self, steps, rewards):
        best = [player for player, reward in enumerate(rewards) if reward == max(rewards)]
        policy, adapted, history = self.weights, self.weights.copy(), []
        for i, (legal, played) in enumerate(steps):
            share = rewards[played[0]]
            if self.update == "winner":
                share = 1.0 if best == [played[0]] else 0.0
            rate = self.alpha * share * self.discount ** (len(steps) - 1 - i)
            for length, gram in enumerate(self.grams(history, played)):
                among = [self.grams(history, move)[length] for move in legal]
                for other in among:
                    self.visits[other] += share != 0
                p = softmax([policy[other] for other in among])
                adapted[gram] += rate
                for other, probability in zip(among, p, strict=True):
                    adapted[other] -= rate * probability
            history.append(played)
        self.weights = adapted
