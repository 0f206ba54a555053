"""The words of decklists, in the languages that card names come in."""

from __future__ import annotations

import re

from deckcheck.cards.names import normalise


def split_words(text: str) -> frozenset[str]:
    """Return the words of a list with commas, in the form for comparison."""
    return frozenset(map(normalise, re.split(r",\s+", text)))


# Headers, and headings of parts of a list

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

SINGULAR_SECTION_WORDS = """\
bronze, silver, gold, unidad, unité, jednostka, unidade, отряд,
jednotka, einheit, sonderkarte, held, bohater, hrdina, герой"""
"""Lower-case headings above cards, where the list above has the plural only."""


# Totals: `28 cards in total`

CARD_UNITS = split_words("""\
card, cards, karte, karten, carta, cartas, carte, cartes, karta, karty, kart, karet,
kaart, kaarten, карта, карты, карт, kort, kartya, lap, kortti,
картка, 枚, 张, 張, 장""")
DECK_WORDS = split_words("""\
deck, decks, main, maindeck, mazo, baraja, mazzo, talia, talii, baralho, колода,
колоде, balicek, balicku, jeu, paquet, cards, karten, cartas, cartes, carte, karty,
карты""")
"""Words that are a heading too before a number: `Deck (28)`."""

SUM_WORDS = split_words("""\
total, totals, totale, totali, totaux, totales, sum, count, size, number, in, all, of,
the, this, has, altogether, overall, summe, gesamt, insgesamt, gesamtzahl, anzahl,
kartenzahl, kartenanzahl, groesse, größe, im, suma, tamaño, cantidad, en, el, la,
somme, nombre, taille, au, tout, dans, le, les, numero, dimensione, nel, di, razem,
łącznie, ogółem, liczba, w, soma, tamanho, quantidade, no, do, total, итого, всего,
количество, в, celkem, součet, počet, v, toplam, totaal, összesen, yhteensä,
sammanlagt, разом, 共, 計, 合計, 合计, 총, 합계""")
"""Words of a line with the number of cards in the deck."""

DECK_TITLES = CARD_UNITS | DECK_WORDS
"""Headings with the number of all cards."""

# Kinds of cards

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
    (("unit", "hero"), split_words(_UNIT_WORDS)),
    (("special", "weather"), split_words(_SPECIAL_WORDS)),
    (("hero",), split_words(_HERO_WORDS)),
    (("weather",), split_words(_WEATHER_WORDS)),
)
"""The kinds of cards by words for them. Heroes may count as units or apart."""

# Heads of columns, and keys of a card in a document

COUNT_COLUMN_WORDS = """\
count, qty, quantity, amount, copies, copy, times, x, how many, card count, deck
count, anzahl, menge, stück, stk, stückzahl, exemplare, kopien, cantidad, cant,
copias, ejemplares, unidades, quantité, qté, exemplaires, copies par carte, quantità,
qtà, qta, copie, ilość, szt, sztuk, sztuki, kopie, kopii, liczba, quantidade, qtd,
qtde, cópias, количество, кол-во, кол, штук, шт, копии, množství, počet, ks, kusy,
kusů, aantal, adet, miktar, antal, kappaletta, mennyiség, db,
кількість, 枚数, 数量, 數量,
张数, 수량, 장수"""
"""Heads of a column of counts."""

NUMBER_COLUMN_WORDS = (
    "#, no, nr, num, number, n, nº, n°, №, nummer, número, numéro, numero, numer"
)
"""Heads of a column of counts or, beside such a column, of row numbers."""

CARD_COLUMN_WORDS = """\
card, cards, card name, cardname, name, title, card title, english name, name of card,
karte, karten, kartenname, carta, cartas, nombre de la carta, nombre de carta, nombre,
carte, cartes, nom de la carte, nom de carte, nom, nome della carta, nome carta, nome,
karta, karty, nazwa karty, nazwa, nome da carta, карта, карты, название карты,
название, имя, název karty, název, jméno karty, kaart, kaartnaam, kart, kart adı,
kort, kortnamn, kortti, kártya, картка, カード, カード名, 卡牌, 卡名, 名称, 카드,
카드명"""
"""Heads of a column of names of cards."""

IGNORED_COLUMN_WORDS = """\
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
