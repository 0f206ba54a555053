"""Random decks: legal in every format, and the same for the same seed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.findings import validate_text

from deckcheck.decks import DeckText
from deckcheck.findings import UsageError
from deckcheck.formats import Format, format_ids
from deckcheck.generating import Generator
from deckcheck.validation import Validator

NAMES_ONLY = "sg_gwint/2.1"
"""A format with too few cards for a deck: most of its game are not public."""

DRAWN = [id for id in format_ids() if id != NAMES_ONLY]


def generator(format: str, *rules: str, **options: str) -> Generator:
    validator = Validator(format, rules=rules)
    assert validator.format is not None
    fmt: Format = validator.format
    return Generator(replace(fmt, options={**fmt.options, **options}), validator)


def cards_of(text: str) -> list[Counter[str]]:
    reports = validate_text(text).reports
    return [report.deck.counts() for report in reports if report.deck]


@pytest.mark.parametrize("format", DRAWN)
def test_every_format_has_random_decks_that_are_legal(format: str) -> None:
    makes = generator(format)
    texts = [makes.draw_file(7, number) for number in range(1, 4)]
    files = [validate_text(text).reports for text in texts]
    reports = [report for file in files for report in file]
    seating = makes.fmt.seating
    several = range(seating.min_decks, seating.max_decks + 1)

    assert [f.message for report in reports for f in report.findings] == []
    assert {report.format.id for report in reports if report.format} == {format}
    assert len(set(texts)) == 3
    found = {len(file) for file in files}
    assert found <= ({1} if seating.holds == "deck" else {*several})


def test_a_format_without_enough_cards_is_refused() -> None:
    makes = generator(NAMES_ONLY)

    with pytest.raises(UsageError, match=r"No legal deck of `sg_gwint/2\.1`"):
        makes.draw_file(7, 1)


@pytest.mark.parametrize(
    "format", ["gwent/advanced", "gwent/tournament", "deckmaster/standard"]
)
def test_a_file_depends_on_seed_and_number_alone(format: str) -> None:
    first, second = generator(format), generator(format)
    second.draw_file(7, 1)

    assert first.draw_file(7, 2) == second.draw_file(7, 2)
    assert first.draw_file(8, 2) != second.draw_file(7, 2)


def test_all_factions_and_many_sizes_occur() -> None:
    makes = generator("gwent/standard")
    decks = [validate_text(makes.draw_file(3, n)).reports[0].deck for n in range(60)]
    factions = Counter(deck.faction for deck in decks if deck)
    sizes = Counter(sum(deck.counts().values()) for deck in decks if deck)

    assert len(factions) == 5
    assert min(factions.values()) >= 4
    assert len(sizes) > 6


def test_rules_of_a_single_run_are_kept() -> None:
    rules = ("max fire 2", "min ice 20", "max strength 70")
    text = generator("deckmaster/standard", *rules).draw_file(7, 1)
    reports = Validator(rules=rules).check_all([DeckText("random.deck", text)]).reports

    assert [f.message for report in reports for f in report.findings] == []


def test_bans_and_limits_are_kept() -> None:
    makes = generator("gwent/standard", "ban Scorch", "limit Decoy 1", "min units 40")
    for number in range(10):
        (deck,) = cards_of(makes.draw_file(1, number))

        assert deck["scorch"] == 0
        assert deck["decoy"] <= 1


def test_a_deck_that_is_hard_to_find_is_found() -> None:
    """Twenty tries are too few for this one."""
    assert generator("gwent/advanced", "max strength 48").draw_file(7, 26)


def shares(model: str) -> dict[int, float]:
    """The share of cards with each number of arrows in 1,500 random cards."""
    makes = generator("deckmaster/standard", arrow_model=model)
    arrows: Counter[int] = Counter()
    for number in range(50):
        for id, count in cards_of(makes.draw_file(1, number))[0].items():
            words = id.split("_")
            arrows[sum(w in ("up", "left", "right", "down") for w in words)] += count
    return {size: arrows[size] / 1500 for size in range(5)}


def test_arrows_are_drawn_by_the_model() -> None:
    for model, expected in (
        ("by_number", [0.2, 0.2, 0.2, 0.2, 0.2]),
        ("by_value", [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]),
    ):
        found = shares(model)

        for size, share in enumerate(expected):
            assert found[size] == pytest.approx(share, abs=0.05), model


def test_kinds_or_cards_are_equally_likely() -> None:
    for sampling, expected in (("uniform_kind", 5.64), ("weighted_card", 4.86)):
        makes = generator("gwen_t/pool", sampling=sampling)
        seasons = ("winter", "autumn", "summer", "spring")
        decks = [cards_of(makes.draw_file(3, number))[0] for number in range(100)]
        weather = sum(deck[season] for deck in decks for season in seasons)

        assert weather / 100 == pytest.approx(expected, abs=0.35), sampling


def test_powers_and_elements_are_equally_likely() -> None:
    makes = generator("deckmaster/standard")
    powers: Counter[str] = Counter()
    elements: Counter[str] = Counter()
    for number in range(50):
        for id, count in cards_of(makes.draw_file(2, number))[0].items():
            words = id.split("_")
            powers[words[1]] += count
            element = set(words) & {"fire", "ice", "poison"}
            elements[element.pop() if element else "none"] += count

    assert {power: count / 1500 for power, count in powers.items()} == pytest.approx(
        dict.fromkeys("12345", 0.2), abs=0.05
    )
    assert len(elements) == 4
    assert min(elements.values()) / 1500 == pytest.approx(0.25, abs=0.05)


def test_a_format_of_ones_own_is_not_named_in_the_deck(tmp_path: Path) -> None:
    file = tmp_path / "league.yaml"
    file.write_text(
        "title: L\nextends: gwent/standard\nconstraints: {units: {min: 25}}\n"
    )
    text = generator(str(file)).draw_file(1, 1)

    assert "Format:" not in text
    assert Validator(str(file)).check_all([DeckText("random.deck", text)]).legal
