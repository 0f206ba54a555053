"""`python -m tools.endgames`: write the positions that the tests solve anew.

In those of `positions.txt` some moves win, in those of `hard.txt` at most a third.
"""

from __future__ import annotations

from itertools import islice

from tools.endgames.positions import FILE, HARD, endgames

COUNT = 100
FILES = ((FILE, 11, 1), (HARD, 12, 3))  # with a seed, and one in how many moves may win


def main() -> None:
    """Find the positions, which takes some minutes, and write the files."""
    for file, seed, part in FILES:
        found = [str(position) for position in islice(endgames(seed, part), COUNT)]
        file.write_text("\n".join(found) + "\n", "ascii")
        print(f"{len(found)} positions written to {file.name}")


if __name__ == "__main__":
    main()
