# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How well do vehicles learn from each other while they drive, and what does the radio deliver?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.formatting import gap
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import Estimate, estimate
from dpdl_analysis.studies.study import COLOURS, INK, MUTED, Study, Table
from dpdl_analysis.trace import Trace

NEAR = 150.0
"""Frames to receivers nearer than so many metres are what the finding speaks of."""
FAR = 500.0
"""The figure's classes of distance end here."""
NEIGHBOURS = {"beacons": "to those heard", "mobility:150": "to all within 150 m"}
"""What the table calls the topologies of the study."""
SMALL = 5
"""Fewer contacts have no distribution worth a line."""

CAPTION = (
    "Map: where the vehicles of the first run drove, coloured by the test accuracy of the model on "
    "board; large dots: the last place of each, squares: roadside units, lines: links that "
    "delivered in the last round. Accuracy: mean over the vehicles on the road and over the runs; "
    "the band spans the runs. Contacts: consecutive rounds in which at least one message of one "
    "vehicle reached the other, all runs. Frames: of those sent, by the distance of a node that "
    "could receive them, first run."
)


@dataclass(frozen=True)
class _Drive:
    """What one run has to say."""

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


def study(campaign: Campaign) -> Study:
    """Accuracy, contacts, frames and q, for each way to send and to know neighbours."""
    drives: dict[str, list[_Drive]] = {}
    runs = campaign.runs.set_index("run")
    runs["way"] = runs["cast"]
    if "topology" in runs and runs["topology"].nunique() > 1:
        runs["way"] += " " + runs["topology"].map(lambda name: NEIGHBOURS.get(name, name))
    for _, row in runs.iterrows():
        with Trace(campaign.folder / row["trace"]) as trace:
            drives.setdefault(row["way"], []).append(_drive(trace))
    with campaign.base_trace(lambda row: True) as trace:
        places, frames = _places(trace), _frames(trace)
        links = _last_links(trace)
    notes = list(campaign.notes)
    if all(drive.contacts.size == 0 for group in drives.values() for drive in group):
        notes.append("Without delivery rows (--traceLevel=full) nothing is known of contacts.")
    return Study(
        finding=_finding(drives, runs),
        tables=[_table(drives, runs)],
        draw=lambda canvas: _draw(canvas, drives, places, frames, links),
        size=(10.0, 8.4),
        caption=CAPTION,
        notes=notes,
    )


def _drive(trace: Trace) -> _Drive:
    evaluated = _evaluated(trace)
    last = evaluated[evaluated["round"] == evaluated["round"].max()]
    links = _rounds_of_links(trace)
    frames = _frames(trace)
    near = frames[frames["below"] <= NEAR].sum()
    missed = near["collided"] + near["faded"]
    windows = _table_of(
        trace, "SELECT strongly_connected AS connected, q_realised AS q FROM q_by_window"
    )
    return _Drive(
        final=100.0 * last["accuracy"].mean(),
        curve=_curve(evaluated, _round_seconds(trace)),
        contacts=_contacts(links) * _round_seconds(trace),
        one_way=_one_way(links),
        lost=100.0 * missed / near["sent"] if near["sent"] else np.nan,
        collided=100.0 * near["collided"] / missed if missed else np.nan,
        stale=_stale(trace),
        airtime=100.0 * float(trace.setting("beaconAirtime") or 0.0),
        connected=100.0 * windows["connected"].mean(),
        q_best=windows["q"].min(),
    )


def _table_of(trace: Trace, sql: str) -> pd.DataFrame:
    names = [part.split()[-1] for part in sql.split("SELECT", 1)[1].split(" FROM")[0].split(",")]
    return pd.DataFrame(trace.rows(sql), columns=names)


def _round_seconds(trace: Trace) -> float:
    return float(trace.setting("roundDeadlineSeconds") or "nan")


def _evaluated(trace: Trace) -> pd.DataFrame:
    """Round, node, accuracy, and when the node was there with that model."""
    accuracy = _table_of(trace, "SELECT round, node, accuracy FROM accuracy_by_node")
    times = _table_of(
        trace, "SELECT round, node, started_at AS started, finished_at AS time FROM round_by_node"
    )
    times["round"] += 1
    start = times[times["round"] == 1].assign(round=0, time=lambda rows: rows["started"])
    both = pd.concat([start, times])[["round", "node", "time"]]
    return accuracy.merge(both, on=["round", "node"], how="inner")


def _curve(evaluated: pd.DataFrame, seconds: float) -> pd.Series:
    """Mean accuracy by time: of each vehicle its latest model, as long as it is on the road."""
    rounds = sorted(evaluated["round"].unique())
    step = seconds * (rounds[1] - rounds[0] if len(rounds) > 1 else 1)
    if not np.isfinite(step):
        return pd.Series(dtype=float)
    slot = (np.ceil(evaluated["time"] / step - 1e-9) * step).round(6)
    latest = evaluated.assign(slot=slot).sort_values("round").groupby(["slot", "node"]).last()
    return 100.0 * latest["accuracy"].groupby("slot").mean()


def _rounds_of_links(trace: Trace) -> dict[tuple[int, int], list[int]]:
    """By source and target, the rounds of which something arrived, in order."""
    found: dict[tuple[int, int], list[int]] = {}
    for source, target, number in trace.rows(
        "SELECT DISTINCT source, target, round FROM delivery "
        "WHERE fate IN ('delivered', 'late') ORDER BY source, target, round"
    ):
        found.setdefault((source, target), []).append(number)
    return found


def _contacts(links: dict[tuple[int, int], list[int]]) -> np.ndarray:
    """Lengths, in rounds, of all stretches of consecutive rounds."""
    lengths: list[int] = []
    for rounds in links.values():
        ends = np.flatnonzero(np.diff(rounds) > 1)
        lengths += list(np.diff(np.concatenate(([-1], ends, [len(rounds) - 1]))))
    return np.array(lengths, dtype=float)


def _one_way(links: dict[tuple[int, int], list[int]]) -> float:
    """Percent of the links of a round that delivered nothing in the other direction."""
    edges = {(source, target, k) for (source, target), ks in links.items() for k in ks}
    single = sum((target, source, k) not in edges for source, target, k in edges)
    return 100.0 * single / len(edges) if edges else np.nan


def _stale(trace: Trace) -> float:
    """Percent of the messages that were lost as their receiver was absent when they were sent."""
    if not trace.has("link_event"):
        return 0.0
    return 100.0 * float(
        trace.rows(
            "SELECT COALESCE(AVG(fate = 'lost' AND EXISTS (SELECT 1 FROM link_event AS gone "
            "WHERE gone.node = sent.target AND gone.event = 'crash' AND gone.time <= sent_at "
            "AND NOT EXISTS (SELECT 1 FROM link_event AS back WHERE back.node = sent.target AND "
            "back.event = 'recover' AND back.time > gone.time AND back.time <= sent_at))), 0) "
            "FROM delivery AS sent"
        )[0][0]
    )


def _frames(trace: Trace) -> pd.DataFrame:
    columns = "distance_from AS start, distance_to AS below, sent, received, collided, faded"
    if not trace.has("frames_by_distance"):
        return pd.DataFrame(columns=["start", "below", "sent", "received", "collided", "faded"])
    return _table_of(trace, f"SELECT {columns} FROM frames_by_distance")


def _places(trace: Trace) -> pd.DataFrame:
    """Round, node, x, y and the latest accuracy before, of everything that moved or stood."""
    if not trace.has("position_by_round"):
        return pd.DataFrame(columns=["round", "node", "x", "y", "accuracy"])
    places = _table_of(trace, "SELECT round, node, x, y FROM position_by_round")
    accuracy = _table_of(trace, "SELECT round, node, accuracy FROM accuracy_by_node")
    return pd.merge_asof(
        places.sort_values("round"), accuracy.sort_values("round"), on="round", by="node"
    )


def _last_links(trace: Trace) -> list[tuple[int, int]]:
    return trace.rows(
        "SELECT DISTINCT source, target FROM delivery WHERE fate IN ('delivered', 'late') "
        "AND round = (SELECT MAX(round) FROM delivery)"
    )


def _finding(drives: dict[str, list[_Drive]], runs: pd.DataFrame) -> str:
    told = [
        f"{_points(estimate([drive.final for drive in group]))} % by {cast}"
        for cast, group in drives.items()
    ]
    first = next(iter(drives.values()))
    all_but_last = ", ".join(told[:-1]) + (" and " if told[1:] else "")
    text = (
        f"After {runs['simulated_seconds'].max():.0f} s the vehicles on the road have "
        f"{all_but_last}{told[-1]} of the test images right, each with a certified epsilon of at "
        f"most {runs['epsilon_certified'].max():.3g}"
    )
    if len(drives) == 2:
        text += f" (difference {_points(_difference(*drives.values()))} points)"
    contacts = np.concatenate([drive.contacts for drive in first])
    if contacts.size:
        text += f"; half of the contacts last {np.median(contacts):.3g} s or less"
    lost = estimate([drive.lost for drive in first])
    if np.isfinite(lost.mean):
        text += (
            f", and {_points(lost)} % of the frames to receivers within {NEAR:.0f} m are lost, "
            f"{np.mean([drive.collided for drive in first]):.0f} % of these to collisions"
        )
    return text + "."


def _difference(left: list[_Drive], right: list[_Drive]) -> Estimate:
    """Paired by seed; runs of the same order have the same seeds."""
    return estimate([one.final - other.final for one, other in zip(left, right)])


def _table(drives: dict[str, list[_Drive]], runs: pd.DataFrame) -> Table:
    rows = []
    for cast, group in drives.items():
        own = runs[runs["way"] == cast]
        contacts = np.concatenate([drive.contacts for drive in group])
        rows.append(
            [
                cast,
                _points(estimate([drive.final for drive in group])),
                _points(estimate(list(100.0 * own["messages_lost"] / own["messages_sent"]))),
                f"{np.mean([drive.stale for drive in group]):.2f}",
                _points(estimate([drive.lost for drive in group])),
                f"{np.mean([drive.airtime for drive in group]):.2f}",
                _points(estimate([drive.one_way for drive in group])),
                f"{np.median(contacts):.3g} / {np.max(contacts):.3g}" if contacts.size else "-",
                gap(float(np.mean([drive.q_best for drive in group]))),
                f"{np.mean([drive.connected for drive in group]):.0f}",
                f"{own['effective_nodes'].mean():.1f}",
            ]
        )
    return Table(
        f"{int(runs['nodes'].max())} nodes, {runs['rounds'].max():.0f} rounds; "
        f"{len(next(iter(drives.values())))} runs each",
        [
            "cast",
            "accuracy, %",
            "messages lost, %",
            "to absent vehicles, %",
            f"frames lost to {NEAR:.0f} m, %",
            "beacon airtime, %",
            "one-way links, %",
            "contact, s (median / longest)",
            "1 - q realised",
            "windows connected, %",
            "effective nodes",
        ],
        rows,
        "± is the 95 % interval over the seeds. 1 - q realised: of the window that connects best, as a "
        "vehicle that is alone or gone in a window makes q 1. One-way: links of a round that "
        "delivered nothing the other way. To absent vehicles: messages of all that were lost because "
        "the receiver had left when they were sent. Beacon airtime: of the time, for each vehicle.",
    )


def _points(value: Estimate) -> str:
    if np.isnan(value.mean):
        return "-"
    return f"{value.mean:.1f}" + ("" if np.isnan(value.half) else f" ± {value.half:.1f}")


def _draw(
    canvas: Canvas,
    drives: dict[str, list[_Drive]],
    places: pd.DataFrame,
    frames: pd.DataFrame,
    links: list[tuple[int, int]],
) -> None:
    (area, curves), (contacts, fates) = canvas.subplots(2, 2)
    _draw_map(canvas, area, places, links)
    for colour, (cast, group) in zip(COLOURS, drives.items()):
        both = pd.concat([drive.curve for drive in group], axis=1).sort_index()
        times = both.index.to_numpy(dtype=float)
        curves.plot(times, both.mean(axis=1), color=colour, label=cast)
        curves.fill_between(times, both.min(axis=1), both.max(axis=1), color=colour, alpha=0.2)
        lengths = np.sort(np.concatenate([drive.contacts for drive in group]))
        if lengths.size >= SMALL:
            share = 100.0 * (1.0 - np.arange(lengths.size) / lengths.size)
            contacts.step(lengths, share, where="post", color=colour, label=cast)
    curves.set(xlabel="simulated time (s)", ylabel="mean accuracy (%)")
    curves.legend(loc="lower right")
    contacts.set(xlabel="duration (s)", ylabel="contacts that last as long (%)", ylim=(0, 102))
    _draw_frames(fates, frames[frames["below"] <= FAR])


def _draw_map(canvas: Canvas, axes: Axes, places: pd.DataFrame, links: list[tuple[int, int]]) -> None:
    last = places.sort_values("round").groupby("node").last()
    for source, target in links:
        if source in last.index and target in last.index:
            ends = last.loc[[source, target]]
            axes.plot(ends["x"], ends["y"], color=MUTED, linewidth=0.6, alpha=0.6, zorder=1)
    known = places["accuracy"].dropna()
    axes.set(xlabel="x (m)", ylabel="y (m)", aspect="equal")
    if known.empty:
        return
    colours = {"vmin": 100.0 * known.min(), "vmax": 100.0 * known.max(), "cmap": "viridis"}
    axes.scatter(places["x"], places["y"], c=100.0 * places["accuracy"], s=5, alpha=0.7, **colours)
    moved = places.groupby("node").size() > 1
    for chosen, marker in ((last[moved], "o"), (last[~moved], "s")):
        drawn = axes.scatter(
            chosen["x"],
            chosen["y"],
            c=100.0 * chosen["accuracy"],
            s=70,
            marker=marker,
            edgecolors=INK,
            zorder=3,
            **colours,
        )
    canvas.colorbar(drawn, ax=axes, label="accuracy (%)")


def _draw_frames(axes: Axes, frames: pd.DataFrame) -> None:
    if frames.empty:
        axes.set_axis_off()
        return
    middle = (frames["start"] + frames["below"]) / 2.0
    shares = [100.0 * frames[name] / frames["sent"] for name in ("received", "collided", "faded")]
    axes.stackplot(
        middle,
        *shares,
        labels=("received", "lost to a collision", "lost to distance and fading"),
        colors=(COLOURS[2], COLOURS[1], COLOURS[4]),
        alpha=0.85,
    )
    axes.set(xlabel="distance (m)", ylabel="frames (%)", ylim=(0, 100), xlim=(0, middle.max()))
    axes.legend(loc="upper right")
