"""Findings for programs: JSON, SARIF, JUnit, GitHub, GitLab, reviewdog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from deckcheck.findings import (
    Finding,
    Position,
    Rule,
    Severity,
    Span,
    split_lines,
)
from deckcheck.markup import json_text
from deckcheck.messages import plural, printable, printable_lines
from deckcheck.reporters.base import (
    full_message,
    left_out_line,
    summarise,
    write_object,
)
from deckcheck.reporters.baseline import fingerprint_findings
from deckcheck.reporters.repository import in_repository, make_locator
from deckcheck.rules import ALL_RULES, explain, shown_deck
from deckcheck.rules import OPEN_EXPECTATION as OPEN
from deckcheck.terminal import PLAIN, Style
from deckcheck.validation import DeckReport, FileReport, Validation
from deckcheck.validation.verdicts import finding_data
from deckcheck.version import SEMANTIC_VERSION

if TYPE_CHECKING:
    from deckcheck.validation.documents import FindingLine


_SEVERITY_WORDS = {
    "github": ("error", "warning", "notice"),
    "gitlab": ("major", "minor", "info"),
    "rdjson": ("ERROR", "WARNING", "INFO"),
}
"""The words for each severity, the worst first, by output."""


def _severity_rank(finding: Finding) -> int:
    """Return the place of a finding's severity, 0 for the worst."""
    return list(Severity).index(finding.severity)


# `json`: everything, for programs. Keys are never removed, more may be added.


def write_json(run: Validation, stream: TextIO, *_: object) -> None:
    """Write everything as a JSON object."""
    write_object(run.to_dict(), stream)


# `jsonl`: a line of JSON per finding, for programs that read line by line


def write_jsonl(run: Validation, stream: TextIO, *_: object) -> None:
    """Write each finding with its deck. Legal decks give no line."""
    for part in run.parts:
        for finding in part.findings:
            stream.write(json_text(_finding_line(part, finding), indent=None))


def _finding_line(part: DeckReport | FileReport, finding: Finding) -> FindingLine:
    """Return a finding with its deck, if it is about a deck and not a whole file."""
    line: FindingLine = {
        **finding_data(finding),
        "index": part.source.index,
        "deck": None,
        "format": None,
        "snapshot": None,
    }
    if isinstance(part, DeckReport):
        line["deck"] = part.name
        if part.format is not None:
            line["format"] = part.format.id
            line["snapshot"] = part.format.snapshot
    return line


# `github`: workflow commands that GitHub shows on the lines of a pull request


def write_github(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a command per finding, errors first: GitHub shows ten per level.

    Left-out files get a notice.
    """
    run = in_repository(run)
    for finding in sorted(run.findings, key=_severity_rank):
        stream.write(_github_command(finding) + "\n")
    for line in left_out_line(run):
        stream.write(f"::notice title=Files other than decks::{_escape_data(line)}\n")
    if with_summary:
        stream.write(summarise(run, PLAIN) + "\n")


def _github_command(finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    properties = {
        "file": finding.path,
        "line": str(start.line),
        "endLine": str(end.line),
        "col": str(start.column),
    }
    # The column after the last character, and none when the finding spans lines.
    if start.line == end.line:
        properties["endColumn"] = str(max(end.column, start.column))
    properties["title"] = f"{finding.code} {finding.name}"
    listed = []
    for key, text in properties.items():
        value = _escape_data(text).replace(":", "%3A").replace(",", "%2C")
        listed.append(f"{key}={value}")
    message = _escape_data(full_message(finding))
    command = _SEVERITY_WORDS["github"][_severity_rank(finding)]
    return f"::{command} {','.join(listed)}::{message}"


def _escape_data(text: str) -> str:
    coded = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    # GitHub decodes only these. The log of a job is read in terminals too.
    return printable(coded)


# `gitlab`: a Code Quality report, which GitLab shows in merge requests


def write_gitlab(run: Validation, stream: TextIO, *_: object) -> None:
    """Write a list of findings, each with a fingerprint that survives line moves."""
    found = fingerprint_findings(in_repository(run))
    write_object([_gitlab_issue(finding, known) for finding, known in found], stream)


def _gitlab_issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    start, end = finding.span
    return {
        "description": f"{finding.code} {finding.name}: {printable(finding.message)}",
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITY_WORDS["gitlab"][_severity_rank(finding)],
        "location": {
            "path": finding.path,
            "lines": {"begin": start.line, "end": end.line},
        },
    }


# `junit`: a test case per deck, for programs that show test results.
#
# Findings about a file beyond its decks are a case too.

# XML 1.0 cannot hold these, not even escaped.
_FORBIDDEN_CHARACTERS = re.compile(
    r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def write_junit(run: Validation, stream: TextIO, *_: object) -> None:
    """Write a case for every deck: errors are its failure, the rest its output."""
    run = in_repository(run)
    illegal = sum(not part.legal for part in run.parts)
    counts = f'tests="{len(run.parts)}" failures="{illegal}" errors="0"'
    skipped = sum(_is_open(part) for part in run.parts)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites name="deckcheck" {counts}>\n')
    stream.write(f'  <testsuite name="deckcheck" {counts} skipped="{skipped}">\n')
    if run.left_out:
        value = _quote_attribute(str(run.left_out))
        stream.write("    <properties>\n")
        stream.write(f'      <property name="left out" value={value} />\n')
        stream.write("    </properties>\n")
    for part in run.parts:
        stream.writelines(f"{line}\n" for line in _junit_case(part))
    stream.write("  </testsuite>\n</testsuites>\n")


def _junit_case(report: DeckReport | FileReport) -> Iterator[str]:
    path = _quote_attribute(report.source.path)
    head = f"name={_quote_attribute(_name(report))} classname={path} file={path}"
    if not report.findings:
        yield f"    <testcase {head} />"
        return
    yield f"    <testcase {head}>"
    errors = [f for f in report.findings if f.severity is Severity.ERROR]
    others = [f for f in report.findings if f.severity is not Severity.ERROR]
    if errors:
        message = errors[0].message
        if len(errors) > 1:
            message = f"{plural(len(errors), 'error')}, the first: {message}"
        kind = _quote_attribute(errors[0].name)
        yield f"      <failure message={_quote_attribute(message)} type={kind}>"
        yield f"{_junit_text(errors)}</failure>"
    if _is_open(report):
        yield f"      <skipped message={_quote_attribute(others[0].message)} />"
    if others:
        yield f"      <system-out>{_junit_text(others)}</system-out>"
    yield "    </testcase>"


def _is_open(report: DeckReport | FileReport) -> bool:
    """Report whether games have neither proved nor refuted an expectation."""
    return report.legal and any(f.code == OPEN.code for f in report.findings)


def _name(report: DeckReport | FileReport) -> str:
    """Return the name of a deck, with its number where a file holds several."""
    number = report.source.index + 1
    if report.name is None:
        return f"deck {number}"
    if number > 1:
        return f"{report.name} (deck {number})"
    return report.name


def _junit_text(findings: Sequence[Finding]) -> str:
    from xml.sax.saxutils import escape

    blocks = []
    for finding in findings:
        head = f"{printable(finding.place)}: {finding.kind} {finding.name}"
        blocks.append(f"{head}: {full_message(finding)}")
    return escape(_FORBIDDEN_CHARACTERS.sub("\ufffd", "\n\n".join(blocks)))


def _quote_attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(_FORBIDDEN_CHARACTERS.sub("\ufffd", printable(text)))


# `rdjson`: the Reviewdog Diagnostic Format, for comments in code reviews


def write_rdjson(run: Validation, stream: TextIO, *_: object) -> None:
    """Write a JSON object with columns in bytes of UTF-8, as the format wants it."""
    diagnostics = []
    text, lines = "", [""]
    for report in in_repository(run).parts:
        if report.findings and report.text is not text:
            text, lines = report.text, split_lines(report.text)
        for finding in report.findings:
            diagnostics.append(_rdjson_diagnostic(finding, lines))
    content = {"source": {"name": "deckcheck"}, "diagnostics": diagnostics}
    write_object(content, stream)


def _rdjson_diagnostic(finding: Finding, lines: Sequence[str]) -> dict[str, object]:
    content: dict[str, object] = {
        "message": full_message(finding),
        "location": _rdjson_location(finding.path, finding.span, lines),
        "severity": _SEVERITY_WORDS["rdjson"][_severity_rank(finding)],
        "code": {"value": f"{finding.code} {finding.name}"},
    }
    if finding.related:
        content["related_locations"] = locations = []
        for related in finding.related:
            location = _rdjson_location(finding.path, related.span, lines)
            locations.append({"message": related.message, "location": location})
    return content


def _rdjson_location(path: str, span: Span, lines: Sequence[str]) -> dict[str, object]:
    start = _rdjson_position(span.start, lines)
    end = _rdjson_position(span.end, lines)
    return {"path": path, "range": {"start": start, "end": end}}


def _rdjson_position(position: Position, lines: Sequence[str]) -> dict[str, int]:
    before = ""
    if position.line <= len(lines):
        before = lines[position.line - 1][: position.column - 1]
    wider = len(before.encode("utf-8", errors="surrogatepass")) - len(before)
    return {"line": position.line, "column": position.column + wider}


# `sarif`: SARIF 2.1.0, which code scanning services and editors read

SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
MAX_RESULTS = 25_000
"""The most results that GitHub takes: it refuses a run with more."""
FINGERPRINT_KEY = "deckcheck/v1"
_MESSAGE_PLACE = re.compile(r"\s*(\S[^:\n]*):([1-9][0-9]{0,6}):([1-9][0-9]{0,6}): ")


def write_sarif(run: Validation, stream: TextIO, *_: object) -> None:
    """Write a run with every finding as a result, and the rules that they name.

    After a comparison with a baseline, each result has its state: new or unchanged.
    """
    run = in_repository(run)
    new = None if run.whole is None else set(run.findings)
    run = run.whole or run
    used = {finding.code for finding in run.findings}
    rules = [rule for rule in ALL_RULES if rule.code in used]
    indexes = {rule.code: index for index, rule in enumerate(rules)}
    driver = {
        "name": "deckcheck",
        "semanticVersion": SEMANTIC_VERSION,
        "rules": [_sarif_rule(rule) for rule in rules],
    }
    found = [*fingerprint_findings(run)]
    shown = _limit_results(found)
    results = []
    for finding, fingerprint in shown:
        result = _sarif_result(finding, indexes[finding.code], fingerprint)
        if new is not None:
            result["baselineState"] = "new" if finding in new else "unchanged"
        results.append(result)
    content: dict[str, object] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
    }
    if len(shown) < len(found):
        content["invocations"] = [_cut_notice(len(found))]
    content["results"] = results
    content["properties"] = {"leftOut": run.left_out.as_data()}
    write_object(
        {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [content]}, stream
    )


def _limit_results(found: Sequence[tuple[Finding, str]]) -> list[tuple[Finding, str]]:
    """Return the findings that services take, errors first, in their order."""
    by_weight = sorted(found, key=lambda pair: _severity_rank(pair[0]))
    allowed = {fingerprint for _, fingerprint in by_weight[:MAX_RESULTS]}
    return [pair for pair in found if pair[1] in allowed]


def _cut_notice(findings: int) -> dict[str, object]:
    """Return the notice that the log does not have all findings."""
    text = (
        f"Only the {MAX_RESULTS:,} most severe of {findings:,} findings are results, "
        "since code scanning takes no more. The output `json` has all findings"
    )
    notification = {"level": "warning", "message": {"text": text}}
    return {
        "executionSuccessful": True,
        "toolExecutionNotifications": [notification],
    }


def write_misuse(message: str, help: str | None, stream: TextIO) -> None:
    """Write a run that could not be carried out: no results, and its error."""
    text = message
    if help is not None:
        text = f"{message}\n{help}"
    text = printable_lines(text)
    notification: dict[str, object] = {"level": "error", "message": {"text": text}}
    locate = make_locator()
    locations = []
    for line in message.splitlines():
        found = _MESSAGE_PLACE.match(line)
        if found is None:
            continue
        path = found[1] if locate is None else locate(found[1])
        start = Position(int(found[2]), int(found[3]))
        locations.append(_sarif_location(path, Span(start, start)))
    if locations:
        notification["locations"] = locations
    invocation = {
        "executionSuccessful": False,
        "exitCode": 2,
        "toolConfigurationNotifications": [notification],
    }
    driver = {"name": "deckcheck", "semanticVersion": SEMANTIC_VERSION, "rules": []}
    runs = [{"tool": {"driver": driver}, "invocations": [invocation], "results": []}]
    write_object({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": runs}, stream)


def _sarif_rule(rule: Rule) -> dict[str, object]:
    meaning, reason, *decks = explain(rule)
    bad, good = map(shown_deck, decks)
    has, lacks = f"{rule.example} with this finding:", f"{rule.example} without it:"
    plain, fenced = "", ""
    if bad:
        plain = f"\n\n{has}\n{bad}\n\n{lacks}\n{good}"
        fenced = f"\n\n{has}\n\n```\n{bad}\n```\n\n{lacks}\n\n```\n{good}\n```"
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": meaning},
        "defaultConfiguration": {"level": rule.severity.value},
        "help": {
            "text": f"{meaning}\n\nWhy: {reason}{plain}",
            "markdown": f"{meaning}\n\n**Why:** {reason}{fenced}",
        },
    }


def _sarif_result(
    finding: Finding, rule_index: int, fingerprint: str
) -> dict[str, object]:
    content: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": finding.severity.value,
        "message": {"text": full_message(finding)},
        "locations": [_sarif_location(finding.path, finding.span)],
        "partialFingerprints": {FINGERPRINT_KEY: fingerprint},
    }
    if finding.related:
        content["relatedLocations"] = locations = []
        for number, related in enumerate(finding.related, start=1):
            location = _sarif_location(finding.path, related.span)
            message = {"text": related.message}
            locations.append({"id": number, "message": message, **location})
    return content


def _sarif_location(path: str, span: Span) -> dict[str, object]:
    start, end = span
    return {
        "physicalLocation": {
            "artifactLocation": _sarif_artifact(path),
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        }
    }


def _sarif_artifact(path: str) -> dict[str, str]:
    """Return the address of a file, relative to the root of the sources if possible."""
    from urllib.parse import quote

    address = quote(path, errors="surrogateescape")
    if path.startswith("/"):
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": "%SRCROOT%"}
