"""The limits of decks, statement by statement."""

from collections import Counter
from pathlib import Path

from helpers.findings import validate_text

from deckcheck.cards import load_database
from deckcheck.decks import Deck
from deckcheck.formats import database_of, load_format
from deckcheck.reporters.base import name_formats

# The limits of Gwent decks and lineups, statement by statement: gwent 2, 3 and 6.3.

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "tournament"
LINEUP = (DECKS / "kin_of_the_coast.deck").read_text(encoding="utf-8")

LEADER = "Leader: Foltest, The Siegemaster"
# 21 units that add up to 65, without a spy or a medic.
UNITS = (
    *("2 Redanian Foot Soldier", "3 Poor Fucking Infantry", "3 Kaedweni Siege Expert"),
    *("Yarpen Zigrin", "Sheldon Skaggs", "Sabrina Glevissig", "Ves", "Keira Metz"),
    *("3 Blue Stripes Commando", "Siegfried of Denesle", "Síle de Tansarville"),
    "3 Crinfrid Reavers Dragon Hunter",
)
HEROES = ("Vernon Roche", "John Natalis", "Esterad Thyssen", "Philippa Eilhart")


def found(*cards: str, leader: str = LEADER) -> set[str]:
    """Names of findings in the advanced format, and the statements they cite."""
    text = "\n".join(["Format: gwent/advanced", leader, "", *UNITS, *cards])
    return {
        f"{finding.name}, {note.split(', ')[1]}"
        for finding in validate_text(text, "a.deck").findings
        for note in finding.notes[-1:]
    }


STRONG = (*HEROES, "Geralt of Rivia", "Vesemir", "Thaler")
ADVANCED: tuple[tuple[tuple[str, ...], str], ...] = (
    # 2.2: at least 22 units.
    ((), "too-few-cards, gwent 1.1.3"),
    (("Dethmold",), ""),
    # 2.3: at most 5 specials.
    (("Dethmold", "3 Scorch", "2 Decoy"), ""),
    (("Dethmold", "3 Scorch", "3 Decoy"), "too-many-cards, gwent 2.3"),
    # 2.4: at most 2 spies.
    (("Thaler", "Prince Stennis"), ""),
    (("Thaler", "Prince Stennis", "Sigismund Dijkstra"), "too-many-cards, gwent 2.4"),
    # 2.6: strength 130 is legal, 131 is not.
    ((*STRONG, "Roach"), ""),
    ((*STRONG, "Sigismund Dijkstra"), "too-high-total, gwent 2.6"),
    # 2.7: heroes are units, spies and medics, and weather is special.
    (("Vernon Roche",), ""),
    ((*HEROES, "Geralt of Rivia", "Ciri"), "too-high-total, gwent 2.6"),
    (("Dethmold", "3 Biting Frost", "3 Clear Weather"), "too-many-cards, gwent 2.3"),
    (("Thaler", "Prince Stennis", "Mysterious Elf"), "too-many-cards, gwent 2.4"),
    (("Dun Banner Medic", "Yennefer of Vengerberg"), ""),
)


def test_2_limits_of_the_advanced_format() -> None:
    for cards, expected in ADVANCED:
        assert found(*cards) == {*filter(None, [expected])}, cards
    # 2.1: exactly one leader.
    two = f"{LEADER}\nLeader: Foltest, Son of Medell"
    missing, too_many = (
        found("Dethmold", leader=leader) for leader in ("Faction: NR", two)
    )
    assert missing == {"missing-leader, gwent 1.1.2"}
    assert too_many == {"too-many-leaders, gwent 1.1.2"}


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
    # Other cards may be in several decks, as they are in this lineup.
    assert LINEUP.count("Commander's Horn") == 3


def test_3_3_every_deck_obeys_the_advanced_limits() -> None:
    for old, new, message in (
        ("2 Decoy\nMardroeme", "2 Decoy\n2 Mardroeme", "6 special cards, at most 5"),
        ("Ves\n", "Prince Stennis\n", "3 spy cards, at most 2"),
        ("Udalryk", "Triss Merigold\nYennefer of Vengerberg", "Total strength 132"),
    ):
        found = [text for _, text in lineup_findings((old, new))]
        assert any(text.startswith(message) for text in found), new


def test_6_3_1_clear_weather_only() -> None:
    expected = {"Clear Weather": [], "Biting Frost": ["banned-card"]}
    for fmt in ("gwent/solo_built", "gwent/solo_built_leader"):
        for card, names in expected.items():
            text = "\n".join([f"Format: {fmt}", LEADER, "", *UNITS, "Dethmold", card])
            found = validate_text(text, "a.deck").findings
            assert [finding.name for finding in found] == names, (fmt, card)


def test_6_1_2_a_list_that_cannot_be_read_is_no_list_left_to_the_tool() -> None:
    unread = ["missing-cards", "unknown-card"]
    for line, names in {"": [], "1 Baalliistaa": unread}.items():
        text = "\n".join(["Format: gwent/solo", LEADER, "", line])
        found = validate_text(text, "a.deck").findings
        assert [finding.name for finding in found] == names, line


# The limits of SG Gwint decks, statement by statement: sg_gwint 1.

# 25 bronze units; with five gold ones a deck of 30.
BRONZE = (
    *("3 Blue Stripes Commando", "3 Crinfrid Reavers Dragon Hunter", "2 Catapult"),
    *("3 Kaedweni Siege Expert", "2 Trebuchet", "Ballista", "Siege Tower"),
    *("Dun Banner Medic", "4 Poor Infantry", "Ves", "Keira Metz", "Thaler", "Dethmold"),
    "Sabrina Glevissig",
)
GOLD = (*HEROES, "Cirilla")
SPECIALS = ("3 Biting Frost", "3 Scorch", "3 Decoy")
HEAD = ("Format: sg_gwint/approximation", "Faction: Northern Realms")
KING = "Leader: King Foltest"


def written(*cards: str, leader: str = KING) -> str:
    """A deck with these cards beside its bronze units."""
    return "\n".join([*HEAD, leader, "", *BRONZE, *cards])


def judged(*cards: str, leader: str = KING) -> tuple[Deck, list[str]]:
    report = validate_text(written(*cards, leader=leader), "a.deck").reports[0]
    assert report.deck is not None
    return report.deck, [finding.name for finding in report.findings]


def names(*cards: str, leader: str = KING) -> list[str]:
    return judged(*cards, leader=leader)[1]


TWO_LEADERS = f"{KING}\nLeader: King Henselt"


def test_1_1_to_1_10_limits_of_cards() -> None:
    for cards, expected in (
        # 1.1: at least 30 cards, specials among them.
        (GOLD, ""),
        (GOLD[:4], "too-few-cards"),
        ((*GOLD[:4], "Scorch"), ""),
        # 1.3: at most 10 specials.
        ((*GOLD, *SPECIALS, "Daybreak"), ""),
        ((*GOLD, *SPECIALS, "2 Daybreak"), "too-many-cards"),
        # 1.4: at most 5 gold units.
        ((*GOLD, "Geralt of Rivia"), "too-many-cards"),
        # 1.5: one faction, which both players may choose.
        ((*GOLD, "Cahir"), "foreign-card"),
        # 1.6: neutral cards fit every deck.
        ((*GOLD, "Odim", "kráva", "Dandelion"), ""),
        # 1.9: reserves are no cards of the deck.
        ((*GOLD, "Temnota"), "undeckable-card"),
        # 1.10: as many copies as the set prints.
        ((*GOLD, "2 Odim"), "too-many-copies"),
        # Names that are not public are noted.
        ((*GOLD, "Rytířství"), "unpublished-card"),
    ):
        assert names(*cards) == [*filter(None, [expected])], cards
    # 1.8: a leader of the own faction.
    assert names(*GOLD, leader="Leader: Brouver Hoog") == ["foreign-leader"]
    # 1.7: exactly one leader, who is not a card.
    assert names(*GOLD, leader="") == ["missing-leader"]
    assert "too-many-leaders" in names(*GOLD, leader=TWO_LEADERS)
    assert sum(judged(*GOLD)[0].counts().values()) == 30
    assert load_format("sg_gwint/2.1").seating.holds == "deck"
    deck = validate_text("Format: sg_gwint/2.1\nLeader: Král Henselt\n\nScorch\n")
    found = [finding.name for finding in deck.findings]
    assert found.count("unpublished-card") == 2


def test_1_2_at_most_80_cards() -> None:
    for more, expected in ((50, []), (51, ["too-many-cards"])):
        found = validate_text(written(*GOLD, f"{more} Scorch"), "a.deck").findings
        most = [finding for finding in found if "at most 80" in finding.message]

        assert [finding.name for finding in most] == expected
        assert all("sg_gwint 1.2, " in finding.notes[-1] for finding in most), more


def test_1_9_reserves_are_no_cards_of_the_deck() -> None:
    deck, found = judged(*GOLD, "Zálohy:", "Klepna", "2 Temnota", "Ves")

    assert found == []
    assert sum(deck.counts().values()) == 30
    assert deck.reserve_counts() == Counter(gossip=1, odims_darkness=2, ves=1)


RESERVES = ("Reserves:", "Gossip", "3 Odim's Darkness")


def beside(*reserves: str, deck: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """Names, places and statements of what is found about listed reserves."""
    text = written(*GOLD, *deck, *reserves)
    found = [each for each in validate_text(text, "a.deck").findings if each.notes]
    places = [text.splitlines()[each.span.start.line - 1] for each in found]
    cited = [each.notes[-1].split(", ")[-2] for each in found]
    return list(zip([each.name for each in found], places, cited, strict=True))


def test_1_11_listed_reserves_are_of_the_faction_and_as_many_as_printed() -> None:
    cited = "sg_gwint 1.11"

    assert beside(*RESERVES, "6 Reinforcement", "Bovine Defence Force") == []
    # Cards of decks are there unused.
    assert beside(*RESERVES, "9 Ves", "Cahir") == []
    assert beside("Reserves:", "2 Klepna") == [("too-many-copies", "2 Klepna", cited)]
    for line, name in {
        "9 Odimovy Temnoty": "too-many-copies",
        "9 Reinforcement": "too-many-copies",
        "Hemdall": "foreign-card",
        "Demotivation": "foreign-card",
        "2 Transformed Vildkaarl": "foreign-card",
    }.items():
        assert (name, line, cited) in beside("Reserves:", "Gossip", line)
    # Copies on several lines are added up.
    found = beside("Reserves:", "Gossip", "2 Odim's Darkness", "2 Temnota")
    assert ("too-many-copies", "2 Temnota", cited) in found


def test_1_11_points_at_the_line_of_a_deck_in_yaml() -> None:
    text = (
        "format: sg_gwint/approximation\nleader: King Foltest\ncards: {Ves: 1}\n"
        "reserves:\n  Klepna: 1\n  Temnota: 9\n"
    )
    found = validate_text(text, "a.yaml").findings
    [excess] = [finding for finding in found if finding.name == "too-many-copies"]

    assert (excess.span.start.line, excess.span.start.column) == (6, 3)


def test_1_17_listed_reserves_have_klepna() -> None:
    missing = [("missing-reserve", "Zálohy:", "sg_gwint 1.17")]

    assert beside("Zálohy:", "3 Temnota") == missing
    assert beside("Zálohy:", "Klepna") == []
    assert beside() == []


def test_1_18_what_cards_bring_may_be_missing() -> None:
    odim, cow = ("Odim",), ("2 Odim", "Cow")
    named, cited = "incomplete-reserves", "sg_gwint 1.18"

    assert beside(*RESERVES, deck=odim) == []
    assert beside(deck=odim) == []
    assert beside("Reserves:", "Gossip", deck=odim) == [(named, "Odim", cited)]
    assert beside("Reserves:", "Gossip", "2 Temnota", deck=odim) == [
        (named, "Odim", cited)
    ]
    # No more than the set prints can be listed, so no more is missed.
    assert (named, "2 Odim", cited) not in beside(*RESERVES, deck=cow)
    assert (named, "Cow", cited) in beside(*RESERVES, deck=cow)


def test_1_18_is_a_warning_and_1_17_an_error() -> None:
    odim = (*GOLD, "Odim", "Reserves:")

    assert validate_text(written(*odim, "Gossip"), "a.deck").legal
    assert not validate_text(written(*odim, "3 Temnota"), "a.deck").legal


def test_1_13_factions_by_the_letters_of_the_club() -> None:
    meant = {
        "SK": "northern_realms",
        "NR": "northern_realms",
        "Severní království": "northern_realms",
        "SO": "skellige",
        "ZA": "witchers",
    }
    database = load_database("sg_gwint")
    assert {word: database.find_faction(word).id for word in meant} == meant
    # 1.14: the witchers are banned.
    text = "Format: sg_gwint/2.1\nFaction: Zaklínači\n\nScorch\n"
    found = validate_text(text, "a.deck").findings
    assert "banned-faction" in {finding.name for finding in found}


def test_a_faction_without_leaders_is_said_to_have_none() -> None:
    text = "Format: sg_gwint/2.1\nFaction: Witchers\nLeader: King Foltest\n\nScorch\n"
    found = validate_text(text, "a.deck").findings
    [foreign] = [finding for finding in found if finding.name == "foreign-leader"]

    assert foreign.help == "Correct the faction: SG Gwint has no leader of Witchers"
    assert [note for note in foreign.notes if note.startswith("Leaders")] == []


def test_1_15_no_deck_is_registered_here() -> None:
    rules = {constraint.rule for constraint in load_format("sg_gwint/2.1").constraints}
    beside = {"reserves", "required_reserves", "complete_reserves"}
    of_cards = {"one_faction", "leader", "count", "copies", "deckable", "banned"}

    assert rules == of_cards | beside


def test_1_16_the_month_is_assumed() -> None:
    fmt = load_format("sg_gwint/approximation")
    run = validate_text(written(*GOLD), "a.deck")

    assert (fmt.snapshot, fmt.month) == ("2024-01", "2024-01, assumed")
    assert name_formats(run)[0].startswith(
        f"{fmt.id} (2024-01, assumed), rules fingerprint "
    )


def test_names_are_found_in_czech_with_and_without_diacritics() -> None:
    database = database_of(load_format("sg_gwint/approximation"))
    for id, names in {
        "biting_frost": "Štiplavý mráz|stiplavy mraz|biting_frost|Biting Frost",
        "skellige_storm": "SKELLIGSKÁ BOUŘE",
        "scorch": "Sezehnuti",
        "gossip": "Klepna",
        "odims_darkness": "Temnota|Odimova Temnota|odimovy temnoty",
    }.items():
        for name in names.split("|"):
            assert database.find_card(name).id == id, name
