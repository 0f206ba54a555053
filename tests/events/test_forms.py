"""Forms by what their columns hold, and times by what a column settles."""

from datetime import UTC, datetime

from deckcheck.cards import load_database
from deckcheck.events.forms import NO_TIMES, form_pieces, read_form
from deckcheck.events.pieces import Piece
from deckcheck.events.recognising import ListRecogniser
from deckcheck.events.times import NO_HALF, NO_TIME, NOT_READ, UNCLEAR_ORDER, read_times

DEADLINE = datetime(2026, 3, 12, 19, tzinfo=UTC)


TIMES = """\
2026-03-12 20:15 -> 2026-03-12T20:15:00
2026/03/12 8:15:02 PM GMT+1 -> 2026-03-12T20:15:02+01:00
2026-03-12T20:15:02.123Z -> 2026-03-12T20:15:02+00:00
20260312T201502+0100 -> 2026-03-12T20:15:02+01:00
2026.3.2 12:05 am -> 2026-03-02T00:05:00
12.03.2026 20:15:00 -> 2026-03-12T20:15:00
5.3.26, 20:15 MEZ -> 2026-03-05T20:15:00+01:00
20:15 12.3.2026 -> 2026-03-12T20:15:00
13/3/2026 20.15.00 -> 2026-03-13T20:15:00
3/13/2026 8:15 p. m. -> 2026-03-13T20:15:00
12 mars 2026 à 20h15 -> 2026-03-12T20:15:00
12. července 2026 20:15 -> 2026-07-12T20:15:00
March 12, 2026 8 PM -> 2026-03-12T20:00:00
2026. 3. 12. 오후 8:15:00 -> 2026-03-12T20:15:00
Thu Mar 12 2026 20:15:00 GMT+0100 (CET) -> 2026-03-12T20:15:00+01:00
2026-03-12 20:15 Asia/Tokyo -> 2026-03-12T20:15:00+09:00"""
NO_TIMES_AT_ALL = {
    NOT_READ: "2026-03-12 13:05 PM|2026-03-12 0:05 PM|2026-02-30 10:00|2026-03-12|"
    "2026-03-12 20:15 XYZ|12/03/26 20:15|yesterday",
    "year": "12.03.2006 20:15",
    UNCLEAR_ORDER: "3/12/2026 20:15",
    NO_TIME: "",
}
"""Reasons, and the cells with each."""


def test_read_a_time() -> None:
    for line in TIMES.splitlines():
        cell, _, time = line.partition(" -> ")
        [read] = read_times([cell], DEADLINE)
        assert not isinstance(read, str), cell
        assert read.isoformat() == time, cell
    for reason, cells in NO_TIMES_AT_ALL.items():
        for cell in cells.split("|"):
            [read] = read_times([cell], DEADLINE)
            assert reason in str(read), cell


COLUMNS = (
    (["3/12/2026 20:15", "3/13/2026 8:15"], ["03-12", "03-13"]),
    (["3/12/2026 20:15", "13/3/2026 8:15"], ["12-03", "03-13"]),
    (["3/12/2026 20:15", "3-3-2026 8:15"], [UNCLEAR_ORDER, "03-03"]),
    (["3/13/2026 20:15", "13/3/2026 8:15"], [UNCLEAR_ORDER, UNCLEAR_ORDER]),
    (["2026-03-12 8:15 PM", "2026-03-12 8:15"], ["03-12", NO_HALF]),
    (["2026-03-12 8:15 PM", "2026-03-12 19:15"], ["03-12", "03-12"]),
)


def test_a_column_settles_its_times() -> None:
    for cells, days in COLUMNS:
        for read, day in zip(read_times(cells, None), days, strict=True):
            shown = read if isinstance(read, str) else f"{read:%m-%d}"
            assert day in shown, cells


RECOGNISER = ListRecogniser(load_database("gwent"))
PLAYERS = ("Anna Nowak", "Ben Ito")
ANNA, BEN = "3 Decoy\nRoach", "2 Scorch\nRoach"
EARLY, LATE = "11.03.2026 08:00", "13.03.2026 08:00"


def read_rows(rows: list[list[str]], *, is_strict: bool = False) -> list[Piece]:
    def names_player(text: str) -> bool:
        return set(text.replace(",", "").split()) in [set(p.split()) for p in PLAYERS]

    form = read_form(rows, RECOGNISER, names_player)
    piece = Piece("a.csv", "a.csv", b"")
    return [] if form is None else [*form_pieces(form, piece, DEADLINE, is_strict)]


FORMS = (
    # Heads, another order, and no heads.
    [["Name", "Deck", "Time"], ["Anna Nowak", ANNA, EARLY], ["Ben Ito", BEN, LATE]],
    [["A", "B", "C"], [EARLY, "Nowak, Anna", ANNA], [LATE, "Ito, Ben", BEN]],
    [[EARLY, "Anna Nowak", ANNA], [LATE, "Ben Ito", BEN]],
    # Two columns for a name and for a time, or for the start and the end.
    [
        ["Prénom", "Vœux", "Nom", "Liste", "Date", "Heure"],
        ["Anna", "", "Nowak", ANNA, "11.03.2026", "8:00"],
        ["Ben", "2 Gläser", "Ito", BEN, "13.03.2026", "8:00"],
    ],
    [
        ["Id", "Start", "Ende", "Spieler", "Liste"],
        ["1", "10.03.2026 07:00", EARLY, "Anna Nowak", ANNA],
        ["2", "11.03.2026 07:00", LATE, "Ben Ito", BEN],
    ],
)


def test_find_columns_by_content() -> None:
    times = [datetime(2026, 3, 11, 8), datetime(2026, 3, 13, 8)]
    for rows in FORMS:
        anna, ben = read_rows(rows)
        assert [anna.data.decode(), ben.data.decode()] == [ANNA, BEN], rows
        assert set(anna.hints[0].text.replace(",", "").split()) == {"Anna", "Nowak"}
        assert [anna.time, ben.time] == times, rows
    cards = [["count", "card"], ["3", "Decoy"], ["2", "Scorch"], ["1", "Roach"]]
    assert read_rows(cards) == []


def test_times_that_are_not_clear_are_faults() -> None:
    for cells, faults in (
        ([EARLY, LATE], [None, None]),
        ([EARLY, ""], [None, NO_TIME]),
        (["3/12/2026 20:15", "2/12/2026 20:15"], [UNCLEAR_ORDER] * 2),
        (["x", "y"], [NO_TIMES] * 2),
    ):
        lists = [["Anna Nowak", ANNA], ["Ben Ito", BEN]]
        rows = [[cell, *row] for cell, row in zip(cells, lists, strict=True)]
        pieces = read_rows([["T", "N", "L"], *rows], is_strict=True)
        for piece, fault in zip(pieces, faults, strict=True):
            assert (piece.time_fault is None) == (fault is None), cells
            assert (fault or "") in (piece.time_fault or ""), cells
        assert not [p for p in read_rows([["T", "N", "L"], *rows]) if p.time_fault]
