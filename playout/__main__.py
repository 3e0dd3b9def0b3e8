"""`python -m playout`: the command line."""

import sys

from playout.cli import main

if __name__ == "__main__":
    sys.exit(main())
