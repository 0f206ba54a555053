"""A decklist: as it was read, as it was understood, and as writers take it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks.asides import Aside
from deckcheck.findings import Finding, Span


@dataclass(frozen=True, slots=True)
class DeckSource:
    """Where a deck was read: path as shown to the user, and which deck of the file."""

    path: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """A `Key: value` line; `span` covers the value."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class RawEntry:
    """A card line before names are resolved; `span` covers the name.

    `in_reserves` is for a line below a heading of the reserves, `below` is the place of
    another heading that the player made up.
    """

    name: str
    count: int
    span: Span
    in_reserves: bool = False
    below: Span | None = None


@dataclass(frozen=True, slots=True)
class RawAside:
    """A line that is not meant, and why; `span` covers `text`, without its marks.

    `heading` is the place of the heading that sets it aside, `sign` what makes it a
    comment, `header` the key of a header.
    """

    kind: Aside
    text: str
    span: Span
    heading: Span | None = None
    sign: str = ""
    header: str | None = None


@dataclass(frozen=True, slots=True)
class CardText:
    """A card before count and name are separated; `span` covers `text`.

    `entry` or `finding` is what was made of it before the game was known.
    """

    text: str
    span: Span
    entry: RawEntry | None = None
    finding: Finding | None = None
    in_reserves: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether the text is a name alone, without a count."""
        return self.entry is not None and self.text == self.entry.name


@dataclass(frozen=True, slots=True)
class RawDeck:
    """One deck as read: headers by lower-case key, card lines, reading findings.

    A key given twice has two headers. `span` is the place a finding about the deck as
    a whole points at. `sections` are the section lines by lower-case title. `unread`
    counts the lines that hold a card nobody can read. `texts` are the cards whose
    count is not separate, for games that write counts differently from most. `title` is
    a first line without a count, which may be the name of the deck: see `titles`.
    `asides` are lines that are not meant, `headings` those that the player made up,
    with their titles. `removed` are the entries behind a `-` where others have a `+`,
    `below_dashes` is the place of a line `--`.
    """

    source: DeckSource
    headers: Mapping[str, tuple[Header, ...]]
    entries: tuple[RawEntry, ...]
    findings: tuple[Finding, ...]
    span: Span
    sections: Mapping[str, Span] = field(default_factory=dict)
    unread: int = 0
    texts: tuple[CardText, ...] = ()
    title: RawEntry | None = None
    asides: tuple[RawAside, ...] = ()
    headings: Mapping[Span, str] = field(default_factory=dict)
    removed: tuple[RawEntry, ...] = ()
    below_dashes: Span | None = None

    @classmethod
    def unreadable(cls, finding: Finding, index: int = 0, unread: int = 1) -> RawDeck:
        """A deck of which nothing could be read, and the finding that says so."""
        source = DeckSource(finding.path, index)
        return cls(source, {}, (), (finding,), finding.span, unread=unread)


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A resolved card line: card id, count and position; see `RawEntry.below`."""

    card: str
    count: int
    span: Span
    below: Span | None = None


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck whose names are resolved to ids; what did not resolve is not in it.

    `name` falls back on the file's. `faction` and `leader` are ids or None. `entries`
    keep the order and the lines of the file, so one card may have several entries.
    `unread` is how many cards the unreadable lines and unknown names may mean: a
    minimum is not reported as missed while they could fill it. `reserves` are the cards
    that it lists as reserves, in games that have them.
    """

    source: DeckSource
    name: str
    format: str | None
    faction: str | None
    leader: str | None
    entries: tuple[DeckEntry, ...]
    span: Span
    headers: Mapping[str, tuple[Header, ...]]
    sections: Mapping[str, Span] = field(default_factory=dict)
    unread: int = 0
    reserves: tuple[DeckEntry, ...] = ()

    def counts(self) -> Counter[str]:
        """How many copies of each card id the deck holds."""
        return _total(self.entries)

    def reserve_counts(self) -> Counter[str]:
        """How many copies of each card id its reserves hold."""
        return _total(self.reserves)


def _total(entries: Iterable[DeckEntry]) -> Counter[str]:
    total: Counter[str] = Counter()
    for entry in entries:
        total[entry.card] += entry.count
    return total


# Headers and headings of decklists in the languages that card names come in.

HEADER_WORDS: tuple[tuple[str, str], ...] = (
    ("name", "Nombre, Nom, Nome, Nazwa, Название, Имя, Název, Jméno"),
    ("format", "Formato, Formát, Формат"),
    ("faction", "Fraktion, Facción, Fazione, Frakcja, Facção, Фракция, Frakce"),
    (
        "leader",
        "Anführer, Anfuehrer, Kommandant, Líder, Chef, Commandant, Condottiero, "
        "Comandante, Dowódca, Przywódca, Лидер, Предводитель, Командир, Vůdce, Velitel",
    ),
    ("player", "Spieler, Spielerin, Jugador, Joueur, Giocatore, Gracz, Jogador"),
    ("player", "Игрок, Hráč"),
    ("author", "Autor, Autora, Autorin, Auteur, Autore, Автор"),
    ("team", "Mannschaft, Equipo, Équipe, Squadra, Drużyna, Equipa, Команда, Tým"),
    ("event", "Turnier, Veranstaltung, Torneo, Evento, Tournoi, Événement, Turniej"),
    ("event", "Wydarzenie, Torneio, Турнир, Событие, Turnaj, Událost"),
    ("date", "Datum, Fecha, Data, Дата"),
    ("source", "Quelle, Fuente, Fonte, Źródło, Источник, Zdroj"),
    ("version", "Versión, Versione, Wersja, Versão, Версия, Verze"),
    ("note", "Notiz, Bemerkung, Nota, Remarque, Uwaga, Notatka, Заметка"),
    ("note", "Примечание, Poznámka"),
)
"""Words for the headers of decks, by the lower-case key of each."""

SECTION_WORDS = """\
agile, cards, close, close combat, deck, faction cards, hero, hero cards, heroes,
leader, leader card, leader cards, leaders, main deck, medics, melee, neutral,
neutral cards, neutrals, ranged, ranged combat, siege, siege combat, special,
special cards, specials, spies, total, total cards, unit, unit cards, units, weather,
weather cards,
anführer, belagerung, einheiten, einheitenkarten, fernkampf, helden, heldenkarten,
karten, nahkampf, neutrale karten, sonderkarten, spezialkarten, wetter, wetterkarten,
a distancia, asedio, baraja, cartas, cartas de clima, cartas de héroe,
cartas de unidad, cartas especiales, clima, cuerpo a cuerpo, especiales, héroes,
líder, mazo, neutrales, unidades,
cartes, cartes d'unité, cartes héros, cartes météo, cartes spéciales, chef,
combat rapproché, combat à distance, corps à corps, héros, météo, neutres, siège,
spéciales, unités, à distance,
a distanza, assedio, carte, carte eroe, carte meteo, carte speciali, carte unità,
condottiero, corpo a corpo, eroi, mazzo, meteo, mischia, neutrali, speciali, unità,
bohaterowie, dowódca, jednostki, karty, karty bohaterów, karty jednostek,
karty pogody, karty specjalne, neutralne, oblężenie, pogoda, specjalne, talia,
walka wręcz,
baralho, cartas de herói, cartas de unidade, cartas especiais, cerco, especiais,
heróis, neutras, à distância,
ближний бой, герои, дальний бой, карты, карты героев, карты отрядов, карты погоды,
колода, лидер, нейтральные, осада, особые карты, отряды, погода, специальные карты,
balíček, hrdinové, jednotky, karty hrdinů, karty jednotek, karty počasí, neutrální,
obléhání, počasí, speciální, speciální karty, velitel, vůdce"""
"""Lower-case headings that stand above cards, as decklists have them."""

RESERVE_WORDS = """\
reserve, reserves, reserven, reserva, reservas, réserve, réserves, riserva, riserve,
rezerwa, rezerwy, резерв, záloha, zálohy"""
"""Lower-case headings of the reserves."""


# Headers and section lines of a deck: which words they use.

# Headers by their lower-case key, as they are spelt in messages.
HEADERS = {key: key.capitalize() for key, _ in HEADER_WORDS}

# Two leaders are for a format to judge, two notes are fine.
ONCE = ("name", "format", "faction")

_TRANSLATED = {
    normalise(word): key for key, words in HEADER_WORDS for word in words.split(", ")
}
_RESERVES = frozenset(map(normalise, re.split(r",\s+", RESERVE_WORDS)))
_SECTIONS = frozenset(re.split(r",\s+", f"{SECTION_WORDS}, {RESERVE_WORDS}"))

_HEADER = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_SECTION = re.compile(
    r"(?P<title>[^\W\d][^:(\[]{0,40}?)\s*[:\-\u2013\u2014]?\s*"
    r"(?:[(\[]?\d+(?:\s+[^\W\d]+)?[)\]]?)?\s*:?"
)
_DIGIT = re.compile(r"\d")


class HeaderLine(NamedTuple):
    """A header: its key in lower case, its value, and where in the line that starts."""

    key: str
    value: str
    start: int


def header_key(word: str) -> str | None:
    """The lower-case key of the header that `word` names in any language."""
    key = word.strip().lower()
    return key if key in HEADERS else _TRANSLATED.get(normalise(word))


def header_words() -> list[str]:
    """Every word that names a header, English ones first."""
    others = (word for _, words in HEADER_WORDS for word in words.split(", "))
    return [*HEADERS.values(), *others]


@lru_cache(maxsize=4096)
def header_of(text: str) -> HeaderLine | None:
    """The header that a line states, if its key is one of decks."""
    match = _HEADER.fullmatch(text)
    key = header_key(match["key"]) if match is not None else None
    if match is None or key is None:
        return None
    return HeaderLine(key, match["value"], match.start("value"))


def is_section(title: str) -> bool:
    """Whether a lower-case title is one that decklists have above their cards."""
    return title in _SECTIONS


def is_reserves(title: str) -> bool:
    """Whether a title is that of the reserves."""
    return normalise(title) in _RESERVES


@lru_cache(maxsize=4096)
def section_of(text: str) -> str | None:
    """The lower-case title of a section line that decklists use, None for other lines.

    `Specials:`, `Specials (5):`, `Specials: 5 cards` and `Specials` are such lines.
    """
    if text[-1] == ":":
        text = text[:-1].rstrip() or ":"
    if text[0].isdigit():
        return None
    title = text.lower()
    if title in _SECTIONS:
        return title
    if _DIGIT.search(text) is None:
        return None
    match = _SECTION.fullmatch(text)
    word = match["title"].lower() if match is not None else ""
    return word if word in _SECTIONS else None


# The cards of a deck by kind, in the order in which decks are written and counted.

_TITLES = {
    "hero": "Heroes",
    "weather": "Weather",
    "bronze": "Bronze",
    "silver": "Silver",
    "gold": "Gold",
}


class DeckSection(NamedTuple):
    """The cards of one kind: ids with their counts."""

    kind: str
    cards: tuple[tuple[str, int], ...]

    @property
    def title(self) -> str:
        """`Units`, `Heroes`, `Weather`."""
        return section_title(self.kind)

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(count for _, count in self.cards)


def sections(
    counts: Mapping[str, int], database: CardDatabase
) -> tuple[DeckSection, ...]:
    """Counted cards by kind, as the game lists them, each sorted by name."""
    ordered = sorted(counts, key=lambda id: card_order(id, database))
    kinds = groupby(ordered, key=lambda id: database.cards[id].kind)
    return tuple(
        DeckSection(kind, tuple((id, counts[id]) for id in ids)) for kind, ids in kinds
    )


def section_title(kind: str) -> str:
    """What stands above the cards of a kind."""
    return _TITLES.get(kind, f"{kind.capitalize().replace('_', ' ')}s")


def card_order(card: str, database: CardDatabase) -> tuple[int, str]:
    """Cards are sorted by kind, as the game lists them, then by name."""
    record = database.cards[card]
    return database.game.kinds.index(record.kind), normalise(record.name)


# A deck as every writer takes it: canonical headers and counted cards.


@dataclass(frozen=True, slots=True)
class Sheet:
    """A resolved deck in canonical spelling.

    `headers` are by lower-case key in the usual order, `cards` count ids, `faction`
    and `leader` are ids, `reserves` count the reserve cards. `places` tell of
    ids where they stand: `siege.deck:4:1`.
    """

    headers: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, int]
    faction: str | None
    leader: str | None
    reserves: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class WrittenDeck:
    """The text of decks, and what of them it could not hold, in words."""

    text: str
    lost: tuple[str, ...] = ()


def sheet_of(deck: Deck, database: CardDatabase) -> Sheet:
    """A deck in canonical spelling, with the faction that its leader implies."""
    headers: dict[str, tuple[str, ...]] = {}
    for key in HEADERS:
        values = tuple(
            canonical(key, header.value, deck.faction, database)
            for header in deck.headers.get(key, ())
        )
        if key == "faction" and not values and deck.faction is not None:
            values = (database.factions[deck.faction].name,)
        if values:
            headers[key] = values
    return Sheet(
        headers,
        dict(deck.counts()),
        deck.faction,
        deck.leader,
        dict(deck.reserve_counts()),
        _places(deck),
    )


def _places(deck: Deck) -> dict[str, str]:
    """Where the cards and the leader stand, the first time."""
    spans = {entry.card: entry.span for entry in reversed(deck.entries)}
    if deck.leader is not None and "leader" in deck.headers:
        spans[deck.leader] = deck.headers["leader"][0].span
    return {
        id: f"{deck.source.path}:{span.start.line}:{span.start.column}"
        for id, span in spans.items()
    }


def canonical(key: str, value: str, faction: str | None, database: CardDatabase) -> str:
    """The value of a header as it is usually spelt."""
    if key == "leader":
        own = database.find_leader(value, faction).id
        leader = own or database.find_leader(value).id
        return database.leaders[leader].full_name if leader else value
    if key == "faction":
        id = database.find_faction(value).id
        return database.factions[id].name if id else value
    return value.strip().lower() if key == "format" else value


def lost_headers(sheets: Sequence[Sheet], kept: Iterable[str]) -> tuple[str, ...]:
    """The headers in use that are not among `kept`, and the reserves."""
    used = {key for sheet in sheets for key in sheet.headers} - set(kept)
    lost = tuple(f"`{HEADERS[key]}`" for key in HEADERS if key in used)
    return (*lost, *lost_reserves(sheets))


def lost_reserves(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """The reserves, where a way of writing holds the cards of decks alone."""
    return ("`Reserves`",) if any(sheet.reserves for sheet in sheets) else ()
