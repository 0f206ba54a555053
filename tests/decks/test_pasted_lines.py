"""Lines as they are pasted: titles, several cards on a line, letters of elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.decks.resolve import as_latin, foreign_letters

HEAD = "Leader: Foltest, The Siegemaster\n\n"


def findings(text: str) -> dict[str, deckcheck.Finding]:
    run = deckcheck.validate(text=text, format="gwent/standard")
    return {f.name: f for f in run.findings if f.name != "too-few-cards"}


def test_a_first_line_that_is_no_card_is_the_name() -> None:
    found = findings(f"My siege deck\n{HEAD}2 Ballista\n")

    assert list(found) == ["bare-title"]
    title = found["bare-title"]
    assert title.severity == "warning"
    assert title.help == "Write `Name: My siege deck`, or the card that is meant"
    run = deckcheck.validate(
        text=f"My siege deck\n{HEAD}2 Ballista\n", format="gwent/standard"
    )
    assert run.reports[0].name == "My siege deck"


@pytest.mark.parametrize(
    ("first", "help"),
    [
        ("Geralt of Rivai", "Did you mean `Geralt of Rivia`?"),
        (
            "Skellige",
            "A faction is not a card: write `Faction: Skellige` above the cards",
        ),
        ("Foltest", "A leader is not a card: write `Leader: Foltest, King of Temeria`"),
        ("2 My deck", "None"),
    ],
)
def test_what_is_no_title(first: str, help: str) -> None:
    found = findings(f"{first}\n{HEAD}2 Ballista\n")

    assert "bare-title" not in found
    assert str(found["unknown-card"].help).startswith(help)


def test_a_title_below_a_header_is_an_unknown_card() -> None:
    assert "unknown-card" in findings(f"{HEAD}My siege deck\n2 Ballista\n")
    assert "unknown-card" in findings(f"Name: A\nMy siege deck\n{HEAD}2 Ballista\n")


def test_a_title_with_cards_above_the_headers_keeps_its_warning() -> None:
    found = findings("My deck\nBallista\nLeader: Foltest, The Siegemaster\n")

    assert set(found) == {"bare-title", "late-header"}


def test_several_cards_on_a_line_are_explained() -> None:
    found = findings(f"{HEAD}3 Ballista, 2 Catapult; Decoy\n")

    assert found["unknown-card"].help == (
        "Write a line for each card: `3 Ballista`, `2 Catapult` and `Decoy`"
    )
    counts = findings(f"{HEAD}3 Ballista, Decoy x3\n")["unreadable-line"]
    assert counts.help == "Write a line for each card"
    one = findings(f"{HEAD}3 Ballista x2\n")["unreadable-line"]
    assert one.help == "Keep the count before the name and remove the other"


def test_letters_of_another_alphabet_are_named() -> None:
    found = findings(f"{HEAD}3 S\u0441orch\n")["unknown-card"]

    assert found.message == "Unknown card `S\u0441orch`: `\u0441` is Cyrillic"
    assert found.help == "Did you mean `Scorch`?"
    greek = findings(f"{HEAD}Th\u03b1ler\n")["unknown-card"]
    assert greek.message.endswith("`\u03b1` is Greek")


def test_a_name_in_russian_is_a_name() -> None:
    assert not findings(f"{HEAD}\u0411\u0430\u043b\u043b\u0438\u0441\u0442\u0430\n")


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


def test_fix_writes_names_and_a_line_for_each_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.deck"
    lines = "2 Ballista, 2 Catapult; Decoy # mine\nScorch, Thaler x1\n"
    file.write_text(f"My deck\n{HEAD}{lines}", encoding="utf-8")
    main(["validate", "a.deck", "--fix", "--format", "gwent/standard", "-qq"])

    assert file.read_text(encoding="utf-8") == (
        f"Name: My deck\n{HEAD}"
        "2 Ballista\n2 Catapult\nDecoy # mine\nScorch\nThaler x1\n"
    )
    main(["fmt", "a.deck"])
    assert file.read_text(encoding="utf-8").startswith("Name: My deck\n")


def test_a_title_survives_other_ways_of_writing(tmp_path: Path) -> None:
    file, target = tmp_path / "a.deck", tmp_path / "b.yaml"
    file.write_text(f"My deck\n{HEAD}2 Ballista\n", encoding="utf-8")

    assert main(["convert", str(file), "--game", "gwent", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith("name: My deck\n")
