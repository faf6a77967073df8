# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study of vehicles: a server behind LTE against gossip by 802.11p, with failures of cells."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import shown
from dpdl_analysis.studies.study import COLOURS, EACH, Study, Table
from dpdl_analysis.studies.vehicular_drawing import draw_curves
from dpdl_analysis.studies.vehicular_drive import ABSENT, difference, table_of
from dpdl_analysis.trace import Trace

NAMES = {
    "isolated": "isolated",
    "cell-1": "fedavg, one cell",
    "hole-1": "one cell, a hole in a quarter",
    "outage-1": "one cell, fails at 45 s",
    "cell-3": "fedavg, three cells",
    "outage-3": "three cells, one fails at 45 s",
    "gossip": "gossip by 802.11p",
    "central": "central",
}
"""Title in tables of each level of the study's factor `way`."""
TIMES = (30.0, 60.0)
"""Simulated times in seconds at which the table has the accuracy."""
DIFFERENCES = (
    ("cell-1", "gossip", "a server behind one cell ends {} points above gossip by 802.11p"),
    ("cell-3", "cell-1", "three cells {} points above one"),
    ("cell-1", "hole-1", "a hole in a quarter of the town costs {}"),
    ("cell-1", "outage-1", "the failure of the only cell at 45 s {}"),
    ("cell-3", "outage-3", "and that of one of three {} points"),
)
"""Two levels of factor `way`, and the sentence on the first one's accuracy minus the second's."""
SERVER = 0
"""Node of the server in runs with cells; all other nodes are vehicles."""

CAPTION = (
    "Left: test accuracy against simulated time, mean over the vehicles on the road, each with its "
    "latest model, and over the runs; the band spans the runs. Right: bytes on the air in a run, "
    "with headers and repeats, mean over the runs; for LTE transport blocks, with padding."
)


@dataclass(frozen=True)
class _Drive:
    """Results of one run: percentages, megabytes, seconds; `curve` is percent by seconds."""

    curve: pd.Series
    final: float
    worst: float
    lost: float
    uplink: float
    downlink: float
    simulated: float


def study(campaign: Campaign) -> Study:
    """Accuracy, losses and bytes on the air, by factor `way`."""
    runs = campaign.runs.set_index("run")
    drives: dict[str, list[_Drive]] = {}
    for _, row in runs.iterrows():
        with Trace(campaign.folder / row["trace"]) as trace:
            drives.setdefault(row["way"], []).append(_drive(trace))
    return Study(finding=_finding(drives, runs), tables=[_table(drives, runs)],
                 draw=lambda canvas: _draw(canvas, drives), size=(11.0, 5.6), caption=CAPTION,
                 notes=campaign.notes, rule=EACH)


def _drive(trace: Trace) -> _Drive:
    vehicles = SERVER + 1 if trace.setting("cells") and trace.setting("radio") in (None, "lte") else 0
    seconds = float(trace.setting("roundDeadlineSeconds") or "nan")
    evaluated = _evaluated(trace, vehicles, seconds)
    last = evaluated[evaluated["round"] == evaluated["round"].max()]["accuracy"]
    return _Drive(
        curve=_curve(evaluated, seconds),
        final=100.0 * last.mean(),
        worst=100.0 * last.min(),
        lost=_lost(trace),
        uplink=_air(trace, "airBytesByNodes"),
        downlink=_air(trace, "airBytesByStations"),
        simulated=seconds * evaluated["round"].max(),
    )


def _evaluated(trace: Trace, first: int, seconds: float) -> pd.DataFrame:
    """Evaluations of nodes from `first` on, without rounds caught up after a departure."""
    found = table_of(
        trace,
        "SELECT seen.round AS round, seen.node AS node, accuracy, finished_at AS time "
        "FROM accuracy_by_node AS seen JOIN round_by_node AS past ON past.node = seen.node "
        f"AND past.round = seen.round - 1 WHERE seen.node >= {first}",
    )
    latest = (found["round"] + 0.5) * (seconds if np.isfinite(seconds) else np.inf)
    return found[found["time"] <= latest]


def _curve(evaluated: pd.DataFrame, seconds: float) -> pd.Series:
    """Mean accuracy in percent by time in seconds; each round lasts `seconds`, its deadline."""
    mean = 100.0 * evaluated.groupby("round")["accuracy"].mean()
    mean.index = mean.index * (seconds if np.isfinite(seconds) else 1.0)
    return mean


def _lost(trace: Trace) -> float:
    """Percentage of lost messages among those whose receiver was present at the time of sending."""
    if not trace.has("link_event") or not trace.has("delivery", "sent_at"):
        return np.nan
    (share,) = trace.rows(f"SELECT AVG(fate = 'lost') FROM delivery AS sent WHERE NOT {ABSENT}")[0]
    return 100.0 * share if share is not None else np.nan


def _air(trace: Trace, name: str) -> float:
    """Value of a setting in bytes, converted to megabytes (1e6); 0 if missing."""
    return float(trace.setting(name) or 0.0) / 1e6


def _at(curve: pd.Series, time: float) -> float:
    before = curve[curve.index <= time + 1e-9]
    return float(before.iloc[-1]) if len(before) else np.nan


def _table(drives: dict[str, list[_Drive]], runs: pd.DataFrame) -> Table:
    rows = []
    for way, group in drives.items():
        own = runs[runs["way"] == way]
        rows.append(
            [NAMES.get(way, way)]
            + [shown([_at(drive.curve, time) for drive in group]) for time in TIMES]
            + [shown(getattr(drive, name) for drive in group)
               for name in ("final", "worst", "lost", "uplink", "downlink")]
            + [f"{own['epsilon_certified'].max():.3g}"]
        )
    count = len(next(iter(drives.values())))
    return Table(
        f"{runs['rounds'].max():.0f} rounds; {count} runs each",
        ["who talks to whom"]
        + [f"accuracy at {time:.0f} s, %" for time in TIMES]
        + ["at the end, %", "worst vehicle, %", "messages lost, %"]
        + ["by vehicles, MB", "by stations, MB", "epsilon certified"],
        rows,
        "± is the 95 % interval over the seeds. Messages lost: of those to nodes that were there. "
        "By vehicles, by stations: bytes on the air, with headers and repeats.",
    )


def _finding(drives: dict[str, list[_Drive]], runs: pd.DataFrame) -> str:
    parts = [
        said.format(difference(drives[better], drives[worse]))
        for better, worse, said in DIFFERENCES
        if better in drives and worse in drives
    ]
    end = max(drive.simulated for group in drives.values() for drive in group)
    head = f"After {end:.0f} s, each with" if np.isfinite(end) else "With"
    return (
        f"{head} a certified epsilon of at most {runs['epsilon_certified'].max():.3g}: "
        + ("; ".join(parts) or "there is nothing to compare")
        + "."
    )


def _draw(canvas: Canvas, drives: dict[str, list[_Drive]]) -> None:
    curves, bars = canvas.subplots(1, 2, width_ratios=(1.5, 1.0))
    named = {NAMES.get(way, way): group for way, group in drives.items()}
    draw_curves(curves, {way: [drive.curve for drive in group] for way, group in named.items()})
    sent = [(way, group) for way, group in drives.items() if group[0].uplink > 0.0]
    names = [NAMES.get(way, way) for way, _ in sent]
    up = [float(np.mean([drive.uplink for drive in group])) for _, group in sent]
    down = [float(np.mean([drive.downlink for drive in group])) for _, group in sent]
    bars.barh(names, up, color=COLOURS[0], label="by vehicles")
    bars.barh(names, down, left=up, color=COLOURS[4], label="by stations")
    bars.invert_yaxis()
    bars.set(xlabel="on the air (MB)")
    if names:
        bars.legend(loc="lower right", fontsize="small")
