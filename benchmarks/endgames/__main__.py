"""`python -m benchmarks.endgames`: write the positions that the tests solve anew."""

from __future__ import annotations

from itertools import islice

from benchmarks.endgames.positions import FILE, endgames

SEED = 11
COUNT = 100


def main() -> None:
    """Find the positions, which takes a minute, and write the file."""
    found = [str(position) for position in islice(endgames(SEED), COUNT)]
    FILE.write_text("\n".join(found) + "\n", "ascii")
    print(f"{len(found)} positions written to {FILE.name}")


if __name__ == "__main__":
    main()
