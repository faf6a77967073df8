# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figure of the study `vehicular`: the map, accuracy, contacts and frames."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from dpdl_analysis.figures.radio import SIGHT
from dpdl_analysis.studies.study import COLOURS, GRID, INK, MUTED
from dpdl_analysis.studies.vehicular_drive import Drive

FAR = 500.0
"""Largest distance, in metres, at which frames are shown for towns without buildings."""
SMALL = 5
"""Minimum number of contacts for which their distribution is drawn."""


@dataclass(frozen=True)
class Town:
    """Contents of the map: positions with accuracies, links (source, target), and buildings."""

    places: pd.DataFrame
    links: list[tuple[int, int]]
    buildings: list[tuple[float, float, float, float]]
    """Western, southern, eastern and northern wall of each building, in metres."""


def draw(
    canvas: Canvas,
    drives: dict[str, list[Drive]],
    town: Town,
    frames: pd.DataFrame,
    radio: pd.DataFrame,
) -> None:
    """Draws map, accuracy, contacts, and frames: by line of sight unless `radio` is empty."""
    (area, curves), (contacts, fates) = canvas.subplots(2, 2)
    _draw_map(canvas, area, town)
    draw_curves(curves, {cast: [drive.curve for drive in group] for cast, group in drives.items()})
    for colour, (cast, group) in zip(COLOURS, drives.items()):
        lengths = np.sort(np.concatenate([drive.contacts for drive in group]))
        if lengths.size >= SMALL:
            share = 100.0 * (1.0 - np.arange(lengths.size) / lengths.size)
            contacts.step(lengths, share, where="post", color=colour, label=cast)
    contacts.set(xlabel="duration (s)", ylabel="contacts that last as long (%)", ylim=(0, 102))
    if len(radio):
        _draw_radio(fates, radio)
    else:
        _draw_frames(fates, frames[frames["distance_to"] <= FAR])


def draw_curves(axes: Axes, curves: dict[str, list[pd.Series]]) -> None:
    """Draws accuracies (percent by seconds): mean over each name's runs, and their range."""
    for colour, (name, group) in zip(COLOURS, curves.items()):
        both = pd.concat(group, axis=1).sort_index()
        times = both.index.to_numpy(dtype=float)
        axes.plot(times, both.mean(axis=1), color=colour, label=name)
        axes.fill_between(times, both.min(axis=1), both.max(axis=1), color=colour, alpha=0.2)
    axes.set(xlabel="simulated time (s)", ylabel="mean accuracy (%)")
    axes.legend(loc="lower right", fontsize="small")


def _draw_map(canvas: Canvas, axes: Axes, town: Town) -> None:
    places = town.places
    for west, south, east, north in town.buildings:
        axes.add_patch(Rectangle((west, south), east - west, north - south, color=GRID, zorder=0))
    last = places.sort_values("round").groupby("node").last()
    for source, target in town.links:
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
        drawn = axes.scatter(chosen["x"], chosen["y"], c=100.0 * chosen["accuracy"], s=70, marker=marker,
                             edgecolors=INK, zorder=3, **colours)
    # Pages allow no raster images in SVG.
    canvas.colorbar(drawn, ax=axes, label="accuracy (%)").solids.set(rasterized=False, edgecolor="face")


def _draw_frames(axes: Axes, frames: pd.DataFrame) -> None:
    if frames.empty:
        axes.set_axis_off()
        return
    middle = (frames["distance_from"] + frames["distance_to"]) / 2.0
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


def _draw_radio(axes: Axes, radio: pd.DataFrame) -> None:
    for colour, (sight, part) in zip(COLOURS[2:], radio.groupby("line_of_sight")):
        axes.plot(part["middle"], 100.0 * part["share"], color=colour, label=SIGHT[int(sight)])
        axes.plot(part["middle"], 100.0 * part["published"], ":", color=colour)
    axes.set(xlabel="distance (m)", ylabel="frames that arrive (%)", ylim=(0, 102))
    axes.legend(loc="center right")
