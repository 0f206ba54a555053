"""Findings about a plan: what it expects of win rates, and what games say of that.

What plays them is `deckcheck expect`.
"""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

_PLAN = """\
[experiments.duel]
decks = ["nr_siege_masters.deck", "mo_swarm.deck"]
policies = ["random"]
games = {games}
expect = ["win_rate(mo_swarm) {side} {bound}"]
"""

FAILED_EXPECTATION = Rule(
    code="DW101",
    name="failed-expectation",
    summary="A win rate is not what the plan expects",
    what="""\
The interval of a win rate lies outside the bounds that the plan states, with the
confidence that it asks for. Of an expectation about several rates one is enough.""",
    why="""\
A designer who changes a card wants to know what that does to the balance. More games
do not help here: change the cards, or what is expected of them.""",
    bad=_PLAN.format(games=200, side=">", bound="0.99"),
    good=_PLAN.format(games=200, side="<", bound="0.99"),
    about="plan",
)

OPEN_EXPECTATION = Rule(
    code="DW102",
    name="open-expectation",
    summary="Too few games to say whether a win rate is what the plan expects",
    what="""\
The interval of a win rate holds a bound that the plan states: the true rate may lie on
either side of it.""",
    why="""\
Games by chance decide a question only when there are enough of them. Play more, or let
`until_decided = true` play as many as it takes; a rate that lies on the bound is never
decided.""",
    bad=_PLAN.format(games=2, side="<", bound="0.6"),
    good=_PLAN.format(games=200, side="<", bound="0.99"),
    severity=Severity.WARNING,
    about="plan",
)

PLAN_RULES: tuple[Rule, ...] = (FAILED_EXPECTATION, OPEN_EXPECTATION)
