# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: accuracy and cost of each policy for lost messages and each step scale."""

import math
from dataclasses import dataclass
from typing import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import DASH
from dpdl_analysis.studies.campaign import Campaign, all_bytes
from dpdl_analysis.studies.references import MERIT, between, factor, merits, with_references
from dpdl_analysis.studies.statistics import Estimate, estimate, shown
from dpdl_analysis.studies.study import EACH, MUTED, Study, Table, look

TASK = ["algorithm", "partition", "topology"]
LEARNING = ["algorithm", "partition"]
"""Factors that a run shares with its reference runs."""
NETWORK = ["side", "loss"]
ANSWER = ["lossPolicy", "stepScale"]
LOSSLESS = "lossless"
LOWEST = -25.0
"""Lower end of the panels, in points relative to the run without lost messages."""
SPREAD = 0.3
"""Horizontal distance from first to last line at one loss rate, relative to that between rates."""

CAPTION = (
    "Points of mean test accuracy (mean over the last quarter of the run), against the same run "
    "without a loss: mean over the seeds of the paired difference, with its 95 % interval. Solid "
    "lines: the step by weight; dashed: the step as published (with renormalise they are the "
    "same). Lines that leave a panel at the bottom fall further. Symmetric: every link loses at "
    "this rate. One-sided: only what the first quarter of the nodes sends is lost at this rate."
)


def study(campaign: Campaign) -> Study:
    """Accuracy of each policy and step scale in each task, and its cost in bytes and time."""
    runs = campaign.runs.assign(
        loss=pd.to_numeric(campaign.runs["loss"]), reference=factor(campaign.runs, "reference")
    )
    runs = runs.assign(merit=merits(runs, "reference", "accuracy_last_quarter", LEARNING))
    lossy = _with_damage(between(runs, "reference"))
    cells = _cells(lossy)
    return Study(finding=_finding(lossy),
                 tables=[*_accuracy_tables(lossy, runs), _ranking(lossy), _costs(lossy)],
                 draw=lambda canvas: _draw(canvas, cells), size=_size(cells), caption=CAPTION,
                 notes=campaign.notes, rule=EACH)


def _with_damage(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs with lost messages: accuracy change in points, bytes and time relative to lossless."""
    base = runs[runs["side"] == LOSSLESS]
    compared = ["accuracy_last_quarter", "worst_last_quarter", "bytes_sent", "simulated_seconds"]
    # Policy renormalise keeps all push-sum weights w at 1. Its runs are compared with the lossless
    # runs of step scale by-weight, if there are any.
    by_weight = (runs["lossPolicy"] == "renormalise") & ("by-weight" in set(base["stepScale"]))
    like = runs.assign(likeStep=runs["stepScale"].mask(by_weight, "by-weight"))
    lossy = like[runs["side"] != LOSSLESS].merge(
        base[[*TASK, "stepScale", "run", *compared]].rename(columns={"stepScale": "likeStep"}),
        on=[*TASK, "likeStep", "run"],
        suffixes=("", "_base"),
    )
    lossy["change"] = 100.0 * (lossy["accuracy_last_quarter"] - lossy["accuracy_last_quarter_base"])
    lossy["bytes"] = all_bytes(lossy) / lossy["bytes_sent_base"]
    lossy["time"] = lossy["simulated_seconds"] / lossy["simulated_seconds_base"]
    return lossy


def _cells(lossy: pd.DataFrame) -> pd.DataFrame:
    """One row per task, network, policy and step scale: mean change in points, half-width."""
    found = {key: estimate(group["change"])
             for key, group in lossy.groupby([*TASK, *NETWORK, *ANSWER], sort=False)}
    rows = [[*key, one.mean, one.half] for key, one in found.items()]
    return pd.DataFrame(rows, columns=[*TASK, *NETWORK, *ANSWER, "change", "half"])


def _name(policy: str, step: str) -> str:
    return policy if policy == "renormalise" else f"{policy}, {step}"


@dataclass(frozen=True)
class _Answer:
    """Mean change of accuracy of one policy and step scale, in points, and its worst cell."""

    name: str
    overall: Estimate
    by_side: list[float]
    worst: pd.Series


def _answers(lossy: pd.DataFrame) -> list[_Answer]:
    """All policies with their step scales, the one that keeps most accuracy first."""
    found = []
    for key, group in lossy.groupby(ANSWER, sort=False):
        cells = _cells(group)
        sides = [cells[cells["side"] == side]["change"].mean() for side in lossy["side"].unique()]
        # The cells of a seed share its random draws, so each seed is one sample.
        overall = estimate(list(group.groupby("run")["change"].mean()))
        found.append(_Answer(_name(*key), overall, sides, cells.loc[cells["change"].idxmin()]))
    return sorted(found, key=lambda answer: -answer.overall.mean)


def _finding(lossy: pd.DataFrame) -> str:
    answers = _answers(lossy)
    first, last = answers[0], answers[-1]
    safest = max(answers, key=lambda answer: answer.worst.change)
    count = len(lossy.groupby([*TASK, *NETWORK]))
    text = f"Over {count} combinations of task and loss '{first.name}' keeps most accuracy: "
    text += f"{first.overall.text(sign='+')} points on average, {first.worst.change:+.1f} at worst"
    if safest is not first:
        text += f"; best at its worst is '{safest.name}' ({safest.worst.change:+.1f})"
    return f"{text}. '{last.name}' keeps least: {last.overall.text(sign='+')}."


def _accuracy_tables(lossy: pd.DataFrame, runs: pd.DataFrame) -> list[Table]:
    """One table per task and side of the losses: accuracy by policy, step scale and loss rate."""
    tables = []
    for key, group in lossy.groupby([*TASK, "side"], sort=False):
        losses = sorted(group["loss"].unique())
        rows = []
        for answer, mine in group.groupby(ANSWER, sort=False):
            found = [mine[mine["loss"] == loss] for loss in losses]
            cells = [shown(mine.drop_duplicates("run")["accuracy_last_quarter_base"], 1, 100.0)]
            cells += [shown(part["accuracy_last_quarter"], 1, 100.0) for part in found]
            cells += [shown(found[-1]["merit"], 2), f"{found[-1]['effective_nodes'].mean():.1f}"]
            rows.append([_name(*answer), *cells])
        alike = (runs[LEARNING] == key[: len(LEARNING)]).all(axis=1)
        with_references(rows, runs[alike], "reference", lambda name, own: [
            name, shown(own["accuracy_last_quarter"], 1, 100.0), *[DASH] * len(losses),
            shown(own["merit"], 2), DASH])
        tables.append(
            Table(
                f"{', '.join(key)}: accuracy, last quarter, % by loss rate, mean ± 95 % interval over "
                f"{group['run'].nunique()} seeds",
                ["policy, step", "0", *(f"{100 * loss:g} %" for loss in losses)]
                + ["merit", "effective nodes"],
                rows,
                "Column 0: push-sum of that step (with renormalise: by weight) without loss. "
                f"{MERIT} It is that at {100 * losses[-1]:g} % loss. "
                "Effective nodes: whose data count in the end, at "
                f"{100 * losses[-1]:g} % loss.",
            )
        )
    return tables


def _ranking(lossy: pd.DataFrame) -> Table:
    rows = []
    for answer in _answers(lossy):
        worst = answer.worst
        place = f"{worst.algorithm}, {worst.partition}, {worst.topology}, {worst.side}"
        sides = ["-" if math.isnan(mean) else f"{mean:+.1f}" for mean in answer.by_side]
        rows.append(
            [answer.name, answer.overall.text(sign="+"), *sides, f"{worst.change:+.1f}"]
            + [f"{place}, {100 * worst.loss:g} %"]
        )
    heads = ["policy, step", "all", *lossy["side"].unique(), "worst", "where"]
    return Table(
        "Change of accuracy, last quarter, against no loss, points, mean over all combinations ± 95 % interval "
        "over the seeds",
        heads,
        rows,
    )


def _costs(lossy: pd.DataFrame) -> Table:
    losses = sorted(lossy["loss"].unique())
    symmetric = lossy[lossy["side"] == "symmetric"]
    counted = symmetric if len(symmetric) else lossy
    rows = []
    for policy, group in counted.groupby("lossPolicy", sort=False):
        found = [group[group["loss"] == loss] for loss in losses]
        cells = [f"{part['bytes'].mean():.2f}, {part['time'].mean():.2f}" for part in found]
        rows.append([policy, *cells])
    return Table(
        "Bytes sent and simulated time by loss rate, as multiples of the run without loss",
        ["policy", *(f"{100 * loss:g} %" for loss in losses)],
        rows,
        "Time depends on the deadline: by default a lossy run waits 1.5 times a round for what may "
        "not come.",
    )


def _size(cells: pd.DataFrame) -> tuple[float, float]:
    lines, columns = _layout(cells)
    return 3.1 * max(2, len(columns)) + 2.3, 2.6 * len(lines) + 1.4


def _layout(cells: pd.DataFrame) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Keys of the rows (algorithm, topology) and columns (partition, side) of panels."""
    return (list(dict.fromkeys(zip(cells["algorithm"], cells["topology"]))),
            list(dict.fromkeys(zip(cells["partition"], cells["side"]))))


def _draw(canvas: Canvas, cells: pd.DataFrame) -> None:
    lines, columns = _layout(cells)
    grid = canvas.subplots(len(lines), len(columns), squeeze=False, sharey=True, sharex=True)
    policies = list(dict.fromkeys(cells["lossPolicy"]))
    for line, row in zip(lines, grid):
        for column, axes in zip(columns, row):
            names = ["algorithm", "topology", "partition", "side"]
            chosen = (cells[names] == [*line, *column]).all(axis=1)
            _panel(axes, cells[chosen], policies)
            axes.set_title(f"{line[0]}, {line[1]}\n{column[0]} data, {column[1]} loss")
        row[0].set_ylabel("accuracy, change (points)")
    for axes in grid[-1]:
        axes.set_xlabel("loss rate")
    handles: dict[str, object] = {}
    for axes in grid.ravel():
        handles.update(dict(zip(*reversed(axes.get_legend_handles_labels()))))
    grid[0][-1].legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.02, 1.0),
                       frameon=False, fontsize=8.5)


def _panel(axes: Axes, cells: pd.DataFrame, policies: Sequence[str]) -> None:
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    losses = [0.0, *sorted(cells["loss"].unique())]
    answers = list(cells.groupby(ANSWER, sort=False))
    for place, ((policy, step), group) in enumerate(answers):
        group = group.sort_values("loss")
        # Rates have equal distances, which shows the small ones. Offsets keep error bars apart.
        shift = SPREAD * (place / max(1, len(answers) - 1) - 0.5)
        places = [0, *(losses.index(loss) + shift for loss in group["loss"])]
        line = axes.errorbar(places, [0.0, *group["change"]], yerr=[0.0, *group["half"].fillna(0.0)],
                             **look(policies.index(policy)), linewidth=1.3, elinewidth=0.6, label=_name(policy, step))
        if step == "plain" and policy != "renormalise":
            line.lines[0].set_dashes((4, 2))
    axes.set_xticks(range(len(losses)), [f"{100 * loss:g} %" for loss in losses])
    axes.set_ylim(LOWEST, 5.0)
