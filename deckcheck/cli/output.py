"""Printing, writing files, destinations of outputs."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TextIO, TypeAlias, TypeVar

import typer

from deckcheck.files import (
    folder_fault,
    is_direct,
    is_read,
    relative_path,
    usable,
)
from deckcheck.findings import UsageError
from deckcheck.messages import (
    choice,
    nearest,
    printable,
    printable_lines,
    quote,
    sentence,
    suggestion,
)

if TYPE_CHECKING:
    from deckcheck.terminal import Style
    from deckcheck.validation import Validation


CLEAN, FINDINGS, MISUSE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit codes of all commands."""

# Shared printing of commands: lines for people, columns of words, JSON


Paint: TypeAlias = Callable[[str], str]
"""Puts a colour around printable text."""


def say(text: str = "", paint: Paint = str) -> None:
    """Print lines for people on standard output."""
    # Only our own colours are left: `printable_lines` has escaped all else that steers.
    typer.echo(paint(printable_lines(text)), color=True)


def tell(text: str) -> None:
    """Print lines on standard error, if anybody takes them."""
    tell_painted(printable_lines(text))


def tell_painted(text: str) -> None:
    """Print printable text, perhaps with colours, on standard error."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def style_of(color: str, file: object = None, *, is_error: bool = False) -> Style:
    """Return the style for `--color` and a file or standard stream."""
    from deckcheck.terminal import Style, wants_color

    if file is not None:
        return Style(color == "always")
    stream = sys.stderr if is_error else sys.stdout
    return Style(wants_color(color, stream, os.environ))


def tell_notes(notes: Iterable[str], *, quiet: bool = False) -> None:
    """Print notes on standard error, a line each."""
    if quiet:
        return
    for note in notes:
        tell(f"note: {note}")


def print_file(text: str) -> None:
    """Print a text that may be saved as a file, escaped only for a terminal."""
    shown = printable_lines(text) if sys.stdout.isatty() else text
    typer.echo(shown, nl=False)


def say_table(rows: Sequence[tuple[str, ...]], style: Style) -> None:
    """Print rows in columns, with the first row as heading."""
    head, _, rest = columns(rows).partition("\n")
    say(head, style.strong)
    if rest:
        say(rest)


def columns(rows: Sequence[tuple[str, ...]], indent: str = "") -> str:
    """Return rows with their cells in columns, a line each."""
    cells = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)]
        lines.append(indent + "  ".join(padded).rstrip())
    return "\n".join(lines)


def print_json(document: Mapping[str, object]) -> None:
    """Print a document as people and programs can read it."""
    from deckcheck.markup import json_text

    typer.echo(json_text(document), nl=False)


# Writing files for the user, and showing changes before they are written


DECK_SUFFIX = ".deck"


def check_places(files: Iterable[str | Path]) -> None:
    """Refuse, before a run writes anything, files that it must not write.

    All are different files in existing folders, and this run has not read them: a
    result never replaces its input.
    """
    places: set[str] = set()
    for file in files:
        _check_place(file)
        path = os.path.realpath(file)
        if path in places:
            name = quote(relative_path(path))
            raise UsageError(f"Two outputs go to {name}", "Give each a file of its own")
        places.add(path)


def refuse_deck_name(file: str | Path, help: str = "Choose another file") -> None:
    """Refuse to write anything but a deck to a file with the name of a deck.

    The deck may have no other copy, and later commands would read the file as a deck.
    `help` describes how to write a deck.
    """
    _check_read(file)
    if Path(file).suffix.lower() != DECK_SUFFIX:
        return
    name = quote(str(file))
    if os.path.isfile(file):
        message = f"Writing {name} would replace a deck with something else"
        raise UsageError(message, help)
    raise UsageError(f"{name} is the name of a deck, but this output is not", help)


def _check_read(file: str | Path) -> None:
    if is_read(file):
        message = f"Writing {quote(str(file))} would replace a file that this run reads"
        raise UsageError(message, "Choose another file")


def _check_place(file: str | Path) -> None:
    folder = os.path.dirname(file) or "."
    fault = folder_fault(folder)
    if fault is not None:
        message = f"Cannot write {quote(str(file))}: folder {quote(folder)} {fault}"
        raise UsageError(message, "Make the folder, or choose another folder")
    if os.path.isdir(file):
        message = f"Cannot write {quote(str(file))}: it is a folder"
        raise UsageError(message, "Name a file in it")
    _check_read(file)


def write_file(
    file: str | Path, content: str | bytes, *, replaces_input: bool = False
) -> None:
    """Write a file whole or not at all, or a pipe or device directly.

    Raises UsageError if that fails, and for a file that this run has read, unless
    `replaces_input` is the purpose.
    """
    if not replaces_input:
        _check_place(file)
    if isinstance(content, str):
        content = content.encode("utf-8", errors="backslashreplace")
    write_bytes(file, content)


def write_bytes(file: str | Path, data: bytes) -> None:
    """Write bytes to a file, even to a file that this run has read."""
    target = os.path.realpath(file)
    with usable("write", file):
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)


def _replace(target: str, data: bytes) -> None:
    folder, name = os.path.split(target)
    draft = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        with open(draft, "xb") as stream:
            stream.write(data)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(draft, os.stat(target).st_mode & 0o7777)
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


@contextlib.contextmanager
def printed_to(file: Path | None) -> Iterator[None]:
    """Redirect standard output to a file, whole or not at all, unless it is None."""
    if file is None:
        yield
        return
    refuse_deck_name(file)
    _check_place(file)
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        yield
    write_file(file, stream.getvalue())


def show_changes(path: str, old: str, new: str, style: Style) -> None:
    """Print the lines of a file that differ, as `diff -u` does.

    If only their ends differ, a note on standard error explains it.
    """
    shown = False
    for line in changed_lines(path, old, new):
        paint = {"+": style.good, "-": style.bad, "@": style.frame}.get(line[0], str)
        say(line, paint)
        shown = True
    if old != new and not shown:
        tell(f"note: {printable(path)}: only line endings change")


def changed_lines(path: str, old: str, new: str, context: int = 3) -> Iterator[str]:
    """Yield the different lines of a file like `diff -u`, with context."""
    from difflib import unified_diff

    name = printable(path)
    lines = (old.splitlines(), new.splitlines())
    return unified_diff(*lines, name, name, lineterm="", n=context)


# Destinations of findings: standard output, files, the step summary of GitHub


T = TypeVar("T")
Writer: TypeAlias = "Callable[[T, TextIO, Style, bool], None]"
"""Writes the result of a command, see `deckcheck.reporters.Reporter`."""

BINARY_OUTPUT = "parquet"
"""The binary output, which no terminal shows."""
DECK_OUTPUTS = ("deck", "decks")
"""Outputs of decks, which may replace a deck."""
MAX_PAGE_BYTES = 2**20 - 1
"""The largest page of a CI job. GitHub drops a page of 1 MiB or more."""
PAGE_CUT = b"\nThe rest is left out.\n"


@dataclass(frozen=True, slots=True)
class Output(Generic[T]):
    """An output."""

    name: str
    file: str | None
    """The file that it is written to, or None for standard output."""
    write: Writer[T]


def read_outputs(
    words: Sequence[str],
    writers: Sequence[tuple[str, Writer[T]]],
    file: Path | None = None,
    checkout: Path | None = None,
) -> tuple[Output[T], ...]:
    """Return the outputs of `FORMAT` and `FORMAT:FILE`, with files in `checkout`.

    `writers` are all formats, and the first is the default. An output without a file is
    written to `file`, or else to standard output. Raises UsageError for an unknown
    format, and for two outputs to the same place.
    """
    default_file = None if file is None else str(file)
    names = dict(writers)
    asked = words or list(names)[:1]
    outputs = tuple(_read_output(word, names, default_file, checkout) for word in asked)
    if sum(output.file is None for output in outputs) > 1:
        raise UsageError(
            "Only a single output can go to standard output",
            "Write the others to files, such as `sarif:findings.sarif`",
        )
    check_places(files_of(outputs))
    if default_file is not None and default_file not in files_of(outputs):
        help = "Leave it out, or ask for another output"
        raise UsageError(f"No output is left for {quote(default_file)}", help)
    return outputs


def _read_output(
    word: str,
    writers: dict[str, Writer[T]],
    default_file: str | None,
    checkout: Path | None,
) -> Output[T]:
    name, colon, file = word.partition(":")
    if name not in writers:
        listed = f"Outputs are {choice(list(writers), 'and')}"
        help = suggestion(nearest(name, writers), listed)
        raise UsageError(f"Unknown output {quote(name)}", help)
    if colon and not file:
        raise UsageError(f"Output {quote(word)} names no file")
    file_name = str(in_checkout(checkout, Path(file))) if file else default_file
    if file_name is None and name == BINARY_OUTPUT:
        help = f"Name a file, such as `{BINARY_OUTPUT}:result.{BINARY_OUTPUT}`"
        raise UsageError(f"Output {quote(name)} needs a file", help)
    if file_name is not None and name not in DECK_OUTPUTS:
        deck_outputs = [name for name in writers if name in DECK_OUTPUTS]
        if deck_outputs:
            noun = deck_outputs[0]
            refuse_deck_name(file_name, f"Write the {noun} with `--{noun} {file_name}`")
        else:
            refuse_deck_name(file_name)
    return Output(name, file_name, writers[name])


def files_of(outputs: Sequence[Output[T]]) -> list[str]:
    """Return the files of outputs."""
    return [output.file for output in outputs if output.file is not None]


def counting(
    outputs: Sequence[Output[Validation]], file: Path | None
) -> tuple[Output[Validation], ...]:
    """Return the outputs, where counts of findings replace the output without a file.

    The counts are written to `file`, or else to standard output.
    """
    default_file = None if file is None else str(file)
    counted = []
    for output in outputs:
        is_counted = output.file in (None, default_file)
        counted.append(_count_only(output) if is_counted else output)
    return tuple(counted)


def _count_only(output: Output[Validation]) -> Output[Validation]:
    """Return the output with counts instead of findings."""
    from deckcheck.reporters.text import STATISTICS_WRITERS

    if output.name not in STATISTICS_WRITERS:
        raise UsageError(
            f"`--statistics` cannot be written as {quote(output.name)}",
            f"Use {choice(list(STATISTICS_WRITERS))}",
        )
    return Output(output.name, output.file, STATISTICS_WRITERS[output.name])


def write_outputs(
    result: T,
    outputs: Sequence[Output[T]],
    color: str,
    quiet: int,
    page: Writer[T] | None = None,
) -> None:
    """Write every output. `quiet` leaves out summaries, and twice standard output, too.

    With `github` among the outputs, `page` writes the page of a CI job. Raises
    UsageError if a file cannot be written, and before any is written for a file that
    this run has read.
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


def _write_out(
    result: T, write: Writer[T], style: Style, *, with_summary: bool
) -> None:
    try:
        write(result, sys.stdout, style, with_summary)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. The verdict stays the same.
        close_pipe(sys.stdout)


def _add_step_summary(result: T, write: Writer[T], file: str) -> None:
    """Add Markdown to the page of the CI job, as far as it fits."""
    from deckcheck.terminal import PLAIN

    stream = io.StringIO()
    write(result, stream, PLAIN, True)
    data = stream.getvalue().encode("utf-8", errors="backslashreplace")
    with usable("write", file), open(file, "ab") as page:
        # Other steps, and other commands of this step, have written before.
        room = MAX_PAGE_BYTES - page.tell()
        if len(data) > room:
            tell(f"note: The page of the job is full: {quote(file)} ends early")
            data = _cut_page(data, room)
        page.write(data)


def _cut_page(data: bytes, room: int) -> bytes:
    """Return the first lines that fit, with a line about the rest, or nothing."""
    end = data.rfind(b"\n", 0, max(room - len(PAGE_CUT), 0)) + 1
    return data[:end] + PAGE_CUT if end else b""


# A checkout of somebody who is not trusted: lists come from there, the judge does not


def in_checkout(checkout: Path | None, file: Path | None) -> Path | None:
    """Return a file to write, relative to `checkout`.

    Raises UsageError if `checkout` is not a folder, and if a link is in the way.
    """
    if checkout is None:
        return file
    fault = folder_fault(checkout)
    if fault is not None:
        raise UsageError(f"Checkout {quote(str(checkout))} {fault}", "Check the path")
    if file is None or file.is_absolute():
        return file
    with contextlib.chdir(checkout):
        if not is_direct(file):
            message = (
                f"{quote(str(file))} is a link in the checkout, or in a linked folder"
            )
            raise UsageError(message, "Write to another file")
        return file.absolute()


# Around a command: closed pipes, errors, the garbage collector


def close_pipe(stream: TextIO) -> None:
    """Send `stream` nowhere once nobody reads it, so that the exit is quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell_misuse(message: str, help: str | None) -> int:
    """Print an error and its remedy on standard error, and return the exit code."""
    # A message that starts with a place, `deckcheck.toml:3:1:`, keeps its spelling.
    is_place = message.partition(" ")[0].endswith(":")
    tell(f"error: {message if is_place else sentence(message)}")
    if help:
        tell(f"help: {sentence(help)}")
    return MISUSE


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Pause the search for cycles: decks and tallies have none, and it takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
