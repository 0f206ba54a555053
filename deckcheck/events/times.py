"""Times as forms write them: read where they are clear, refused elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
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

MAX_OFFSET = 24 * 60
"""Minutes by which no time zone differs from another."""
MAX_AGE = timedelta(days=400)
"""The greatest distance of a plausible time from the deadline."""

UNCLEAR_ORDER = "nobody knows which number is the day, and which the month"
NO_HALF = "it is before or after noon, without AM or PM"
FAR_AWAY = "it is more than a year from the deadline"
NO_TIME = "its time is missing"
NOT_READ = "it is not a time that can be read"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time as written. `day` and `month` may be the other way round."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    zone: tzinfo | None
    is_open: bool
    """Whether the first number, here the month, may be the day."""
    has_half: bool
    """Whether it states the half of the day."""

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
        return replace(self, day=self.month, month=self.day, is_open=False)


def read_stamp(text: str) -> Stamp | None:
    """Read a time, None for a text other than a date with a clock."""
    text = re.sub(r"\([^()]*\)", " ", text.strip())
    for pattern in _DATE_PATTERNS:
        date = pattern.search(text)
        if date is not None:
            break
    else:
        return None
    month = _read_month(date)
    rest = f"{text[: date.start()]}  {text[date.end() :]}"
    clock = _read_clock(rest)
    if month is None or clock is None:
        return None
    hour, minute, second, has_half, rest = clock
    zone = _read_zone(rest)
    if isinstance(zone, str):
        return None
    groups = date.groupdict()
    year = int(groups["year"])
    return Stamp(
        year if year > 99 else 2000 + year,
        month,
        int(groups.get("day") or groups["second"]),
        hour,
        minute,
        second,
        zone,
        is_open="first" in groups,
        has_half=has_half,
    )


def _read_month(date: re.Match[str]) -> int | None:
    groups = date.groupdict()
    if "word" not in groups:
        return int(groups.get("month") or groups["first"])
    word = normalise(groups["word"])
    starts = [start for start in _MONTH_NUMBERS if word.startswith(start)]
    longest = max(starts, key=len, default="")
    return _MONTH_NUMBERS.get(longest)


def _read_clock(text: str) -> tuple[int, int, int, bool, str] | None:
    """Return hour, minute and second, whether a half is stated, and the rest."""
    for pattern in _CLOCK_PATTERNS:
        clock = pattern.search(text)
        if clock is not None:
            break
    else:
        return None
    groups = clock.groupdict()
    hour = int(groups["hour"])
    minute, second = int(groups.get("minute") or 0), int(groups.get("second") or 0)
    rest = f"{text[: clock.start()]} {text[clock.end() :]}"
    half = _HALF_DAY.search(rest)
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half["pm"] else 0)
        rest = f"{rest[: half.start()]} {rest[half.end() :]}"
    if any(map(str.isdigit, _OFFSET_PATTERN.sub(" ", rest))):
        return None
    return hour, minute, second, half is not None, rest


def _read_zone(text: str) -> tzinfo | str | None:
    """Return the zone that a text names, or the text of an unknown zone."""
    region = _REGION_NAME.search(text)
    offset = _OFFSET_PATTERN.search(text)
    if region is not None:
        try:
            return ZoneInfo(region[0])
        except (KeyError, ValueError, OSError):
            return region[0]
    if offset is not None:
        sign = 1 if offset["sign"] == "+" else -1
        minutes = 60 * int(offset["hours"]) + int(offset["minutes"] or 0)
        is_real = minutes < MAX_OFFSET
        return timezone(sign * timedelta(minutes=minutes)) if is_real else offset[0]
    for name in _CAPITAL_WORD.findall(text):
        if name != "T":
            hours = _ZONE_HOURS.get(name)
            return name if hours is None else timezone(timedelta(hours=hours))
    return None


def read_times(cells: Sequence[str], around: datetime | None) -> list[datetime | str]:
    """Read a column of times, each as a time or as the reason why it is not clear.

    A day above twelve settles the order of days and months with slashes. Times stay
    unclear where the column supports both orders or neither, where other times state
    the half of the day, and more than a year from `around`.
    """
    stamps = [read_stamp(cell) for cell in cells]
    read = [stamp for stamp in stamps if stamp is not None]
    is_month_first = any(stamp.is_open and stamp.day > 12 for stamp in read)
    is_day_first = any(stamp.is_open and stamp.month > 12 for stamp in read)
    has_halves = any(stamp.has_half for stamp in read)
    times: list[datetime | str] = []
    for cell, stamp in zip(cells, stamps, strict=True):
        meant, reason = stamp, NOT_READ
        if stamp is not None and stamp.is_open:
            is_settled = is_month_first != is_day_first or stamp.day == stamp.month
            if not is_settled:
                meant, reason = None, UNCLEAR_ORDER
            elif is_day_first:
                meant = stamp.with_day_first()
        is_half_open = (
            meant is not None and not meant.has_half and 1 <= meant.hour <= 12
        )
        if has_halves and is_half_open:
            meant, reason = None, NO_HALF
        time = None if meant is None else meant.as_time()
        if time is not None and not _is_near(time, around):
            time, reason = None, FAR_AWAY
        if not cell.strip():
            times.append(NO_TIME)
        else:
            shown = quote(cell.strip(), 40)
            times.append(time or f"its time {shown} is not clear: {reason}")
    return times


def _is_near(time: datetime, around: datetime | None) -> bool:
    """Report whether a time is plausible for a list before a deadline."""
    if around is None:
        return True
    if time.tzinfo is None:
        time = time.replace(tzinfo=around.tzinfo)
    return abs(time - around) <= MAX_AGE
