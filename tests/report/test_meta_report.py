"""What to bring, as it is shown, from results of simulations."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from results import deck, result_of

from deckcheck.findings import UsageError
from deckcheck.studies.meta import field_of, meta_of, read_field
from deckcheck.studies.meta_report import META
from deckcheck.studies.registry import write_report


def shown(name: str) -> str:
    field = field_of(result_of(deck("Siege"), deck("Swarm"), deck("Spies_*")))
    stream = io.StringIO()
    dict(META.writers())[name](meta_of(field, (1, 1, 0), resamples=5), stream)
    return stream.getvalue()


def test_a_saved_result_is_the_same_field(tmp_path: Path) -> None:
    result = result_of(deck("Siege"), deck("Swarm"), deck("Spies"))
    file = tmp_path / "result.json"
    file.write_text(write_report(result, "json"), encoding="utf-8")

    assert read_field(file) == field_of(result)


def test_the_answer_comes_first() -> None:
    first = shown("table").partition("\n\n")[0]

    assert first.startswith("Against the field that you expect, bring `Siege`")


def test_markdown_quotes_names_in_bold() -> None:
    text = shown("markdown")

    assert text.startswith("Against the field that you expect, bring **Siege**")
    assert "Spies\\_\\*" in text
    assert "`" not in text


def test_json_and_csv_have_all_decks() -> None:
    assert [each["name"] for each in json.loads(shown("json"))["players"]] == [
        "Siege",
        "Swarm",
        "Spies_*",
    ]
    shares = [line for line in shown("csv").splitlines() if ",share," in line]
    assert [line.partition(",")[0] for line in shares] == ["Siege", "Swarm", "Spies_*"]


def test_decks_that_have_not_met_are_named() -> None:
    result = result_of(deck("Siege"), deck("Swarm"), deck("Spies"))
    with pytest.raises(UsageError, match="`Siege` and `Spies` have not met"):
        field_of(replace(result, tables=(result.tables[0], result.tables[2])))
    with pytest.raises(UsageError, match="no decks that met"):
        field_of(replace(result, tables=()))
