# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Response curves: a result of a campaign's runs over each factor, with intervals over seeds."""

import math
from itertools import combinations
from typing import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Affine2D

from dpdl_analysis.figures.effects import Effects, Response, shown
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import HALF, INK, MUTED, WIDE, Percent, canvas, colour, grid, marker
from dpdl_analysis.formatting import number, percent
from dpdl_analysis.studies.tables import Table

MOST_FACTORS = 4
UNSORTED, MOST_LINES = 10, 40
"""Largest number of named levels in the given order, and of drawn levels."""
LONG = 24
"""Maximum length of a level's name, in characters, in a narrow figure."""
ROW = 0.7
"""Height of a reference's name, relative to the distance between levels."""
STEP, SPAN = 0.12, 0.6
"""Distance of neighbouring points at a level, and maximum of the outer ones, per level distance."""

Curve = tuple[str, np.ndarray, np.ndarray]  # name, means and half-widths of intervals by level


def curves(effects: Effects, response: Response) -> Figure:
    """One panel per factor, with one curve per level of the factor effects.coloured.

    Levels that are names are listed vertically. Levels that are numbers are on a horizontal axis.
    """
    figure = Figure(
        f"response-{response.key.replace('_', '-')}",
        response.title,
        "Point: mean over the seeds"
        + (", and over all factors not named" if len(effects.factors) > 1 else "")
        + ". Bar: its 95 % interval over seeds."
        + (" Dashed line: a reference." if effects.references else ""),
        key=False,
    )
    if effects.coloured:
        levels = effects.levels(effects.coloured)
        figure.legend = [(at, f"{effects.coloured} {name}") for at, name in enumerate(levels)]
    factors = effects.factors[:MOST_FACTORS]
    lying = [any(number(level) is None for level in effects.levels(factor)) for factor in factors]
    columns = 1 if any(lying) else len(factors)
    figure.wide = len(factors) > 1
    heights = [2.7 if figure.wide else HALF[1]]
    if any(lying):
        sizes = [len(effects.levels(factor)) for factor in factors]
        each = 0.24 * max(1.0, len(figure.legend) / 2.0)
        heights = [1.0 + each * min(MOST_LINES, count) if lies else 2.7
                   for count, lies in zip(sizes, lying)]
        names = [len(level) for factor in factors for level in effects.levels(factor)]
        figure.wide = max(names) > LONG
    drawing = canvas((WIDE if figure.wide else HALF[0], sum(heights)))
    panels = grid(drawing, len(factors), columns, sharey=not any(lying), height_ratios=heights)
    for axes, factor, lies in zip(panels, factors, lying):
        _panel(axes, effects, response, factor, figure, lies)
    if any(not math.isfinite(value) for value in effects.values(response)):
        figure.notes.append("Where a run has no finite value there is no point; the table says so.")
    figure.tables.append(_table(effects, response))
    said = f"{response.title} by {', '.join(factors)}; the table has the numbers."
    figure.finish(drawing, said=said if any(lying) else "")
    return figure


def offsets(along: Sequence[float], curves: int) -> np.ndarray:
    """Horizontal offsets of `curves` points at each level, for levels at positions `along`."""
    gaps = np.diff(sorted(set(along)))
    gap = float(gaps.min()) if len(gaps) else 1.0
    step = min(STEP * gap, SPAN * gap / max(1, curves - 1))
    return step * (np.arange(curves) - (curves - 1) / 2)


def _panel(axes: Axes, effects: Effects, response: Response, factor: str, figure: Figure,
           lies: bool) -> None:
    levels = effects.along(factor)
    found = _found(effects, response, factor, levels)
    if lies:
        order = _order(found, figure)
        levels = [levels[at] for at in order]
        found = [(name, mean[order], half[order]) for name, mean, half in found]
    along = np.arange(len(levels)) if lies else np.array(list(map(float, levels)))
    for index, ((name, mean, half), beside) in enumerate(zip(found, offsets(along, len(found)))):
        # Offsets keep bars from overlapping. On an axis of numbers only the drawing is shifted.
        x = along + beside * lies
        moved = Affine2D().translate(0.0 if lies else beside, 0.0) + axes.transData
        tint = colour(index) if len(found) > 1 else MUTED
        known = np.isfinite(mean) & np.isfinite(half)
        ends = np.clip([(mean - half)[known], (mean + half)[known]], *response.bounds)
        (axes.hlines if lies else axes.vlines)(x[known], *ends, colors=tint, linewidth=1.1, alpha=0.7, transform=moved)
        # Named levels have no order, so no line connects their points.
        axes.plot(*((mean, x) if lies else (x, mean)), color=tint, marker=marker(index),
                  linestyle="none" if lies else "-", label=f"_{name}" if lies else name, transform=moved)
    for (one, mean, _), (other, same, _) in combinations(found, 2):
        if np.array_equal(mean, same, equal_nan=True) and np.isfinite(mean).any():
            figure.notes.append(f"Along {factor}, {one} and {other} coincide.")
    rows = 0
    for name in effects.references:
        rows += _reference(axes, effects.of(name), response, factor, name, None if lies else levels, rows)
    if lies:
        axes.set_yticks(along, levels)
        axes.set_ylim(len(levels) - 0.5, -0.5 - ROW * rows)
    titled = response.title + (f" ({response.unit})" if response.unit else "")
    axes.set(**dict(zip(("xlabel", "title" if lies else "ylabel"), (titled, factor) if lies else (factor, titled))))
    if response.show is percent:
        axis = axes.xaxis if lies else axes.yaxis
        axis.set_major_formatter(Percent())


def _found(effects: Effects, response: Response, factor: str, levels: list[str]) -> list[Curve]:
    by = effects.coloured if effects.coloured != factor else ""
    means = effects.means(response, [factor, by] if by else [factor])
    made = []
    for curve in effects.levels(by) if by else [""]:
        found = [means.get((level, curve) if by else (level,)) for level in levels]
        mean = np.array([one.mean if one else math.nan for one in found])
        mean[~np.isfinite(mean)] = math.nan
        half = np.array([one.half if one else math.nan for one in found])
        made.append((f"{by} {curve}" if by else "all", mean, half))
    return made


def _order(found: Sequence[Curve], figure: Figure) -> list[int]:
    """Indices of the drawn levels, in order; more than 10 are sorted by mean, largest first."""
    means = np.array([mean for _, mean, _ in found])
    known = np.isfinite(means)
    mean = np.where(known, means, 0.0).sum(axis=0) / np.maximum(1, known.sum(axis=0))
    order = list(range(len(mean)))
    if len(order) > UNSORTED:
        order.sort(key=lambda at: (not known[:, at].any(), -mean[at]))
    if len(order) > MOST_LINES:
        half = MOST_LINES // 2
        figure.notes.append(f"The first and the last {half} of {len(order)} are drawn; the table "
                            "has all.")
        order = order[:half] + order[-half:]
    return order


def _reference(axes: Axes, own: Effects, response: Response, factor: str, name: str,
               levels: list[str] | None, row: int) -> int:
    """Draws a reference as dashed lines, with names above the levels from `row` on. `levels` is
    None if levels are listed vertically. Returns the number of rows of names."""
    means = {level: one.mean for (level,), one in own.means(response, [factor]).items()}
    style = {"color": INK, "linestyle": "--", "linewidth": 1.0}
    text = {"textcoords": "offset points", "fontsize": 7.5, "va": "top" if levels and row else "baseline",
            "xytext": (2, -2 if levels and row else 2)}
    if levels and set(means) >= set(levels):
        axes.plot(list(map(float, levels)), [means[level] for level in levels], label=name, **style)
        axes.annotate(name, (float(levels[-1]), means[levels[-1]]), ha="right", **text)
        return 1
    equal: dict[str, list[str]] = {}
    for level, mean in means.items():
        if math.isfinite(mean):
            equal.setdefault(response.show(mean), []).append(level)
    for index, group in enumerate(equal.values()):
        called = ", ".join([name] * all(name not in level for level in group) + group)
        called = name if len(group) == len(means) else called
        mean = means[group[0]]
        (axes.axhline if levels else axes.axvline)(mean, label=f"_{called}", **style)
        place = (0, mean) if levels else (mean, -0.5 - ROW * (row + index))
        axes.annotate(called, place, xycoords=axes.get_yaxis_transform() if levels else "data", **text)
    return len(equal)


def _table(effects: Effects, response: Response) -> Table:
    rows = [
        [*key, shown(value, response), str(value.count)]
        for key, value in effects.means(response, effects.factors).items()
    ]
    return Table("all variants", [*effects.factors, response.title, "seeds"], rows)
