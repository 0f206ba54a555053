"""Names as players write them."""

import subprocess
import sys
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards import Lookup, load_database, normalise
from deckcheck.cards.models import CardChange

DB = load_database("gwent")


KEYS = {
    "Síle de Tansarville": "siledetansarville",
    "  Gaunter O’Dimm:  Darkness ": "gaunterodimmdarkness",
    "Draig Bon–Dhu": "draigbondhu",
    "Ｃｉｒｉ": "ciri",
    "SCOIA'TAEL": "scoiatael",
    "Zażółć Gęśl": "zazolcgesl",
    "Straße Øl ﬁn": "strasseolfin",
    "Геральт Й": "геральти",
    "?!": "",
}


def test_names_are_compared_by_their_letters() -> None:
    assert {text: normalise(text) for text in KEYS} == KEYS


@given(st.text(max_size=40))
def test_the_letters_of_a_name_are_stable(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_every_name_finds_its_card() -> None:
    for card in DB.cards.values():
        for name in (card.id, card.name, *card.aliases):
            for spelling in (name, name.upper(), f" {name.replace(' ', '-')}"):
                assert DB.find_card(spelling) == Lookup(card.id), spelling


SPELLINGS = {
    "Poor Infantry": "poor_fucking_infantry",
    "CIRI": "cirilla_fiona_elen_riannon",
    "geralt": "geralt_of_rivia",
    "Avallach": "mysterious_elf",
    "Yennefer": "yennefer_of_vengerberg",
    "Commanders Horn": "commanders_horn",
    "commander’s  horn": "commanders_horn",
    "Sile De Tansarville": "sile_de_tansarville",
    "Crone Brewess": "crone_brewess",
    "Shilard Fitz Oesterlen": "shilard_fitz_oesterlen",
    "Drummond Shieldmaiden": "clan_drummond_shield_maiden",
    "Hawker Healer": "havekar_healer",
    "Roche": "vernon_roche",
    "Roach": "roach",
}
LEADERS = {
    "Siegemaster": "foltest_the_siegemaster",
    "Emhyr, The White Flame": "emhyr_the_white_flame",
    "eredin the treacherous": "eredin_the_treacherous",
    "Eredin Breacc Glas": "eredin_the_treacherous",
    "Bran": "king_bran",
    "Harald": "harald_an_craite_the_cripple",
}
FACTIONS = {
    "Northern Realms": "northern_realms",
    "scoiatael": "scoiatael",
    "Scoia’tael": "scoiatael",
    "NR": "northern_realms",
    "Nilfgaardian Empire": "nilfgaard",
}


def test_spellings() -> None:
    assert {text: DB.find_card(text).id for text in SPELLINGS} == SPELLINGS
    assert {text: DB.find_leader(text).id for text in LEADERS} == LEADERS
    assert {text: DB.find_faction(text).id for text in FACTIONS} == FACTIONS
    assert DB.find_faction("Skelige").suggestions == ("Skellige",)


FIRST = {
    "Ballsta": "Ballista",
    "Scorh": "Scorch",
    "Yenefer": "Yennefer of Vengerberg",
    "Síle de Tancarvile": "Síle de Tansarville",
    "Commando": "Blue Stripes Commando",
    "Brigade Recruit": "Vrihedd Brigade Recruit",
    "Sardinlla": "Sardinilla",
    # Words of a name are like it.
    "Comando": "Blue Stripes Commando",
    "Archer": "Black Infantry Archer",
    "Gerald": "Geralt of Rivia",
    "Longship": "War Longship",
}
ALONE = {
    "Ballsta": ("Ballista",),
    # English names come first among those alike.
    "Demion": ("Ermion", "Demonio"),
    # The beginning of a name suggests it.
    "Yen": ("Yennefer of Vengerberg",),
    "Villen": ("Villentretenmerth",),
    "dandel": ("Dandelion",),
}
STRANGE = "hello|foobar|deck|banana|Ragnaros|Fireball|Sol Ring||?!|zzzzzz"


def test_suggestions() -> None:
    for text, first in FIRST.items():
        found = DB.find_card(text)
        assert (found.id, found.suggestions[0]) == (None, first), text
        assert len(found.suggestions) <= 3, text
    assert {text: DB.find_card(text).suggestions for text in ALONE} == ALONE
    for text in (*STRANGE.split("|"), "x" * 100_000):
        assert DB.find_card(text) == Lookup(), text[:20]
        assert DB.find_leader(text).suggestions == (), text[:20]


class TestLeaders:
    def test_every_name_finds_its_leader(self) -> None:
        for leader in DB.leaders.values():
            for name in (
                leader.id,
                leader.title,
                leader.full_name,
                f"{leader.name} - {leader.title}",
                f"{leader.name} {leader.title}",
                f"{leader.name}: {leader.title.removeprefix('The ')}",
            ):
                assert DB.find_leader(name) == Lookup(leader.id)

    def test_shared_names_are_ambiguous(self) -> None:
        for text in ("Foltest", "Emhyr", "Eredin", "Francesca"):
            found = DB.find_leader(text)
            assert (found.id, len(found.candidates)) == (None, 5), text

    def test_an_exact_id_is_no_name_of_others(self) -> None:
        siegemaster = DB.leaders["foltest_the_siegemaster"]
        plain = replace(siegemaster, id="foltest", number=900, title="The Plain")
        more = DB.with_changes([CardChange(None, plain, "own.yaml", is_own=True)])

        assert more.find_leader("foltest").id == "foltest"
        assert more.find_leader("foltest", "monsters").id == "foltest"
        assert len(more.find_leader("Foltest").candidates) == 6

    def test_foreign_leaders_are_found(self) -> None:
        assert DB.find_leader("Bran", "monsters").id == "king_bran"
        assert len(DB.find_leader("Foltest", "monsters").candidates) == 5
        found = DB.find_leader("The Seigemaster", "northern_realms")
        assert found.suggestions[0] == "Foltest, The Siegemaster"


def test_matching_does_not_import_rapidfuzz() -> None:
    code = (
        "import sys; from deckcheck.cards import load_database; "
        "load_database('gwent').find_card('Ciri'); "
        "assert 'rapidfuzz' not in sys.modules"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
