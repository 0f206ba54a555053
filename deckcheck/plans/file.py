"""A plan file: what it says, and where it says it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from deckcheck.cards.errors import list_defects
from deckcheck.cards.words import Identifier, Name
from deckcheck.decks import shown_path
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.findings.documents.toml_reader import read_toml
from deckcheck.findings.fields import CLOSED, AtLeast
from deckcheck.findings.files import file_fault, refuse_deck
from deckcheck.findings.options import identifier, of_the_command_line, options_named
from deckcheck.findings.words import quote
from deckcheck.sim.defaults import REFERENCE
from deckcheck.sim.errors import IllegalDeckError
from deckcheck.sim.tables.reference_field import check_no_other

Positive = Annotated[int, AtLeast(1)]
Natural = Annotated[int, AtLeast(0)]


@dataclass(frozen=True, slots=True)
class Settings:
    """How games are played; each is as the option of `simulate` of that name.

    What is left out is as there, too.
    """

    __pydantic_config__ = CLOSED

    format: Name | None = None
    """The format of all decks; by default each deck's own."""
    as_of: Name | None = None
    """The date whose formats are used."""
    rules: tuple[Name, ...] | None = None
    """Rules to add to the format, such as `ban Scorch`."""
    policies: tuple[Name, ...] | None = None
    """The policies: one for all decks, one for each, or one for each side."""
    every_policy: bool | None = None
    """Whether each policy plays each deck."""
    games: Positive | None = None
    """The number of games of each matchup."""
    seed: Natural | None = None
    """The seed that all shuffles follow from."""
    mirror: bool | None = None
    """Whether each deck also meets itself."""
    opponents: tuple[Name, ...] | None = None
    """The factions of the automa, in solo formats."""
    random_decks: bool | None = None
    """Whether new random decks are dealt for every game."""
    players: Positive | None = None
    """The number of players at a table."""
    selections: tuple[Name, ...] | None = None
    """How lineups choose their decks: one way for all, or one for each."""
    matchups: Name | None = None
    """A file of win rates that lineups choose their decks by."""
    allow_illegal: bool | None = None
    """Whether illegal decks play, too."""
    until_width: Name | None = None
    """The width of intervals at which matchups stop, such as `2%`."""
    sprt: Name | None = None
    """The two differences in Elo of a sequential test, such as `0,20`."""
    alpha: float | None = None
    """The type I error rate of the sequential test, 0 to 1."""
    beta: float | None = None
    """The type II error rate of the sequential test, 0 to 1."""
    elo: Literal["logistic", "normalised"] | None = None
    """The scale of the sequential test."""
    adaptive: bool | None = None
    """Whether games are played until the order of the field is clear."""
    confidence: float | None = None
    """The confidence of intervals and expectations, 0 to 1."""
    until_decided: bool | None = None
    """Whether games are played until each expectation is decided."""


@dataclass(frozen=True, slots=True)
class Experiment(Settings):
    """One simulation: `decks` meet each other, or those of `against` alone.

    Decks are names of fields, and files, folders and globs, seen from the folder of the
    plan.
    """

    __pydantic_config__ = CLOSED

    decks: tuple[Name, ...] = ()
    """The decks."""
    against: tuple[Name, ...] = ()
    """The field that they meet, and not each other; `reference` is the format's."""
    gauntlet: bool = False
    """Whether the first deck meets the others, and these not each other."""
    before: Name | None = None
    """The experiment with the same decks from which a `change` is measured."""
    expect: tuple[Name, ...] = ()
    """What `check` expects of win rates, such as `win_rate(a, b) < 0.6`."""


@dataclass(frozen=True, slots=True)
class PlanFile:
    """What a plan says."""

    __pydantic_config__ = CLOSED

    experiments: dict[Identifier, Experiment]
    """The experiments by name."""
    fields: dict[Identifier, tuple[Name, ...]] = field(default_factory=dict)
    """Lists of decks by name, for use in experiments."""
    defaults: Settings = field(default_factory=Settings)
    """Settings of all experiments that do not set them themselves."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that was read; paths of decks are seen from where we are.

    `experiments` are by name, in the order of the file, with what `defaults` says.
    """

    path: str
    experiments: dict[str, Experiment]
    source: Source

    def defect_of(self, name: str, key: str, message: str) -> Defect:
        """What is wrong with a setting of an experiment, its own or that of all."""
        own = self.source.document.data["experiments"][name]  # type: ignore[index]
        at = ("experiments", name, key) if key in own else ("defaults", key)
        return self.source.defect(at, message)

    @property
    def expecting(self) -> tuple[str, ...]:
        """The experiments of which something is expected, and those before them."""
        own = {name: e for name, e in self.experiments.items() if e.expect}
        before = {experiment.before for experiment in own.values()}
        return tuple(n for n in self.experiments if n in own or n in before)

    @contextmanager
    def checking(self, name: str) -> Iterator[None]:
        """Let errors name the keys of an experiment, and have its place in the file.

        Illegal decks are left to the caller, who can say what to do about them.
        """
        try:
            with options_named(_as_key):
                yield
        except IllegalDeckError:
            raise
        except UsageError as error:
            place = self.source.key_defect(("experiments", name), error.message)
            raise UsageError(str(place), error.help) from None


def read_plan(path: Path) -> Plan:
    """Read a plan; raises UsageError with all of its defects, each at its place."""
    shown = shown_path(path)
    refuse_deck(path, "a plan")
    fault = file_fault(path)
    if fault is not None:
        raise UsageError(f"Plan {quote(shown)} {fault}", "Check the path")
    defects: list[Defect] = []
    try:
        source = Source.open(path, shown, read_toml)
    except SourceError as error:
        raise plan_error(shown, [error.defect]) from None
    file = source.read(PlanFile, source.document.data, (), defects)
    if file is None or defects:
        raise plan_error(shown, defects)
    if not file.experiments:
        defects.append(source.defect(("experiments",), "no experiment is planned"))
    for name, section in file.experiments.items():
        if section.until_decided and not section.expect:
            message = "`until_decided` goes with `expect`"
            at = ("experiments", name, "until_decided")
            defects.append(source.key_defect(at, message))
        if not section.decks and not (
            section.random_decks or file.defaults.random_decks
        ):
            message = f"experiment {quote(name)} has no `decks`"
            defects.append(source.key_defect(("experiments", name), message))
    if defects:
        raise plan_error(shown, defects)
    experiments = {
        name: _whole(experiment, file, path.parent)
        for name, experiment in file.experiments.items()
    }
    return Plan(shown, experiments, source)


def _as_key(option: str, value: object) -> str:
    """An option as the key of an experiment that stands for it, if there is one."""
    key = "rules" if option == "rule" else identifier(option)
    if key not in _KEYS:
        return of_the_command_line(option, value)
    return key if value is None else f"{key} = {value!r}"


def _whole(experiment: Experiment, file: PlanFile, folder: Path) -> Experiment:
    """An experiment with the defaults, fields and paths put in."""
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        own = getattr(experiment, setting.name)
        values[setting.name] = (
            getattr(file.defaults, setting.name) if own is None else own
        )
    for key in ("matchups", "format"):
        if values[key] and (key == "matchups" or values[key].endswith(_YAML)):
            values[key] = os.path.join(folder, values[key])
    return Experiment(
        **values,
        decks=tuple(_paths(experiment.decks, file, folder)),
        against=tuple(_field(experiment.against, file, folder)),
        gauntlet=experiment.gauntlet,
        before=experiment.before,
        expect=experiment.expect,
    )


_YAML = (".yaml", ".yml")
_KEYS = frozenset(key.name for key in fields(Experiment))


def _paths(named: Sequence[str], file: PlanFile, folder: Path) -> Iterator[str]:
    """The decks that are named, those of a field in its place."""
    for name in named:
        for path in file.fields.get(name, (name,)):
            yield os.path.join(folder, path)


def _field(named: Sequence[str], file: PlanFile, folder: Path) -> Iterator[str]:
    """As `_paths`, and the reference field unless the plan has one of that name."""
    for name in named:
        if name == REFERENCE and name not in file.fields:
            check_no_other(folder / name)
            yield name
        else:
            yield from _paths([name], file, folder)


def plan_error(path: str, defects: list[Defect]) -> UsageError:
    """The error for all defects of a plan."""
    help = None if path.endswith(".toml") else "Plans are TOML files"
    return UsageError(list_defects(f"Plan {quote(path)}", defects), help)
