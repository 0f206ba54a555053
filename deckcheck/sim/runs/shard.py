"""A shard: the part of all games that one of several machines plays."""

from __future__ import annotations

import re
from typing import NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote

MOST = 10_000
_FORM = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")


class Shard(NamedTuple):
    """Shard `number` of `shards`, counted from 1: of each table as many sets."""

    number: int
    shards: int

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"

    def of(self, sets: range) -> range:
        """Its part of some sets."""
        first = len(sets) * (self.number - 1) // self.shards
        return sets[first : len(sets) * self.number // self.shards]


def read_shard(text: str) -> Shard:
    """Return the shard that `3/8` names; raises UsageError for anything else."""
    match = _FORM.fullmatch(text.strip())
    shard = Shard(int(match[1]), int(match[2])) if match else Shard(0, 0)
    if not 1 <= shard.number <= shard.shards <= MOST:
        raise UsageError(
            f"{quote(text)} is no shard",
            f"Write `3/8` for the third of eight; there are at most {MOST:,}",
        )
    return shard
