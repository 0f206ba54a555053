"""Headers and headings of decklists in the languages that card names come in."""

from __future__ import annotations

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
