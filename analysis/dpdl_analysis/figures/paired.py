# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of the differences of paired runs: of each result, and of the accuracy over rounds."""

import math
from typing import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dpdl_analysis.comparison.comparison import Comparison
from dpdl_analysis.comparison.difference import HEADLINE, SAME, Difference
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import GRID, INK, MUTED, RUNS, WIDE, canvas, grid
from dpdl_analysis.studies.statistics import estimate
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import REACHED, Trace

COLUMNS, NARROWEST, LETTER = 3, 2.5, 0.08
"""Maximum number of panels in a row; minimum width of a panel and width of a letter, in inches."""
MOST_VARIANTS = 40
UNSORTED = 10
"""Maximum number of variants in the given order; more variants are sorted by the measure."""
POINTS = 100.0
"""Percentage points per unit of accuracy."""


def forest(comparisons: Sequence[Comparison], measure: str = HEADLINE[0].key) -> Figure:
    """One panel per quantity, that of key `measure` first: differences of each variant."""
    figure = Figure(
        "differences",
        "Differences, variant minus base",
        "Diamond: mean of the pairs. Bar: its 95 % interval. Faint dots: the single pairs. A bar that "
        "crosses the line at 0 is no difference that these seeds tell; of many bars, some miss it by chance. "
        "Numbers that are equal in all pairs, or infinite in one of two runs, are not drawn; the table has them.",
        wide=True,
        key=False,
    )
    shown = list(comparisons[:MOST_VARIANTS])
    if len(shown) > UNSORTED:
        shown.sort(key=lambda one: found.paired.mean if (found := one.find(measure)) else 0.0)
    if len(comparisons) > MOST_VARIANTS:
        figure.notes.append(f"Only the first {MOST_VARIANTS} variants are shown.")
    asked = [found.quantity for one in shown for found in one.differences
             if found.quantity.key == measure or REACHED.fullmatch(found.quantity.key)]
    asked = sorted(dict.fromkeys((*asked, *HEADLINE)), key=lambda one: one.key != measure)
    panels = [
        (quantity.title, quantity.unit, found)
        for quantity in asked
        if any(found := [_drawn(one, quantity.key) for one in shown])
    ]
    if not panels:
        figure.notes.append("No number differs.")
        return figure
    names = [_name(one) for one in shown]
    columns = int(np.clip((WIDE - LETTER * max(map(len, names))) / NARROWEST, 1, COLUMNS))
    rows = -(-len(panels) // columns)
    drawing = canvas((WIDE, rows * (1.05 + 0.24 * len(shown))))
    places = grid(drawing, len(panels), columns, sharey=True)
    tips: dict[str, str] = {}
    for index, (axes, (title, unit, found)) in enumerate(zip(places, panels)):
        axes.set_title(f"{title} ({unit})" if unit else title)
        tips.update(_panel(axes, found, shown, index))
    numbers = [[title, *(one.text() if one else "-" for one in found)] for title, _, found in panels]
    figure.tables.append(Table("", ["number", *names], numbers))
    told = [f"{title}: {name} {one.text()}." for title, _, found in panels
            for name, one in zip(names, found) if one]
    figure.finish(drawing, tips, " ".join(told))
    return figure


def _name(comparison: Comparison) -> str:
    return comparison.name or "variant"


def _drawn(comparison: Comparison, key: str) -> Difference | None:
    """The difference of the quantity `key`; None if infinite, 0 in all pairs, or rounding error."""
    one = comparison.find(key)
    if one is None or one.unchanged or not math.isfinite(one.paired.mean):
        return None
    return one if abs(one.paired.mean) > SAME * abs(one.base.mean) else None


def _panel(
    axes: Axes, found: Sequence[Difference | None], shown: Sequence[Comparison], index: int
) -> dict[str, str]:
    tips = {}
    axes.axvline(0.0, color=INK, linewidth=0.9)
    for place, one in enumerate(found):
        if one is None:
            continue
        values = [value for value in one.values if math.isfinite(value)]
        axes.plot(values, [place] * len(values), "o", color=MUTED, alpha=0.35, markersize=3)
        if math.isfinite(one.paired.half):
            ends = (one.paired.low, one.paired.high)
            axes.plot(ends, (place, place), color=RUNS[0], linewidth=2.2, solid_capstyle="butt")
        marks = axes.plot(one.paired.mean, place, "D", color=RUNS[0], markersize=5)
        marks[0].set_gid(f"difference-{index}-{place}")
        tips[marks[0].get_gid()] = f"{_name(shown[place])}: {one.text()}"
    axes.set_yticks(range(len(shown)), [_name(one) for one in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.spines["left"].set_color(GRID)
    return tips


def accuracy_difference(pairs: Sequence[tuple[Trace, Trace]]) -> Figure:
    """Mean accuracy of the variant minus that of the base, in points, by round."""
    figure = Figure(
        "difference-rounds",
        "When the difference comes about",
        "Mean accuracy of the variant minus that of the base, in points, at every round at which "
        "both were evaluated. Band: 95 % interval over the pairs.",
        wide=True,
        key=False,
    )
    curves = [_curve(base, variant) for base, variant in pairs]
    rounds = sorted({k for curve in curves for k in curve})
    if not rounds:
        figure.notes.append("The runs have no evaluated round in common.")
        return figure
    means = [estimate([curve[k] for curve in curves if k in curve]) for k in rounds]
    drawing = canvas((WIDE, 2.6))
    axes = drawing.subplots()
    axes.axhline(0.0, color=INK, linewidth=0.9)
    mean = np.array([one.mean for one in means])
    half = np.array([one.half for one in means])
    if np.isfinite(half).any():
        axes.fill_between(rounds, mean - half, mean + half, color=RUNS[0], alpha=0.2, linewidth=0)
        for name, ends in (("lower end", mean - half), ("upper end", mean + half)):
            axes.plot(rounds, ends, color=RUNS[0], linewidth=0.4, label=name)
    axes.plot(rounds, mean, color=RUNS[0], label="difference")
    axes.set_xlabel("round")
    axes.set_ylabel("points of accuracy")
    figure.finish(drawing)
    return figure


def _curve(base: Trace, variant: Trace) -> dict[int, float]:
    rows = "SELECT round, accuracy_mean FROM accuracy_by_round WHERE accuracy_mean IS NOT NULL"
    first, second = (
        dict(trace.rows(rows)) if trace.has("accuracy_by_round", "round", "accuracy_mean") else {}
        for trace in (base, variant))
    return {int(k): POINTS * (second[k] - first[k]) for k in first if k in second}
