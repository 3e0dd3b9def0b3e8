"""Bridges to people and other programs.

A game against a person, what a search thinks of a position, game files, SGF, the Go Text Protocol,
OpenSpiel. What a bridge needs besides this package is imported by the module of the bridge alone.
"""
