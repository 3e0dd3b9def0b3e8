"""What takes work past this machine, by name: the room `cluster`, which is above those that ask."""

from playout.text.registry import Entry, Registry

ENGINES = Registry("cluster engine", "playout.engines", {"ray": Entry("playout.cluster:connect")})
