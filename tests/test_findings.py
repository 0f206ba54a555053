"""Findings: how rules make them, their order, errors of the user."""

import pickle

from deckcheck.findings import (
    Finding,
    Position,
    Rule,
    Severity,
    Span,
    UsageError,
    in_order,
)

RULE = Rule("DL999", "odd-deck", "Odd", Severity.WARNING)


def at(
    path: str, line: int, column: int, code: str = "DL999", message: str = "Odd"
) -> Finding:
    span = Span(Position(line, column), Position(line, column + 1))
    return Finding(code, "odd-deck", Severity.ERROR, message, path, span)


def test_a_rule_gives_its_code_name_and_severity() -> None:
    span = Span(Position(1, 2), Position(1, 3))

    finding = RULE.at("a.deck", span, "Odd deck", notes=["n"], help="h")

    assert (finding.code, finding.name) == ("DL999", "odd-deck")
    assert finding.severity is Severity.WARNING
    assert (finding.path, finding.span) == ("a.deck", span)
    assert (finding.notes, finding.help) == (("n",), "h")


def test_order_is_file_line_column_code_message() -> None:
    ordered = [
        at("a.deck", 1, 9),
        at("a.deck", 2, 1, "DC101"),
        at("a.deck", 2, 1, "DL101"),
        at("a.deck", 2, 1, "DL101", "Odder"),
        at("a.deck", 10, 1),
        at("b.deck", 1, 1),
    ]

    assert list(in_order(reversed(ordered))) == ordered


def test_usage_errors_survive_a_worker_process() -> None:
    class_and_text = pickle.loads(pickle.dumps(UsageError("No", "Do")))

    assert (class_and_text.message, class_and_text.help) == ("No", "Do")
