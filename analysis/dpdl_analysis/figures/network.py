# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of message loss by link, and of the contraction q."""

from typing import Any, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import MOST_PANELS, Figure
from dpdl_analysis.figures.theme import GRID, HALF, HEAT, INK, MUTED, Percent, canvas, panels
from dpdl_analysis.formatting import gap, percent
from dpdl_analysis.studies.tables import Table

MOST_NODES = 64
"""Maximum number of nodes for a matrix of losses; larger runs show their worst links."""
WORST_LINKS = 12
TABLE_LINKS = 40
"""Maximum number of links in the table below the figure."""
MOST_TIPS = 1000
"""Maximum number of links with tooltips."""
MATRIX = (
    "A square is a link from source (row) to target (column); the stronger its tone, the larger "
    "the share of its messages that was lost, and empty squares are no links. A strong row is a "
    "sender that no node hears, a strong column a receiver that hears no node; an even tone is "
    "random loss."
)
WORST = (
    f"The {WORST_LINKS} links of each run that lost the largest share of their messages, as "
    "source -> target. The dotted line is the share over all links: bars that stand far out are "
    "links with a separate fault."
)
TONES = 24
FAINT, SOLID = 0.08, 0.92
"""Opacities of a link without losses, and of the link that lost the largest fraction."""


def loss_by_link(runs: Sequence[RunData]) -> Figure:
    """Fraction of messages that each link lost, one panel per run."""
    figure = Figure("loss-link", "Loss by link", "", wide=True, key=False)
    shown = _with_losses(runs, figure)
    if not shown:
        return figure
    small = all(_size(run) <= MOST_NODES for run in shown)
    figure.caption = MATRIX if small else WORST
    figure.wide = len(shown) > 1
    drawing, grid, _ = panels(len(shown), 2.75 if small else 3.0)
    top = max(float(run.links["share"].max()) for run in shown)
    tips: dict[str, str] = {}
    for axes, run in zip(grid, shown):
        tips.update(_matrix(axes, run, top) if small else _worst(axes, run, top))
        figure.tables.append(_table(run))
    if small:
        _scale(grid[-1], top)
    figure.finish(drawing, tips, " ".join(_worst_in_words(run) for run in shown))
    return figure


def _with_losses(runs: Sequence[RunData], figure: Figure) -> list[RunData]:
    """Runs with lost messages, for one panel each. Adds notes about the other runs."""
    recorded = figure.having(runs, "links", "no links were recorded.", len(runs))
    shown = [run for run in recorded if run.links["lost"].sum() > 0]
    if lossless := [run.name for run in recorded if run.links["lost"].sum() == 0]:
        figure.notes.append(f"No panel for {', '.join(lossless)}: no message was lost.")
    if len(shown) > MOST_PANELS:
        figure.notes.append(f"Only the first {MOST_PANELS} runs with losses are shown.")
    return shown[:MOST_PANELS]


def contraction_by_window(runs: Sequence[RunData]) -> Figure:
    """Designed and realised contraction q per round, by window."""
    figure = Figure(
        "q-window",
        "Contraction q by window",
        "Factor by which a round shrinks the disagreement between nodes; lower is better, 0 "
        "averages exactly, 1 not at all. Solid: realised, from what was really mixed. Dashed: "
        "designed, the topology without loss. The distance between the two is what the network "
        "cost.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    bounds: dict[str, list[str]] = {}
    for run in runs:
        frame = run.contraction.dropna(subset=["q_realised"])
        if frame.empty:
            figure.tell(run.name, "no windows were recorded.")
            continue
        run.line(axes, frame["middle"], frame["q_realised"], "realised")
        axes.plot(frame["middle"], frame["q_designed"], "--", color=run.colour, linewidth=1.0,
                  label=run.says("designed"))
        bounds.setdefault(gap(run.contraction["q_bound"].max()), []).append(run.name)
    if bounds:
        told = "; ".join(
            f"1 - q {bound if bound.startswith('<') else f'= {bound}'}"
            + (f" ({', '.join(names)})" if len(bounds) > 1 else "")
            for bound, names in bounds.items()
        )
        figure.notes.append(f"The papers' bound is not drawn: {told}.")
    axes.set_xlabel("round")
    axes.set_ylabel("q a round")
    if axes.lines:
        low, high = axes.get_ylim()
        axes.set_ylim(max(0.0, low), min(1.0, max(high, low + 0.05)))
        figure.finish(drawing)
    return figure


def _size(run: RunData) -> int:
    return int(max(run.links["source"].max(), run.links["target"].max())) + 1


def _table(run: RunData) -> Table:
    worst = run.links.nlargest(TABLE_LINKS, ["share", "sent"])
    rows = [
        [f"{link.source:.0f} -> {link.target:.0f}", f"{link.sent:.0f}", f"{link.lost:.0f}",
         percent(link.share)]
        for link in worst.itertuples()
    ]
    left_out = len(run.links) - len(rows)
    note = f"{left_out} links that lost less are left out." if left_out > 0 else ""
    return Table(run.name, ["link", "sent", "lost", "share lost"], rows, note)


def _worst_in_words(run: RunData) -> str:
    worst = run.links.nlargest(3, ["share", "sent"])
    told = [
        f"{link.source:.0f} to {link.target:.0f} with {percent(link.share)}"
        for link in worst.itertuples()
    ]
    return f"{run.name}: most is lost from {', '.join(told)}."


def _tip(link: Any) -> str:
    return (
        f"{link.source:.0f} -> {link.target:.0f}: {link.lost:.0f} of {link.sent:.0f} messages "
        f"lost ({percent(link.share)})"
    )


def _matrix(axes: Axes, run: RunData, top: float) -> dict[str, str]:
    """Draws the matrix of losses. Returns its tooltips by gid."""
    size = _size(run)
    tips: dict[str, str] = {}
    for link in run.links.itertuples():
        square = Rectangle((link.target - 0.46, link.source - 0.46), 0.92, 0.92, facecolor=HEAT,
                           alpha=_opacity(link.share, top), linewidth=0)
        if len(run.links) <= MOST_TIPS:
            square.set_gid(f"link-{run.index}-{link.Index}")
            tips[square.get_gid()] = _tip(link)
        axes.add_patch(square)
    axes.set_xlim(-0.7, size - 0.3)
    axes.set_ylim(size - 0.3, -0.7)
    axes.set_aspect("equal")
    axes.grid(False)
    axes.spines[["top", "right"]].set_visible(True)
    axes.tick_params(length=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))
    axes.set_title(_title(run))
    axes.set_xlabel("target")
    axes.set_ylabel("source")
    return tips


def _lost(run: RunData) -> float:
    """Fraction of messages lost over all links."""
    return float(run.links["lost"].sum() / run.links["sent"].sum())


def _title(run: RunData) -> str:
    text = f"{percent(_lost(run))} lost"
    return text if run.alone else f"{run.name}\n{text}"


def _opacity(share: float, top: float) -> float:
    """Opacity of a link by its fraction of losses. Few distinct values keep the file small."""
    return round(FAINT + (SOLID - FAINT) * share / top, 2) if top > 0.0 else FAINT


def _scale(panel: Axes, top: float) -> None:
    """Draws a colour bar that maps opacities to loss rates up to `top`."""
    bar = panel.inset_axes([1.12, 0.0, 0.07, 1.0])
    for part in np.linspace(0.0, 1.0, TONES, endpoint=False):
        tone = _opacity(part + 0.5 / TONES, 1.0)
        bar.bar(0.5, top / TONES, 1.0, top * part, color=HEAT, alpha=tone, linewidth=0)
    bar.set(xlim=(0, 1), ylim=(0, top), xticks=[])
    bar.grid(False)
    bar.yaxis.tick_right()
    bar.yaxis.set_major_locator(MaxNLocator(4))
    bar.yaxis.set_major_formatter(Percent())
    bar.tick_params(length=0)
    bar.spines[:].set_color(GRID)


def _worst(axes: Axes, run: RunData, top: float) -> dict[str, str]:
    """Draws bars of the links with the largest loss rates. Returns their tooltips by gid."""
    worst = run.links.nlargest(WORST_LINKS, ["share", "sent"])
    names = [f"{int(link.source)} -> {int(link.target)}" for link in worst.itertuples()]
    places = range(len(names))
    bars = axes.barh(places, worst["share"], color=run.colour, height=0.7)
    tips = {}
    for bar, link in zip(bars, worst.itertuples()):
        bar.set_gid(f"link-{run.index}-{link.Index}")
        tips[bar.get_gid()] = _tip(link)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.axvline(_lost(run), color=INK, linestyle=":", linewidth=1.0)
    axes.set_xlim(0, top * 1.05)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(Percent())
    axes.tick_params(axis="y", length=0, labelcolor=MUTED)
    axes.set_title(_title(run))
    return tips
