"""AlphaZero and MbM for games of two players."""
