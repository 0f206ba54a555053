"""Results as text, tables, files and drawings."""

import importlib.util
import os
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from helpers.results import (
    SIEGE,
    STANDARD,
    SWARM,
    deck,
    duel_tally,
    result_of,
    tally_of,
)

import deckcheck
from deckcheck import terminal
from deckcheck.cli import main
from deckcheck.cli.output import read_outputs, write_outputs
from deckcheck.findings import UsageError
from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    IN_PERCENT,
    MEAN,
    PERCENT,
    POINTS,
    Column,
    Report,
    ReportTable,
    cell_texts,
    numbers,
    words,
)
from deckcheck.report.text import as_line
from deckcheck.sim.figures import METRICS
from deckcheck.sim.table_results import make_table_result
from deckcheck.stats import Estimate, Interval
from deckcheck.studies.registry import write_report
from deckcheck.studies.simulation_page import SIMULATION
from tools.pages import outputs_page

# Simulations as Markdown, CSV and JSON.

Captured = pytest.CaptureFixture[str]


def test_parquet_goes_to_a_file(tmp_path: Path, capsys: Captured) -> None:
    with pytest.raises(
        UsageError, match=r"needs a file\. Name a file, such as `parquet:"
    ):
        read_outputs(["parquet"], SIMULATION.writers())
    result = result_of(deck("Siege"), deck("Swarm"))
    file = tmp_path / "result.parquet"
    words = ["parquet", f"csv:{tmp_path / 'result.csv'}"]
    write_outputs(result, read_outputs(words, SIMULATION.writers(), file), "auto", 0)

    assert pd.read_parquet(file).equals(result.to_frame())
    text = (tmp_path / "result.csv").read_text(encoding="utf-8")
    assert text == write_report(result, "csv")
    assert capsys.readouterr().out == ""


def test_the_page_of_outputs_has_every_metric() -> None:
    page = outputs_page()

    assert "| metric | unit | value |\n|---|---|---|\n| `win_rate` | rate |" in page
    assert all(f"\n| `{name}` | " in page for name in METRICS)


# Drawings as files: every one of a page, whole, and the same every time.

SVG = "{http://www.w3.org/2000/svg}"
MISSING = importlib.util.find_spec("matplotlib") is None
needs_matplotlib = pytest.mark.skipif(
    MISSING and not os.environ.get("CI"), reason="matplotlib is not installed"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three decks, one with a name that is markup elsewhere, and of two."""
    folder = tmp_path_factory.mktemp("plots")
    text = SWARM.read_text(encoding="utf-8")
    odd = folder / "odd.deck"
    odd.write_text(text.replace("The swarm", "<$5 & \\frac$>"), encoding="utf-8")
    decks = [odd, SIEGE, STANDARD / "sk_berserkers.deck"]
    deckcheck.simulate(decks, run=folder / "run", games=40, policies="random")
    deckcheck.simulate(decks[1:], run=folder / "two", games=2, policies="random")
    return folder


def draw_files(folder: Path, place: str, *words: str) -> dict[str, bytes]:
    assert main(["report", str(folder / "run"), "--plots", place, *words]) == 0
    return {file.name: file.read_bytes() for file in Path(place).iterdir()}


@needs_matplotlib
def test_every_drawing_of_the_page_is_a_file(
    folder: Path, here: Path, capsys: Captured
) -> None:
    files = draw_files(folder, "a")
    assert capsys.readouterr().out == ""
    names = ("standings", "matrix", "bring", "matchups", "endings-1", "endings-2")

    assert set(files) == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    for name, data in files.items():
        if name.endswith("png"):
            assert data.startswith(b"\x89PNG\r\n")
            assert data.endswith(b"IEND\xaeB`\x82")
        else:
            assert ET.fromstring(data).tag == f"{SVG}svg"


@pytest.mark.slow
@needs_matplotlib
def test_drawings_are_the_same_every_time(
    folder: Path, here: Path, capsys: Captured
) -> None:
    """The report is written too if it is asked for."""
    files = draw_files(folder, "a")
    assert draw_files(folder, "b", "--output-format", "csv") == files
    assert capsys.readouterr().out.startswith("deck,opponent,starts,metric")


@needs_matplotlib
def test_a_folder_that_is_a_file_is_refused(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Long paths are shortened in messages.
    monkeypatch.chdir(folder)
    before = Path("odd.deck").read_bytes()

    assert main(["report", "two", "--plots", "odd.deck"]) == 2
    assert "Cannot write to `odd.deck`" in capsys.readouterr().err
    assert Path("odd.deck").read_bytes() == before


def test_without_matplotlib_all_else_is_written_and_a_sentence_says_what_to_do(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    place = folder / "none"

    page = ["--html", str(folder / "page.html")]
    assert main(["report", str(folder / "two"), "--plots", str(place), *page]) == 2
    assert (folder / "page.html").read_text().endswith("</html>")
    told = capsys.readouterr().err
    assert "Plots need the package `matplotlib`" in told
    assert "pip install matplotlib" in told
    assert not place.exists()


# Tables of reports: what the cells of each unit show.


def test_numbers_have_the_look_of_their_unit() -> None:
    for unit, value, shown in (
        (COUNT, 1234567, "1,234,567"),
        (CHANGE, -1, "-1"),
        (CHANGE, 2, "+2"),
        (MEAN, 2.345678, "2.35"),
        (PERCENT, 0.31249, "31.2%"),
        (IN_PERCENT, 0.31249, "31.2"),
        (POINTS, 0.019, "+1.9"),
        (POINTS, -0.0004, "+0.0"),
        (POINTS, None, "-"),
    ):
        assert unit.number(value) == shown, value


def test_the_ends_of_an_interval_have_neither_plus_nor_unit() -> None:
    assert POINTS.ends(Interval(-0.004, 0.0199)) == "-0.4 to 2.0"
    assert PERCENT.ends(Interval(0.301, 0.323), "-") == "30.1-32.3"
    assert PERCENT.ends(None) == "-"


def test_a_measured_column_shows_the_value_and_its_interval() -> None:
    columns = (
        Column("deck"),
        Column("win rate", PERCENT, "95% interval"),
        *numbers(COUNT, "games", "left"),
    )
    rate = Estimate(0.312, Interval(0.301, 0.323), 4000)
    rows = (("A", rate, 4000, "1/2"), ("B", None, 0, None))
    table = ReportTable("Rates", columns, rows)
    # A cell of another column shows the value alone.
    plain = ReportTable("", (Column(""), Column("1", IN_PERCENT)), (("A", rate),))

    assert table.heads == ("deck", "win rate", "95% interval", "games", "left")
    assert table.is_number == (False, True, True, True, True)
    assert table.texts == (
        ("A", "31.2%", "30.1 to 32.3", "4,000", "1/2"),
        ("B", "-", "-", "0", "-"),
    )
    assert plain.texts == (("A", "31.2"),)


def test_a_rate_of_0_or_100_percent_has_its_interval() -> None:
    none, all_won = (Estimate(v, Interval(v * 0.9, v * 0.9 + 0.1), 40) for v in (0, 1))
    bare = Column("b", IN_PERCENT, bare=True)
    columns = (Column("a", PERCENT), bare, Column("c", POINTS))

    assert cell_texts(columns, (none, none, none)) == (
        "0.0% (0.0 to 10.0)",
        "0.0",
        "+0.0",
    )
    assert cell_texts(columns, (all_won,) * 3)[0] == "100.0% (90.0 to 100.0)"


# Simulations as text.


def text_of(*names: str, width: int = 80) -> str:
    return write_report(result_of(*map(deck, names)), "table", width, full=True)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("decks", [2, 15])
def test_nothing_is_wider_than_the_screen(width: int, decks: int) -> None:
    names = [f"A deck with a 名前 as long as a sentence, {n}" for n in range(decks)]
    lines = text_of(*names, width=width).splitlines()

    assert max(map(terminal.width, lines)) <= width


def test_a_matrix_too_wide_comes_in_parts() -> None:
    text = text_of(*(f"Deck {n}" for n in range(15)))

    assert text.count("13  Deck 12  ") == 3
    assert "\n\n\n" not in text


NARROW = """\
Standings: mean win rate over all opponents,
20,000 games each

  win rate  95% interval    wins  losses  draws
1  Siege masters
     56.2%  55.4 to 57.1  11,100   8,600    300
2  The swarm
     50.0%  49.2 to 50.8   9,850   9,850    300
3  Berserkers
     43.8%  42.9 to 44.6   8,600  11,100    300

Win rate in % of the deck in the row against the
deck in the column

                     1     2     3
1  Siege masters     -  56.2  56.2
2  The swarm      43.8     -  56.2
3  Berserkers     43.8  43.8     -

Matchups, 10,000 games each

Siege masters against The swarm
  win rate 56.2%, 95% 55.1-57.4, wins 5,550,
  losses 4,300, draws 150, first 65.0,
  second 47.5, rounds 2.50, left 1.0/0.5

Siege masters against Berserkers
"""


def test_shorten_table_keeps_the_rows_that_the_answer_names() -> None:
    for settings, text, ranks in (
        ({}, "", [1, 2, 3, 4]),
        ({}, "`row 2` and `row 6`", [1, 2, 3, 4, 6]),
        ({"both_ends": True}, "", [1, 2, 8, 9]),
        ({"uncut": True}, "", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ):
        rows = tuple((f"row {number}",) for number in range(1, 10))
        table = ReportTable("title", words("name"), rows, ranked=True, **settings)
        shown = table.shorten(4, text)

        names = [f"row {rank}" for rank in ranks]
        assert [row[0] for row in shown.rows] == names, settings
        assert [int(place) for place in shown.places] == ranks, settings


@pytest.mark.parametrize(("decks", "width"), [(3, 80), (15, 120), (60, 80)])
def test_an_answer_fits_a_screen(decks: int, width: int) -> None:
    result = result_of(*(deck(f"Deck {n}") for n in range(decks)))
    text = write_report(result, "table", width)
    whole = write_report(result, "table", width, full=True)

    assert text.count("\n") <= 24
    assert len(re.findall(r"^ *\d+  Deck", text, re.MULTILINE)) == min(decks, 10)
    if decks > 10:
        assert f"and {decks - 10} more rows, 2 more tables: `--full`\n" in text
    assert text.splitlines()[0] in whole
    for fact in ("format", "policies", "games", "seed", "checksum"):
        assert re.search(rf"\b{fact} ", text)
    assert re.search(rf"^{decks}  Deck", whole, re.MULTILINE)


def test_without_an_answer_one_line_has_the_first_three_or_the_first_row() -> None:
    columns = (Column("deck"), *numbers(COUNT, "wins", "losses", "draws"))
    rows = tuple((name, 3, 2, 1) for name in "ABCD")
    ranking = ReportTable("Standings: all", columns, rows, ranked=True)
    facts = (("format", "f"),)

    assert as_line(Report((ranking,), (), facts)) == (
        "Standings: 1 A wins 3, losses 2; 2 B wins 3, losses 2; 3 C wins 3, losses 2"
        " (format f)\n"
    )
    alone = replace(ranking, ranked=False)
    assert as_line(Report((alone,), (), facts)) == (
        "Standings: A wins 3, losses 2 (format f)\n"
    )


def test_a_round_robin_on_a_narrow_screen() -> None:
    text = text_of("Siege masters", "The swarm", "Berserkers", width=50)

    assert text.partition("\n\n")[2].startswith(NARROW)


def test_names_that_are_cut_still_differ() -> None:
    files = [f"Berserkers of Skellige ({name}.deck)" for name in ("anna", "ben")]
    lines = text_of("The swarm", *files, width=40).splitlines()

    assert "2  Berser…(anna.deck)   43.8     -  56.2" in lines
    assert "3  Berser…e (ben.deck)  43.8  43.8     -" in lines


def test_of_many_matchups_the_most_decisive_are_shown() -> None:
    decks = [deck(f"Deck {n}") for n in range(6)]
    even = result_of(*decks)
    lost = make_table_result(("Deck 3", "Deck 5"), duel_tally([(10, "A- B-")]))
    tables = tuple(
        lost if table.entrants == lost.entrants else table for table in even.tables
    )
    text = write_report(replace(even, tables=tables), "markdown")
    every = write_report(even, "table", full=True)

    assert "The 10 most decisive of 15 matchups, 10,000 games each\n\n" in text
    [first, *rest] = re.findall(r"Deck \d against Deck \d", text)
    assert first == "Deck 3 against Deck 5"
    assert len(rest) == 9
    assert "all matchups with `--full`" in " ".join(text.split())
    assert len(re.findall(r"Deck \d against Deck \d", every)) == 15
    assert "--full" not in every


def test_of_many_tables_ten_are_shown_in_detail() -> None:
    """Points that never varied have no spread, unlike places, which have bounds."""
    names = ("Siege masters", "The swarm", "Berserkers")
    places = ((1, 2, 3), (6, 4, 2)), ((2, 1, 3), (3, 5, 1)), ((1, 1, 1), (2, 2, 2))
    games = [(*outcome, began) for began, outcome in enumerate(places)]
    played = make_table_result(names, tally_of([games] * 10))
    one, many = (
        replace(result_of(*map(deck, names)), play="table", tables=(played,) * number)
        for number in (1, 12)
    )
    text = write_report(one, "table")
    some = " ".join(write_report(many, "markdown").split())
    every = write_report(many, "markdown", full=True)

    assert "1.33 ±0.28    3.67\n" in text
    assert "±" not in text.replace("±0.28", "")
    assert "below: the 10 most decisive, all with" in some
    assert (some.count("Table "), every.count("Table ")) == (10, 12)
    assert "most decisive" not in every


def test_wide_characters_stay_aligned() -> None:
    lines = text_of("日本語", "Короткое", "Jaskier").splitlines()[3:]
    first, second = (next(x for x in lines if name in x) for name in ("日本語", "Кор"))

    assert first.index("56.2%") + 3 == second.index("50.0%")


def test_control_characters_do_not_reach_the_screen() -> None:
    assert "\x1b" not in text_of("Siege\x1b[2J", "The swarm")


def test_long_names_are_told_below_each_other_before_half_is_cut() -> None:
    names = ("Longships of Skellige + Smugglers and healers", "Spies + Berserkers")
    text = text_of(*names, "The swarm", width=62)

    assert "\n1  Longships of Skellige + Smugglers and healers\n    " in text
    assert "…" not in text.partition("Win rate in %")[0]
