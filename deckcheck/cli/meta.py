"""`deckcheck meta`: what to bring, by the games of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.options.shared import CardDb, Color, OutputFile
from deckcheck.sim.defaults import SEED


def meta(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="Folder of a run, or a file that `simulate --output-format "
            "json:FILE` wrote.",
        ),
    ],
    *,
    weights: Annotated[
        Path | None,
        typer.Option(
            "--weights",
            metavar="FILE",
            help="CSV file of the field that you expect, a deck and its weight on "
            "each line: `Siege masters,3`.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            help="Number that decides the random resamples behind the intervals: the "
            "same seed gives the same intervals.",
        ),
    ] = SEED,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.result_outputs,
            help="How to write the answer: table (default), json, csv, parquet, "
            "markdown or html. FORMAT:FILE writes a file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """Recommend what to bring, from a finished round robin.

    Shows the mix that no deck beats, the interval of each deck's share in it, the best
    answer to each deck, and ratings. No game is played.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.findings.files import only_one
    from deckcheck.studies.meta.field import read_field
    from deckcheck.studies.meta.page import META
    from deckcheck.studies.meta.play import meta_of
    from deckcheck.studies.meta.weights import read_weights

    outputs = read_outputs(output_format or (), META.writers(), output)
    field = read_field(only_one(run), card_db)
    expected = None
    if weights is not None:
        expected = read_weights(weights, field.players, field.noun)
    check_places(files_of(outputs))
    write_outputs(meta_of(field, expected, seed=seed), outputs, color, 0)
