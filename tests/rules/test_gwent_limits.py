"""The limits of Gwent decks and lineups, statement by statement: gwent 2, 3 and 6.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.validation import validate_text

LINEUP = (
    Path(__file__).parents[2]
    / "decks"
    / "gwent"
    / "tournament"
    / "kin_of_the_coast.deck"
).read_text(encoding="utf-8")

LEADER = "Leader: Foltest, The Siegemaster"
# 21 units that add up to 65, without a spy or a medic.
UNITS = (
    *("2 Redanian Foot Soldier", "3 Poor Fucking Infantry", "3 Kaedweni Siege Expert"),
    *(
        "Yarpen Zigrin",
        "Sheldon Skaggs",
        "Sabrina Glevissig",
        "3 Blue Stripes Commando",
    ),
    *("Ves", "Siegfried of Denesle", "Keira Metz", "Síle de Tansarville"),
    "3 Crinfrid Reavers Dragon Hunter",
)
HEROES = ("Vernon Roche", "John Natalis", "Esterad Thyssen", "Philippa Eilhart")


def found(*cards: str, leader: str = LEADER) -> set[tuple[str, str]]:
    """Names of findings in the advanced format, and the statements they cite."""
    text = "\n".join(["Format: gwent/advanced", leader, "", *UNITS, *cards])
    return {
        (finding.name, note.split(", ")[1])
        for finding in validate_text(text, "a.deck").findings
        for note in finding.notes[-1:]
    }


def test_2_1_exactly_one_leader() -> None:
    two = f"{LEADER}\nLeader: Foltest, Son of Medell"

    assert found("Dethmold") == set()
    assert found("Dethmold", leader="Faction: NR") == {
        ("missing-leader", "gwent 1.1.2")
    }
    assert found("Dethmold", leader=two) == {("too-many-leaders", "gwent 1.1.2")}


def test_2_2_at_least_22_units() -> None:
    assert found() == {("too-few-cards", "gwent 1.1.3")}
    assert found("Dethmold") == set()


@pytest.mark.parametrize(("decoys", "names"), [(2, []), (3, ["too-many-cards"])])
def test_2_3_at_most_5_specials(decoys: int, names: list[str]) -> None:
    cards = ("Dethmold", "3 Scorch", f"{decoys} Decoy")

    assert found(*cards) == {(name, "gwent 2.3") for name in names}


def test_2_4_at_most_2_spies() -> None:
    two = ("Thaler", "Prince Stennis")

    assert found(*two) == set()
    assert found(*two, "Sigismund Dijkstra") == {("too-many-cards", "gwent 2.4")}


def test_2_5_at_most_2_medics() -> None:
    text = "\n".join(
        [
            "Format: gwent/advanced",
            "Leader: Emhyr var Emreis, The White Flame",
            *("4 Impera Brigade Guard", "3 Nausicaa Cavalry Rider", "2 Young Emissary"),
            *("Albrich", "Cynthia", "Morteisen", "Puttkammer", "Rainfarn", "Sweers"),
            *("Vanhemar", "Vreemde", "Rotten Mangonel", "Siege Engineer", "Roach"),
            "2 Etolian Auxiliary Archers",
        ]
    )
    report, more = (
        validate_text(deck, "a.deck").reports[0]
        for deck in (text, f"{text}\nSiege Technician")
    )

    assert report.findings == ()
    assert [f.message for f in more.findings] == ["3 medic cards, at most 2 allowed"]
    assert "gwent 2.5" in more.findings[0].notes[-1]


def test_2_6_strength_130_is_legal_131_is_not() -> None:
    cards = (*HEROES, "Geralt of Rivia", "Vesemir")

    assert found(*cards, "Roach", "Thaler") == set()
    above = found(*cards, "Sigismund Dijkstra", "Thaler")
    assert above == {("too-high-total", "gwent 2.6")}


def test_2_7_heroes_are_units() -> None:
    assert found("Vernon Roche") == set()
    strong = (*HEROES, "Geralt of Rivia", "Cirilla Fiona Elen Riannon")
    assert found(*strong) == {("too-high-total", "gwent 2.6")}


def test_2_7_weather_is_special() -> None:
    cards = ("Dethmold", "3 Biting Frost", "3 Clear Weather")

    assert found(*cards) == {("too-many-cards", "gwent 2.3")}


@pytest.mark.parametrize(
    ("cards", "statement"),
    [
        (("Thaler", "Prince Stennis", "Mysterious Elf"), "gwent 2.4"),
        (("Thaler", "Prince Stennis"), None),
        (("Dun Banner Medic", "Yennefer of Vengerberg"), None),
    ],
)
def test_2_7_heroes_are_spies_and_medics(
    cards: tuple[str, ...], statement: str | None
) -> None:
    names = {("too-many-cards", statement)} if statement else set()

    assert found(*cards) == names


def lineup_findings(*replaced: tuple[str, str]) -> list[tuple[str, str]]:
    text = LINEUP
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    return [(f.name, f.message) for f in validate_text(text, "a.deck").findings]


def test_3_1_three_decks() -> None:
    assert lineup_findings() == []
    decks = LINEUP.split("---\n")
    findings = validate_text("---\n".join(decks[:2]), "a.deck").findings
    assert [f.message for f in findings] == [
        "Found 2 decks, a tournament lineup holds 3"
    ]


def test_3_1_three_factions() -> None:
    second = LINEUP.split("---\n")[1]
    again = second.replace("Geralt of Rivia", "Mysterious Elf")
    again = again.replace("Cerys", "Ermion").replace("Hjalmar", "2 Clan Brokvar Archer")

    (finding,) = lineup_findings((LINEUP.split("---\n")[2], again))
    assert finding == ("repeated-faction", "2 Skellige decks in a lineup, 1 allowed")


def test_3_2_no_hero_in_two_decks() -> None:
    (finding,) = lineup_findings(("Cirilla Fiona Elen Riannon", "Geralt of Rivia"))

    assert finding[0] == "shared-card"


def test_3_2_other_cards_may_be_in_several_decks() -> None:
    assert LINEUP.count("Commander's Horn") == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2 Decoy\nMardroeme", "2 Decoy\n2 Mardroeme", "6 special cards, at most 5"),
        ("Ves\n", "Prince Stennis\n", "3 spy cards, at most 2"),
        ("Udalryk", "Triss Merigold\nYennefer of Vengerberg", "Total strength 132"),
    ],
)
def test_3_3_every_deck_obeys_the_advanced_limits(
    old: str, new: str, message: str
) -> None:
    assert any(text.startswith(message) for _, text in lineup_findings((old, new)))


@pytest.mark.parametrize(
    ("card", "names"), [("Clear Weather", []), ("Biting Frost", ["banned-card"])]
)
@pytest.mark.parametrize("fmt", ["gwent/solo_built", "gwent/solo_built_leader"])
def test_6_3_1_clear_weather_only(fmt: str, card: str, names: list[str]) -> None:
    text = "\n".join([f"Format: {fmt}", LEADER, "", *UNITS, "Dethmold", card])
    report = validate_text(text, "a.deck")

    assert [finding.name for finding in report.findings] == names


@pytest.mark.parametrize(
    ("line", "names"),
    [("", []), ("1 Baalliistaa", ["missing-cards", "unknown-card"])],
)
def test_6_1_2_a_list_that_cannot_be_read_is_no_list_left_to_the_tool(
    line: str, names: list[str]
) -> None:
    report = validate_text(
        "\n".join(["Format: gwent/solo", LEADER, "", line]), "a.deck"
    )

    assert [finding.name for finding in report.findings] == names
