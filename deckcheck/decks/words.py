"""Words of decklists in the languages of card names: headers, headings, boards."""

from __future__ import annotations

import re
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


_WORDS = """\
acquireboard, alternates, alternatives, backup, bench, benched, bin, binned,
consideration, considered, considering, crossed out, cut, cut list, cuts, deleted,
discard, discard pile, discarded, do not count, do not play, don't count, don't play,
dropped, excluded, extra, extras, ideas, ignore, ignored, left out, maybe, maybe board,
maybes, mb, not counted, not in, not in deck, not in the deck, not included, not played,
not playing, not running, not sure, not used, old, old list, old version, optional,
options, out, possible cuts, potential cuts, previous, previous list, previous version,
rejected, removals, remove, removed, removed from deck, removed from the deck, replaced,
replacements, sb, side, side board, side deck, spare, spares, subs, substitutes,
swapped, swapped out, swaps, taken out, testing, to buy, to consider, to cut, to remove,
to test, to think about, token, trash, undecided, under consideration, unsure, unused,
wish list, won't play, won't use,
alternativen, ausgeschlossen, aussortiert, auswechselbank, beideck, beiseite,
beiseitegelegt, entfernt, ersatz, ersatzbank, ersatzkarten, eventuell, gekürzt,
gestrichen, herausgenommen, in erwägung, in überlegung, marken, marker, nebendeck, nicht
dabei, nicht gespielt, nicht im deck, nicht im spiel, papierkorb, raus, rausgenommen,
reservebank, seitendeck, spielmarken, spielsteine, spielt nicht, streichkandidaten,
streichungen, vielleicht, wechsel, wechselkarten, weggelassen, wunschliste,
überlegungen,
a considerar, banquillo, considerando, cortadas, cortes, descartada, descartes,
eliminadas, en consideración, excluidas, fichas, fuera, fuera del mazo, mazo
alternativo, mazo lateral, mazo secundario, no incluidas, no juegan, no juego, no
jugadas, papelera, por considerar, posibles, quitadas, quizá, quizás, recortes,
reemplazos, retiradas, sin jugar, suplentes, tal vez,
banc, coupe, coupes, deck annexe, en réflexion, enlevées, envisagées, exclues, hors
deck, jeton, non jouées, pas dans le deck, pas jouées, peut-être, poubelle,
remplaçantes, retirées, retirés, retraits, supprimées, supprimés, à considérer,
écartées, écartés, éventuellement,
cestino, considerate, da valutare, eliminate, escluse, forse, fuori, fuori dal mazzo, in
considerazione, in valutazione, mazzo laterale, mazzo secondario, non giocate, non in
gioco, non nel mazzo, panchina, pedine, rimosse, scartate, scarti, segnalini,
sostituzioni, tagli, tagliate, tolte,
boczna talia, być może, cięcia, do rozważenia, do wycięcia, ewentualnie, kosz, może, nie
gram, nie grane, nie w talii, odrzucone, poza talią, rezerwowe, rozważam, rozważane,
skreślone, talia boczna, talia poboczna, usunięte, wycięte, wykluczone, wyrzucone,
zamienniki, ławka, ławka rezerwowych, żeton,
banco, baralho auxiliar, baralho lateral, em consideração, fora, fora do baralho,
lixeira, marcadores, não incluídas, não jogadas, não usadas, removidas,
боковая колода, вне колоды, возможно, выброшено, вырезано, вычеркнуто, жетоны, замены,
запас, запасные, исключено, корзина, может быть, на рассмотрении, не в колоде, не
играем, не играю, не играют, под вопросом, рассматриваю, сайд, сайдборд, сайдеки,
скамейка, токены, убранные, убрано, удалено, удалённые, фишки,
ke zvážení, koš, lavička, mimo balíček, možná, nehraje se, nehraji, nehraju, nehrané,
není v balíčku, nepoužité, náhradníci, náhrady, odebrané, odstraněno,
postranní balíček, uvažované, vedlejší balíček, vyhozené, vyřazeno,
vyškrtnuto, zvažované, zvažuji, škrty"""
"""Lower-case headings of what is beside the deck."""


# What the words of a line say.

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


# Headings of what is beside the deck.

_OF_CARDS = re.compile(r"\b(?:cards?|karten|cartas|cartes?|carte|karty|карты)\b", re.I)
"""What else headings say: `Cut cards`, `Cartas descartadas`."""

_ENDING = re.compile(r"(?:[aeioy]|[aeo]s|s|ies|ые|[аоыи])$")


def _stem(words: str) -> str:
    """The words of a heading with any ending: `Removida`, `Removidos`."""
    word = normalise(words)
    bare = _ENDING.sub("", word)
    return bare if len(bare) >= 5 else word


_SET_ASIDE = frozenset(map(_stem, re.split(r",\s+", _WORDS)))
_IN_TITLES = tuple(map(normalise, ("sideboard", "maybeboard", "side deck", "сайдборд")))
"""Words that set aside whatever else the heading says."""

_LONGEST_TITLE = 60
_FRAME = re.compile(r"^[\W_]+|[\W_]+$")
_BRACKETS = re.compile(r"\s*[(\[{].*$")
_COUNTED = re.compile(
    r"^\d+\s*(?:[xX\u00d7]|cards?)?\s+"
    r"|\s*[:\-\u2013\u2014/]?\s*[xX]?\d+(?:\s*/\s*\d+)?\s*"
    r"(?:x|cards?|karten?|cartas?|cartes?|kart\w*|karet|\u043a\u0430\u0440\u0442\w*)?$",
    re.I,
)


def title_of(heading: str) -> str:
    """The words of a heading, without signs around it and the number of its cards."""
    bare = _FRAME.sub("", _BRACKETS.sub("", _FRAME.sub("", heading)))
    return _FRAME.sub("", _COUNTED.sub("", bare))


@lru_cache(maxsize=4096)
def is_set_aside(heading: str, *, exactly: bool = False) -> bool:
    """Whether what stands below a heading is beside the deck.

    Unless `exactly`, one of the usual words may stand among others.
    """
    if len(heading) > _LONGEST_TITLE:
        return False
    said = title_of(heading)
    title = normalise(said)
    if {_stem(said), _stem(_OF_CARDS.sub("", said))} & _SET_ASIDE:
        return True
    has_word = any(word in title for word in _IN_TITLES)
    return has_word and not exactly and len(heading.split()) <= 5
