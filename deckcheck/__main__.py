"""`python -m deckcheck` is the command `deckcheck`."""

import sys

from deckcheck.cli import main

if __name__ == "__main__":
    sys.exit(main())
