# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Data of the network's animation: messages per link, w and accuracy of nodes, failures, by frame.

A frame covers several rounds if the run is long or large, which keeps the page small. SQL
aggregates the messages.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpdl_analysis.figures.events import Event, events, in_force
from dpdl_analysis.figures.layout import layout, side, unit_square
from dpdl_analysis.trace import Trace

MOST_FRAMES = 200
MOST_STATES = 60_000
"""Maximum of frames times nodes."""
MOST_LINK_STATES = 40_000
"""Maximum of rows (frame, link). A larger run has only the links with lost messages."""
MOST_LINKS = 3000
"""Maximum number of links in the background of a frame; of more links none are drawn."""
BAD = "('lost', 'corrupt', 'refunded')"
MOST_POSITIONS = 20_000
"""Approximate maximum number of positions read for the trajectories of all nodes."""
GRID = 1000
"""Coordinates in the page's script are integers from 0 to GRID."""


@dataclass
class Animation:
    """The frames of one run, with indices from 0. Positions are in the unit square, y down."""

    trace: Trace
    nodes: int
    rounds: int
    notes: list[str]

    @property
    def width(self) -> int:
        """Number of rounds in a frame."""
        most = max(20, min(MOST_FRAMES, MOST_STATES // max(1, self.nodes)))
        return max(1, -(-self.rounds // most))

    @property
    def count(self) -> int:
        return max(1, -(-self.rounds // self.width))

    @cached_property
    def _counted(self) -> np.ndarray:
        """Rows (frame, source, target, messages sent, messages lost) of all links."""
        if not self.trace.has("delivery", "round", "source", "target", "fate"):
            return np.empty((0, 5), dtype=int)
        sql = (
            f"SELECT round / {self.width} AS frame, source, target, COUNT(*), "
            f"SUM(fate IN {BAD}) AS lost FROM delivery "
            "WHERE fate <> 'duplicate' AND round IS NOT NULL GROUP BY frame, source, target"
        )
        return np.array(self.trace.rows(sql), dtype=int).reshape(-1, 5)

    @cached_property
    def traffic(self) -> np.ndarray:
        """Rows (frame, source, target, messages sent, messages lost) of drawn links."""
        rows = self._counted
        if len(rows) > MOST_LINK_STATES:
            rows = rows[rows[:, 4] > 0][:MOST_LINK_STATES]
            self.notes.append("Of so many messages only those that were lost are drawn.")
        return rows

    @cached_property
    def totals(self) -> np.ndarray:
        """Messages sent and lost on all links: frames x 2."""
        rows = self._counted[(0 <= self._counted[:, 0]) & (self._counted[:, 0] < self.count)]
        columns = [
            np.bincount(rows[:, 0], weights=rows[:, at], minlength=self.count) for at in (3, 4)
        ]
        return np.column_stack(columns).astype(int)

    @cached_property
    def graph(self) -> np.ndarray:
        """Background links (source, target) of all frames; empty if over MOST_LINKS or not needed."""
        links = np.empty((0, 2), dtype=int)
        if not self.recorded:
            links = self._summed
        elif len(self.traffic) < len(self._counted):
            links = np.unique(self._counted[:, 1:3], axis=0)
        return links if len(links) <= MOST_LINKS else links[:0]

    @property
    def recorded(self) -> bool:
        """True if the trace has a row per message."""
        return len(self._counted) > 0

    @cached_property
    def _summed(self) -> np.ndarray:
        """Rows (source, target) of the links in view delivery_by_link, at most 4000."""
        if not self.trace.has("delivery_by_link", "source", "target"):
            return np.empty((0, 2), dtype=int)
        found = self.trace.rows("SELECT source, target FROM delivery_by_link LIMIT 4000")
        return np.array(found, dtype=int).reshape(-1, 2)

    @cached_property
    def links(self) -> np.ndarray:
        """Rows (source, target) of all links that are drawn in any frame."""
        if len(self.graph):
            return self.graph
        if len(self.traffic):
            return np.unique(self.traffic[:, 1:3], axis=0)
        return self._summed

    @cached_property
    def starts(self) -> dict[int, float]:
        """Simulated time in seconds at which the first node began a frame, by frame."""
        if not self.trace.has("round_by_node", "round", "started_at"):
            return {}
        found = self.trace.rows(
            f"SELECT round / {self.width}, MIN(started_at) FROM round_by_node "
            "WHERE started_at IS NOT NULL AND round IS NOT NULL GROUP BY 1"
        )
        return {int(frame): float(time) for frame, time in found}

    @cached_property
    def weights(self) -> np.ndarray:
        """Push-sum weight w at the start of each frame: frames x nodes, nan if unknown."""
        return self._by_frame("round_by_node", "w", exact=True)

    @cached_property
    def accuracies(self) -> np.ndarray:
        """Latest accuracy at the start of each frame: frames x nodes, nan before the first one."""
        return self._by_frame("accuracy_by_node", "accuracy")

    @cached_property
    def moves(self) -> bool:
        """True if the trace has positions of nodes."""
        return self.trace.has("position_by_round", "round", "node", "x", "y") and bool(
            self.trace.one("SELECT COUNT(*) FROM position_by_round WHERE x IS NOT NULL")
        )

    @cached_property
    def places(self) -> np.ndarray:
        """Positions in the unit square: frames x nodes x 2; 1 x nodes x 2 if the trace has none."""
        if not self.moves:
            links = np.unique(self._counted[:, 1:3], axis=0) if len(self._counted) else self.links
            return layout(self.nodes, links[(links < self.nodes).all(axis=1)])[None]
        parts = [self._by_frame("position_by_round", axis) for axis in ("x", "y")]
        found = np.stack(parts, axis=2)
        return self._drawn(found.reshape(-1, 2)).reshape(found.shape)

    @cached_property
    def _positions(self) -> np.ndarray:
        """Rows (node, x, y) in metres, sorted by node and round; rounds are thinned if many."""
        most = self.trace.one("SELECT COUNT(*) FROM position_by_round") or 0
        step = 1 + most // MOST_POSITIONS
        found = self.trace.rows(
            "SELECT node, x, y FROM position_by_round WHERE x IS NOT NULL AND y IS NOT NULL "
            f"AND round % {step} = 0 ORDER BY node, round"
        )
        return np.array(found, dtype=float).reshape(-1, 3)

    @cached_property
    def metres(self) -> float:
        """Side of the unit square in metres; 0 without positions in the trace."""
        return side(self._positions[:, 1:]) if self.moves and len(self._positions) else 0.0

    @cached_property
    def trails(self) -> list[np.ndarray]:
        """Trajectory of each moving node: points x 2, in the unit square."""
        if not self.moves:
            return []
        ways = [self._positions[self._positions[:, 0] == node, 1:] for node in range(self.nodes)]
        return [self._drawn(way) for way in ways if len(way) > 1 and np.ptp(way, axis=0).any()]

    @cached_property
    def buildings(self) -> np.ndarray:
        """Two opposite corners of each building in the unit square: buildings x 2 x 2."""
        if not self.moves or not self.trace.has("building", "x_min", "x_max", "y_min", "y_max"):
            return np.empty((0, 2, 2))
        found = self.trace.rows("SELECT x_min, y_max, x_max, y_min FROM building")
        corners = np.array(found, dtype=float).reshape(-1, 2)
        return self._drawn(corners).reshape(-1, 2, 2)

    @property
    def scale(self) -> tuple[float, float]:
        """Length of the scale bar, in units of the square and in metres; (0, 0) if unknown."""
        if self.metres <= 0.0:
            return (0.0, 0.0)
        power = 10.0 ** math.floor(math.log10(self.metres / 2.5))
        length = max(one * power for one in (1, 2, 5) if one * power <= self.metres / 2.5)
        return (length / self.metres, length)

    def _drawn(self, positions: np.ndarray) -> np.ndarray:
        """Converts positions in metres (n x 2) to the unit square, with north up."""
        square = unit_square(positions, self._positions[:, 1:])
        square[:, 1] = 1.0 - square[:, 1]
        return square

    @cached_property
    def events(self) -> list[Event]:
        return events(self.trace)

    def active(self, frame: int) -> list[Event]:
        """Failures in force at any time within a frame."""
        begin = self.starts.get(frame)
        if begin is None:
            return []
        end = self.starts.get(frame + 1, float("inf"))
        return [event for event in self.events if event.begin < end and event.end > begin]

    def _by_frame(self, view: str, column: str, exact: bool = False) -> np.ndarray:
        """A column as frames x nodes; repeats the last value unless `exact`."""
        values = np.full((self.count, self.nodes), np.nan)
        if not self.trace.has(view, "round", "node", column):
            return values
        sql = f"SELECT round, node, {column} FROM {view} WHERE {column} IS NOT NULL"
        if exact:
            sql += f" AND round % {self.width} = 0"
        found = self.trace.rows(sql + " ORDER BY round")
        for done, node, value in found:
            frame = -(-int(done) // self.width)
            if 0 <= frame < self.count and 0 <= int(node) < self.nodes:
                values[frame, int(node)] = value
        return values if exact else pd.DataFrame(values).ffill().to_numpy()

    def script(self) -> dict[str, Any]:
        """Data of the animation for the page's script, for JSON."""
        index = {(int(a), int(b)): place for place, (a, b) in enumerate(self.links)}
        marks: list[list[int]] = [[] for _ in range(self.count)]
        for frame, source, target, sent, lost in self.traffic.tolist():
            if 0 <= frame < self.count:
                marks[frame] += [index[source, target], sent, lost]
        places = np.where(np.isfinite(self.places), np.round(GRID * self.places), -1).astype(int)
        return {
            "nodes": self.nodes,
            "links": self.links.ravel().tolist(),
            "graph": bool(len(self.graph)),
            "recorded": self.recorded,
            "places": [frame.ravel().tolist() for frame in places],
            "trails": [_steps(GRID * way) for way in self.trails],
            "buildings": np.round(GRID * self.buildings).astype(int).reshape(-1, 4).tolist(),
            "scale": self.scale,
            "frames": [self._frame(frame, marks[frame]) for frame in range(self.count)],
        }

    def _frame(self, frame: int, marks: list[int]) -> dict[str, Any]:
        first = frame * self.width
        active = self.active(frame)
        return {
            "first": first,
            "last": min(first + self.width, self.rounds) - 1,
            "time": self.starts.get(frame),
            "links": marks,
            "sent": int(self.totals[frame][0]),
            "lost": int(self.totals[frame][1]),
            "w": _rounded(self.weights[frame]),
            "accuracy": _rounded(self.accuracies[frame]),
            "events": in_force(active),
            "down": [event.link for event in active if event.link],
            "off": [event.node for event in active if event.node is not None],
        }


def animation(trace: Trace) -> Animation | None:
    """The animation of a run; None if the trace lacks the number of nodes."""
    nodes, rounds = trace.number("nodes"), trace.number("rounds")
    if not nodes or nodes < 1:
        return None
    return Animation(trace, int(nodes), int(rounds or 0), [])


def _steps(way: np.ndarray) -> list[int]:
    """A trajectory (points x 2) as integers x, y, x, y, ..., without repeated points."""
    points = np.round(way).astype(int)
    moved = np.append(True, (np.diff(points, axis=0) != 0).any(axis=1))
    return points[moved].ravel().tolist()


def _rounded(values: np.ndarray) -> list[float | None]:
    return [float(f"{value:.3g}") if np.isfinite(value) else None for value in values]
