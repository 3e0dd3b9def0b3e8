"""Benchmarks: ratios measured in one run on one machine, printed and stored. Never tests."""
