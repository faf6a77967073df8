# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reference algorithms of studies: isolated nodes, and one central learner with all examples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Callable, Sequence

if TYPE_CHECKING:
    import pandas as pd

LOW, HIGH = "isolated", "central"
REFERENCES = (LOW, HIGH)
"""Algorithms of merit 0 and merit 1; they are the first and the last row of a table."""
MERIT = "Merit: (accuracy - isolated) / (central - isolated), seed by seed."
"""Note below tables with a column merit."""


def merit(value: float | None, low: float | None, high: float | None) -> float:
    """Position of a value between two references: 0 at `low`, 1 at `high`; nan if unknown."""
    if value is None or low is None or high is None or low == high:
        return math.nan
    return (value - low) / (high - low)


def factor(runs: pd.DataFrame, name: str) -> pd.Series:
    """Levels of a factor by run; "" for runs without the factor."""
    return runs[name].fillna("") if name in runs else runs["trace"].map(lambda _: "")


def merits(
    runs: pd.DataFrame, way: str, value: str = "accuracy_mean", setting: Sequence[str] = ()
) -> pd.Series:
    """Merit of each run, relative to the references with equal run number and `setting` columns.

    Column `way` has the names of algorithms, column `value` the accuracy. nan without references.
    """
    places = list(zip(*(runs[name] for name in (*setting, "run"))))
    ends = [
        {place: one for place, one, name in zip(places, runs[value], runs[way]) if name == end}
        for end in REFERENCES
    ]
    found = [merit(one, *(end.get(place) for end in ends)) for place, one in zip(places, runs[value])]
    return runs[value].mask(runs[value].notna(), found)


def enclosed(runs: pd.DataFrame, way: str) -> pd.DataFrame:
    """The runs, sorted: isolated first, central last. Column `way` has the algorithms."""
    rank = runs[way].map({LOW: -1, HIGH: 1}).fillna(0)
    return runs.loc[rank.sort_values(kind="stable").index]


def between(runs: pd.DataFrame, way: str) -> pd.DataFrame:
    """The runs whose algorithm, in column `way`, is no reference."""
    return runs[~runs[way].isin(REFERENCES)]


def with_references(rows: list[list[str]], runs: pd.DataFrame, way: str,
                    row: Callable[[str, pd.DataFrame], list[str]]) -> None:
    """Inserts rows of the references, made by `row`, as first and last of `rows`."""
    for name, place in ((LOW, 0), (HIGH, len(rows) + 1)):
        own = runs[runs[way] == name]
        if len(own):
            rows.insert(place, row(name, own))
