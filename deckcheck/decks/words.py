"""Words of decklists in the languages of card names: headers, headings, boards."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from deckcheck.cards.names import normalise

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

ASIDE_WORDS = """\
bench, considering, cut, cuts, left out, maybe, maybeboard, maybe board, not in deck,
not playing, optional, out, removed, sb, side, side board, side deck, sideboard,
substitutes, token, tokens, unused,
ersatzbank, nebendeck, nicht gespielt, spielsteine, vielleicht,
banquillo, fichas, fuera del mazo, mazo lateral, quizás,
banc, deck annexe, jetons, peut-être, retirées,
forse, fuori dal mazzo, mazzo laterale, panchina, pedine,
być może, ławka rezerwowych, nie gram, talia boczna, żetony,
banco, baralho lateral, fora do baralho, marcadores, talvez,
возможно, не в колоде, сайдборд, скамейка, фишки,
lavička, možná, nehraji, vedlejší balíček, žetony"""
"""Lower-case headings of what is beside the deck."""


# What the words of a line say.

# Headers by their lower-case key, as they are spelt in messages.
HEADERS = {key: key.capitalize() for key, _ in HEADER_WORDS}

# Two leaders are for a format to judge, two notes are fine.
ONCE = ("name", "format", "faction")

_TRANSLATED = {
    normalise(word): key for key, words in HEADER_WORDS for word in words.split(", ")
}


_HEADER = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_CARDS = r"(?:cards?|karten?|cartas?|cartes?|carte|kart\w*|karet|карт\w*)"
_TITLE = re.compile(
    r"[\W_]*(?P<title>[^\W\d].{0,40}?)"
    rf"(?:[\W_]+none|[\W_]*\d+(?:\s*/\s*\d+)?(?:\s*{_CARDS})?)?[\W_]*",
    re.I,
)


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


class Below(Enum):
    """What stands below a heading."""

    CARDS = "cards"
    OWN = "cards, below words of the player's own"
    RESERVES = "reserves"
    NOTHING = "nothing that is meant"
    VALUE = "the value of a header"


@lru_cache(maxsize=4096)
def usual_heading(text: str) -> tuple[str, Below] | None:
    """The title of a heading that decklists have, and what stands below it.

    Signs around it and the number of its cards are no part of it: `** Units (22) **`,
    `Units: 22 cards`, `Units - none:`.
    """
    match = _TITLE.fullmatch(text) if not text[:1].isdigit() else None
    title = match["title"].lower() if match is not None else ""
    below = _HEADINGS.get(normalise(title))
    return None if below is None else (title, below)


def is_reserves(title: str) -> bool:
    """Whether a title is that of the reserves."""
    return _HEADINGS.get(normalise(title)) is Below.RESERVES


_HEADINGS = {
    normalise(word): below
    for words, below in (
        (SECTION_WORDS, Below.CARDS),
        (RESERVE_WORDS, Below.RESERVES),
        (ASIDE_WORDS, Below.NOTHING),
    )
    for word in re.split(r",\s+", words)
}
