"""Running a search: when to stop, threads, checkpoints, progress and the result."""
