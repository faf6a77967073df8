# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A figure of a page: its drawing, text alternative, table and data for the page's script.

Every line with a label is a series of the figure. Series are in the table below the figure and in
its text alternative, and the page's script shows their values at the pointer.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from dpdl_analysis.figures import theme
from dpdl_analysis.formatting import DASH
from dpdl_analysis.studies.tables import Table

MOST_ROWS = 60
"""Approximate maximum number of rows of a figure's table."""
MOST_PANELS = 8
"""Maximum number of panels, one per run, in a figure."""


@dataclass
class Figure:
    """A drawn figure; `svg` is "" if there is nothing to draw. `slug` is its name in file names and
    anchors. `wide`: it fills the page; `key`: the page adds a legend of runs."""

    slug: str
    title: str
    caption: str
    svg: str = ""
    wide: bool = False
    key: bool = True
    notes: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    """Names of runs by the note that tell() has recorded for them."""
    tables: list[Table] = field(default_factory=list)
    plots: list[dict[str, Any]] = field(default_factory=list)
    """Data of each axes for the page's script."""
    legend: list[tuple[int, str]] = field(default_factory=list)
    """Colour index and label of each legend entry, if colours do not stand for runs."""
    player: dict[str, Any] | None = None
    """Data of the network's animation for the page's script, or None."""
    drawing: Canvas | None = None

    def tell(self, name: str, text: str) -> None:
        """Adds the note `text` about the run `name`. Runs with equal notes share one note."""
        names = self.told.setdefault(text, [])
        before = f"{', '.join(names)}: {text}"
        names.append(name)
        note = f"{', '.join(names)}: {text}"
        if before in self.notes:
            self.notes[self.notes.index(before)] = note
        else:
            self.notes.append(note)

    def having(self, runs: Sequence[Any], rows: str, lacking: str,
               most: int = MOST_PANELS) -> list[Any]:
        """The first `most` runs whose data frame `rows` is not empty; notes name the empty ones."""
        for run in runs:
            if getattr(run, rows).empty:
                self.tell(run.name, lacking)
        shown = [run for run in runs if not getattr(run, rows).empty]
        if len(shown) > most:
            self.notes.append(f"Only the first {most} runs are shown.")
        return shown[:most]

    def finish(self, drawing: Canvas, tips: dict[str, str] | None = None, said: str = "") -> None:
        """Derives SVG, tables and data from the drawing; `tips` has tooltips by artist's gid."""
        self.drawing = drawing
        drawn = [axes for axes in drawing.axes if axes.get_visible()]
        for axes in drawn:
            locator = axes.xaxis.get_major_locator()
            if axes.get_xlabel() == "round" and isinstance(locator, MaxNLocator):
                locator.set_params(integer=True)
        told = [_told(axes) for axes in drawn]
        description = said or " ".join(text for text in told if text)
        self.svg = theme.to_svg(drawing, self.slug, self.title, description, tips or {})
        self.plots = [_plot(index, axes) for index, axes in enumerate(drawing.axes)]
        self.plots = [plot for plot in self.plots if plot["series"]]
        self.tables += [_table(axes) for axes in drawn if _series(axes)]


def _series(axes: Axes) -> list[Line2D]:
    return [line for line in axes.lines if not str(line.get_label()).startswith("_")
            and all(line.get_transform().contains_branch_seperately(axes.transData))]


def _plot(index: int, axes: Axes) -> dict[str, Any]:
    """Position of an axes in the drawing in points, its scales, and the points of its series."""
    width, height = (72.0 * inches for inches in axes.figure.get_size_inches())
    place = axes.get_position()
    box = (place.x0 * width, (1.0 - place.y1) * height, place.width * width, place.height * height)
    return {
        "axes": index + 1,
        "box": [round(value, 2) for value in box],
        "x": _scale(axes.get_xlim(), axes.get_xscale(), axes.xaxis),
        "y": _scale(axes.get_ylim(), axes.get_yscale(), axes.yaxis),
        "xLabel": axes.get_xlabel(),
        "series": [
            {
                "name": str(line.get_label()),
                "colour": theme.ROLES.get(str(line.get_color()), "--ink"),
                "x": _shortened(line.get_xdata()),
                "y": _shortened(line.get_ydata()),
            }
            for line in _series(axes)
        ],
    }


def _scale(limits: tuple[float, float], kind: str, axis: Any) -> dict[str, Any]:
    return {
        "low": float(limits[0]),
        "high": float(limits[1]),
        "log": kind == "log",
        "percent": isinstance(axis.get_major_formatter(), PercentFormatter),
    }


def _shortened(values: Any) -> list[float | None]:
    """Values with five significant digits; None for values that are not finite."""
    return [
        float(f"{value:.5g}") if math.isfinite(value) else None
        for value in np.asarray(values, dtype=float)
    ]


def _shown(value: float | None, axis: Any) -> str:
    if value is None or not math.isfinite(value):
        return DASH
    if isinstance(axis.get_major_formatter(), PercentFormatter):
        return f"{100.0 * value:.1f} %"
    return f"{value:.5g}"


def _table(axes: Axes) -> Table:
    """Table of the series of an axes, one column per series; long series are thinned."""
    lines = _series(axes)
    columns = [dict(zip(_shortened(line.get_xdata()), line.get_ydata())) for line in lines]
    places = sorted({x for column in columns for x in column if x is not None})
    step = -(-len(places) // MOST_ROWS) or 1
    kept = [x for index, x in enumerate(places) if index % step == 0 or x == places[-1]]
    rows = [
        [_shown(x, axes.xaxis), *(_shown(column.get(x), axes.yaxis) for column in columns)] for x in kept
    ]
    note = "" if step == 1 else f"Every {step}th of {len(places)} rows, and the last."
    heads = [axes.get_xlabel() or "x", *(str(line.get_label()) for line in lines)]
    named = axes.get_title(loc="left") or axes.get_title() or axes.get_ylabel()
    return Table(named, heads, rows, note)


def _told(axes: Axes) -> str:
    """Text with the first and last value of the first eight series of an axes."""
    parts = []
    for line in _series(axes)[:8]:
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if len(finite) == 0:
            continue
        ends = [f"{_shown(y[at], axes.yaxis)} at {_shown(x[at], axes.xaxis)}" for at in finite[[0, -1]]]
        parts.append(f"{line.get_label()} from {ends[0]} to {ends[1]}")
    if not parts:
        return ""
    head = axes.get_title(loc="left") or axes.get_ylabel()
    along = f" along {axes.get_xlabel()}" if axes.get_xlabel() else ""
    return f"{head}{along}: {'; '.join(parts)}."
