# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figure of the radio frames that arrive, by distance, with and without line of sight."""

from typing import Sequence

import pandas as pd

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.theme import HALF, Percent, canvas
from dpdl_analysis.trace import Trace

FRAMES = "distance_from distance_to sent received collided faded line_of_sight".split()
FEWEST = 100
"""Minimum number of frames in a class of distance for a point."""
SIGHT = {1: "line of sight", 0: "behind buildings"}


def frames_of(trace: Trace) -> pd.DataFrame:
    """Rows of view frames_by_distance. Old traces without column line_of_sight get value 1."""
    if not trace.has("frames_by_distance", *FRAMES[:-1]):
        return pd.DataFrame(columns=FRAMES, dtype=float)
    known = FRAMES if trace.has("frames_by_distance", FRAMES[-1]) else FRAMES[:-1]
    frames = pd.DataFrame(trace.rows(f"SELECT {', '.join(known)} FROM frames_by_distance"),
                          columns=known)
    return frames.assign(line_of_sight=frames.get(FRAMES[-1], 1)).sort_values(FRAMES[0])


def delivery_by_distance(runs: Sequence[RunData]) -> list[Figure]:
    """Fraction of frames that arrived, over distance; [] if no run has view frames_by_distance."""
    found = [(run, frames_of(run.trace)) for run in runs]
    if all(frames.empty for _, frames in found):
        return []
    figure = Figure(
        "delivery-distance",
        "Delivery by distance",
        "Share of the radio frames that a node received intact, by its distance from the sender, "
        "whether the frame was for it or not. Solid: with a line of sight, dashed: behind buildings. "
        "Frames that others' frames spoilt count as lost.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run, frames in found:
        for sight, part in frames[frames["sent"] >= FEWEST].groupby("line_of_sight"):
            middle = (part["distance_from"] + part["distance_to"]) / 2.0
            axes.plot(middle, part["received"] / part["sent"], "-" if sight else "--",
                      color=run.colour, label=run.says(SIGHT[int(sight)]))
    axes.set(xlabel="distance (m)", ylabel="frames received", ylim=(0.0, 1.02))
    axes.yaxis.set_major_formatter(Percent())
    figure.finish(drawing)
    return [figure]
