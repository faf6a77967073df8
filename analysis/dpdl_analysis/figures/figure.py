# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A figure of a page: its drawing, what it says in words and as a table, and what can be hovered.

Every line that has a label is a series of the figure: it goes into the table below the figure, into
its text alternative, and can be read off and zoomed into on the page.
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
"""At most about so many rows of a figure's data go into its table."""
MOST_PANELS = 8
"""At most so many runs have their own panel in a figure."""


@dataclass
class Figure:
    """A drawn figure, or why there is none (`svg` empty)."""

    slug: str
    title: str
    caption: str
    svg: str = ""
    wide: bool = False
    key: bool = True
    notes: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    """Of which runs `tell` said what."""
    tables: list[Table] = field(default_factory=list)
    plots: list[dict[str, Any]] = field(default_factory=list)
    """What the page's script needs of each axes."""
    legend: list[tuple[int, str]] = field(default_factory=list)
    """What each colour stands for, where it is not a run of the page."""
    player: dict[str, Any] | None = None
    """What the page's script needs to animate the network, or None."""
    drawing: Canvas | None = None

    def tell(self, name: str, text: str) -> None:
        """A note on the run of that name; runs of which the same is said share it."""
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
        """The runs whose frame `rows` is not empty, at most so many; the notes name the others."""
        for run in runs:
            if getattr(run, rows).empty:
                self.tell(run.name, lacking)
        shown = [run for run in runs if not getattr(run, rows).empty]
        if len(shown) > most:
            self.notes.append(f"Only the first {most} runs are shown.")
        return shown[:most]

    def finish(self, drawing: Canvas, tips: dict[str, str] | None = None, said: str = "") -> None:
        """Takes the drawing; `tips` has a text for each artist with that gid."""
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
    """Where an axes is in the drawing, its scales, and the points of its series."""
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
    """Five significant digits; what is no finite number is None."""
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
    """The series of an axes side by side, thinned where they are long."""
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
    """Where each series of an axes begins and ends, in words."""
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
