"""Pages of comparisons, of cards weighed, and of what to bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SIEGE = str(STANDARD / "nr_siege_masters.deck")
HORNS = str(ROOT / "examples" / "compare" / "second_horn.deck")
DECOYS = str(ROOT / "examples" / "compare" / "third_decoy_out.deck")
FIELD = ["--against", str(STANDARD / "mo_swarm.deck")]
FIELD += ["--against", str(STANDARD / "sk_berserkers.deck")]
FEW = ["--games", "20", "--policy", "random", "-q", "-j", "1"]


def page_of(folder: Path, command: str, *words: str) -> str:
    file = folder / f"{command}.html"
    assert main([command, *words, "--output-format", f"html:{file}"]) == 0
    return file.read_text(encoding="utf-8")


def rows_of(page: str, section: str) -> list[list[str]]:
    """The cells of the rows of a section, without what is drawn."""
    part = page[page.index(f'<section id="{section}"') :]
    part = part[: part.index("</section>")]
    return [
        [
            re.sub("<[^>]*>", "", cell).strip()
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
            if "<svg" not in cell and "ticks" not in cell
        ]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", part, re.S)
    ]


def test_of_two_versions_the_difference_is_drawn(tmp_path: Path) -> None:
    page = page_of(tmp_path, "compare", SIEGE, HORNS, *FIELD, *FEW)
    heads, whole, *others = rows_of(page, "differences")

    assert "<h1>Is Siege, 2 horns better than Siege masters?</h1>" in page
    assert "Siege, 2 horns" in page[page.index('class="answer"') : page.index("<nav")]
    assert heads == ["", "points", "95\u00a0%", "old", "new", "verdict"]
    assert whole[0] == "all opponents"
    assert {row[0] for row in others} == {"The swarm", "Berserkers"}
    # As the points say what the rates differ by, the marks lie where the points are.
    for row in (whole, *others):
        by = float(row[4]) - float(row[3])
        assert float(row[1]) == pytest.approx(by, abs=0.11)
    assert page.count('class="dot"') == 3
    assert "against this field and no other" in page


def test_of_several_versions_there_is_a_ranking(tmp_path: Path) -> None:
    page = page_of(tmp_path, "compare", SIEGE, HORNS, DECOYS, *FIELD, *FEW)
    ranking = [float(row[1].rstrip(" %")) for row in rows_of(page, "ranking")[1:]]
    heads, *matrix = rows_of(page, "matrix")

    assert "<h1>Which of 3 versions is best?</h1>" in page
    assert len(ranking) == 3
    assert ranking == sorted(ranking, reverse=True)
    assert (len(heads), len(matrix)) == (4, 2)
    assert page.count("By how many points") == 4  # two tables, each with its label
    last = page.rindex("By how many points")
    note = "points: what the new version has more"
    assert page.count(note) == 1
    assert page.index(note) > last


def test_it_says_what_its_kind_says_with_the_run_directory(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    words = [SIEGE, HORNS, *FIELD, *FEW, "--run", run]
    page = page_of(tmp_path, "compare", *words)
    again = page_of(tmp_path, "resume", run, "-q", "-j", "1")

    assert again == page


@pytest.mark.slow
def test_observed_and_caused_stand_side_by_side(tmp_path: Path) -> None:
    page = page_of(tmp_path, "impact", SIEGE, *FIELD, *FEW)
    heads, *cards = rows_of(page, "cards")

    assert heads[:2] == ["card", "caused"]
    assert heads[3:] == ["copies", "opening", "drawn", "played", "held"]
    assert any(float(row[1]) for row in cards)
    assert ["Catapult", "2"] in [[row[0], row[3]] for row in cards]
    assert all(re.fullmatch(r"[+-]\d+\.\d\*?|-", cell) for c in cards for cell in c[4:])
    assert "the card to cut" in page[: page.index("<nav")]
    assert "no cause" in page[page.index('id="limits"') :]


def test_what_to_bring_has_a_page(tmp_path: Path) -> None:
    run, weights = str(tmp_path / "run"), tmp_path / "field.csv"
    weights.write_text("The swarm,3\nBerserkers,1\n", encoding="utf-8")
    decks = [str(STANDARD / f"{name}.deck") for name in ("mo_swarm", "sk_berserkers")]
    assert main(["simulate", SIEGE, *decks, *FEW, "--run", run]) == 0
    page = page_of(tmp_path, "meta", run)
    expecting = page_of(tmp_path, "meta", run, "--weights", str(weights))

    assert "<h1>What to bring, of 3 decks</h1>" in page
    assert 'id="expected"' not in page
    named = {row[0]: row[3] for row in rows_of(expecting, "expected")[1:]}
    assert named == {
        "The swarm": "75.0 %",
        "Berserkers": "25.0 %",
        "Siege masters": "0.0 %",
    }
    assert "Programs played: random 1" in page


def test_a_simulation_writes_its_page_at_once(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    page = page_of(tmp_path, "simulate", SIEGE, HORNS, *FEW, "--run", run)

    assert page_of(tmp_path, "report", run) == page
