"""Check arguments, judge and enter decks, and prepare the playing of games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import Parameter, cleandoc, signature
from itertools import chain
from os import PathLike
from pathlib import Path
from textwrap import wrap
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    NamedTuple,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_args,
)

from deckcheck.cards import Root
from deckcheck.decks import Deck, find_deck_files
from deckcheck.files import path_fault
from deckcheck.findings import UsageError
from deckcheck.formats.model import find_by_name
from deckcheck.messages import identifier, name_options, quote
from deckcheck.options import iterate_options
from deckcheck.validation import DeckReport, Validator

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.formats import Format
    from deckcheck.sim.run_directory import RunDirectory
    from deckcheck.sim.scheduler import Progress
    from deckcheck.sim.study import Study
    from deckcheck.sim.workers import Executor


# Arguments of the Python API: checked, with a sentence for each error


Target: TypeAlias = str | PathLike[str]
"""A file, a folder or a glob."""

Decks: TypeAlias = Deck | Target | Sequence[Deck | Target]
"""Decks that were read or made before, or their files."""

Names: TypeAlias = str | Sequence[str]
"""One name or several."""

CardDb: TypeAlias = Target | Sequence[Target] | None
"""Folders with a sub-folder for each game. Without any, the built-in ones."""

MAX_NESTING = 50

P = ParamSpec("P")
R = TypeVar("R")


class JudgingArguments(NamedTuple):
    """The basis for judging decks, as the options of the command line."""

    format: str | None
    root: Root
    rules: tuple[str, ...]
    as_of: str | None

    @classmethod
    def of(
        cls,
        format: Target | None = None,
        rule: Names = (),
        as_of: str | None = None,
        card_db: CardDb = None,
    ) -> JudgingArguments:
        """Check the four arguments."""
        judging = cls.by_rules(rule, as_of, card_db)
        return judging if format is None else judging.in_format(format)

    @classmethod
    def by_rules(
        cls, rule: Names = (), as_of: str | None = None, card_db: CardDb = None
    ) -> JudgingArguments:
        """Check the arguments without a format."""
        return cls.by_cards(card_db)._replace(
            rules=names("rule", rule),
            as_of=None if as_of is None else check_text("as_of", as_of),
        )

    @classmethod
    def by_cards(cls, card_db: CardDb = None) -> JudgingArguments:
        """Check the argument for the cards. A file names the format."""
        return cls(None, _check_card_db(card_db), (), None)

    def in_format(self, format: Target) -> JudgingArguments:
        """Return the arguments with another format."""
        return self._replace(format=_check_path("format", format, "the id of a format"))


def flatten_targets(
    given: Sequence[object],
    what: str,
    expected: str = "a deck, a file, a folder or a glob",
) -> Iterator[Deck | str]:
    """Yield the decks and paths among the arguments of a function, lists flattened.

    Messages call the function `what`. Raises UsageError for anything else, and for no
    argument at all.
    """
    targets = list(_flatten_lists(given, what))
    if not targets:
        raise UsageError(f"`{what}` got no deck", "Name files, folders or globs")
    for target in targets:
        if isinstance(target, Deck):
            yield target
        else:
            yield _check_path(what, target, expected)


def list_files(given: Sequence[object], what: str) -> list[str]:
    """Return the paths among the arguments of a function that takes only paths."""
    targets = list(flatten_targets(given, what, "a file, a folder or a glob"))
    for target in targets:
        if isinstance(target, Deck):
            message = f"`{what}` got the deck {quote(target.name)}, expected a path"
            raise UsageError(message, "A deck needs no reading")
    return [str(target) for target in targets]


def _flatten_lists(
    values: Sequence[object], what: str, depth: int = 0
) -> Iterator[object]:
    if depth > MAX_NESTING:
        message = f"`{what}` got lists nested deeper than {MAX_NESTING} levels"
        raise UsageError(message, "Give the decks one by one, or as one list")
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _flatten_lists(value, what, depth + 1)
        else:
            yield value


def check_text(name: str, value: object) -> str:
    """Return a text, or raise UsageError."""
    if not isinstance(value, str):
        raise _type_error(name, value, "text")
    return value


def names(name: str, value: object) -> tuple[str, ...]:
    """Return a name or several as a tuple, or raise UsageError."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise _type_error(name, value, "text or a list of texts")
    return tuple(check_text(name, text) for text in value)


def folder(name: str, value: object) -> Path | None:
    """Return a folder or file by its path, or raise UsageError."""
    return None if value is None else Path(_check_path(name, value, "a path"))


def require_path(name: str, value: object, help: str = "Name a folder") -> Path:
    """Return a path that must be given. `help` describes it."""
    if value is None:
        raise UsageError(f"`{name}` is None", help)
    return Path(_check_path(name, value, "a path"))


def whole_number(name: str, value: object) -> int:
    """Return a whole number, including numpy's, or raise UsageError."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        return int(value.__index__())
    raise _type_error(name, value, "a whole number")


def flag(name: str, value: object) -> bool:
    """Return a truth value. Raises UsageError for anything else."""
    if not isinstance(value, bool):
        raise _type_error(name, value, "True or False")
    return value


def number(name: str, value: object) -> float:
    """Return a number, including numpy's, or raise UsageError."""
    if not isinstance(value, (bool, str)) and hasattr(value, "__float__"):
        return float(value.__float__())
    raise _type_error(name, value, "a number")


def callable_or_none(name: str, value: object, method: str | None = None) -> Any:
    """Return a function, an object with the named method, or None."""
    expected = "a function"
    called = value
    if method is not None:
        expected = f"an object with `{method}`"
        called = getattr(value, method, None)
    if value is not None and not callable(called):
        raise _type_error(name, value, expected)
    return value


def _check_card_db(value: object) -> Root:
    if value is None:
        return None
    given = value if isinstance(value, (list, tuple)) else [value]
    return tuple(Path(_check_path("card_db", path, "a path")) for path in given)


def _check_path(name: str, value: object, expected: str) -> str:
    path = os.fspath(value) if isinstance(value, PathLike) else value
    if not isinstance(path, str):
        raise _type_error(name, value, expected)
    fault = path_fault(path)
    if fault is not None:
        raise UsageError(fault)
    return path


def in_python(function: Callable[P, R]) -> Callable[P, R]:
    """Let messages name arguments where the command line has options."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with name_options(_name_argument):
            return function(*args, **kwargs)

    return run


def _name_argument(option: str, value: object) -> str:
    name = identifier(option)
    return name if value is None else f"{name}={value!r}"


def _type_error(name: str, value: object, expected: str) -> UsageError:
    kind = "None" if value is None else f"a value of type `{type(value).__name__}`"
    return UsageError(f"`{name}` got {kind}, expected {expected}")


# Keywords that several functions have together, declared once


def takes(**groups: Any) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function take the keywords of each group, and pass it one value for each.

    So `@takes(judging=JudgingArguments.of)` gives it `format`, `rule`, `as_of` and
    `card_db`.
    A group is a spec, whose options are added to the docstring, or a function that
    checks its keywords, such as `JudgingArguments.of`. The stub of the API shows all of
    them to editors. `python -m tools.pages` writes it.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        declared = signature(function)
        parameters = [
            p for name, p in declared.parameters.items() if name not in groups
        ]
        keywords = {name: list(_list_keywords(group)) for name, group in groups.items()}

        @wraps(function)
        def run(*args: Any, **given: Any) -> R:
            values = {}
            for name, group in groups.items():
                known = [each.name for each in keywords[name] if each.name in given]
                values[name] = _make_group(group, {n: given.pop(n) for n in known})
            return function(*args, **given, **values)

        for added in keywords.values():
            parameters += added
        vars(run)["__signature__"] = declared.replace(parameters=parameters)
        specs = [group for group in groups.values() if isinstance(group, type)]
        texts = [cleandoc(function.__doc__ or ""), *map(keywords_text, specs)]
        run.__doc__ = "\n\n".join(texts)
        return in_python(run)

    return decorate


def _list_keywords(group: Any) -> Iterator[Parameter]:
    """Yield the keywords of a group."""
    if not isinstance(group, type):
        for each in signature(group).parameters.values():
            yield each.replace(kind=Parameter.KEYWORD_ONLY)
        return
    for name, kind, default, _ in iterate_options(group):
        one_name = isinstance(default, tuple) and len(default) == 1
        yield Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=default[0] if one_name else default,
            annotation=_SHOWN_TYPES.get(kind, str(kind)),
        )


def _make_group(group: Any, given: Mapping[str, Any]) -> Any:
    """Make a group from the given keywords or their defaults. Raises UsageError."""
    if not isinstance(group, type):
        return group(**given)
    values = {}
    for name, kind, default, _ in iterate_options(group):
        value = given.get(name, default)
        is_left_out = value is None and NoneType in get_args(kind)
        read = _TYPE_READERS[kind]
        values[name] = value if is_left_out else read(name, value)
    return group(**values)


def _as_is(_: str, value: object) -> object:
    """Return a value that the spec checks itself."""
    return value


def keywords_text(spec: type) -> str:
    """Describe the keywords of a spec, a paragraph for each."""
    lines = ["Arguments:"]
    for name, _, _, help in iterate_options(spec):
        text = f"{name}: {help.about}"
        lines += wrap(text, 84, initial_indent="    ", subsequent_indent="        ")
    return "\n".join(lines)


_TYPE_READERS: Mapping[Any, Callable[[str, object], Any]] = {
    int: whole_number,
    int | None: whole_number,
    float: number,
    bool: flag,
    str: check_text,
    str | None: check_text,
    tuple[str, ...]: names,
    Path | None: folder,
    str | float | None: _as_is,
    str | tuple[float, float] | None: _as_is,
}
"""The functions that check a value for a field of each type."""

_SHOWN_TYPES = {
    tuple[str, ...]: "Names",
    Path | None: "Target | None",
    int: "int",
    float: "float",
    bool: "bool",
    str: "str",
}
"""How signatures show the types of fields."""


# Shared preparation: from decks, files and names to judged decks


def validator(judging: JudgingArguments, *, suppressions: bool = True) -> Validator:
    """Return a validator of decks, with or without their suppression comments."""
    return Validator(
        judging.format,
        judging.root,
        suppressions=suppressions,
        rules=judging.rules,
        as_of=judging.as_of,
    )


def get_deck(report: DeckReport, judging: JudgingArguments) -> Deck:
    """Return the deck of a report, with the format it was read by.

    Raises UsageError if none could be read.
    """
    if report.deck is None:
        reason = report.findings[0].message if report.findings else "no deck"
        raise UsageError(f"{quote(report.source.path)} cannot be read: {reason}")
    read_by = report.format.id if report.format is not None else None
    if judging.format is None:
        format = report.deck.format or read_by
    elif find_by_name(judging.format, judging.root):
        format = read_by
    else:
        format = judging.format
    return replace(report.deck, format=format)


def judge_decks(
    decks: Sequence[Deck | str],
    judging: JudgingArguments,
    judge: Validator | None = None,
) -> list[DeckReport]:
    """Judge the decks, and read and judge the others."""
    from deckcheck.sim.gathering import judge_again

    judge = judge or validator(judging)
    reports: list[DeckReport] = []
    game_format: str | None = None
    for deck in decks:
        if isinstance(deck, Deck):
            # In a file of several decks only the first has to name the format.
            game_format = deck.format or (game_format if deck.source.index else None)
            reports.append(judge_again(deck, judge, game_format))
        else:
            reports += judge.check_files(find_deck_files([deck])).reports
    return reports


# Where and how the games of a call are played: workers, progress, run directory


class Playing(NamedTuple):
    """The arguments that change no result. `run_folder` is the argument `run`."""

    jobs: int
    executor: Executor | None
    progress: Callable[[Progress], None] | None
    run_folder: Path | None
    shard: str | None = None

    @classmethod
    def of(
        cls,
        run: Target | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Playing:
        """Check the four arguments."""
        workers = whole_number("jobs", jobs)
        callable_or_none("executor", executor, "submit")
        callable_or_none("progress", progress)
        return cls(workers, executor, progress, folder("run", run))

    def of_shard(self, shard: str | None) -> Playing:
        """Return the arguments for a shard of the games, which needs `run`."""
        if self.run_folder is None and shard is not None:
            raise UsageError("`shard` goes with `run` only", "Name a folder as `run`")
        return self._replace(shard=shard)

    def play(self, study: Study[Any, R], judging: JudgingArguments, **more: Any) -> R:
        """Play all of a study, or the missing games if a folder keeps it."""
        if self.run_folder is None:
            return self.go_on(study, **more)
        from deckcheck.sim.run_directory import new_run

        run = new_run(self.run_folder, study, shard=self.shard, card_db=judging.root)
        return self.go_on(run, **more)

    def go_on(
        self, what: Study[Any, R] | RunDirectory[Study[Any, R]], **more: Any
    ) -> R:
        """Play a study or its run."""
        return what.run(
            jobs=self.jobs, executor=self.executor, watch=self.progress, **more
        )


def read_decks(
    given: Sequence[object], what: str, judging: JudgingArguments
) -> list[DeckReport]:
    """Read and judge the decks given to the function `what`."""
    return judge_decks(tuple(flatten_targets(given, what)), judging)


class EnteredDecks(NamedTuple):
    """The decks of a question, judged, by the groups in which they were given."""

    format: Format
    database: CardDatabase
    groups: tuple[list[DeckReport], ...]


def enter_decks(
    what: str,
    judging: JudgingArguments,
    *groups: Sequence[object],
    field: Sequence[object],
    allow_illegal: bool,
    alone: bool = False,
) -> EnteredDecks:
    """Enter the decks given to the function `what`, all in the same format.

    The last group is the `field`, which may name the reference field of that format.
    Each group may be empty. Decks of other groups are judged `alone` if their files are
    not lineups or teams here. Raises IllegalDeckError and UsageError.
    """
    from deckcheck.sim.gathering import (
        drop_joint_findings,
        load_reference_field,
        split_reference,
    )
    from deckcheck.sim.simulation import playable_format

    named = [read_decks(group, what, judging) if group else [] for group in groups]
    named = [drop_joint_findings(group) for group in named] if alone else named
    targets = [*flatten_targets(field, what)] if field else []
    decks, has_reference = split_reference(targets)
    opponents = judge_decks(decks, judging)
    fmt, database = playable_format(
        [*chain.from_iterable(named), *opponents],
        validator(judging),
        allow_illegal=flag("allow_illegal", allow_illegal),
    )
    if has_reference:
        opponents = [*load_reference_field(fmt, judging.root).decks, *opponents]
    return EnteredDecks(fmt, database, (*named, opponents))
