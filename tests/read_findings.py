"""Reads the findings back from every output of `deckcheck validate`."""

from __future__ import annotations

import json
import re
from collections import Counter

__all__ = ["found_in"]


def found_in(name: str, text: str) -> Counter[tuple[str, int, str]]:
    """Path, line and code of every finding of an output."""
    if name in ("json", "jsonl"):
        found = (
            [f for deck in json.loads(text)["decks"] for f in deck["findings"]]
            if name == "json"
            else [json.loads(line) for line in text.splitlines()]
        )
        return Counter((f["path"], f["start"]["line"], f["code"]) for f in found)
    if name == "gitlab":
        return Counter(
            (
                issue["location"]["path"],
                issue["location"]["lines"]["begin"],
                issue["description"][:5],
            )
            for issue in json.loads(text)
        )
    if name == "rdjson":
        return Counter(
            (
                found["location"]["path"],
                found["location"]["range"]["start"]["line"],
                found["code"]["value"][:5],
            )
            for found in json.loads(text)["diagnostics"]
        )
    if name == "sarif":
        places = [
            (result["locations"][0]["physicalLocation"], result["ruleId"])
            for result in json.loads(text)["runs"][0]["results"]
        ]
        return Counter(
            (place["artifactLocation"]["uri"], place["region"]["startLine"], code)
            for place, code in places
        )
    patterns = {
        "full": r"^\w+\[(?P<code>D\w\d+)\].*\n +--> (?P<path>.*?):(?P<line>\d+):",
        "concise": r"^(?P<path>.*?):(?P<line>\d+):\d+: \w+\[(?P<code>D\w\d+)\]",
        "github": r"^::\w+ file=(?P<path>.*?),line=(?P<line>\d+)"
        r".*?title=(?P<code>.{5})",
        "junit": r"^(?:\s*<.*>)?(?P<path>[^<>\n]*?):(?P<line>\d+):\d+: "
        r"\w+\[(?P<code>D\w\d+)\]",
        "markdown": r"^\| `(?P<path>.*?):(?P<line>\d+):\d+` \| "
        r"\W*\w+\W* (?P<code>.{5})",
    }
    matches = re.finditer(patterns[name], text, re.MULTILINE)
    return Counter((m["path"], int(m["line"]), m["code"]) for m in matches)
