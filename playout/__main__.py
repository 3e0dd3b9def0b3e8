"""`python -m playout`: the command line."""

import sys

from playout.cli import main

if __name__ == "__main__":
    code = main()
    # where Ctrl-C came within an exec, as in the making of a dataclass, Python would kill itself by
    # SIGINT in place of this code; it forgets that with the next exec
    exec("")
    sys.exit(code)
