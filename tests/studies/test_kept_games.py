"""Games that were played are not played again, whatever is asked, and say the same."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.commands import stdout_of
from helpers.results import SHIPS, SIEGE, STANDARD, SWARM

from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.sim import jobs, scheduler
from deckcheck.sim.interrupts import Interrupts
from deckcheck.sim.warmup import warm_format

LINEUPS = STANDARD.parent / "tournament"
KIN = LINEUPS / "kin_of_the_coast.deck"
LEAGUE = Path(__file__).parents[2] / "examples" / "balance" / "league.yaml"

FIELD = f"--against {SWARM} --against {SHIPS}"
AGAIN = "--policy random --cross-check sane_random --cross-check-games 20"
STUDIES = {
    "simulate": f"simulate {SWARM} {SIEGE} {SHIPS} -n 100 {AGAIN}",
    "until": f"simulate {SWARM} {SIEGE} -n 9000 --policy random --until-width 8%",
    "match": f"simulate {LINEUPS}/*.deck -f gwent/tournament -n 20 --policy random",
    "compare": f"compare {SIEGE} {SHIPS} --against {SWARM} --margin 9 {AGAIN}",
    "mine": f"meta --mine {SIEGE} {SHIPS} --against {SWARM} -n 100 {AGAIN}",
    "format": f"compare --new-format {LEAGUE} {SHIPS} {SWARM} -n 100 --policy random",
    "impact": f"impact {SIEGE} {FIELD} -n 16 {AGAIN}",
    "redraws": f"impact {SIEGE} --redraws {FIELD} -n 40 {AGAIN}",
    "tune": f"tune {SIEGE} {FIELD} -n 2000 {AGAIN}",
    "build": f"build gwent/standard --faction Skellige {FIELD} -n 1600 {AGAIN}",
    "solve": "solve gwent/standard --faction Skellige --faction Monsters "
    f"{FIELD} -n 800 --rounds 1 {AGAIN}",
    "lineups": f"solve gwent/tournament --start {LINEUPS} --against {KIN} -n 1500 "
    "--policy random --cross-check none",
    "balance": "balance plan.toml --cross-check sane_random --cross-check-games 20",
}
PLAN = f"""
decks = ["{STANDARD}/mo_w*.deck", "{SHIPS}"]
format = "{LEAGUE}"
policy = "random"
games = 10
[targets]
deck = 58
"""
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep games in a cache of the test, and play short blocks in this process."""
    warm_format(load_format("gwent/standard"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("DECKCHECK_NO_KEEP")
    monkeypatch.setattr(jobs, "MOST_TOGETHER", 1)
    monkeypatch.setattr(scheduler, "MOST_HERE", 1)
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    return tmp_path / "cache" / "deckcheck" / "runs"


def words(name: str, *more: str) -> list[str]:
    """The command of a study."""
    return [*STUDIES[name].split(), "-j", "1", "-q", "--output-format", "json", *more]


@pytest.fixture
def count_checks(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Count the looks at Ctrl-C, and let it come with the look of a number."""

    def count(last: int) -> list[int]:
        seen: list[int] = []

        def check(_: Interrupts) -> None:
            seen.append(len(seen))
            if len(seen) == last:
                raise KeyboardInterrupt

        monkeypatch.setattr(Interrupts, "check", check)
        return seen

    return count


@pytest.mark.compiled
@pytest.mark.parametrize("moments", [1, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", STUDIES)
def test_kept_games_say_what_fresh_games_say(
    name: str, moments: int, capsys: Captured, count_checks: Any
) -> None:
    checks = count_checks(0)
    fresh = stdout_of(capsys, *words(name, "--run", "fresh"))
    blocks = len(checks)
    for moment in Random(name).choices(range(1, blocks), k=moments):
        count_checks(moment)
        assert main(words(name)) in (0, 130)
        partial = capsys.readouterr().out
        assert not partial or json.loads(partial)
    count_checks(0)
    assert stdout_of(capsys, *words(name)) == fresh
    checks = count_checks(0)

    assert stdout_of(capsys, *words(name)) == fresh
    assert len(checks) == 0 < blocks


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["balance", "tune"])
def test_an_interrupted_answer_is_an_answer(
    name: str, capsys: Captured, count_checks: Any, cache: Path
) -> None:
    checks = count_checks(0)
    whole = json.loads(stdout_of(capsys, *words(name, "--no-keep")))
    # How many blocks there are depends on the speed of the machine.
    count_checks(3 * len(checks) // 4)
    partial = json.loads(stdout_of(capsys, *words(name, "--no-keep"), code=130))

    assert partial.keys() <= whole.keys()
    assert (whole["complete"], partial["complete"]) == (True, False)
    assert not cache.exists()


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["compare", "solve"])
def test_an_answer_is_interrupted_before_its_first_checkpoint(
    name: str, capsys: Captured, count_checks: Any
) -> None:
    count_checks(1)
    partial = json.loads(stdout_of(capsys, *words(name, "--no-keep"), code=130))

    assert not partial["complete"]
    assert partial["games_played"] > 0
