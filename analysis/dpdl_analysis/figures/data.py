# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of a run's views as data frames, thinned to the resolution of a figure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dpdl_analysis.figures import theme
from dpdl_analysis.figures.events import has_traffic
from dpdl_analysis.trace import VIEWS, Trace

MEGABYTE = 1e6
OF_ROUNDS_DONE = ("accuracy_by_round", "accuracy_by_node", "guarantee_by_round", "mass_by_round",
                  "energy_by_node", "snapshot", "resumption")
"""Views whose column `round` counts completed rounds; elsewhere it is an index from 0."""
POINTS = 500
"""Approximate maximum number of points of a curve over rounds."""


@dataclass
class RunData:
    """One run of a report. `index` chooses its colour and marker, `name` and `label` are its short
    and its long name. `alone`: the report has no other run."""

    trace: Trace
    index: int
    name: str
    label: str
    alone: bool = False

    def says(self, what: str) -> str:
        """Label of the run's series `what`, with the run's name if there are several runs."""
        return what if self.alone else f"{self.name}: {what}"

    @property
    def colour(self) -> str:
        return theme.colour(self.index)

    def line(self, axes: Axes, along: Any, values: pd.Series, what: str) -> None:
        """Draws the series `values` over `along`, with label `what` and a few markers."""
        every = theme.marks(self.index, len(values))
        looks = {"color": self.colour, "marker": theme.marker(self.index), "markevery": every}
        axes.plot(along, values, label=self.says(what), **looks)

    def band(self, axes: Axes, along: Any, low: Any, high: Any, tone: float) -> None:
        """Fills the area between two series over `along`, with opacity `tone` in [0, 1]."""
        axes.fill_between(along, low, high, color=self.colour, alpha=tone, linewidth=0)

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """View accuracy_by_round, sorted by round, without rows that lack a mean accuracy."""
        frame = self._frame("accuracy_by_round")
        return frame.dropna(subset=["accuracy_mean"]).sort_values("round")

    @cached_property
    def by_time(self) -> pd.DataFrame:
        """Accuracy over simulated time; for vehicles: of the latest models of those on the road."""
        from dpdl_analysis.studies.vehicular_drive import on_the_road

        if has_traffic(self.trace) and self.trace.has("round_by_node", "node", "finished_at"):
            found = on_the_road(self.trace)
            names = ["simulated_seconds", "accuracy_mean", "accuracy_worst"]
            return found.set_axis(names, axis=1) if len(found) else self.accuracy
        return self.accuracy.dropna(subset=["simulated_seconds"])

    @cached_property
    def guarantee(self) -> pd.DataFrame:
        """View guarantee_by_round, thinned; infinite epsilons are nan."""
        frame = self._frame("guarantee_by_round", thin="round").sort_values("round")
        return frame.replace([np.inf, -np.inf], np.nan)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """View accuracy_by_node, sorted by round and node."""
        frame = self._frame("accuracy_by_node")
        return frame.dropna(subset=["accuracy"]).sort_values(["round", "node"])

    @cached_property
    def bytes(self) -> pd.DataFrame:
        """Cumulative bytes and megabytes sent, by completed rounds; empty without messages."""
        if not self.trace.has("delivery", "round", "bytes", "fate"):
            return pd.DataFrame(columns=["round", "bytes", "megabytes"], dtype=float)
        found = self.trace.rows(
            "SELECT round + 1, SUM(bytes) FROM delivery WHERE fate <> 'duplicate' "
            "AND round IS NOT NULL GROUP BY round ORDER BY round"
        )
        frame = pd.DataFrame(found, columns=["round", "bytes"]).apply(
            pd.to_numeric, errors="coerce"
        )
        frame["bytes"] = frame["bytes"].cumsum()
        return frame.assign(megabytes=frame["bytes"] / MEGABYTE)

    def column(self, view: str, name: str, along: str) -> pd.DataFrame:
        """Mean, minimum (low) and maximum (high) of a column by round. `along` (round, time, bytes)
        adds a column with the round, simulated seconds or megabytes sent."""
        key = "last_round" if view == "q_by_window" else "round"
        rows = self.trace.rows(
            f'SELECT {key}, AVG("{name}"), MIN("{name}"), MAX("{name}") FROM "{view}" '
            f"WHERE typeof(\"{name}\") IN ('integer', 'real') GROUP BY 1 ORDER BY 1")
        frame = pd.DataFrame(rows, columns=["round", "mean", "low", "high"], dtype=float)
        frame = frame.replace([np.inf, -np.inf], np.nan).dropna()
        if along == "round":
            return frame
        ends = self.bytes[["round", "megabytes"]].rename(columns={"megabytes": along})
        if along == "time":
            ended = "SELECT round + 1, MAX(finished_at) FROM round_by_node GROUP BY round"
            ends = pd.DataFrame([(0, 0.0), *self.trace.rows(ended)], columns=["round", along],
                                dtype=float).dropna()
        done = frame.assign(round=frame["round"] + (view not in OF_ROUNDS_DONE))
        return done.merge(ends[["round", along]].astype(float), on="round")

    @cached_property
    def links(self) -> pd.DataFrame:
        """View delivery_by_link of links in use; `share` is the fraction of lost messages."""
        frame = self._frame("delivery_by_link")
        frame = frame[frame["sent"] > 0].copy()
        frame["share"] = frame["lost"] / frame["sent"]
        return frame

    @cached_property
    def contraction(self) -> pd.DataFrame:
        """View q_by_window, thinned, with `middle`, the middle round of the window."""
        frame = self._frame("q_by_window", thin="first_round").sort_values("first_round")
        frame["middle"] = (frame["first_round"] + frame["last_round"]) / 2.0
        return frame

    @cached_property
    def mass(self) -> pd.DataFrame:
        """View mass_by_round, thinned and sorted by round."""
        return self._frame("mass_by_round", thin="round").sort_values("round")

    @cached_property
    def spread(self) -> pd.DataFrame:
        """Minimum, median and maximum w of the nodes by round, thinned."""
        if not self.trace.has("round_by_node", "round", "node", "w"):
            return pd.DataFrame(columns=["round", "min", "median", "max"])
        frame = self._read("round_by_node", ("round", "w"), "round").dropna()
        return frame.groupby("round")["w"].agg(["min", "median", "max"]).reset_index()

    def _frame(self, view: str, thin: str = "") -> pd.DataFrame:
        """Rows of a view as numbers; long views are thinned by the values of the column `thin`."""
        if not self.trace.has(view, *VIEWS[view]):
            return pd.DataFrame(columns=VIEWS[view], dtype=float)
        return self._read(view, VIEWS[view], thin)

    def _read(self, view: str, columns: tuple[str, ...], thin: str) -> pd.DataFrame:
        sql = f"SELECT {', '.join(columns)} FROM {view}"
        if thin:
            values = self.trace.one(f"SELECT COUNT(DISTINCT {thin}) FROM {view}") or 0
            if values > 2 * POINTS:
                last = f"(SELECT MAX({thin}) FROM {view})"
                sql += f" WHERE {thin} % {values // POINTS} = 0 OR {thin} = {last}"
        frame = pd.DataFrame(self.trace.rows(sql), columns=list(columns))
        return frame.apply(pd.to_numeric, errors="coerce")
