"""The papers' tables with ours beside them: results as files, verdicts by rule, a page for each.

    python -m bench.papers take STORE...     what `playout reproduce` has put into a store
    python -m bench.papers pages             docs/papers/ from the files of this folder

`NAME.json` is what is known of a paper: its claims in our own words, its figures, ours with their
runs, and where each comes from. `results.py` reads and writes it, `figures.py` has the intervals,
`verdicts.py` the rules, `page.py` the pages.
"""
