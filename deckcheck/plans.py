"""Plan files, and the grammar of an expectation."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, cast

from deckcheck.cards.models import Identifier, Name
from deckcheck.cards.storage import list_defects
from deckcheck.decks import shown_path
from deckcheck.documents.readers import Source, SourceDefect, SourceError, read_toml
from deckcheck.fields import CLOSED, AtLeast
from deckcheck.files import file_fault, refuse_deck
from deckcheck.findings import UsageError
from deckcheck.messages import (
    identifier,
    name_options,
    name_typed_option,
    nearest,
    quote,
)
from deckcheck.options import Declared, iterate_options
from deckcheck.sim import NOBODY, REFERENCE
from deckcheck.sim.errors import IllegalDeckError
from deckcheck.sim.gathering import check_no_other
from deckcheck.sim.seating import Request
from deckcheck.specs import SimulateSpec

T = TypeVar("T")

# A plan file and the places of its content


_READ_AS = {
    str: Name,
    str | None: Name,
    Path | None: Name,
    tuple[str, ...]: tuple[Name, ...],
}
"""The types of options as a file has them, where it has no such type."""


def _make_setting(option: Declared) -> tuple[str, Any, Any]:
    """Return the field of a plan for an option of `simulate`, None if left out."""
    description = option.declaration
    kind = description.cli_type or option.kind
    kind = _READ_AS.get(kind, kind)
    if kind in (int, int | None):
        least = 1 if description.cli_least is None else description.cli_least
        kind = Annotated[int, AtLeast(least)]
    about = {"description": description.about}
    return option.name, kind | None, field(default=None, metadata=about)


def _with_options(kind: type[T]) -> type[T]:
    """Return the record with a field for each option of `simulate`."""
    record = make_dataclass(
        kind.__name__,
        [_make_setting(option) for option in iterate_options(SimulateSpec)],
        bases=(kind,),
        namespace={"__doc__": kind.__doc__, "__module__": kind.__module__},
        frozen=True,
        slots=True,
    )
    return cast("type[T]", record)


@_with_options
@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of games, each as the option of `simulate` of that name.

    The defaults are the same, too.
    """

    __pydantic_config__ = CLOSED

    format: Name | None = None
    """The format of all decks, by default the format of each deck."""
    as_of: Name | None = None
    """The date whose formats are used."""
    rules: tuple[Name, ...] | None = None
    """Rules to add to the format, such as `ban Scorch`."""
    allow_illegal: bool | None = None
    """Whether illegal decks play, too."""
    confidence: float | None = None
    """The confidence of intervals and expectations, 0 to 1."""
    until_decided: bool | None = None
    """Whether games are played until each expectation is decided."""

    if TYPE_CHECKING:

        def __getattr__(self, option: str) -> Any:
            """Return an option of `simulate`. All are made fields."""


@dataclass(frozen=True, slots=True)
class Experiment(Settings):
    """A simulation: `decks` meet each other, or only the decks of `against`.

    Decks are names of fields, and files, folders and globs, seen from the folder of the
    plan.
    """

    __pydantic_config__ = CLOSED

    decks: tuple[Name, ...] = ()
    """The decks."""
    against: tuple[Name, ...] = ()
    """The field that they meet instead of each other. `reference` is the format's
    field.
    """
    gauntlet: bool = False
    """Whether the first deck meets the others, and these not each other."""
    before: Name | None = None
    """The experiment with the same decks from which a `change` is measured."""
    expect: tuple[Name, ...] = ()
    """The expectations of `check` about win rates, such as `win_rate(a, b) < 0.6`."""


@dataclass(frozen=True, slots=True)
class PlanFile:
    """The content of a plan."""

    __pydantic_config__ = CLOSED

    experiments: dict[Identifier, Experiment]
    """The experiments by name."""
    fields: dict[Identifier, tuple[Name, ...]] = field(default_factory=dict)
    """Lists of decks by name, for use in experiments."""
    defaults: Settings = field(default_factory=Settings)
    """Settings of all experiments that do not set them themselves."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that was read. Paths of decks are seen from the working folder."""

    path: str
    experiments: dict[str, Experiment]
    """The experiments by name in the order of the file, with the `defaults`."""
    source: Source

    def make_defect(self, name: str, key: str, message: str) -> SourceDefect:
        """Return the defect of a setting, the experiment's own or a default."""
        is_own = self.source.document.data["experiments"][name]  # type: ignore[index]
        location = ("experiments", name, key) if key in is_own else ("defaults", key)
        return self.source.defect(location, message)

    @property
    def expecting(self) -> tuple[str, ...]:
        """The experiments with expectations, and the experiments before these."""
        names = {name: e for name, e in self.experiments.items() if e.expect}
        before = {experiment.before for experiment in names.values()}
        return tuple(n for n in self.experiments if n in names or n in before)

    @contextmanager
    def checking(self, name: str) -> Iterator[None]:
        """Let errors name the keys of an experiment, and have its place in the file.

        Illegal decks are left to the caller, who knows what to do about them.
        """
        try:
            with name_options(_as_key):
                yield
        except IllegalDeckError:
            raise
        except UsageError as error:
            location = self.source.key_defect(("experiments", name), error.message)
            raise UsageError(str(location), error.help) from None


def open_plan(path: Path) -> Source:
    """Read the text of a plan. Raises UsageError if that fails or it is not a plan."""
    shown = shown_path(path)
    refuse_deck(path, "a plan")
    fault = file_fault(path)
    if fault is not None:
        raise UsageError(f"Plan {quote(shown)} {fault}", "Check the path")
    try:
        return Source.open(path, shown, read_toml)
    except SourceError as error:
        raise plan_error(shown, [error.defect]) from None


def read_plan(path: Path) -> Plan:
    """Read a plan. Raises UsageError with all of its defects, each at its place."""
    shown = shown_path(path)
    source = open_plan(path)
    defects: list[SourceDefect] = []
    file = source.read_record(PlanFile, source.document.data, (), defects)
    if file is None or defects:
        raise plan_error(shown, defects)
    if not file.experiments:
        defects.append(source.defect(("experiments",), "no experiment is planned"))
    for name, section in file.experiments.items():
        if section.until_decided and not section.expect:
            message = "`until_decided` goes with `expect`"
            location = ("experiments", name, "until_decided")
            defects.append(source.key_defect(location, message))
        if not section.decks and not (
            section.random_decks or file.defaults.random_decks
        ):
            message = f"experiment {quote(name)} has no `decks`"
            defects.append(source.key_defect(("experiments", name), message))
    if defects:
        raise plan_error(shown, defects)
    experiments = {}
    for name, experiment in file.experiments.items():
        experiments[name] = _complete(experiment, file, path.parent)
    return Plan(shown, experiments, source)


def _as_key(option: str, value: object) -> str:
    """Return the experiment's key for the value of an option, if there is one."""
    key = "rules" if option == "rule" else identifier(option)
    if key not in _OPTION_KEYS:
        return name_typed_option(option, value)
    if value is None:
        return key
    return f"{key} = {value!r}"


def _complete(experiment: Experiment, file: PlanFile, folder: Path) -> Experiment:
    """Return an experiment with the defaults, fields and paths put in."""
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        settings = getattr(experiment, setting.name)
        if settings is None:
            settings = getattr(file.defaults, setting.name)
        values[setting.name] = settings
    for key in ("matchups", "format"):
        if values[key] and (key == "matchups" or values[key].endswith(_YAML_SUFFIXES)):
            values[key] = os.path.join(folder, values[key])
    decks = tuple(_list_paths(experiment.decks, file, folder))
    against = tuple(_list_field(experiment.against, file, folder))
    return replace(experiment, **values, decks=decks, against=against)


_YAML_SUFFIXES = (".yaml", ".yml")
_OPTION_KEYS = frozenset(key.name for key in fields(Experiment))


def _list_paths(named: Sequence[str], file: PlanFile, folder: Path) -> Iterator[str]:
    """Yield the named decks, with the decks of a field in its place."""
    for name in named:
        for path in file.fields.get(name, (name,)):
            yield os.path.join(folder, path)


def _list_field(named: Sequence[str], file: PlanFile, folder: Path) -> Iterator[str]:
    """Yield as `_list_paths`, where `reference` is a field unless the plan has it."""
    for name in named:
        if name == REFERENCE and name not in file.fields:
            check_no_other(folder / name)
            yield name
        else:
            yield from _list_paths([name], file, folder)


def plan_error(path: str, defects: list[SourceDefect]) -> UsageError:
    """Return the error for all defects of a plan."""
    help = None if path.endswith(".toml") else "Plans are TOML files"
    return UsageError(list_defects(f"Plan {quote(path)}", defects), help)


# The request that an experiment of a plan makes of a simulation


def make_request(experiment: Experiment) -> Request:
    """Return the request of an experiment. Raises UsageError if it is impossible.

    A plan determines all games: nobody plays again unless it names them.
    """
    stated: dict[str, Any] = {}
    for option in iterate_options(SimulateSpec):
        value = getattr(experiment, option.name)
        if value is not None:
            stated[option.name] = value
    if "matchups" in stated:
        stated["matchups"] = Path(stated["matchups"])
    return SimulateSpec(**{"cross_check": NOBODY, **stated}).request()


# The grammar of an expectation: `0.45 < win_rate(siege, swarm) < 0.55`


WIN_RATE = "win_rate"
CHANGE_FIGURE = "change"
FIGURE_NAMES = (WIN_RATE, CHANGE_FIGURE)
EXAMPLE_EXPECTATION = f"`{WIN_RATE}(siege, swarm) < 0.65`"
EXAMPLE_OF_CHANGE = f"`{CHANGE_FIGURE}(siege) < 2 points`"

_SPACE_PATTERN = re.compile(r"\s*")
_NUMBER_PATTERN = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:\s*(?:%|points?\b))?")
_SIDE_PATTERN = re.compile(r"<=|>=|==|!=|=|<|>|≤|≥")
_WORD_PATTERN = re.compile(r"[^\W\d][\w-]*")
_QUOTED_PATTERN = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_BARE_PATTERN = re.compile(r"[^,()<>\"]*")


class PlanFault(Exception):
    """A fault of an expectation, and its stretch of the text."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


class Named(NamedTuple):
    """The name of a deck, and its place in the text."""

    name: str
    start: int
    end: int
    is_first: bool = True
    """Whether it is the first deck, and not the opponent."""


class _Bound(NamedTuple):
    """A number, and whether the expected value is above it."""

    value: float
    is_low: bool
    start: int
    end: int
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Written:
    """An expectation as it is written. Rates are from 0 to 1, changes from -1 to 1."""

    figure: str
    decks: tuple[Named, ...]
    low: float | None
    high: float | None


def read_expectation(text: str) -> Written:
    """Return the expectation of a text. Raises PlanFault if the text is not clear."""
    reader = _Reader(text)
    limits = [reader.bound_before()]
    figure, decks = reader.rate()
    limits.append(reader.bound_behind())
    reader.end()
    bounds = [bound for bound in limits if bound is not None]
    if not bounds:
        raise PlanFault(
            f"Nothing is expected of it: write {EXAMPLE_EXPECTATION}", 0, len(text)
        )
    lows: list[float] = []
    highs: list[float] = []
    for bound in bounds:
        _check_bound(bound, figure)
        side = lows if bound.is_low else highs
        side.append(bound.value)
    start, end = bounds[0].start, bounds[-1].end
    if max(len(lows), len(highs)) > 1:
        message = "Both bounds are on one side: write `0.45 < win_rate(...) < 0.55`"
        raise PlanFault(message, start, end)
    low = max(lows, default=None)
    high = min(highs, default=None)
    if low is not None and high is not None and low >= high:
        raise PlanFault(f"No rate lies between {low:g} and {high:g}", start, end)
    return Written(figure, decks, low, high)


def _check_bound(bound: _Bound, figure: str) -> None:
    """Refuse a bound that the figure cannot have."""
    text = bound.text
    end = bound.at + len(bound.text)
    if figure == CHANGE_FIGURE:
        if not -1 < bound.value < 1:
            message = f"A change lies between -100 and 100 points, not at {text}"
            raise PlanFault(f"{message}: write `2 points`", bound.at, end)
        return
    if "point" in text:
        message = f"{quote(WIN_RATE)} has no points: write {EXAMPLE_EXPECTATION}"
        raise PlanFault(f"{message}, or {EXAMPLE_OF_CHANGE}", bound.at, end)
    number = bound.value
    if not 0 < number < 1:
        message = f"A bound lies between 0 and 1, not at {text}"
        if 1 < number < 100:
            message += f": write `{number / 100:g}` or `{number:g}%`"
        raise PlanFault(message, bound.at, end)


class _Reader:
    """Goes through the text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def bound_before(self) -> _Bound | None:
        """`0.45 <` or `0.55 >`, if it begins so."""
        start = self._skip()
        match = self._match(_NUMBER_PATTERN)
        if match is None:
            return None
        side = self._read_side()
        if side is None:
            raise self._unexpected_fault("`<` or `>` after the number")
        return _Bound(_parse_value(match), side == "<", start, self._at, match, start)

    def bound_behind(self) -> _Bound | None:
        """Return the bound that follows, such as `< 0.55` or `> 0.45`."""
        start = self._skip()
        side = self._read_side()
        if side is None:
            return None
        position = self._skip()
        match = self._match(_NUMBER_PATTERN)
        if match is None:
            expected = f"a number after `{side}`, such as `0.65` or `65%`"
            raise self._unexpected_fault(expected)
        return _Bound(
            _parse_value(match), side == ">", start, self._at, match, position
        )

    def rate(self) -> tuple[str, tuple[Named, ...]]:
        """`win_rate(siege, swarm)`: the figure, and the decks."""
        start = self._skip()
        word = self._match(_WORD_PATTERN)
        if word is None:
            raise self._unexpected_fault(
                f"{quote(WIN_RATE)}, as in {EXAMPLE_EXPECTATION}"
            )
        if word not in FIGURE_NAMES:
            near = nearest(word, FIGURE_NAMES)
            help = f"write {EXAMPLE_EXPECTATION}"
            if near:
                help = f"did you mean {quote(near[0])}?"
            raise PlanFault(f"Unknown statistic {quote(word)}: {help}", start, self._at)
        self._require_mark("(", f"`(` after `{word}`")
        decks = [self._read_deck()]
        while self._has(","):
            decks.append(self._read_deck()._replace(is_first=False))
        if len(decks) > 2:
            message = f"{quote(word)} has a deck and its opponent, not {len(decks)}"
            raise PlanFault(message, decks[2].start, decks[-1].end)
        self._require_mark(")", "`)` or `,`")
        return word, tuple(decks)

    def end(self) -> None:
        """Raise an error if anything follows."""
        self._skip()
        if self._at < len(self._text):
            raise self._unexpected_fault("the end")

    def _read_deck(self) -> Named:
        start = self._skip()
        quoted = _QUOTED_PATTERN.match(self._text, start)
        if quoted is not None:
            self._at = quoted.end()
            return Named(quoted[1] or quoted[2] or "", start, self._at)
        name = (self._match(_BARE_PATTERN) or "").rstrip()
        self._at = start + len(name)
        if not name:
            raise self._unexpected_fault("the name of a deck")
        return Named(name, start, self._at)

    def _read_side(self) -> str | None:
        start = self._skip()
        side = self._match(_SIDE_PATTERN)
        if side is None or side in "<>":
            return side
        instead = "<` or `>" if "<" not in side and ">" not in side else side[0]
        instead = {"≤": "<", "≥": ">"}.get(side, instead)
        message = f"Unknown comparison {quote(side)}: write `{instead}`"
        raise PlanFault(message, start, self._at)

    def _skip(self) -> int:
        self._match(_SPACE_PATTERN)
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match[0]

    def _has(self, mark: str) -> bool:
        self._skip()
        is_there = self._text.startswith(mark, self._at)
        self._at += is_there
        return is_there

    def _require_mark(self, mark: str, expected: str) -> None:
        if not self._has(mark):
            raise self._unexpected_fault(expected)

    def _unexpected_fault(self, expected: str) -> PlanFault:
        words = self._text[self._at :].split()
        found, end = "the end", self._at + 1
        if words:
            found, end = quote(words[0]), self._at + len(words[0])
        return PlanFault(f"Expected {expected}, got {found}", self._at, end)


def _parse_value(text: str) -> float:
    """Return a number as a part of 1. In % and points it is 100 times as large."""
    number, unit = re.fullmatch(r"([^%a-z]*)(%|points?)?", text).groups()  # type: ignore[union-attr]
    return float(number) / (100 if unit else 1)
