# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which link hurts most when it fails, and how does that compare to larger failures?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MultipleLocator

from dpdl_analysis.formatting import DASH, gap
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.references import MERIT, between, merits, with_references
from dpdl_analysis.studies.statistics import LEVEL, Estimate, estimate, shown
from dpdl_analysis.studies.study import COLOURS, INK, MUTED, Study, Table
from dpdl_analysis.trace import UsageError

BASE, LINK = "base", "link"
MOST = 20
"""At most so many links have a line in the figure; the table has all."""
LINK_COLOUR, CASE_COLOUR = COLOURS[0], COLOURS[1]

CAPTION = (
    "A line is one failure that lasts the whole run, against the same runs with all links: mean "
    "over the seeds of the paired difference, with its 95 % interval. Left: points of mean test "
    "accuracy lost. Right: by which factor the consensus error grows, the root mean square "
    "distance of the nodes' models from their mean. Both are means over the last quarter of the "
    "run. Blue: one link; orange: larger failures."
)


@dataclass(frozen=True)
class _Failure:
    """What one failure did, compared seed by seed."""

    name: str
    is_link: bool
    lost: Estimate
    strict: Estimate
    growth: Estimate
    q_realised: float
    accuracy: str
    merit: str

    @property
    def tells(self) -> bool:
        """Whether the accuracy lost differs from 0, allowing for the number of links compared."""
        return abs(self.strict.mean) > self.strict.half


def study(campaign: Campaign) -> Study:
    """Damage of each link and each larger failure, the worst first."""
    every = campaign.runs.assign(merit=merits(campaign.runs, "case"))
    runs = between(every, "case")
    base = runs[runs["case"] == BASE].set_index("run")
    if base.empty:
        raise UsageError(f"{campaign.folder}: the runs with all links are missing or incomplete")
    failed = runs[runs["case"] != BASE]
    links = failed[failed["case"] == LINK]["link"].nunique()
    found = [
        _failure(case, link, group.set_index("run"), base, max(1, links))
        for (case, link), group in failed.groupby(["case", "link"], sort=False)
    ]
    found.sort(key=lambda failure: -failure.lost.mean)
    single = [failure for failure in found if failure.is_link]
    larger = [failure for failure in found if not failure.is_link]
    with campaign.base_trace(lambda row: row["case"] == BASE) as trace:
        total = trace.one("SELECT COUNT(*) FROM delivery_by_link")
    notes = [*campaign.notes, *_details(single)]
    notes.append(f"{len(single)} of the {total} links failed, each alone.")
    if len(single) > MOST:
        notes.append(f"The figure shows the {MOST} links that hurt most.")
    shown = single[:MOST] + larger
    return Study(
        finding=_finding(single, larger),
        tables=[_table(found, base, every)],
        draw=lambda canvas: _draw(canvas, shown),
        size=(10.0, 2.6 + 0.24 * max(6, len(shown))),
        caption=CAPTION,
        notes=notes,
    )


def _failure(
    case: str, link: str, group: pd.DataFrame, base: pd.DataFrame, links: int
) -> _Failure:
    both = group.join(base, rsuffix="_base", how="inner")
    lost = list(100.0 * (both["accuracy_mean_base"] - both["accuracy_mean"]))
    growth = np.log2(both["consensus_distance"] / both["consensus_distance_base"])
    return _Failure(
        name=link if case == LINK else case,
        is_link=case == LINK,
        lost=estimate(lost),
        strict=estimate(lost, 1.0 - (1.0 - LEVEL) / links),
        growth=estimate(list(growth)),
        q_realised=float(both["q_realised"].mean()),
        accuracy=shown(group["accuracy_mean"], 1, 100.0),
        merit=shown(group["merit"], 2),
    )


def _finding(single: list[_Failure], larger: list[_Failure]) -> str:
    parts = []
    if single:
        first = single[0]
        if first.tells and first.lost.mean > 0:
            parts.append(
                f"Of {len(single)} links, {first.name} hurts most when it fails: "
                f"{first.lost.text()} points of accuracy are lost"
            )
        else:
            parts.append(
                f"None of {len(single)} links costs, alone, what {first.lost.count} seeds tell from "
                f"chance; the largest loss is {first.lost.text()} points, without {first.name}"
            )
    if larger:
        told = ", ".join(f"{failure.name} {failure.lost.text()}" for failure in larger)
        parts.append(f"larger failures: {told}" if single else told)
    return "; ".join(parts) + "."


def _details(single: list[_Failure]) -> list[str]:
    """What else is to be said of the links."""
    if not single:
        return []
    telling = sum(failure.tells and failure.lost.mean > 0 for failure in single)
    consensus = max(single, key=lambda failure: failure.growth.mean)
    return [
        f"{telling} of {len(single)} links cost an accuracy that {single[0].lost.count} seeds tell "
        f"from 0. The consensus error grows most without {consensus.name}: "
        f"{2 ** consensus.growth.mean:.2f} times."
    ]


def _table(found: list[_Failure], base: pd.DataFrame, every: pd.DataFrame) -> Table:
    rows = [
        [
            failure.name,
            failure.accuracy,
            failure.merit,
            failure.lost.text(),
            "yes" if failure.tells else "no",
            _factor(failure.growth),
            gap(failure.q_realised),
        ]
        for failure in found
    ]
    rows.insert(0, _undamaged("nothing", base))
    with_references(rows, every, "case", _undamaged)
    return Table(
        "Failures by damage; with all links consensus error "
        f"{base['consensus_distance'].mean():.3g}, 1 - q realised {gap(base['q_realised'].mean())}",
        ["failed", "accuracy, %", "merit", "accuracy lost, points", "differs from 0"]
        + ["consensus error", "1 - q realised"],
        rows,
        "± is the 95 % interval over the seeds; 'differs from 0' allows for comparing so many "
        f"links (Bonferroni). isolated and central are no failures but the references. {MERIT}",
    )


def _undamaged(name: str, runs: pd.DataFrame) -> list[str]:
    """The row of runs that are not compared."""
    return [name, shown(runs["accuracy_mean"], 1, 100.0), shown(runs["merit"], 2)] + [DASH] * 4


def _factor(growth: Estimate) -> str:
    low, high = 2**growth.low, 2**growth.high
    interval = "" if np.isnan(growth.half) else f" [{low:.2f}, {high:.2f}]"
    return f"x {2 ** growth.mean:.2f}{interval}"


def _draw(canvas: Canvas, shown: list[_Failure]) -> None:
    left, right = canvas.subplots(1, 2, sharey=True)
    _lines(left, shown, [failure.lost for failure in shown])
    left.set_xlabel("accuracy lost (points)")
    _lines(right, shown, [failure.growth for failure in shown])
    right.set_xlabel("consensus error, times that with all links")
    if np.ptp(right.get_xlim()) > 2.0:
        right.xaxis.set_major_locator(MultipleLocator(1.0))
    right.xaxis.set_major_formatter(lambda value, _: f"{2 ** value:.2g}")
    left.set_yticks(range(len(shown)), [failure.name for failure in shown])
    left.invert_yaxis()
    left.set_ylabel("what failed")
    for axes in (left, right):
        axes.tick_params(axis="y", length=0, labelcolor=INK)
        axes.grid(axis="y", visible=False)


def _lines(axes: Axes, shown: list[_Failure], values: list[Estimate]) -> None:
    axes.axvline(0.0, color=MUTED, linewidth=0.9)
    for place, (failure, value) in enumerate(zip(shown, values)):
        axes.errorbar(
            value.mean,
            place,
            xerr=0.0 if np.isnan(value.half) else value.half,
            color=LINK_COLOUR if failure.is_link else CASE_COLOUR,
            marker="o" if failure.is_link else "s",
            markersize=5,
            linewidth=1.4,
            capsize=2,
        )
