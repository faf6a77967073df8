# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: accuracy of private algorithms at a certified epsilon, with and without message loss."""

import math

import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import DASH, duration, epsilon
from dpdl_analysis.studies.campaign import Campaign, all_bytes
from dpdl_analysis.studies.references import MERIT, REFERENCES, between, merits
from dpdl_analysis.studies.statistics import estimate, shown
from dpdl_analysis.studies.study import EACH, Study, Table, draw_line

CELL = ["epsilon", "algorithm", "drop"]

CAPTION = (
    "Test accuracy after the last round, mean of the nodes, against the certified epsilon of every "
    "node; mean over the seeds with its 95 % interval. isolated: nothing is sent. central: one "
    "learner has the examples of all nodes."
)


def study(campaign: Campaign) -> Study:
    """Accuracy of each algorithm by budget (certified epsilon) and message loss rate."""
    runs = campaign.runs
    runs = runs.assign(budget=pd.to_numeric(runs["epsilon"]), loss=pd.to_numeric(runs["drop"]),
                       algorithm=runs.apply(named, axis=1))
    values = merits(runs, "algorithm", setting=["epsilon"])
    cells = [(key, group) for key, group in runs.groupby(CELL, sort=False)]
    return Study(finding=_finding(runs), tables=[_table(cells, values)],
                 draw=lambda canvas: _draw(canvas, runs), size=(8.4, 5.6), caption=CAPTION,
                 notes=campaign.notes + campaign.privacy, rule=EACH)


def named(row: pd.Series) -> str:
    """Name of a run's algorithm, with the number of colluders of its certificate, if it has one."""
    count = row.get("colluders", math.nan)
    return str(row["algorithm"] if pd.isna(count) else f"{row['algorithm']}, {count:g} collude")


def _loss(algorithm: str, drop: str) -> str:
    return DASH if algorithm in REFERENCES else f"{100 * float(drop):g} %"


def _gigabytes(runs: pd.DataFrame) -> str:
    """Mean gigabytes (1e9 bytes) sent by a run, as text; a dash if unknown."""
    sent = all_bytes(runs).mean()
    return DASH if math.isnan(sent) else f"{sent / 1e9:.2f}"


def _table(cells: list[tuple[tuple[str, ...], pd.DataFrame]], values: pd.Series) -> Table:
    rows = []
    for (budget, algorithm, drop), group in cells:
        observed = group["epsilon_observed"].max()
        rows.append([
            budget,
            algorithm,
            _loss(algorithm, drop),
            str(len(group)),
            shown(group["accuracy_mean"], 1, 100.0),
            shown(group["accuracy_worst"], 1, 100.0),
            shown(values.loc[group.index], 2),
            epsilon(group["epsilon_certified"].max()),
            DASH if math.isnan(observed) else epsilon(observed),
            _gigabytes(group),
            duration(group["simulated_seconds"].mean()),
        ])
    heads = ["epsilon", "algorithm", "loss", "seeds", "mean node (%)", "worst node (%)", "merit",
             "certified", "observed", "GB sent", "simulated"]
    return Table(
        "Accuracy at a certified epsilon: mean ± 95 % interval over the seeds",
        heads,
        rows,
        f"{MERIT} Certified: the largest "
        "of any node and seed; of 'N collude' against an observer of all messages with N nodes. Observed: the largest that an audit of these traces has measured "
        f"(`./dpdl audit`); {DASH} without one. GB sent: with acknowledgements and what was sent again.",
    )


def _finding(runs: pd.DataFrame) -> str:
    private = between(runs, "algorithm")
    if private.empty:
        return "No private algorithm among the runs."
    worst = private["loss"].max()
    best = []
    for budget, group in private[private["loss"] == worst].groupby("budget"):
        name = group.groupby("algorithm")["accuracy_mean"].mean().idxmax()
        reached = shown(group[group["algorithm"] == name]["accuracy_mean"], 1, 100.0)
        best.append(f"{reached} % at epsilon {budget:g} ({name})")
    return f"With {100 * worst:g} % loss the nodes reach {', '.join(best)}."


def _draw(canvas: Canvas, runs: pd.DataFrame) -> None:
    axes = canvas.subplots()
    lines = list(runs.groupby(["algorithm", "drop"], sort=False))
    for index, ((algorithm, drop), group) in enumerate(lines):
        label = algorithm
        if algorithm not in REFERENCES:
            label += f", {_loss(algorithm, drop)} loss"
        points = {budget: estimate(100.0 * cell["accuracy_mean"], bounds=(0.0, 100.0))
                  for budget, cell in group.groupby("budget")}
        # Horizontal offsets keep the error bars of the algorithms apart.
        places = [budget * 1.2 ** ((index + 0.5) / len(lines) - 0.5) for budget in points]
        draw_line(axes, index, label, places, list(points.values()), capsize=3, linewidth=1)
    axes.set_xscale("log")
    budgets = sorted(runs["budget"].unique())
    axes.set_xticks(budgets, [f"{budget:g}" for budget in budgets], minor=False)
    axes.set_xlabel("certified epsilon of every node")
    axes.set_ylabel("accuracy (%), mean of the nodes")
    axes.legend(frameon=False)
