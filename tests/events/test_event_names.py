"""The order of names."""

from __future__ import annotations

import random

from deckcheck.events.event import sort_key


def test_letters_come_before_accents_and_words_before_longer_words() -> None:
    names = [
        "Åke Aas",
        "ake berg",
        "Anna Nowak",
        "Anna Nowák",
        "Anna-Lena Ek",
        "Annabel Abt",
        "Łukasz",
        "Luke",
        "Óscar",
        "Oskar",
        "Ørsted",
        "Straße",
        "Strasser",
        "Zoë",
        "Žofie",
        "Ωmega",
    ]
    expected = sorted(names, key=sort_key)
    shuffled = random.Random(1).sample(names, len(names))

    assert sorted(shuffled, key=sort_key) == expected
    assert expected == [
        "Åke Aas",
        "ake berg",
        "Anna-Lena Ek",
        "Anna Nowak",
        "Anna Nowák",
        "Annabel Abt",
        "Łukasz",
        "Luke",
        "Ørsted",
        "Óscar",
        "Oskar",
        "Straße",
        "Strasser",
        "Zoë",
        "Žofie",
        "Ωmega",
    ]
