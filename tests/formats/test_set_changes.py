"""Sets that change and remove cards of the game, and add leaders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from deckcheck.cli import main
from deckcheck.decks import DeckText
from deckcheck.formats import FormatError, database_of, load_format
from deckcheck.formats.schemas import set_schema
from deckcheck.formats.wording import compare
from deckcheck.validation import Validator, validate_text

WHAT_IF = "title: What if\nextends: gwent/standard\nsets: [winter.yaml]\n"
WINTER = """\
change:
  Katapult: {strength: 10}
remove: [Decoy]
leaders:
  - {id: mason, name: Foltest, title: The Mason, faction: northern_realms,
     ability: horn_own_siege, passive: false}
"""
SENTENCE = (
    "winter.yaml changes Catapult (strength 10, not 8), adds Foltest, The Mason, "
    "removes Decoy"
)
DECKS = Path(__file__).resolve().parents[2] / "decks/gwent/standard/mo_swarm.deck"
DECK = "Leader: The Mason\n\n2 Catapult\n"
CHAIN = """\
- {id: hound, name: Hound, faction: neutral, kind: unit, rows: [close], strength: 2,
   copies: 2}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "what_if.yaml").write_text(WHAT_IF, encoding="utf-8")
    (tmp_path / "winter.yaml").write_text(WINTER, encoding="utf-8")
    return tmp_path


def defects(text: str) -> list[str]:
    Path("winter.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        load_format("what_if.yaml")
    return caught.value.message.splitlines()[1:]


def test_a_card_is_changed_in_its_place() -> None:
    ours = database_of(load_format("gwent/standard"))
    db = database_of(load_format("what_if.yaml"))
    old, new = ours.cards["catapult"], db.cards["catapult"]

    assert (old.strength, new.strength) == (8, 10)
    assert (old.number, old.rows, old.abilities) == (
        new.number,
        new.rows,
        new.abilities,
    )
    assert list(db.cards) == [id for id in ours.cards if id != "decoy"]


def test_a_removed_card_is_a_finding_that_names_the_set() -> None:
    for name in ("Decoy", "Finte"):
        deck = f"{DECK}{name}\n"
        [removed] = [
            found
            for found in validate_text(deck, format="what_if.yaml").findings
            if found.code.startswith("DC")
        ]

        assert (removed.code, removed.span.start.line) == ("DC105", 4)
        assert removed.message == "`Decoy` is removed by the set `winter.yaml`"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_each_deck_has_the_cards_of_its_own_format(order: tuple[int, int]) -> None:
    decks = (DeckText("a.deck", f"Format: gwent/standard\n{DECK}Decoy\n"),)
    decks += (DeckText("b.deck", f"{DECK}Decoy\n"),)
    validator = Validator(fallback=lambda _: ("what_if.yaml", "deckcheck.toml"))
    run = validator.check_all(decks[place] for place in order)
    names = {
        report.source.path: {finding.name for finding in report.findings}
        for report in run.reports
    }

    assert "removed-card" in names["b.deck"] - names["a.deck"]
    assert "unknown-leader" in names["a.deck"] - names["b.deck"]


def test_a_new_leader_leads_decks() -> None:
    deck = "Leader: The Masn\n\n2 Catapult\n"
    [report] = validate_text(DECK, format="what_if.yaml").reports
    found = validate_text(deck, format="what_if.yaml").findings

    assert report.deck is not None
    assert report.deck.leader == "mason"
    assert next(f.name for f in found) == "unknown-leader"


def test_validate_says_what_the_sets_do(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.deck").write_text(DECK, encoding="utf-8")
    main(["validate", "a.deck", "--format", "what_if.yaml"])
    shown = capsys.readouterr().out
    main(["validate", "a.deck", "--format", "what_if.yaml", "--output-format", "json"])
    document = json.loads(capsys.readouterr().out)
    main(["validate", "a.deck", "--format", "what_if.yaml", "--output-format=markdown"])

    assert shown.endswith(f"\n{SENTENCE}\n")
    assert "changes Catapult" in capsys.readouterr().out
    assert [change["id"] for change in document["changes"]] == [
        "decoy",
        "catapult",
        "mason",
    ]
    assert document["changes"][1] == {
        "set": "winter.yaml",
        "about": "card",
        "id": "catapult",
        "name": "Catapult",
        "was": "northern_realms unit, siege, strength 8, tight_bond, 2 copies",
        "now": "northern_realms unit, siege, strength 10, tight_bond, 2 copies",
    }


def test_without_sets_nothing_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.deck").write_text("Leader: The Siegemaster\n\n2 Catapult\n")
    main(["validate", "a.deck", "--format", "gwent/standard"])

    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"gwent/standard (2025-10), {digest_of('gwent/standard')}"


def digest_of(format: str) -> str:
    return f"digest {load_format(format).digest}"


def test_the_cache_notices_another_set(folder: Path) -> None:
    before = load_format("what_if.yaml")
    text = WINTER.replace("10", "11")
    (folder / "winter.yaml").write_text(text, encoding="utf-8")
    after = load_format("what_if.yaml")

    assert before.digest != after.digest
    assert database_of(after).cards["catapult"].strength == 11


def test_the_cache_keeps_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_format("what_if.yaml")
    monkeypatch.setattr("deckcheck.formats.reading.read_format", None)

    assert load_format("what_if.yaml") == first


def test_formats_show_and_diff_tell_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["formats", "show", "what_if.yaml"])
    shown = capsys.readouterr().out
    main(["formats", "show", "what_if.yaml", "--output-format", "json"])
    [data] = json.loads(capsys.readouterr().out)["formats"]
    found = compare(load_format("gwent/standard"), load_format("what_if.yaml"))

    assert "\nchanged by sets\n  Catapult" in shown
    assert "\nremoved by sets\n  Decoy" in shown
    assert len(data["changes"]) == 3
    assert [(each.about, each.name) for each in found] == [
        ("card", "Decoy"),
        ("card", "Catapult"),
        ("leader", "Foltest, The Mason"),
    ]
    assert (found[0].new, found[2].old) == (None, None)


def test_later_sets_change_what_earlier_ones_did(folder: Path) -> None:
    (folder / "chain.yaml").write_text(CHAIN, encoding="utf-8")
    (folder / "last.yaml").write_text(
        "change: {Hound: {strength: 3}, catapult: {strength: 8}}\n", encoding="utf-8"
    )
    text = "title: Cup\nextends: what_if.yaml\nsets: [chain.yaml, last.yaml]\n"
    (folder / "cup.yaml").write_text(text, encoding="utf-8")
    fmt = load_format("cup.yaml")
    changes = {change.record.id: change for change in fmt.changes}

    assert set(changes) == {"decoy", "mason", "hound"}
    assert (changes["hound"].was, changes["hound"].set) == (None, "last.yaml")
    assert database_of(fmt).cards["hound"].strength == 3


def test_bans_of_removed_cards_are_inherited(folder: Path) -> None:
    base = "title: B\nextends: gwent/standard\n"
    base += "constraints: {bans: {rule: banned, cards: [Decoy]}}\n"
    (folder / "base.yaml").write_text(base, encoding="utf-8")
    text = WHAT_IF.replace("gwent/standard", "base.yaml")
    (folder / "what_if.yaml").write_text(text, encoding="utf-8")

    assert "decoy" not in database_of(load_format("what_if.yaml")).cards


def test_an_own_card_may_have_a_name_of_a_card_in_another_language(
    folder: Path,
) -> None:
    text = CHAIN.replace("name: Hound", "name: Finte")
    (folder / "winter.yaml").write_text(text, encoding="utf-8")
    db = database_of(load_format("what_if.yaml"))

    assert db.find_card("Finte").id == "hound"
    assert db.find_card("Katapult").id == "catapult"


def test_many_changes_are_counted(folder: Path) -> None:
    ids = list(database_of(load_format("gwent/standard")).cards)[:6]
    lines = "".join(f"  {id}: {{copies: 7}}\n" for id in ids)
    (folder / "winter.yaml").write_text(f"change:\n{lines}", encoding="utf-8")
    [report] = validate_text(
        "Leader: The Siegemaster\n\nBallista\n", format="what_if.yaml"
    ).reports
    from deckcheck.cards.models import change_lines

    assert report.format is not None
    assert change_lines(report.format.own_changes) == ["winter.yaml changes 6 cards"]


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        (
            "change: {catapult: {strength: 8}}",
            "winter.yaml:1:31: `strength: 8` changes nothing, `Catapult` has it",
        ),
        ("change: {catapult: {}}", "winter.yaml:1:10: nothing of `Catapult` is chang"),
        ("change: {catapult: ten}", "winter.yaml:1:20: expected a mapping, found `te"),
        (
            "change: {catapult: {strenght: 9}}",
            "winter.yaml:1:21: unknown key `strenght`, did you mean `strength`?",
        ),
        (
            "change: {catapult: {strength: ten}}",
            "winter.yaml:1:31: expected a whole number, found `ten`",
        ),
        (
            "change: {catapult: {strength: null}}",
            "winter.yaml:1:20: `catapult` is a unit without strength",
        ),
        (
            "change: {catapult: {abilities: [tight_bund]}}",
            "winter.yaml:1:33: unknown ability `tight_bund`, did you mean `tight_bond`",
        ),
        (
            "change: {catapult: {number: 9}}",
            "winter.yaml:1:21: the number of a card cannot be changed",
        ),
        (
            "change: {catapult: {strength: 9}, Katapult: {strength: 10}}",
            "winter.yaml:1:35: `Catapult` is given twice",
        ),
        (
            "change: {catapul: {strength: 9}}",
            "winter.yaml:1:10: unknown card `catapul`, did you mean `Catapult`?",
        ),
        (
            "change: {Foltest: {passive: true}}",
            "winter.yaml:1:10: `Foltest` may be `Foltest, King of Temeria`, `Foltest, ",
        ),
        (
            "change: {The Siegemaster: {strength: 9}}",
            "winter.yaml:1:28: unknown key `strength`",
        ),
        (
            "change: {The Siegemaster: {ability: horn_own_sige}}",
            "winter.yaml:1:37: unknown ability `horn_own_sige`, did you mean",
        ),
        (
            "change: {The Siegemaster: {number: 9}}",
            "winter.yaml:1:28: the number of a leader cannot be changed",
        ),
        (
            "change: {The Siegemaster: {passive: false}}",
            "winter.yaml:1:37: `passive: false` changes nothing, `Foltest, The Siege",
        ),
        (
            "change: {The Siegemaster: {title: King of Temeria}}",
            "winter.yaml:1:35: title `Foltest, King of Temeria` already belongs to",
        ),
        (
            "remove: [The Siegemaster]",
            "winter.yaml:1:10: `The Siegemaster` is a leader, ban it in the format",
        ),
        (
            "change: {catapult: {strength: 9}}\nremove: [catapult]",
            "winter.yaml:1:10: `Catapult` is removed, it cannot be changed as well",
        ),
        ("remove: [Decoy, decoy]", "winter.yaml:1:17: `Decoy` is given twice"),
        ("remove: [Decoi]", "winter.yaml:1:10: unknown card `Decoi`, did you mean `D"),
        (
            "remove: [Transformed Vildkaarl]",
            "winter.yaml:1:10: `Berserker` needs the card, change or remove it as well",
        ),
        (
            "change: {Transformed Vildkaarl: {deckable: true}}",
            "winter.yaml:1:44: `Berserker` brings the card, it cannot be in a deck",
        ),
        ("chang: {catapult: {strength: 9}}", "winter.yaml:1:1: unknown key `chang`, "),
        ("remove: Decoy", "winter.yaml:1:9: expected a list, found `Decoy`"),
        ("{}", "winter.yaml:1:1: the set changes nothing"),
        ("change: {}", "winter.yaml:1:1: the set changes nothing"),
        (
            WINTER.replace("horn_own_siege", "horn_own_sige"),
            "winter.yaml:6:15: unknown ability `horn_own_sige`, did you mean",
        ),
        (
            WINTER.replace("The Mason", "The Siegemaster"),
            "winter.yaml:5:39: title `Foltest, The Siegemaster` already belongs to",
        ),
        (
            WINTER.replace("id: mason", "id: foltest_the_siegemaster"),
            "winter.yaml:5:10: id `foltest_the_siegemaster` already belongs to `Folte",
        ),
        (
            CHAIN + CHAIN.replace("name: Hound", "name: Wolf"),
            "winter.yaml:3:8: id `hound` is already taken on line 1",
        ),
    ],
)
def test_defects_are_at_their_place(text: str, defect: str) -> None:
    assert [line[: len(defect)] for line in defects(text)] == [defect]


def test_a_leader_is_changed_in_his_place(capsys: pytest.CaptureFixture[str]) -> None:
    text = "change: {The Siegemaster: {ability: scorch_enemy_siege}}\n"
    Path("winter.yaml").write_text(text, encoding="utf-8")
    ours = database_of(load_format("gwent/standard"))
    fmt = load_format("what_if.yaml")
    id = "foltest_the_siegemaster"
    old, new = ours.leaders[id], database_of(fmt).leaders[id]

    assert new.ability == "scorch_enemy_siege" != old.ability
    assert (new.number, new.full_name) == (old.number, old.full_name)
    assert fmt.digest != load_format("gwent/standard").digest
    assert main(["validate", "-f", "what_if.yaml", str(DECKS)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "winter.yaml changes Foltest, The Siegemaster "
        f"(ability scorch_enemy_siege, not {old.ability})"
    )
    check = Draft202012Validator(set_schema()).is_valid
    assert check(yaml.safe_load(text))


def test_the_schema_knows_every_part() -> None:
    schema = set_schema()
    check = Draft202012Validator(schema).is_valid
    examples = Path(__file__).parents[2] / "examples" / "what_if" / "catapult.yaml"

    Draft202012Validator.check_schema(schema)
    assert check(yaml.safe_load(WINTER))
    assert check(yaml.safe_load(CHAIN))
    assert check(yaml.safe_load(examples.read_text(encoding="utf-8")))
    for wrong in ("strenght: 9", "number: 9", "strength: ten", ""):
        assert not check(yaml.safe_load(f"change: {{catapult: {{{wrong}}}}}"))


def test_what_is_removed_once_cannot_be_removed_again(folder: Path) -> None:
    (folder / "more.yaml").write_text("remove: [Decoy]\n", encoding="utf-8")
    text = WHAT_IF.replace("winter.yaml", "winter.yaml, more.yaml")
    (folder / "what_if.yaml").write_text(text, encoding="utf-8")

    found = "more.yaml:1:10: `winter.yaml` removed `Decoy` already"
    assert defects(WINTER) == [found]
