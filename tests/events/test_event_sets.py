"""An event of a format whose sets change cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deckcheck.cli import main


def test_the_summary_says_what_sets_change(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = "title: League\nextends: gwent/standard\nsets: [winter.yaml]\n"
    (cup / "league.yaml").write_text(league, encoding="utf-8")
    change = "change: {Catapult: {strength: 10}}\n"
    (cup / "winter.yaml").write_text(change, encoding="utf-8")
    event = (cup / "event.toml").read_text(encoding="utf-8")
    event = event.replace("gwent/standard", "league.yaml")
    (cup / "event.toml").write_text(event, encoding="utf-8")

    assert main(["event", "event.toml"]) == 0
    shown = capsys.readouterr().out
    assert "\nwinter.yaml changes Catapult (strength 10, not 8)\n" in shown

    assert main(["event", "event.toml", "--output-format", "json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["changes"]
    assert (found["id"], found["set"]) == ("catapult", "winter.yaml")
