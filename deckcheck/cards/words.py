"""The kinds of words and numbers that card data is made of."""

from __future__ import annotations

from typing import Annotated

from deckcheck.findings.fields import AtLeast, Either, Filled, Form

Identifier = Annotated[
    str, Form("[a-z][a-z0-9_]*", "a word of lower-case letters, digits and `_`")
]
Name = Annotated[str, Filled(200)]
Number = Annotated[int, AtLeast(1)]
Word = Annotated[bool | Identifier, Either("true or false or a lower-case word")]
Statement = Annotated[
    str,
    Form(r"[a-z][a-z0-9_]* [0-9]+(\.[0-9]+)*", "a statement such as `gwent 1.6.2`"),
]
