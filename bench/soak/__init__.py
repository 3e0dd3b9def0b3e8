"""Long runs that look for what must never happen: `python -m bench.soak KIND --count N`.

- `kill`: commands are killed at random moments and go on; the result is that of an unkilled one.
- `writes`: operations on files fail, each in turn, or are the last; nothing is lost.
- `fuzz`: files and texts of every kind, mangled by chance, are read or refused in one line.
- `readers`: what is read from mangled files is what a second, naive reader reads.
- `checkpoints`: crafted checkpoints are refused in one line, or the run goes on.
- `damage`: files with a checksum, damaged by chance, are refused or told of, or mean the same.
- `all`: all of these side by side, on several processes, with one table in the end.

Each kind is a function of the arguments and of the notes of its cases (`case_notes.py`), in a file
of its own.
"""

CASE_SECONDS = 60  # that a case may take before it counts as one without an end
