"""The results store: one SQLite file, its layout and its claims."""
