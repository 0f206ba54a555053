"""Words of decklists in the languages of card names: headers, headings, boards."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from deckcheck.cards.names import normalise

# Headers and headings of decklists in the languages that card names come in

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
"""Lower-case headings above cards, as decklists have them."""

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
"""Lower-case headings of cards beside the deck."""


# The headers of a line

# Headers by their lower-case key, as they are spelt in messages.
HEADERS = {key: key.capitalize() for key, _ in HEADER_WORDS}

# Two leaders are for a format to judge, two notes are fine.
SINGLE_HEADERS = ("name", "format", "faction")

_TRANSLATED_KEYS = {
    normalise(word): key for key, words in HEADER_WORDS for word in words.split(", ")
}


_HEADER_LINE = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_SPACED_HEADER = re.compile(r"(?P<key>[^\W\d][^:\t|]{0,40}?)\s*[\t|]\s*(?P<value>.*)")


class HeaderLine(NamedTuple):
    """A header: its key in lower case, its value, and where in the line that starts."""

    key: str
    value: str
    start: int


def header_key(word: str) -> str | None:
    """Return the lower-case key of the header that `word` names in any language."""
    key = word.strip().lower()
    return key if key in HEADERS else _TRANSLATED_KEYS.get(normalise(word))


def header_words() -> list[str]:
    """Return every word that names a header, English words first."""
    others = (word for _, words in HEADER_WORDS for word in words.split(", "))
    return [*HEADERS.values(), *others]


@lru_cache(maxsize=4096)
def read_header(text: str) -> HeaderLine | None:
    """Return the header that a line states, if decks have such a header.

    A tab or `|` may replace the colon, unless the value is the head of a column.
    """
    match = _HEADER_LINE.fullmatch(text)
    key = header_key(match["key"]) if match is not None else None
    if key is None and ("\t" in text or "|" in text):
        match = _SPACED_HEADER.fullmatch(text)
        if match is not None and column_role(match["value"].strip()) is None:
            key = header_key(match["key"])
    if match is None or key is None:
        return None
    return HeaderLine(key, match["value"], match.start("value"))


# Headings and totals: `Units (20)`, `Sideboard`, `22 units, 6 specials`, `28/40`


class Below(Enum):
    """The kind of lines below a heading."""

    CARDS = "cards"
    OWN = "cards, below words of the player's own"
    RESERVES = "reserves"
    NOTHING = "cards beside the deck"
    VALUE = "the value of a header"
    SAME = "whatever followed before: it states a total"


class Title(NamedTuple):
    """A usual heading: words in lower case, kind of lines below, and stated number."""

    words: str
    below: Below
    number: int | None = None


MAX_TITLE = 80
"""The most characters of a heading."""

_STATED_NUMBER = re.compile(
    r"(?<![\d.,+\-\u2212])(\d{1,4})(?:\s*(?:/|\bof\b|\bvon\b|\bde\b|\bsur\b|\bsu\b"
    r"|\bz\b|\bиз\b)\s*\d{1,4})?(?![\d.,]*\d)",
    re.I,
)
_TITLE_SEPARATOR = re.compile(
    r"[,;+&|\u00b7\u2022]|\s(?:and|und|et|y|e|i|oraz|и|a)\s", re.I
)


@lru_cache(maxsize=4096)
def read_titles(text: str) -> tuple[Title, ...]:
    """Return the usual heading that a line is, or each total that it states.

    Signs around the words do not matter: `** Units (22) **`, `Units: 22 cards`, `Units
    - none:`, `28 cards in total`, `22 units, 6 specials`.
    """
    if len(text) > MAX_TITLE:
        return ()
    title = _read_title(text)
    if title is not None:
        return (title,)
    pieces = _TITLE_SEPARATOR.split(text)
    if len(pieces) < 2:
        return ()
    titles = [_read_title(piece) for piece in pieces]
    stated = [title for title in titles if title is not None]
    if len(stated) < len(pieces) or any(title.number is None for title in stated):
        return ()
    return tuple(title._replace(below=Below.SAME) for title in stated)


def usual_heading(text: str) -> tuple[str, Below] | None:
    """Return the words of a single heading, and the kind of lines below it."""
    titles = read_titles(text)
    return titles[0][:2] if len(titles) == 1 else None


def _read_title(text: str) -> Title | None:
    """Return the heading or the total that a text is as a whole."""
    found = _STATED_NUMBER.search(text)
    if found is None:
        words = _NONE_WORD.sub("", text)
        return _find_title(words, None)
    before, after = text[: found.start()], text[found.end() :]
    if any(map(str.isdigit, before + after)):
        return None
    number = int(found[1])
    words = f"{before} {after}"
    tokens = set(map(normalise, _WORD.findall(words)))
    is_alone = not tokens and any(sign in text for sign in "/([=")
    is_sum = is_alone or bool(tokens & _SUM_WORDS) or not _WORD.search(before)
    if is_sum and (tokens or is_alone) and tokens <= _SUM_WORDS | DECK_TITLES:
        return Title("", Below.SAME, number)
    title = _find_title(words, number)
    if title is None and normalise(after) in _CARD_WORDS:
        title = _find_title(before, number)
    return title


def _find_title(words: str, number: int | None) -> Title | None:
    """Return the heading with these words."""
    below = _BELOW_HEADING.get(normalise(words))
    title = _FRAME_SIGNS.sub("", words).lower()
    return None if below is None else Title(title, below, number)


def is_reserves(title: str) -> bool:
    """Report whether a title is the heading of the reserves."""
    return _BELOW_HEADING.get(normalise(title)) is Below.RESERVES


def _split_words(text: str) -> frozenset[str]:
    """Return the words of a list with commas, in the form for comparison."""
    return frozenset(map(normalise, re.split(r",\s+", text)))


_FRAME_SIGNS = re.compile(r"^[\W_]+|[\W_]+$")
_NONE_WORD = re.compile(r"[\W_]none[\W_]*$", re.I)
_WORD = re.compile(r"[^\W\d_]+")

_BELOW_HEADING = {
    normalise(word): below
    for words, below in (
        (SECTION_WORDS, Below.CARDS),
        ("bronze, silver, gold, unidad, unité, jednostka, unidade, отряд", Below.CARDS),
        ("jednotka, einheit, sonderkarte, held, bohater, hrdina, герой", Below.CARDS),
        (RESERVE_WORDS, Below.RESERVES),
        (ASIDE_WORDS, Below.NOTHING),
    )
    for word in re.split(r",\s+", words)
}

_CARD_WORDS = _split_words("""\
card, cards, karte, karten, carta, cartas, carte, cartes, karta, karty, kart, karet,
kaart, kaarten, карта, карты, карт, kort, kartya, lap, kortti,
картка, 枚, 张, 張, 장""")
_DECK_WORDS = _split_words("""\
deck, decks, main, maindeck, mazo, baraja, mazzo, talia, talii, baralho, колода,
колоде, balicek, balicku, jeu, paquet, cards, karten, cartas, cartes, carte, karty,
карты""")
"""Words that are a heading too before a number: `Deck (28)`."""

_SUM_WORDS = _split_words("""\
total, totals, totale, totali, totaux, totales, sum, count, size, number, in, all, of,
the, this, has, altogether, overall, summe, gesamt, insgesamt, gesamtzahl, anzahl,
kartenzahl, kartenanzahl, groesse, größe, im, suma, tamaño, cantidad, en, el, la,
somme, nombre, taille, au, tout, dans, le, les, numero, dimensione, nel, di, razem,
łącznie, ogółem, liczba, w, soma, tamanho, quantidade, no, do, total, итого, всего,
количество, в, celkem, součet, počet, v, toplam, totaal, összesen, yhteensä,
sammanlagt, разом, 共, 計, 合計, 合计, 총, 합계""")
"""Words of a line with the number of cards in the deck."""

DECK_TITLES = _CARD_WORDS | _DECK_WORDS
"""Headings with the number of all cards."""

_UNIT_WORDS = """\
unit, units, unit cards, einheit, einheiten, einheitenkarten, unidad, unidades, cartas
de unidad, unité, unités, cartes d'unité, unità, carte unità, jednostka, jednostki,
karty jednostek, unidade, cartas de unidade, отряд, отряды, карты отрядов, jednotka,
jednotky"""
_SPECIAL_WORDS = """\
special, specials, special cards, sonderkarte, sonderkarten, spezialkarten, especial,
especiales, cartas especiales, spéciale, spéciales, cartes spéciales, speciale,
speciali, carte speciali, specjalna, specjalne, karty specjalne, especiais, cartas
especiais, особая карта, особые карты, специальные карты, speciální, speciální karty"""
_HERO_WORDS = """\
hero, heroes, hero cards, held, helden, heldenkarten, héroe, héroes, cartas de héroe,
héros, cartes héros, eroe, eroi, carte eroe, bohater, bohaterowie, karty bohaterów,
herói, heróis, cartas de herói, герой, герои, карты героев, hrdina, hrdinové, karty
hrdinů"""
_WEATHER_WORDS = """\
weather, weather cards, wetter, wetterkarten, clima, cartas de clima, météo, cartes
météo, meteo, carte meteo, pogoda, karty pogody, погода, карты погоды, počasí, karty
počasí"""
KIND_WORDS = (
    (("unit", "hero"), _split_words(_UNIT_WORDS)),
    (("special", "weather"), _split_words(_SPECIAL_WORDS)),
    (("hero",), _split_words(_HERO_WORDS)),
    (("weather",), _split_words(_WEATHER_WORDS)),
)
"""The kinds of cards by words for them. Heroes may count as units or apart."""

# Columns of tables, and keys of a card in a document

COUNT_WORDS = """\
count, qty, quantity, amount, copies, copy, times, x, how many, card count, deck
count, anzahl, menge, stück, stk, stückzahl, exemplare, kopien, cantidad, cant,
copias, ejemplares, unidades, quantité, qté, exemplaires, copies par carte, quantità,
qtà, qta, copie, ilość, szt, sztuk, sztuki, kopie, kopii, liczba, quantidade, qtd,
qtde, cópias, количество, кол-во, кол, штук, шт, копии, množství, počet, ks, kusy,
kusů, aantal, adet, miktar, antal, kappaletta, mennyiség, db,
кількість, 枚数, 数量, 數量,
张数, 수량, 장수"""
"""Heads of a column of counts."""

NUMBER_WORDS = (
    "#, no, nr, num, number, n, nº, n°, №, nummer, número, numéro, numero, numer"
)
"""Heads of a column of counts or, beside such a column, of row numbers."""

CARD_WORDS = """\
card, cards, card name, cardname, name, title, card title, english name, name of card,
karte, karten, kartenname, carta, cartas, nombre de la carta, nombre de carta, nombre,
carte, cartes, nom de la carte, nom de carte, nom, nome della carta, nome carta, nome,
karta, karty, nazwa karty, nazwa, nome da carta, карта, карты, название карты,
название, имя, název karty, název, jméno karty, kaart, kaartnaam, kart, kart adı,
kort, kortnamn, kortti, kártya, картка, カード, カード名, 卡牌, 卡名, 名称, 카드,
카드명"""
"""Heads of a column of names of cards."""

IDLE_WORDS = """\
id, ids, card id, uuid, sku, code, card code, card number, cardnumber, collector
number, collectornumber, collector no, set, sets, set code, setcode, set name, set
number, edition, edition code, edition name, expansion, expansion code, expansion
name, rarity, foil, finish, condition, language, lang, altered, alter, signed,
misprint, proxy, grading, printing, print, price, purchase price, buy price, value,
cost, currency, total price, market price, purchase date, purchasedate, date added,
added, last modified, tradelist count, trade, tags, tag, type, card type, kind, color,
colour, strength, power, base power, points, provisions, provision, range, ability,
abilities, keywords, effect, text, card text, image, image url, url, link, art,
artist, flavor, flavour, position, pos, index, line, line number, row number, row no,
kartennummer, nummer der karte, sammlernummer, erweiterung, seltenheit, zustand,
sprache, preis, stärke, reihe, typ, art der karte, fähigkeit, zeile, lfd nr, número de
carta, edición, expansión, rareza, estado, idioma, precio, fuerza, fila, tipo,
habilidad, numéro de carte, édition, extension, rareté, état, langue, prix, force,
rangée, type de carte, capacité, numero carta, edizione, espansione, rarità,
condizione, lingua, prezzo, forza, riga, abilità, numer karty, edycja, dodatek,
rzadkość, stan, język, cena, siła, rząd, zdolność, lp, número da carta, edição,
expansão, raridade, condição, preço, força, habilidade, номер карты, издание,
дополнение, редкость, состояние, язык, цена, сила, ряд, тип, способность, číslo karty,
edice, rozšíření, vzácnost, jazyk, síla, řada, schopnost, row"""
"""Heads of columns without any effect on the cards of a deck."""


@lru_cache(maxsize=4096)
def column_role(head: str) -> str | None:
    """Return the role of a column: `card`, `count`, `number`, `deck`, `idle`, a header.

    `number` is a count unless another column has the counts. None for unknown words.
    """
    word = normalise(head)
    if head.strip() in ("#", "№"):
        return "number"
    return _COLUMN_ROLES.get(word) or header_key(head)


_COLUMN_ROLES = {"deck": "deck", "deckname": "deck"} | {
    normalise(word): role
    for role, words in (
        ("idle", IDLE_WORDS),
        ("number", NUMBER_WORDS),
        ("card", CARD_WORDS),
        ("count", COUNT_WORDS),
    )
    for word in re.split(r",\s+", words)
    if normalise(word)
}
