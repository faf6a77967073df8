# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Results of one run of the scenario `vehicular`."""

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
import pandas as pd

from dpdl_analysis.figures.radio import frames_of
from dpdl_analysis.studies.statistics import shown
from dpdl_analysis.trace import Trace

NEAR = 150.0
"""Largest distance of a receiver, in metres, of the frames that the finding counts."""
ABSENT = (
    "EXISTS (SELECT 1 FROM link_event AS gone WHERE gone.node = sent.target AND gone.event = "
    "'crash' AND gone.time <= sent_at AND NOT EXISTS (SELECT 1 FROM link_event AS back WHERE "
    "back.node = sent.target AND back.event = 'recover' AND back.time > gone.time AND "
    "back.time <= sent_at))"
)
"""SQL condition: the receiver of a row of `delivery AS sent` was absent at the time of sending."""


@dataclass(frozen=True)
class Drive:
    """Results of one run in percent; `curve` is the accuracy by seconds, `contacts` are durations
    in seconds, `q_best` is the smallest q of a window."""

    final: float
    curve: pd.Series
    contacts: np.ndarray
    one_way: float
    lost: float
    collided: float
    stale: float
    airtime: float
    connected: float
    q_best: float
    frames: pd.DataFrame


def read_drive(trace: Trace) -> Drive:
    """Computes the results of one run from its trace."""
    evaluated = _evaluated(trace)
    last = evaluated[evaluated["round"] == evaluated["round"].max()]
    links = _rounds_of_links(trace)
    frames = frames_of(trace)
    near = frames[frames["distance_to"] <= NEAR].sum()
    missed = near["collided"] + near["faded"]
    windows = table_of(
        trace, "SELECT strongly_connected AS connected, q_realised AS q FROM q_by_window"
    )
    return Drive(
        final=100.0 * last["accuracy"].mean(),
        curve=100.0 * _latest(evaluated, _round_seconds(trace)).groupby("slot").mean(),
        contacts=_contacts(links) * _round_seconds(trace),
        one_way=_one_way(links),
        lost=100.0 * missed / near["sent"] if near["sent"] else np.nan,
        collided=100.0 * near["collided"] / missed if missed else np.nan,
        stale=_stale(trace),
        airtime=100.0 * float(trace.setting("beaconAirtime") or 0.0),
        connected=100.0 * windows["connected"].mean(),
        q_best=windows["q"].min(),
        frames=frames,
    )


def difference(left: Sequence[Any], right: Sequence[Any]) -> str:
    """Text of the mean difference of final accuracies in points, paired by index."""
    return shown(one.final - other.final for one, other in zip(left, right))


def table_of(trace: Trace, sql: str) -> pd.DataFrame:
    """Result of a query; each column has the name after AS, or its own name."""
    names, rows = trace.table(sql)
    return pd.DataFrame(rows, columns=names)


def _round_seconds(trace: Trace) -> float:
    return float(trace.setting("roundDeadlineSeconds") or "nan")


def _evaluated(trace: Trace) -> pd.DataFrame:
    """One row per evaluation: round, node, accuracy, and the model's simulated time in s."""
    accuracy = table_of(trace, "SELECT round, node, accuracy FROM accuracy_by_node")
    times = table_of(
        trace, "SELECT round, node, started_at AS started, finished_at AS time FROM round_by_node"
    )
    times["round"] += 1
    start = times[times["round"] == 1].assign(round=0, time=lambda rows: rows["started"])
    both = pd.concat([start, times])[["round", "node", "time"]]
    return accuracy.merge(both, on=["round", "node"], how="inner")


def on_the_road(trace: Trace) -> pd.DataFrame:
    """Mean and minimum accuracy (fractions) of the vehicles on the road, by slot in seconds."""
    latest = _latest(_evaluated(trace), _round_seconds(trace)).groupby("slot")
    return latest.agg(["mean", "min"]).reset_index()


def _latest(evaluated: pd.DataFrame, seconds: float) -> pd.Series:
    """Accuracy of each vehicle's latest model while on the road, by slot (s) and node."""
    rounds = sorted(evaluated["round"].unique())
    step = seconds * (rounds[1] - rounds[0] if len(rounds) > 1 else 1)
    if not np.isfinite(step):
        return pd.Series(index=pd.MultiIndex.from_arrays([[], []], names=["slot", "node"]), dtype=float)
    slot = (np.ceil(evaluated["time"] / step - 1e-9) * step).round(6) + 0.0
    return evaluated.assign(slot=slot).sort_values("round").groupby(["slot", "node"])["accuracy"].last()


def _rounds_of_links(trace: Trace) -> dict[tuple[int, int], list[int]]:
    """Sorted rounds with a delivered message, by (source, target)."""
    found: dict[tuple[int, int], list[int]] = {}
    for source, target, number in trace.rows(
        "SELECT DISTINCT source, target, round FROM delivery "
        "WHERE fate IN ('delivered', 'late') ORDER BY source, target, round"
    ):
        found.setdefault((source, target), []).append(number)
    return found


def _contacts(links: dict[tuple[int, int], list[int]]) -> np.ndarray:
    """Lengths, in rounds, of all sequences of consecutive rounds with deliveries on a link."""
    lengths: list[int] = []
    for rounds in links.values():
        ends = np.flatnonzero(np.diff(rounds) > 1)
        lengths += list(np.diff(np.concatenate(([-1], ends, [len(rounds) - 1]))))
    return np.array(lengths, dtype=float)


def _one_way(links: dict[tuple[int, int], list[int]]) -> float:
    """Percentage of the links of a round whose opposite link delivered nothing in that round."""
    edges = {(source, target, k) for (source, target), ks in links.items() for k in ks}
    single = sum((target, source, k) not in edges for source, target, k in edges)
    return 100.0 * single / len(edges) if edges else np.nan


def _stale(trace: Trace) -> float:
    """Percentage of messages lost because the receiver was absent at the time of sending."""
    if not trace.has("link_event"):
        return 0.0
    return 100.0 * float(trace.one(
        f"SELECT COALESCE(AVG(fate = 'lost' AND {ABSENT}), 0) FROM delivery AS sent"))
