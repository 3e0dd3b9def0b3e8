"""Tree search for games, made of parts."""
