"""Names as players write them."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards import Lookup, load_database, normalise
from deckcheck.cards.models import CardChange

DB = load_database("gwent")


class TestNormalise:
    @pytest.mark.parametrize(
        ("text", "key"),
        [
            ("Síle de Tansarville", "siledetansarville"),
            ("  Gaunter O’Dimm:  Darkness ", "gaunterodimmdarkness"),
            ("Draig Bon–Dhu", "draigbondhu"),
            ("Ｃｉｒｉ", "ciri"),
            ("SCOIA'TAEL", "scoiatael"),
            ("Zażółć Gęśl", "zazolcgesl"),
            ("Straße Øl ﬁn", "strasseolfin"),
            ("Геральт Й", "геральти"),
            ("?!", ""),
        ],
    )
    def test_examples(self, text: str, key: str) -> None:
        assert normalise(text) == key

    @given(st.text(max_size=40))
    def test_is_stable(self, text: str) -> None:
        assert normalise(normalise(text)) == normalise(text)


class TestCards:
    def test_every_name_finds_its_card(self) -> None:
        for card in DB.cards.values():
            for name in (card.id, card.name, *card.aliases):
                for spelling in (name, name.upper(), f" {name.replace(' ', '-')}"):
                    assert DB.find_card(spelling) == Lookup(card.id)

    @pytest.mark.parametrize(
        ("text", "id"),
        [
            ("Poor Infantry", "poor_fucking_infantry"),
            ("CIRI", "cirilla_fiona_elen_riannon"),
            ("geralt", "geralt_of_rivia"),
            ("Avallach", "mysterious_elf"),
            ("Yennefer", "yennefer_of_vengerberg"),
            ("Commanders Horn", "commanders_horn"),
            ("commander’s  horn", "commanders_horn"),
            ("Sile De Tansarville", "sile_de_tansarville"),
            ("Crone Brewess", "crone_brewess"),
            ("Shilard Fitz Oesterlen", "shilard_fitz_oesterlen"),
            ("Drummond Shieldmaiden", "clan_drummond_shield_maiden"),
            ("Hawker Healer", "havekar_healer"),
            ("Roche", "vernon_roche"),
            ("Roach", "roach"),
        ],
    )
    def test_spellings(self, text: str, id: str) -> None:
        assert DB.find_card(text).id == id

    @pytest.mark.parametrize(
        ("text", "first"),
        [
            ("Ballsta", "Ballista"),
            ("Scorh", "Scorch"),
            ("Yenefer", "Yennefer of Vengerberg"),
            ("Síle de Tancarvile", "Síle de Tansarville"),
            ("Commando", "Blue Stripes Commando"),
            ("Brigade Recruit", "Vrihedd Brigade Recruit"),
        ],
    )
    def test_suggestions(self, text: str, first: str) -> None:
        found = DB.find_card(text)

        assert found.id is None
        assert found.suggestions[0] == first
        assert len(found.suggestions) <= 3

    def test_one_good_suggestion_stands_alone(self) -> None:
        assert DB.find_card("Ballsta").suggestions == ("Ballista",)

    def test_english_names_come_first_among_those_alike(self) -> None:
        assert DB.find_card("Demion").suggestions == ("Ermion", "Demonio")
        assert DB.find_card("Sardinlla").suggestions[0] == "Sardinilla"

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("Yen", "Yennefer of Vengerberg"),
            ("Villen", "Villentretenmerth"),
            ("dandel", "Dandelion"),
        ],
    )
    def test_the_beginning_of_a_name_suggests_it(self, text: str, name: str) -> None:
        assert DB.find_card(text).suggestions == (name,)

    @pytest.mark.parametrize(
        "text",
        ["hello", "foobar", "deck", "banana", "Ragnaros", "Fireball", "Sol Ring"],
    )
    def test_words_of_elsewhere_are_like_nothing(self, text: str) -> None:
        assert DB.find_card(text).suggestions == ()
        assert DB.find_leader(text).suggestions == ()

    @pytest.mark.parametrize(
        ("text", "first"),
        [
            ("Comando", "Blue Stripes Commando"),
            ("Archer", "Black Infantry Archer"),
            ("Gerald", "Geralt of Rivia"),
            ("Longship", "War Longship"),
        ],
    )
    def test_words_of_a_name_are_like_it(self, text: str, first: str) -> None:
        assert DB.find_card(text).suggestions[0] == first

    @pytest.mark.parametrize("text", ["", "?!", "zzzzzz", "x" * 100_000])
    def test_nothing_alike(self, text: str) -> None:
        assert DB.find_card(text) == Lookup()


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

    @pytest.mark.parametrize(
        ("text", "id"),
        [
            ("Siegemaster", "foltest_the_siegemaster"),
            ("Emhyr, The White Flame", "emhyr_the_white_flame"),
            ("eredin the treacherous", "eredin_the_treacherous"),
            ("Eredin Breacc Glas", "eredin_the_treacherous"),
            ("Bran", "king_bran"),
            ("Harald", "harald_an_craite_the_cripple"),
        ],
    )
    def test_spellings(self, text: str, id: str) -> None:
        assert DB.find_leader(text).id == id

    @pytest.mark.parametrize("text", ["Foltest", "Emhyr", "Eredin", "Francesca"])
    def test_shared_names_are_ambiguous(self, text: str) -> None:
        found = DB.find_leader(text)

        assert found.id is None
        assert len(found.candidates) == 5

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

    def test_suggestions_carry_the_title(self) -> None:
        found = DB.find_leader("The Seigemaster", "northern_realms")

        assert found.suggestions[0] == "Foltest, The Siegemaster"


class TestFactions:
    @pytest.mark.parametrize(
        ("text", "id"),
        [
            ("Northern Realms", "northern_realms"),
            ("scoiatael", "scoiatael"),
            ("Scoia’tael", "scoiatael"),
            ("NR", "northern_realms"),
            ("Nilfgaardian Empire", "nilfgaard"),
        ],
    )
    def test_spellings(self, text: str, id: str) -> None:
        assert DB.find_faction(text).id == id

    def test_suggestion(self) -> None:
        assert DB.find_faction("Skelige").suggestions == ("Skellige",)


def test_matching_does_not_import_rapidfuzz() -> None:
    code = (
        "import sys; from deckcheck.cards import load_database; "
        "load_database('gwent').find_card('Ciri'); "
        "assert 'rapidfuzz' not in sys.modules"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
