"""`deckcheck schema`: our own files fit, broken ones do not."""

from __future__ import annotations

import json
import tomllib

import jsonschema
import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.cli.schema import SCHEMAS, schema
from deckcheck.documents.readers import read_yaml
from deckcheck.findings import UsageError


def printed(what: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    schema(what)
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("what", [name for name, _, _ in SCHEMAS])
def test_is_a_schema(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(printed(what, capsys))


@pytest.mark.parametrize(
    ("what", "file"),
    [
        ("game", "game.yaml"),
        ("cards", "cards.yaml"),
        ("leaders", "leaders.yaml"),
        ("format", "formats/standard.yaml"),
        ("format", "formats/advanced.yaml"),
        ("format", "formats/free_for_all.yaml"),
    ],
)
def test_our_files_fit(
    what: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = read_yaml((card_db_root() / "gwent" / file).read_bytes()).data

    jsonschema.Draft202012Validator(printed(what, capsys)).validate(data)


def test_a_set_may_leave_numbers_out(capsys: pytest.CaptureFixture[str]) -> None:
    card = (
        "- {id: white_wolf, name: The White Wolf, faction: neutral, kind: hero, "
        "rows: [close], strength: 15, abilities: [medic], copies: 1}"
    )
    data = read_yaml(card).data
    jsonschema.Draft202012Validator(printed("set", capsys)).validate(data)

    cards = jsonschema.Draft202012Validator(printed("cards", capsys))
    assert not cards.is_valid(data)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("card", "{id: x}"),
        ("cards", "{}"),
        ("format", "{title: x, constraints: {spies: {max: two}}}"),
        ("format", "{title: x, constraints: {spies: {rule: limit}}}"),
        ("format", "{title: x, constraints: {spies: {}}}"),
        ("format", "{title: x, colour: red}"),
        ("format", "{title: x, seating: {play: chess}}"),
        ("format", "{title: x, seating: {min_decks: 0}}"),
        ("format", "{title: x, seating: {chairs: 3}}"),
    ],
)
def test_broken_files_do_not(
    what: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    validator = jsonschema.Draft202012Validator(printed(what, capsys))

    assert not validator.is_valid(read_yaml(text).data)


@pytest.mark.parametrize(
    "text",
    ["[medic]", "[muster: {group: crone}]", "[{muster: {target: roach}}]", "[]"],
)
def test_abilities_as_written(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    card = {
        "id": "x",
        "number": 1,
        "name": "X",
        "faction": "f",
        "kind": "unit",
        "copies": 1,
        "provenance": "p",
        "abilities": read_yaml(text).data,
    }

    jsonschema.Draft202012Validator(printed("card", capsys)).validate(card)


def fits(what: str, data: object, capsys: pytest.CaptureFixture[str]) -> bool:
    validator = jsonschema.Draft202012Validator(printed(what, capsys))
    return bool(validator.is_valid(data))


@pytest.mark.parametrize("language", ["it", "pl", "ru"])
def test_names_fit(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = card_db_root() / "gwent" / "names" / f"{language}.yaml"
    data = read_yaml(file.read_bytes()).data

    assert fits("names", data, capsys)
    assert not fits("names", {"cards": {}}, capsys)


@pytest.mark.parametrize(
    "text",
    [
        "{name: Siege, leader: Foltest, cards: {Ballista: 2}}",
        "{leader: [Foltest, Emhyr], faction: NR, cards: [2 Ballista, Geralt]}",
        "{format: ./league.yaml, note: 7, cards: {}}",
        "{player: Anna, decks: [{cards: {Ballista: 2}}, {leader: Emhyr}]}",
    ],
)
def test_decks_fit(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fits("deck", read_yaml(text).data, capsys)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{colour: red, cards: {}}",
        "{cards: Ballista}",
        "{cards: {Ballista: 0}}",
        "{cards: {Ballista: 1000}}",
        "{cards: {Ballista: two}}",
        "{cards: [3]}",
        "{name: [a]}",
        "{decks: []}",
        "{decks: [{decks: []}]}",
    ],
)
def test_what_is_no_deck_does_not(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not fits("deck", read_yaml(text).data, capsys)


@pytest.mark.parametrize("way", ["yaml", "json"])
def test_converted_decks_fit(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    deck = card_db_root().parent / "decks" / "gwent" / "standard" / "mo_swarm.deck"
    assert main(["convert", str(deck), "--to", way]) == 0

    assert fits("deck", read_yaml(capsys.readouterr().out).data, capsys)


@pytest.mark.parametrize(
    "text",
    [
        'exclude = ["drafts"]\nfail-on = "warning"\nquiet = 1\ncard-db = "cards"',
        '[formats]\n"league/**" = "./league.yaml"\n[severity]\nrepeated-card = "off"',
        'extend = "../shared.toml"\nrule = "ban Scorch"\nno-suppress = true',
    ],
)
def test_configurations_fit(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fits("config", tomllib.loads(text), capsys)


@pytest.mark.parametrize(
    "text",
    [
        "colour = 1",
        'fail-on = "never"',
        'format = "gwent/standard"',
        "quiet = true",
        "[formats]\na = 1",
        '[severity]\nrepeated-cards = "off"',
        '[severity]\nDL103 = "loud"',
    ],
)
def test_broken_configurations_do_not(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not fits("config", tomllib.loads(text), capsys)


def test_events_fit(capsys: pytest.CaptureFixture[str]) -> None:
    event = {
        "name": "Cup",
        "date": "2025-12-06",
        "format": "gwent/advanced@2025-10",
        "lists": "lists",
        "players": ["Anna"],
    }

    assert fits("event", event, capsys)
    assert not fits("event", {**event, "place": "here"}, capsys)
    assert not fits("event", {**event, "players": "Anna"}, capsys)


@pytest.mark.parametrize(
    ("what", "command"),
    [
        ("cards-output", "cards list"),
        ("cards-output", "cards find foltest"),
        ("cards-output", "cards show kambi"),
        ("cards-output", "cards list --game gwen_t"),
        ("formats-output", "formats list"),
        ("formats-output", "formats diff gwent/standard gwent/advanced"),
        ("formats-for", "formats --for examples/broken/gwent/too-few-units.deck"),
    ],
)
def test_outputs_fit(
    what: str,
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(card_db_root().parent)
    main([*command.split(), "--output-format", "json"])

    document = json.loads(capsys.readouterr().out)
    assert fits(what, document, capsys)
    assert not fits(what, {**document, "schema_version": 2}, capsys)


def test_unknown_word() -> None:
    with pytest.raises(UsageError, match="Unknown schema `dekc`") as caught:
        schema("dekc")

    assert caught.value.help == "Did you mean `deck`?"
