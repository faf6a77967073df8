# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The references of studies: what every node reaches alone, and one learner with all examples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Callable, Sequence

if TYPE_CHECKING:
    import pandas as pd

LOW, HIGH = "isolated", "central"
REFERENCES = (LOW, HIGH)
"""The algorithms of merit 0 and merit 1, the first and the last row of a table."""
MERIT = "Merit: (accuracy - isolated) / (central - isolated), seed by seed."
"""The note of a table that has it."""


def merit(value: float | None, low: float | None, high: float | None) -> float:
    """How far a value is from one reference to the other: 0 at `low`, 1 at `high`; nan if unknown."""
    if value is None or low is None or high is None or low == high:
        return math.nan
    return (value - low) / (high - low)


def factor(runs: pd.DataFrame, name: str) -> pd.Series:
    """A factor that only some of the variants have, "" where a run has none."""
    return runs[name].fillna("") if name in runs else runs["trace"].map(lambda _: "")


def merits(
    runs: pd.DataFrame, way: str, value: str = "accuracy_mean", setting: Sequence[str] = ()
) -> pd.Series:
    """The merit of each run: its references have the same run number and the same `setting`.

    Column `way` has the names of references, column `value` the accuracy.
    """
    places = list(zip(*(runs[name] for name in (*setting, "run"))))
    ends = [
        {place: one for place, one, name in zip(places, runs[value], runs[way]) if name == end}
        for end in REFERENCES
    ]
    found = [merit(one, *(end.get(place) for end in ends)) for place, one in zip(places, runs[value])]
    return runs[value].mask(runs[value].notna(), found)


def enclosed(runs: pd.DataFrame, way: str) -> pd.DataFrame:
    """The runs in their order, those of `isolated` first and those of `central` last."""
    rank = runs[way].map({LOW: -1, HIGH: 1}).fillna(0)
    return runs.loc[rank.sort_values(kind="stable").index]


def between(runs: pd.DataFrame, way: str) -> pd.DataFrame:
    """The runs that are no references."""
    return runs[~runs[way].isin(REFERENCES)]


def with_references(rows: list[list[str]], runs: pd.DataFrame, way: str,
                    row: Callable[[str, pd.DataFrame], list[str]]) -> None:
    """Puts `row(name, runs)` of the runs of `isolated` first and of `central` last, if there are any."""
    for name, place in ((LOW, 0), (HIGH, len(rows) + 1)):
        own = runs[runs[way] == name]
        if len(own):
            rows.insert(place, row(name, own))
