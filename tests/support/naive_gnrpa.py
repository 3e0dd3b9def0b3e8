"""GNRPA as the papers write it: recursive, with dictionaries, and slow. To check ours against.

It draws from the same random streams, so that the two must play the same games.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout.algorithms.gnrpa import GNRPA
from playout.compiled.maths import exp
from playout.compiled.random import random_unit, stream_of
from playout.contract import Problem


class BudgetSpent(Exception):
    pass


class NaiveGNRPA:
    def __init__(self, problem: Problem, options: GNRPA, seed: int) -> None:
        self.problem, self.options, self.seed = problem, options, seed
        self.playouts = 0
        self.runs = 0
        self.best: tuple[float, Any] = (-math.inf, None)
        self.top_N = options.per_level("N", options.N)[-1]

    def run(self, budget: int) -> None:
        self.budget = budget
        try:
            while True:
                self.level(self.options.level, {})
                self.runs += 1
                if self.options.doubling:
                    self.top_N *= 2
        except BudgetSpent:
            pass

    def playout(self, policy: dict) -> tuple[float, Any]:
        """Algorithm 4: (score, [(codes, biases, index, move) of each step])."""
        if self.playouts == self.budget:
            raise BudgetSpent
        o = self.options
        rng = np.array([stream_of(np.uint64(self.seed), self.playouts)], np.uint64)
        state, legal = self.problem.root()[0], self.problem.new_moves()
        steps, played = [], []
        while n := self.problem.moves(state, legal):
            codes, biases, logits = [], [], []
            for m in range(n):
                code = self.problem.code(state, legal[m])
                key = (int(code), *played[::-1][: o.history]) if o.history else int(code)
                bias = self.problem.bias(state, legal[m]) if o.bias else 0.0
                codes.append(key)
                biases.append(bias)
                logits.append(policy.get(key, 0.0) / o.tau + bias)
            odds = [exp(x - max(logits)) for x in logits]
            left, k = random_unit(rng) * sum(odds), 0
            while k < n - 1 and left >= odds[k]:
                left -= odds[k]
                k += 1
            steps.append((codes, biases, k, legal[k].copy()))
            played.append(int(self.problem.code(state, legal[k])))
            self.problem.play(state, legal[k].copy())
        self.playouts += 1
        score = float(self.problem.score(state))
        if score > self.best[0]:
            self.best = score, steps
        return score, steps

    def adapt(self, policy: dict, steps: Any) -> dict:
        """Algorithm 5: the gradient of the whole sequence, then the step."""
        o = self.options
        new = dict(policy)
        for codes, biases, k, _ in steps:
            logits = [policy.get(c, 0.0) / o.tau + b for c, b in zip(codes, biases, strict=True)]
            odds = [exp(x - max(logits)) for x in logits]
            z = sum(odds)
            for m, code in enumerate(codes):
                new[code] = new.get(code, 0.0) - o.alpha / o.tau * (odds[m] / z - (m == k))
        return new

    def level(self, level: int, policy: dict) -> list[tuple[float, Any]]:
        """A level's beam of (score, sequence), best first."""
        o = self.options
        size = o.per_level("beam", o.beam)[level - 1]
        N = self.top_N if level == o.level else o.per_level("N", o.N)[level - 1]
        start = o.per_level("", o.start_learning)[level - 1]
        beam: list[tuple[float, Any, dict]] = [(-math.inf, None, policy)]
        last, repeated, i = 0, 0, 0
        while True:
            fresh = []
            for _, _, own in beam:
                if level == 1:
                    score, steps = -math.inf, None
                    for _ in range(o.P):
                        new_score, new_steps = self.playout(own)
                        if new_score >= score:
                            score, steps = new_score, new_steps
                    fresh.append((score, steps, own))
                else:
                    fresh += [(s, steps, own) for s, steps in self.level(level - 1, dict(own))]
            old_score, old_steps = beam[0][:2]
            if old_steps is not None and any(same(old_steps, f[1]) for f in fresh):
                repeated += 1
            candidates = sorted(fresh[::-1] + beam, key=lambda c: -c[0])  # stable
            chosen: list[tuple[float, Any, dict]] = []
            for c in candidates:
                double = c[1] is not None and any(
                    (o.diversity == "score" and c[0] == d[0])
                    or (o.diversity == "sequence" and d[1] is not None and same(c[1], d[1]))
                    for d in chosen
                )
                if not double and len(chosen) < size:
                    chosen.append(c)
            beam = chosen
            if beam[0][0] > old_score:
                last, repeated = i, 0
            i += 1
            ended = N > 0 and i >= N
            ended |= o.restart > 0 and i - 1 - last >= o.restart
            if o.restart_length > 0:
                ended |= i - 1 - last >= len(beam[0][1]) / o.restart_length
            ended |= o.repetitions > 0 and repeated >= o.repetitions
            if ended:
                return [(s, steps) for s, steps, _ in beam if steps is not None]
            if i > start:
                beam = [(s, t, self.adapt(p, t) if t is not None else p) for s, t, p in beam]


def same(a: Any, b: Any) -> bool:
    return [s[0][s[2]] for s in a] == [s[0][s[2]] for s in b]
