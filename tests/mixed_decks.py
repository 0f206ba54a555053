"""A folder of many different decks, as people would send them in."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import yaml

from deckcheck.cards import CardDatabase, card_db_root, load_database
from deckcheck.decks import read_decks, resolve
from deckcheck.documents.readers import read_yaml

__all__ = ["write_mixed_decks"]

LANGUAGES = ("en", "it", "fr", "de", "pl", "es")
FORMATS = ("standard", "advanced")


class Sheet(NamedTuple):
    """A deck as somebody writes it down: headers and lines in his language."""

    headers: dict[str, str]
    lines: list[tuple[int, str]]


Damage = Callable[[random.Random, Sheet], Sheet]
Names = dict[str, dict[str, str]]


def write_mixed_decks(folder: Path, number: int, seed: int = 1) -> None:
    """Write so many files: legal, illegal and unreadable decks in turn.

    They are in six languages, judged by several formats, and written as text, YAML,
    JSON and CSV, in folders of a hundred. The same seed writes the same bytes.
    """
    rng = random.Random(seed)
    db = load_database("gwent")
    samples = {name: _samples(db, name) for name in FORMATS}
    names = {language: _names(language) for language in LANGUAGES}
    for index in range(number):
        place = folder / f"group_{index // 100:02}"
        place.mkdir(parents=True, exist_ok=True)
        format = FORMATS[index // 4 % len(FORMATS)]
        leader, cards = rng.choice(samples[format])
        language = LANGUAGES[index % len(LANGUAGES)]
        sheet = _sheet(
            f"Deck {index}", format, leader, cards, db=db, names=names[language]
        )
        damage = DAMAGES[index % len(DAMAGES)]
        sheet = damage(rng, sheet) if damage else sheet
        suffix, write = WAYS[index // 3 % len(WAYS)]
        data = write(sheet).encode()
        if index % 20 == 19:
            suffix, data = _unreadable(rng, suffix, data)
        (place / f"deck_{index:04}{suffix}").write_bytes(data)


def _samples(db: CardDatabase, format: str) -> list[tuple[str, dict[str, int]]]:
    folder = card_db_root().parent / "decks" / "gwent" / format
    found = []
    for file in sorted(folder.glob("*.deck")):
        deck, findings = resolve(read_decks(file)[0], db)
        assert deck.leader is not None
        assert not findings
        found.append((deck.leader, dict(deck.counts())))
    return found


def _names(language: str) -> Names:
    if language == "en":
        return {"cards": {}, "leaders": {}}
    file = card_db_root() / "gwent" / "names" / f"{language}.yaml"
    data = read_yaml(file.read_bytes()).data
    assert isinstance(data, dict)
    return {section: data[section] for section in ("cards", "leaders")}


def _sheet(
    name: str,
    format: str,
    leader: str,
    cards: dict[str, int],
    *,
    db: CardDatabase,
    names: Names,
) -> Sheet:
    full = db.leaders[leader].full_name
    headers = {
        "Name": name,
        "Format": f"gwent/{format}",
        "Leader": names["leaders"].get(leader, full),
    }
    lines = [
        (count, names["cards"].get(id, db.cards[id].name))
        for id, count in cards.items()
    ]
    return Sheet(headers, lines)


def _too_many(rng: random.Random, sheet: Sheet) -> Sheet:
    lines = list(sheet.lines)
    at = rng.randrange(len(lines))
    lines[at] = (lines[at][0] + 7, lines[at][1])
    return sheet._replace(lines=lines)


def _too_few(rng: random.Random, sheet: Sheet) -> Sheet:
    return sheet._replace(lines=rng.sample(sheet.lines, len(sheet.lines) // 2))


def _misspelt(rng: random.Random, sheet: Sheet) -> Sheet:
    lines = list(sheet.lines)
    for at in rng.sample(range(len(lines)), 2):
        count, name = lines[at]
        cut = rng.randrange(1, len(name))
        lines[at] = (count, name[:cut] + "x" + name[cut:])
    return sheet._replace(lines=lines)


def _foreign_leader(rng: random.Random, sheet: Sheet) -> Sheet:
    leaders = ["Foltest, The Siegemaster", "Emhyr var Emreis, The Relentless"]
    return sheet._replace(headers={**sheet.headers, "Leader": rng.choice(leaders)})


def _no_leader(rng: random.Random, sheet: Sheet) -> Sheet:
    headers = {k: v for k, v in sheet.headers.items() if k != "Leader"}
    return sheet._replace(headers=headers)


def _unknown_format(rng: random.Random, sheet: Sheet) -> Sheet:
    return sheet._replace(headers={**sheet.headers, "Format": "gwent/standart"})


DAMAGES: tuple[Damage | None, ...] = (
    *(None, None, None, None),
    *(_too_many, _too_few, _misspelt, _foreign_leader, _no_leader, _unknown_format),
)


def _as_text(sheet: Sheet) -> str:
    headers = [f"{key}: {value}" for key, value in sheet.headers.items()]
    return "\n".join([*headers, "", *(f"{n} {name}" for n, name in sheet.lines), ""])


def _as_data(sheet: Sheet) -> dict[str, object]:
    head: dict[str, object] = {k.lower(): v for k, v in sheet.headers.items()}
    return {**head, "cards": {name: count for count, name in sheet.lines}}


def _as_yaml(sheet: Sheet) -> str:
    return yaml.safe_dump(_as_data(sheet), allow_unicode=True, sort_keys=False)


def _as_json(sheet: Sheet) -> str:
    return json.dumps(_as_data(sheet), ensure_ascii=False, indent=2) + "\n"


def _as_csv(sheet: Sheet) -> str:
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow([*(key.lower() for key in sheet.headers), "count", "card"])
    for count, name in sheet.lines:
        table.writerow([*sheet.headers.values(), count, name])
    return stream.getvalue()


WAYS: tuple[tuple[str, Callable[[Sheet], str]], ...] = (
    (".deck", _as_text),
    (".yaml", _as_yaml),
    (".txt", _as_text),
    (".json", _as_json),
    (".csv", _as_csv),
)


def _unreadable(rng: random.Random, suffix: str, data: bytes) -> tuple[str, bytes]:
    """A file that is no deck any more: an image, cut off, another encoding, empty."""
    ways = (
        (".deck", b"\x89PNG\r\n\x1a\n" + rng.randbytes(200)),
        (".json", data[: len(data) // 2]),
        (".txt", data + "Eithné\n".encode("cp1252")),
        (".yml", b"cards: [1, {2\n"),
        (".txt", b""),
    )
    return rng.choice(ways)
