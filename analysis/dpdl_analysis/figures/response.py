# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Response curves: a number of a campaign's runs over each factor, with intervals over seeds."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from dpdl_analysis.figures.effects import Effects, Response, number, shown
from dpdl_analysis.figures.figure import DataTable, Figure
from dpdl_analysis.figures.theme import MUTED, WIDE, canvas, colour, marker, panels
from dpdl_analysis.formatting import short

MOST_FACTORS = 4
FLAT = 12
"""Up to so many letters the names of levels stand upright."""


def curves(effects: Effects, response: Response) -> Figure:
    """One panel a factor, one curve a level of the factor that has the colours."""
    figure = Figure(
        f"response-{response.key.replace('_', '-')}",
        response.title,
        "Point: mean over the seeds"
        + (", and over all factors not named" if len(effects.factors) > 1 else "")
        + ". Bar: its 95 % interval over seeds.",
        key=False,
    )
    if effects.coloured:
        levels = effects.levels(effects.coloured)
        figure.legend = [(at, f"{effects.coloured} {name}") for at, name in enumerate(levels)]
    factors = effects.factors[:MOST_FACTORS]
    rows, columns, size = panels(len(factors), 2.7)
    figure.wide = len(factors) > 1
    drawing = canvas((WIDE, size[1]) if len(factors) > 1 else size)
    grid = drawing.subplots(rows, columns, squeeze=False, sharey=True)
    for axes, factor in zip(grid.ravel(), factors):
        _panel(axes, effects, response, factor)
    if response.fraction:
        # Few seeds have intervals that reach beyond what a fraction can be. The axis is common to
        # all panels, and fits itself to no further one from here on.
        low, high = grid[0, 0].get_ylim()
        grid[0, 0].set_ylim(max(-0.02, low), min(1.02, high))
    for axes in grid.ravel()[len(factors) :]:
        axes.set_visible(False)
    for row in grid:
        row[0].set_ylabel(response.title + (f" ({response.unit})" if response.unit else ""))
    if any(not math.isfinite(value) for value in effects.values(response)):
        figure.notes.append("Where a run has no finite value there is no point; the table says so.")
    figure.tables.append(_table(effects, response))
    figure.finish(drawing)
    return figure


def _panel(axes: Axes, effects: Effects, response: Response, factor: str) -> None:
    levels = effects.along(factor)
    by = effects.coloured if effects.coloured != factor else ""
    curves = effects.levels(by) if by else [""]
    means = effects.means(response, [factor, by] if by else [factor])
    places = [number(level) for level in levels]
    numeric = all(place is not None for place in places)
    along = [float(place) for place in places] if numeric else list(range(len(levels)))
    spread = 0.015 * (max(along) - min(along) or 1.0)
    for index, curve in enumerate(curves):
        found = [means.get((level, curve) if by else (level,)) for level in levels]
        mean = np.array([one.mean if one else math.nan for one in found])
        half = np.array([one.half if one else math.nan for one in found])
        mean[~np.isfinite(mean)] = math.nan
        # Beside each other, so that no bar hides another.
        x = np.array(along) + spread * (index - (len(curves) - 1) / 2)
        tint = colour(index) if by else MUTED
        known = np.isfinite(mean) & np.isfinite(half)
        low, high = (mean - half)[known], (mean + half)[known]
        axes.vlines(x[known], low, high, colors=tint, linewidth=1.1, alpha=0.7)
        axes.plot(
            x,
            mean,
            color=tint,
            marker=marker(index),
            # A line between levels that have no order would say something.
            linestyle="-" if numeric else "none",
            label=f"{by} {curve}" if by else "all",
        )
    axes.set_xlabel(factor)
    _label(axes, response, None if numeric else levels)


def _label(axes: Axes, response: Response, levels: list[str] | None) -> None:
    if levels is not None:
        turned = max(map(len, levels)) * len(levels) > 4 * FLAT
        names = [short(level) for level in levels]
        axes.set_xticks(range(len(levels)), names, rotation=30 if turned else 0,
                        ha="right" if turned else "center", rotation_mode="anchor")
        axes.set_xlim(-0.5, len(levels) - 0.5)
        axes.xaxis.dpdl_names = True
    if response.fraction:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))


def _table(effects: Effects, response: Response) -> DataTable:
    rows = [
        [*key, shown(value, response), str(value.count)]
        for key, value in effects.means(response, effects.factors).items()
    ]
    return DataTable([*effects.factors, response.title, "seeds"], rows, "all variants")
