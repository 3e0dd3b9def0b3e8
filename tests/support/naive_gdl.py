"""A rulesheet read and played by substitution alone: no grounder, no network; slow.

Rules are applied to all that is known until nothing new follows, those first whose predicates
others need.
"""

from __future__ import annotations

import re


def parse(text):
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", text).lower())
    stack = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done if len(done) > 1 else done[0])  # (open) is open
        else:
            stack[-1].append(token)
    return stack[0]


def match(pattern, term, values):
    """The values with which a pattern is the term; None if there are none."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return values if pattern == term else None
        if pattern in values:
            return values if values[pattern] == term else None
        return {**values, pattern: term}
    if isinstance(term, str) or len(term) != len(pattern):
        return None
    for part, other in zip(pattern, term, strict=True):
        values = match(part, other, values)
        if values is None:
            return None
    return values


def filled(term, values):
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(filled(part, values) for part in term)


def name(term):
    return term if isinstance(term, str) else term[0]


def names_in(condition, negated=False):
    """The predicates of a condition, each with whether it stands below a `not`."""
    if name(condition) in ("not", "or", "and"):
        below = negated or name(condition) == "not"
        return {found for part in condition[1:] for found in names_in(part, below)}
    return {(name(condition), negated)}


def tests(condition):
    """Whether a condition gives no values, so that it must come last."""
    if name(condition) in ("or", "and"):
        return any(map(tests, condition[1:]))
    return name(condition) in ("not", "distinct")


class NaiveRules:
    def __init__(self, text):
        rules = [e if name(e) == "<=" else ("<=", e) for e in parse(text)]
        self.rules = [(rule[1], rule[2:]) for rule in rules]
        self.roles = [head[1] for head, _ in self.rules if name(head) == "role"]
        self.level = {name(head): 0 for head, _ in self.rules}
        for _ in list(self.level):  # a predicate comes after what its rules negate
            for head, body in self.rules:
                for condition in body:
                    for other, negated in names_in(condition):
                        floor = self.level.get(other, 0) + negated
                        self.level[name(head)] = max(self.level[name(head)], floor)

    def solutions(self, body, values, known):
        if not body:
            yield values
            return
        first, rest = body[0], body[1:]
        if name(first) == "or":
            for part in first[1:]:
                yield from self.solutions((part, *rest), values, known)
        elif name(first) == "and":
            yield from self.solutions((*first[1:], *rest), values, known)
        elif name(first) == "not":
            if next(self.solutions((first[1],), values, known), None) is None:
                yield from self.solutions(rest, values, known)
        elif name(first) == "distinct":
            if filled(first[1], values) != filled(first[2], values):
                yield from self.solutions(rest, values, known)
        else:
            for term in list(known.get(name(first), ())):
                found = match(first, term, values)
                if found is not None:
                    yield from self.solutions(rest, found, known)

    def consequences(self, facts):
        known = {}
        for fact in facts:
            known.setdefault(name(fact), set()).add(fact)
        for level in range(max(self.level.values()) + 1):
            changed = True
            while changed:
                changed = False
                for head, body in self.rules:
                    if self.level[name(head)] != level:
                        continue
                    # what tests comes last, when its variables have values
                    order = sorted(body, key=tests)
                    for values in list(self.solutions(tuple(order), {}, known)):
                        new = filled(head, values)
                        mine = known.setdefault(name(new), set())
                        if new not in mine:
                            mine.add(new)
                            changed = True
        return known

    def start(self):
        return {fact[1] for fact in self.consequences(()).get("init", ())}

    def look(self, facts):
        """The legal moves of each role, whether it is over, and each role's highest goal."""
        known = self.consequences([("true", fact) for fact in facts])
        legal = [{m for _, r, m in known.get("legal", ()) if r == role} for role in self.roles]
        goals = [
            max((int(v) for _, r, v in known.get("goal", ()) if r == role), default=0)
            for role in self.roles
        ]
        return legal, "terminal" in known.get("terminal", ()), goals

    def after(self, facts, moves):
        does = [("does", role, move) for role, move in zip(self.roles, moves, strict=True)]
        known = self.consequences([*(("true", fact) for fact in facts), *does])
        return {fact[1] for fact in known.get("next", ())}
