"""The Python API, and the examples of its page."""

import doctest
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from helpers.outputs import assert_tidy

import deckcheck
from deckcheck.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "docs" / page for page in ("reference/python.md", "tutorials/notebook.md")
]
STANDARD = ROOT / "decks" / "gwent" / "standard"
BROKEN = ROOT / "examples" / "broken" / "gwent"
SWARM = STANDARD / "mo_swarm.deck"
SIEGE = STANDARD / "nr_siege_masters.deck"


class TestRead:
    def test_takes_files_and_folders(self) -> None:
        """Each once, decks with findings too."""
        advanced = STANDARD.parent / "advanced"
        (broken,) = deckcheck.read(BROKEN / "too-few-units.deck")

        assert len(deckcheck.read(SWARM, advanced, SWARM)) == 6
        assert broken.faction is not None

    def test_refuses_what_holds_no_deck(self) -> None:
        with pytest.raises(deckcheck.UsageError, match=r"empty\.deck.*cannot be read"):
            deckcheck.read(BROKEN / "empty.deck")


TEXT = "Name: Mine\nFormat: gwent/standard\nLeader: The Siegemaster\n\n2 Ballista\n"
YAML = """\
name: Mine
format: gwent/standard
leader: The Siegemaster
cards:
  Ballista: 2
"""
JSON = (
    '{"name": "Mine", "format": "gwent/standard", "leader": "The Siegemaster", '
    '"cards": {"Ballista": 2}}'
)
CSV = """\
name,format,leader,count,card
Mine,gwent/standard,The Siegemaster,2,Ballista
"""


class TestParse:
    @pytest.mark.parametrize("text", [TEXT, YAML, JSON, CSV])
    def test_takes_every_syntax_that_files_have(self, text: str) -> None:
        deck = deckcheck.parse(text)

        assert (deck.name, deck.leader) == ("Mine", "foltest_the_siegemaster")
        assert deck.counts() == {"ballista": 2}

    def test_takes_a_share_code(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["convert", str(SWARM), "--to", "code"])
        code = capsys.readouterr().out

        (swarm,) = deckcheck.read(SWARM)
        assert deckcheck.parse(code).counts() == swarm.counts()

    @pytest.mark.parametrize("text", ["2 Ballista", "Format: gwent/solo\n\n2 Ballista"])
    def test_a_deck_keeps_the_format_that_it_was_read_by(self, text: str) -> None:
        deck = deckcheck.parse(text, format="gwent/standard")

        assert deck.counts() == {"ballista": 2}
        assert deck.format == "gwent/standard"
        assert deckcheck.validate(deck).reports[0].format.id == "gwent/standard"

    def test_a_deck_keeps_the_file_of_its_format(self, tmp_path: Path) -> None:
        file = tmp_path / "League.yaml"
        file.write_text("""\
title: Ours
extends: gwent/standard
constraints:
  specials: {max: 1}
""")
        text = TEXT + "2 Scorch\n"

        deck = deckcheck.parse(text, format=file)
        (report,) = deckcheck.validate(deck).reports

        assert report.format is not None
        assert report.format.id.endswith("League.yaml")
        assert "too-many-cards" in {finding.name for finding in report.findings}

    def test_what_a_file_says_once_holds_for_all_its_decks(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "two.deck"
        file.write_text(f"{TEXT}---\n{TEXT.replace('Format: gwent/standard', '')}")

        assert [deck.format for deck in deckcheck.read(file)] == ["gwent/standard"] * 2

    def test_refuses_several_decks(self) -> None:
        with pytest.raises(deckcheck.UsageError, match="holds 2 decks, expected one"):
            deckcheck.parse(f"{TEXT}---\n{TEXT}")


class TestValidate:
    def test_takes_a_text(self) -> None:
        validation = deckcheck.validate(text=TEXT.replace("Ballista", "Trebuchett"))

        assert [f.name for f in validation.findings][-1:] == ["unknown-card"]
        assert validation.findings[-1].span.start.line == 5

    def test_takes_decks_and_lists(self) -> None:
        decks = deckcheck.read([SWARM, SIEGE])
        again = deckcheck.validate(decks, str(BROKEN / "too-few-units.deck"))

        assert [report.legal for report in again.reports] == [True, True, False]

    def test_takes_rules_and_a_date_as_the_command_line_does(self) -> None:
        rules = ["max specials 6", "ban Decoy"]
        found = deckcheck.validate(SIEGE, rule=rules, as_of="2025-10").findings
        (again,) = deckcheck.read(SIEGE)

        assert {f.name for f in found} == {"too-many-cards", "banned-card"}
        assert deckcheck.validate(again, rule=rules).findings == found
        with pytest.raises(deckcheck.UsageError, match="snapshot"):
            deckcheck.validate(SIEGE, as_of="2020-01")

    def test_takes_a_list_of_card_databases(self, tmp_path: Path) -> None:
        shutil.copytree(ROOT / "card_db" / "gwen_t", tmp_path / "gwen_t")
        both = [tmp_path, "built-in"]

        assert deckcheck.validate(SWARM, card_db=str(ROOT / "card_db")).legal
        with pytest.raises(deckcheck.UsageError) as caught:
            deckcheck.validate(SWARM, card_db=both)
        assert caught.value.message.startswith("the game `gwen_t` is in two folders, ")

    def test_shows_a_table_in_a_notebook(self) -> None:
        text = TEXT.replace("Mine", "<script>\x1b[31m")
        shown = deckcheck.validate(text=text)._repr_html_()

        assert "&lt;script&gt;\\x1b[31m" in shown
        assert "<td>too-few-cards: 2 unit cards, at least 22 required</td>" in shown
        assert "<p>gwent/standard (2025-10), rules fingerprint " in shown
        (report,) = deckcheck.validate(SWARM).reports
        assert "<td>The swarm</td><td>gwent/standard</td><td>legal</td>" in (
            report._repr_html_()
        )


class TestSimulate:
    def test_decks_and_files_play_the_same_however_they_are_written(
        self, tmp_path: Path
    ) -> None:
        head, _, cards = SWARM.read_text("utf-8").partition("\n\n")
        lines = [line for line in cards.splitlines() if not line.endswith(":")]
        turned = tmp_path / "turned.deck"
        turned.write_text("\n".join([head, "", *reversed(lines)]), "utf-8")
        by_deck, by_file, by_turned = (
            deckcheck.simulate(*decks, games=40, policies="random")
            for decks in (deckcheck.read(SWARM, SIEGE), (SWARM, SIEGE), (turned, SIEGE))
        )

        assert by_deck.checksum == by_file.checksum == by_turned.checksum
        assert by_deck.matchups == by_file.matchups

    @pytest.mark.parametrize("name", ["too-few-units", "unknown-card"])
    def test_an_illegal_deck_is_refused_with_its_findings(self, name: str) -> None:
        """What did not resolve is not in the deck, but not forgotten either."""
        (deck,) = deckcheck.read(BROKEN / f"{name}.deck")

        with pytest.raises(deckcheck.IllegalDeckError) as error:
            deckcheck.simulate(deck, SWARM)
        assert error.value.reports[0].findings

    def test_all_illegal_decks_are_told_at_once(self) -> None:
        broken = [BROKEN / "too-few-units.deck", BROKEN / "unknown-card.deck"]

        for function in (deckcheck.simulate, deckcheck.tune):
            with pytest.raises(deckcheck.IllegalDeckError, match="2 illegal decks"):
                function(broken[0], against=[SWARM, broken[1]])

    def test_what_is_no_deck_plays_in_no_case(self, tmp_path: Path) -> None:
        broken = tmp_path / "broken.json"
        broken.write_text("{", encoding="utf-8")

        with pytest.raises(deckcheck.IllegalDeckError) as error:
            deckcheck.simulate(SWARM, broken, games=2, allow_illegal=True)
        assert error.value.help == "`reports` has the findings"

    @pytest.mark.parametrize(
        "given", [{"gauntlet": True}, {"against": ROOT / "decks/gwen_t/pool"}]
    )
    def test_random_decks_have_no_field(self, given: dict[str, Any]) -> None:
        with pytest.raises(deckcheck.UsageError, match=r"gauntlet|No deck is named"):
            deckcheck.simulate(format="gwen_t/one_round", random_decks=True, **given)

    def test_rules_and_dates_hold_for_every_deck(self) -> None:
        (deck,) = deckcheck.read(SIEGE)
        for given in (deck, SIEGE):
            with pytest.raises(deckcheck.IllegalDeckError):
                deckcheck.simulate([given, SWARM], rule="ban Catapult", as_of="2025-10")
        allowed: Any = {"rule": "ban Catapult", "allow_illegal": True}
        result = deckcheck.simulate(deck, SWARM, games=2, policies="random", **allowed)

        assert [deck.name for deck in result.illegal] == ["Siege masters"]

    def test_shows_a_table_in_a_notebook(self) -> None:
        (deck,) = deckcheck.read(SWARM)
        mine = replace(deck, name="<b>Mine</b>")
        result = deckcheck.simulate(mine, SIEGE, games=20, policies="random")
        shown = result._repr_html_()

        assert "<td>&lt;b&gt;Mine&lt;/b&gt;</td><td>win_rate</td>" in shown
        assert f"20 games, seed 1, checksum {result.checksum}" in shown
        assert shown.count("<tr>") == 3

    def test_the_prompt_shows_a_line_and_a_notebook_a_table(self) -> None:
        field = deckcheck.simulate(SWARM, SIEGE, games=60, policies="random")
        horn = ROOT / "examples" / "compare" / "second_horn.deck"
        compared = deckcheck.compare(
            SIEGE, horn, against=SWARM, games=20, policies="random"
        )

        assert repr(field) == (
            "<SimulationResult: 2 decks, 60 games of gwent/standard (2025-10), "
            f"seed 1, checksum {field.checksum}>"
        )
        assert repr(deckcheck.meta(field)).startswith(
            "<MetaResult: For an unknown field, "
        )
        assert repr(compared) == f"<ComparisonResult: {compared.answer}>"
        for result in (deckcheck.meta(field), compared):
            shown = result._repr_html_()
            measured = result.to_frame().dropna(subset=["value", "low"])
            over_all = measured[measured["opponent"] == "(all)"]
            assert shown.count("<tr>") == 1 + len(over_all)

    @pytest.mark.slow
    @pytest.mark.parametrize("folder", ["free_for_all", "tournament", "solo"])
    def test_shows_every_kind_of_result(self, folder: str) -> None:
        decks = sorted((STANDARD.parent / folder).glob("*.deck"))[:2]
        given = decks if folder == "tournament" else decks[0]
        result = deckcheck.simulate(given, games=10, policies="random")

        shown = result._repr_html_()
        assert_tidy(result)
        assert 1 < shown.count("<tr>") < len(result.to_rows())
        assert "%</td>" in shown

    def test_frames(self) -> None:
        result = deckcheck.simulate(
            STANDARD.parent / "advanced", games=20, policies="random"
        )
        matrix = result.to_matrix()

        assert len(assert_tidy(result, "win_rate")) == 5 * 4 + 20 * 7
        assert matrix.iloc[0, 1] + matrix.iloc[1, 0] == pytest.approx(1)
        assert result.to_standings()["win_rate"].is_monotonic_decreasing
        assert result.to_standings()["win_rate"].mean() == pytest.approx(0.5)

    def test_a_matchup_by_names_and_decks(self) -> None:
        swarm, siege = deckcheck.read(SWARM, SIEGE)
        again = deckcheck.parse(SIEGE.read_text(encoding="utf-8"))
        result = deckcheck.simulate(swarm, siege, games=3, policies="random")
        [matchup] = result.matchups

        assert (result.games, result.games_played) == (4, 4)
        for a, b in ((swarm, siege), (result.decks[0], siege), ("The swarm", again)):
            assert result.matchup(a, b) == matchup
        for a, b in ((siege, swarm), (siege, result.decks[0]), (again, "The swarm")):
            assert result.matchup(a, b).swap_sides() == matchup
        with pytest.raises(deckcheck.UsageError, match="did not meet") as error:
            result.matchup("The swarm", "The swarm")
        assert error.value.help == "Such did `The swarm` and `Siege masters`"

    def test_a_matchup_of_decks_with_one_name(self, tmp_path: Path) -> None:
        text = SWARM.read_text(encoding="utf-8")
        (tmp_path / "twins.deck").write_text(f"{text}---\n{text}", encoding="utf-8")
        one, other = deckcheck.read(tmp_path / "twins.deck")
        result = deckcheck.simulate(one, other, games=20, policies="random")

        assert result.matchup(one, other) == result.matchups[0]
        assert result.matchup(other, one) == result.matchups[0].swap_sides()

    def test_a_deck_that_did_not_take_part(self) -> None:
        result = deckcheck.simulate(SWARM, SIEGE, games=2, policies="random")

        for deck, message, help in (
            ("The swarn", "No deck of this run is called `The swarn`", "The swarm`?"),
            ("Ves", "No deck of this run is called `Ves`", "Decks are `The swarm` or"),
            (DECK, "No deck of this run is called `Mine`", "Decks are"),
            (3, "Got a value of type `int`, expected a deck or its name", ""),
        ):
            with pytest.raises(deckcheck.UsageError) as error:
                result.matchup("The swarm", deck)  # type: ignore[arg-type]
            assert error.value.message == message
            assert help in (error.value.help or "")


DECK = deckcheck.parse(TEXT)
NESTED: list[Any] = [DECK]
for _ in range(2_000):
    NESTED = [NESTED]
MISUSE = [
    (deckcheck.parse, (3,), {}, "`text` got a value of type `int`, expected text"),
    (deckcheck.parse, (None,), {}, "`text` got None, expected text"),
    (deckcheck.parse, ("",), {}, "cannot be read"),
    (deckcheck.read, (), {}, "`read` got no deck"),
    (deckcheck.read, ([],), {}, "`read` got no deck"),
    (deckcheck.read, (DECK,), {}, "got the deck `Mine`, expected a path"),
    (deckcheck.read, (3,), {}, "expected a file, a folder or a glob"),
    (deckcheck.read, ("a\0b",), {}, "`a\\x00b` holds `\\x00`, which no path can"),
    (deckcheck.validate, (), {}, "`validate` got no deck"),
    (deckcheck.validate, ({SWARM},), {}, "got a value of type `set`"),
    (deckcheck.validate, (NESTED,), {}, "lists nested deeper than 50 levels"),
    (deckcheck.parse, ("[" * 100_000,), {}, "Values are nested deeper than 50 levels"),
    (deckcheck.validate, (SWARM,), {"text": TEXT}, "got files and a text"),
    (deckcheck.validate, (SWARM,), {"format": 3}, "expected the id of a format"),
    (deckcheck.validate, (SWARM,), {"card_db": 3}, "`card_db` got a value of type"),
    (deckcheck.validate, (SWARM,), {"card_db": ["a", 3]}, "`int`, expected a path"),
    (deckcheck.validate, (SWARM,), {"card_db": ["built-in", "b"]}, "`b` does not ex"),
    (deckcheck.validate, (SWARM,), {"rule": 3}, "expected text or a list of texts"),
    (deckcheck.validate, (SWARM,), {"rule": "max specails 4"}, "specails"),
    (deckcheck.validate, (SWARM,), {"as_of": 2025}, "`as_of` got a value of type"),
    (deckcheck.validate, (SWARM,), {"as_of": "soon"}, "`soon` is not a date"),
    (deckcheck.simulate, (), {}, "`simulate` got no deck"),
    (deckcheck.simulate, ([DECK, 3],), {}, "got a value of type `int`"),
    (deckcheck.simulate, (SWARM, SIEGE), {"games": "3"}, "expected a whole number"),
    (deckcheck.simulate, (SWARM, SIEGE), {"games": 1.5}, "expected a whole number"),
    (deckcheck.simulate, (SWARM, SIEGE), {"seed": None}, "`seed` got None"),
    (deckcheck.simulate, (SWARM, SIEGE), {"jobs": True}, "got a value of type `bool`"),
    (deckcheck.simulate, (SWARM, SIEGE), {"policies": 3}, "a list of texts"),
    (deckcheck.simulate, (SWARM, SIEGE), {"executor": 3}, "an object with `submit`"),
    (deckcheck.simulate, (SWARM, SIEGE), {"progress": 3}, "expected a function"),
    (deckcheck.simulate, (SWARM, SIEGE), {"matchups": 3}, "expected a path"),
    (deckcheck.simulate, (), {"random_decks": True}, "Random decks need a format"),
]


def test_misuse_is_an_error_of_ours() -> None:
    for function, given, options, message in MISUSE:
        with pytest.raises(deckcheck.UsageError) as error:
            function(*given, **options)

        assert message in str(error.value)


def test_errors_name_arguments_and_no_options() -> None:
    for options, message, help in (
        ({"rule": "max specails 4"}, "`rule` column 5: ", "Did you mean"),
        ({"opponents": "monsters"}, "`opponents` does not apply", "Leave it out"),
        ({"selections": "fixed"}, "`selections` does not apply", "Leave it out"),
        ({"players": 3}, "`players` goes with `random_decks` only", "Leave it out"),
    ):
        with pytest.raises(deckcheck.UsageError) as error:
            deckcheck.simulate(SWARM, SIEGE, **options)

        assert error.value.message.startswith(message), options
        assert str(error.value) == f"{error.value.message}. {error.value.help}", options
        assert (error.value.help or "").startswith(help), options
        assert "--" not in f"{error.value.message}{error.value.help}", options


@pytest.mark.parametrize("name", ["compare", "impact", "redraws", "tune"])
@pytest.mark.parametrize("policies", [(), ("random",) * 3])
def test_a_field_is_played_by_one_player_or_two(
    name: str, policies: tuple[str, ...]
) -> None:
    with pytest.raises(deckcheck.UsageError, match="given, expected one or two"):
        getattr(deckcheck, name)(SWARM, policies=policies)


def test_decks_of_each_role_are_read() -> None:
    for name, role in (
        *((name, "against") for name in ("compare", "impact", "redraws", "build")),
        ("solve", "against"),
        ("solve", "start"),
    ):
        about = "gwent/standard" if name in ("build", "solve") else SWARM
        with pytest.raises(deckcheck.UsageError, match=r"`gone\.deck` does not exist"):
            getattr(deckcheck, name)(about, **{role: "gone.deck"})


def test_options_are_explained_where_they_are_keywords() -> None:
    for name in ("simulate", "compare", "tune", "solve"):
        text = getattr(deckcheck, name).__doc__
        assert "\nArguments:\n" in text
        assert "\n    seed: " in text
        assert "--" not in text


def test_names_are_found_and_listed() -> None:
    assert set(deckcheck.__all__) <= set(dir(deckcheck))
    for name in deckcheck.__all__:
        assert getattr(deckcheck, name) is not None


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute `shuffle`"):
        deckcheck.shuffle  # noqa: B018


def test_importing_is_light() -> None:
    code = (
        "import sys, deckcheck; "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'numba', 'pandas', 'yaml')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("page", "left_out"),
    [
        # This plan takes as long as all other examples.
        (PAGES[0], "expect/balance.toml"),
        pytest.param(PAGES[0], None, marks=pytest.mark.slow),
        pytest.param(PAGES[1], None, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_examples_of_the_page(
    page: Path, left_out: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags)
    blocks = re.findall(
        r"^```pycon\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    source = "\n".join(b for b in blocks if not left_out or left_out not in b)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    assert test.examples
    report: list[str] = []
    runner.run(test, out=report.append)

    assert runner.summarize(verbose=False).failed == 0, "".join(report)


EXAMPLES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in sorted(ROOT.glob("deckcheck/**/*.py"))
    if "    >>> " in file.read_text("utf-8")
]


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples_in_docstrings_hold(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)

    results = doctest.testmod(import_module(module))

    assert results.failed == 0
    assert results.attempted > 0
