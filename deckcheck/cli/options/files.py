"""Options that say which files are checked."""

from __future__ import annotations

from typing import Annotated

import typer

FilesFrom = Annotated[
    str | None,
    typer.Option(
        "--files-from",
        metavar="FILE",
        help="Also check the paths in a file, one per line; - is standard input.",
    ),
]

Excluded = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="PATTERN",
        help="Leave out paths that match, such as drafts or old/*.txt. Can be "
        "given several times.",
        show_default=False,
    ),
]

ForceExclude = Annotated[
    bool,
    typer.Option(
        "--force-exclude",
        help="With --exclude: leave out matching files even if they are named on "
        "the command line.",
    ),
]

ShowFiles = Annotated[
    bool,
    typer.Option(
        "--show-files", help="List the files that would be checked, and exit."
    ),
]

StdinFilename = Annotated[
    str | None,
    typer.Option(
        "--stdin-filename",
        metavar="PATH",
        help="Name to give standard input, such as mine.yaml; its suffix says "
        "how the deck is written.",
    ),
]

Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="First repair text decks where that is safe: misspelt names, late "
        "headers, repeated lines.",
    ),
]

Diff = Annotated[
    bool, typer.Option("--diff", help="Only show what --fix would change, and exit.")
]
