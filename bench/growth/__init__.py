"""How cost grows: speed, memory and quality against the size of what is searched or kept.

    python -m bench.growth                      # what has not been measured yet, then all tables
    python -m bench.growth samegame tsptw       # these subjects
    python -m bench.growth samegame --again     # measure anew

One file a subject: sizes, and `measure(size)`. Each size is measured in a process of its own, whose
largest memory is a figure too, and kept in `bench/growth/figures.json` at once. So a run that was
ended goes on where it was. Times are CPU times of one thread. The exponent is that of a power of
the size, fitted to the logarithms of all sizes.
"""
