"""The drawings of a page as files, PNG and SVG, for slides and papers."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from math import nan
from pathlib import Path
from typing import Any, TypeAlias

from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.messages import option, printable
from deckcheck.report.blocks import Bars, Heatmap
from deckcheck.report.forests import Forest
from deckcheck.report.page import Page
from deckcheck.version import __version__

IMAGE_KINDS = ("png", "svg")
DOTS_PER_INCH = 160
TEXT_COLOUR, FAINT_COLOUR, LINE_COLOUR = "#22201c", "#6a6459", "#ddd6c8"
MARK_COLOUR, AREA_COLOUR = "#1f5f8b", "#8fb8d6"
GOOD_COLOUR, POOR_COLOUR = "#3f86b5", "#d0823c"
ROW_HEIGHT = 0.28
PLOT_STYLE = {
    "font.size": 9,
    "text.color": TEXT_COLOUR,
    "axes.edgecolor": LINE_COLOUR,
    "axes.labelcolor": FAINT_COLOUR,
    "xtick.color": FAINT_COLOUR,
    "ytick.color": TEXT_COLOUR,
    "text.parse_math": False,  # a deck may be called `$5`
    "svg.hashsalt": "deckcheck",  # the same bytes every time
}
Drawn: TypeAlias = Forest | Heatmap | Bars


def write_plots(page: Page, folder: Path) -> list[Path]:
    """Write every drawing of a page to a folder, named after its section.

    Returns the files. Raises UsageError without matplotlib, where the page has no
    drawing, and for a folder that cannot be written to.
    """
    plots = list(draw_plots(page))
    if not plots:
        raise UsageError("There is nothing to draw", f"Leave {option('plots')} out")
    with usable("write to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in plots:
            (folder / name).write_bytes(data)
    return [folder / name for name, _ in plots]


def draw_plots(page: Page) -> Iterator[tuple[str, bytes]]:
    """Yield the drawings of a page with the names of their files.

    Raises UsageError without matplotlib.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(
            "Plots need the package `matplotlib`",
            "Install it: pip install matplotlib",
        ) from None
    for section in page.sections:
        blocks = [b for b in section.blocks if isinstance(b, Forest | Heatmap | Bars)]
        for number, block in enumerate(blocks, start=1):
            name = section.id if len(blocks) == 1 else f"{section.id}-{number}"
            for kind in IMAGE_KINDS:
                with mpl.rc_context(PLOT_STYLE):
                    data = _save_figure(_draw(block, Figure), kind)
                yield f"{name}.{kind}", data


def _save_figure(figure: Any, kind: str) -> bytes:
    stream = io.BytesIO()
    by = f"deckcheck {__version__}"
    about = {"Creator": by, "Date": None} if kind == "svg" else {"Software": by}
    figure.savefig(
        stream, format=kind, dpi=DOTS_PER_INCH, bbox_inches="tight", metadata=about
    )
    return stream.getvalue()


def _draw(block: Drawn, new: Callable[..., Any]) -> Any:
    if isinstance(block, Forest):
        return _draw_forest(block, new)
    if isinstance(block, Heatmap):
        return _draw_image(block, new) if block.is_large else _draw_heatmap(block, new)
    return _draw_bars(block, new)


def _draw_forest(block: Forest, new: Callable[..., Any]) -> Any:
    """Draw rows from top to bottom. The axis of the page goes from 0 to 100."""
    figure = new(figsize=(7, 1 + ROW_HEIGHT * len(block.rows)))
    plot = figure.subplots()
    for y, row in enumerate(block.rows):
        if row.before is not None:
            plot.plot(
                [row.before],
                [y],
                "o",
                color=FAINT_COLOUR,
                markersize=5,
                fillstyle="none",
            )
        plot.plot([row.mark.low, row.mark.high], [y, y], color=MARK_COLOUR, linewidth=2)
        plot.plot([row.mark.value], [y], "o", color=MARK_COLOUR, markersize=5)
        label = f"{row.value}  ({row.interval})"
        plot.text(102, y, label, va="center", color=FAINT_COLOUR, fontsize=8)
    if block.axis.even is not None:
        plot.axvline(block.axis.even, color=FAINT_COLOUR, linewidth=0.8, linestyle="--")
    plot.set_yticks(range(len(block.rows)), [printable(row.name) for row in block.rows])
    _set_ticks(plot, block.axis.ticks)
    plot.grid(axis="x", color=LINE_COLOUR, linewidth=0.6)
    plot.set_axisbelow(True)
    plot.set(xlim=(-1, 101), ylim=(len(block.rows) - 0.5, -0.5))
    _plain(plot, block.caption)
    return figure


def _draw_heatmap(block: Heatmap, new: Callable[..., Any]) -> Any:
    from matplotlib.patches import Rectangle

    names, columns = block.names, block.columns or block.names
    size = (2 + 0.45 * len(columns), 1.2 + ROW_HEIGHT * len(names))
    figure = new(figsize=size)
    plot = figure.subplots()
    for y, cells in enumerate(block.rows):
        for x, cell in enumerate(cells):
            if cell is None:
                continue
            color = GOOD_COLOUR if cell.wins else POOR_COLOUR
            strength = cell.depth / 100
            corner = (x - 0.48, y - 0.48)
            square = Rectangle(corner, 0.96, 0.96, color=color, alpha=strength, lw=0)
            plot.add_patch(square)
            plot.text(x, y, cell.text, ha="center", va="center", fontsize=7.5)
    plot.set_yticks(range(len(names)), list(map(printable, names)))
    plot.set_xticks(range(len(columns)), list(map(printable, columns)))
    plot.tick_params(axis="x", rotation=45)
    for label in plot.get_xticklabels():
        label.set_horizontalalignment("left")
    plot.xaxis.tick_top()
    plot.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(names) - 0.5, -0.5))
    _plain(plot, "")
    figure.supxlabel(block.caption, fontsize=9, color=FAINT_COLOUR, y=0.02)
    return figure


def _draw_image(block: Heatmap, new: Callable[..., Any]) -> Any:
    """Draw a dot for each rate, for matrices whose figures nobody could read."""
    from matplotlib.colors import LinearSegmentedColormap

    figure = new(figsize=(7, 7))
    plot = figure.subplots()
    values = []
    for row in block.rates:
        values.append([nan if rate is None else rate.value for rate in row])
    colors = LinearSegmentedColormap.from_list(
        "rates", [POOR_COLOUR, "#ffffff", GOOD_COLOUR]
    )
    plot.imshow(values, cmap=colors, vmin=0.2, vmax=0.8, interpolation="nearest")
    plot.set(xlabel="column, by its place", ylabel="row, by its place")
    _plain(plot, "")
    figure.supxlabel(block.caption, fontsize=9, color=FAINT_COLOUR, y=0.02)
    return figure


def _draw_bars(block: Bars, new: Callable[..., Any]) -> Any:
    """Draw the games in each bin. The scale of the page goes from 0 to 100."""
    figure = new(figsize=(6, 2.6))
    plot = figure.subplots()
    width = 100 / block.scale.bins
    games = [int(bar.games.replace(",", "")) for bar in block.bars]
    lefts = [i * width for i in range(len(games))]
    plot.bar(lefts, games, width=0.92 * width, align="edge", color=AREA_COLOUR)
    if block.scale.zero is not None:
        plot.axvline(
            block.scale.zero, color=FAINT_COLOUR, linewidth=0.8, linestyle="--"
        )
    _set_ticks(plot, block.scale.ticks)
    plot.set(xlim=(0, 100), xlabel=block.of, ylabel="games")
    plot.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _plain(plot, block.caption)
    return figure


def _set_ticks(plot: Any, ticks: tuple[tuple[float, str], ...]) -> None:
    plot.set_xticks([x for x, _ in ticks], [label for _, label in ticks])


def _plain(plot: Any, title: str) -> None:
    plot.set_title(printable(title), loc="left", fontsize=10)
    plot.tick_params(length=0)
    for side in ("top", "right", "left"):
        plot.spines[side].set_visible(False)
