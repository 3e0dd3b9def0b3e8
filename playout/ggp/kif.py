"""Rulesheets in prefix KIF: terms, rules with their lines.

A symbol is a string in small letters, a compound term a tuple of its name and arguments, a variable
a string that begins with '?'. An atom is always a tuple: `terminal` is `("terminal",)`. The
connectives `or`, `and` and `not` are taken apart, so that a rule is a conjunction of literals.

N. Love, T. Hinrichs, D. Haley, E. Schkufza and M. Genesereth, General Game Playing: Game
Description Language Specification, 2008.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any, NamedTuple

from playout.errors import DataError

Term = Any  # str, or a tuple of terms whose first is a str
Atom = tuple[Any, ...]
Sign = tuple[str, int]  # a predicate: its name and the length of its atoms

DEEPEST = 60  # brackets in brackets
ASKED = "asked "  # the name of a predicate that tells what another is asked; no symbol has a blank
MOST_ALTERNATIVES = 2000  # rules that the alternatives of one may become

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+|\n")


class Literal(NamedTuple):
    """A condition of a rule: an atom, or its negation."""

    positive: bool
    atom: Atom


@dataclass(frozen=True)
class Rule:
    """A head that holds where all of the body does; a fact has no body."""

    head: Atom
    body: tuple[Literal, ...]
    line: int


@dataclass(frozen=True)
class Rulesheet:
    """The rules of a game, and where they were read."""

    source: str
    rules: tuple[Rule, ...]

    def error(self, line: int, reason: str) -> DataError:
        """What is wrong with the rule in a line."""
        return DataError(f"{self.source}, line {line}: {reason}")


def expressions(text: str, source: str) -> Iterator[tuple[Term, int]]:
    """The expressions of a text, each with the line where it begins.

    >>> list(expressions("(role X) ; one\\nterminal", "a text"))
    [(('role', 'x'), 1), ('terminal', 2)]
    """
    open_ones: list[tuple[list[Term], int]] = []
    line = 1
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token == "\n":
            line += 1
        elif token == "(":
            open_ones.append(([], line))
            if len(open_ones) > DEEPEST:
                raise DataError(f"{source}, line {line}: more than {DEEPEST} brackets in brackets")
        elif token == ")":
            if not open_ones:
                raise DataError(f"{source}, line {line}: ')' without '('")
            parts, begun = open_ones.pop()
            if not parts:
                raise DataError(f"{source}, line {begun}: '()' says nothing")
            if open_ones:  # (a) within a term is a
                bare = len(parts) == 1 and isinstance(parts[0], str)
                open_ones[-1][0].append(parts[0] if bare else tuple(parts))
            else:
                yield tuple(parts), begun
        elif token[0] != ";":
            symbol = intern(token.lower())
            if open_ones:
                open_ones[-1][0].append(symbol)
            else:
                yield symbol, line
    if open_ones:
        raise DataError(f"{source}, line {open_ones[-1][1]}: '(' is never closed")


def spellings(text: str) -> dict[str, str]:
    """How symbols of a text are written that are not in small letters, each as it first is.

    >>> spellings("(role White) (goal White 100)")
    {'white': 'White'}
    """
    found: dict[str, str] = {}
    for token in map(re.Match.group, _TOKEN.finditer(text)):
        found.setdefault(token.lower(), token)
    return {symbol: written for symbol, written in found.items() if written != symbol}


def read_rulesheet(text: str, source: str) -> Rulesheet:
    """The rules of a text; DataError, with the line, if it is no rulesheet."""
    rules: list[Rule] = []
    for expression, line in expressions(text, source):
        try:
            rules.extend(_rules(expression, line))
        except DataError as error:
            raise DataError(f"{source}, line {line}: {error}") from None
    return Rulesheet(source, tuple(rules))


def _rules(expression: Term, line: int) -> Iterator[Rule]:
    if not isinstance(expression, tuple) or expression[0] not in ("<=", ":-"):
        yield Rule(_atom(expression), (), line)
        return
    if len(expression) < 2:
        raise DataError("'<=' has no head")
    head = _atom(expression[1])
    for body in _product([_alternatives(item) for item in expression[2:]]):
        yield Rule(head, tuple(dict.fromkeys(body)), line)


def _atom(term: Term) -> Atom:
    atom = term if isinstance(term, tuple) else (term,)
    name = atom[0]
    if isinstance(name, tuple) or name[0] == "?":
        raise DataError(f"{term_text(term)} has no name: a predicate is a symbol")
    return atom


def _alternatives(item: Term) -> list[list[Literal]]:
    """A condition as alternatives, each a conjunction of literals."""
    name, arguments = (item[0], item[1:]) if isinstance(item, tuple) else (item, ())
    if name == "or":
        return [found for part in arguments for found in _alternatives(part)]
    if name == "and":
        return _product([_alternatives(part) for part in arguments])
    if name != "not":
        return [[Literal(True, _atom(item))]]
    if len(arguments) != 1:
        raise DataError(f"'not' takes one condition, not {len(arguments)}")
    inner = arguments[0]
    connective = inner[0] if isinstance(inner, tuple) else ""
    if connective == "not" and len(inner) == 2:
        return _alternatives(inner[1])
    if connective in ("or", "and"):  # de Morgan
        other = "and" if connective == "or" else "or"
        return _alternatives((other, *(("not", part) for part in inner[1:])))
    return [[Literal(False, _atom(inner))]]


def _product(parts: list[list[list[Literal]]]) -> list[list[Literal]]:
    found: list[list[Literal]] = [[]]
    for part in parts:
        if len(found) * len(part) > MOST_ALTERNATIVES:
            raise DataError(
                f"the rule has more than {MOST_ALTERNATIVES:,} alternatives: give its parts names"
            )
        found = [before + after for before in found for after in part]
    return found


# terms


def sign(atom: Atom) -> Sign:
    """The predicate of an atom."""
    return atom[0], len(atom)


def is_variable(term: Term) -> bool:
    """Whether a term is a variable."""
    return isinstance(term, str) and term[0] == "?"


def variables(*terms: Term) -> dict[str, None]:
    """The variables of terms, in the order in which they come."""
    found: dict[str, None] = {}
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if isinstance(term, tuple):
            stack.extend(reversed(term))
        elif term[0] == "?":
            found[term] = None
    return found


def substitute(term: Term, values: dict[str, Term]) -> Term:
    """A term with variables replaced."""
    if isinstance(term, tuple):
        return tuple(substitute(part, values) for part in term)
    return values.get(term, term)


def term_text(term: Term, spelling: Mapping[str, str] = {}) -> str:
    """A term as it is written, with the letters of a rulesheet if its `spellings` are given.

    >>> term_text(("cell", "1", ("s", "2")), {"s": "S"})
    '(cell 1 (S 2))'
    """
    if isinstance(term, tuple):
        return f"({' '.join(term_text(part, spelling) for part in term)})"
    return spelling.get(term, term)


def term_order(term: Term) -> Any:
    """What terms are sorted by: numbers by their value, so that 9 comes before 10."""
    if isinstance(term, tuple):
        return 2, len(term), tuple(map(term_order, term))
    return (0, int(term), term) if term.isascii() and term.isdigit() else (1, 0, term)
