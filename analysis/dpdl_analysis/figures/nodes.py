# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of the nodes' accuracies: their spread, and their ranking."""

from typing import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import HALF, Percent, canvas, panels
from dpdl_analysis.formatting import percent
from dpdl_analysis.studies.tables import Table

LEVELS = (("worst", 0.0), ("lower quarter", 0.25), ("median", 0.5), ("upper quarter", 0.75),
          ("best", 1.0))
UNKNOWN = "no node's accuracy was recorded."
EXTREMES = 10
"""Number of worst nodes, and of best nodes, in the table."""


def accuracy_spread(runs: Sequence[RunData]) -> Figure:
    """Quantiles of the nodes' accuracies over rounds, one panel per run."""
    figure = Figure(
        "node-spread",
        "Spread of accuracy over the nodes",
        "Line: the median node. Dark band: the middle half of the nodes. Light band: all of them. "
        "A wide band means that it matters which node one is.",
        key=False,
    )
    shown = figure.having(runs, "nodes", UNKNOWN)
    if not shown:
        return figure
    figure.wide = len(shown) > 1
    drawing, grid, columns = panels(len(shown), 2.5, sharey=True)
    for axes, run in zip(grid, shown):
        _bands(axes, run)
    for axes in grid[::columns]:
        axes.set_ylabel("test accuracy")
    figure.finish(drawing)
    return figure


def accuracy_by_rank(runs: Sequence[RunData]) -> Figure:
    """Accuracy of every node at the last evaluation, sorted from worst to best."""
    figure = Figure(
        "node-rank",
        "Accuracy of every node at the end",
        "The nodes from the worst to the best. A flat line: all nodes are equally good. A line "
        "that falls off at its left end: a few nodes were left behind; the table names them.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in figure.having(runs, "nodes", UNKNOWN):
        last = run.nodes[run.nodes["round"] == run.nodes["round"].max()].sort_values("accuracy")
        run.line(axes, np.arange(1, len(last) + 1), last["accuracy"], "accuracy")
        few = len(last) <= 2 * EXTREMES
        chosen = last if few else pd.concat([last.head(EXTREMES), last.tail(EXTREMES)])
        rows = [[f"{row.node:.0f}", percent(row.accuracy)] for row in chosen.itertuples()]
        note = "" if few else f"The {EXTREMES} worst and the {EXTREMES} best."
        figure.tables.append(Table(run.says("nodes by name"), ["node", "accuracy"], rows, note))
    axes.set_xlabel("nodes, from the worst")
    axes.set_ylabel("test accuracy")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(Percent())
    if axes.lines:
        figure.finish(drawing)
    return figure


def _bands(axes: Axes, run: RunData) -> None:
    by_round = run.nodes.groupby("round")["accuracy"]
    levels = {name: by_round.quantile(level) for name, level in LEVELS}
    rounds = levels["median"].index
    for low, high, tone in (("worst", "best", 0.16), ("lower quarter", "upper quarter", 0.3)):
        run.band(axes, rounds, levels[low], levels[high], tone)
    for name, values in levels.items():
        width = 1.6 if name == "median" else 0.4
        axes.plot(rounds, values, color=run.colour, linewidth=width, label=name)
    axes.set_title("" if run.alone else run.name)
    axes.set_xlabel("round")
    axes.yaxis.set_major_formatter(Percent())
