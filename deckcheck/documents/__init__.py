"""Read one YAML or JSON text into plain data that knows where each value stands."""

from __future__ import annotations

from deckcheck.documents.model import (
    MAX_BYTES,
    MAX_DEPTH,
    Document,
    DocumentError,
    Location,
    Reason,
    decode,
)
from deckcheck.documents.readers import Source, SourceDefect, SourceError, read_yaml
from deckcheck.documents.records import did_you_mean, show

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Document",
    "DocumentError",
    "Location",
    "Reason",
    "Source",
    "SourceDefect",
    "SourceError",
    "decode",
    "did_you_mean",
    "read_yaml",
    "show",
]
