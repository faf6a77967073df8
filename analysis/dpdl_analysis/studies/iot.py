# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study of sensors: time and energy to an accuracy, by the layers of the model that are sent."""

import math
from typing import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.figures.theme import Percent
from dpdl_analysis.formatting import DASH
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import Estimate, estimate, shown
from dpdl_analysis.studies.study import EACH, Study, Table, draw_line
from dpdl_analysis.trace import Trace, UsageError

CELL = ["name", "layout", "sharedLayers"]
WHOLE = "all"
REFERENCES = ("isolated", "dp-fedavg", "central")
"""Reference algorithms, which do not vary the shared layers."""
WAYS = {
    "gateway": "through a gateway",
    "mesh": "in a mesh",
    "tree": "in a tree",
    "grid": "on a grid with fixed routes",
    "dodag": "on a grid whose nodes find their routes",
}
"""Phrase in the finding for each level of the factor `layout`."""
LIVES = ("lifetime_first", "lifetime_half", "batteries_empty")
"""Items of the summary on batteries: simulated seconds until empty, and number of empty ones."""
FRAMES = ("frames_sent", "frames_given_up", "fragments_sent")
"""Items of the summary on radio frames and 6LoWPAN fragments, as counts."""
LEVELS = (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
"""Mean accuracies for which the study reports time and energy."""

CAPTION = (
    "Mean test accuracy of the nodes against the energy that the radio of one node takes on "
    "average (left) and against simulated time (right); mean over the seeds after each evaluated "
    "round, with 95 % intervals of the accuracy. The energy is that of the radio alone."
)


def study(campaign: Campaign) -> Study:
    """Time and energy to each accuracy level, and results of whole runs."""
    runs = _named(campaign.runs)
    curves = _curves(campaign, runs)
    prices = _prices(curves)
    tables = [_price_table(prices), _run_table(runs, curves), _radio_table(curves)]
    return Study(finding=_finding(prices, runs),
                 tables=tables + ([_life_table(curves)] if curves["lifetime_first"].notna().any() else []),
                 draw=lambda canvas: _draw(canvas, curves), size=(12.4, 5.6), caption=CAPTION,
                 notes=campaign.notes, rule=EACH)


def _named(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with a column `name`, their title in tables."""
    algorithms = runs["algorithm"] if "algorithm" in runs else pd.Series("", index=runs.index)
    several = len(set(algorithms) - set(REFERENCES)) > 1

    def name(row: pd.Series) -> str:
        algorithm = algorithms[row.name]
        if algorithm in ("isolated", "central"):
            return str(algorithm)
        if algorithm in REFERENCES:
            return f"{algorithm}, {row['layout']}"
        part = f"{row['layout']}, {row['sharedLayers']}"
        return f"{algorithm}, {part}" if several else part

    return runs.assign(name=runs.apply(name, axis=1))


def _is_reference(name: str) -> bool:
    return name.split(",")[0] in REFERENCES


def _curves(campaign: Campaign, runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run and round: accuracy, seconds, joules of the mean and of the worst node."""
    rows = []
    for run in runs.itertuples():
        with Trace(campaign.folder / run.trace) as trace:
            if not trace.has("energy_by_node", "joule"):
                raise UsageError(f"{campaign.folder / run.trace}: says nothing of energy; accepted "
                                 "is a trace that ./dpdl run iot wrote")
            found = trace.rows(
                "SELECT round, simulated_seconds, accuracy_mean, COALESCE(total, 0), "
                "COALESCE(worst, 0) FROM accuracy_by_round LEFT JOIN (SELECT round, "
                "SUM(joule) AS total, MAX(joule) AS worst FROM (SELECT round, node, "
                "SUM(joule) AS joule FROM energy_by_node GROUP BY round, node) GROUP BY round) "
                "USING (round) ORDER BY round"
            )
            states = dict(trace.rows(
                "SELECT state, SUM(joule) FROM energy_by_node WHERE round = "
                "(SELECT MAX(round) FROM energy_by_node) GROUP BY state"
            ))
            frames, lives = ([trace.number(name) for name in names] for names in (FRAMES, LIVES))
        for k, seconds, accuracy, total, worst in found:
            rows.append([run.name, run.layout, run.sharedLayers, run.run, k, seconds, accuracy]
                        + [total / run.nodes, worst, states, frames, run.messages_sent, *lives])
    return pd.DataFrame(
        rows,
        columns=[*CELL, "run", "round", "seconds", "accuracy", "joule", "worst", "states"]
        + ["frames", "messages", *LIVES],
    ).astype({name: float for name in LIVES})


def _prices(curves: pd.DataFrame) -> pd.DataFrame:
    """One row per run and level: seconds and joules until the level, interpolated; nan if never."""
    rows = []
    for key, run in curves.groupby([*CELL, "run"], sort=False):
        for level in () if _is_reference(key[0]) else LEVELS:
            rows.append([*key, level, *_reached(run, level)])
    return pd.DataFrame(rows, columns=[*CELL, "run", "level", "seconds", "joule", "worst"])


def _reached(run: pd.DataFrame, level: float) -> Sequence[float]:
    above = (run["accuracy"] >= level).to_numpy()
    if not above.any():
        return [math.nan] * 3
    index = int(above.argmax())
    costs, accuracy = run[["seconds", "joule", "worst"]].to_numpy(float), run["accuracy"].to_numpy()
    if index == 0:
        return costs[0]
    part = (level - accuracy[index - 1]) / (accuracy[index] - accuracy[index - 1])
    return costs[index - 1] + part * (costs[index] - costs[index - 1])


def _ratios(prices: pd.DataFrame, layout: str, share: str, what: str, level: float) -> Estimate:
    """Mean ratio of column `what`, whole model to layers `share`, over seeds at the level."""
    mine = prices[(prices["layout"] == layout) & (prices["level"] == level)]
    table = mine.pivot(index="run", columns="sharedLayers", values=what)
    if WHOLE not in table or share not in table:
        return estimate([])
    return estimate(list((table[WHOLE] / table[share]).dropna()))


def _common_level(prices: pd.DataFrame) -> float | None:
    """The highest level that every run reached; None if there is none."""
    reached = prices.groupby("level")["seconds"].apply(lambda found: found.notna().all())
    levels = [level for level in LEVELS if reached[level]]
    return levels[-1] if levels else None


def _finding(prices: pd.DataFrame, runs: pd.DataFrame) -> str:
    level = _common_level(prices)
    shares = [share for share in dict.fromkeys(prices["sharedLayers"]) if share != WHOLE]
    if level is None or not shares or WHOLE not in set(prices["sharedLayers"]):
        return "Too few runs reach an accuracy level to compare what travels."
    parts = []
    for layout in dict.fromkeys(prices["layout"]):
        time = _ratios(prices, layout, shares[0], "seconds", level)
        energy = _ratios(prices, layout, shares[0], "joule", level)
        last = runs[(runs["layout"] == layout) & ~runs["name"].map(_is_reference)]
        table = last.pivot(index="run", columns="sharedLayers", values="accuracy_last_quarter")
        lost = estimate(100.0 * (table[WHOLE] - table[shares[0]]))
        name = WAYS[layout]
        parts.append(
            f"{name} {time.text()} times the time and {energy.text()} times the energy to reach "
            f"{100 * level:g} %, and ends {lost.text(sign='+')} points higher"
        )
    part = "first part" if shares[0] == "1" else f"first {shares[0]} parts"
    head = f"Against its {part} alone, the whole model takes "
    return head + "; ".join(parts) + "."


def _price_table(prices: pd.DataFrame) -> Table:
    rows = []
    seeds = prices["run"].nunique()
    for key, cell in prices.groupby([*CELL, "level"], sort=False):
        found = cell.dropna()
        if len(found):
            cells = [shown(found[name]) for name in ("seconds", "joule", "worst")]
            rows.append([key[0], f"{100 * key[-1]:g} %", *cells] + [f"{len(found)}/{seeds}"])
    return Table(
        "What accuracy costs, mean ± 95 % interval over the seeds",
        ["network, share", "accuracy", "time, s", "J a node", "J worst node", "reached by"],
        rows,
        "Where not all seeds reach a level, means are over those that do.",
    )


def _run_table(runs: pd.DataFrame, curves: pd.DataFrame) -> Table:
    rows = []
    for key, cell in runs.groupby(CELL, sort=False):
        last = curves[curves["name"] == key[0]].groupby("run").last()
        sent = cell["messages_sent"].sum()
        lost = f"{100.0 * cell['messages_lost'].sum() / sent:.2g} %" if sent > 0 else DASH
        rows.append(
            [key[0], shown(cell["accuracy_last_quarter"], 1, 100.0)]
            + [shown(cell["worst_last_quarter"], 1, 100.0)]
            + [f"{last['seconds'].mean():.0f}", f"{last['joule'].mean():.2f}"]
            + [f"{last['worst'].mean():.2f}", f"{cell['epsilon_claimed'].max():.3g}"]
            + [f"{cell['epsilon_certified'].max():.3g}", lost]
        )
    return Table(
        "Whole runs",
        ["network, share", "accuracy, last quarter, %", "worst node, last quarter, %", "time, s", "J a node",
         "J worst node"]
        + ["eps claimed", "eps certified", "shares lost"],
        rows,
        "Last quarter: mean over the evaluations of these rounds. Epsilon: largest of any node and seed. "
        "isolated: no node sends. central: one learner has all data, and no radio.",
    )


def _life_table(curves: pd.DataFrame) -> Table:
    """Table of the times at which batteries became empty, with the accuracies at these times."""
    rows = []
    for name, cell in curves.groupby("name", sort=False):
        runs = [run for _, run in cell.groupby("run")]
        lives = cell.groupby("run").last()
        row = [str(name)]
        for item in LIVES[:2]:
            found = [_accuracy_before(run, item) for run in runs]
            row.append(shown(lives[item]))
            row.append(shown(found))
        last = [100.0 * float(run["accuracy"].iloc[-1]) for run in runs]
        empty = lives["batteries_empty"].fillna(0.0)
        rows.append([*row, shown(last), f"{empty.mean():.1f}"])
    return Table(
        "How long batteries last, mean ± 95 % interval over the seeds",
        ["network, share", "first empty, s", "accuracy % then", "half empty, s", "accuracy % then"]
        + ["accuracy % at the end", "empty at the end"],
        rows,
        f"Half: of the nodes that have a battery. {DASH}: not within the run. Accuracy: of the "
        "nodes with power, as last evaluated before.",
    )


def _accuracy_before(run: pd.DataFrame, item: str) -> float:
    """Last accuracy, in percent, before the time in column `item`; nan if the time is unknown."""
    before = run[run["seconds"] <= run[item]]
    return 100.0 * float(before["accuracy"].iloc[-1]) if len(before) else math.nan


def _count(value: float, digits: int) -> str:
    """A mean count as text, or a dash for nan."""
    return DASH if math.isnan(value) else f"{value:.{digits}f}"


def _radio_table(curves: pd.DataFrame) -> Table:
    rows = []
    for key, cell in curves.groupby(CELL, sort=False):
        last = cell.groupby("run").last()
        states = pd.DataFrame(list(last["states"])).mean()
        total = states.sum()
        sent, given_up, fragments = pd.DataFrame(list(last["frames"])).mean()
        rows.append(
            [key[0], _count(fragments, 0), _count(sent, 0), _count(given_up, 1)]
            + [_count(fragments / last["messages"].mean() if fragments > 0 else math.nan, 1)]
            + [f"{100.0 * states.get(name, 0.0) / total:.1f} %" if total > 0 else DASH for name in
               ("sending", "receiving", "listening", "off")]
        )
    return Table(
        "Radios: frames of a run, and where the energy goes",
        ["network, share", "fragments", "frames", "given up", "fragments a share"]
        + ["sending", "receiving", "listening", "asleep"],
        rows,
        "Fragments: what 6LoWPAN cut the datagrams into; a share: for each share or "
        "chunk of one, where a broadcast serves several.",
    )


def _draw(canvas: Canvas, curves: pd.DataFrame) -> None:
    left, right = canvas.subplots(1, 2, sharey=True)
    for index, (key, cell) in enumerate(curves.groupby(CELL, sort=False)):
        _line(left, cell, "joule", index, key[0])
        _line(right, cell, "seconds", index, key[0])
    left.set_xlabel("radio energy a node (J)")
    left.set_ylabel("mean test accuracy")
    right.set_xlabel("simulated time (s)")
    left.yaxis.set_major_formatter(Percent())
    right.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), title="network, share", frameon=False)


def _line(axes: Axes, cell: pd.DataFrame, what: str, index: int, label: str) -> None:
    grouped = cell.groupby("round")
    x = grouped[what].mean()
    found = [estimate(list(values), bounds=(0.0, 1.0)) for _, values in grouped["accuracy"]]
    draw_line(axes, index, label, x, found, markersize=3.5, linewidth=1.3, elinewidth=0.5)
    axes.set_xscale("symlog", linthresh=max(float(x.iloc[1:].min()), 1e-9) if len(x) > 1 else 1.0)
