"""Jass, the Swiss card game: the rules, dealing, cards and tables for people."""
