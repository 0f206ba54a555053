"""The page of a run as a browser shows it: quiet, alone, and open to everybody."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from helpers.pages import Browser, axe_source, browser
from helpers.results import deck, result_of

import deckcheck
from deckcheck.cli import main
from deckcheck.report.page import render_page
from deckcheck.sim.provenance import Program
from deckcheck.studies.simulation_page import simulation_page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "decks" / "gwent"
AXE = (
    "return axe.run().then(r => ({passes: r.passes.length, wrong: r.violations.map("
    "v => v.id + ': ' + v.nodes.map(n => n.html + n.failureSummary).join('; '))}))"
)
LARGEST = 500_000
PAPER = 718
"""The width of A4 without its margins, in pixels."""
CUT = (
    "return [...document.querySelectorAll('.wide')].filter("
    "e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of all sample decks against each other, few games each."""
    folder = tmp_path_factory.mktemp("report")
    deckcheck.simulate(
        DECKS / "standard", run=folder / "run", games=20, policies="random"
    )
    file = folder / "report.html"
    assert main(["report", str(folder / "run"), "--html", str(file)]) == 0
    return file


@pytest.fixture(scope="module")
def shown(page: Path) -> Iterator[Browser]:
    """A browser that shows the page."""
    with browser() as found:
        found.open(page)
        yield found


def test_it_is_small_and_quiet_and_asks_for_nothing(page: Path, shown: Browser) -> None:
    assert page.stat().st_size < LARGEST
    assert shown.complaints() == []
    assert shown.requests() == [page.as_uri()]
    assert shown.run("return document.querySelectorAll('section').length") == 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 800, 1400])
def test_everybody_can_use_it(shown: Browser, width: int, scheme: str) -> None:
    shown.look(width, scheme)
    shown.run(axe_source())
    found = shown.run(AXE)

    assert found["wrong"] == []
    assert found["passes"] > 20


@pytest.mark.parametrize("width", [390, 700, 800, 1400])
def test_nothing_is_wider_than_the_screen_and_intervals_are_on_it(
    shown: Browser, width: int
) -> None:
    shown.look(width, "light")
    ends = shown.run(
        "return [...document.querySelectorAll('.forest .dot')]"
        ".map(dot => dot.getBoundingClientRect()).filter(box => box.x)"
        ".map(box => [box.left, box.right])"
    )

    assert shown.run("return document.documentElement.scrollWidth") <= width
    assert len(ends) > 100
    assert all(0 <= left <= right <= width for left, right in ends)


def test_a_table_sorts_by_its_headings(shown: Browser) -> None:
    names = (
        "[...document.querySelectorAll('#standings tbody th')].map(e => e.textContent)"
    )
    draws = "[...document.querySelectorAll('#standings tr > :last-child')]"
    click = "document.querySelectorAll('#standings thead button')[{}].click();"
    before = shown.run(f"return {names}")
    numbers = shown.run(
        f"{click.format(6)} return {draws}.slice(1).map(e => Number(e.textContent))"
    )
    by_name = shown.run(f"{click.format(1)} return {names}")

    assert numbers == sorted(numbers, reverse=True)
    assert sorted(by_name) == sorted(before)
    assert by_name == sorted(by_name, key=str.casefold)
    assert (
        shown.run("return document.querySelector('#standings [aria-sort]').innerText")
        == "deck"
    )


def test_a_filter_shows_the_matchups_of_a_deck_from_its_side(shown: Browser) -> None:
    rows = "[...document.querySelectorAll('#matchups tbody tr:not([hidden])')]"
    names = f"return {rows}.map(row => row.querySelector('th').textContent)"
    choose = (
        "const choice = document.querySelector('#matchups select');"
        "choice.value = arguments[0]; choice.dispatchEvent(new Event('change'));"
    )
    every = shown.run(names)
    shown.run(choose, "The swarm")
    own = shown.run(names)
    shown.run(choose, "")

    assert (len(every), len(own)) == (105, 14)
    assert all(name.startswith("The swarm against ") for name in own)
    assert shown.run(names) == every


def test_a_cell_says_its_interval_to_the_keyboard(shown: Browser) -> None:
    press = (
        "const cell = document.querySelector('.heatmap [tabindex=\"0\"]');"
        "cell.dispatchEvent(new KeyboardEvent('keydown', "
        "{key: 'ArrowRight', bubbles: true}));"
        "return [document.activeElement.title, "
        "document.querySelector('#matrix [aria-live]').textContent]"
    )
    title, said = shown.run(press)

    assert said.endswith(f": {title}")
    assert " against " in said
    assert "games" in title


def test_sliders_rank_the_decks_against_a_field(shown: Browser) -> None:
    slide = (
        "const all = [...document.querySelectorAll('.field input')];"
        "all.forEach((one, i) => { one.value = i === arguments[0] ? 10 : 0; "
        "one.dispatchEvent(new Event('input')); });"
        "const cells = [...document.querySelectorAll('.heatmap tbody tr')]"
        ".map(row => row.cells[1 + arguments[0]].dataset.rate || 0.5).map(Number);"
        "return [document.querySelector('.field li').textContent, Math.max(...cells)]"
    )
    first, best = shown.run(slide, 2)

    assert first.endswith(f": {100 * best:.1f}%")


def test_figures_are_whole_and_lines_stand_in_line_on_a_phone(shown: Browser) -> None:
    shown.look(320, "light")
    at = "[...table.querySelectorAll('tbody {}')].map(e => e.getBoundingClientRect())"
    tables = shown.run(
        "return [...document.querySelectorAll('.forest')].map(table => ["
        f"{at.format('.even')}.filter(box => box.top).map(box => box.left),"
        f"{at.format('td')}.map(box => box.right)])"
    )

    assert len(tables) == 4
    for lines, ends in tables:
        assert max(lines, default=0) - min(lines, default=0) < 1
        assert max(ends) <= 320


def test_what_is_folded_away_is_there_on_paper(shown: Browser) -> None:
    height = "return document.querySelector('#settings details').offsetHeight"
    before = shown.run(height)
    shown.look(PAPER, "light")
    shown.show_print()
    on_paper = shown.run(height)
    cut = shown.run(CUT)
    shown.look(800, "light")

    assert on_paper > 10 * before
    assert cut == []


def test_it_can_be_read_without_scripts(page: Path) -> None:
    with browser() as other:
        other.without_scripts()
        other.open(page)

        assert other.run("return document.querySelectorAll('thead button').length") == 0
        assert other.run("return document.querySelectorAll('svg').length") > 100
        assert "No clear winner" in other.run("return document.body.innerText")


def test_a_deck_of_many_is_chosen_in_a_picture(tmp_path: Path, shown: Browser) -> None:
    result = result_of(*(deck(f"Deck {i}") for i in range(40)))
    file = tmp_path / "many.html"
    file.write_text(
        render_page(simulation_page(result, Program.here())), encoding="utf-8"
    )
    shown.open(file)
    heads = "document.querySelectorAll('.matrix tbody th')"
    rows = f"return [...{heads}].map(e => e.textContent)"
    first = shown.run(rows)
    chosen = shown.run(
        "const box = document.querySelector('canvas').getBoundingClientRect();"
        "document.querySelector('canvas').dispatchEvent(new MouseEvent('click', "
        "{clientX: box.left + 1, clientY: box.bottom - 1}));"
        "return document.querySelector('.matrix caption').innerText"
    )
    dots = shown.run(
        "const c = document.querySelector('canvas');"
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "return [d[3], d[4 * 39 + 3], d[4 * 39 * 40 + 3]]"
    )
    last = shown.run(rows)
    shown.run(axe_source())

    assert len(first) == len(last) == 39
    assert "Deck 0" not in first
    assert chosen == "Win rate in % of Deck 39"
    assert "Deck 39" not in last
    # The diagonal is empty.
    assert dots == [0, 255, 255]
    assert shown.run(AXE)["wrong"] == []
    assert shown.complaints() == []


def test_everybody_can_use_the_other_pages(tmp_path: Path, shown: Browser) -> None:
    names = (
        *("lineups", "changes", "event", "compare", "impact", "meta", "history"),
        *("replay", "tune", "build", "solve", "balance", "expect", "table"),
    )
    pages = [tmp_path / f"{name}.html" for name in names]
    for seed in (1, 2):
        deckcheck.simulate(
            DECKS / "tournament",
            run=tmp_path / str(seed),
            games=20,
            seed=seed,
            policies="random",
        )
    runs = [str(tmp_path / "1"), str(tmp_path / "2")]
    event = ROOT / "examples" / "troubled-tournament" / "event.toml"
    assert main(["report", runs[0], "--html", str(pages[0])]) == 0
    assert main(["report", "--compare", *runs, "--html", str(pages[1])]) == 0
    assert main(["event", str(event), "--output-format", f"html:{pages[2]}"]) == 1
    siege, swarm = (
        str(DECKS / "standard" / f"{name}.deck")
        for name in ("nr_siege_masters", "mo_swarm")
    )
    versions = map(str, (ROOT / "examples" / "compare").glob("*.deck"))
    few = ["--against", swarm, "--policy", "random", "-n", "10", "-q", "-j", "1"]
    assert main(["report", "--history", *runs, "--html", str(pages[6])]) == 0
    searched = ["-q", "-j", "1", "--policy", "random", "--cross-check", "none"]
    cases = ROOT / "examples"
    plan, check = cases / "balance" / "plan.toml", cases / "expect" / "balance.toml"
    tables = f"simulate {DECKS / 'free_for_all'} -n 20 -q --policy random"
    build = f"build gwent/standard --faction monsters --against {swarm} -n 4000"
    solve = "solve gwent/standard --faction monsters -n 2000 --rounds 2"
    for words, page, code in (
        (["compare", siege, *versions, *few], pages[3], 0),
        (["impact", siege, *few], pages[4], 0),
        (["meta", runs[0]], pages[5], 0),
        (["replay", siege, swarm], pages[7], 0),
        (["tune", siege, "--against", swarm, "-n", "4000", *searched], pages[8], 0),
        ([*build.split(), *searched], pages[9], 0),
        ([*solve.split(), *searched], pages[10], 0),
        (["balance", str(plan), "-q", "-j", "1"], pages[11], 0),
        (["expect", str(check), "-q"], pages[12], 1),
        (tables.split(), pages[13], 0),
    ):
        assert main([*words, "--output-format", f"html:{page}"]) == code, words
    for page in pages:
        shown.open(page)
        assert page.stat().st_size < LARGEST, page
        for width, scheme in product((390, 800, 1400), ("light", "dark")):
            shown.look(width, scheme)
            shown.run(axe_source())

            assert shown.run(AXE)["wrong"] == [], page
            assert shown.run("return document.documentElement.scrollWidth") <= width
        shown.look(PAPER, "light")
        shown.show_print()
        assert shown.run(CUT) == [], page
        assert shown.complaints() == []
