"""`deckcheck rule`: explain a kind of finding, or list them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.options.shared import Color, OutputFile
from deckcheck.cli.printing import say, style_of
from deckcheck.cli.writing import printed_to
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

if TYPE_CHECKING:
    from deckcheck.findings import Rule
    from deckcheck.findings.style import Style


def rule(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|CODE]",
            autocompletion=completing.rules,
            help="Name or code of a finding, such as too-many-copies or DL103; by "
            "default all are listed.",
            show_default=False,
        ),
    ] = None,
    *,
    output: OutputFile = None,
    color: Color = "auto",
) -> None:
    """Explain a finding: what it means, why, and a deck with and without it."""
    from deckcheck.rules import ALL_RULES

    with printed_to(output):
        if name is not None:
            _explain(_find(name, ALL_RULES), style_of(color, output))
            return
        width = max(len(listed.name) for listed in ALL_RULES)
        for listed in ALL_RULES:
            say(f"{listed.code}  {listed.name:{width}}  {listed.summary}")


def _find(name: str, rules: tuple[Rule, ...]) -> Rule:
    for candidate in rules:
        if name.lower() in (candidate.name, candidate.code.lower()):
            return candidate
    from deckcheck.cards.names import SUGGESTIONS, closest

    names = [word for candidate in rules for word in (candidate.name, candidate.code)]
    near = [rule_name for rule_name in names if name.lower() in rule_name.split("-")][
        :SUGGESTIONS
    ]
    near = near or closest(name, names, limit=1)
    help = "`deckcheck rule` lists them all"
    if near:
        help = f"Did you mean {choice(near)}?"
    raise UsageError(f"Unknown finding {quote(name)}", help)


def _explain(explained: Rule, style: Style) -> None:
    from deckcheck.rules.docs import shown_deck

    head = f"{explained.name} ({explained.code}, {explained.severity})"
    say(head, lambda text: style.severity(explained.severity, text))
    parts = [
        explained.summary,
        explained.what,
        f"Why\n{_indent(explained.why)}",
        f"{explained.example} with this finding\n{_indent(shown_deck(explained.bad))}",
        f"{explained.example} without it\n{_indent(shown_deck(explained.good))}",
    ]
    say("\n" + "\n\n".join(parts))


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
