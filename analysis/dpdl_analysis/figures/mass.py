# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of push-sum's weight w: its sums at nodes, in flight and lost, and its spread."""

from typing import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import MUTED, WIDE, canvas, log_if_wide, panels

PLACES = (("w_at_nodes", "at nodes"), ("w_in_flight", "in flight"), ("w_lost", "lost for good"))


def mass_over_rounds(runs: Sequence[RunData]) -> Figure:
    """Sums of w at nodes, in flight and lost, over rounds."""
    figure = Figure(
        "mass",
        "Where the mass w is",
        "The three panels add up to the number of nodes in every round. Without loss all of it "
        "stays at the nodes; where it drains away, a plain step grows by the same factor, and with "
        "it the privacy noise. The scale is logarithmic where values differ by a factor above 20.",
        wide=True,
    )
    shown = figure.having(runs, "mass", "no mass was recorded.", len(runs))
    if not shown:
        return figure
    drawing = canvas((WIDE, 2.9))
    for axes, (column, title) in zip(drawing.subplots(1, len(PLACES)), PLACES):
        _place(axes, shown, column)
        axes.set_title(title)
    drawing.axes[0].set_ylabel("sum of w")
    figure.finish(drawing)
    return figure


def _place(axes: Axes, runs: Sequence[RunData], column: str) -> None:
    """Draws the sums of w in `column` of view mass_by_round, or a text if all are 0."""
    positive = pd.concat([run.mass.loc[run.mass[column] > 0.0, column] for run in runs])
    if positive.empty:
        axes.text(0.5, 0.5, "none in any run", ha="center", color=MUTED, transform=axes.transAxes)
        axes.set_xticks([])
        axes.set_yticks([])
        return
    for run in runs:
        run.line(axes, run.mass["round"], run.mass[column], "sum of w")
    if column != "w_at_nodes" or not log_if_wide(axes, positive.min(), positive.max()):
        axes.set_ylim(bottom=0.0)
    axes.set_xlabel("round")


def weight_spread(runs: Sequence[RunData]) -> Figure:
    """Minimum, median and maximum w of the nodes over rounds, one panel per run."""
    figure = Figure(
        "w-spread",
        "Spread of w over the nodes",
        "Line: the median node. Band: from the least to the greatest w. A node's data count with "
        "its w in the common result, so a wide band means that some nodes count for little; a "
        "whole band that sinks means that mass is lost.",
        wide=True,
        key=False,
    )
    shown = figure.having(runs, "spread", "no w by node was recorded.")
    if not shown:
        return figure
    drawing, grid, columns = panels(len(shown), 2.5, WIDE, sharey=True)
    positive = [run.spread["min"][run.spread["min"] > 0.0].min() for run in shown]
    low = min([float(value) for value in positive if value > 0.0], default=1.0)
    high = max(float(run.spread["max"].max()) for run in shown)
    for axes, run in zip(grid, shown):
        _band(axes, run, low)
        _readable(axes, low, high)
    for axes in grid[::columns]:
        axes.set_ylabel("w of a node")
    figure.notes.append("The dotted line is w = 1, where every node starts.")
    figure.finish(drawing)
    return figure


def _band(axes: Axes, run: RunData, low: float) -> None:
    frame = run.spread
    run.band(axes, frame["round"], frame["min"].clip(lower=low), frame["max"], 0.28)
    for column in ("min", "median", "max"):
        width = 1.6 if column == "median" else 0.4
        axes.plot(frame["round"], frame[column], color=run.colour, linewidth=width, label=column)
    axes.axhline(1.0, color=MUTED, linewidth=0.8, linestyle=":")
    axes.set_yscale("log")
    axes.set_title("" if run.alone else run.name)
    axes.set_xlabel("round")


def _readable(axes: Axes, low: float, high: float) -> None:
    """Labels a logarithmic axis with plain numbers if it spans at most a factor of 100."""
    if high / low > 100.0:
        return
    axis = axes.yaxis
    axes.set_ylim(min(low / 1.1, 0.5), max(high * 1.1, 2.0))
    axis.set_major_locator(LogLocator(base=10.0, subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(ScalarFormatter())
    axis.set_minor_formatter(NullFormatter())
