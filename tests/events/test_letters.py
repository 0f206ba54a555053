"""Letters to players, in their languages: names, catalogues, messages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.decks import DECKS_OF_TEXT
from helpers.events import edit
from helpers.findings import validate_files

import deckcheck
from deckcheck.cards import load_database
from deckcheck.events import check_event
from deckcheck.events.letters import _SAID_OTHERWISE, is_untouched, letters
from deckcheck.events.wording import Wording, catalogue, languages, patterns
from deckcheck.formats import database_of, format_ids, load_format
from deckcheck.formats.wording import describe_limits
from deckcheck.rules import ALL_RULES

ROOT = Path(__file__).parents[2]


def write_letters() -> dict[str, str]:
    """Return the letters of the event in the working folder, by file."""
    return letters(check_event(Path("event.toml")))


def test_the_letter_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples" / "troubled-tournament")
    made = write_letters()["ben_ito.txt"]
    page = (ROOT / "docs" / "how-to" / "run-an-event.md").read_text(encoding="utf-8")
    [shown] = re.findall("```\n(Spring cup.*?)```", page, re.DOTALL)

    hashes = "[0-9a-f]{12,}"
    parts = re.sub(hashes, "HASH", shown).split("\n...\n")
    pattern = "\n.*\n".join(map(re.escape, parts))
    assert re.fullmatch(pattern, re.sub(hashes, "HASH", made), re.DOTALL)


def test_every_player_has_a_file_of_a_safe_name(cup: Path) -> None:
    players = ["../../etc", "CON", "!!!", "a/b\\\\c", "Ωmega", "x" * 190 + "a"]
    players += ["x" * 199 + "b"]
    listed = ", ".join(f'"{player}"' for player in players)
    edit("event.toml", '"Anna Nowák", "Ben Ito"', listed)
    made = write_letters()

    assert len(made) == len(players)
    assert {"etc.txt", "con_.txt", "player_21_21_21.txt", "a_b_c.txt"} < set(made)
    assert all(re.fullmatch(r"\w+\.txt", name) for name in made)
    assert all(map(is_untouched, made.values()))
    letter = made["etc.txt"]
    for text in (f"Dear Ben,\n\n{letter}", f"{letter}Yours\n", "", letter * 2):
        assert not is_untouched(text), text


def test_every_finding_of_an_event_is_told_to_players_or_to_none() -> None:
    """In words of their own, whatever the language."""
    about_all = {
        *("DE101", "DE102", "DE103", "DE106", "DE107", "DE109", "DE204", "DE205"),
        "DE207",
    }
    events = {rule.code: rule.name for rule in ALL_RULES if rule.about == "event"}
    names = [events[code] for code in _SAID_OTHERWISE]

    assert _SAID_OTHERWISE | about_all == set(events)
    said = {*names, *(f"{name}-help" for name in names)}
    assert said <= catalogue("en").sentences.keys()


# Letters in the language of their player, and what their catalogues have to hold.

OTHERS = [code for code in languages() if code != "en"]
COUNTS = {"remark_number", "problem_number", "card_number"}
"""What a letter counts, where English has the number with its noun."""

TECHNICAL = {
    *("malformed-document", "malformed-deck", "unused-suppression"),
    *("unknown-suppression", "malformed-suppression", "same-cards"),
}
"""Findings of YAML, JSON and comments: in English, as the words they quote are.

Which lists have the same cards is for organisers, and in no letter.
"""


ENGLISH_ALONE = {
    # Of keys and codes, which are English themselves.
    "A deck has `name`, `format`, `faction`, `leader` and `cards`",
    "Unknown key `colour`",
    "The code names the unknown format `chess/blitz`",
    # Of games without factions, and of cards that are described in English words.
    "Deckmaster has no leaders: remove the line",
    "Gwen't has no factions: remove the line",
    "Gwen't has no leaders: remove the line",
    "Keep one of them",
    "Keep one of them; a number of copies is `2x`",
    "Power `6`, 1 to 5 allowed",
    "Unknown word `fier` in `3 fier up`",
    "`2 5 ice` has 2 powers, 1 allowed",
    "`3 fire ice up` has `fire` and `ice`, at most 1 element allowed",
    "`3 up left up` has `up` twice",
    "`fire up` has no power",
    # Of files that no event takes, and of a game that only tests have.
    "Correct the faction: Tiny has no leader of East",
    "In Windows-1252 it would be `é`",
    "The file holds 1 deck of other formats",
}
"""What letters say in English to every player."""


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_complete_and_has_the_places_of_the_english_one(
    code: str,
) -> None:
    """Ours are; one that a contributor begins may lack sentences."""
    own, english = catalogue(code), catalogue("en")

    assert list(own.sentences) == list(english.sentences)
    assert set(own.words) == set(catalogue("de").words)
    for id, text in own.sentences.items():
        places = fields(english.sentences[id])
        if id.startswith("letter-"):
            places |= COUNTS
        assert fields(text) <= places, id
        assert text == text.strip(), id
        # What a player types, as in `Leader: ...`, is read in every language.
        typed = re.findall("`[^`]*`", text)
        assert typed == re.findall("`[^`]*`", english.sentences[id]), id


def messages() -> Iterator[tuple[str, str]]:
    """What findings say of every broken deck: their name, and a text."""
    broken = sorted((ROOT / "examples" / "broken").glob("*/*"))
    files = [file for file in broken if file.suffix != ".expect"]
    games = [deckcheck.validate(file) for file in files]
    tests = sorted((ROOT / "tests" / "rules" / "decks").glob("*.deck"))
    own = validate_files(tests, root=ROOT / "tests" / "rules" / "card_db")
    for run in (*games, own):
        for finding in run.findings:
            for text in (finding.message, finding.help, *finding.notes):
                if text:
                    yield finding.name, text
    for text in DECKS_OF_TEXT:
        for finding in deckcheck.validate(text=text, format="gwent/standard").findings:
            yield finding.name, finding.message


def test_messages_of_rules_are_recognised() -> None:
    """A message that is written differently would be English in every letter."""
    known = list(patterns().values())
    strange = {
        text
        for name, text in messages()
        if name not in TECHNICAL
        and not any(pattern.fullmatch(text) for pattern in known)
    }

    assert strange == ENGLISH_ALONE


def test_what_is_left_out_is_said_in_every_language() -> None:
    """Whether a list is legal may depend on it, so its player has to understand it."""
    deck = "Leader: Foltest, The Siegemaster\n22 Ballista\n"
    for lines in ("Sideboard\nRoach\nDecoy\n", "~~Roach~~\n", "> Roach\n> Decoy\n"):
        run = deckcheck.validate(text=deck + lines, format="gwent/standard")
        names = ("left-out", "doubtful-line")
        [found] = [f.message for f in run.findings if f.name in names]
        for code in OTHERS:
            wording = Wording(code, load_database("gwent"))
            assert wording.translate(found) != found, code


def test_what_is_legal_is_said_in_every_language() -> None:
    for id in format_ids():
        fmt = load_format(id)
        if fmt.game != "gwent":
            continue
        lines = describe_limits(fmt, database_of(fmt, None))
        wording = Wording("de", database_of(fmt, None))
        english = [line for line in lines if wording.translate(line) == line]
        shown = ("weather frost", "single deck")
        assert all(any(word in line for word in shown) for line in english), english


TOO_MANY = {
    "de": "`Balliste` ist zu oft im Deck: 3, erlaubt sind höchstens 2",
    "fr": "Trop d'exemplaires de `Baliste` : 3, au plus 2 autorisés",
    "it": "Troppe copie di `Balista`: 3, consentite al massimo 2",
    "pl": "Za dużo kopii `Balista`: 3, dozwolone najwyżej 2",
    "cs": "Příliš mnoho kopií `Ballista`: 3, povoleno nejvýše 2",
    "es": "Demasiadas copias de `Balista`: 3, permitidas como máximo 2",
    "en": "3 copies of `Ballista`, at most 2 allowed",
}
GERMAN = {
    "Remove 1 copy of `Ballista`": "Entferne von `Balliste`: 1",
    "Add 1 unit card": "Füge Einheitenkarten hinzu: 1",
    "Did you mean `Decoy` or `Roach`?": "Meintest du `Finte` oder `Plötze`?",
}


def test_translate_a_message_with_the_names_of_its_language() -> None:
    """One without a translation stays English."""
    for code, message in TOO_MANY.items():
        wording = Wording(code, load_database("gwent"))
        assert wording.translate(TOO_MANY["en"]) == message, code
    assert {*languages()} == {*TOO_MANY}
    german = Wording("de", load_database("gwent"))
    for english, message in GERMAN.items():
        assert german.translate(english) == message, english

    polish = Wording("pl", load_database("gwent"))
    sentences = dict(polish.own.sentences)
    del sentences["too-many-copies"]
    polish.own = type(polish.own)("Polish", {}, sentences)
    for message in (TOO_MANY["en"], "Nobody says this"):
        assert polish.translate(message) == message
    assert polish.say("letter-missing") == "Nie dotarła żadna lista."


@pytest.mark.parametrize("code", languages())
def test_letters_of_each_language_are_whole(code: str, troubled: Path) -> None:
    more = f'deadline = "2025-12-04, 20:00 UTC"\nlate = "refuse"\nlanguage = "{code}"'
    edit("event.toml", "lists =", f"{more}\nlists =")
    for text in write_letters().values():
        assert "{" not in text
        assert "None" not in text
        assert max(map(len, text.splitlines())) <= 76
