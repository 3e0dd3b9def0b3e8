"""Running a search: when to stop, threads, checkpoints, progress and the result."""

from playout.text.registry import Entry, Registry

# what takes a run past this machine; `cluster` is a higher room
ENGINES = Registry("cluster engine", "playout.engines", {"ray": Entry("playout.cluster:connect")})
