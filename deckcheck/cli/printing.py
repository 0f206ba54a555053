"""What several commands print alike: columns of words, and JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

__all__ = ["columns", "print_json"]


def columns(rows: Sequence[tuple[str, ...]], indent: str = "") -> str:
    """The rows with their cells in columns, a line each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        indent
        + "  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def print_json(document: Mapping[str, object]) -> None:
    """Print a document as people and programs can read it."""
    import json

    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
