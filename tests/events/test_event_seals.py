"""Seals: what they cover, what is refused, and what shows later."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from deckcheck import __version__
from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.decks import DeckText
from deckcheck.events import Salts, as_json, check_event, read_salts, seal_of
from deckcheck.events.event import sealed_hash
from deckcheck.validation import Validation, Validator

Captured = pytest.CaptureFixture[str]

LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
constraints:
  specials: {max: 9}
"""


def run(*words: str) -> int:
    """Run the command with the organiser's salts, where they are needed."""
    needed = {"--seal", "--verify"} & set(words) and "--salts" not in words
    salts = ("--salts", "salts.json") if needed else ()
    return main(["event", "event.toml", *words, *salts])


def found(*words: str, code: int = 1) -> list[str]:
    """What differs from the seal, a line each."""
    output = ("--output-format", "concise:found", "-qq")
    assert run("--verify", "seal.json", *output, *words) == code
    return Path("found").read_text(encoding="utf-8").splitlines()


def seals() -> list[dict[str, object]]:
    content = json.loads(Path("seal.json").read_text(encoding="utf-8"))
    assert content["schema_version"] == 3
    assert content["tool"]["name"] == "deckcheck"
    listed = content["seals"]
    assert isinstance(listed, list)
    return listed


@pytest.fixture
def sealed(cup: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """An event, sealed on the evening of the 5th of December."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764957600")
    assert run("--seal", "seal.json") == 0
    capsys.readouterr()
    return cup


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_seal_says_what_was_judged_and_by_what(sealed: Path) -> None:
    [seal] = seals()

    digest = check_event(Path("event.toml")).format.digest
    salts = read_salts(Path("salts.json"))
    lists = {
        file.name: sealed_hash(salts.of(file.name), file.read_bytes())
        for file in (sealed / "lists").iterdir()
    }
    assert {key: seal[key] for key in seal if key not in ("rules", "cards")} == {
        "event": "Winter cup",
        "lists": lists,
        "date": "2025-12-05T18:00:00Z",
        "tool": __version__,
        "format": "gwent/standard",
        "snapshot": "2025-10",
        "digest": digest,
        "hash": "SHA-256 of salt and list",
        "salts": salts.mark,
    }


def test_sealing_is_told(cup: Path, capsys: Captured) -> None:
    assert run("--seal", "seal.json") == 0
    assert capsys.readouterr().err == (
        "Salts written to `salts.json`: keep them, and publish them never\n"
        "2 lists sealed in `seal.json`\n"
    )


def test_errors_hinder_a_seal(troubled: Path, capsys: Captured) -> None:
    assert run("--seal", "seal.json") == 1
    assert capsys.readouterr().err.endswith(
        "\nNothing was sealed, because there are errors\n"
    )
    assert not Path("seal.json").exists()


def test_identical_lists_do_not(cup: Path) -> None:
    shutil.copy("lists/ben_ito.deck", "lists/anna-nowak.deck")

    assert run("--seal", "seal.json") == 0
    assert Path("seal.json").exists()


def test_a_seal_is_not_replaced(sealed: Path, capsys: Captured) -> None:
    before = Path("seal.json").read_bytes()

    assert run("--seal", "seal.json") == 2
    assert capsys.readouterr().err == (
        "error: `seal.json` already holds the seal of 2025-12-05T18:00:00Z\n"
        "help: Compare with `--verify`, or add a seal with `--reseal`\n"
    )
    assert Path("seal.json").read_bytes() == before


def test_no_other_file_is_replaced(cup: Path, capsys: Captured) -> None:
    Path("notes.txt").write_text("Ask Ben.\n", encoding="utf-8")

    for more in ((), ("--reseal",)):
        assert run("--seal", "notes.txt", *more) == 2
        assert "`notes.txt` is not a seal" in capsys.readouterr().err
    assert Path("notes.txt").read_text(encoding="utf-8") == "Ask Ben.\n"


def test_reseal_keeps_the_history(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = seals()
    edit(sealed / "lists" / "ben_ito.deck", "\n", "  \n")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764961200")

    assert run("--seal", "seal.json", "--reseal") == 0
    old, new = seals()
    assert old == first
    assert new["date"] == "2025-12-05T19:00:00Z"
    assert new["lists"] != old["lists"]
    assert found(code=0) == []


def test_reseal_needs_a_seal(cup: Path, capsys: Captured) -> None:
    assert run("--reseal") == 2
    assert "`--reseal` works with `--seal FILE` only" in capsys.readouterr().err


def test_nothing_has_changed(sealed: Path) -> None:
    assert found(code=0) == []


def test_changed_new_and_removed_lists_show(sealed: Path) -> None:
    edit(sealed / "lists" / "ben_ito.deck", "\n", "  \n")
    Path("lists/anna-nowak.deck").rename("lists/Anna Nowak.txt")

    assert found() == [
        "lists/Anna Nowak.txt:1:1: error[DE202] new-list: "
        "The list was added after the seal of 2025-12-05T18:00:00Z",
        "seal.json:11:28: error[DE203] removed-list: "
        "The list `anna-nowak.deck` is gone since the seal of 2025-12-05T18:00:00Z",
        "lists/ben_ito.deck:1:1: error[DE201] changed-list: "
        "The list has changed since the seal of 2025-12-05T18:00:00Z",
    ]


def test_changed_rules_show(cup: Path, capsys: Captured) -> None:
    Path("league.yaml").write_text(LEAGUE, encoding="utf-8")
    edit(cup / "event.toml", "gwent/standard", "./league.yaml")
    assert run("--seal", "seal.json") == 0
    edit(cup / "league.yaml", "title: League", "title: The league")
    assert found(code=0) == []

    edit(cup / "league.yaml", "max: 9", "max: 10")
    edit(cup / "league.yaml", "extends", "# No fewer specials.\nextends")
    edit(cup / "league.yaml", "specials: {max: 10}", "units: {min: 20}")
    [line] = found()
    assert line.startswith(
        "event.toml:3:10: error[DE204] changed-rules: "
        "The rules of the format have changed since the seal of 20"
    )
    assert run("--verify", "seal.json") == 1
    out = capsys.readouterr().out
    assert "  = note: Sealed by league.yaml (2025-11), digest " in out
    assert "  = note: Now judged by league.yaml (2025-11), digest " in out


def test_another_format_is_other_rules(sealed: Path) -> None:
    edit(sealed / "event.toml", "gwent/standard", "gwent/two_vs_two")

    assert "error[DE204] changed-rules" in found()[0]


def test_changed_card_data_is_a_warning(sealed: Path) -> None:
    shutil.copytree(card_db_root() / "gwent", sealed / "db" / "gwent")
    edit(sealed / "db" / "gwent" / "cards.yaml", "strength: 15", "strength: 14")

    assert found("--card-db", "db", code=0) == [
        "event.toml:3:10: warning[DE205] changed-cards: "
        "The card data has changed since the seal of 2025-12-05T18:00:00Z"
    ]


def test_another_version_is_a_note(sealed: Path) -> None:
    edit(sealed / "seal.json", f'"tool": "{__version__}"', '"tool": "0.1.9"')

    assert found(code=0) == [
        "seal.json:15:15: note[DE206] other-version: The seal of "
        f"2025-12-05T18:00:00Z was made by deckcheck 0.1.9, this is {__version__}"
    ]


def test_a_seal_of_0_1_0_can_be_verified_and_added_to(
    cup: Path, capsys: Captured
) -> None:
    """Such a file holds one seal, of the lists alone."""
    assert run("--seal", "seal.json") == 0
    lists = {
        file.name: sha256(file.read_bytes()).hexdigest()
        for file in sorted(Path("lists").iterdir())
    }
    old = {"schema_version": 1, "event": "Winter cup", "lists": lists}
    Path("seal.json").write_text(json.dumps(old, indent=2), encoding="utf-8")

    [note] = found(code=0)
    assert note == (
        "seal.json:4:12: note[DE206] other-version: The seal was made by "
        "deckcheck 0.1.0 and covers the lists alone"
    )
    Path("lists/ben_ito.deck").unlink()
    assert found()[:2] == [
        "event.toml:5:26: error[DE101] missing-list: Player `Ben Ito` has no list",
        "seal.json:6:21: error[DE203] removed-list: "
        "The list `ben_ito.deck` is gone since the seal",
    ]
    edit(cup / "event.toml", ', "Ben Ito"', "")
    assert run("--seal", "seal.json", "--reseal") == 0
    first, second = seals()
    assert first == {"event": "Winter cup", "lists": old["lists"]}
    assert list(second["lists"]) == ["anna-nowak.deck"]  # type: ignore[call-overload]


def test_the_bytes_that_were_judged_are_sealed(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that changes between judging and sealing is sealed as judged."""
    list_of_ben = cup / "lists" / "ben_ito.deck"
    judged = list_of_ben.read_bytes()
    check_all = Validator.check_all

    def change_then_check(self: Validator, texts: list[DeckText]) -> Validation:
        list_of_ben.write_text("Leader: nobody\n", encoding="utf-8")
        return check_all(self, texts)

    with monkeypatch.context() as patched:
        patched.setattr(Validator, "check_all", change_then_check)
        assert run("--seal", "seal.json") == 0

    salt = read_salts(Path("salts.json")).of("ben_ito.deck")
    lists = seals()[0]["lists"]
    assert lists["ben_ito.deck"] == sealed_hash(salt, judged)  # type: ignore[index]


def test_the_clock_is_given(cup: Path) -> None:
    event = replace(check_event(Path("event.toml")), salts=Salts("0" * 64))
    now = datetime(2025, 12, 5, 18, tzinfo=UTC)

    assert seal_of(event, now).date == "2025-12-05T18:00:00Z"
    assert as_json([seal_of(event, now)]) == as_json([seal_of(event, now)])


def test_a_broken_clock_is_misuse(
    cup: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")

    assert run("--seal", "seal.json") == 2
    assert capsys.readouterr().err == (
        "error: Variable `SOURCE_DATE_EPOCH` is not a number of seconds: `yesterday`\n"
        "help: Unset it, or give seconds since 1970\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 1", "`seal.json` is not a seal: seal.json:1:1: "),
        ("{}", "`seal.json` is not a seal: it holds no sealed lists"),
        ("[]", "`seal.json` is not a seal: it holds no sealed lists"),
        ('{"schema_version": 2, "seals": []}', "it holds no sealed lists"),
        ('{"schema_version": 2, "seals": [{}]}', "one of its seals has no lists"),
        ('{"schema_version": 4, "seals": [{}]}', "a newer version of deckcheck wrote"),
        (
            '{"schema_version": 1, "event": "Cup", "lists": {"ben.deck": 7}}',
            "a list has no hash",
        ),
    ],
)
def test_a_seal_must_be_one(
    cup: Path, capsys: Captured, text: str, message: str
) -> None:
    Path("seal.json").write_text(text, encoding="utf-8")

    for words in (("--verify", "seal.json"), ("--seal", "seal.json", "--reseal")):
        assert run(*words) == 2
        assert message in capsys.readouterr().err


def test_a_missing_seal_is_misuse(cup: Path, capsys: Captured) -> None:
    assert run("--verify", "seal.json") == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_seal_lies_outside_of_the_lists(cup: Path, capsys: Captured) -> None:
    assert run("--seal", "lists/seal.json") == 2
    assert capsys.readouterr().err == (
        "error: `lists/seal.json` of `--seal` would be taken for a list\n"
        "help: Choose a place outside `lists`\n"
    )
    assert not Path("lists/seal.json").exists()


def test_a_seal_with_another_suffix_may_lie_among_the_lists(cup: Path) -> None:
    edit(cup / "event.toml", 'lists = "lists"', 'lists = "."')

    assert run("--seal", "cup.seal", "--salts", "../salts.json") == 0
    assert run("--verify", "cup.seal", "--salts", "../salts.json") == 0


def test_a_seal_cannot_be_made_and_verified_at_once(
    cup: Path, capsys: Captured
) -> None:
    assert run("--seal", "a.json", "--verify", "b.json") == 2
    assert "`--seal` and `--verify` cannot be used together" in capsys.readouterr().err


def test_what_has_not_changed_is_told(cup: Path, capsys: Captured) -> None:
    assert run("--seal", "seal.json") == 0
    sealed = json.loads(Path("seal.json").read_text(encoding="utf-8"))["seals"][0]
    capsys.readouterr()

    assert run("--verify", "seal.json") == 0
    since = f"unchanged since the seal of {sealed['date']}\n"
    assert capsys.readouterr().err == f"2 lists {since}"

    edit(cup / "lists" / "ben_ito.deck", "Ballista", "Ballista  ")
    assert run("--verify", "seal.json") == 1
    assert capsys.readouterr().err == f"1 of 2 lists {since}"

    assert run("--verify", "seal.json", "-q") == 1
    assert capsys.readouterr().err == ""


def test_a_file_that_is_not_there(cup: Path, capsys: Captured) -> None:
    assert main(["event", "evnt.toml"]) == 2
    assert capsys.readouterr().err == (
        "error: Event file `evnt.toml` does not exist\n"
        "help: Did you mean `event.toml`?\n"
    )
    assert run("--verify", "gone.json") == 2
    assert capsys.readouterr().err == (
        "error: Seal `gone.json` does not exist\nhelp: Check the path\n"
    )
