"""Lines of text decks, as they are written and as they are pasted."""

from collections.abc import Iterator
from unicodedata import category

import pytest
import yaml

import deckcheck
from deckcheck.cards import game_ids, load_database
from deckcheck.cards.names import as_latin, foreign_letters
from deckcheck.decks import Reading, read_deck
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


COUNTED = {
    (3, "Ballista"): "3 Ballista|3x Ballista|3X Ballista|3 x Ballista|3× Ballista|"
    "x3 Ballista|03 Ballista|3\tBallista|Ballista x3|Ballista X3|Ballista ×3|"
    "Ballista x 3|Ballista 3x|Ballista 3|Ballista: 3|Ballista, 3|Ballista (x3)|"
    "Ballista [3x]|(3) Ballista|[3x] Ballista|3x Ballista (6)|Ballista x3 [6]|"
    "Ballista (6) x3|\u0663 Ballista",
    (3, "Xarthisius"): "3 Xarthisius",
    (1, "Ballista"): "Ballista",
    (1, "Geralt of Rivia"): "Geralt of Rivia",
    (1, "Xarthisius"): "Xarthisius",
    (1, "Crone: Brewess"): "Crone: Brewess",
    (1, "X"): "X",
    (1, "ballista-2"): "ballista-2",
}
DEFECTS = {
    "Keep the count before the name and remove the other": "3 Ballista x2|"
    "3 Ballista (x2)",
    "Write a line for each card": "3 Ballista, Dekoy x3",
    "Write the card after it": "3x|3",
    "Write `3 Ballista`": "3Ballista|3xBallista",
    "Write `3 Ballista`, or leave the number out": "3. Ballista|3) Ballista",
    "Write `2 Ballista`, or `Ballista`": "Ballista (2)",
}
IMPOSSIBLE = (
    "0 Ballista|00x Ballista|-3 Ballista|\u22123 Ballista|+3 Ballista|1.5 Ballista|"
    "1,000 Ballista|1/2 Ballista|1000 Ballista|2147483648x Ballista|"
    f"{'9' * 400} Ballista|Ballista x0|Ballista -3|Ballista 2147483648"
)


def test_a_count_and_a_name() -> None:
    for (count, name), lines in COUNTED.items():
        for line in lines.split("|"):
            card = parse_card_line(line)
            assert isinstance(card, CardLine), line
            assert (card.count, card.name) == (count, name), line
            assert line[card.start : card.end] == name, line


def test_what_is_not_one_count_and_one_name() -> None:
    for help, lines in DEFECTS.items():
        for line in lines.split("|"):
            defect = parse_card_line(line)
            assert isinstance(defect, LineDefect), line
            assert (defect.about_count, defect.help) == (False, help), line
    for line in IMPOSSIBLE.split("|"):
        defect = parse_card_line(line)
        assert isinstance(defect, LineDefect), line
        assert defect.about_count, line


# Lines as they are pasted: titles, several cards on a line, letters of elsewhere.


def test_look_alikes_pair_up() -> None:
    # Greek nu looks like v, and Cyrillic ve like b, regardless of their sounds.
    for text, latin in {
        "\u0410\u0412\u0421": "ABC",
        "\u0391\u0392": "AB",
        "\u03bd\u03b1": "va",
        "\u0432\u0430": "ba",
    }.items():
        assert as_latin(text) == latin, text
    assert foreign_letters("ABC") == ""
    assert foreign_letters("\u0410B\u0421\u0410") == "`\u0410`, `\u0421` are Cyrillic"


def test_a_space_from_the_source_of_a_page_is_read() -> None:
    text = "Leader:&nbsp;Foltest, The Siegemaster\n\n1x&nbsp;Ballista\n2&#160;Decoy\n"
    [report] = deckcheck.validate(text=text, format="gwent/standard").reports
    assert report.deck is not None
    assert {finding.name for finding in report.findings} == {"too-few-cards"}
    ballista, decoy = report.deck.entries
    assert (ballista.card, decoy.count) == ("ballista", 2)
    assert ballista.span.start.column == len("1x&nbsp;") + 1


# Lists as they are pasted: bullets, numbers of lines, tables, headings, strengths.

HEADINGS = (
    *("Units (22 cards)", "Units [22]", "Units: 22 cards", "Hero cards \u2013 4"),
    *("**Units (22)**", "- Units", "Einheiten (22)", "H\u00e9ros", "Jednostki: 22"),
)
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


def test_marks_of_a_list_are_no_part_of_the_line() -> None:
    for line in ("3 Ballista", "3x Ballista", "Ballista x3", "Ballista"):
        for mark in MARKS:
            text = mark + line
            [entry] = one(text).entries
            count = 1 if line == "Ballista" else 3
            assert (entry.name, entry.count) == ("Ballista", count), text
            assert text[entry.span.start.column - 1 :].startswith("Ballista"), text


def test_cards_of_short_texts() -> None:
    expected = {
        "7. 3x Ballista\n2. 2 Catapult": [(3, "Ballista"), (2, "Catapult")],
        "3x Ballista (6)\n2 Catapult [8]": [(3, "Ballista"), (2, "Catapult")],
        "3 Ballista\tCatapult": [(3, "Ballista"), (1, "Catapult")],
    }
    for text, found in expected.items():
        assert (cards(text), names(text)) == (found, []), text
    for line in ("***", "===", "\u2022", "| |", *HEADINGS):
        text = f"{line}\n2 Ballista"
        assert (cards(text), names(text)) == ([(2, "Ballista")], []), line
    for line in ("Total: 25", "Total cards: 25", "Total (25)", "Total"):
        text = f"{line}\n2 Catapult\n{line}\n1 Decoy\n"
        assert (cards(text), names(text)) == ([(2, "Catapult"), (1, "Decoy")], []), line
    assert parse_text("***", "a.deck") == []


HEADERS = {
    "leader": "Anführer|Anfuhrer|Líder|Dowódca|Лидер|Vůdce|- **Anführer",
    "faction": "Fraktion|Facción|Fazione|Frakcja|Facção|Фракция",
    "name": "Nom",
}


def test_headers_in_the_languages_of_the_cards() -> None:
    for key, words in HEADERS.items():
        for word in words.split("|"):
            line = f"{word}:{'** ' if '*' in word else ' '}X"
            found = {key: each[0].value for key, each in one(line).headers.items()}
            assert found == {key: "X"}, line


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
