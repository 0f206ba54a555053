"""Read one YAML or JSON text into plain data that knows where each value stands.

That of JSON is imported from `json_reader` by who needs it: most runs read none.
"""

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
from deckcheck.findings.documents.wording import did_you_mean, show
from deckcheck.findings.documents.yaml_reader import read_yaml

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Defect",
    "Document",
    "DocumentError",
    "Location",
    "Reason",
    "Source",
    "SourceError",
    "decode",
    "did_you_mean",
    "read_yaml",
    "show",
]
