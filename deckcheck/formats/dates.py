"""Dates of formats: a day or a whole month, and which comes first."""

from __future__ import annotations

import re

from deckcheck.findings.words import quote
from deckcheck.formats.errors import FormatError

DATE = (
    r"[0-9]{4}-(?:0[1-9]|1[0-2]"
    r"|(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
)
"""A month such as `2025-10`, or a day such as `2025-10-31`."""

_MONTH = len("2025-10")


def check_date(text: str) -> str:
    """The text, if it is a month or a day; FormatError if not."""
    if not re.fullmatch(DATE, text):
        message = f"{quote(text)} is not a date"
        raise FormatError(message, "Write `2025-10` or `2025-10-31`")
    return text


def first_day(date: str) -> str:
    """From when on a snapshot counts that is called so; nothing stays nothing."""
    return f"{date}-01" if len(date) == _MONTH else date


def last_day(date: str) -> str:
    """Until when snapshots count in a judgement as of that date."""
    return f"{date}-31" if len(date) == _MONTH else date
