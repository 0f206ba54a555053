"""Where findings go: standard output, files, and the step summary of GitHub."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckcheck.cli.writing import unwritable, write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.records import dataclass
from deckcheck.findings.words import choice, quote

if TYPE_CHECKING:
    from deckcheck.reporters import Reporter, Style
    from deckcheck.validation import Validation

__all__ = ["Output", "read_outputs", "write_outputs"]

# GitHub refuses a step summary above 1 MiB.
LONGEST_SUMMARY = 1_000_000


@dataclass(frozen=True, slots=True)
class Output:
    """An output by its name, and the file it goes to; None is standard output."""

    name: str
    file: str | None
    write: Reporter


def read_outputs(words: Sequence[str], *, statistics: bool) -> tuple[Output, ...]:
    """The outputs that `FORMAT` and `FORMAT:FILE` ask for; `full` when nothing does.

    With `statistics` standard output gets counts. Raises UsageError for an unknown
    format, and for two outputs to one place.
    """
    outputs = tuple(_read_output(word) for word in words or ("full",))
    files = [os.path.abspath(o.file) for o in outputs if o.file is not None]
    if len(outputs) - len(files) > 1:
        raise UsageError(
            "Only one output can go to standard output",
            "Write the others to files, such as `sarif:findings.sarif`",
        )
    for file in files:
        if files.count(file) > 1:
            raise UsageError(f"Two outputs go to {quote(os.path.relpath(file))}")
    if statistics:
        return tuple(o if o.file is not None else _counting(o) for o in outputs)
    return outputs


def write_outputs(
    run: Validation, outputs: Sequence[Output], color: str, quiet: int
) -> None:
    """Write every output; `quiet` leaves out summaries, twice standard output.

    Raises UsageError when a file cannot be written.
    """
    from deckcheck.reporters import Style, wants_color

    for output in outputs:
        if output.file is not None:
            stream = io.StringIO()
            output.write(run, stream, Style(color == "always"), not quiet)
            write_file(output.file, stream.getvalue())
        elif quiet < 2:
            style = Style(wants_color(color, sys.stdout, os.environ))
            _write_out(run, output.write, style, with_summary=not quiet)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary and any(output.name == "github" for output in outputs):
        _add_step_summary(run, summary)


def _read_output(word: str) -> Output:
    from deckcheck.reporters import REPORTERS

    name, colon, file = word.partition(":")
    known = dict(REPORTERS)
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=1)
        help = f"Did you mean {choice(near)}?" if near else None
        help = help or f"Outputs are {choice(list(known), 'and')}"
        raise UsageError(f"Unknown output {quote(name)}", help)
    if colon and not file:
        raise UsageError(f"Output {quote(word)} names no file")
    return Output(name, file or None, known[name])


def _counting(output: Output) -> Output:
    """Counts instead of the findings."""
    from deckcheck.reporters.statistics import STATISTICS

    if output.name not in STATISTICS:
        raise UsageError(
            f"There are no statistics as {quote(output.name)}",
            f"With `--statistics` standard output can be {choice(list(STATISTICS))}",
        )
    return Output(output.name, None, STATISTICS[output.name])


def _write_out(
    run: Validation, write: Reporter, style: Style, *, with_summary: bool
) -> None:
    from deckcheck.cli import close_pipe

    try:
        write(run, sys.stdout, style, with_summary)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the verdict stays what it is.
        close_pipe(sys.stdout)


def _add_step_summary(run: Validation, file: str) -> None:
    """Add the tables of `markdown` to the page of the CI job, as far as they fit."""
    from deckcheck.reporters import REPORTERS
    from deckcheck.reporters.style import PLAIN

    stream = io.StringIO()
    dict(REPORTERS)["markdown"](run, stream, PLAIN, True)
    data = stream.getvalue().encode("utf-8", errors="backslashreplace")
    if len(data) > LONGEST_SUMMARY:
        kept = data[:LONGEST_SUMMARY]
        data = kept[: kept.rindex(b"\n") + 1] + b"\nThe rest is left out.\n"
    try:
        with open(file, "ab") as page:
            page.write(data)
    except OSError as error:
        raise unwritable(file, error) from error
