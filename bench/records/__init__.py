"""Records: the best solutions that searches of this package have found, each in a small file.

    python -m bench.records check                    # replay every file and print the totals
    python -m bench.records run --set samegame --minutes 60 --workers 2

A file has a move a line, and begins with what it is, in lines with a `#`. It is read by
`playout check PROBLEM INSTANCE --solution FILE` as well. No search here begins with a solution,
neither from elsewhere nor from these files.
"""
