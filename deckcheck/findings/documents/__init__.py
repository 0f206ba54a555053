"""Read one YAML or JSON text into plain data that knows where each value stands."""

from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.documents.model import (
    MAX_BYTES,
    MAX_DEPTH,
    Document,
    DocumentError,
    Location,
    Reason,
    decode,
)
from deckcheck.findings.documents.source import Defect, Source, SourceError
from deckcheck.findings.documents.structure import Place, structure
from deckcheck.findings.documents.wording import did_you_mean, show
from deckcheck.findings.documents.yaml_reader import read_yaml

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Defect",
    "Document",
    "DocumentError",
    "Location",
    "Place",
    "Reason",
    "Source",
    "SourceError",
    "decode",
    "did_you_mean",
    "read_json",
    "read_yaml",
    "show",
    "structure",
]
