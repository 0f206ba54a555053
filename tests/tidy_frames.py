"""What holds of the frame of every result, read in each of the ways it is written."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd

from deckcheck.report.outputs import PARQUET
from deckcheck.sim.figures import ALL, COLUMNS, METRICS, TYPES, shown_value
from deckcheck.studies.registry import presentation_of, write_report

__all__ = ["assert_tidy", "frames_of"]

READ = {"keep_default_na": False, "na_values": {"low": "", "high": ""}}


def frames_of(writers: Any, result: Any) -> list[pd.DataFrame]:
    """What CSV and Parquet hold of a result."""
    written = dict(writers)
    text, data = io.StringIO(), io.BytesIO()
    binary = io.TextIOWrapper(data)
    written["csv"](result, text)
    written[PARQUET](result, binary)
    return [
        pd.read_csv(io.StringIO(text.getvalue()), **READ),  # type: ignore[call-overload]
        pd.read_parquet(io.BytesIO(data.getvalue())),
    ]


def check_columns(frame: pd.DataFrame) -> None:
    """Assert that columns, their types and their cells are as they are promised."""
    assert tuple(frame.columns[: len(COLUMNS)]) == COLUMNS
    assert {name: str(frame[name].dtype) for name in TYPES} == TYPES
    words = frame.drop(columns=list(TYPES))
    assert all(isinstance(cell, str) and cell for cell in words.to_numpy().ravel())
    assert frame["value"].notna().all()
    assert (frame["low"].isna() == frame["high"].isna()).all()
    measured = frame.dropna()
    assert (measured["low"] <= measured["value"]).all()
    assert (measured["value"] <= measured["high"]).all()
    assert set(frame["metric"]) <= set(METRICS)
    assert not frame.duplicated([*words.columns]).any()


def assert_tidy(result: Any, *printed: str, writers: Any = None) -> pd.DataFrame:
    """Return the frame of a result, once it is what is promised of all of them.

    The values of the metrics `printed` stand in the report, too: those over all
    opponents, where there are any.
    """
    frame = result.to_frame()
    check_columns(frame)
    for read in frames_of(writers or presentation_of(result).writers(), result):
        pd.testing.assert_frame_equal(read, frame, check_dtype=False)
        check_columns(read)
    rows = frame[frame["metric"].isin(printed) & (frame["starts"] == "any")]
    over_all = rows[rows["opponent"] == ALL]
    rows = rows if over_all.empty else over_all
    assert set(rows["metric"]) == set(printed)
    text = write_report(result, "table", all_matchups=True) if printed else ""
    for metric, value in zip(rows["metric"], rows["value"], strict=True):
        assert shown_value(metric, value).rstrip(" %") in text
    shown = result._repr_html_()
    assert shown.count("<tr>") <= 1 + len(frame) <= 1 + len(result.to_rows())
    return frame
