"""The notebook of the documentation, executed as its readers do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tutorials" / "notebook.ipynb"
IMAGE = "image/png"


def shown(notebook: Any) -> list[list[str]]:
    """The texts that each cell shows; of a picture, that there is one."""
    return [
        [
            IMAGE if IMAGE in output.data else output.data["text/plain"]
            for output in cell.get("outputs", ())
            if "data" in output
        ]
        for cell in notebook.cells
    ]


@pytest.mark.slow
def test_every_cell_shows_what_it_says() -> None:
    kept = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(fresh, timeout=600, resources=place).execute()

    assert shown(fresh) == shown(kept)
    assert sum(texts == [IMAGE] for texts in shown(kept)) == 2
