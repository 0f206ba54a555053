"""`cards` and `formats`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import compress
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.options import AsOf, CardDb, OutputFile
from deckcheck.cli.output import (
    CLEAN,
    FINDINGS,
    columns,
    print_json,
    printed_to,
    say,
    say_table,
    style_of,
    tell_notes,
)
from deckcheck.cli.settings import Color
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import plural

if TYPE_CHECKING:
    from deckcheck.cards import Card, CardDatabase, LeaderRecord, Root
    from deckcheck.formats import Format
    from deckcheck.terminal import Style
    from deckcheck.validation.documents import (
        FormatsDocument,
        LegalityDocument,
    )


# `deckcheck cards`: list, find and show the cards of a game


def cards(
    action: Annotated[
        Literal["list", "find", "show"],
        typer.Argument(
            metavar="list|find|show",
            help="List all cards or cards with these words, find cards by a part of "
            "their names, or show a card.",
        ),
    ] = "list",
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=completing.cards,
            help="Name of a card or leader, or a part of it. For list a faction, kind, "
            "row or ability.",
        ),
    ] = None,
    *,
    faction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completing.factions,
            help="Only cards of this faction, such as nilfgaard. Can be given "
            "several times.",
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            autocompletion=completing.kinds,
            help="Only cards of this kind, such as hero, or leader.",
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            autocompletion=completing.rows,
            help="Only cards that can be played in this row, such as siege.",
        ),
    ] = None,
    ability: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            autocompletion=completing.abilities,
            help="Only cards with this ability, such as spy.",
        ),
    ] = None,
    strength: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help="Only cards of this strength: 5, 5..10, 5.. (at least 5) or ..4 (at "
            "most 4).",
        ),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            autocompletion=completing.games,
            help="Game whose cards are listed.",
        ),
    ] = "gwent",
    output_format: Annotated[
        Literal["table", "json"], typer.Option(help="How cards are written.")
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """List the cards of a game, find cards by name, or show a card.

    Filters apply to list and find. A card must match every filter. If a filter is given
    several times, any of its values will do.
    """
    from deckcheck.cards.searching import make_card_filter

    database = _open_database(game, card_db)
    chosen = make_card_filter(
        database,
        factions=faction or (),
        kinds=kind or (),
        rows=row or (),
        abilities=ability or (),
        strength=strength,
        words=(name or ()) if action == "list" else (),
    )
    text = " ".join(name or ())
    if action != "list" and not text.strip():
        raise UsageError(
            f"`cards {action}` needs a name", "Give a name or a part of it"
        )
    is_filtered = chosen != make_card_filter(database)
    style = style_of(color, output)
    if action == "show" and is_filtered:
        raise UsageError("`cards show` takes no filter", "Filter with `cards list`")
    matching_cards, leaders = _search(database, action, text)
    if is_filtered:
        matching_cards = [card for card in matching_cards if chosen.matches(card)]
        leaders = [leader for leader in leaders if chosen.matches_leader(leader)]
    elif action == "list":
        leaders = []
    with printed_to(output):
        if output_format == "json":
            from deckcheck.cards.listing import cards_document

            print_json(cards_document(database, matching_cards, leaders))
        elif action == "show" and len(matching_cards) + len(leaders) == 1:
            _show((matching_cards or leaders)[0], database, style)
        else:
            _print_table(database, matching_cards, leaders, style)


def _open_database(game: str, root: Root) -> CardDatabase:
    from deckcheck.cards import load_database
    from deckcheck.cards.searching import find_game
    from deckcheck.cards.storage import some_game_ids

    return load_database(find_game(game, some_game_ids(root)), root)


def _search(
    database: CardDatabase, action: str, text: str
) -> tuple[list[Card], list[LeaderRecord]]:
    from deckcheck.cards.searching import (
        find_cards,
        find_leaders,
        find_records,
        unknown_name,
    )

    if action == "list":
        return list(database.cards.values()), list(database.leaders.values())
    if action == "show":
        return find_records(database, text)
    matching_cards = find_cards(database, text)
    leaders = find_leaders(database, text)
    if not matching_cards and not leaders:
        raise unknown_name(database, text)
    return matching_cards, leaders


def _print_table(
    database: CardDatabase,
    matching_cards: Sequence[Card],
    leaders: Sequence[LeaderRecord],
    style: Style,
) -> None:
    from deckcheck.cards.describing import card_row

    if matching_cards:
        head = ("card", "faction", "kind", "row", "strength", "abilities", "copies")
        # Leave out columns that no card of the game fills.
        rows = [card_row(database, card) for card in database.cards.values()]
        filled = [any(cells) for cells in zip(*rows, strict=True)]
        lines = [head, *(card_row(database, card) for card in matching_cards)]
        say_table([tuple(compress(line, filled)) for line in lines], style)
    if matching_cards and leaders:
        say()
    _print_leaders(database, leaders, style)
    counts = [plural(len(leaders), "leader")] if leaders else []
    if matching_cards or not leaders:
        counts.insert(0, plural(len(matching_cards), "card"))
    say("\n" * bool(matching_cards or leaders) + ", ".join(counts))


def _print_leaders(
    database: CardDatabase, leaders: Sequence[LeaderRecord], style: Style
) -> None:
    """Print leaders below their factions, each with its ability."""
    words = {text.ability: text.text for text in database.game.texts}
    names = columns([(leader.full_name,) for leader in leaders]).splitlines()
    width = max(map(len, names), default=0)
    faction = None
    for name, leader in zip(names, leaders, strict=True):
        if leader.faction != faction:
            if faction is not None:
                say()
            faction = leader.faction
            say(database.factions[faction].name, style.strong)
        say(f"  {name:{width}}  {words.get(leader.ability, leader.ability)}".rstrip())


def _show(record: Card | LeaderRecord, database: CardDatabase, style: Style) -> None:
    from deckcheck.cards import LeaderRecord
    from deckcheck.cards.describing import ability_texts, describe_card, describe_leader

    if isinstance(record, LeaderRecord):
        title, lines = record.full_name, describe_leader(database, record)
    else:
        title, lines = record.name, describe_card(database, record)
    width = max(len(key) for key, value in lines if value)
    say(title, style.strong)
    for key, value in lines:
        if value:
            say(f"  {key:{width}}  {value}")
    for line in ability_texts(database, [record]):
        say(f"\n{line.ability} ({line.statement})", style.strong)
        say(f"  {line.text}")


# `deckcheck formats`: list, show and compare formats, and where a deck is legal


_CARD_NAMES = {
    "list": (0, "no format"),
    "show": (1, "one format"),
    "diff": (2, "two formats"),
}


def formats(
    action: Annotated[
        Literal["list", "show", "diff"],
        typer.Argument(
            metavar="list|show|diff",
            help="List all formats, show a format, or diff two formats.",
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
            help="Show in which formats this deck is legal, such as siege.deck.",
        ),
    ] = None,
    as_of: AsOf = None,
    output_format: Annotated[
        Literal["table", "json"], typer.Option(help="How formats are written.")
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """List the formats, show a format, compare two, or show where a deck is legal.

    With --for the exit code is 1 when a deck of the file is legal in no format.
    """
    names = name or []
    if deck is not None:
        if action != "list" or names:
            raise UsageError("`--for` works with `formats list` only")
        with printed_to(output):
            return _print_legality(deck, card_db, as_of, output_format)
    wanted, words = _CARD_NAMES[action]
    if len(names) != wanted:
        message = f"`formats {action}` takes {words}, {len(names)} given"
        raise UsageError(message, "`deckcheck formats` lists them")
    chosen = _load(names, card_db, as_of)
    style = style_of(color, output)
    with printed_to(output):
        if output_format == "json":
            _print_formats_json(action, chosen)
        elif action == "list":
            rows = [(fmt.id, fmt.month, fmt.title) for fmt in chosen]
            say_table([("format", "snapshot", "title"), *rows], style)
        elif action == "show":
            _show_formats(chosen[0], style)
        else:
            _show_differences(chosen[0], chosen[1], style)
    return 0


def _load(names: list[str], root: Root, as_of: str | None) -> list[Format]:
    from deckcheck.formats import load_format, load_formats

    if not names:
        return load_formats(root, as_of)
    return [load_format(id, root, as_of) for id in names]


def _show_formats(fmt: Format, style: Style) -> None:
    from deckcheck.formats.wording import (
        group_changes,
        write_constraint,
        write_setting,
    )

    say(f"{fmt.id} ({fmt.month}): {fmt.title}", style.strong)
    say(f"from {fmt.origin}, rules fingerprint {fmt.fingerprint}\n")
    seats = [
        (name, write_setting(value)) for name, value in asdict(fmt.seating).items()
    ]
    say("seating\n" + columns(seats, "  "))
    rules = [
        (c.name, write_constraint(c), c.statement, c.origin) for c in fmt.constraints
    ]
    say("\nconstraints\n" + columns(rules, "  "))
    for title, changes in group_changes(fmt).items():
        say(f"\n{title}\n" + columns(changes, "  "))
    values = [(name, write_setting(value)) for name, value in fmt.options.items()]
    say("\noptions\n" + columns(values, "  "))


def _show_differences(old: Format, new: Format, style: Style) -> None:
    from deckcheck.formats.wording import compare_formats

    say(f"- {old.id} ({old.month})", style.bad)
    say(f"+ {new.id} ({new.month})", style.good)
    differences = compare_formats(old, new)
    for difference in differences:
        say(f"\n{difference.about} {difference.name}")
        if difference.old is not None:
            say(f"- {difference.old}", style.bad)
        if difference.new is not None:
            say(f"+ {difference.new}", style.good)
    say(f"\n{plural(len(differences), 'difference')}")


def _print_formats_json(action: str, chosen: list[Format]) -> None:
    from deckcheck.formats.wording import compare_formats
    from deckcheck.validation.documents import format_document

    document: FormatsDocument = {
        "schema_version": 1,
        "tool": tool(),
        "formats": [format_document(fmt) for fmt in chosen],
    }
    if action == "diff":
        document["differences"] = [
            {"about": each.about, "name": each.name, "old": each.old, "new": each.new}
            for each in compare_formats(*chosen)
        ]
    print_json(document)


def _print_legality(
    path: str, root: Root, as_of: str | None, output_format: str
) -> int:
    from deckcheck.decks import LeftOut
    from deckcheck.validation.legality import find_legality

    left_out = LeftOut()
    decks = find_legality(path, root, as_of, left_out)
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
    return CLEAN if all(deck.legal for deck in decks) else FINDINGS
