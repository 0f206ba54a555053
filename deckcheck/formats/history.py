"""Formats over time: the ordered changes of a file, and which of them count."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.findings.documents import Defect
from deckcheck.findings.words import choice, quote
from deckcheck.formats.dates import first_day, last_day
from deckcheck.formats.drafts import Layer
from deckcheck.formats.errors import SnapshotError
from deckcheck.formats.file import FormatFile


def unfold(layer: Layer, defects: list[Defect]) -> list[Layer]:
    """A file as its layers over time: what it first said, then each of its changes.

    Snapshots that are not in order are defects.
    """
    layers = [layer]
    last = layer.file.snapshot
    for index, change in enumerate(layer.file.history):
        at = ("history", index)
        if last is not None and first_day(change.snapshot) <= first_day(last):
            message = f"`{change.snapshot}` does not come after `{last}`"
            defects.append(layer.source.defect((*at, "snapshot"), message))
        if not (change.constraints or change.options or change.sets):
            message = f"the snapshot `{change.snapshot}` changes nothing"
            defects.append(layer.source.defect(at, message))
        last = change.snapshot
        file = FormatFile(
            title=layer.file.title,
            snapshot=change.snapshot,
            constraints=change.constraints,
            options=change.options,
            sets=change.sets,
        )
        layers.append(layer._replace(file=file, at=at))
    return layers


def until(
    id: str, layers: Sequence[Layer], snapshot: str | None, as_of: str | None
) -> list[Layer]:
    """The layers that count at a snapshot, by the end of a date, or at last.

    `snapshot`, which goes before `as_of`, must be one that the format has. Raises
    SnapshotError when the format has none of that name, or none so early.
    """
    if snapshot is None and as_of is None:
        return list(layers)
    snapshots = {x.file.snapshot for x in layers if x.file.snapshot is not None}
    starts = (x.file.snapshot or "" for x in layers if not x.at)
    first = max(starts, key=first_day, default="")
    valid = sorted(x for x in snapshots if first_day(x) >= first_day(first))
    if snapshot is not None and snapshot not in valid:
        message = f"format {quote(id)} has no snapshot {quote(snapshot)}"
        raise SnapshotError(message, f"Snapshots are {choice(valid, 'and')}")
    last = last_day(as_of or "") if snapshot is None else first_day(snapshot)
    if last < first_day(first):
        date = quote(snapshot or as_of or "")
        message = f"format {quote(id)} has no snapshot as early as {date}"
        raise SnapshotError(message, f"The first is `{first}`")
    return [x for x in layers if first_day(x.file.snapshot or "") <= last]
