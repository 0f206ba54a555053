"""The rules page of Gwent and its tables agree with the card database."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from deckcheck.cards import load_database
from deckcheck.formats import format_ids, load_format

DOCS = Path(__file__).resolve().parent.parent / "docs"
RULES = (DOCS / "rules" / "gwent.md").read_text(encoding="utf-8")
PAGE = (DOCS / "reference" / "games" / "gwent.md").read_text(encoding="utf-8")
DB = load_database("gwent")

STATEMENT = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\*", re.MULTILINE)


def statements() -> list[str]:
    return STATEMENT.findall(RULES)


def table(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table whose first column is called `heading`."""
    start = text.index(f"| {heading} |")
    rows = text[start:].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_statements_are_numbered_once_and_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in statements()]

    assert numbers == sorted(set(numbers))


def test_no_statement_is_left_out_of_a_count() -> None:
    numbers = set(statements())
    for number in numbers:
        *section, last = number.split(".")
        before = ".".join([*section, str(int(last) - 1)])

        # 4.6 and 4.7, 5.5 and 5.6 are sections whose parts are numbered.
        assert last == "1" or before in numbers or f"{before}.1" in numbers, number


def test_data_cites_statements_that_exist() -> None:
    cited = {option.statement for option in DB.game.options}
    for id in format_ids():
        if id.startswith("gwent/"):
            cited |= {entry.statement for entry in load_format(id).constraints}

    assert cited <= {f"gwent {number}" for number in statements()}


def test_the_leaders_table_is_that_of_the_database() -> None:
    stated = {
        (row[0], row[1], row[2], row[4].strip("`")) for row in table(RULES, "leader")
    }

    assert stated == {
        (
            leader.full_name,
            DB.factions[leader.faction].name,
            "passive" if leader.passive else "active",
            leader.ability,
        )
        for leader in DB.leaders.values()
    }


def test_the_abilities_table_has_every_ability_and_its_cards() -> None:
    stated = {
        code: row[4]
        for row in table(RULES, "code")
        for code in re.findall(r"`(\w+)`", row[0])
    }

    assert set(stated) == set(DB.game.abilities)
    for code, cards in stated.items():
        for card in DB.cards.values():
            assert not card.has(code) or card.name in cards, f"{card.name}: {code}"


def default_options() -> dict[str, Any]:
    """The options of the first format that has them, by option."""
    defaults: dict[str, Any] = {}
    for id in ("gwent/standard", *format_ids()):
        for name, value in load_format(id).options.items():
            if id.startswith("gwent/"):
                defaults.setdefault(name, value)
    return defaults


def test_the_options_table_is_that_of_the_database() -> None:
    stated = {row[0].strip("`"): row for row in table(PAGE, "option")}
    defaults = default_options()

    assert list(stated) == [option.name for option in DB.game.options]
    for option in DB.game.options:
        values = re.findall(r"`(\w+)`", stated[option.name][1])
        if option.values:
            assert values == [as_text(value) for value in option.values]
        else:
            limits = f"or {option.minimum} to {option.maximum}"
            assert limits in stated[option.name][1]
        assert values[0] == as_text(defaults[option.name])
        assert f"gwent {stated[option.name][3]}" == option.statement


def test_the_rules_page_names_every_option_with_its_default() -> None:
    for name, value in default_options().items():
        assert f"`{name}: {as_text(value)}`" in " ".join(RULES.split()), name


@pytest.mark.parametrize("game", ["gwent", "gwen_t", "deckmaster"])
def test_every_ability_has_a_text_and_a_statement(game: str) -> None:
    db = load_database(game)
    page = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    codes = {*db.game.abilities, *(leader.ability for leader in db.leaders.values())}

    assert {text.ability for text in db.game.texts} == codes
    assert {text.statement for text in db.game.texts} <= {
        f"{game} {number}" for number in STATEMENT.findall(page)
    }


def test_texts_of_leaders_are_those_of_the_page() -> None:
    """But for what is in brackets: options, and other statements."""
    stated = {
        row[4].strip("`"): re.sub(r" \((`[^`]*`|[\d.]+)\)", "", row[3])
        for row in table(RULES, "leader")
    }
    texts = {text.ability: text.text for text in DB.game.texts}

    assert {code: texts[code] for code in stated} == stated
