# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run's rows as data frames, no more of them than a figure can show."""

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
"""Views whose rounds are a number of rounds done, and not the round itself."""
POINTS = 500
"""A curve over rounds is drawn with at most about so many of them."""


@dataclass
class RunData:
    """One run of a report: its trace, what it is called, and its curves."""

    trace: Trace
    index: int
    name: str
    label: str
    alone: bool = False

    def says(self, what: str) -> str:
        """The name of one of the run's series."""
        return what if self.alone else f"{self.name}: {what}"

    @property
    def colour(self) -> str:
        """The run's colour in every figure."""
        return theme.colour(self.index)

    def line(self, axes: Axes, along: Any, values: pd.Series, what: str) -> None:
        """Draws one of the run's series with some of its markers."""
        every = theme.marks(self.index, len(values))
        looks = {"color": self.colour, "marker": theme.marker(self.index), "markevery": every}
        axes.plot(along, values, label=self.says(what), **looks)

    def band(self, axes: Axes, along: Any, low: Any, high: Any, tone: float) -> None:
        """Fills what lies between two of the run's series."""
        axes.fill_between(along, low, high, color=self.colour, alpha=tone, linewidth=0)

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """Accuracy over rounds and simulated time."""
        frame = self._frame("accuracy_by_round")
        return frame.dropna(subset=["accuracy_mean"]).sort_values("round")

    @cached_property
    def by_time(self) -> pd.DataFrame:
        """Accuracy over simulated time; of vehicles those on the road, each with its latest model."""
        from dpdl_analysis.studies.vehicular_drive import on_the_road

        if has_traffic(self.trace) and self.trace.has("round_by_node", "node", "finished_at"):
            found = on_the_road(self.trace)
            names = ["simulated_seconds", "accuracy_mean", "accuracy_worst"]
            return found.set_axis(names, axis=1) if len(found) else self.accuracy
        return self.accuracy.dropna(subset=["simulated_seconds"])

    @cached_property
    def guarantee(self) -> pd.DataFrame:
        """Largest claimed and certified epsilon over rounds; inf is left out."""
        frame = self._frame("guarantee_by_round", thin="round").sort_values("round")
        return frame.replace([np.inf, -np.inf], np.nan)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """Accuracy and loss of each node at each evaluation."""
        frame = self._frame("accuracy_by_node")
        return frame.dropna(subset=["accuracy"]).sort_values(["round", "node"])

    @cached_property
    def bytes(self) -> pd.DataFrame:
        """Bytes handed to the network until after each round; empty without deliveries."""
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
        """Mean, least and greatest value of a column by round, and the end of that round."""
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
        """Counts by link, with the share lost."""
        frame = self._frame("delivery_by_link")
        frame = frame[frame["sent"] > 0].copy()
        frame["share"] = frame["lost"] / frame["sent"]
        return frame

    @cached_property
    def contraction(self) -> pd.DataFrame:
        """q by window, with the window's middle round."""
        frame = self._frame("q_by_window", thin="first_round").sort_values("first_round")
        frame["middle"] = (frame["first_round"] + frame["last_round"]) / 2.0
        return frame

    @cached_property
    def mass(self) -> pd.DataFrame:
        """The mass ledger over rounds."""
        return self._frame("mass_by_round", thin="round").sort_values("round")

    @cached_property
    def spread(self) -> pd.DataFrame:
        """Least, median and greatest w of the nodes over rounds."""
        if not self.trace.has("round_by_node", "round", "node", "w"):
            return pd.DataFrame(columns=["round", "min", "median", "max"])
        frame = self._read("round_by_node", ("round", "w"), "round").dropna()
        return frame.groupby("round")["w"].agg(["min", "median", "max"]).reset_index()

    def _frame(self, view: str, thin: str = "") -> pd.DataFrame:
        """A view's rows as numbers; of a long one, every so many values of the column `thin`."""
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
