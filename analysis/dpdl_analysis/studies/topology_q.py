# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: share of the accuracy lost to topology and message loss that each kind of q explains."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.figures.theme import Percent
from dpdl_analysis.formatting import DASH
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.references import MERIT, between, factor, merits, with_references
from dpdl_analysis.studies.statistics import Estimate, Explained, estimate, explained, shown
from dpdl_analysis.studies.study import MUTED, Study, Table, look

AGREED = 1e-5
"""Consensus errors below this fraction of the largest one count as rounding errors."""
SMALLEST_GAP = 1e-16

CAUSES: dict[str, tuple[str, str]] = {
    "realised": ("1 - q, realised", "q, realised"),
    "designed": ("1 - q, designed", "q, designed"),
    "bound": ("1 - q, the papers' bound", "q, the papers' bound"),
    "drop": ("loss rate", "loss rate alone"),
    "long_run": ("1 - q, in the long run", "q, realised, in the long run"),
}
"""Explaining quantities, with axis label and name in the table."""

PANELS = ("realised", "designed", "bound", "drop")
"""Keys of CAUSES in the figure."""

EFFECTS: dict[str, tuple[str, str]] = {
    "accuracy_loss": ("accuracy lost (points)", "accuracy loss"),
    "log_consensus": ("consensus error (log10)", "log10 of consensus error"),
}
"""Explained quantities, with axis label and name in the table."""

WITHIN = "within"
"""Key of the accuracy lost minus its mean over the message loss rates of each graph."""

CAPTION = (
    "A point is one graph with one loss rate, mean over the seeds. Accuracy lost: points of mean "
    "test accuracy below the best graph without loss. Consensus error: root mean square distance "
    "of the nodes' models from their mean; none, and no logarithm, where a graph averages exactly. "
    "Both are means over the last quarter of the run. R²: share of the variance between the points "
    "that the dashed line explains, with its 95 % bootstrap interval over the graphs. The further "
    "to the right a point lies on an axis of q, the faster nodes come to agree."
)


def study(campaign: Campaign) -> Study:
    """Table of graphs and message loss rates, R^2 of each cause and effect, with a panel each."""
    runs = campaign.runs.assign(reference=factor(campaign.runs, "reference"))
    runs = runs.assign(merit=merits(runs, "reference", "accuracy_last_quarter"))
    points = _points(between(runs, "reference"))
    shares = {
        (effect, cause): _explained(points, cause, effect)
        for effect in (*EFFECTS, WITHIN)
        for cause in CAUSES
    }
    notes = list(campaign.notes)
    exact = points[points["log_consensus"].isna()]
    if len(exact):
        names = ", ".join(f"{row.topology} at loss {row.drop:g}" for row in exact.itertuples())
        notes.append(f"Left out of the consensus error, since it is rounding only: {names}.")
    return Study(finding=_finding(shares),
                 tables=[_point_table(points, runs), _share_table(shares, len(points))],
                 draw=lambda canvas: _draw(canvas, points, shares), size=(12.4, 7.6),
                 caption=CAPTION, notes=notes, rule="Brackets: 95 % bootstrap intervals over the graphs.")


def _points(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per graph and message loss rate, in the campaign's order: means over the seeds."""
    runs = runs.assign(drop=pd.to_numeric(runs["drop"]))
    runs = runs.assign(
        realised=1.0 - runs["q_realised"],
        designed=1.0 - runs["q_designed"],
        bound=runs["one_minus_q_bound"].fillna(1.0 - runs["q_bound"]),
        long_run=1.0 - runs["q_long_run"],
    )
    gaps = ["realised", "designed", "bound", "long_run"]
    numbers = ["accuracy_last_quarter", "merit", "consensus_last_quarter", "effective_nodes", *gaps]
    grouped = runs.groupby(["topology", "drop"], sort=False)
    points = grouped[numbers].mean().reset_index()
    for name in ("accuracy_last_quarter", "merit", "consensus_last_quarter"):
        halves = grouped[name].apply(lambda values: estimate(list(values)).half)
        points[name + "_half"] = halves.to_numpy()
    lossless = points[points["drop"] == points["drop"].min()]
    points["accuracy_loss"] = 100.0 * (lossless["accuracy_last_quarter"].max() - points["accuracy_last_quarter"])
    distance = points["consensus_last_quarter"]
    told = distance > AGREED * distance.max()
    points["log_consensus"] = np.where(told, np.log10(distance.where(told, 1.0)), np.nan)
    return points


def _scaled(points: pd.DataFrame, cause: str) -> np.ndarray:
    """Regressor of a cause, by point: log10(1 - q), or the message loss rate."""
    if cause == "drop":
        return points["drop"].to_numpy()
    return np.log10(np.maximum(points[cause].to_numpy(), SMALLEST_GAP))


def _explained(points: pd.DataFrame, cause: str, effect: str) -> Explained:
    graphs = points["topology"].to_numpy()
    x = _scaled(points, cause)
    if effect != WITHIN:
        return explained(x, points[effect].to_numpy(), graphs)
    both = pd.DataFrame({"x": x, "y": points["accuracy_loss"].to_numpy()})
    both -= both.groupby(graphs).transform("mean")
    # A cause that is equal for all loss rates leaves only rounding errors, which round() removes.
    return explained(both["x"].round(9).to_numpy(), both["y"].to_numpy(), graphs)


def _told(share: Explained) -> str:
    if not np.isfinite(share.share):
        return DASH
    return f"{100 * share.share:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def _finding(shares: dict[tuple[str, str], Explained]) -> str:
    if not np.isfinite(shares["accuracy_loss", "realised"].share):
        return "Too few graphs and loss rates to tell what q explains."

    def share(cause: str, effect: str = "accuracy_loss") -> str:
        return _told(shares[effect, cause]).split(" [")[0]

    return (
        f"Realised q explains {_told(shares['accuracy_loss', 'realised'])} of the accuracy that "
        f"graphs and losses cost; designed q {share('designed')}, the papers' bound "
        f"{share('bound')}, the loss rate {share('drop')}. Between the loss rates of one graph "
        f"realised q explains {_told(shares[WITHIN, 'realised'])}, the loss rate "
        f"{share('drop', WITHIN)}."
    )


def _point_table(points: pd.DataFrame, runs: pd.DataFrame) -> Table:
    rows = [
        [
            row.topology,
            f"{100 * row.drop:g} %",
            f"{100 * row.accuracy_last_quarter:.1f} ± {100 * row.accuracy_last_quarter_half:.1f}",
            Estimate(row.merit, row.merit_half, int(np.isfinite(row.merit))).text(2),
            f"{row.accuracy_loss:.1f}",
            f"{row.consensus_last_quarter:.3g} ± {row.consensus_last_quarter_half:.1g}",
            *(_small(value) for value in (row.bound, row.designed, row.realised)),
            _small(row.effective_nodes, "{:.1f}"),
        ]
        for row in points.itertuples()
    ]
    with_references(rows, runs, "reference", lambda name, own: [
        name, DASH, shown(own["accuracy_last_quarter"], 1, 100.0), shown(own["merit"], 2), *[DASH] * 6])
    heads = ["graph", "loss", "accuracy, last quarter, %", "merit", "points lost", "consensus error", "1 - q bound"]
    return Table(
        "Graphs and losses, mean ± 95 % interval over the seeds",
        heads + ["1 - q designed", "1 - q realised", "effective nodes"],
        rows,
        MERIT,
    )


def _small(value: float, form: str = "{:.2g}") -> str:
    return form.format(value) if np.isfinite(value) else DASH


def _share_table(shares: dict[tuple[str, str], Explained], count: int) -> Table:
    rows = [
        [name, *(_told(shares[effect, cause]) for effect in (*EFFECTS, WITHIN))]
        for cause, (_, name) in CAUSES.items()
    ]
    return Table(
        f"Share of the variance between {count} points that a line in each explains (R²)",
        ["explained by", *(name for _, name in EFFECTS.values()), "accuracy loss, within graphs"],
        rows,
        "95 % bootstrap intervals from drawing the graphs anew; q enters as log10(1 - q). Points "
        "without a q, such as the bound of a graph that never connects all nodes, are left out.",
    )


def _draw(canvas: Canvas, points: pd.DataFrame, shares: dict[tuple[str, str], Explained]) -> None:
    grid = canvas.subplots(len(EFFECTS), len(PANELS), sharey="row", squeeze=False)
    for effect, line in zip(EFFECTS, grid):
        for cause, axes in zip(PANELS, line):
            _panel(axes, points, cause, effect)
            axes.set(title=f"R² = {_told(shares[effect, cause])}", xlabel=CAUSES[cause][0])
        line[0].set_ylabel(EFFECTS[effect][0])
    grid[0][-1].legend(
        loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, title="graph", fontsize=9
    )


def _panel(axes: Axes, points: pd.DataFrame, cause: str, effect: str) -> None:
    x = _scaled(points, cause)
    for index, topology in enumerate(dict.fromkeys(points["topology"])):
        mine = (points["topology"] == topology).to_numpy()
        axes.plot(x[mine] if cause == "drop" else 10.0 ** x[mine], points[effect][mine], **look(index), linewidth=0.7, markersize=5.5, label=topology)
    _line(axes, x, points[effect].to_numpy(), cause != "drop")
    if cause != "drop":
        axes.set_xscale("log")
    else:
        axes.xaxis.set_major_formatter(Percent())


def _line(axes: Axes, x: np.ndarray, y: np.ndarray, log: bool) -> None:
    """Draws the regression line of y on x; with `log` the axis shows 10**x."""
    kept = np.isfinite(x) & np.isfinite(y)
    if kept.sum() < 3 or np.ptp(x[kept]) == 0.0:
        return
    slope, start = np.polyfit(x[kept], y[kept], 1)
    ends = np.array([x[kept].min(), x[kept].max()])
    axes.plot(10.0**ends if log else ends, start + slope * ends, color=MUTED, linestyle="--", linewidth=1.2, zorder=1)
