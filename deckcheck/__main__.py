"""`python -m deckcheck` is the command `deckcheck`."""

from deckcheck.cli import run

if __name__ == "__main__":
    run()
