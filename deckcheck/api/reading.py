"""Read and judge decks."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.api.entering import deck_of, reports_of, validator
from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    files_of,
    flag,
    in_python,
    targets_of,
    text_of,
)
from deckcheck.decks import Deck, DeckText, LeftOut, find_deck_files
from deckcheck.findings import UsageError
from deckcheck.validation import Validation

__all__ = ["parse", "read", "validate"]

TEXT = "<text>"
"""What stands for the path of a text."""


@in_python
def parse(
    text: str,
    *,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> Deck:
    """Return the deck of a text in any syntax that files may have, names resolved.

    Everything else is as in `read`. Raises UsageError also for a text that holds
    several decks.
    """
    source = DeckText(TEXT, text_of("text", text))
    judging = Judging.of(format, card_db, rule, as_of)
    reports = validator(judging).check_file(source)
    if len(reports) > 1:
        message = f"The text holds {len(reports)} decks, expected one"
        raise UsageError(message, "Save it as a file, and `read` returns them all")
    return deck_of(reports[0], judging)


@in_python
def read(
    *targets: Target | Sequence[Target],
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> list[Deck]:
    """Return every deck of files, folders and globs, in that order, names resolved.

    A deck with findings is returned all the same: `validate` tells them. `format` is an
    id such as `gwent/standard`, or a file; without it each deck names its own. The deck
    keeps it, so that `validate` and `simulate` need not be told again. `rule`, `as_of`
    and `card_db` are as on the command line. Raises UsageError for a missing file, an
    unknown format, and a file that holds no readable deck.
    """
    judging = Judging.of(format, card_db, rule, as_of)
    reports = validator(judging).check_files(find_deck_files(files_of(targets, "read")))
    return [deck_of(report, judging) for report in reports.reports]


@in_python
def validate(
    *targets: Deck | Target | Sequence[Deck | Target],
    text: str | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    suppressions: bool = True,
    card_db: CardDb = None,
) -> Validation:
    """Check every deck of files, folders and globs, or of a text, by a format.

    `validation.legal` says whether all are legal, `validation.reports` has one report
    for each deck, with its findings, `validation.left_out` the files that are no decks.
    `format`, `rule`, `as_of` and `card_db` are as on the command line. Without
    `suppressions` no comment of a deck changes anything: so judge what others hand in.
    A deck that was read or made before may be given too: of what could not be read then
    only the number is known. Raises UsageError for a missing file, an unknown format,
    and a deck that names no format when `format` is None.
    """
    judging = Judging.of(format, card_db, rule, as_of)
    judge = validator(judging, suppressions=flag("suppressions", suppressions))
    if text is None:
        given = tuple(targets_of(targets, "validate"))
        files = [target for target in given if isinstance(target, str)]
        if len(files) == len(given):
            left_out = LeftOut()
            deck_files = find_deck_files(files, left_out=left_out)
            return judge.check_files(deck_files, left_out)
        return Validation(tuple(reports_of(given, judging, judge)))
    if targets:
        raise UsageError("`validate` got files and a text", "Give it one of them")
    source = DeckText(TEXT, text_of("text", text))
    return judge.check_all([source])
