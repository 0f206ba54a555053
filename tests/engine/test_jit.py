"""Compiled functions: what Python may call."""

from __future__ import annotations

import pytest

from deckcheck.engine import jit
from deckcheck.engine.gwent.board import rescore


def test_inner_functions_refuse_calls_from_python():
    """They have no wrapper, so such a call would crash; uncompiled they are Python."""
    error = TypeError if jit.compiled else AttributeError
    with pytest.raises(error):
        rescore(None, None, 0, 0)
