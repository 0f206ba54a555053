"""`sarif`: SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TextIO

from deckcheck.findings import Finding, Position, Rule, Severity, Span
from deckcheck.findings.style import Style
from deckcheck.findings.words import printable_lines
from deckcheck.reporters.base import full_message, write_object
from deckcheck.reporters.fingerprints import fingerprinted
from deckcheck.rules.docs import shown_deck
from deckcheck.rules.registry import ALL_RULES
from deckcheck.validation import Validation
from deckcheck.version import SEMANTIC_VERSION

__all__ = ["write_misuse", "write_sarif"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
MOST_RESULTS = 25_000
"""As many as GitHub takes: it refuses a run that has more."""
FINGERPRINT = "deckcheck/v1"
_PLACE = re.compile(r"\s*(\S[^:\n]*):([1-9][0-9]{0,6}):([1-9][0-9]{0,6}): ")


def write_sarif(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write one run with every finding as a result, and the rules that they name."""
    used = {finding.code for finding in run.findings}
    rules = [rule for rule in ALL_RULES if rule.code in used]
    places = {rule.code: index for index, rule in enumerate(rules)}
    driver = {
        "name": "deckcheck",
        "semanticVersion": SEMANTIC_VERSION,
        "rules": [_rule(rule) for rule in rules],
    }
    found = [*fingerprinted(run)]
    shown = _shown(found)
    results = [
        _result(finding, places[finding.code], fingerprint)
        for finding, fingerprint in shown
    ]
    said = [_cut(len(found))] if len(shown) < len(found) else []
    content = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                **({"invocations": said} if said else {}),
                "results": results,
                "properties": {"leftOut": run.left_out.as_data()},
            }
        ],
    }
    write_object(content, stream)


def _shown(found: Sequence[tuple[Finding, str]]) -> list[tuple[Finding, str]]:
    """The findings that services take, in their order: errors before warnings."""
    weights = [severity.value for severity in Severity]
    by_weight = sorted(found, key=lambda pair: weights.index(pair[0].severity.value))
    kept = {fingerprint for _, fingerprint in by_weight[:MOST_RESULTS]}
    return [pair for pair in found if pair[1] in kept]


def _cut(findings: int) -> dict[str, object]:
    """What says that the log has not all findings."""
    text = (
        f"{findings:,} findings, of which the {MOST_RESULTS:,} gravest are results: "
        "code scanning takes no more. The output `json` has all of them"
    )
    notification = {"level": "warning", "message": {"text": text}}
    return {
        "executionSuccessful": True,
        "toolExecutionNotifications": [notification],
    }


def write_misuse(message: str, help: str | None, stream: TextIO) -> None:
    """Write a run that could not be carried out: no results, and its error."""
    text = printable_lines(message if help is None else f"{message}\n{help}")
    notification: dict[str, object] = {"level": "error", "message": {"text": text}}
    places = [_PLACE.match(line) for line in message.splitlines()]
    locations = [
        _location(place[1], Span(start, start))
        for place in places
        if place is not None
        for start in (Position(int(place[2]), int(place[3])),)
    ]
    if locations:
        notification["locations"] = locations
    invocation = {
        "executionSuccessful": False,
        "exitCode": 2,
        "toolConfigurationNotifications": [notification],
    }
    driver = {"name": "deckcheck", "semanticVersion": SEMANTIC_VERSION, "rules": []}
    runs = [{"tool": {"driver": driver}, "invocations": [invocation], "results": []}]
    write_object({"$schema": SCHEMA, "version": "2.1.0", "runs": runs}, stream)


def _rule(rule: Rule) -> dict[str, object]:
    bad, good = shown_deck(rule.bad), shown_deck(rule.good)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.what},
        "defaultConfiguration": {"level": rule.severity.value},
        "help": {
            "text": _paragraphs(
                [
                    rule.what,
                    f"Why: {rule.why}",
                    f"{rule.example} with this finding:\n{bad}",
                    f"{rule.example} without it:\n{good}",
                ]
            ),
            "markdown": _paragraphs(
                [
                    rule.what,
                    f"**Why:** {rule.why}",
                    f"{rule.example} with this finding:\n\n```\n{bad}\n```",
                    f"{rule.example} without it:\n\n```\n{good}\n```",
                ]
            ),
        },
    }


def _paragraphs(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)


def _result(finding: Finding, rule_index: int, fingerprint: str) -> dict[str, object]:
    content: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": finding.severity.value,
        "message": {"text": full_message(finding)},
        "locations": [_location(finding.path, finding.span)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if finding.related:
        content["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": related.message},
                **_location(finding.path, related.span),
            }
            for number, related in enumerate(finding.related, start=1)
        ]
    return content


def _location(path: str, span: Span) -> dict[str, object]:
    start, end = span
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(path),
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        }
    }


def _artifact(path: str) -> dict[str, str]:
    """The address of a file, relative to the root of the sources if it is in there."""
    from urllib.parse import quote

    address = quote(path, errors="surrogateescape")
    if path.startswith("/"):
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": "%SRCROOT%"}
