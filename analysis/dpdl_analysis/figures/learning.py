# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of accuracy and epsilon over rounds, simulated time, epsilon and bytes."""

import math
from typing import Callable, Sequence

import pandas as pd
from matplotlib.axes import Axes

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.events import has_traffic
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import HALF, Percent, canvas, marker, marks
from dpdl_analysis.formatting import hint
from dpdl_analysis.trace import Trace, UsageError

ALONG = {"round": "round", "time": "simulated time in seconds",
         "bytes": "megabytes sent by all nodes"}
"""Axis labels of column(), by the value of its parameter `along`."""
KEYS = ("round", "node", "source", "target", "first_round", "last_round")
"""Columns that identify a row; they are no values to draw."""


def accuracy_over_time(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy as a line, and a band down to the worst node, over simulated time."""
    figure = Figure(
        "accuracy-time",
        "Accuracy over simulated time",
        "Line: mean over the nodes. Band: down to the worst node. Further left is faster on the "
        "modelled network; a wide band means that some nodes lag behind; a falling line means "
        "that learning is being undone.",
    )
    for run in runs:
        if len(run.by_time) and run.by_time is not run.accuracy and has_traffic(run.trace):
            figure.tell(run.name, "of the vehicles on the road, each with its latest model.")
        if len(run.by_time) and run.trace.has("accuracy_by_round", "test_examples"):
            numbers = run.trace.rows("SELECT DISTINCT test_examples FROM accuracy_by_round ORDER BY 1")
            figure.tell(run.name, "tested on the first " + ", at the end on ".join(
                str(number) for number, in numbers) + " test examples.")
    return _accuracy(figure, runs, lambda run: run.by_time, "simulated_seconds",
                     "simulated time in seconds", "never evaluated.")


def accuracy_over_epsilon(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy over the certified epsilon at the same round."""
    figure = Figure(
        "accuracy-epsilon",
        "Accuracy over certified epsilon",
        "What was learnt for the privacy spent until then. Up and to the left is better: more "
        "accuracy at a smaller proven privacy loss. Line and band as before.",
    )
    return _accuracy(figure, runs, lambda run: _joined(run, run.guarantee).dropna(
        subset=["certified_max"]), "certified_max", "certified epsilon (largest of any node)",
        "no curve: certified epsilon is inf or was not recorded.")


def accuracy_over_bytes(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy over the megabytes that all nodes have sent up to the same round."""
    figure = Figure(
        "accuracy-bytes",
        "Accuracy over bytes sent",
        "What was learnt for the traffic until then, of all nodes together. Up and to the left is "
        "better: more accuracy for less of the network. Line and band as before.",
    )
    return _accuracy(figure, runs, lambda run: _joined(run, run.bytes), "megabytes",
                     "megabytes sent by all nodes",
                     "no single messages were recorded, or nothing evaluated, so no bytes by round.")


def _accuracy(figure: Figure, runs: Sequence[RunData], curve: Callable[[RunData], pd.DataFrame],
              along: str, label: str, lacking: str) -> Figure:
    """Draws the accuracies of runs over the column `along` of their curves."""
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        frame = curve(run)
        if frame.empty:
            figure.tell(run.name, lacking)
        else:
            _draw_accuracy(axes, run, frame[along], frame)
    axes.set_xlabel(label)
    axes.set_ylabel("test accuracy")
    axes.yaxis.set_major_formatter(Percent())
    if axes.lines:
        low, high = axes.get_ylim()
        axes.set_ylim(max(0.0, low), min(1.0, high))
        figure.finish(drawing)
    return figure


def column(runs: Sequence[RunData], name: str, along: str) -> Figure:
    """Column `name` of a view: its mean per round, and a band from minimum to maximum.

    `along` is round, time or bytes. Raises UsageError if no view with rounds has the column.
    """
    figure = Figure(f"y-{name}", name, "Line: mean of a round's values. Band: least to greatest.")
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        frame = run.column(*_place(run.trace, name), along)
        if frame.empty:
            figure.tell(run.name, f"no {name} over {along} was recorded.")
            continue
        run.line(axes, frame[along], frame["mean"], name)
        run.band(axes, frame[along], frame["low"], frame["high"], 0.18)
    axes.set_xlabel(ALONG[along])
    axes.set_ylabel(name.replace("_", " "))
    if axes.lines:
        figure.finish(drawing)
    return figure


def _place(trace: Trace, name: str) -> tuple[str, str]:
    """View and column of a name COLUMN or VIEW.COLUMN. Raises UsageError if there is none."""
    known = [(view, one) for view in trace.named() for names in [trace.columns(view)]
             if {"round", "last_round"} & set(names) for one in names if one not in KEYS]
    for view, one in known:
        if name in (one, f"{view}.{one}"):
            return view, one
    names = dict.fromkeys(one for _, one in known)
    raise UsageError(f"--y={name}: no view by round has it, accepted are {', '.join(names)}"
                     f"{hint(name, names)}")


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
    solid = line == "-"
    axes.plot(frame["round"], frame[column], linestyle=line, color=run.colour, linewidth=1.6 if solid else 1.1,
              marker=marker(run.index) if solid else None, markevery=marks(run.index, len(frame)),
              label=run.says(column.removesuffix("_max")))
    return True


def _observed(axes: Axes, run: RunData) -> bool:
    """Draws the audit's lower bound on epsilon as a horizontal line. False if there is none."""
    value = run.trace.number("epsilon_observed")
    if value is None or not math.isfinite(value):
        return False
    last = float(run.guarantee["round"].max()) if len(run.guarantee) else 1.0
    axes.plot([0.0, last], [value, value], ":", color=run.colour, label=run.says("observed"))
    return True


def _joined(run: RunData, other: pd.DataFrame) -> pd.DataFrame:
    """Evaluations joined with the latest row of `other` at their round or before."""
    if other.empty or run.accuracy.empty:
        return pd.DataFrame(columns=["certified_max", "megabytes"])
    return pd.merge_asof(run.accuracy.astype({"round": float}), other.astype({"round": float}),
                         on="round")


def _draw_accuracy(axes: Axes, run: RunData, along: pd.Series, frame: pd.DataFrame) -> None:
    run.band(axes, along, frame["accuracy_worst"], frame["accuracy_mean"], 0.18)
    run.line(axes, along, frame["accuracy_mean"], "mean")
    worst = frame["accuracy_worst"]
    axes.plot(along, worst, color=run.colour, linewidth=0.5, alpha=0.6, label=run.says("worst"))
