"""`python -m bench.papers take STORE...` and `python -m bench.papers pages`."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.papers import results
from bench.papers.page import index_page, paper_page

PAGES = Path(__file__).parent.parent.parent / "docs" / "papers"


def pages() -> dict[str, str]:
    """The text of every page, by the name of its file."""
    every = [results.read(name) for name in results.names()]
    found = {f"{paper.name}.md": paper_page(paper) for paper in every}
    return {"index.md": index_page(every), **found}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.papers", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take", help="extend the files by what stores have")
    taking.add_argument("stores", nargs="+", metavar="STORE")
    taking.add_argument("--by", default="", help="the command that filled the store")
    taking.add_argument("--effort", default="", help="the share of the paper's effort, in words")
    taking.add_argument("--note", default="", help="what else is to be known of the machine")
    words = "take cells that are there with as many runs, or at another budget, too"
    taking.add_argument("--replace", action="store_true", help=words)
    words = "this table alone, of those that share its runs; may be repeated"
    taking.add_argument("--only", action="append", default=[], metavar="TABLE", help=words)
    commands.add_parser("pages", help="write docs/papers/ from the files")
    options = parser.parse_args()
    if options.command == "take":
        from bench.papers.take import take

        for store in options.stores:
            told = take(
                store, options.by, options.effort, options.note, options.replace, options.only
            )
            print("\n".join(told))
        return
    PAGES.mkdir(exist_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text)
    print(f"{len(pages())} pages in {PAGES}")


if __name__ == "__main__":
    main()
