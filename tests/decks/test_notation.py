"""The notations of whole lists: columns, numbers of lines, links, totals, prose."""

import pytest

from deckcheck.cards import load_database
from deckcheck.decks import DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.codes import ShareCode, encode
from deckcheck.decks.rewriting import format_text
from deckcheck.findings import Finding

DB = load_database("gwent")
HEAD = "Leader: Foltest, The Siegemaster\n"
LIST = [("Ballista", 2), ("Thaler", 1), ("Decoy", 3), ("Scorch", 1), ("Ves", 1)]
CARDS = {"ballista": 2, "thaler": 1, "decoy": 3, "scorch": 1, "ves": 1}


def judge(text: str, path: str = "a.deck") -> tuple[dict[str, int], list[Finding]]:
    """Return the cards of a list by id, and what is wrong with it."""
    raws = parse_decks(DeckText(path, text))
    cards: dict[str, int] = {}
    findings: list[Finding] = []
    for raw in raws:
        reading = read_deck(raw, DB)
        deck, named = resolve(reading, DB)
        cards |= dict(deck.counts())
        findings += [*reading.findings, *named]
    return cards, findings


def name_errors(findings: list[Finding]) -> list[str]:
    """Return the names of the findings that make a deck illegal."""
    return [finding.name for finding in findings if finding.severity == "error"]


def write_rows(row: str, heads: str = "") -> str:
    """Write the list with a template for each row."""
    rows = [
        row.format(number=number, name=name, count=count)
        for number, (name, count) in enumerate(LIST, start=1)
    ]
    return "\n".join([heads, *rows] if heads else rows) + "\n"


# Columns have one vocabulary, whatever the notation.


COLUMNS = (
    "Quantity/Name|qty/Card|Anzahl/Karte|Cantidad/Carta|Quantité/Nom de la carte|"
    "Quantità/Nome|Ilość/Karta|Quantidade/Nome da carta|Количество/Карта|"
    "Množství/Název karty|#/Card name|枚数/カード名"
)


def test_columns_in_many_languages() -> None:
    for heads in COLUMNS.split("|"):
        count, _, card = heads.partition("/")
        for delimiter in ",;\t":
            row = f"{{count}}{delimiter}{{name}}"
            table = write_rows(row, f"{count}{delimiter}{card}")
            for path in ("a.csv", "a.deck"):
                assert judge(table, path) == (CARDS, []), table
        row = f'{{{{"{card}": "{{name}}", "{count}": {{count}}}}}},'
        items = write_rows(row).strip().rstrip(",")
        assert judge(f'{{"cards": [{items}]}}', "a.json")[0] == CARDS, heads


COLLECTION = (
    "Count,Tradelist Count,Name,Edition,Card Number,Foil,Language,Purchase Date",
    "{count},7,{name},GWT,12,foil,English,2026-01-02",
)


def test_columns_beside_those_of_the_list() -> None:
    for heads, row in (("sep=;\nQuantity;Name", "{count};{name}"), COLLECTION):
        assert judge(write_rows(row, heads), "a.csv") == (CARDS, []), heads
    for heads, row, error in (
        ("card,zxq", "{name},3", "malformed-deck"),
        ("card,zxq", "{name},{count}", "malformed-deck"),
        ("count,card,tags", "{count},{name},sideboard", "doubtful-line"),
        ("count,card,tags", "{count},{name},maybe", "doubtful-line"),
        ("count,card", "{count},{name},,Scorch", "malformed-deck"),
        ("#,card", "{number},{name}", "malformed-deck"),
    ):
        found = name_errors(judge(write_rows(row, heads), "a.csv")[1])
        assert set(found) == {error}, row


def test_a_column_of_leaders_in_a_text_stands_above_the_cards() -> None:
    for delimiter in "|", "\t":
        heads = delimiter.join(("leader", "count", "card"))
        row = delimiter.join(("The Siegemaster", "{count}", "{name}"))
        assert judge(write_rows(row, heads)) == (CARDS, []), delimiter


# Rows without heads, numbers of lines, several cards on a line.


ROWS = (
    *("{number}\t{count}\t{name}", "{number}\t{name}\t{count}", "{count} | {name}"),
    *("| {name} | {count} |", "{count};{name}", "{name},{count}"),
    *("{number}. {count} {name}", "{number}) {name} x{count}"),
    *("#{number} {count}x {name}", "No. {number}: {count} {name}"),
    "{number} - {count} {name}",
)


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_one_notation(row: str) -> None:
    assert judge(HEAD + write_rows(row)) == (CARDS, [])


def test_numbers_alone_are_those_of_lines_in_a_longer_list() -> None:
    cards, findings = judge(HEAD + write_rows("{number}. {name}"))

    assert (cards, findings) == (dict.fromkeys(CARDS, 1), [])


def test_several_cards_on_a_line() -> None:
    for text in (
        *("2. Ballista\n1. Thaler\n", "1. Ballista\n2. Thaler\n"),
        *("3;Decoy\n2 Thaler\n", "1\t3\tDecoy\n2 Thaler\n"),
    ):
        assert name_errors(judge(HEAD + text)[1]), text
    for text in (
        "2 Ballista, Thaler, 3 Decoy, Scorch, Ves\n",
        "2 Ballista; Thaler; Decoy x3\nScorch and Ves\n",
        "Units: 2 Ballista, Thaler, Ves\nSpecials: 3 Decoy + Scorch\n",
    ):
        assert judge(HEAD + text) == (CARDS, []), text


def test_a_line_with_two_names_of_a_card_counts_it_once() -> None:
    for line in ("3 Decoy / Finte", "3x Decoy/Finte", "Finte x3 / Decoy"):
        cards, findings = judge(f"{HEAD}{line}\n")
        assert (cards, findings) == ({"decoy": 3}, []), line


def test_a_line_that_may_name_alternatives_is_refused() -> None:
    for line in (
        *("2 Ballista / Biting Frost", "Ballista / 2 Biting Frost", "Decoy, Finte"),
        *("2 Decoy / 2 Finte", "2 Decoy, 1 Finte", "Units: 2 Ballista / Thaler"),
    ):
        cards, findings = judge(f"{HEAD}{line}\n")
        assert (cards, name_errors(findings)) == ({}, ["unknown-card"]), line
    cards, findings = judge(f"{HEAD}2 Ballista / 1 Thaler\n")
    assert (len(cards), findings) == (2, [])


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("2 Ballista / Thaler", "Write each card that is meant on its own line"),
        ("DC1_AAAAAAAA", "This is a share code: remove all other lines of the list"),
    ],
)
def test_the_help_for_a_line_that_is_no_card(line: str, help: str) -> None:
    [finding] = judge(f"{HEAD}{line}\n")[1]
    assert finding.help == help


def test_one_unknown_card_leaves_a_line_of_several_unread() -> None:
    cards, findings = judge(f"{HEAD}2 Ballista, Zzzz\n")

    assert (cards, name_errors(findings)) == ({}, ["unknown-card"])


# Links and fences.


LINKS = (
    *("[{}](https://example.org/card_(game))", '[{}](https://example.org "a title")'),
    *("[{}][1]", "[[{}]]", "[[page|{}]]", '<a href="https://example.org">{}</a>'),
    *("[url=https://example.org]{}[/url]", "[card]{}[/card]"),
    *("{} https://example.org/a", "{} <https://example.org/a>"),
)


def test_links_and_fences_say_nothing() -> None:
    for link in LINKS:
        text = write_rows("{count} " + link.format("{name}"))
        assert judge(HEAD + text) == (CARDS, []), link
    for fence in ("```", "```text", "~~~ deck", "````yaml"):
        text = f"{fence}\n{HEAD}{write_rows('{count} {name}')}{fence[:4].strip()}\n"
        assert judge(text) == (CARDS, []), fence


# A line with a card in it never becomes a header or a comment in silence.


def test_a_line_with_a_card_is_no_header() -> None:
    rest = write_rows("{count} {name}")
    for line in (
        *("[12/03, 20:15] Anna: 9 Biting Frost", "Anna: Biting Frost"),
        *("Biting Frost x9: for round two", "Round two: take 9 Biting Frost"),
        "20:15 - Anna - 2 Biting Frost",
    ):
        assert name_errors(judge(f"{HEAD}{line}\n{rest}")[1]), line
    for line in (
        *("#23 2x Biting Frost", "#2 Biting Frost", "# 2 Biting Frost"),
        *("// Biting Frost", "## 9 Biting Frost", "### Biting Frost (9)"),
        *("# - 9 Biting Frost", "# 2 Biting Frost, 2 Scorch", "Note: 9 Biting Frost"),
    ):
        cards, findings = judge(f"{HEAD}{line}\n{rest}")
        names = [finding.name for finding in findings]
        assert (cards, names) == (CARDS, ["commented-card"]), line


def test_a_card_behind_another_card_is_noted() -> None:
    cards, findings = judge(f"{HEAD}2 Ballista // 2 Biting Frost\n")
    assert len(cards) == 1
    assert [finding.name for finding in findings] == ["commented-card"]

    remarks = "2 Ballista // strength 6\n1 Thaler # a spy\n3 Decoy // for Thaler\n"
    assert judge(HEAD + remarks)[1] == []


def test_the_number_of_a_deck_is_not_a_number_of_cards() -> None:
    assert judge(f"Deck #2\n{HEAD}{write_rows('{count} {name}')}") == (CARDS, [])


# Totals: right ones are understood, wrong ones are warnings.

UNITS = "2 Ballista\nThaler\nVes\n"
SPECIALS = "3 Decoy\nScorch\n"
TOTALS = (
    *("{} cards", "Total: {}", "Total: {} cards", "({})", "{}/40", "{} of 40 cards"),
    *("Cards: {}", "Deck size: {}", "{} cards in total", "{} Karten"),
    *("Gesamt: {} Karten", "{} cartas en total", "Total : {} cartes"),
    *("Totale: {} carte", "Razem: {} kart", "Всего: {} карт", "Celkem: {} karet"),
    *("# {} cards", "**{} cards**"),
)


@pytest.mark.parametrize("total", TOTALS)
def test_a_stated_total(total: str) -> None:
    for number, names in ((8, []), (9, ["wrong-total"])):
        footer = f"{HEAD}{UNITS}{SPECIALS}\n{total.format(number)}\n"
        heading = f"{HEAD}{total.format(number)}\n{UNITS}{SPECIALS}"
        for text in (footer, heading):
            cards, findings = judge(text)
            assert (cards, [f.name for f in findings]) == (CARDS, names), text


def test_totals_of_kinds() -> None:
    for totals, wrong in {
        "4 units, 4 specials": 0,
        "4 units, 5 specials": 1,
        "Units: 4 | Specials: 3": 1,
        "4 Einheiten und 4 Sonderkarten": 0,
        "3 unités, 4 spéciales, 8 cartes": 1,
    }.items():
        _, findings = judge(f"{HEAD}{UNITS}{SPECIALS}\n{totals}\n")
        names = [finding.name for finding in findings]
        assert names == ["wrong-total"] * wrong, totals


def test_totals_of_headings() -> None:
    headings = "Units ({})|Units: {}|Units - {} cards|{} Units|## Units [{}]"
    for heading in headings.split("|"):
        for number, names in ((4, []), (5, ["wrong-total"])):
            text = f"{HEAD}{heading.format(number)}\n{UNITS}Specials (4)\n{SPECIALS}"
            cards, findings = judge(text)
            assert (cards, [f.name for f in findings]) == (CARDS, names), text


def test_a_total_of_a_document() -> None:
    text = '{"total": 3, "cards": {"Ballista": 2}}'

    assert [finding.name for finding in judge(text, "a.json")[1]] == ["wrong-total"]


# Lines around a list that name no card.


def test_greetings_around_a_list_are_one_note_each() -> None:
    body = f"{HEAD}\n{write_rows('{count} {name}')}"
    text = f"Hola!\nEsta es mi baraja.\n\n{body}\nMuchas gracias,\nMarisol\n"
    cards, findings = judge(text)

    assert cards == CARDS
    assert [finding.name for finding in findings] == ["surrounding-prose"] * 2


def test_what_a_card_or_a_leader_is_like_is_no_prose() -> None:
    for line in (
        *("Balisto", "Decoi", "Foltest lord of the north"),
        *("I forgot nine Biting Frost", "And the Siege Tower too, please!"),
    ):
        _, findings = judge(f"{write_rows('{count} {name}')}\n{line}\n")
        assert name_errors(findings), line


def test_words_above_cards_are_a_heading_without_a_colon() -> None:
    text = f"{HEAD}2 Ballista\n\nQqqq wwww\nThaler\n3 Decoy\nScorch\nVes\n"
    cards, findings = judge(text)

    assert (cards, [f.name for f in findings]) == (CARDS, ["own-heading"])


# Share codes as mails and chats mangle them; ends of lines.

CODE = encode(ShareCode("gwent/standard", 0, dict.fromkeys(range(1, 60), 2)))


def test_a_code_with_signs_and_ends_of_lines() -> None:
    for text in (
        *(f"<{CODE}>", f"{CODE})", f"({CODE})", f"My deck: <{CODE}>."),
        f"{CODE[:40]}\n{CODE[40:80]}\n{CODE[80:]}\n",
        f"> {CODE[:40]}\n> {CODE[40:]}\n",
        f"Here:\n{CODE[:60]}\n{CODE[60:]}\nBye\n",
        f"<{CODE[:60]}\n{CODE[60:]}>\n",
    ):
        [deck] = parse_decks(DeckText("a.txt", text))
        assert deck.findings == (), text
        assert sum(line.count or 0 for line in deck.lines) == 118, text
    [deck] = parse_decks(DeckText("a.txt", f"{CODE[:40]}\n{CODE[41:]}\n"))
    assert [finding.name for finding in deck.findings] == ["malformed-document"]


def test_ends_of_lines_stay() -> None:
    text = "Leader: Foltest, The Siegemaster\n\nUnits:\n2 Ballista\nThaler\n"
    for written in (text, text.replace("\n", "\r\n")):
        raws = parse_decks(DeckText("a.deck", written))
        assert format_text(written, raws, DB) == written
