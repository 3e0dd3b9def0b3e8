"""Cards and tricks: decks as bits, dealing, double dummy solutions. Games are made of these."""
