"""Rules of a single run: `max specials 4`, `ban Scorch`, added to a format.

    rule    = ("max" | "min") subject number
            | "ban" (card | leader) | "limit" card number
    subject = "cards" | "strength" | a constraint of the format that counts or adds up
            | a kind, an ability, a row or a faction of the game, in singular or plural

Words are found in any case, a card or faction by any of its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards import Card, CardDatabase, LeaderRecord
from deckcheck.cards.models import Condition
from deckcheck.cards.names import Lookup, closest, normalise
from deckcheck.files import short_digest
from deckcheck.formats.model import CONDITION_KEYS, Constraint, Format, FormatError
from deckcheck.formats.rules import VOCABULARY
from deckcheck.messages import choice, join_helps, option, printable, quote, suggestion

MAX_RULE_LENGTH = 200
MAX_NUMBER = 9999
RULE_VERBS = ("max", "min", "ban", "limit")
_RULE_WORD = re.compile(r"\S+")
_PLURAL_ENDINGS = (("", ""), ("s", ""), ("es", ""), ("ies", "y"))


class _RulePart(NamedTuple):
    """A part of a rule's text, and where it starts."""

    text: str
    start: int


class _Text(NamedTuple):
    """The text of a rule, for errors that point into it."""

    text: str
    origin: str | None
    """The place in a file. None for the command line, empty if the caller knows."""

    def error(self, part: _RulePart, message: str, help: str | None) -> FormatError:
        """Return the error about a part, with the text and that part underlined."""
        shown = printable(self.text)
        mark = " " * part.start + "^" * max(1, len(part.text))
        prefix = self.origin
        if prefix is None:
            prefix = f"{option('rule')} column {part.start + 1}"
        head = f"{prefix}: {message}" if prefix else message
        return FormatError(f"{head}\n  {shown}\n  {mark}", help)

    @property
    def end(self) -> _RulePart:
        """The place after the last word."""
        return _RulePart("", len(self.text.rstrip()))

    @property
    def whole(self) -> _RulePart:
        """Everything, without the spaces around it."""
        text = self.text.strip()
        return _RulePart(text, self.text.find(text))


def apply_rules(fmt: Format, rules: Sequence[str], database: CardDatabase) -> Format:
    """Return the format with the rules added in their order, and its new fingerprint.

    Raises FormatError, which points at the words in question, for rules that cannot be
    read, name something unknown or change nothing.
    """
    errors = []
    for text in rules:
        try:
            fmt = _apply(fmt, _Text(text, getattr(text, "origin", None)), database)
        except FormatError as error:
            errors.append(error)
    if errors:
        message = "\n".join(error.message for error in errors)
        raise FormatError(message, join_helps(error.help for error in errors))
    entries = [(c.name, c.rule, dict(c.settings)) for c in fmt.constraints]
    return replace(fmt, fingerprint=short_digest([fmt.fingerprint, entries]))


def check_rule(text: str) -> None:
    """Raise FormatError, without a place, for a text that is never a rule."""
    _parse_rule(_Text(text, ""))


def _apply(fmt: Format, text: _Text, database: CardDatabase) -> Format:
    verb, subject, number = _parse_rule(text)
    if verb in ("max", "min"):
        new = _change_bound(fmt, text, subject, database, verb=verb, number=number or 0)
    else:
        new = _limit_card(fmt, text, subject, number, database)
    constraints = {constraint.name: constraint for constraint in fmt.constraints}
    constraints[new.name] = new
    return replace(fmt, constraints=tuple(constraints.values()))


def _parse_rule(text: _Text) -> tuple[str, _RulePart, int | None]:
    """Return the verb, the subject, and the number of a rule. A ban has no number."""
    words = [_RulePart(m[0], m.start()) for m in _RULE_WORD.finditer(text.text)]
    if not words or len(text.text) > MAX_RULE_LENGTH:
        message = "the rule is too long" if words else "the rule is empty"
        raise text.error(_RulePart("", 0), message, _give_example("max"))
    verb = words[0].text.lower()
    if verb not in RULE_VERBS:
        near = closest(verb, RULE_VERBS)
        help = suggestion(near, f"Rules start {choice(RULE_VERBS)}")
        raise text.error(words[0], f"unknown word {quote(words[0].text)}", help)
    number = None if verb == "ban" else _number(text, words)
    named = words[1:] if number is None else words[1:-1]
    if not named:
        noun = "a card" if verb in ("ban", "limit") else "the subject"
        where = text.end if number is None else words[-1]
        raise text.error(where, f"{noun} is missing", _give_example(verb))
    start = named[0].start
    last = named[-1]
    whole = text.text[start : last.start + len(last.text)]
    return verb, _RulePart(whole, start), number


def _give_example(verb: str) -> str:
    examples = {"ban": "ban Scorch", "limit": "limit Decoy 1"}
    return f"Write a rule such as `{examples.get(verb, f'{verb} specials 4')}`"


def _number(text: _Text, words: list[_RulePart]) -> int:
    last = words[-1]
    if len(words) == 1:
        raise text.error(text.end, "a number is missing", _give_example(words[0].text))
    if not (
        last.text.isascii() and last.text.isdigit() and int(last.text) <= MAX_NUMBER
    ):
        found = quote(last.text)
        message = f"expected a whole number up to {MAX_NUMBER}, found {found}"
        raise text.error(last, message, _give_example(words[0].text.lower()))
    return int(last.text)


def _make_constraint(
    text: _Text, name: str, rule: str, settings: Mapping[str, object]
) -> Constraint:
    given = ((key, settings.get(key)) for key in CONDITION_KEYS)
    lists = {key: value for key, value in given if isinstance(value, tuple)}
    return Constraint(
        name=name,
        rule=rule,
        settings=MappingProxyType(dict(settings)),
        condition=Condition(**lists),
        statement="",
        origin=text.origin or f"--rule {quote(text.whole.text)}",
    )


def _change_bound(
    fmt: Format,
    text: _Text,
    subject: _RulePart,
    database: CardDatabase,
    *,
    verb: str,
    number: int,
) -> Constraint:
    """Return the constraint of a `max` or `min`: of the format and changed, or new."""
    old = _find_counting_constraint(fmt, subject.text)
    if old is None:
        name, rule, settings = _read_subject(fmt, text, subject, database)
        if any(c.name == name for c in fmt.constraints):
            name = f"{verb}_{name}"
    else:
        name = old.name
        rule = old.rule
        settings = dict(old.settings)
    if settings.get(verb) == number or (verb == "min" and number == 0 and not old):
        reason = f"{fmt.id} has it already" if old else "a count is never less"
        raise _idle_error(text, reason)
    settings[verb] = number
    low, high = settings.get("min"), settings.get("max")
    if isinstance(low, int) and isinstance(high, int) and low > high:
        message = f"no deck can have at least {low} and at most {high} {name}"
        raise text.error(text.whole, message, None)
    return _make_constraint(text, name, rule, settings)


def _idle_error(text: _Text, reason: str) -> FormatError:
    message = f"the rule changes nothing, {reason}"
    return text.error(text.whole, message, "Leave it out")


def _guess_singulars(word: str) -> Iterator[str]:
    plain = normalise(word)
    for ending, instead in _PLURAL_ENDINGS:
        if plain.endswith(ending):
            yield plain[: len(plain) - len(ending)] + instead


def _find_counting_constraint(fmt: Format, word: str) -> Constraint | None:
    """Find the constraint of the format that goes by the word, if it has bounds."""
    wanted = set(_guess_singulars(word))
    for constraint in fmt.constraints:
        has_range = VOCABULARY[constraint.rule].has_range
        if has_range and wanted & set(_guess_singulars(constraint.name)):
            return constraint
    return None


def _read_subject(
    fmt: Format, text: _Text, subject: _RulePart, database: CardDatabase
) -> tuple[str, str, dict[str, object]]:
    """Return name, rule and settings of a constraint about the meaning of a word."""
    wanted = list(_guess_singulars(subject.text))
    if "strength" in wanted:
        return "strength", "sum", {"attribute": "strength"}
    if "card" in wanted:
        return "cards", "count", {}
    groups = {"kinds": database.game.kinds, "abilities": database.game.abilities}
    groups["rows"] = database.game.rows
    for key, words in groups.items():
        for word in words:
            if normalise(word) in wanted:
                return word, "count", {key: (word,)}
    faction = database.find_faction(subject.text).id
    if faction is not None:
        return faction, "count", {"factions": (faction,)}
    names = [c.name for c in fmt.constraints if VOCABULARY[c.rule].has_range]
    first = ["cards", "strength", *names, *database.game.kinds]
    known = [*first, *database.game.abilities, *database.game.rows]
    near = closest(subject.text.lower(), known, 1)
    listed = ", ".join(quote(word) for word in first)
    advice = f"Known: {listed}, the abilities, rows and factions of the game"
    message = f"unknown word {quote(subject.text)}"
    raise text.error(subject, message, suggestion(near, advice))


def _limit_card(
    fmt: Format,
    text: _Text,
    subject: _RulePart,
    number: int | None,
    database: CardDatabase,
) -> Constraint:
    """Return the constraint of a `ban` (no number) or a `limit`."""
    lookup = database.find_card(subject.text)
    if lookup.id is None and number is None:
        leader = database.find_leader(subject.text)
        if leader.id is not None:
            return _ban_leader(fmt, text, database.leaders[leader.id])
        lookup = leader if leader.candidates else lookup
    if lookup.id is None:
        message = f"unknown card {quote(subject.text)}"
        raise text.error(subject, message, _suggest_names(lookup, database))
    card = database.cards[lookup.id]
    if number == 0:
        help = f"Write `ban {card.name}`"
        raise text.error(text.whole, "a limit of 0 is a ban", help)
    reason = _find_stricter_limit(fmt, card, number)
    if reason is not None:
        raise _idle_error(text, reason)
    if number is None:
        return _make_constraint(text, f"ban_{card.id}", "banned", {"cards": (card.id,)})
    settings = {"cards": (card.id,), "max": number}
    return _make_constraint(text, f"limit_{card.id}", "restricted", settings)


def _ban_leader(fmt: Format, text: _Text, leader: LeaderRecord) -> Constraint:
    for constraint in fmt.constraints:
        if constraint.rule == "banned" and leader.id in constraint.leaders:
            name = quote(leader.full_name)
            reason = f"`{constraint.name}` of {fmt.id} bans {name} already"
            raise _idle_error(text, reason)
    return _make_constraint(
        text, f"ban_{leader.id}", "banned", {"leaders": (leader.id,)}
    )


def _suggest_names(lookup: Lookup, database: CardDatabase) -> str | None:
    if lookup.candidates:
        return f"It may be {choice(lookup.candidates)}"
    listed = f"`deckcheck cards --game {database.game.id}` lists all"
    return suggestion(lookup.suggestions, listed)


def _find_stricter_limit(fmt: Format, card: Card, number: int | None) -> str | None:
    """Return why a ban or a limit of a card would change nothing, or None."""
    if not card.deckable:
        return f"`{card.name}` is never allowed in a deck"
    if number is not None and number >= card.copies:
        return f"at most {card.copies} of `{card.name}` can be in a deck"
    for c in fmt.constraints:
        if c.condition.is_empty or not c.condition.matches(card):
            continue
        if c.rule == "banned":
            return f"`{c.name}` of {fmt.id} bans `{card.name}` already"
        copies = VOCABULARY[c.rule].copies
        if copies is None or number is None:
            continue
        limit = copies(c)
        if limit <= number:
            return f"`{c.name}` of {fmt.id} allows {limit}"
    return None
