"""Texts: one grammar of options, registries of names, files that are read and written."""
