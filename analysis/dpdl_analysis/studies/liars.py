# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: accuracy that honest nodes lose to Byzantine nodes, by the mixing rule."""

import math
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import DASH, epsilon
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.references import HIGH, LOW, REFERENCES, between, factor, with_references
from dpdl_analysis.studies.statistics import estimate, shown
from dpdl_analysis.studies.study import EACH, MUTED, Study, Table, draw_line
from dpdl_analysis.trace import Trace

HONEST, PLAIN, WORST = "none", "average", "sign-flip"
"""Level without attack, push-sum's mixing rule, and the Byzantine attack in the finding."""

CAPTION = (
    "Test accuracy of the nodes that never lie after the last round, mean over the seeds with its 95 % "
    "interval, by what the others do. Lines: the references, to which lies do nothing. isolated: nothing is "
    "sent. central: one learner has the examples of all nodes."
)


def study(campaign: Campaign) -> Study:
    """Accuracy of the honest nodes by mixing rule and Byzantine attack, with references."""
    runs = _with_cost(_honest(campaign))
    return Study(finding=_finding(runs), tables=[_table(runs)],
                 draw=lambda canvas: _draw(canvas, runs), size=(8.8, 5.4), caption=CAPTION,
                 notes=campaign.notes, rule=EACH)


def _honest(campaign: Campaign) -> pd.DataFrame:
    """The runs with `honest`, the mean accuracy of the nodes that are Byzantine in no run."""
    traces = {name: _nodes(campaign.folder / name) for name in campaign.runs["trace"]}
    liars = frozenset[int]().union(*(found for found, _ in traces.values()))
    means = {
        name: pd.Series({node: value for node, value in nodes.items() if node not in liars}).mean()
        for name, (_, nodes) in traces.items()
    }
    return campaign.runs.assign(
        honest=campaign.runs["trace"].map(means),
        part=len(liars) / campaign.runs["nodes"].max(),
        learner=factor(campaign.runs, "algorithm"),
    )


def _nodes(path: Path) -> tuple[frozenset[int], dict[int, float]]:
    """Set of Byzantine nodes of a run, and the last accuracy of each node, by node."""
    last = "(SELECT MAX(round) FROM accuracy_by_node)"
    query = f"SELECT node, accuracy FROM accuracy_by_node WHERE round = {last}"
    with Trace(path) as trace:
        liars = str(trace.settings.get("liars", "")).split(",")
        return frozenset(int(node) for node in liars if node), dict(trace.rows(query))


def _with_cost(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with points lost to Byzantine nodes, under the same rule and against averaging."""
    honest = runs[runs["lie"] == HONEST]
    base = {(row.learner, row.mix, row.run): row.honest for row in honest.itertuples()}

    def lost(row: pd.Series, mix: str) -> float:
        return 100.0 * (base.get((row["learner"], mix, row["run"]), math.nan) - row["honest"])

    return runs.assign(
        cost=runs.apply(lambda row: lost(row, row["mix"]), axis=1),
        total=runs.apply(lambda row: lost(row, PLAIN), axis=1),
        rule=[row.mix + (f" ({row.learner})" if row.learner else "") for row in runs.itertuples()],
    )


def _finding(runs: pd.DataFrame) -> str:
    flipped = between(runs, "learner")[lambda frame: frame["lie"] == WORST]
    if flipped.empty:
        return f"No run in which nodes lie {WORST}."
    parts = [f"{rule} {shown(group['cost'], 1)} points"
             for rule, group in flipped.groupby("rule", sort=False)]
    return (f"{100 * flipped['part'].max():.0f} % sign-flippers cost the honest nodes, against the same run "
            f"without liars: {', '.join(parts)}.")


def _row(runs: pd.DataFrame, rule: str, lie: str) -> list[str]:
    gossips = rule not in REFERENCES
    return [
        rule,
        lie,
        str(len(runs)),
        shown(runs["honest"], 1, 100.0),
        shown(runs["cost"], 1) if gossips and lie != HONEST else DASH,
        shown(runs["total"], 1) if gossips else DASH,
        epsilon(runs["epsilon_certified"].max()),
    ]


def _table(runs: pd.DataFrame) -> Table:
    cells = between(runs, "learner").groupby(["rule", "lie"], sort=False)
    rows = [_row(group, rule, lie) for (rule, lie), group in cells]
    with_references(rows, runs, "learner", lambda name, own: _row(own, name, DASH))
    heads = ["rule", "lie", "seeds", "honest nodes (%)", "points lost by the lie",
             "points below average without liars", "certified"]
    return Table("Accuracy of the honest nodes: mean ± 95 % interval over the seeds", heads, rows,
                 "Points: paired by seed, over the same nodes.")


def _draw(canvas: Canvas, runs: pd.DataFrame) -> None:
    axes = canvas.subplots()
    for name, style in ((LOW, ":"), (HIGH, "--")):
        reference = runs[runs["learner"] == name]
        if not reference.empty:
            axes.axhline(100.0 * reference["honest"].mean(), color=MUTED, linestyle=style, label=name)
    gossip = between(runs, "learner")
    lies = list(dict.fromkeys(gossip["lie"]))
    rules = list(gossip.groupby("rule", sort=False))
    for index, (rule, group) in enumerate(rules):
        found = {lie: estimate(100.0 * cell["honest"], bounds=(0.0, 100.0))
                 for lie, cell in group.groupby("lie")}
        places = [lies.index(lie) + 0.12 * (index - 0.5 * (len(rules) - 1)) for lie in found]
        draw_line(axes, index, rule, places, list(found.values()), linestyle="none", capsize=3)
    axes.set_xticks(range(len(lies)), ["no liars" if lie == HONEST else lie for lie in lies])
    axes.set_ylabel("accuracy of the honest nodes (%)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4, frameon=False)
