# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figure of the network over time: four frames as a drawing, all frames for the animation."""

from typing import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import MOST_ROWS, Figure
from dpdl_analysis.figures.animation import Animation, animation
from dpdl_analysis.figures.events import in_force
from dpdl_analysis.figures.theme import HEAT, INK, MUTED, RUNS, SURFACE, WIDE, canvas
from dpdl_analysis.formatting import DASH, duration, percent
from dpdl_analysis.studies.tables import Table

MOMENTS = 4
MOST_RUNS = 4
"""Maximum number of runs in this figure, which is the largest of a page."""
MOST_LINES = 1200
"""Maximum number of links with traffic in a drawn frame."""
HEADS = ("rounds", "begins at", "messages sent", "lost", "w, least", "w, greatest", "failures")
CAPTION = (
    "A line is a link that carried messages: grey where all arrived, warm where some were lost, "
    "dashed while a failure keeps it down. A node's tone says how far its weight w is from the "
    "mean w of that moment: below it (warm) or above it (blue), full at a factor of 4."
)


def network_over_time(runs: Sequence[RunData]) -> Figure:
    """One row of drawn frames per run, and the data of the page's animation."""
    figure = Figure("animation", "The network over time", CAPTION, wide=True, key=False)
    found = [(run, animation(run.trace)) for run in runs[:MOST_RUNS]]
    shown = [(run, one) for run, one in found if one and (len(one.links) or one.moves)]
    for run in (run for run, one in found if all(one is not other for _, other in shown)):
        figure.tell(run.name, "no network was recorded.")
    if len(runs) > MOST_RUNS:
        figure.notes.append(f"Only the first {MOST_RUNS} runs are shown.")
    if not shown:
        return figure
    figure.caption += _where([one for _, one in shown])
    drawing = canvas((WIDE, 2.9 * len(shown)))
    grid = drawing.subplots(len(shown), MOMENTS, squeeze=False)
    told = [_row_of(panels, run, one, figure) for panels, (run, one) in zip(grid, shown)]
    figure.finish(drawing, said=" ".join(told))
    figure.player = {"runs": [{"name": run.name, **one.script()} for run, one in shown]}
    figure.notes += dict.fromkeys(note for _, one in shown for note in one.notes)
    for run in (run for run, one in shown if not one.recorded):
        figure.tell(run.name, "no single messages were recorded; lines are links.")
    return figure


def _where(shown: Sequence[Animation]) -> str:
    """End of the caption that explains the positions of nodes."""
    placed = [one.moves for one in shown]
    if not any(placed):
        return " Nodes stand in any order: the trace has no positions."
    text = " Nodes stand where they were" + ("." if all(placed) else ", if the trace says so.")
    text += " Faint lines are the ways they took." * any(one.trails for one in shown)
    return text + " Grey boxes are buildings." * any(len(one.buildings) > 0 for one in shown)


def _row_of(panels: Sequence[Axes], run: RunData, shown: Animation, figure: Figure) -> str:
    """Draws the frames of one run and adds its table. Returns the text alternative."""
    moments = sorted({round(at) for at in np.linspace(0, shown.count - 1, MOMENTS)})
    for axes in panels[len(moments) :]:
        axes.set_visible(False)
    rows = [_moment(axes, shown, frame) for axes, frame in zip(panels, moments)]
    if not run.alone:
        panels[0].set_ylabel(run.name)
    step = -(-shown.count // MOST_ROWS)
    all_rows = [_row(shown, frame) for frame in range(0, shown.count, step)]
    figure.tables.append(Table("" if run.alone else run.name, HEADS, all_rows))
    told = [
        f"rounds {row[0]}: "
        + f"{row[3]} of {row[2]} messages lost, " * shown.recorded
        + f"w from {row[4]} to {row[5]}."
        for row in rows
    ]
    return " ".join(map(run.says, told))


def _moment(axes: Axes, shown: Animation, frame: int) -> list[str]:
    """Draws one frame. Returns its row of the table."""
    places = shown.places[frame if len(shown.places) > 1 else 0]
    traffic = shown.traffic[shown.traffic[:, 0] == frame]
    traffic = traffic[(traffic[:, 1:3] < len(places)).all(axis=1)]
    traffic = traffic[np.argsort(-traffic[:, 4], kind="stable")][:MOST_LINES]
    boxes = [Rectangle(low, *(high - low)) for low, high in shown.buildings]
    axes.add_collection(PatchCollection(boxes, facecolors=[to_rgba(MUTED, 0.15)], linewidths=0))
    trails = LineCollection(shown.trails, colors=[to_rgba(MUTED, 0.3)], linewidths=0.6)
    axes.add_collection(trails)
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
    off = {event.node for event in shown.active(frame)}
    edges = [to_rgba(INK, 0.25 if node in off else 1.0) for node in range(len(places))]
    axes.scatter(*places.T, s=size, c=SURFACE, edgecolors=edges, linewidths=0.5, zorder=2)
    axes.scatter(*places.T, s=size, c=_tones(shown.weights[frame]), linewidths=0, zorder=3)
    axes.set(xlim=(-0.08, 1.08), ylim=(1.08, -0.08), xticks=[], yticks=[], aspect="equal")
    axes.spines[["left", "bottom"]].set_visible(False)
    length, metres = shown.scale
    if metres:
        axes.plot((0.0, length), (1.12, 1.12), color=INK, linewidth=1.2, clip_on=False)
        axes.text(length + 0.03, 1.12, f"{metres:g} m", fontsize=7.5, color=MUTED, va="center")
    row = _row(shown, frame)
    axes.set_title(f"{'rounds' if ' ' in row[0] else 'round'} {row[0]}", fontsize=8.5)
    return row


def _tones(weights: np.ndarray) -> list[tuple[float, ...]]:
    """RGBA colour per node: warm below the mean w, blue above, with opacity by the ratio to it."""
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
        str(sent) if shown.recorded else DASH,
        f"{lost} ({percent(lost / sent)})" if sent else "0" if shown.recorded else DASH,
        "-" if low is None else f"{low:.3g}",
        "-" if high is None else f"{high:.3g}",
        "; ".join(in_force(shown.active(frame))) or "none",
    ]
