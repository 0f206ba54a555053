"""The request that an experiment of a plan makes of a simulation."""

from __future__ import annotations

from pathlib import Path

from deckcheck.plans.file import Experiment
from deckcheck.policies.host.registry import DEFAULT_POLICY, read_policy
from deckcheck.sim.defaults import ALPHA, BETA, SEED, SIMULATE_GAMES
from deckcheck.sim.matches.chances import read_chances
from deckcheck.sim.stopping.rules import parse_stopping
from deckcheck.sim.tables.seating import Request


def request_of(experiment: Experiment) -> Request:
    """What an experiment asks for; raises UsageError for what makes no sense."""
    policies = experiment.policies or (DEFAULT_POLICY,)
    for name in policies:
        read_policy(name)
    matchups = experiment.matchups
    return Request(
        games=experiment.games or SIMULATE_GAMES,
        seed=SEED if experiment.seed is None else experiment.seed,
        policies=policies,
        every_policy=bool(experiment.every_policy),
        mirror=bool(experiment.mirror),
        opponents=experiment.opponents or (),
        random_decks=bool(experiment.random_decks),
        players=experiment.players,
        selections=experiment.selections or (),
        matchups=None if matchups is None else read_chances(Path(matchups)),
        stopping=parse_stopping(
            experiment.until_width,
            experiment.sprt,
            ALPHA if experiment.alpha is None else experiment.alpha,
            BETA if experiment.beta is None else experiment.beta,
            elo=experiment.elo or "logistic",
            adaptive=bool(experiment.adaptive),
        ),
    )
