# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Deterministic layout of a graph whose nodes have no positions."""

import math

import numpy as np

CIRCLE = 120
"""Maximum number of nodes of equal degree that are placed on a circle; more nodes form rows."""
STEPS, LARGE_STEPS, LARGE = 200, 60, 250
"""Iterations of the force-directed layout: STEPS, or LARGE_STEPS for more than LARGE nodes."""
GRAVITY = 2.0
"""Strength of the pull to the centre in the force-directed layout."""


def layout(nodes: int, links: np.ndarray) -> np.ndarray:
    """Positions in the unit square, nodes x 2. `links` has one row (source, target) per link."""
    if nodes < 2:
        return np.full((nodes, 2), 0.5)
    degrees = np.bincount(links.ravel(), minlength=nodes) if len(links) else np.zeros(nodes)
    if degrees.min() == degrees.max():
        return _circle(nodes) if nodes <= CIRCLE else _rows(nodes)
    return _forces(nodes, links)


def unit_square(places: np.ndarray, within: np.ndarray | None = None) -> np.ndarray:
    """Shifts and scales positions (n x 2) into the unit square, with one scale for both axes.

    `within` are the positions that fill the square (None: `places`).
    """
    within = places if within is None else within
    if not np.isfinite(within).any():
        return places
    low = np.nanmin(within, axis=0)
    size = side(within) or 1.0
    return (places - low) / size + (1.0 - (np.nanmax(within, axis=0) - low) / size) / 2.0


def side(places: np.ndarray) -> float:
    """Side of the smallest axis-parallel square around the positions (n x 2)."""
    return float((np.nanmax(places, axis=0) - np.nanmin(places, axis=0)).max())


def _circle(nodes: int) -> np.ndarray:
    angles = 2.0 * math.pi * np.arange(nodes) / nodes
    return np.column_stack((0.5 + 0.5 * np.sin(angles), 0.5 - 0.5 * np.cos(angles)))


def _rows(nodes: int) -> np.ndarray:
    width = math.ceil(math.sqrt(nodes))
    index = np.arange(nodes)
    return unit_square(np.column_stack((index % width, index // width)).astype(float))


def _forces(nodes: int, links: np.ndarray) -> np.ndarray:
    """Force-directed layout by Fruchterman and Reingold, which starts from a circle."""
    places, ideal = _circle(nodes), 1.0 / math.sqrt(nodes)
    pulls = np.zeros((nodes, nodes), dtype=bool)
    pulls[links[:, 0], links[:, 1]] = pulls[links[:, 1], links[:, 0]] = True
    steps = STEPS if nodes <= LARGE else LARGE_STEPS
    for step in range(steps):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-3 * ideal)
        force = ideal**2 / distance**2 - pulls * distance / ideal
        np.fill_diagonal(force, 0.0)
        # Without GRAVITY the components of an unconnected graph would drift apart.
        move = (apart * force[..., None]).sum(axis=1) - GRAVITY * (places - 0.5)
        length = np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-12)
        heat = 0.1 * (1.0 - step / steps)
        places = places + move * (np.minimum(length, heat) / length)[:, None]
    return unit_square(places)
