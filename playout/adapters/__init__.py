"""Bridges to other programs: records of games, SGF, the Go Text Protocol, OpenSpiel.

What a bridge needs besides this package is imported by the module of the bridge alone.
"""
