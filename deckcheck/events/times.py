"""Times as forms write them: read where they are clear, refused elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from deckcheck.cards.names import normalise
from deckcheck.messages import quote

# Dates. With dots the day comes first. Slashes and dashes are open until a column
# settles them. The year comes first where it has four digits.

_DATE_PATTERNS = (
    re.compile(r"(?<!\d)(?P<year>\d{4})\s*(?P<by>[-/.])\s*(?P<month>\d{1,2})\s*(?P=by)"
               r"\s*(?P<day>\d{1,2})(?!\d)\.?"),
    re.compile(r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?"
               r"(?P<day>\d{1,2})\s?[日일]"),
    re.compile(r"(?<!\d)(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?=T\d{4})"),
    re.compile(r"(?<!\d)(?P<first>\d{1,2})\s?(?P<by>[-/])\s?(?P<second>\d{1,2})\s?"
               r"(?P=by)\s?(?P<year>\d{4})(?!\d)"),
    re.compile(r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?"
               r"(?P<year>\d{4}|\d{2})(?!\d)"),
    re.compile(r"(?<!\d)(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er|\.?\u00ba)?[\s.\-/]*(?:de\s|of\s)?"
               r"\s*(?P<word>[^\W\d_]{3,})[\s.,\-/]*(?:de\s)?\s*(?P<year>\d{4})(?!\d)"),
    re.compile(r"(?<!\w)(?P<word>[^\W\d_]{3,})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?"
               r",?\s+(?P<year>\d{4})(?!\d)"),
)  # fmt: skip

_MONTH_STARTS = (
    "jan ene gen sty led янв jen",
    "feb fev lut uno únor фев",
    "mar maa brez bre мар",
    "apr avr abr kwi dub апр",
    "may mai mag maj mei kve мая май",
    "jun juin giu cze červn červen июн",
    "jul juil lug lip červenc července июл",
    "aug aou ago sie srp авг",
    "sep set wrz zar září сен",
    "oct okt ott out paz rij říj окт",
    "nov lis noi ноя",
    "dec dez dic gru pro дек",
)
_MONTH_NUMBERS = {
    normalise(word): number
    for number, words in enumerate(_MONTH_STARTS, start=1)
    for word in words.split()
}

# Clocks, of twelve and of twenty-four hours

_CLOCK_PATTERNS = (
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?"
               r"(?:[.,]\d{1,9})?(?![\d:])"),
    re.compile(r"T(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?!\d)"),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})[.](?P<minute>\d{2})(?:[.](?P<second>\d{2}))?"
               r"(?![\d.:])"),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})\s?h\s?(?P<minute>\d{2})(?!\d)"),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})(?=\s?[ap]\.?\s?m\b)", re.I),
)  # fmt: skip
_HALF_DAY = re.compile(
    r"(?P<am>\ba\.?\s?m\b\.?|\bvorm\b\.?|오전|上午|午前|\u03c0\.?\u03bc\.?|\bdop\b\.?)"
    r"|(?P<pm>\bp\.?\s?m\b\.?|\bnachm\b\.?|오후|下午|午後|\u03bc\.?\u03bc\.?|\bodp\b\.?)",
    re.I,
)

# Zones: an offset, or a name with the same meaning everywhere

_OFFSET_PATTERN = re.compile(
    r"(?:UTC|GMT)?\s?(?P<sign>[+\u2212-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?\b"
)
_REGION_NAME = re.compile(r"\b[A-Z][a-z]+/[A-Z]\w+(?:/\w+)?\b")
_ZONE_HOURS = {
    **dict.fromkeys(("Z", "UTC", "GMT", "WET"), 0),
    **dict.fromkeys(("CET", "MEZ", "WEST"), 1),
    **dict.fromkeys(("CEST", "MESZ", "EET"), 2),
    **dict.fromkeys(("EEST", "MSK"), 3),
    "EDT": -4,
    "EST": -5,
    "CDT": -5,
    "MDT": -6,
    "MST": -7,
    "PDT": -7,
    "PST": -8,
    "JST": 9,
}
_CAPITAL_WORD = re.compile(r"(?<![^\W\d_])[A-Z]{1,5}(?![^\W\d_])")

MAX_OFFSET_MINUTES = 24 * 60
"""No time zone is this many minutes from UTC."""
MAX_DISTANCE = timedelta(days=400)
"""The greatest distance of a plausible time from the deadline."""

# Why a time is not clear

UNCLEAR_ORDER = "nobody knows which number is the day, and which the month"
NO_HALF = "it is before or after noon, without AM or PM"
FAR_AWAY = "it is more than a year from the deadline"
NO_TIME = "its time is missing"
NOT_READ = "it is not a time that can be read"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time as a cell states it. `day` and `month` may have to be exchanged."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    zone: tzinfo | None
    is_order_open: bool
    """Whether the first number, here the month, may be the day."""
    has_meridiem: bool
    """Whether it states AM or PM, in any language."""

    def as_time(self) -> datetime | None:
        """Return the time, None for a day or an hour that does not exist."""
        try:
            return datetime(
                self.year,
                self.month,
                self.day,
                self.hour,
                self.minute,
                self.second,
                tzinfo=self.zone,
            )
        except ValueError:
            return None

    def with_day_first(self) -> Stamp:
        """Return the time with the first number as its day."""
        return replace(self, day=self.month, month=self.day, is_order_open=False)


def read_stamp(text: str) -> Stamp | None:
    """Read a time, None for a text other than a date with a clock."""
    text = re.sub(r"\([^()]*\)", " ", text.strip())
    date = _search_first(_DATE_PATTERNS, text)
    if date is None:
        return None
    month = _read_month(date)
    clock = _read_clock(f"{text[: date.start()]}  {text[date.end() :]}")
    if month is None or clock is None:
        return None
    try:
        zone = _read_zone(clock.rest)
    except _UnknownZoneError:
        return None
    groups = date.groupdict()
    year = int(groups["year"])
    return Stamp(
        year=year if year > 99 else 2000 + year,
        month=month,
        day=int(groups.get("day") or groups["second"]),
        hour=clock.hour,
        minute=clock.minute,
        second=clock.second,
        zone=zone,
        is_order_open="first" in groups,
        has_meridiem=clock.has_meridiem,
    )


def _search_first(
    patterns: Iterable[re.Pattern[str]], text: str
) -> re.Match[str] | None:
    """Return the match of the first pattern that a text has a match of."""
    for pattern in patterns:
        match = pattern.search(text)
        if match is not None:
            return match
    return None


def _read_month(date: re.Match[str]) -> int | None:
    """Return the month of a date, None for a word that is not a month."""
    groups = date.groupdict()
    if "word" not in groups:
        return int(groups.get("month") or groups["first"])
    word = normalise(groups["word"])
    starts = [start for start in _MONTH_NUMBERS if word.startswith(start)]
    longest = max(starts, key=len, default="")
    return _MONTH_NUMBERS.get(longest)


class _Clock(NamedTuple):
    """A time of day in 24 hours."""

    hour: int
    minute: int
    second: int
    has_meridiem: bool
    rest: str
    """The text around it, which may name a zone."""


def _read_clock(text: str) -> _Clock | None:
    """Return the time of day in a text, None without one and beside other numbers."""
    clock = _search_first(_CLOCK_PATTERNS, text)
    if clock is None:
        return None
    groups = clock.groupdict()
    hour = int(groups["hour"])
    minute = int(groups.get("minute") or 0)
    second = int(groups.get("second") or 0)
    rest = f"{text[: clock.start()]} {text[clock.end() :]}"
    meridiem = _HALF_DAY.search(rest)
    if meridiem is not None:
        if not 1 <= hour <= 12:
            return None
        hour %= 12
        if meridiem["pm"]:
            hour += 12
        rest = f"{rest[: meridiem.start()]} {rest[meridiem.end() :]}"
    if any(map(str.isdigit, _OFFSET_PATTERN.sub(" ", rest))):
        return None
    return _Clock(hour, minute, second, meridiem is not None, rest)


class _UnknownZoneError(Exception):
    """A text names a zone that nobody knows, or one with several meanings."""


def _read_zone(text: str) -> tzinfo | None:
    """Return the zone that a text names. Raises _UnknownZoneError."""
    region = _REGION_NAME.search(text)
    offset = _OFFSET_PATTERN.search(text)
    if region is not None:
        try:
            return ZoneInfo(region[0])
        except (KeyError, ValueError, OSError) as error:
            raise _UnknownZoneError from error
    if offset is not None:
        minutes = 60 * int(offset["hours"]) + int(offset["minutes"] or 0)
        if minutes >= MAX_OFFSET_MINUTES:
            raise _UnknownZoneError
        sign = 1 if offset["sign"] == "+" else -1
        return timezone(sign * timedelta(minutes=minutes))
    for name in _CAPITAL_WORD.findall(text):
        # ISO 8601 has a `T` between date and clock.
        if name != "T":
            if name not in _ZONE_HOURS:
                raise _UnknownZoneError
            return timezone(timedelta(hours=_ZONE_HOURS[name]))
    return None


def read_times(cells: Sequence[str], around: datetime | None) -> list[datetime | str]:
    """Read a column of times, each as a time or as the reason why it is not clear.

    A day above twelve settles the order of days and months with slashes. Times stay
    unclear where the column supports both orders or neither, where other times state
    AM or PM, and more than a year from `around`.
    """
    stamps = [read_stamp(cell) for cell in cells]
    column = _Column([stamp for stamp in stamps if stamp is not None], around)
    times: list[datetime | str] = []
    for cell, stamp in zip(cells, stamps, strict=True):
        if not cell.strip():
            times.append(NO_TIME)
            continue
        time = NOT_READ if stamp is None else column.settle(stamp)
        if isinstance(time, str):
            shown = quote(cell.strip(), 40)
            time = f"its time {shown} is not clear: {time}"
        times.append(time)
    return times


class _Column:
    """The times of a column, which are written in the same way."""

    def __init__(self, stamps: Sequence[Stamp], around: datetime | None) -> None:
        self.around = around
        open_stamps = [stamp for stamp in stamps if stamp.is_order_open]
        self.is_month_first = any(stamp.day > 12 for stamp in open_stamps)
        self.is_day_first = any(stamp.month > 12 for stamp in open_stamps)
        self.has_meridiem = any(stamp.has_meridiem for stamp in stamps)

    def settle(self, stamp: Stamp) -> datetime | str:
        """Return the time that a stamp means, or the reason why it is not clear."""
        if stamp.is_order_open:
            is_settled = self.is_month_first != self.is_day_first
            if not is_settled and stamp.day != stamp.month:
                return UNCLEAR_ORDER
            if self.is_day_first:
                stamp = stamp.with_day_first()
        if self.has_meridiem and not stamp.has_meridiem and 1 <= stamp.hour <= 12:
            return NO_HALF
        time = stamp.as_time()
        if time is None:
            return NOT_READ
        return time if _is_near(time, self.around) else FAR_AWAY


def _is_near(time: datetime, around: datetime | None) -> bool:
    """Report whether a time is plausible for a list before a deadline."""
    if around is None:
        return True
    if time.tzinfo is None:
        time = time.replace(tzinfo=around.tzinfo)
    return abs(time - around) <= MAX_DISTANCE
