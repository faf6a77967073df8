# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: simulated time to an accuracy if some nodes are slow, by the schedule of rounds."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import DASH
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.references import MERIT, REFERENCES, enclosed, merits
from dpdl_analysis.studies.statistics import LEVEL, Estimate, estimate, shown, times
from dpdl_analysis.studies.study import COLOURS, MUTED, Study, Table, look
from dpdl_analysis.studies.vehicular_drive import table_of
from dpdl_analysis.trace import Trace, UsageError

BASE = "synchronous"
GOAL = 0.7
"""Mean accuracy, as a fraction, for which the study reports the time."""
STYLES = ("-", "--")
"""Line styles; the style changes each time the colours repeat."""

CAPTION = (
    "Mean over the nodes of the test accuracy of the model that each has at that moment, against "
    "simulated time; mean over the seeds. The axis ends where the slowest method has reached the "
    f"level, {100 * GOAL:g} % (dotted)."
)
MODELS = (
    "SELECT node, accuracy, COALESCE(started_at, (SELECT simulated_seconds FROM accuracy_by_round "
    "AS whole WHERE whole.round = models.round)) AS time FROM accuracy_by_node AS models "
    "LEFT JOIN round_by_node USING (round, node) ORDER BY time, round"
)
"""Query for (node, accuracy, time): the accuracy of the node's model from this time on."""


@dataclass(frozen=True)
class _Method:
    """The runs of one method, log2 of its speedup over the base, and seconds it is earlier."""

    name: str
    runs: pd.DataFrame
    faster: Estimate
    earlier: Estimate


def study(campaign: Campaign) -> Study:
    """Time of each method to a mean accuracy of 70 %, compared with synchronous rounds."""
    curves = [_curve(campaign, trace) for trace in campaign.runs["trace"]]
    runs = campaign.runs.assign(curve=curves, seconds=[_reached(curve) for curve in curves])
    base = runs[runs["method"] == BASE].set_index("run")
    if base.empty:
        raise UsageError(f"{campaign.folder}: the runs of {BASE} are missing or incomplete")
    runs = enclosed(runs.assign(merit=merits(runs, "method", "accuracy_last_quarter")), "method")
    groups = dict(list(runs.groupby("method", sort=False)))
    others = max(1, len(set(groups) - {BASE, *REFERENCES}))
    methods = [_method(name, group, base, others) for name, group in groups.items()]
    return Study(finding=_finding(methods), tables=[_table(methods)],
                 draw=lambda canvas: _draw(canvas, methods), size=(9.0, 5.6), caption=CAPTION,
                 notes=campaign.notes)


def _curve(campaign: Campaign, name: str) -> pd.Series:
    """Mean accuracy of all nodes' latest models by simulated time in seconds."""
    with Trace(campaign.folder / name) as trace:
        models = table_of(trace, MODELS)
    by_node = models.pivot_table(index="time", columns="node", values="accuracy", aggfunc="last")
    return by_node.ffill().mean(axis=1, skipna=False).dropna()


def _reached(curve: pd.Series) -> float:
    above = curve.index[curve >= GOAL]
    return float(above[0]) if len(above) else math.nan


def _method(name: str, group: pd.DataFrame, base: pd.DataFrame, others: int) -> _Method:
    """Compares a method with the base; intervals allow for `others` methods (Bonferroni)."""
    both = group.set_index("run").join(base["seconds"].rename("base"), how="inner")
    level = 1.0 - (1.0 - LEVEL) / others
    ratio = np.log2(both["base"] / both["seconds"])
    return _Method(
        name=name,
        runs=group,
        faster=estimate(list(ratio), level),
        earlier=estimate(list(both["base"] - both["seconds"]), level),
    )


def _reach_all(method: _Method) -> bool:
    return bool(method.runs["seconds"].notna().all())


def _finding(methods: list[_Method]) -> str:
    compared = [
        method for method in methods
        if method.name not in (BASE, *REFERENCES) and _reach_all(method)
    ]
    goal = f"{100 * GOAL:g} %"
    if not compared:
        return f"No method beside {BASE} reaches {goal} with every seed."
    best = max(compared, key=lambda method: method.faster.mean)
    epsilon = max(float(method.runs["epsilon_certified"].max()) for method in methods)
    others = len({method.name for method in methods} - {BASE, *REFERENCES})
    faster, count = best.faster, best.faster.count
    interval = f"95 % interval {2**faster.low:.2f} to {2**faster.high:.2f}, "
    return (
        f"{best.name} is first to reach {goal}: {2**faster.mean:.2f} times as fast as {BASE} "
        f"({interval * (not math.isnan(faster.half))}paired over {count} "
        f"seed{'s' * (count != 1)}, at 5 % over {others} methods, Bonferroni), at a certified epsilon of at most "
        f"{epsilon:.3g} for all."
    )


def _table(methods: list[_Method]) -> Table:
    rows = []
    for method in methods:
        runs, is_base = method.runs, method.name == BASE
        faster, earlier = times(method.faster), method.earlier.text(2)
        if method.name in REFERENCES:
            faster = earlier = DASH
        rows.append(
            [method.name, f"{runs['rounds'].max():.0f}", shown(runs["seconds"], 2)]
            + [f"{runs['seconds'].notna().sum()}/{len(runs)}"]
            + (["1", "0"] if is_base else [faster, earlier])
            + [shown(runs["accuracy_last_quarter"], 1, 100.0), shown(runs["merit"], 2)]
            + [f"{runs['epsilon_certified'].max():.3g}"]
            + [DASH if runs["bytes_sent"].isna().all() else f"{runs['bytes_sent'].mean() / 1e6:.1f}"]
        )
    return Table(
        f"Simulated time to a mean accuracy of {100 * GOAL:g} %",
        ["method", "rounds", f"s to {100 * GOAL:g} %", "reached by", "times as fast", "s earlier"]
        + ["accuracy, last quarter, %", "merit", "eps certified", "MB sent"],
        rows,
        "± is the 95 % interval over the seeds. Times as fast: geometric mean of the ratios to "
        f"{BASE}, seed by seed; this interval and that of 's earlier' allow for comparing so many "
        f"methods (Bonferroni). Last quarter: mean over the evaluations of these rounds. {MERIT}",
    )


def _draw(canvas: Canvas, methods: list[_Method]) -> None:
    axes = canvas.subplots()
    ends = [method.runs["seconds"].max() for method in methods if _reach_all(method)]
    lasts = [curve.index[-1] for method in methods for curve in method.runs["curve"]]
    end = 1.1 * max(ends) if ends else max(lasts)
    grid = np.linspace(0.0, end, 400)
    for place, method in enumerate(methods):
        lines = [_at(curve, grid) for curve in method.runs["curve"]]
        axes.plot(
            grid,
            100.0 * np.mean(lines, axis=0),
            **look(place),
            linestyle=STYLES[place // len(COLOURS) % len(STYLES)],
            markevery=(5 * place % 50, 50),
            label=method.name,
        )
    axes.axhline(100.0 * GOAL, color=MUTED, linestyle=":", linewidth=1.0)
    axes.set(xlabel="simulated time (s)", ylabel="mean accuracy (%)", xlim=(0.0, end))
    axes.legend(loc="lower right")


def _at(curve: pd.Series, times: np.ndarray) -> np.ndarray:
    """Values of a step curve at `times`; before its first step, the first value."""
    places = np.searchsorted(curve.index.to_numpy(), times, side="right") - 1
    return curve.to_numpy()[np.clip(places, 0, None)]
