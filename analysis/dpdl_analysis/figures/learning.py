# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Accuracy and privacy: what was learnt, when, and at what price."""

import math
from typing import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import PercentFormatter

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.events import has_traffic
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import HALF, canvas, marker, marks


def accuracy_over_time(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy as a line, down to the worst node as a band, over simulated time."""
    figure = Figure(
        "accuracy-time",
        "Accuracy over simulated time",
        "Line: mean over the nodes. Band: down to the worst node. Further left is faster on the "
        "modelled network; a wide band means that some nodes lag behind; a falling line means "
        "that learning is being undone.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        frame = run.by_time
        if frame.empty:
            figure.tell(run.name, "never evaluated.")
            continue
        if len(frame) and frame is not run.accuracy and has_traffic(run.trace):
            figure.tell(run.name, "of the vehicles on the road, each with its latest model.")
        if run.trace.has("accuracy_by_round", "test_examples"):
            numbers = run.trace.rows("SELECT DISTINCT test_examples FROM accuracy_by_round ORDER BY 1")
            figure.tell(run.name, "tested on the first " + ", at the end on ".join(
                str(number) for number, in numbers) + " test examples.")
        draw_accuracy(axes, run, frame["simulated_seconds"], frame)
    axes.set_xlabel("simulated time in seconds")
    return finish_accuracy(figure, drawing, axes)


def accuracy_over_epsilon(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy over the certified epsilon spent until then."""
    figure = Figure(
        "accuracy-epsilon",
        "Accuracy over certified epsilon",
        "What was learnt for the privacy spent until then. Up and to the left is better: more "
        "accuracy at a smaller proven privacy loss. Line and band as before.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        frame = _with_epsilon(run)
        if frame.empty:
            figure.tell(run.name, "no curve: certified epsilon is inf or was not recorded.")
            continue
        draw_accuracy(axes, run, frame["certified_max"], frame)
    axes.set_xlabel("certified epsilon (largest of any node)")
    return finish_accuracy(figure, drawing, axes)


def epsilon_over_rounds(runs: Sequence[RunData]) -> Figure:
    """Claimed (dashed) and certified (solid) epsilon over rounds."""
    figure = Figure(
        "epsilon-rounds",
        "Privacy loss over rounds",
        "Solid: certified, an upper bound that is proven. Dashed: claimed by the algorithm's own "
        "publication. A dashed line below the solid one promises more privacy than is proven. "
        "Dotted: observed by an audit of the whole run, a lower bound; above the solid line it "
        "would refute the proof.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        drawn = [
            _epsilon(axes, run, column, line)
            for column, line in (("certified_max", "-"), ("claimed_max", "--"))
        ]
        if not drawn[0]:
            figure.tell(run.name, "certified epsilon is inf or was not recorded.")
        if not _observed(axes, run):
            figure.tell(run.name, "not audited, so no observed epsilon.")
    axes.set_xlabel("round")
    axes.set_ylabel("epsilon")
    if axes.lines:
        axes.set_ylim(bottom=0.0)
        figure.finish(drawing)
    return figure


def _epsilon(axes: Axes, run: RunData, column: str, line: str) -> bool:
    frame = run.guarantee.dropna(subset=[column])
    if frame.empty:
        return False
    axes.plot(
        frame["round"],
        frame[column],
        linestyle=line,
        color=run.colour,
        linewidth=1.6 if line == "-" else 1.1,
        marker=marker(run.index) if line == "-" else None,
        markevery=marks(run.index, len(frame)),
        label=run.says(column.removesuffix("_max")),
    )
    return True


def _observed(axes: Axes, run: RunData) -> bool:
    """The audit's lower bound, which is one number for all rounds."""
    value = run.trace.number("epsilon_observed")
    if value is None or not math.isfinite(value):
        return False
    last = float(run.guarantee["round"].max()) if len(run.guarantee) else 1.0
    axes.plot([0.0, last], [value, value], ":", color=run.colour, label=run.says("observed"))
    return True


def _with_epsilon(run: RunData) -> pd.DataFrame:
    """Evaluations with the finite epsilon certified at their round."""
    spent = run.guarantee.dropna(subset=["certified_max"])
    if spent.empty or run.accuracy.empty:
        return pd.DataFrame()
    return pd.merge_asof(
        run.accuracy.astype({"round": float}), spent.astype({"round": float}), on="round"
    ).dropna(subset=["certified_max"])


def draw_accuracy(axes: Axes, run: RunData, along: pd.Series, frame: pd.DataFrame) -> None:
    """A run's mean accuracy with its band down to the worst node."""
    axes.fill_between(
        along,
        frame["accuracy_worst"],
        frame["accuracy_mean"],
        color=run.colour,
        alpha=0.18,
        linewidth=0,
    )
    run.line(axes, along, frame["accuracy_mean"], "mean")
    worst = frame["accuracy_worst"]
    axes.plot(along, worst, color=run.colour, linewidth=0.5, alpha=0.6, label=run.says("worst"))


def finish_accuracy(figure: Figure, drawing: Canvas, axes: Axes) -> Figure:
    """Labels the axis of accuracies, and finishes the figure if there is a line in it."""
    axes.set_ylabel("test accuracy")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    if axes.lines:
        low, high = axes.get_ylim()
        axes.set_ylim(max(0.0, low), min(1.0, high))
        figure.finish(drawing)
    return figure
