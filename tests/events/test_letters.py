"""Letters to players, in their languages."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.commands import stderr_of
from helpers.decks import DECKS_OF_TEXT
from helpers.findings import validate_files

import deckcheck
from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.cli.event import write_letters
from deckcheck.events import check_event
from deckcheck.events.letters import _SAID_OTHERWISE, is_untouched, letters
from deckcheck.events.wording import Wording, catalogue, languages, patterns
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, format_ids, load_format
from deckcheck.formats.wording import limits
from deckcheck.rules import ALL_RULES

# `--letters`: a text for each player, and no file of anybody else lost.

Captured = pytest.CaptureFixture[str]
SALTS = ("--salts", "salts.json")


def run(*words: str, code: int = 0) -> None:
    assert main(["event", "event.toml", "--letters", "letters", *words]) == code


def letter(name: str) -> str:
    return (Path("letters") / name).read_text(encoding="utf-8")


def test_the_letter_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root / "examples" / "troubled-tournament")
    made = letters(check_event(Path("event.toml")))["ben_ito.txt"]
    page = (root / "docs" / "how-to" / "run-an-event.md").read_text(encoding="utf-8")
    [shown] = re.findall("```\n(Spring cup.*?)```", page, re.DOTALL)

    hashes = "[0-9a-f]{12,}"
    parts = re.sub(hashes, "HASH", shown).split("\n...\n")
    pattern = "\n.*\n".join(map(re.escape, parts))
    assert re.fullmatch(pattern, re.sub(hashes, "HASH", made), re.DOTALL)


def test_a_letter_tells_nothing_of_others(cup: Path) -> None:
    shutil.copy("lists/anna-nowak.deck", "lists/ben_ito.deck")
    run()

    assert "Anna" not in letter("ben_ito.txt")
    assert "\nYour list is accepted.\n" in letter("ben_ito.txt")


def test_our_own_letters_are_renewed(troubled: Path) -> None:
    run(code=1)
    before = letter("cleo.txt")
    Path("lists/dora.deck").rename("lists/cleo.deck")
    run(code=1)

    assert "No list has arrived" in before
    assert "Your list is accepted" in letter("cleo.txt")


@pytest.mark.parametrize("change", ["Dear Ben,\n\n{}", "{}Yours, Cleo\n", "", "{}{}"])
def test_files_of_others_stay(cup: Path, capsys: Captured, change: str) -> None:
    run()
    file = Path("letters/ben_ito.txt")
    changed = change.replace("{}", file.read_text(encoding="utf-8"))
    file.write_text(changed, encoding="utf-8")
    Path("letters/anna_nowak.txt").unlink()
    capsys.readouterr()

    run(code=2)
    assert capsys.readouterr().err == (
        "error: No letter is written, for `letters` holds `ben_ito.txt`, which "
        "deckcheck did not write or somebody has changed\n"
        "help: Move these files away, or name another folder\n"
    )
    assert file.read_text(encoding="utf-8") == changed
    assert not Path("letters/anna_nowak.txt").exists()


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, " and 1 more")])
def test_the_first_files_of_others_are_named(
    tmp_path: Path, count: int, more: str
) -> None:
    written = {f"{name}.txt": "Dear you" for name in "abcd"[:count]}
    for name in written:
        (tmp_path / name).write_text("mine", encoding="utf-8")

    with pytest.raises(UsageError) as raised:
        write_letters(tmp_path, written)
    assert f"holds `a.txt`, `b.txt` and `c.txt`{more}, which" in raised.value.message


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("lists/letters", "would be taken for a list"),
        ("event.toml", "Cannot write `event.toml`"),
    ],
)
def test_letters_lie_outside_of_the_lists(
    cup: Path, folder: str, said: str, capsys: Captured
) -> None:
    assert said in stderr_of(capsys, "event", "event.toml", "--letters", folder)
    assert not Path("lists/letters").exists()


def test_every_player_has_a_file_of_a_safe_name(cup: Path) -> None:
    players = ["../../etc", "CON", "!!!", "a/b\\\\c", "Ωmega", "x" * 190 + "a"]
    players += ["x" * 199 + "b"]
    text = (cup / "event.toml").read_text(encoding="utf-8")
    listed = ", ".join(f'"{player}"' for player in players)
    text = re.sub(r"players = .*", lambda _: f"players = [{listed}]", text)
    (cup / "event.toml").write_text(text, encoding="utf-8")
    made = letters(check_event(Path("event.toml")))

    assert len(made) == len(players)
    assert {"etc.txt", "con_.txt", "player_21_21_21.txt", "a_b_c.txt"} < set(made)
    assert all(re.fullmatch(r"\w+\.txt", name) for name in made)
    assert all(map(is_untouched, made.values()))


def test_remedies_are_for_the_player(cup: Path) -> None:
    assert main(["event", "event.toml", "--seal", "seal.json", *SALTS, "-q"]) == 0
    deck = Path("lists/ben_ito.deck").read_text(encoding="utf-8")
    Path("lists/Ben Ito.txt").write_text(f"{deck}---\n{deck}", encoding="utf-8")
    Path("lists/anna-nowak.deck").unlink()
    run("--verify", "seal.json", *SALTS, code=1)

    ben, anna = letter("ben_ito.txt"), letter("anna_nowak.txt")
    told = re.findall("What to do: (.*)", f"{ben}{anna}")
    assert set(told) == {
        "Ask the organiser whether the list still counts",
        "Send the organiser a list with the one deck you play",
        "Send your list to the organiser again, unchanged",
        "Send your list to the organiser",
        "Tell the organiser which one you play",
    }
    assert "Player `" not in ben + anna


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("Sorry!", []),
        ("Grüße an alle", []),
        ("Foo: bar", ["Correct the line, or remove it if it is not a card"]),
    ],
)
def test_a_letter_does_not_guess_what_an_unknown_line_is(
    cup: Path, line: str, advice: list[str]
) -> None:
    file = Path("lists/ben_ito.deck")
    deck = file.read_text(encoding="utf-8")
    file.write_text(f"{line}\n{deck}", encoding="utf-8")
    run()

    assert line in letter("ben_ito.txt")
    assert re.findall("What to do: (.*)", letter("ben_ito.txt")) == advice


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

ROOT = Path(__file__).parents[2]
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
def test_a_catalogue_is_complete_and_its_places_are_those_of_the_english_one(
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


@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_what_is_left_out_is_said_in_every_language(code: str) -> None:
    """Whether a list is legal may depend on it, so its player has to understand it."""
    wording = Wording(code, load_database("gwent"))
    deck = "Leader: Foltest, The Siegemaster\n22 Ballista\n"
    for lines in ("Sideboard\nRoach\nDecoy\n", "~~Roach~~\n", "> Roach\n> Decoy\n"):
        run = deckcheck.validate(text=deck + lines, format="gwent/standard")
        names = ("left-out", "doubtful-line")
        [found] = [f.message for f in run.findings if f.name in names]
        assert wording.translate(found) != found


def test_what_is_legal_is_said_in_every_language() -> None:
    for id in format_ids():
        fmt = load_format(id)
        if fmt.game != "gwent":
            continue
        lines = limits(fmt, database_of(fmt, None))
        wording = Wording("de", database_of(fmt, None))
        english = [line for line in lines if wording.translate(line) == line]
        shown = ("weather frost", "single deck")
        assert all(any(word in line for word in shown) for line in english), english


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("de", "`Balliste` ist zu oft im Deck: 3, erlaubt sind höchstens 2"),
        ("fr", "Trop d'exemplaires de `Baliste` : 3, au plus 2 autorisés"),
        ("it", "Troppe copie di `Balista`: 3, consentite al massimo 2"),
        ("pl", "Za dużo kopii `Balista`: 3, dozwolone najwyżej 2"),
        ("cs", "Příliš mnoho kopií `Ballista`: 3, povoleno nejvýše 2"),
        ("es", "Demasiadas copias de `Balista`: 3, permitidas como máximo 2"),
        ("en", "3 copies of `Ballista`, at most 2 allowed"),
    ],
)
def test_a_message_with_the_names_of_its_language(code: str, message: str) -> None:
    wording = Wording(code, load_database("gwent"))

    assert wording.translate("3 copies of `Ballista`, at most 2 allowed") == message
    assert set(languages()) == {"cs", "de", "en", "es", "fr", "it", "pl"}


def test_a_message_without_a_translation_stays_english() -> None:
    polish, german = (Wording(code, load_database("gwent")) for code in ("pl", "de"))
    own = polish.own.sentences
    kept = {k: v for k, v in own.items() if k != "too-many-copies"}
    polish.own = type(polish.own)("Polish", {}, kept)

    for message in ("3 copies of `Ballista`, at most 2 allowed", "Nobody says this"):
        assert polish.translate(message) == message
    assert polish.say("letter-missing") == "Nie dotarła żadna lista."
    # One copy is recognised, too.
    for english, said in (
        ("Remove 1 copy of `Ballista`", "Entferne von `Balliste`: 1"),
        ("Add 1 unit card", "Füge Einheitenkarten hinzu: 1"),
        ("Did you mean `Decoy` or `Roach`?", "Meintest du `Finte` oder `Plötze`?"),
    ):
        assert german.translate(english) == said


def write(*lines: str) -> None:
    """Add lines to the event."""
    with open("event.toml", "a", encoding="utf-8") as event:
        event.write("\n".join(lines) + "\n")


def test_a_language_for_the_event_and_one_for_a_player(troubled: Path) -> None:
    deadline = 'deadline = "2025-12-04, 20:00 UTC"\nlate = "accept-with-note"'
    write('language = "pl"', deadline, "[languages]", 'BEN_ITO = "de"')
    found = letters(check_event(Path("event.toml")))

    ben, cleo = found["ben_ito.txt"], found["cleo.txt"]
    for said in (
        "Deine Liste ist nicht angenommen. Probleme: 1.\n",
        "   > 5 Ballista\n",
        "- Schicke bis 2025-12-04, 20:00 UTC eine verbesserte Liste.\n",
        "- Listen, die später ankommen, werden mit dem Vermerk",
        "    5 Balliste\n",
    ):
        assert f"\n{said}" in ben
    assert "`Balliste` ist zu oft im Deck: 5, erlaubt sind höchstens 2\n" in ben
    assert "\nNie dotarła żadna lista.\n" in cleo
    assert "\n- Wyślij listę najpóźniej: 2025-12-04, 20:00 UTC.\n" in cleo
    for text in found.values():
        assert max(map(len, text.splitlines())) <= 76


@pytest.mark.parametrize("code", languages())
def test_every_letter_of_every_language_is_whole(code: str, troubled: Path) -> None:
    write(
        f'language = "{code}"', 'deadline = "2025-12-04, 20:00 UTC"', 'late = "refuse"'
    )
    for text in letters(check_event(Path("event.toml"))).values():
        assert "{" not in text
        assert "None" not in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('language = "xx"', "unknown language `xx`, languages are `cs`, `de`,"),
        ('languages = {"Ben Ito" = "no"}', "unknown language `no`"),
        ('languages = {"Ben Itto" = "de"}', "no player `Ben Itto` is registered, did"),
        ('late = "perhaps"', "event.toml:6:8: "),
        ('late = "refuse"', "event.toml:6:8: `late` needs a deadline with a time zone"),
        ('deadline = "2025-12-04, 20:00"\nlate = "refuse"', "event.toml:6:12: `late`"),
        (
            'deadline = "2025-12-04 20:00 Mars"\nlate = "refuse"',
            "needs a deadline",
        ),
        ('dropped = ["Ben"]', "event.toml:6:12: no player `Ben` is registered"),
        ('replaced = {"Ben" = "Cleo"}', "no player `Ben` is registered"),
        ('replaced = {"Ben Ito" = "anna nowak"}', "is registered already"),
        ('ids = {"Ben Ito" = "Anna Nowák"}', "is the id or the name of another"),
        ('addresses = {"Cleo" = "c@example.org"}', "no player `Cleo` is registered"),
        ('deadline = "2025-12-07"', "`2025-12-07` is after the event"),
        ('deadline = "2025-02-30"', "there is no such day as `2025-02-30`"),
    ],
)
def test_misuse(cup: Path, capsys: Captured, line: str, message: str) -> None:
    write(line)

    assert message in stderr_of(capsys, "event", "event.toml")


@pytest.mark.parametrize(
    ("change", "shown", "hidden"),
    [
        (("", "Player: Anna Nowák\n"), "\n- Send a corrected list before", "Ballista"),
        (
            ("2 Ballista", "2 Balista 2"),
            "\nYour deck as it was read, 27 cards:\n",
            "\nYour list is accepted.\n",
        ),
    ],
)
def test_a_deck_of_another_player_is_not_shown(
    cup: Path, change: tuple[str, str], shown: str, hidden: str
) -> None:
    """And what could not be read is said to be missing."""
    ben = cup / "lists" / "ben_ito.deck"
    text = ben.read_text(encoding="utf-8")
    ben.write_text(text.replace(*change, 1), encoding="utf-8")
    letter = letters(check_event(Path("event.toml")))["ben_ito.txt"]

    assert shown in letter
    assert hidden not in letter
    missing = "\nLines and names that could not be read are not in it.\n"
    assert (missing in letter) == ("Balista" in change[1])
