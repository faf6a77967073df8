# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figure of the parts of each run's wall time."""

from typing import Sequence

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import INK, PARTS, PART_INKS, SURFACE, WIDE, Percent, canvas
from dpdl_analysis.formatting import duration
from dpdl_analysis.metrics import WALL_PARTS, wall_profile
from dpdl_analysis.studies.tables import Table

LABELLED = 0.055
"""Smallest fraction of the wall time whose percentage is written into its bar."""


def wall_time(runs: Sequence[RunData]) -> Figure:
    """One bar per run, divided into the parts of its wall time."""
    figure = Figure(
        "wall-time",
        "Where the wall time went",
        "A bar is one run from start to end, its total on the right: the program's own time, not "
        "the simulated one. The largest part is what is worth making faster.",
        wide=True,
        key=False,
    )
    profiles = [(run, wall_profile(run.trace)) for run in runs]
    for run in (run for run, parts in profiles if parts is None):
        figure.tell(run.name, "not recorded.")
    drawn = [(run, parts) for run, parts in profiles if parts is not None]
    if not drawn:
        return figure
    drawing = canvas((WIDE, 0.75 + 0.36 * len(drawn)))
    axes = drawing.subplots()
    tips: dict[str, str] = {}
    for place, (run, parts) in enumerate(drawn):
        whole, left = sum(parts.values()) or 1.0, 0.0
        for index, part in enumerate(WALL_PARTS):
            share = parts.get(part, 0.0) / whole
            bars = axes.barh(place, share, left=left, color=PARTS[index], height=0.68, edgecolor=SURFACE)
            bars[0].set_gid(f"part-{place}-{index}")
            told = f"{duration(parts.get(part, 0.0))} in {part}: {WALL_PARTS[part]}"
            tips[f"part-{place}-{index}"] = run.says(told)
            if share >= LABELLED:
                axes.text(left + share / 2, place, f"{100 * share:.0f} %", ha="center", va="center",
                          color=PART_INKS[index], fontsize=8.5)
            left += share
        axes.text(1.008, place, duration(whole), va="center", color=INK)
    axes.set_yticks(range(len(drawn)), [run.name for run, _ in drawn])
    axes.tick_params(axis="both", length=0)
    axes.tick_params(axis="y", labelcolor=INK)
    axes.invert_yaxis()
    axes.grid(False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlim(0, 1.07)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1.0])
    axes.xaxis.set_major_formatter(Percent())
    figure.tables.append(_table(drawn))
    figure.finish(drawing, tips, " ".join(tips[f"part-{i}-0"] for i in range(len(drawn))))
    return figure


def _table(profiles: Sequence[tuple[RunData, dict[str, float]]]) -> Table:
    rows = [
        [part, *(duration(parts.get(part, 0.0)) for _, parts in profiles), meaning]
        for part, meaning in WALL_PARTS.items()
    ]
    return Table("", ["part", *(run.name for run, _ in profiles), "what it is"], rows)
