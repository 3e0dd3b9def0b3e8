"""General game playing: games from rulesheets in the Game Description Language (docs/ggp.md)."""
