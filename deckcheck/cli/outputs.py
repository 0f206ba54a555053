"""Destinations of findings: standard output, files, the step summary of GitHub."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TextIO, TypeAlias, TypeVar

from deckcheck.cli.printing import style_of
from deckcheck.cli.writing import check_places, keep_deck, unwritable, write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, nearest, quote

if TYPE_CHECKING:
    from deckcheck.findings.style import Style
    from deckcheck.validation import Validation


T = TypeVar("T")
Writer: TypeAlias = "Callable[[T, TextIO, Style, bool], None]"
"""Writes the result of a command; see `deckcheck.reporters.Reporter`."""

BINARY = "parquet"
"""The output that is no text, and that no terminal shows."""
DECKS = ("deck", "decks")
"""Outputs that are decks, and may replace one."""
# GitHub refuses a step summary above 1 MiB.
LONGEST_SUMMARY = 1_000_000


@dataclass(frozen=True, slots=True)
class Output(Generic[T]):
    """An output by its name, and the file it goes to; None is standard output."""

    name: str
    file: str | None
    write: Writer[T]


def read_outputs(
    words: Sequence[str],
    writers: Sequence[tuple[str, Writer[T]]],
    file: Path | None = None,
) -> tuple[Output[T], ...]:
    """The outputs that `FORMAT` and `FORMAT:FILE` ask for.

    `writers` are all there are; the first stands for none asked. What has no file of
    its own goes to `file`, else to standard output. Raises UsageError for an unknown
    format, and for two outputs to one place.
    """
    rest = None if file is None else str(file)
    names = dict(writers)
    asked = words or list(names)[:1]
    outputs = tuple(_read_output(word, names, rest) for word in asked)
    if sum(output.file is None for output in outputs) > 1:
        raise UsageError(
            "Only one output can go to standard output",
            "Write the others to files, such as `sarif:findings.sarif`",
        )
    check_places(files_of(outputs))
    if rest is not None and all(output.file != rest for output in outputs):
        help = "Leave it out, or ask for one more output"
        raise UsageError(f"No output is left for {quote(rest)}", help)
    return outputs


def files_of(outputs: Sequence[Output[T]]) -> list[str]:
    """The files that outputs go to."""
    return [output.file for output in outputs if output.file is not None]


def counting(
    outputs: Sequence[Output[Validation]], file: Path | None
) -> tuple[Output[Validation], ...]:
    """The same outputs, but counts of findings in the one without a file of its own.

    It goes to `file`, else to standard output.
    """
    rest = None if file is None else str(file)
    return tuple(_counting(o) if o.file in (None, rest) else o for o in outputs)


def write_outputs(
    result: T,
    outputs: Sequence[Output[T]],
    color: str,
    quiet: int,
    page: Writer[T] | None = None,
) -> None:
    """Write every output; `quiet` leaves out summaries, twice standard output.

    With `github` among them, `page` writes the page of a CI job. Raises UsageError
    when a file cannot be written, and before any is for one that this run has read.
    """
    check_places(files_of(outputs))
    for output in outputs:
        if output.file is not None:
            data = io.BytesIO()
            stream = io.TextIOWrapper(data, "utf-8", "backslashreplace", newline="")
            output.write(result, stream, style_of(color, output.file), not quiet)
            stream.flush()
            write_file(output.file, data.getvalue())
        elif quiet < 2:
            _write_out(result, output.write, style_of(color), with_summary=not quiet)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if page and summary and any(output.name == "github" for output in outputs):
        _add_step_summary(result, page, summary)


def _read_output(
    word: str, writers: dict[str, Writer[T]], rest: str | None
) -> Output[T]:
    name, colon, file = word.partition(":")
    if name not in writers:
        near = nearest(name, writers)
        help = f"Did you mean {choice(near)}?" if near else None
        help = help or f"Outputs are {choice(list(writers), 'and')}"
        raise UsageError(f"Unknown output {quote(name)}", help)
    if colon and not file:
        raise UsageError(f"Output {quote(word)} names no file")
    place = file or rest
    if place is None and name == BINARY:
        help = f"Name one, such as `{BINARY}:result.{BINARY}`"
        raise UsageError(f"Output {quote(name)} needs a file", help)
    if place is not None and name not in DECKS:
        keep_deck(place, *_deck_help(place, writers))
    return Output(name, place, writers[name])


def _deck_help(place: str, writers: Iterable[str]) -> list[str]:
    """How to get the decks of a result written, where it has any."""
    return [
        f"`--{word} {place}` writes the {word}" for word in writers if word in DECKS
    ]


def _counting(output: Output[Validation]) -> Output[Validation]:
    """Counts instead of the findings."""
    from deckcheck.reporters.statistics import STATISTICS

    if output.name not in STATISTICS:
        raise UsageError(
            f"`--statistics` cannot be written as {quote(output.name)}",
            f"Use {choice(list(STATISTICS))}",
        )
    return Output(output.name, output.file, STATISTICS[output.name])


def _write_out(
    result: T, write: Writer[T], style: Style, *, with_summary: bool
) -> None:
    from deckcheck.cli import close_pipe

    try:
        write(result, sys.stdout, style, with_summary)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the verdict stays what it is.
        close_pipe(sys.stdout)


def _add_step_summary(result: T, write: Writer[T], file: str) -> None:
    """Add Markdown to the page of the CI job, as far as it fits."""
    from deckcheck.findings.style import PLAIN

    stream = io.StringIO()
    write(result, stream, PLAIN, True)
    data = stream.getvalue().encode("utf-8", errors="backslashreplace")
    if len(data) > LONGEST_SUMMARY:
        kept = data[:LONGEST_SUMMARY]
        data = kept[: kept.rindex(b"\n") + 1] + b"\nThe rest is left out.\n"
    try:
        with open(file, "ab") as page:
            page.write(data)
    except OSError as error:
        raise unwritable(file, error) from error
