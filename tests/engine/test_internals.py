"""A numba that the engine cannot be compiled with is refused, and named."""

from __future__ import annotations

import subprocess
import sys

import numba
import pytest

from deckcheck.engine.internals import INTERNALS, check_internals
from deckcheck.engine.registry import EngineError

RUN = """
import numba.core.typing.templates as templates
del templates.make_overload_template
from deckcheck.cli import main
raise SystemExit(main())
"""


def test_the_installed_numba_has_all() -> None:
    check_internals()


@pytest.mark.parametrize(
    "name", ["numba.core.gone", "numba.core.caching:Gone", "numba:njit.gone"]
)
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(EngineError) as caught:
        check_internals((*INTERNALS, name))

    message = f"numba {numba.__version__} has no `{name.replace(':', '.')}`"
    assert caught.value.message.startswith(message)
    assert "version of numba that deckcheck allows" in (caught.value.help or "")


def test_the_command_ends_with_one_sentence() -> None:
    arguments = ("simulate", "decks/gwent/standard", "-n", "2", "--policy", "random")
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        check=False,
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 2
    assert "has no `numba.core.typing.templates.make_overload_template`" in ended.stderr
    assert "Traceback" not in ended.stderr
