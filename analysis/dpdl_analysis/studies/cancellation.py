# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: message loss rate at which correlated noise is no more accurate than independent noise."""

import math
from typing import Sequence

import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import DASH, epsilon
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.leaderboard import named
from dpdl_analysis.studies.statistics import estimate, shown
from dpdl_analysis.studies.study import EACH, MUTED, Study, Table, draw_line

BASE = "const-d2p"
"""Algorithm whose noise is independent between nodes and rounds."""

CAPTION = (
    f"Points of test accuracy above {BASE}, the same run with independent noise at the same "
    "certified epsilon: mean of the nodes after the last round, mean over the seeds of the paired "
    "difference with its 95 % interval. N collude: certified against an observer of all messages "
    "with any N nodes."
)


def study(campaign: Campaign) -> Study:
    """Accuracy of each algorithm, and its gain over independent noise, by message loss rate."""
    runs = campaign.runs.assign(loss=pd.to_numeric(campaign.runs["drop"]))
    runs["algorithm"] = runs.apply(named, axis=1)
    gains = _with_gain(runs)
    return Study(finding=_finding(gains), tables=[_table(gains)],
                 draw=lambda canvas: _draw(canvas, gains), size=(8.4, 5.2), caption=CAPTION,
                 notes=campaign.notes, rule=EACH)


def _with_gain(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with `gain` over independent noise at equal loss rate and seed, in points."""
    base = runs[runs["algorithm"] == BASE][["loss", "run", "accuracy_mean"]]
    paired = runs.merge(base, on=["loss", "run"], how="left", suffixes=("", "_base"))
    return paired.assign(gain=100.0 * (paired["accuracy_mean"] - paired["accuracy_mean_base"]))


def crossing(losses: Sequence[float], gains: Sequence[float]) -> float:
    """Message loss rate at which `gains`, sorted by loss rate, first falls to 0; nan if never."""
    points = list(zip(losses, gains))
    if points and points[0][1] <= 0.0:
        return points[0][0]
    for (left, above), (right, below) in zip(points, points[1:]):
        if below <= 0.0 < above:
            return left + (right - left) * above / (above - below)
    return math.nan


def _finding(gains: pd.DataFrame) -> str:
    sentences = [
        _sentence(name, group)
        for name, group in gains.groupby("algorithm", sort=False)
        if name != BASE and group["gain"].notna().any()
    ]
    return " ".join(sentences) or f"No algorithm to compare with {BASE}."


def _sentence(name: str, group: pd.DataFrame) -> str:
    """Sentence with the algorithm's gain at both ends of the loss rates, and its crossing."""
    first, last = group["loss"].min(), group["loss"].max()
    ends = [
        f"{shown(group[group['loss'] == loss]['gain'], 2)} points at {100 * loss:g} % loss"
        for loss in sorted({first, last})
    ]
    found = [
        crossing(list(seed["loss"]), list(seed["gain"]))
        for _, seed in group.sort_values("loss").groupby("run")
    ]
    reached = [100.0 * loss for loss in found if not math.isnan(loss)]
    text = f"{name}: {', '.join(ends)}"
    if not reached:
        return f"{text}, more than independent noise at every seed and rate."
    if len(reached) < len(found):
        return f"{text}; the gain is gone within this range for {len(reached)} of {len(found)} seeds."
    where = estimate(reached)
    return f"{text}; it costs more than it gives from {where.text(0)} % loss on."


def _table(gains: pd.DataFrame) -> Table:
    rows = [
        [
            name,
            f"{100 * loss:g} %",
            str(len(group)),
            shown(group["accuracy_mean"], 1, 100.0),
            DASH if name == BASE else shown(group["gain"], 2),
            epsilon(group["epsilon_certified"].max()),
        ]
        for (name, loss), group in gains.groupby(["algorithm", "loss"], sort=False)
    ]
    heads = ["algorithm", "loss", "seeds", "mean node (%)", f"points above {BASE}", "certified"]
    return Table("Accuracy at a certified epsilon: mean ± 95 % interval over the seeds", heads, rows)


def _draw(canvas: Canvas, gains: pd.DataFrame) -> None:
    axes = canvas.subplots()
    axes.axhline(0.0, color=MUTED, linewidth=1)
    lines = gains[gains["algorithm"] != BASE].groupby("algorithm", sort=False)
    for index, (name, group) in enumerate(lines):
        points = {100.0 * loss: estimate(cell["gain"]) for loss, cell in group.groupby("loss")}
        # Horizontal offsets keep the error bars of the algorithms apart.
        places = [loss + 2.0 * ((index + 0.5) / len(lines) - 0.5) for loss in points]
        draw_line(axes, index, name, places, list(points.values()), capsize=3, linewidth=1)
    axes.set_xlabel("loss of every link (%)")
    axes.set_ylabel(f"points of accuracy above {BASE}")
    if len(lines) > 0:
        axes.legend(frameon=False)
