# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The network over time: four moments as a drawing, and all of them for the page's player."""

from __future__ import annotations

from typing import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import MOST_ROWS, DataTable, Figure
from dpdl_analysis.figures.animation import Animation, animation
from dpdl_analysis.figures.theme import HEAT, INK, MUTED, RUNS, SURFACE, WIDE, canvas
from dpdl_analysis.formatting import duration, percent

MOMENTS = 4
MOST_RUNS = 4
"""At most so many runs of a page have this figure: it is the largest."""
MOST_LINES = 1200
"""In one moment."""


def animations(runs: Sequence[RunData]) -> list[Figure]:
    """A figure a run."""
    made = [_figure(run) for run in runs[:MOST_RUNS]]
    if len(runs) > MOST_RUNS:
        made[-1].notes.append(f"Only the first {MOST_RUNS} runs are shown.")
    return made


def _figure(run: RunData) -> Figure:
    figure = Figure(
        "animation" if run.alone else f"animation-{run.name}",
        "The network over time" if run.alone else f"The network over time: {run.name}",
        "A line is a link that carried messages: grey where all arrived, warm where some were "
        "lost, dashed while a failure keeps it down. A node's tone says how far its weight w is "
        "from the mean w of that moment: below it (warm) or above it (blue), full at a factor of "
        "4.",
        wide=True,
        key=False,
    )
    shown = animation(run.trace)
    if shown is None or (not len(shown.links) and not shown.moves):
        figure.notes.append(f"{run.name} recorded no network.")
        return figure
    where = "where they were" if shown.moves else "in any order: the trace has no positions"
    figure.caption += f" Nodes stand {where}."
    moments = sorted({round(at) for at in np.linspace(0, shown.count - 1, MOMENTS)})
    drawing = canvas((WIDE, 2.9))
    panels = drawing.subplots(1, MOMENTS)
    for axes in panels[len(moments) :]:
        axes.set_visible(False)
    rows = [_moment(axes, shown, frame) for axes, frame in zip(panels, moments)]
    heads = ["rounds", "begins at", "messages sent", "lost", "w, least", "w, greatest", "failures"]
    step = -(-shown.count // MOST_ROWS)
    all_rows = [_row(shown, frame) for frame in range(0, shown.count, step)]
    figure.tables.append(DataTable(heads, all_rows))
    told = [
        f"Rounds {row[0]}: {row[3]} of {row[2]} messages lost, w from {row[4]} to {row[5]}."
        for row in rows
    ]
    figure.finish(drawing, said=" ".join(told))
    figure.player = shown.script()
    figure.notes += shown.notes
    return figure


def _moment(axes: Axes, shown: Animation, frame: int) -> list[str]:
    """Draws one frame, and returns its row of the table."""
    places = shown.places[frame if len(shown.places) > 1 else 0]
    traffic = shown.traffic[shown.traffic[:, 0] == frame]
    traffic = traffic[(traffic[:, 1:3] < len(places)).all(axis=1)]
    traffic = traffic[np.argsort(-traffic[:, 4], kind="stable")][:MOST_LINES]
    graph = shown.graph[(shown.graph < len(places)).all(axis=1)]
    if len(graph):
        faint = to_rgba(MUTED, 0.2)
        axes.add_collection(LineCollection(places[graph], colors=[faint], linewidths=0.4))
    if len(traffic):
        share = traffic[:, 4] / traffic[:, 3]
        colours = [
            to_rgba(HEAT if lost else MUTED, round(0.35 + 0.65 * float(lost), 2)) for lost in share
        ]
        ends = places[traffic[:, 1:3]]
        axes.add_collection(
            LineCollection(ends, colors=colours, linewidths=np.where(share > 0, 1.2, 0.5))
        )
    size = max(4.0, min(60.0, 1500.0 / shown.nodes))
    axes.scatter(*places.T, s=size, c=SURFACE, edgecolors=INK, linewidths=0.5, zorder=2)
    axes.scatter(*places.T, s=size, c=_tones(shown.weights[frame]), linewidths=0, zorder=3)
    axes.set(xlim=(-0.08, 1.08), ylim=(1.08, -0.08), xticks=[], yticks=[], aspect="equal")
    axes.spines[["left", "bottom"]].set_visible(False)
    row = _row(shown, frame)
    axes.set_title(f"{'rounds' if ' ' in row[0] else 'round'} {row[0]}", fontsize=8.5)
    return row


def _tones(weights: np.ndarray) -> list[tuple[float, ...]]:
    """A colour for the side of the mean on which w is, the stronger the farther it is."""
    known = weights[np.isfinite(weights) & (weights > 0.0)]
    mean = float(known.mean()) if len(known) else 1.0
    tones = []
    for w in weights / mean:
        far = min(1.0, abs(np.log2(w)) / 2.0) if np.isfinite(w) and w > 0.0 else 0.0
        tones.append(to_rgba(HEAT if w < 1.0 else RUNS[0], round(float(far), 2)))
    return tones


def _row(shown: Animation, frame: int) -> list[str]:
    sent, lost = (int(number) for number in shown.totals[frame])
    first = frame * shown.width
    last = min(first + shown.width, shown.rounds) - 1
    weights = shown.weights[frame][np.isfinite(shown.weights[frame])]
    low, high = (weights.min(), weights.max()) if len(weights) else (None, None)
    return [
        str(first) if first >= last else f"{first} to {last}",
        duration(shown.starts.get(frame)),
        str(sent),
        f"{lost} ({percent(lost / sent)})" if sent else "0",
        "-" if low is None else f"{low:.3g}",
        "-" if high is None else f"{high:.3g}",
        "; ".join(sorted({event.sentence for event in shown.active(frame)})) or "none",
    ]
