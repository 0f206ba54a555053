"""Turns in pages, messages and docstrings that no native writer would use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?:text\n(.*?)|.*?)^```$", re.DOTALL | re.MULTILINE)

RULES = {
    r"the own": "its own, their own, the player's own",
    r"with a chance of \d+ ?%": "with 95% confidence",
    r"dearer|in vain|none but": "more expensive, without success, only",
    r"pip install deckcheck": "it is on no index: install from the repository",
    r"(?<!--)mend(?:s|ed|ing)?|heed(?:s|ed)?|hence|thereby": "fix, respect, so",
    r"gravest|surely|by lot|dear (?:card|ones?)": "most severe, clearly, at random",
    r"he|his(?! imperial)|him|himself": "they, their, them",
    r"the other(?:'s| (?:has|is|may|holds|leads|can|must|plays))": "the opponent",
    r"(?:(?:another|other) \w+|\w+ else) than": "a different X from, other than",
    r"go(?:es|ing)? on (?:with|where|by)": "continue, resume",
    r"behind (?:its|the|a|each|every)? ?"
    r"(?:name|last|first|head|count|word|version|colon|card|dot|comma|line)": "after",
    r"misuse(?! of)": "a usage error, exit code 2",
    r"how often (?:each|every)[a-z ]* comes": "how common each deck is",
    r"once for all": "once and for all, one for all decks",
    r"mails": "emails",
    r"whatever (?:the|its|their|case)(?: [a-z]+)?(?=[,.;:)]|$)": "regardless of",
    r"but for|in the place of|in the mean": "except for, instead of, on average",
    r"besides(?=[,.;:]|$)": "as well",
}
"""Patterns, as whole words, with what to say instead."""

OLD_TERMS = {
    r"mirrored (?:pairs?|games)": "game pair",
    r"(?:hold|holds) (?:jointly|by itself|all together)": "simultaneous, individual",
    r"(?:at|after) (?:every|each|all|the (?:last|next)) looks?": "checkpoint",
    r"second opinions?": "cross-check",
    r"in the proof|fresh games of the proof|proof on fresh games": "validation games",
    r"worth \(caused\)": "impact (causal)",
    r"best answers? to (?:a|each|every|the) deck": "best counter",
    r"every two (?:decks|versions|lineups)": "each pair of decks",
    r"(?:go|goes) round in circles": "rock-paper-scissors cycle",
    r"draws? no lots": "is deterministic, makes no random choices",
    r"digests?": "rules fingerprint",
    r"(?:played|piloted) by (?:the )?(?:weaker |stronger )?rules of thumb": "a bot",
    r"(?:weaker|stronger|computer) players?": "bot",
    r"--confirm(?:-games)?|--mend": "--cross-check, --repair",
}
"""Terms that the glossary has replaced, as whole words, with the standard ones."""

SHOWN = ("**/*.md", "deckcheck/**/*.yaml", "deckcheck/**/*.html", "deckcheck/**/*.js")
SHOWN += ("deckcheck/schemas/*.json", "tests/*/transcripts/*.txt")
"""Files whose whole text is shown."""

Line = tuple[str, str]
"""A place and its text."""

UNREAD = ("CHANGELOG.md",)
"""Pages with findings."""


@pytest.fixture(scope="module")
def strings() -> list[Line]:
    """All strings of the package, with their places."""
    return [
        (f"{file.relative_to(ROOT).as_posix()}:{node.lineno}", node.value)
        for file in sorted((ROOT / "deckcheck").glob("**/*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def comments() -> Iterator[Line]:
    """Yield the comments of the package, each line of them, with their files."""
    for file in sorted((ROOT / "deckcheck").glob("**/*.py")):
        for comment in re.findall(r"(?:^|\s)# .*", file.read_text("utf-8")):
            yield file.relative_to(ROOT).as_posix(), comment


def pages() -> Iterator[Line]:
    """Yield the lines of all pages, without code except for help."""
    for page in sorted(ROOT.glob("**/*.md")):
        for line in BLOCK.sub(r"\1", page.read_text("utf-8")).splitlines():
            yield page.relative_to(ROOT).as_posix(), line


@pytest.fixture(scope="module")
def prose(strings: list[Line]) -> list[Line]:
    """Every text that a person reads."""
    lines = [(place, " ".join(text.split())) for place, text in strings]
    return [
        (place, re.sub(r"`[^`\n]*`", "`", text))
        for place, text in (*pages(), *lines, *comments())
        # A word alone is the name of something.
        if " " in text and not place.startswith((".", "build/", *UNREAD))
    ]


@pytest.fixture(scope="module")
def shown(strings: list[Line]) -> list[Line]:
    """Strings of the package, and lines of files that are shown."""
    lines = [
        (file.relative_to(ROOT).as_posix(), line)
        for pattern in SHOWN
        for file in sorted(ROOT.glob(pattern))
        if not file.relative_to(ROOT).as_posix().startswith((".", "build/"))
        for line in file.read_text("utf-8").splitlines()
    ]
    return strings + lines


@pytest.mark.parametrize("pattern", RULES)
def test_prose_is_plain_english(pattern: str, prose: list[Line]) -> None:
    turn = re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)

    found = [
        f"{place}: {text[max(hit.start() - 60, 0) : hit.end() + 40].strip()}"
        for place, text in prose
        for hit in turn.finditer(text)
    ]
    assert found == [], f"say: {RULES[pattern]}"


def test_a_percent_sign_follows_its_number_without_a_space(shown: list[Line]) -> None:
    spaced = re.compile(r"(?:\d|^)[ \u00a0]%(?![}\w])")
    assert [each for each in shown if spaced.search(each[1])] == []


def test_shown_texts_use_the_terms_of_the_glossary(shown: list[Line]) -> None:
    old = {
        pattern: re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)
        for pattern in OLD_TERMS
    }

    found = [
        f"{place}: {hit[0]} (say {OLD_TERMS[pattern]})"
        for place, text in shown
        for pattern, term in old.items()
        if (hit := term.search(text))
    ]
    assert found == []
