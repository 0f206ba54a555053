"""`deckcheck cards`: list, find and show the cards of a game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from deckcheck.cli import completing
from deckcheck.cli.options.shared import CardDb, Color, OutputFile
from deckcheck.cli.printing import print_json, say, say_table, style_of
from deckcheck.cli.writing import printed_to
from deckcheck.findings.errors import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural

if TYPE_CHECKING:
    from deckcheck.cards import Card, CardDatabase, Leader, Root, Text
    from deckcheck.cards.document import (
        CardDocument,
        CardsDocument,
        LeaderDocument,
        TextDocument,
    )
    from deckcheck.findings.style import Style


def cards(
    action: Annotated[
        Literal["list", "find", "show"],
        typer.Argument(
            metavar="list|find|show",
            help="What to do: list all cards, find some by a part of their names, or "
            "show one.",
        ),
    ] = "list",
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=completing.cards,
            help="Name of a card or leader, or part of one.",
            show_default=False,
        ),
    ] = None,
    *,
    faction: Annotated[
        list[str] | None,
        typer.Option(
            "--faction",
            metavar="NAME",
            autocompletion=completing.factions,
            help="Only cards of this faction, such as nilfgaard. Can be given "
            "several times.",
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="WORD",
            autocompletion=completing.kinds,
            help="Only cards of this kind, such as hero.",
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            "--row",
            metavar="WORD",
            autocompletion=completing.rows,
            help="Only cards that can be played in this row, such as siege.",
        ),
    ] = None,
    ability: Annotated[
        list[str] | None,
        typer.Option(
            "--ability",
            metavar="WORD",
            autocompletion=completing.abilities,
            help="Only cards with this ability, such as spy.",
        ),
    ] = None,
    strength: Annotated[
        str | None,
        typer.Option(
            "--strength",
            metavar="RANGE",
            help="Only cards of this strength: 5, 5..10, 5.. (at least 5) or ..4 (at "
            "most 4).",
        ),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="GAME",
            autocompletion=completing.games,
            help="Game whose cards are listed.",
        ),
    ] = "gwent",
    output_format: Annotated[
        Literal["table", "json"],
        typer.Option("--output-format", help="How cards are written."),
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """List the cards of a game, find some by name, or show one.

    Filters apply to list and find. A card must match every filter; if a filter is given
    several times, any of its values will do.
    """
    from deckcheck.cards.query import card_filter

    db = _database(game, card_db)
    chosen = card_filter(
        db,
        factions=faction or (),
        kinds=kind or (),
        rows=row or (),
        abilities=ability or (),
        strength=strength,
    )
    text = _name_for(action, name)
    is_filtered = chosen != card_filter(db)
    style = style_of(color, output)
    if action == "show":
        if is_filtered:
            raise UsageError("`cards show` takes no filter", "Filter with `cards list`")
        with printed_to(output):
            _show(db, text, output_format, style)
        return
    matching_cards, leaders = _search(db, action, text)
    fitting = [card for card in matching_cards if chosen.matches(card)]
    if is_filtered:
        leaders = []
    with printed_to(output):
        if output_format == "json":
            _print_json(db, fitting, leaders)
        else:
            _print_table(db, fitting, leaders, style)


def _database(game: str, root: Root) -> CardDatabase:
    from deckcheck.cards import load_database
    from deckcheck.cards.query import known_game
    from deckcheck.cards.root import some_game_ids

    return load_database(known_game(game, some_game_ids(root)), root)


def _name_for(action: str, words: list[str] | None) -> str:
    text = " ".join(words or ())
    if action == "list" and text:
        raise UsageError("`cards list` takes no name", "Look for one with `cards find`")
    if action != "list" and not text.strip():
        raise UsageError(f"`cards {action}` needs a name", "Give a name or part of one")
    return text


def _search(
    db: CardDatabase, action: str, text: str
) -> tuple[list[Card], list[Leader]]:
    from deckcheck.cards.query import find_cards, find_leaders, unknown_name

    if action == "list":
        return list(db.cards.values()), []
    matching_cards, leaders = find_cards(db, text), find_leaders(db, text)
    if not matching_cards and not leaders:
        raise unknown_name(db, text)
    return matching_cards, leaders


def _print_json(
    db: CardDatabase, matching_cards: Sequence[Card], leaders: Sequence[Leader]
) -> None:
    from dataclasses import asdict

    texts = _texts(db, [*matching_cards, *leaders])
    document: CardsDocument = {
        "schema_version": 1,
        "tool": tool(),
        "game": db.game.id,
        "digest": db.digest,
        "cards": [cast("CardDocument", asdict(card)) for card in matching_cards],
        "leaders": [cast("LeaderDocument", asdict(leader)) for leader in leaders],
        "texts": [cast("TextDocument", asdict(text)) for text in texts],
    }
    print_json(document)


def _print_table(
    db: CardDatabase,
    matching_cards: Sequence[Card],
    leaders: Sequence[Leader],
    style: Style,
) -> None:
    if matching_cards:
        head = ("card", "faction", "kind", "row", "strength", "abilities", "copies")
        # Leave out columns that no card of the game fills.
        rows = [_row(db, card) for card in db.cards.values()]
        filled = [any(cells) for cells in zip(*rows, strict=True)]
        lines = [head, *(_row(db, card) for card in matching_cards)]
        say_table([tuple(compress(line, filled)) for line in lines], style)
    if matching_cards and leaders:
        say()
    if leaders:
        titles = [
            (x.full_name, db.factions[x.faction].name, x.ability) for x in leaders
        ]
        say_table([("leader", "faction", "ability"), *titles], style)
    counts = [plural(len(leaders), "leader")] if leaders else []
    if matching_cards or not leaders:
        counts.insert(0, plural(len(matching_cards), "card"))
    say("\n" * bool(matching_cards or leaders) + ", ".join(counts))


def _row(db: CardDatabase, card: Card) -> tuple[str, ...]:
    return (
        card.name,
        _faction(db, card),
        card.kind,
        " or ".join(card.rows),
        "" if card.strength is None else str(card.strength),
        ", ".join(ability.code for ability in card.abilities),
        _copies(db, card),
    )


def _copies(db: CardDatabase, card: Card) -> str:
    """How many copies a deck can hold; empty where there is no limit."""
    if db.description is not None:
        return ""
    return str(card.copies) if card.deckable else "side deck"


def _faction(db: CardDatabase, card: Card) -> str:
    return db.factions[card.faction].name if card.faction else ""


def _show(db: CardDatabase, text: str, output_format: str, style: Style) -> None:
    from deckcheck.cards import Card
    from deckcheck.cards.query import show_one

    card_or_leader = show_one(db, text)
    if output_format == "json":
        if isinstance(card_or_leader, Card):
            _print_json(db, [card_or_leader], [])
        else:
            _print_json(db, [], [card_or_leader])
        return
    if isinstance(card_or_leader, Card):
        title, lines = card_or_leader.name, _card_lines(db, card_or_leader)
    else:
        title, lines = card_or_leader.full_name, _leader_lines(db, card_or_leader)
    width = max(len(key) for key, value in lines if value)
    say(title, style.strong)
    for key, value in lines:
        if value:
            say(f"  {key:{width}}  {value}")
    for line in _texts(db, [card_or_leader]):
        say(f"\n{line.ability} ({line.statement})", style.strong)
        say(f"  {line.text}")


def _texts(db: CardDatabase, records: Sequence[Card | Leader]) -> list[Text]:
    """What the abilities of cards and leaders do, in the order of the game."""
    from deckcheck.cards import Card

    codes = {
        code
        for record in records
        for code in (
            [ability.code for ability in record.abilities]
            if isinstance(record, Card)
            else [record.ability]
        )
    }
    return [text for text in db.game.texts if text.ability in codes]


def _card_lines(db: CardDatabase, card: Card) -> list[tuple[str, str]]:
    abilities = []
    for ability in card.abilities:
        target = db.cards[ability.target].name if ability.target else ""
        group = f"gathers `{ability.group}`" if ability.group else ""
        row = f"{ability.row} row" if ability.row else ""
        about = f" ({target or group or row})" if target or group or row else ""
        abilities.append(ability.code + about)
    return [
        ("id", card.id),
        ("faction", _faction(db, card)),
        ("kind", card.kind),
        ("row", " or ".join(card.rows)),
        ("strength", "" if card.strength is None else str(card.strength)),
        ("abilities", ", ".join(abilities)),
        ("copies", _copies(db, card).replace("side deck", "side deck only")),
        ("aliases", ", ".join(card.aliases)),
        ("source", card.provenance),
    ]


def _leader_lines(db: CardDatabase, leader: Leader) -> list[tuple[str, str]]:
    return [
        ("id", leader.id),
        ("faction", db.factions[leader.faction].name),
        ("ability", leader.ability + (" (passive)" if leader.passive else "")),
        ("aliases", ", ".join(leader.aliases)),
        ("source", leader.provenance),
    ]
