# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Heat maps: the numbers of a campaign's runs over two factors."""

from __future__ import annotations

import math
from typing import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from dpdl_analysis.figures.effects import Effects, Response, shown
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import INK, MUTED, RUNS, WIDE, canvas
from dpdl_analysis.formatting import short

COLUMNS = 2
MOST_CELLS = 14
"""Up to so many levels of each factor have their number written into the cells."""
FAINT, SOLID = 0.06, 0.75


def heat_map(effects: Effects, responses: Sequence[Response], across: str, down: str) -> Figure:
    """A panel a number; a cell is the mean over seeds and over all other factors."""
    figure = Figure(
        f"heat-{effects.factors.index(across)}-{effects.factors.index(down)}",
        f"{down} and {across}",
        f"Rows: {down}. Columns: {across}. A cell is the mean over seeds"
        + (" and over all other factors" if len(effects.factors) > 2 else "")
        + "; the stronger its tone, the larger the number. Empty cells were not run.",
        wide=True,
        key=False,
    )
    rows = -(-len(responses) // COLUMNS)
    high = 0.9 + 0.34 * len(effects.levels(down))
    drawing = canvas((WIDE, rows * min(4.5, max(1.8, high))))
    grid = drawing.subplots(rows, COLUMNS, squeeze=False).ravel()
    tips: dict[str, str] = {}
    for index, (axes, response) in enumerate(zip(grid, responses)):
        tips.update(_panel(axes, effects, response, (across, down), index))
    for axes in grid[len(responses) :]:
        axes.set_visible(False)
    figure.notes.append("The numbers with their intervals are in the table of variants.")
    figure.finish(drawing, tips, f"{', '.join(one.title for one in responses)} by {down} and "
                  f"{across}; the numbers are in the table of variants.")
    return figure


def _panel(
    axes: Axes, effects: Effects, response: Response, factors: tuple[str, str], index: int
) -> dict[str, str]:
    across, down = factors
    means = effects.means(response, [across, down])
    columns, rows = effects.along(across), effects.along(down)
    finite = [value.mean for value in means.values() if math.isfinite(value.mean)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    tips = {}
    for (column, row), value in means.items():
        x, y = columns.index(column), rows.index(row)
        strength = (value.mean - low) / (high - low) if high > low else 0.5
        known = math.isfinite(value.mean)
        cell = Rectangle(
            (x - 0.48, y - 0.48), 0.96, 0.96, linewidth=0,
            facecolor=RUNS[0] if known else MUTED,
            alpha=round(FAINT + (SOLID - FAINT) * strength, 2) if known else 0.3,
        )
        cell.set_gid(f"cell-{index}-{x}-{y}")
        seeds = f"{value.count} seed{'s' if value.count != 1 else ''}"
        tips[cell.get_gid()] = (
            f"{down} {row}, {across} {column}: {response.title} {shown(value, response)}, {seeds}"
        )
        axes.add_patch(cell)
        if max(len(columns), len(rows)) <= MOST_CELLS:
            text = response.show(value.mean)
            axes.text(x, y, text, ha="center", va="center", color=INK, fontsize=7.5)
    axes.set(xlim=(-0.55, len(columns) - 0.45), ylim=(len(rows) - 0.45, -0.55))
    turned = max(map(len, columns)) * len(columns) > 48
    axes.set_xticks(range(len(columns)), list(map(short, columns)), rotation_mode="anchor",
                    rotation=30 if turned else 0, ha="right" if turned else "center")
    axes.set_yticks(range(len(rows)), list(map(short, rows)))
    axes.grid(False)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_title(response.title)
    axes.set_xlabel(across)
    axes.set_ylabel(down)
    return tips
