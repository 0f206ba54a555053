"""A short hash of data, by which reports say what they were made from."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

LENGTH = 12


def short_digest(content: object) -> str:
    """Twelve hex digits that are equal for equal data, on any machine.

    Data are texts, numbers, None, records, and lists, tuples and mappings of these; the
    order of keys does not matter. Fields that do not count in comparisons do not count
    here, nor do those marked `later` in their metadata that have their default, and
    every other one of these counts with its name. Not `json`, which takes its time to
    import.
    """
    return sha256(ascii(_plain(content)).encode()).hexdigest()[:LENGTH]


def _plain(value: Any) -> object:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        counted = [field for field in fields.values() if field.compare]
        first = [f for f in counted if "later" not in f.metadata]
        later = [f for f in counted if "later" in f.metadata]
        return [
            *(_plain(getattr(value, f.name)) for f in first),
            *(
                (f.name, _plain(getattr(value, f.name)))
                for f in later
                if getattr(value, f.name) != f.default
            ),
        ]
    if hasattr(value, "keys"):
        return [(key, _plain(value[key])) for key in sorted(value)]
    return value
