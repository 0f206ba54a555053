"""The made-up set of a club in SG Gwint: it uses every ability, loads and plays.

Each mistake in it is reported at its line.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deckcheck import simulate
from deckcheck.cards.models import Card, LeaderRecord
from deckcheck.cli import main
from deckcheck.formats import database_of, load_format
from deckcheck.validation import validate_text

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sg_gwint"
SET = (EXAMPLE / "club_cards.yaml").read_text(encoding="utf-8")
CLUB = load_format(str(EXAMPLE / "club.yaml"))
GAME = database_of(CLUB).game
RECORDS = [change.record for change in CLUB.own_changes]
CARDS = [record for record in RECORDS if isinstance(record, Card)]
LEADERS = [record for record in RECORDS if isinstance(record, LeaderRecord)]
# `unknown` is for leaders of whom only the name is public: a club knows its own.
LEADER_ABILITIES = [word for word in GAME.leader_abilities if word != "unknown"]
FACTIONS = [faction.id for faction in GAME.factions if faction.ability]

GUARD = "    rows: [close]\n    strength: 5\n    copies: 1"
# A text of the set and what is mistaken in it, with `^` where the mistake is reported.
MISTAKES = {
    "misspelt ability": (
        "[destroy_unit]",
        "[^destroi_unit]",
        "unknown ability `destroi_unit`, did you mean `destroy_unit`?",
    ),
    "parameter that is missing": (
        "[reinforcement: {amount: 2}]",
        "[^reinforcement]",
        "`reinforcement` needs `amount`, write `reinforcement: {amount: ...}`",
    ),
    "parameter that is not taken": (
        "[decoy]",
        "[decoy: {^amount: 2}]",
        "`decoy` takes no `amount`",
    ),
    "unknown faction": (
        "Ram Crew\n    faction: northern_realms",
        "Ram Crew\n    faction: ^nothern_realms",
        "unknown faction `nothern_realms`, did you mean `northern_realms`?",
    ),
    "unknown row": (
        "Stone Giant\n    faction: neutral\n    kind: bronze\n    rows: [siege]",
        "Stone Giant\n    faction: neutral\n    kind: bronze\n    rows: [^seige]",
        "unknown row `seige`, did you mean `siege`?",
    ),
    "text for a strength": (
        "strength: 8",
        "strength: ^eight",
        "expected a whole number, found `eight`",
    ),
    "unknown key": (
        "name: Armourer\n",
        "name: Armourer\n    ^colour: red\n",
        "unknown key `colour`",
    ),
    "id of another card": (
        "id: harpooner",
        "id: ^field_surgeon",
        "id `field_surgeon` is already taken on line ",
    ),
    "id of another leader": (
        "id: madman_lugos_the_drenched",
        "id: ^madman_lugos_the_hardened",
        "id `madman_lugos_the_hardened` is already taken on line ",
    ),
    "name of another card": (
        "name: Old Campaigner",
        "name: ^Drummer",
        "`Drummer` is also a name of `drummer`",
    ),
    "unknown card to bring": (
        "[muster: {target: stray_dog}]",
        "[^muster: {target: stray_dgo}]",
        "unknown card `stray_dgo`, did you mean `stray_dog`?",
    ),
    "card to bring that decks may hold": (
        "[guardian: {target: roaming_bull}]",
        "[^guardian: {target: fire_breather}]",
        "`fire_breather` can be in a deck, add `deckable: false` to it",
    ),
    "strength of a special": (
        "kind: special\n    abilities: [scorch]",
        "kind: special\n    ^strength: 3\n    abilities: [scorch]",
        "`wildfire` is a special and cannot have strength",
    ),
    "silver card in a deck": (
        f"silver\n{GUARD}\n    deckable: false",
        f"^silver\n{GUARD}",
        "`kings_guard` is a silver, which no deck holds: add `deckable: false`",
    ),
    "ability of another kind": (
        "[immunity]",
        "[^weather: {rows: [close]}]",
        "`weather` is for cards of the kind `special`, `stone_giant` is a bronze",
    ),
    "strength that is too large": (
        "name: Roaming Bull\n    faction: neutral\n    kind: silver\n"
        "    rows: [close, ranged]\n    strength: 6",
        "name: Roaming Bull\n    faction: neutral\n    kind: silver\n"
        "    rows: [close, ranged]\n    strength: ^101",
        "a strength is at most 100, found 101",
    ),
    "amount that is too large": (
        "[diplomacy: {amount: 2}]",
        "[diplomacy: {amount: ^13}]",
        "the amount of `diplomacy` is at most 12, found 13",
    ),
    "two abilities that stay": (
        "[mahakam_lager]",
        "[mahakam_lager, ^mardroeme]",
        "a special cannot have both `mahakam_lager` and `mardroeme`",
    ),
    "leader who is never played": (
        "ability: clear_weather\n    passive: false",
        "ability: clear_weather\n    passive: ^true",
        "a leader with `clear_weather` has `passive: false`",
    ),
    "leader who draws too much": (
        "ability: draw_cards\n    amount: 1",
        "ability: draw_cards\n    amount: ^13",
        "the amount of `draw_cards` is at most 12, found 13",
    ),
    "leader who finds no card": (
        "ability: pull_unit\n    tag: dwarf",
        "ability: pull_unit\n    kind: ^special",
        "`pull_unit` finds no special, only `bronze` or `gold`",
    ),
    "leader of whom nothing is known": (
        "ability: weatherproof",
        "ability: ^unknown",
        "`unknown` is for leaders with `known: false`",
    ),
}


def deck_of(faction: str) -> str:
    """All units of a faction and the neutral ones, and one of each special."""
    leader = next(leader for leader in LEADERS if leader.faction == faction)
    lines = [
        f"{1 if card.kind == 'special' else card.copies} {card.name}"
        for card in CARDS
        if card.deckable and card.faction in (faction, "neutral")
    ]
    head = [f"Name: {faction}", f"Leader: {leader.full_name}", ""]
    return "\n".join([*head, *lines, ""])


def mistaken(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"`{old}` is not there once"
    return text.replace(old, new)


def defects_of(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[list[str], list[str]]:
    """What `validate` reports of a set, and the places marked in it."""
    places = [
        f"{number}:{place + 1 - line[:place].count('^')}"
        for number, line in enumerate(text.splitlines(), 1)
        for place, letter in enumerate(line)
        if letter == "^"
    ]
    shutil.copy(EXAMPLE / "club.yaml", folder / "club.yaml")
    (folder / "club_cards.yaml").write_text(text.replace("^", ""), encoding="utf-8")
    (folder / "a.deck").write_text(deck_of("skellige"), encoding="utf-8")

    status = main(["validate", "a.deck", "--format", "./club.yaml"])
    assert status == 2
    lines = capsys.readouterr().err.splitlines()[1:]
    return [line.removeprefix("club_cards.yaml:") for line in lines], places


def test_a_token_has_the_number_of_the_card_that_lays_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = mistaken(
        SET, "[reinforcement: {amount: 2}]", "[^reinforcement: {amount: 4}]"
    )

    (line,), (place,) = defects_of(text, tmp_path, capsys)

    message = "no card has `reinforcement_token` of 4, so `armourer` would do nothing"
    assert line == f"{place}: {message}"


def test_the_set_has_at_least_40_cards() -> None:
    assert len(CARDS) >= 40


@pytest.mark.parametrize("word", GAME.abilities)
def test_a_card_has_each_ability(word: str) -> None:
    assert word in {ability.code for card in CARDS for ability in card.abilities}


@pytest.mark.parametrize("word", LEADER_ABILITIES)
def test_a_leader_has_each_ability(word: str) -> None:
    assert word in {leader.ability for leader in LEADERS}


@pytest.mark.parametrize("faction", FACTIONS)
def test_decks_of_the_set_are_legal(faction: str) -> None:
    found = validate_text(deck_of(faction), format=str(EXAMPLE / "club.yaml"))

    assert [(each.name, each.message) for each in found.findings] == []


def test_decks_of_the_set_play(tmp_path: Path) -> None:
    for faction in FACTIONS:
        (tmp_path / f"{faction}.deck").write_text(deck_of(faction), encoding="utf-8")
    result = simulate(tmp_path, games=2, format=str(EXAMPLE / "club.yaml"))

    assert [table.games for table in result.tables] == [2] * 10


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_at_its_place(
    mistake: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new, said = MISTAKES[mistake]
    monkeypatch.chdir(tmp_path)
    [line], [place] = defects_of(mistaken(SET, old, new), tmp_path, capsys)

    assert line.startswith(f"{place}: {said}")


def test_all_mistakes_are_reported_together(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = SET
    for old, new, _ in MISTAKES.values():
        text = mistaken(text, old, new)
    monkeypatch.chdir(tmp_path)
    lines, places = defects_of(text, tmp_path, capsys)

    assert len(places) == len(MISTAKES)
    assert {line.partition(": ")[0] for line in lines} == set(places)
