"""Parquet, which needs the package `pyarrow`."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.findings.errors import UsageError


def parquet_modules() -> tuple[Any, Any]:
    """Return `pyarrow` and its part for Parquet; UsageError where it is missing."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(
            "Parquet needs the package `pyarrow`",
            "Install it: pip install pyarrow, or write CSV",
        ) from None
    return pyarrow, parquet


def parquet_table(
    rows: Sequence[Mapping[str, object]], kinds: Mapping[str, str]
) -> bytes:
    """Return rows with the same columns as a file; `kinds` are the types of numbers."""
    arrow, parquet = parquet_modules()
    names = list(rows[0]) if rows else list(kinds)
    schema = arrow.schema(
        [(name, arrow.type_for_alias(kinds.get(name, "string"))) for name in names]
    )
    stream = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows), schema), stream)
    return stream.getvalue()
