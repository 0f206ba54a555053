"""`deckcheck formats`: list, show and compare formats, and where a deck is legal."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from deckcheck.cli import completing
from deckcheck.cli.options.shared import AsOf, CardDb, Color, OutputFile
from deckcheck.cli.printing import (
    columns,
    print_json,
    say,
    say_table,
    style_of,
    tell_notes,
)
from deckcheck.cli.writing import printed_to
from deckcheck.findings.errors import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.cards.document import CardDocument
    from deckcheck.findings.style import Style
    from deckcheck.formats import Format
    from deckcheck.formats.document import (
        FormatDocument,
        FormatsDocument,
        SeatingDocument,
    )
    from deckcheck.validation.document import LegalityDocument

LEGAL_SOMEWHERE, LEGAL_NOWHERE = 0, 1
_NAMES = {
    "list": (0, "no format"),
    "show": (1, "one format"),
    "diff": (2, "two formats"),
}


def formats(
    action: Annotated[
        Literal["list", "show", "diff"],
        typer.Argument(
            metavar="list|show|diff",
            help="What to do: list all formats, show one, or diff two.",
        ),
    ] = "list",
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Format to show or to diff, such as gwent/standard.",
        ),
    ] = None,
    *,
    deck: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="DECK",
            help="Say in which formats this deck is legal, such as siege.deck.",
        ),
    ] = None,
    as_of: AsOf = None,
    output_format: Annotated[
        Literal["table", "json"],
        typer.Option("--output-format", help="How formats are written."),
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """List the formats, show one, compare two, or say where a deck is legal.

    With --for the exit code is 1 when a deck of the file is legal in no format.
    """
    names = name or []
    if deck is not None:
        if action != "list" or names:
            raise UsageError("`--for` works with `formats list` only")
        with printed_to(output):
            return _print_legality(deck, card_db, as_of, output_format)
    wanted, words = _NAMES[action]
    if len(names) != wanted:
        message = f"`formats {action}` takes {words}, {len(names)} given"
        raise UsageError(message, "`deckcheck formats` lists them")
    chosen = _load(names, card_db, as_of)
    style = style_of(color, output)
    with printed_to(output):
        if output_format == "json":
            _print_json(action, chosen)
        elif action == "list":
            rows = [(fmt.id, fmt.month, fmt.title) for fmt in chosen]
            say_table([("format", "snapshot", "title"), *rows], style)
        elif action == "show":
            _show(chosen[0], style)
        else:
            _show_differences(chosen[0], chosen[1], style)
    return 0


def _load(names: list[str], root: Root, as_of: str | None) -> list[Format]:
    from deckcheck.formats import formats_as_of, load_format

    if not names:
        return formats_as_of(root, as_of)
    return [load_format(id, root, as_of) for id in names]


def _show(fmt: Format, style: Style) -> None:
    from deckcheck.formats.comparing import in_words, shown

    say(f"{fmt.id} ({fmt.month}): {fmt.title}", style.strong)
    say(f"from {fmt.origin}, digest {fmt.digest}\n")
    seats = [(name, shown(value)) for name, value in asdict(fmt.seating).items()]
    say("seating\n" + columns(seats, "  "))
    rules = [(c.name, in_words(c), c.statement, c.origin) for c in fmt.constraints]
    say("\nconstraints\n" + columns(rules, "  "))
    _show_changes(fmt)
    values = [(name, shown(value)) for name, value in fmt.options.items()]
    say("\noptions\n" + columns(values, "  "))


def _show_changes(fmt: Format) -> None:
    from deckcheck.cards.changes import record_in_words

    for title, changes in (
        ("added by sets", [change for change in fmt.changes if change.was is None]),
        (
            "changed by sets",
            [change for change in fmt.changes if change.was and change.now],
        ),
        ("removed by sets", [change for change in fmt.changes if change.now is None]),
    ):
        rows = [(c.name, record_in_words(c.record), c.in_words) for c in changes]
        if rows:
            say(f"\n{title}\n" + columns(rows, "  "))


def _show_differences(old: Format, new: Format, style: Style) -> None:
    from deckcheck.formats.comparing import compare

    say(f"- {old.id} ({old.month})", style.bad)
    say(f"+ {new.id} ({new.month})", style.good)
    differences = compare(old, new)
    for one in differences:
        say(f"\n{one.about} {one.name}")
        if one.old is not None:
            say(f"- {one.old}", style.bad)
        if one.new is not None:
            say(f"+ {one.new}", style.good)
    say(f"\n{plural(len(differences), 'difference')}")


def _print_json(action: str, chosen: list[Format]) -> None:
    from deckcheck.formats.comparing import compare

    document: FormatsDocument = {
        "schema_version": 1,
        "tool": tool(),
        "formats": [_as_data(fmt) for fmt in chosen],
    }
    if action == "diff":
        document["differences"] = [
            {"about": one.about, "name": one.name, "old": one.old, "new": one.new}
            for one in compare(*chosen)
        ]
    print_json(document)


def _as_data(fmt: Format) -> FormatDocument:
    return {
        "id": fmt.id,
        "game": fmt.game,
        "title": fmt.title,
        "snapshot": fmt.snapshot,
        "digest": fmt.digest,
        "origin": fmt.origin,
        "constraints": [
            {
                "name": c.name,
                "rule": c.rule,
                "settings": dict(c.settings),
                "statement": c.statement,
                "origin": c.origin,
            }
            for c in fmt.constraints
        ],
        "options": dict(fmt.options),
        "seating": cast("SeatingDocument", asdict(fmt.seating)),
        "extra_cards": [
            cast("CardDocument", asdict(change.now))
            for change in fmt.changes
            if change.about == "card" and change.now and not change.was
        ],
        "changes": [change.as_data() for change in fmt.changes],
    }


def _print_legality(
    path: str, root: Root, as_of: str | None, output_format: str
) -> int:
    from deckcheck.decks import LeftOut
    from deckcheck.validation.legality import where_legal

    left_out = LeftOut()
    decks = where_legal(path, root, as_of, left_out)
    tell_notes(left_out.notes)
    if output_format == "json":
        document: LegalityDocument = {
            "schema_version": 1,
            "tool": tool(),
            "decks": [deck.as_data() for deck in decks],
        }
        print_json(document)
    else:
        say("\n\n".join(deck.as_text() for deck in decks))
    is_somewhere = all(deck.legal for deck in decks)
    return LEGAL_SOMEWHERE if is_somewhere else LEGAL_NOWHERE
