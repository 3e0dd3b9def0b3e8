"""Small rulesheets made at random: what no author would write, but the specification allows.

Some facts, two or three roles with moves that facts make legal, and rules for what is next that
mix facts, moves, their absence and helpers. With turns a role has one move but when it has the
control, which is given on in several ways; without, all move at the same time.
"""

from __future__ import annotations

import random


def random_rulesheet(seed):
    rng = random.Random(seed)
    roles = ["ann", "bob", "cid"][: rng.choice([2, 2, 3])]
    turns, passing = rng.random() < 0.6, rng.random() < 0.5
    facts = [f"(lamp {i})" for i in range(rng.randint(4, 9))]
    moves = [f"(press {i})" for i in range(rng.randint(2, 5))]
    lines = [f"(role {role})" for role in roles]
    lines += [f"(init {fact})" for fact in facts if rng.random() < 0.5]
    lines += [f"(number {i})" for i in range(len(facts))]
    steps = rng.randint(6, 12)
    lines += ["(init (step 0))", f"(<= terminal (true (step {steps})))"]
    lines += [f"(next-step {i} {i + 1})" for i in range(steps)]
    lines.append("(<= (next (step ?n)) (true (step ?m)) (next-step ?m ?n))")

    def literal(choices):
        text = rng.choice(choices)
        return f"(not {text})" if rng.random() < 0.4 else text

    true = [f"(true {fact})" for fact in facts]
    helpers = []
    for i in range(rng.randint(1, 4)):  # each of facts and of helpers before it
        for _ in range(rng.randint(1, 3)):
            body = " ".join(literal(true + helpers) for _ in range(rng.randint(1, 3)))
            lines.append(f"(<= help{i} {body})")
        helpers.append(f"help{i}")
    does = [f"(does {role} {move})" for role in roles for move in moves]
    does += [f"(does {role} noop)" for role in roles]
    if turns:
        lines.append(f"(init (control {roles[0]}))")
        lines += _control(rng, roles, moves)
    for role in roles:
        for move in moves:
            body = [f"(true (control {role}))"] if turns else []
            body += [literal(true + helpers) for _ in range(rng.choice([0, 1, 1, 2]))]
            lines.append(f"(<= (legal {role} {move}) {' '.join(body) or f'(role {role})'})")
        idle = f"(not (true (control {role})))" if turns and not passing else ""
        always = f"(<= (legal {role} noop) (role {role}) {idle})"
        lines.append(always)
        if idle:  # who has the control can always do something
            lines.append(f"(<= (legal {role} (press all)) (true (control {role})))")
    for i, fact in enumerate(facts):
        lines += _next(rng, i, fact, roles, lambda: literal(true + helpers + does), does)
    for role in roles:
        lines.append(f"(<= (goal {role} 100) {literal(true)} {literal(true)})")
        lines.append(f"(<= (goal {role} 30) {literal(true + helpers)})")
        lines.append(f"(goal {role} 0)")
    rng.shuffle(lines)
    return "\n".join(lines)


def _control(rng, roles, moves):
    """Who has the control next: always the next role, or by the move that was made."""
    after = dict(zip(roles, roles[1:] + roles[:1], strict=True))
    if rng.random() < 0.6:
        return [f"(<= (next (control {after[r]})) (true (control {r})))" for r in roles]
    again = rng.choice(moves)
    lines = []
    for role in roles:
        lines.append(f"(<= (next (control {role})) (does {role} {again}))")
        lines.append(
            f"(<= (next (control {after[role]})) (true (control {role}))"
            f" (not (does {role} {again})))"
        )
    return lines


def _next(rng, number, fact, roles, literal, does):
    """What makes a fact hold: it stays unless touched, moves switch it, or anything."""
    kind = rng.random()
    if kind < 0.4:
        touching = rng.sample(does, rng.randint(1, 3))
        touched = [f"(<= (touched {number}) {one})" for one in touching]
        made = f"(<= (next {fact}) {rng.choice(touching)} {literal()})"
        return [*touched, made, f"(<= (next {fact}) (true {fact}) (not (touched {number})))"]
    if kind < 0.6:
        switch = rng.choice(does)
        return [
            f"(<= (next {fact}) {switch} (not (true {fact})))",
            f"(<= (next {fact}) (true {fact}) (not {switch}))",
        ]
    if kind < 0.75:
        role = rng.choice(roles)
        return [
            f"(<= (next {fact}) (does {role} (press ?n)) (number ?n) (distinct ?n {number}))",
            f"(<= (next {fact}) (true {fact}) (or {literal()} (and {literal()} {literal()})))",
        ]
    return [
        f"(<= (next {fact}) {' '.join(literal() for _ in range(rng.randint(1, 3)))})"
        for _ in range(rng.randint(1, 3))
    ]
