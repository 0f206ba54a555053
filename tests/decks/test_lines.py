"""Lines of text decks, as they are written and as they are pasted."""

from collections.abc import Iterator
from pathlib import Path
from unicodedata import category

import pytest
import yaml
from helpers.findings import validate_files, validate_text

import deckcheck
from deckcheck.cards import game_ids, load_database
from deckcheck.cards.names import as_latin, foreign_letters
from deckcheck.cli import main
from deckcheck.decks import DeckText, Reading, parse_decks, read_deck
from deckcheck.decks.lines import (
    _INVISIBLE_CHARACTERS,
    CardLine,
    LineDefect,
    list_lines,
    parse_card_line,
)
from deckcheck.decks.text import parse_text
from deckcheck.decks.words import read_header, usual_heading

# Lines as they are told apart: what nobody sees, and where a comment begins.


def test_what_is_read_as_a_space_is_nothing_that_anybody_sees() -> None:
    seen = {code for code in _INVISIBLE_CHARACTERS if category(chr(code))[0] in "LNPS"}
    assert seen == set()


# Card lines: a count, before or after, and a name.


@pytest.mark.parametrize(
    "line",
    [
        "3 Ballista",
        "3x Ballista",
        "3X Ballista",
        "3 x Ballista",
        "3\u00d7 Ballista",
        "x3 Ballista",
        "03 Ballista",
        "3\tBallista",
        "Ballista x3",
        "Ballista X3",
        "Ballista \u00d73",
        "Ballista x 3",
        "Ballista 3x",
        "Ballista 3",
        "Ballista: 3",
        "Ballista, 3",
        "Ballista (x3)",
        "Ballista [3x]",
        "(3) Ballista",
        "[3x] Ballista",
        "3x Ballista (6)",
        "Ballista x3 [6]",
        "Ballista (6) x3",
        "\u0663 Ballista",
    ],
)
def test_a_count_stands_before_or_after(line: str) -> None:
    card = parse_card_line(line)

    assert isinstance(card, CardLine)
    assert (card.count, card.name) == (3, "Ballista")
    assert line[card.start : card.end] == "Ballista"


@pytest.mark.parametrize(
    "line",
    [
        "Ballista",
        "Geralt of Rivia",
        "Xarthisius",
        "Gaunter O'Dimm: Darkness",
        "Crone: Brewess",
        "X",
        "ballista-2",
    ],
)
def test_a_bare_name_is_one_card(line: str) -> None:
    assert parse_card_line(line) == CardLine(1, line, 0, len(line))


def test_a_name_may_start_like_a_multiplication() -> None:
    card = parse_card_line("3 Xarthisius")

    assert isinstance(card, CardLine)
    assert (card.count, card.name) == (3, "Xarthisius")


@pytest.mark.parametrize(
    "line",
    [
        "0 Ballista",
        "00x Ballista",
        "-3 Ballista",
        "\u22123 Ballista",
        "+3 Ballista",
        "1.5 Ballista",
        "1,000 Ballista",
        "1/2 Ballista",
        "1000 Ballista",
        "2147483648x Ballista",
        "9" * 400 + " Ballista",
        "Ballista x0",
        "Ballista -3",
        "Ballista 2147483648",
    ],
)
def test_an_impossible_count_is_told_from_a_line_that_cannot_be_read(line: str) -> None:
    defect = parse_card_line(line)

    assert isinstance(defect, LineDefect)
    assert defect.about_count
    assert "whole numbers from 1 to 999 allowed" in defect.message


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("3 Ballista x2", "Keep the count before the name and remove the other"),
        ("3x", "Write the card after it"),
        ("3", "Write the card after it"),
        ("3Ballista", "Write `3 Ballista`"),
        ("3xBallista", "Write `3 Ballista`"),
        ("Ballista (2)", "Write `2 Ballista`, or `Ballista`"),
        ("3 Ballista (x2)", "Keep the count before the name and remove the other"),
        ("3. Ballista", "Write `3 Ballista`, or leave the number out"),
        ("3) Ballista", "Write `3 Ballista`, or leave the number out"),
    ],
)
def test_an_unreadable_line_says_how_to_write_it(line: str, help: str) -> None:
    defect = parse_card_line(line)

    assert isinstance(defect, LineDefect)
    assert not defect.about_count
    assert defect.help == help


# Lines as they are pasted: titles, several cards on a line, letters of elsewhere.

HEAD = "Leader: Foltest, The Siegemaster\n\n"


def findings(text: str) -> dict[str, deckcheck.Finding]:
    run = deckcheck.validate(text=text, format="gwent/standard")
    return {f.name: f for f in run.findings if f.name != "too-few-cards"}


@pytest.mark.parametrize(
    ("first", "help"),
    [
        ("My siege deck", "Write `Name: My siege deck` if this is the deck's name"),
        ("Geralt of Rivai", "Did you mean `Geralt of Rivia`?"),
        (
            "Skellige",
            "A faction is not a card: write `Faction: Skellige` above the cards",
        ),
        ("Foltest", "A leader is not a card: write `Leader: Foltest, King of Temeria`"),
        ("2 My deck", "None"),
    ],
)
def test_what_a_first_line_may_be(first: str, help: str) -> None:
    found = findings(f"{first}\n{HEAD}2 Ballista\n")

    finding = found.get("unknown-card") or found["surrounding-prose"]
    assert str(finding.help).startswith(help)


def test_two_counts_of_a_card_are_explained() -> None:
    counts = findings(f"{HEAD}3 Ballista, Dekoy x3\n")["unreadable-line"]
    assert counts.help == "Write a line for each card"
    one = findings(f"{HEAD}3 Ballista x2\n")["unreadable-line"]
    assert one.help == "Keep the count before the name and remove the other"


def test_letters_of_another_alphabet_are_named() -> None:
    found = findings(f"{HEAD}3 S\u0441orch\n")["unknown-card"]

    assert found.message == "Unknown card `S\u0441orch`: `\u0441` is Cyrillic"
    assert found.help == "Did you mean `Scorch`?"
    greek = findings(f"{HEAD}Th\u03b1ler\n")["unknown-card"]
    assert greek.message.endswith("`\u03b1` is Greek")


def test_look_alikes_pair_up() -> None:
    assert as_latin("\u0410\u0412\u0421") == "ABC"
    assert as_latin("\u0391\u0392") == "AB"
    assert foreign_letters("ABC") == ""
    assert foreign_letters("\u0410B\u0421\u0410") == "`\u0410`, `\u0421` are Cyrillic"


def test_a_space_from_the_source_of_a_page_is_read() -> None:
    text = "Leader:&nbsp;Foltest, The Siegemaster\n\n1x&nbsp;Ballista\n2&#160;Decoy\n"
    assert not findings(text)
    [report] = deckcheck.validate(text=text, format="gwent/standard").reports
    assert report.deck is not None
    ballista, decoy = report.deck.entries
    assert (ballista.card, decoy.count) == ("ballista", 2)
    assert ballista.span.start.column == len("1x&nbsp;") + 1


@pytest.mark.parametrize(
    ("suffix", "text", "help"),
    [
        (".csv", "count;card\n2;Ballista\n", "Add a column `leader`, and write the"),
        (
            ".yaml",
            "cards:\n  Ballista: 2\n",
            "Write a key `leader` at the level of `cards`",
        ),
        (
            ".json",
            '{"cards": {"Decoy": 2}}',
            "Write a key `leader` at the level of `cards`",
        ),
        (".deck", "2 Ballista\n", "Write a line `Leader: ...` above the cards"),
    ],
)
def test_a_missing_leader_is_mended_as_the_file_is_written(
    suffix: str, text: str, help: str, tmp_path: Path
) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_text(text, encoding="utf-8")
    run = deckcheck.validate(file, format="gwent/standard")

    [found] = [f for f in run.findings if f.name == "missing-leader"]
    assert str(found.help).startswith(help)


def test_the_leader_of_a_table_stands_in_its_first_row(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = '2;Ballista;"Foltest, The Siegemaster"\n1;Decoy;\n'
    file.write_text(f"count;card;leader\n{rows}", encoding="utf-8")
    run = deckcheck.validate(file, format="gwent/standard")

    assert "missing-leader" not in {f.name for f in run.findings}


def test_fix_writes_names(here: Path) -> None:
    file = here / "a.deck"
    file.write_text(f"{HEAD}2 Ballsta # mine\nScorch\n", encoding="utf-8")
    main(["validate", "a.deck", "--fix", "--format", "gwent/standard", "-qq"])

    assert file.read_text(encoding="utf-8") == f"{HEAD}2 Ballista # mine\nScorch\n"


# Lists as they are pasted: bullets, numbers of lines, tables, headings, strengths.

Captured = pytest.CaptureFixture[str]
PASTED = Path(__file__).parent / "pasted"
FILES = sorted(PASTED.glob("*.txt"))
MARKS = (
    *("- ", "* ", "- - ", "\u2022 ", "\u2022\t", "\xb7 ", "\u2013 ", "\u2014 "),
    *("\xa0\u2013\xa0", "\u2023 ", "\u25cf ", "[x] ", "[X] ", "- [x] ", "\u2714 "),
    *("\u2611\ufe0f ", "\uf0b7\t"),
)


def one(text: str) -> Reading:
    [deck] = parse_text(text, "a.deck")
    return read_deck(deck, load_database("gwent"))


def cards(text: str) -> list[tuple[int, str]]:
    return [(entry.count, entry.name) for entry in one(text).entries]


def names(text: str) -> list[str]:
    return [finding.name for finding in one(text).findings]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_pasted_list_is_never_legal_by_chance(file: Path) -> None:
    """Each has a typo, and some have lines that nobody can be sure of."""
    [report] = validate_files([file]).reports

    assert not report.legal
    texts = report.text.splitlines()
    for finding in report.findings:
        assert finding.span.start.line <= len(texts)


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    "line", ["3 Ballista", "3x Ballista", "Ballista x3", "Ballista"]
)
def test_marks_of_a_list_are_no_part_of_the_line(mark: str, line: str) -> None:
    [entry] = one(mark + line).entries

    assert entry.name == "Ballista"
    assert entry.count == (1 if line == "Ballista" else 3)
    start = entry.span.start.column - 1
    assert (mark + line)[start:].startswith("Ballista")


@pytest.mark.parametrize("line", ["-3 Ballista", "+3 Ballista", "\u22123 Ballista"])
def test_a_sign_that_touches_a_number_is_no_bullet(line: str) -> None:
    assert names(line) == ["impossible-count"]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        # A count behind the number of a line needs no order.
        ("7. 3x Ballista\n2. 2 Catapult", "32"),
        # Beside a count a number in brackets says something else.
        ("3x Ballista (6)\n2 Catapult [8]", "32"),
    ],
)
def test_what_numbers_mean(text: str, counts: str) -> None:
    assert [count for count, _ in cards(text)] == [*map(int, counts)]
    assert all(name.isalpha() for _, name in cards(text))
    assert names(text) == []


@pytest.mark.parametrize(
    "text", ["1. Thaler\n3. Ballista\n2. Catapult", "3. Ballista", "2. A\n3. B"]
)
def test_a_number_that_may_be_a_count_is_asked_about(text: str) -> None:
    assert set(names(text)) == {"unreadable-line"}
    [*_, finding] = one(text).findings
    assert "may be a count or the number of the line" in finding.message


def test_a_number_in_brackets_that_may_be_either_is_asked_about() -> None:
    [finding] = one("Nekker (2)").findings

    assert finding.message == "`Nekker (2)` may be 2 copies or a card of strength 2"
    assert finding.help == "Write `2 Nekker`, or `Nekker`"


def test_two_cards_on_one_line_are_not_one() -> None:
    assert cards("3 Ballista\tCatapult") == [(3, "Ballista"), (1, "Catapult")]


@pytest.mark.parametrize("line", ["***", "===", "\u2022", "| |"])
def test_a_line_without_letter_or_digit_says_nothing(line: str) -> None:
    assert cards(f"{line}\n2 Ballista") == [(2, "Ballista")]
    assert parse_text(line, "a.deck") == []


@pytest.mark.parametrize(
    "heading",
    [
        *("Units (22 cards)", "Units [22]", "Units: 22 cards", "Hero cards \u2013 4"),
        *("**Units (22)**", "- Units", "Einheiten (22)", "H\u00e9ros", "Jednostki: 22"),
    ],
)
def test_headings(heading: str) -> None:
    assert cards(f"{heading}\n2 Ballista") == [(2, "Ballista")]
    assert names(f"{heading}\n2 Ballista") == []


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Anf\u00fchrer: X", "leader"),
        ("Anfuhrer: X", "leader"),
        ("Fraktion: X", "faction"),
        ("L\u00edder: X", "leader"),
        ("Facci\u00f3n: X", "faction"),
        ("Nom: X", "name"),
        ("Fazione: X", "faction"),
        ("Dow\u00f3dca: X", "leader"),
        ("Frakcja: X", "faction"),
        ("Fac\u00e7\u00e3o: X", "faction"),
        ("\u041b\u0438\u0434\u0435\u0440: X", "leader"),
        ("\u0424\u0440\u0430\u043a\u0446\u0438\u044f: X", "faction"),
        ("V\u016fdce: X", "leader"),
        ("- **Anf\u00fchrer:** X", "leader"),
    ],
)
def test_headers_in_the_languages_of_the_cards(line: str, key: str) -> None:
    deck = one(line)

    assert {key: found[0].value for key, found in deck.headers.items()} == {key: "X"}


def names_of(game: str) -> Iterator[str]:
    """Every name of a card or leader, in every language."""
    db = load_database(game)
    for card in db.cards.values():
        yield from (card.name, *card.aliases)
    for leader in db.leaders.values():
        yield from (leader.full_name, *leader.aliases)
    for file in (db.root / game / "names").glob("*.yaml"):
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        for said in content["cards"].values():
            yield from [said] if isinstance(said, str) else said
        yield from content.get("leaders", {}).values()


@pytest.mark.parametrize("game", game_ids())
def test_no_name_of_a_card_or_leader_reads_as_something_else(game: str) -> None:
    for name in names_of(game):
        assert read_header(name) is None
        assert usual_heading(name) is None
        [line] = list_lines(name)
        assert (line.text, line.doubt) == (name, "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "Anf\u00fchrer: X\ncards: {Ballista: 2}\n"),
        ("a.json", '{"Anf\u00fchrer": "X", "cards": {"Ballista": 2}}'),
        ("a.csv", "Anf\u00fchrer,count,card\nX,2,Ballista\n"),
    ],
)
def test_headers_of_other_ways_to_write_a_deck(path: str, text: str) -> None:
    [deck] = parse_decks(DeckText(path, text))

    assert deck.headers["leader"][0].value == "X"
    assert [finding.name for finding in deck.findings] == []


@pytest.mark.parametrize(
    "line", ["Total: 25", "Total cards: 25", "Total (25)", "Total"]
)
def test_a_sum_of_cards_is_no_card(line: str) -> None:
    deck = one(f"{line}\n2 Catapult\n{line}\n1 Decoy\n")

    assert [(entry.count, entry.name) for entry in deck.entries] == [
        (2, "Catapult"),
        (1, "Decoy"),
    ]
    assert not deck.findings


def test_a_scrap_of_a_list_is_no_title() -> None:
    text = "Format: gwent/standard\n1 x)\n"
    [report] = validate_text(text).reports

    [unknown] = [f for f in report.findings if f.name == "unknown-card"]
    assert unknown.message == "Unknown card `x)`"
    assert unknown.help is None
