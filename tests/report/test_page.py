"""Pages of runs: what they say, and that they are whole, safe and alone."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.report.page import (
    axis_of,
    bars_of,
    forest_of,
    heatmap_of,
    scale_of,
    signed_scale_of,
)
from deckcheck.report.tables import (
    IN_PERCENT,
    PERCENT,
    POINTS,
    Column,
    ReportTable,
    numbers,
)
from deckcheck.stats import Estimate, Histogram, Interval

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
EMPTY = {"meta", "br", "path"}
FIELD = ("mo_swarm", "nr_siege_masters", "st_beautiful_archers")


class Page(HTMLParser):
    """The texts and tables of a page; refuses one that is not well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of a field: `old`, and `new` in which a deck has lost its heroes."""
    folder = tmp_path_factory.mktemp("pages")
    decks = [DECKS / "standard" / f"{name}.deck" for name in FIELD]
    first = decks[0].read_text(encoding="utf-8")
    evil = folder / "evil.deck"
    evil.write_text(
        re.sub("Name: .*", "Name: <b>Nasty & `co`", first), encoding="utf-8"
    )
    worse = folder / "worse.deck"
    kept = [line for line in first.splitlines() if "Geralt" not in line]
    worse.write_text("\n".join(kept).replace("The swarm", "Worse"), encoding="utf-8")
    for name, deck in (("old", decks[0]), ("new", worse), ("evil", evil)):
        deckcheck.simulate(
            [deck, *decks[1:]],
            run=folder / name,
            games=40,
            policies="random",
            allow_illegal=True,
        )
    return folder


def page_of(folder: Path, *arguments: str) -> str:
    file = folder / "page.html"
    assert main(["report", *arguments, "--html", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def test_the_answer_comes_first(folder: Path) -> None:
    text = page_of(folder, str(folder / "old"))
    page = Page(text)

    assert page.texts["h1"] == ["3 decks, all against all"]
    assert page.texts["h2"] == [
        *("Standings", "Who beats whom", "What to bring", "Every matchup"),
        "How games end",
        *("How it was played", "Decks", "What this does not say"),
    ]
    assert "does best: it wins" in text[: text.index("<h2")]


def test_it_needs_no_other_file(folder: Path) -> None:
    text = page_of(folder, str(folder / "old"))
    page = Page(text)
    names = {name for _, attributes in page.tags for name in attributes}

    assert {"src", "onload", "onclick"} & names == set()
    assert all(str(a["href"]).startswith("#") for a in page.named("a"))
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_tables_can_be_read_aloud(folder: Path) -> None:
    page = Page(page_of(folder, str(folder / "old")))

    assert all(each.get("scope") in ("col", "row") for each in page.named("th"))
    assert len(page.named("caption")) == len(page.named("table"))
    assert page.named("html") == [{"lang": "en"}]
    ids = [each["id"] for _, each in page.tags if "id" in each]
    assert len(ids) == len(set(ids))
    links = {str(each["href"])[1:] for each in page.named("a")}
    assert links <= set(ids)


def test_how_games_end_is_drawn_and_told(folder: Path) -> None:
    text = page_of(folder, str(folder / "old"))
    page = Page(text)

    assert "Lead at the end, of the leading deck." in page.texts["b"]
    assert len([a for a in page.named("path") if a.get("class") == "area"]) == 5
    captions = [" ".join(t.split()) for t in page.texts["figcaption"]]
    told = re.fullmatch(r"([\d.]+) % after 2, ([\d.]+) % after 3.", captions[0])
    assert told
    assert sum(map(float, told.groups())) == pytest.approx(100, abs=0.1)


def test_names_are_shown_as_they_are(folder: Path) -> None:
    text = page_of(folder, str(folder / "evil"))

    assert "&lt;b&gt;Nasty &amp; `co`" in text
    assert "<b>Nasty" not in text
    Page(text)


def test_limits_are_stated(folder: Path) -> None:
    text = " ".join(Page(page_of(folder, str(folder / "new"))).texts["li"])

    assert "Programs played: “random 1”" in text
    assert "Players who choose by chance" in text
    assert "None is a guess" in text


def test_illegal_decks_are_told(folder: Path) -> None:
    text = page_of(folder, str(folder / "new"))

    assert "“Worse” is illegal" in text


def test_what_changed(folder: Path, capsys: Captured) -> None:
    runs = [str(folder / name) for name in ("old", "new")]
    page = Page(page_of(folder, "--compare", *runs))
    assert main(["report", "--compare", *runs]) == 0
    table = capsys.readouterr().out

    assert page.texts["h1"] == ["Before and after"]
    assert "The swarm against Siege masters" in page.texts["th"]
    assert "cards of `The swarm`: -1 Geralt of Rivia" in table
    assert table.index("Mean win rates of decks") < table.index("Win rates before")
    assert "1 win rate cannot have changed: both runs had the same games" in table
    assert "Siege masters against The beautiful archers" not in table


def test_a_run_is_compared_with_another_one(folder: Path, capsys: Captured) -> None:
    assert main(["report", str(folder / "old"), str(folder / "new")]) == 2
    assert "Got 2 runs, expected 1" in capsys.readouterr().err
    assert main(["report", "--compare", str(folder / "old")]) == 2
    assert "Got 1 run, expected 2" in capsys.readouterr().err


def test_a_page_does_not_replace_the_run(folder: Path, capsys: Captured) -> None:
    run = folder / "old"

    assert main(["report", str(run), "--html", str(run / "run.json")]) == 2
    assert "would replace what this run reads" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["free_for_all/round_table.deck"], "wins"),
        (
            ["tournament/crowns_and_claws.deck", "tournament/kin_of_the_coast.deck"],
            "of",
        ),
        (["solo/nr_whole_army.deck"], "against"),
    ],
)
@pytest.mark.slow
def test_other_ways_to_play(tmp_path: Path, names: list[str], expected: str) -> None:
    deckcheck.simulate(
        [DECKS / name for name in names],
        run=tmp_path / "run",
        games=10,
        policies="random",
    )
    text = page_of(tmp_path, str(tmp_path / "run"))
    page = Page(text)

    assert ("How games end" in text) == ("tournament" not in names[0])
    assert expected in page.texts["p"][1]
    assert page.texts["h2"][0] == "Who wins"


@pytest.mark.slow
def test_each_table_has_its_own_even_share(tmp_path: Path) -> None:
    tables = ("round_table", "kings_and_beasts")
    deckcheck.simulate(
        [DECKS / "free_for_all" / f"{name}.deck" for name in tables],
        run=tmp_path / "run",
        games=10,
        policies="random",
    )
    text = page_of(tmp_path, str(tmp_path / "run"))
    lines = re.findall(r'class="even" d="M([\d.]+) 0V20"', text)

    # Five at the first table and three at the second, each with a line in its row.
    assert lines == [lines[0]] * 5 + [lines[-1]] * 3
    assert float(lines[-1]) / float(lines[0]) == pytest.approx(5 / 3, rel=0.01)


@pytest.mark.slow
def test_three_lineups_have_a_matrix(tmp_path: Path) -> None:
    run = tmp_path / "run"
    deckcheck.simulate(DECKS / "tournament", run=run, games=10, policies="random")
    text = page_of(tmp_path, str(run))
    part = text[text.index('class="heatmap') :]
    cells = re.findall(
        r'<td class="cell[^>]*>([\d.]+)<', part[: part.index("</table>")]
    )

    assert len(cells) == 6
    rates = list(map(float, cells))
    # Above the diagonal the lineup in the row, below it the other one.
    pairs = ((0, 2), (1, 4), (3, 5))
    assert [rates[a] + rates[b] for a, b in pairs] == pytest.approx([100] * 3, abs=0.1)


class TestParts:
    def test_an_axis_has_round_ends_and_holds_all(self) -> None:
        rates = [Estimate(0.62, Interval(0.58, 0.66), 100)]
        axis = axis_of(rates)

        assert (axis.low, axis.high) == pytest.approx((0.5, 0.7))
        assert axis.ticks[1] == (25.0, "55")
        assert axis.even == 0
        columns = (Column("deck"), Column("win rate", PERCENT, "95 %"))
        [row] = forest_of(ReportTable("", columns, (("a", rates[0]),))).rows
        mark = row.mark
        assert (mark.low, mark.value, mark.high) == pytest.approx((40, 60, 80))

    def test_an_axis_of_shares_begins_at_0(self) -> None:
        axis = axis_of([Estimate(1, Interval(1, 1), 9)], None)

        assert (axis.low, axis.high, axis.even) == (0, 1, None)

    def test_an_axis_of_differences_has_signs(self) -> None:
        axis = axis_of([Estimate(0, Interval(-0.03, 0.04), 9)], 0.0, signed=True)

        assert [label for _, label in axis.ticks] == ["-4", "-2", "0", "+2", "+4"]

    def test_colours_say_who_wins(self) -> None:
        interval = Interval(0.5, 0.9)
        rates = [Estimate(rate, interval, 10) for rate in (0.5, 0.7, 0.1)]
        columns = (Column(""), *numbers(IN_PERCENT, "1", "2", "3", "4"))
        table = ReportTable("", columns, (("a", *rates, None),), matrix=True)
        [row] = heatmap_of(table, "").rows
        cells = [cell for cell in row if cell is not None]

        assert len(row) == 4
        assert [(cell.text, cell.depth, cell.wins) for cell in cells] == [
            ("50.0", 0, True),
            ("70.0", 25, True),
            ("10.0", 50, False),
        ]
        assert [cell.text for cell in heatmap_of(table, "").legend] == [
            *("0", "25", "50", "75", "100")
        ]

    def test_a_filter_has_rows_from_both_sides(self) -> None:
        columns = (Column("matchup"), Column("win rate", PERCENT, "95 %"))
        rates = [Estimate(rate, Interval(rate, rate), 10) for rate in (0.7, 0.6, 0.4)]
        rows = tuple((f"row {i}", rate) for i, rate in enumerate(rates))
        decks = [("a", False), ("b", False), ("c", True)]
        forest = forest_of(ReportTable("", columns, rows), decks=decks)

        assert forest.decks == ("a", "b", "c")
        assert [row.is_other for row in forest.rows] == [False, False, True]
        assert (
            forest_of(
                ReportTable("", columns, rows), decks=[*decks[:2], decks[0]]
            ).decks
            == ()
        )

    def test_the_measured_column_of_a_table_is_drawn_wherever_it_stands(self) -> None:
        columns = (
            Column("card"),
            Column("verdict"),
            Column("points", POINTS, "95 %"),
            Column("old", PERCENT),
        )
        gain = Estimate(0.02, Interval(-0.01, 0.05), 9)
        rows = (("a", "open", gain, 0.5), ("b", "never played", None, 0.25))
        forest = forest_of(ReportTable("Gains", columns, rows, note="by games"))

        assert forest.axis.even is not None
        assert [label for _, label in forest.axis.ticks][:2] == ["-2", "0"]
        assert (forest.of, forest.measured) == ("card", "points")
        assert (forest.heads, forest.is_number) == (("verdict", "old"), (False, True))
        [row] = forest.rows
        assert (row.name, row.value, row.interval) == ("a", "+2.0", "-1.0 to 5.0")
        assert row.texts == ("open", "50.0 %")

    def test_a_ring_shows_the_value_before(self) -> None:
        columns = (
            Column("deck"),
            Column("before", PERCENT),
            Column("rate", PERCENT, "95 %"),
        )
        rate = Estimate(0.52, Interval(0.5, 0.54), 9)
        table = ReportTable("", columns, (("a", 0.3, rate), ("b", None, rate)))
        plain = forest_of(table).rows
        first, second = forest_of(replace(table, before="before")).rows

        assert [row.before for row in plain] == [None, None]
        assert first.before is not None
        # The axis holds it too.
        assert 0 <= first.before < first.mark.low
        assert second.before is None

    def test_bars_hold_all_games(self) -> None:
        found = Histogram.of([1, *[0] * 99, *[100] * 31, *[0] * 99, 1], -115)
        scale = signed_scale_of(found)
        bars = bars_of("Lead", "", "lead", scale, found)

        assert (scale.first, scale.last, scale.zero) == (-15, 15, 50.0)
        assert scale.ticks[0] == (1.61, "-15")
        assert [bars.bars[0].label, bars.bars[-1].label] == [
            "-15 or less",
            "15 or more",
        ]
        assert [bar.games for bar in bars.bars[:2]] == ["101", "100"]
        assert bars.path.startswith("M0 100V0H0.92V100M1 100V1H1.92V100")

    def test_bars_without_sign_begin_at_round_numbers(self) -> None:
        scale = scale_of(Histogram.of([1] * 50, 3))

        assert (scale.first, scale.width, scale.last) == (2, 2, 53)
        assert scale.ticks[:2] == ((15.38, "10"), (34.62, "20"))
        assert scale.counts(Histogram.of([1] * 50, 3))[:2] == [1, 2]
