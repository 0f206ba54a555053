"""The Python API by name; `python -m tools.pages` writes this stub."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from deckcheck.api.arguments import CardDb, Decks, Names, Target
from deckcheck.api.runs import Weights
from deckcheck.decks import Deck
from deckcheck.findings import Finding, UsageError
from deckcheck.replays.model import Replay
from deckcheck.sim.errors import IllegalDeckError, SimulationError
from deckcheck.sim.figures import Tabular
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.workers import Executor
from deckcheck.studies.balance.result import BalanceResult
from deckcheck.studies.changes import Changes
from deckcheck.studies.compare import ComparisonResult
from deckcheck.studies.expect import PlanCheck
from deckcheck.studies.impact_result import ImpactResult
from deckcheck.studies.lineups_result import LineupsResult
from deckcheck.studies.meta_result import MetaResult
from deckcheck.studies.redraws_result import RedrawsResult
from deckcheck.studies.search.result import FoundDeck
from deckcheck.studies.solve_result import SolveResult
from deckcheck.validation import DeckReport, Validation
from deckcheck.version import __version__

__all__ = [
    "BalanceResult",
    "Changes",
    "ComparisonResult",
    "Deck",
    "DeckReport",
    "Finding",
    "FoundDeck",
    "IllegalDeckError",
    "ImpactResult",
    "LineupsResult",
    "MetaResult",
    "PlanCheck",
    "RedrawsResult",
    "SimulationError",
    "SimulationResult",
    "SolveResult",
    "UsageError",
    "Validation",
    "__version__",
    "balance",
    "build",
    "compare",
    "compare_formats",
    "expect",
    "frame",
    "impact",
    "merge",
    "meta",
    "parse",
    "read",
    "redraws",
    "replay",
    "report_of",
    "resume",
    "simulate",
    "solve",
    "tune",
    "validate",
]

def balance(
    plan: Target,
    *,
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> BalanceResult: ...
def build(
    format: Target,
    *,
    against: Decks = "reference",
    weights: Weights | None = None,
    allow_illegal: bool = False,
    factions: Names = (),
    thorough: bool = False,
    games: int | None = None,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> FoundDeck: ...
def compare(
    *versions: Decks,
    against: Decks = "reference",
    weights: Weights | None = None,
    allow_illegal: bool = False,
    shard: str | None = None,
    games: int | None = None,
    thorough: bool = False,
    margin: float = 0.5,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ComparisonResult: ...
def compare_formats(
    *decks: Decks,
    new_format: Target,
    against: Decks = (),
    allow_illegal: bool = False,
    games: int | None = None,
    thorough: bool = False,
    margin: float = 0.5,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Changes: ...
def expect(
    plan: Target,
    *,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> PlanCheck: ...
def frame(
    *runs: Target | Tabular,
    card_db: CardDb = None,
    **named: Target | Tabular,
) -> pd.DataFrame: ...
def impact(
    deck: Deck | Target,
    *,
    against: Decks = "reference",
    weights: Weights | None = None,
    allow_illegal: bool = False,
    card: str | None = None,
    games: int | None = None,
    thorough: bool = False,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ImpactResult: ...
def merge(
    *runs: Target | Sequence[Target],
    into: Target,
) -> None: ...
def meta(
    run: Target | SimulationResult,
    *,
    weights: Weights | None = None,
    seed: int = 1,
    card_db: CardDb = None,
) -> MetaResult: ...
def parse(
    text: str,
    *,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> Deck: ...
def read(
    *targets: Target | Sequence[Target],
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> list[Deck]: ...
def redraws(
    deck: Deck | Target,
    *,
    against: Decks = "reference",
    hand: Target | Sequence[str] | None = None,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    games: int | None = None,
    thorough: bool = False,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> RedrawsResult: ...
def replay(
    run: Target,
    pairing: str | None = None,
    game: int = 1,
    *,
    lost: bool = False,
    closest: bool = False,
    card_db: CardDb = None,
) -> Replay: ...
def report_of(
    *what: Target | SimulationResult | Any,
    output_format: str = "html",
    history: bool = False,
    full: bool = False,
    losses: str | None = None,
    sample: int = 80,
    card_db: CardDb = None,
) -> str: ...
def resume(
    run: Target,
    *,
    games: int | None = None,
    repair: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> Any: ...
def simulate(
    *decks: Decks,
    against: Decks = (),
    gauntlet: bool = False,
    allow_illegal: bool = False,
    games_table: Target | None = None,
    shard: str | None = None,
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    until_width: str | float | None = None,
    sprt: str | tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    elo: str = "logistic",
    adaptive: bool = False,
    games: int | None = None,
    thorough: bool = False,
    seed: int = 1,
    policies: Names = "auto",
    every_policy: bool = False,
    mirror: bool = False,
    opponents: Names = (),
    random_decks: bool = False,
    players: int | None = None,
    selections: Names = (),
    matchups: Target | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SimulationResult: ...
def solve(
    format: Target,
    *,
    start: Decks = (),
    against: Decks = (),
    allow_illegal: bool = False,
    games: int | None = None,
    thorough: bool = False,
    bound: float = 3.0,
    rounds: int | None = None,
    factions: Names = (),
    seed: int = 1,
    policy: str = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SolveResult | LineupsResult: ...
def tune(
    deck: Deck | Target,
    *,
    against: Decks = "reference",
    weights: Weights | None = None,
    allow_illegal: bool = False,
    changes: int = 4,
    keep: Names = (),
    change_leader: bool = False,
    games: int | None = None,
    thorough: bool = False,
    seed: int = 1,
    policies: Names = "auto",
    cross_check: str | None = "auto",
    cross_check_games: int | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> FoundDeck: ...
def validate(
    *targets: Decks,
    text: str | None = None,
    suppressions: bool = True,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> Validation: ...
