# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: accuracy lost to the failure of each single link, and to larger failures."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MultipleLocator

from dpdl_analysis.formatting import DASH, gap
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.references import MERIT, between, merits, with_references
from dpdl_analysis.studies.statistics import LEVEL, Estimate, adjusted_p_values, \
    estimate, shown, times
from dpdl_analysis.studies.study import Study, Table, effect_lines
from dpdl_analysis.trace import UsageError

BASE, LINK = "base", "link"
LATE = "accuracy_last_quarter"
MOST = 20
"""Maximum number of links in the figure; the table has all links."""

CAPTION = (
    "A line is one failure that lasts the whole run, against the same runs with all links: mean "
    "over the seeds of the paired difference, with its 95 % interval. Left: points of mean test "
    "accuracy lost. Right: by which factor the consensus error grows, the root mean square "
    "distance of the nodes' models from their mean. Both are means over the last quarter of the "
    "run. Blue: one link; orange: larger failures."
)


@dataclass(frozen=True)
class _Failure:
    """Effect of one failure, paired by seed: lost points, log2 ratio of consensus errors."""

    name: str
    is_link: bool
    lost: Estimate
    growth: Estimate
    q_realised: float
    accuracy: str
    merit: str
    tells: bool = False
    """True if the lost accuracy differs from 0 at LEVEL, by Holm's method over all failures."""


def study(campaign: Campaign) -> Study:
    """Accuracy lost to each link's failure and to each larger failure, the largest loss first."""
    every = campaign.runs.assign(merit=merits(campaign.runs, "case", LATE))
    runs = between(every, "case")
    base = runs[runs["case"] == BASE].set_index("run")
    if base.empty:
        raise UsageError(f"{campaign.folder}: the runs with all links are missing or incomplete")
    failed = runs[runs["case"] != BASE]
    found = [
        _failure(case, link, group.set_index("run"), base)
        for (case, link), group in failed.groupby(["case", "link"], sort=False)
    ]
    adjusted = adjusted_p_values([failure.lost for failure in found])
    found = [replace(failure, tells=p < 1.0 - LEVEL) for failure, p in zip(found, adjusted)]
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
    return Study(finding=_finding(single, larger), tables=[_table(found, base, every)],
                 draw=lambda canvas: _draw(canvas, shown),
                 size=(10.0, 2.6 + 0.24 * max(6, len(shown))), caption=CAPTION, notes=notes)


def _failure(case: str, link: str, group: pd.DataFrame, base: pd.DataFrame) -> _Failure:
    both = group.join(base, rsuffix="_base", how="inner")
    lost = list(100.0 * (both["accuracy_last_quarter_base"] - both["accuracy_last_quarter"]))
    growth = np.log2(both["consensus_last_quarter"] / both["consensus_last_quarter_base"])
    return _Failure(
        name=link if case == LINK else case,
        is_link=case == LINK,
        lost=estimate(lost),
        growth=estimate(list(growth)),
        q_realised=float(both["q_realised"].mean()),
        accuracy=shown(group["accuracy_last_quarter"], 1, 100.0),
        merit=shown(group["merit"], 2),
    )


def _finding(single: list[_Failure], larger: list[_Failure]) -> str:
    parts = []
    if single:
        telling = [failure for failure in single if failure.tells and failure.lost.mean > 0]
        first = (telling or single)[0]
        rule = f"at 5 % over {len(single) + len(larger)} failures (Holm)"
        if telling:
            parts.append(
                f"{len(telling)} of {len(single)} links surely cost accuracy when they fail alone, "
                f"{rule}, {first.name} most: {first.lost.text()} points are lost"
            )
        else:
            parts.append(
                f"None of {len(single)} links costs, alone, an accuracy that {first.lost.count} "
                f"seeds tell from chance, {rule}; the largest mean loss is {first.lost.text()} "
                f"points, without {first.name}"
            )
    if larger:
        told = ", ".join(f"{failure.name} {failure.lost.text()}" for failure in larger)
        parts.append(f"larger failures, points lost: {told}" if single else told)
    return "; ".join(parts) + "."


def _details(single: list[_Failure]) -> list[str]:
    """Sentence on the link whose failure increases the consensus error most; [] without links."""
    if not single:
        return []
    consensus = max(single, key=lambda failure: failure.growth.mean)
    return [
        f"The consensus error grows most without {consensus.name}: "
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
            f"x {times(failure.growth)}",
            gap(failure.q_realised),
        ]
        for failure in found
    ]
    rows.insert(0, _undamaged("nothing", base))
    with_references(rows, every, "case", _undamaged)
    return Table(
        "Failures by damage; with all links consensus error "
        f"{base['consensus_last_quarter'].mean():.3g}, 1 - q realised {gap(base['q_realised'].mean())}",
        ["failed", "accuracy, last quarter, %", "merit", "accuracy lost, points", "differs from 0"]
        + ["consensus error", "1 - q realised"],
        rows,
        "± is the 95 % interval over the seeds; 'differs from 0': at 5 % over all failures "
        f"(Holm). isolated and central are no failures but the references. {MERIT}",
    )


def _undamaged(name: str, runs: pd.DataFrame) -> list[str]:
    """Row of the table for runs without failures."""
    return [name, shown(runs["accuracy_last_quarter"], 1, 100.0), shown(runs["merit"], 2)] + [DASH] * 4


def _draw(canvas: Canvas, shown: list[_Failure]) -> None:
    left, right = canvas.subplots(1, 2, sharey=True)
    larger = [not failure.is_link for failure in shown]
    effect_lines(left, [failure.lost for failure in shown], larger)
    left.set_xlabel("accuracy lost (points)")
    effect_lines(right, [failure.growth for failure in shown], larger)
    right.set_xlabel("consensus error, times that with all links")
    if np.ptp(right.get_xlim()) > 2.0:
        right.xaxis.set_major_locator(MultipleLocator(1.0))
    right.xaxis.set_major_formatter(lambda value, _: f"{2 ** value:.2g}")
    left.set_yticks(range(len(shown)), [failure.name for failure in shown])
    left.invert_yaxis()
    left.set_ylabel("what failed")
