"""Who looks at a problem in plain Python, by name: the room `check`, above those that ask."""

from playout.text.registry import Entry, Registry

CHECKS = Registry("check", "playout.checks", {"plain": Entry("playout.check:first_fault")})
