"""Every kind of figure, in the situations that are hard for it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.coverage.cards import card_cases
from tools.coverage.cases import Case
from tools.coverage.duels import duel_cases
from tools.coverage.fields import field_cases
from tools.coverage.lineups import lineup_cases
from tools.coverage.looking import looking_cases
from tools.coverage.losing import losing_cases
from tools.coverage.matches import match_cases, table_cases
from tools.coverage.redrawing import redraw_cases
from tools.coverage.versions import change_cases, version_cases


def every_case() -> Iterator[Case]:
    """Yield all cases, command by command."""
    yield from duel_cases()
    yield from table_cases()
    yield from match_cases()
    yield from looking_cases()
    yield from field_cases()
    yield from lineup_cases()
    yield from card_cases()
    yield from redraw_cases()
    yield from version_cases()
    yield from change_cases()
    yield from losing_cases()
