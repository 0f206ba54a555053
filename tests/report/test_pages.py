"""Pages of runs and studies: whole, safe and small."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.pages import WrittenPage
from helpers.results import SIEGE, STANDARD, SWARM, deck, result_of

import deckcheck
from deckcheck.cli import main
from deckcheck.report.blocks import MAX_RATES, Figures, Heatmap, Notes, draw_heatmap
from deckcheck.report.forests import draw_forest, draw_line, fit_axis
from deckcheck.report.page import (
    MAX_BLOCKS,
    MAX_ROWS,
    Page,
    Section,
    render_page,
    shorten_page,
)
from deckcheck.report.tables import (
    IN_PERCENT,
    PERCENT,
    POINTS,
    Column,
    ReportTable,
    numbers,
    words,
)
from deckcheck.sim.provenance import Program
from deckcheck.sim.standings import Standing
from deckcheck.stats import Combination, Estimate, Histogram, Interval, Sample
from deckcheck.studies.game_endings import fit_scale, fit_signed_scale, make_bars
from deckcheck.studies.simulation_page import list_place_ranges, simulation_page

# Pages of many decks: small, and with a way to all that they leave out.

LARGEST = 2_000_000


def standing(won: int, games: int, drawn: int = 0) -> Standing:
    lost = games - won - drawn
    rate = Combination.of(Sample((lost, drawn, won), games))
    return Standing("", rate.value, rate.interval(), games, won, lost, drawn, rate)


def test_every_two_of_many_decks_are_compared_for_their_places() -> None:
    first = standing(295, 500)
    # By its draws alone the second is surely worse; those below it may be better.
    steady = standing(0, 500, drawn=500)
    others = [standing(249, 500) for _ in range(60)]
    assert list_place_ranges([first, steady, *others]) == [
        "1 to 61",
        "2 to 62",
        *["1 to 62"] * 60,
    ]


def rate(a: int, b: int) -> Estimate:
    value = 0.5 + (b - a) / 1000
    return Estimate(value, Interval(value - 0.05, value + 0.04), 2000)


def matrix(decks: int) -> Heatmap:
    names = tuple(f"A deck with a long name, {i}" for i in range(decks))
    rates = tuple(
        tuple(None if a == b else rate(a, b) for b in range(decks))
        for a in range(decks)
    )
    return Heatmap("Who wins", names, rates)


def make_page(*blocks: object) -> str:
    section = Section("a", "A", blocks)  # type: ignore[arg-type]
    return render_page(Page("T", "", ("Yes.",), (), (section,), "0"))


def data_of(page: str) -> dict[str, list[object]]:
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', page)
    data: dict[str, list[object]] = json.loads(text)
    return data


def test_thirty_decks_have_a_cell_for_each_two_and_more_have_a_picture() -> None:
    few, many = make_page(matrix(30)), make_page(matrix(31))
    data = data_of(many)

    assert few.count('<td class="cell') == 870
    assert "<canvas" not in few
    assert many.count('<td class="cell') == 0
    assert many.count("<canvas") == 1
    # It has the rates of one half.
    assert len(data["names"]) == 31
    assert len(data["rates"]) == 31 * 30 // 2
    assert data["rates"][0] == data["rates"][-1] == [501, 451, 541, 2000]
    assert len(make_page(matrix(200))) < LARGEST / 2


def test_what_is_too_much_even_for_a_picture_is_elsewhere() -> None:
    columns = tuple(map(str, range(MAX_RATES + 1)))
    page = make_page(
        Heatmap("Who", ("a",), ((rate(0, 1),) * len(columns),), "", columns)
    )

    assert "<canvas" not in page
    assert "outputs json and csv" in page


def test_names_in_data_end_no_script() -> None:
    wide = matrix(40)
    names = ("</script><b>\u202e", *wide.names[1:])
    page = make_page(Heatmap("Who", names, wide.rates))

    assert "</script><b>" not in page
    assert "\u202e" not in page
    assert data_of(page)["names"][0] == "</script><b>\\u202e"


@pytest.mark.parametrize(("rows", "is_cut"), [(MAX_ROWS, False), (5000, True)])
def test_a_list_ends_where_a_reader_stops(rows: int, is_cut: bool) -> None:
    table = ReportTable("All", words("a"), tuple((f"row {i}",) for i in range(rows)))
    notes = Notes(tuple(f"note {i}" for i in range(rows)))
    page = make_page(Figures(table), notes)

    assert ("row 450" in page, "note 450" in page) == (False, False)
    assert page.count("The first 450 of 5,000 are shown") == (2 if is_cut else 0)
    assert ("row 449" in page, "note 449" in page) == (True, True)


def test_a_section_ends_after_a_hundred_tables() -> None:
    blocks = (Notes(("x",)),) * (MAX_BLOCKS + 5)
    [section] = shorten_page(
        Page("", "", (), (), (Section("a", "", blocks),), "")
    ).sections

    assert len(section.blocks) == MAX_BLOCKS + 1
    assert section.blocks[-1] == Notes(
        ("The first 100 of 105 are shown; all are in the outputs json and csv.",)
    )


def test_a_round_robin_of_many_decks_shows_its_most_decisive_matchups() -> None:
    result = result_of(*(deck(f"Deck {i}") for i in range(32)))
    page = render_page(simulation_page(result, Program.here()))

    assert len(data_of(page)["rates"]) == 496
    # And the best counter to each.
    assert page.count(" against Deck ") == MAX_ROWS + 32
    assert "The first 450 of 496 are shown" in page


# Pages of runs are whole, safe and alone.


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a run of a field in which a deck has a name made of markup."""
    folder = tmp_path_factory.mktemp("pages")
    text = re.sub("Name: .*", "Name: <b>Nasty & `co`", SWARM.read_text("utf-8"))
    nasty = folder / "nasty.deck"
    nasty.write_text(text, encoding="utf-8")
    decks = [nasty, SIEGE, STANDARD / "st_beautiful_archers.deck"]
    deckcheck.simulate(decks, run=folder / "run", games=40, policies="random")
    file = folder / "page.html"
    assert main(["report", str(folder / "run"), "--html", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def test_it_needs_no_other_file(page: str) -> None:
    written = WrittenPage(page)
    names = {name for _, attributes in written.tags for name in attributes}

    assert {"src", "onload", "onclick"} & names == set()
    assert all(str(a["href"]).startswith("#") for a in written.named("a"))
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_tables_can_be_read_aloud(page: str) -> None:
    written = WrittenPage(page)

    assert all(each.get("scope") in ("col", "row") for each in written.named("th"))
    assert len(written.named("caption")) == len(written.named("table"))
    assert written.named("html") == [{"lang": "en"}]
    ids = [each["id"] for _, each in written.tags if "id" in each]
    assert len(ids) == len(set(ids))
    links = {str(each["href"])[1:] for each in written.named("a")}
    assert links <= set(ids)


def test_names_are_shown_as_they_are(page: str) -> None:
    assert "&lt;b&gt;Nasty &amp; `co`" in page
    assert "<b>Nasty" not in page


class TestParts:
    def test_an_axis_has_round_ends_and_holds_all(self) -> None:
        rates = [Estimate(0.62, Interval(0.58, 0.66), 100)]
        axis = fit_axis(rates)

        assert (axis.low, axis.high) == pytest.approx((0.5, 0.7))
        assert axis.ticks[1] == (25.0, "55")
        assert axis.even == 0
        columns = (Column("deck"), Column("win rate", PERCENT, "95%"))
        [row] = draw_forest(ReportTable("", columns, (("a", rates[0]),))).rows
        mark = row.mark
        assert (mark.low, mark.value, mark.high) == pytest.approx((40, 60, 80))

    def test_an_axis_of_shares_begins_at_0(self) -> None:
        axis = fit_axis([Estimate(1, Interval(1, 1), 9)], None)

        assert (axis.low, axis.high, axis.even) == (0, 1, None)

    def test_an_axis_of_differences_has_signs(self) -> None:
        axis = fit_axis([Estimate(0, Interval(-0.03, 0.04), 9)], 0.0, signed=True)

        assert [label for _, label in axis.ticks] == ["-4", "-2", "0", "+2", "+4"]

    def test_colours_say_who_wins(self) -> None:
        interval = Interval(0.5, 0.9)
        rates = [Estimate(rate, interval, 10) for rate in (0.5, 0.7, 0.1)]
        columns = (Column(""), *numbers(IN_PERCENT, "1", "2", "3", "4"))
        table = ReportTable("", columns, (("a", *rates, None),), matrix=True)
        [row] = draw_heatmap(table, "").rows
        cells = [cell for cell in row if cell is not None]

        assert len(row) == 4
        assert [(cell.text, cell.depth, cell.wins) for cell in cells] == [
            ("50.0", 0, True),
            ("70.0", 25, True),
            ("10.0", 50, False),
        ]
        assert [cell.text for cell in draw_heatmap(table, "").legend] == [
            *("0", "25", "50", "75", "100")
        ]

    def test_a_filter_has_rows_from_both_sides(self) -> None:
        columns = (Column("matchup"), Column("win rate", PERCENT, "95%"))
        rates = [Estimate(rate, Interval(rate, rate), 10) for rate in (0.7, 0.6, 0.4)]
        rows = tuple((f"row {i}", rate) for i, rate in enumerate((None, *rates)))
        decks = [("none", True), ("a", False), ("b", False), ("c", True)]
        forest = draw_forest(ReportTable("", columns, rows), decks=decks)

        assert forest.decks == ("a", "b", "c")
        assert [row.is_other for row in forest.rows] == [False, False, True]
        assert (
            draw_forest(
                ReportTable("", columns, rows), decks=[*decks[:3], decks[1]]
            ).decks
            == ()
        )

    def test_the_measured_column_of_a_table_is_drawn_wherever_it_stands(self) -> None:
        columns = (
            Column("card"),
            Column("verdict"),
            Column("points", POINTS, "95%"),
            Column("old", PERCENT),
        )
        gain = Estimate(0.02, Interval(-0.01, 0.05), 9)
        rows = (("a", "open", gain, 0.5), ("b", "never played", None, 0.25))
        forest = draw_forest(ReportTable("Gains", columns, rows, note="by games"))

        assert forest.axis.even is not None
        assert [label for _, label in forest.axis.ticks][:2] == ["-2", "0"]
        assert (forest.of, forest.measured) == ("card", "points")
        assert (forest.heads, forest.is_number) == (("verdict", "old"), (False, True))
        [row] = forest.rows
        assert (row.name, row.value, row.interval) == ("a", "+2.0", "-1.0 to 5.0")
        assert row.texts == ("open", "50.0%")

    def test_a_ring_shows_the_value_before(self) -> None:
        columns = (
            Column("deck"),
            Column("before", PERCENT),
            Column("rate", PERCENT, "95%"),
        )
        rate = Estimate(0.52, Interval(0.5, 0.54), 9)
        table = ReportTable("", columns, (("a", 0.3, rate), ("b", None, rate)))
        plain = draw_forest(table).rows
        first, second = draw_forest(replace(table, before="before")).rows

        assert [row.before for row in plain] == [None, None]
        assert first.before is not None
        # The axis holds it too.
        assert 0 <= first.before < first.mark.low
        assert second.before is None

    def test_a_line_of_many_values_names_the_first_and_the_last(self) -> None:
        weeks = [f"week {number}" for number in range(7)]
        rates = dict.fromkeys(weeks, Estimate(0.5, Interval(0.4, 0.6), 9))
        line = draw_line("Siege", "", fit_axis([*rates.values()]), rates)

        assert line.ticks == ((7.14, "week 0"), (92.86, "week 6"))
        assert len(line.marks) == 7

    def test_bars_hold_all_games(self) -> None:
        found = Histogram.of([1, *[0] * 99, *[100] * 31, *[0] * 99, 1], -115)
        scale = fit_signed_scale(found)
        bars = make_bars("Lead", "", "lead", scale, found)

        assert (scale.first, scale.last, scale.zero) == (-15, 15, 50.0)
        assert scale.ticks[0] == (1.61, "-15")
        assert [bars.bars[0].label, bars.bars[-1].label] == [
            "-15 or less",
            "15 or more",
        ]
        assert [bar.games for bar in bars.bars[:2]] == ["101", "100"]
        assert bars.path.startswith("M0 100V0H0.92V100M1 100V1H1.92V100")

    def test_bars_without_sign_begin_at_round_numbers(self) -> None:
        scale = fit_scale(Histogram.of([1] * 50, 3))

        assert (scale.first, scale.width, scale.last) == (2, 2, 53)
        assert scale.ticks[:2] == ((15.38, "10"), (34.62, "20"))
        assert scale.counts(Histogram.of([1] * 50, 3))[:2] == [1, 2]


# Pages of runs that were kept.

HORNS = Path(__file__).parents[2] / "examples" / "compare" / "second_horn.deck"
AGAINST = ["--against", str(SWARM), str(STANDARD / "sk_berserkers.deck")]
FEW = ["--games", "20", "--policy", "random", "-q", "-j", "1"]


def page_of_study(folder: Path, command: str, *words: str) -> str:
    file = folder / f"{command}.html"
    assert main([command, *words, "--output-format", f"html:{file}"]) == 0
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "again", "against"),
    [("compare", "resume", AGAINST), ("simulate", "report", [])],
)
def test_it_says_what_its_kind_says_with_the_run_directory(
    tmp_path: Path, command: str, again: str, against: list[str]
) -> None:
    run = str(tmp_path / "run")
    words = [str(SIEGE), str(HORNS), *against, *FEW, "--run", run]
    page = page_of_study(tmp_path, command, *words)

    assert page_of_study(tmp_path, again, run) == page
