"""`python -m tools.golden`: what it covers, what it leaves out, and what it notices."""

import sys
from pathlib import Path

import pytest

from tools.golden import (
    Names,
    cases_of,
    differences,
    main,
    normalised,
    outputs_in,
    plan_of_games,
    write,
)


def names(**changes: object) -> object:
    some: dict[str, object] = {"commands": ["rule", "schema"], "outputs": {}}
    some |= {"schemas": ["deck"], "rules": ["too-few-cards"], "formats": []}
    return Names(**{**some, "policies": ["random"], **changes})  # type: ignore[arg-type]


TEMPLATES = {
    "rule/{rule}": ("rule {rule}",),
    "schema/{schema}": ("schema {schema}",),
    "cards": ("cards list --output-format json", "cards list"),
    "formats/{format}": (
        "formats show {format}",
        "simulate --plan games/{format}/plan.toml -q",
    ),
}


def test_each_name_has_a_case() -> None:
    cases = cases_of(names(schemas=["deck", "card"], formats=["a/b"]), TEMPLATES)

    assert list(cases) == [
        *("rule/too-few-cards", "schema/deck", "schema/card", "cards", "formats/a/b")
    ]
    assert cases["schema/card"] == ("schema card",)


@pytest.mark.parametrize(
    ("changes", "templates", "gap"),
    [
        ({"commands": ["stats"]}, TEMPLATES, "stats"),
        ({"commands": ["stats"]}, {"h": ("stats --help",)} | TEMPLATES, "stats"),
        (
            {"outputs": {"cards": ["json", "csv"]}},
            TEMPLATES,
            "cards --output-format csv",
        ),
        ({}, {"rule/{rule}": ("rule {rule}",)}, "schema\nschema deck"),
        (
            {"formats": ["a/b"]},
            {**TEMPLATES, "formats/{format}": ()},
            "formats show a/b",
        ),
    ],
)
def test_what_no_case_uses_is_named(
    changes: dict[str, object], templates: dict[str, tuple[str, ...]], gap: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        cases_of(names(**changes), templates)

    assert str(stopped.value).startswith(f"No case has\n{gap}")


@pytest.mark.parametrize(
    ("error", "outputs"),
    [
        (
            "error: Unknown output `?`\nhelp: Outputs are `full` and `json`\n",
            "full json",
        ),
        (
            "error: Invalid value: `?`, choose `table` or `json`\nhelp: See `x`",
            "table json",
        ),
        ("error: No such option `--output-format`\nhelp: Did you mean `--output`", ""),
    ],
)
def test_outputs_are_read_from_what_a_command_says(error: str, outputs: str) -> None:
    assert list(outputs_in(error)) == outputs.split()
    with pytest.raises(SystemExit, match="no such file"):
        outputs_in("error: no such file")


def test_what_may_vary_is_left_out(tmp_path: Path) -> None:
    text = f"{tmp_path}/a.deck\nspeed     1,234 games/s\nchecksum  0123456789ab\n"
    same = "FOLDER/a.deck\nspeed     N games/s\nchecksum  0123456789ab\n"
    compiled = "compiling the gwent engine, once per version (up to a minute) ...\n"
    compiled += "preliminary: `a` wins 50.0 % of the first 4 games (15.0 to 85.0)\n"

    assert normalised(compiled + text, tmp_path) == same


def test_differences_of_two_recordings(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    both = {"same/1.txt": b"a\n", "b/1/out.parquet": b"\xff\n"}
    write(old, {**both, "rule/1.txt": b"one\ntwo\n", "gone/1.txt": b""})
    write(new, {**both, "rule/1.txt": b"one\nthree\n", "more/1.txt": b""})
    write(new, {"b/1/out.parquet": b"\xfe\n"})

    assert list(differences(old, new)) == [
        "differs: b/1/out.parquet\n  not text\n",
        "missing: gone/1.txt\n",
        "extra: more/1.txt\n",
        "differs: rule/1.txt\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +three\n",
    ]
    assert list(differences(old, old)) == []


def test_games_are_played_by_every_player() -> None:
    plan = plan_of_games("gwent/standard", ["heuristic-1", "search"])

    assert '[experiments.heuristic_1]\npolicies = ["heuristic-1"]\n' in plan
    assert 'policies = ["search:4"]' in plan


@pytest.mark.parametrize("words", [[], ["record"], ["look", "x"], ["compare", "gone"]])
def test_misuse(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err
    assert "tools.golden" in sys.modules
