# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The end of a sweep: what came out in each cell, over its seeds and run numbers."""

from __future__ import annotations

import math
from typing import Any, Sequence

from dpdl_analysis.formatting import DASH, contraction, duration, epsilon, exact
from dpdl_analysis.studies.references import REFERENCES, merit
from dpdl_analysis.studies.statistics import estimate
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.sweep.catalogue import DONE, Row

PERCENT = 100.0
NEGLIGIBLE = 1e-9
"""Share of the mean below which an interval is rounding."""


def cells(factors: Sequence[str], rows: Sequence[Row], title: str) -> Table:
    """A row for each variant: mean and 95 % interval of accuracy, epsilon, q and time.

    With both references among the algorithms of variants that are alike but for them, also the
    merit (accuracy - isolated) / (central - isolated), of each seed and run.
    """
    merits = _merits(factors, rows)
    names = list(dict.fromkeys(row["variant"] for row in rows))
    body = []
    for name in names:
        own = [row for row in rows if row["variant"] == name]
        done = [row for row in own if row["state"] == DONE]
        body.append([*(exact(own[0][factor]) for factor in factors), _runs(own, done),
                     _percent(_values(done, "accuracy_mean")),
                     *([_with_half(merits.get(name, []), lambda value: f"{value:.2f}")]
                       if merits else []),
                     _with_half(_values(done, "epsilon_certified"), epsilon),
                     _with_half(_values(done, "q_realised"), contraction),
                     _with_half(_values(done, "simulated_seconds"), duration),
                     _with_half(_values(done, "process_seconds"), duration)])
    heads = [*factors, "runs", "accuracy (%)", *(["merit"] if merits else []), "epsilon certified",
             "q realised", "simulated", "wall"]
    return Table(f"{title}: mean ± 95 % interval over the runs of each variant", heads, body)


def _merits(factors: Sequence[str], rows: Sequence[Row]) -> dict[str, list[float]]:
    """The merits of each variant that has both references."""
    alike: dict[tuple[Any, ...], dict[str, float]] = {}
    for row in rows:
        if "algorithm" in factors and row["state"] == DONE and row["algorithm"] in REFERENCES:
            alike.setdefault(_place(factors, row), {})[row["algorithm"]] = row["accuracy_mean"]
    found: dict[str, list[float]] = {}
    for row in rows:
        isolated, central = (alike.get(_place(factors, row), {}).get(name) for name in REFERENCES)
        value = merit(row["accuracy_mean"], isolated, central) if row["state"] == DONE else math.nan
        if not math.isnan(value):
            found.setdefault(row["variant"], []).append(value)
    return found


def _place(factors: Sequence[str], row: Row) -> tuple[Any, ...]:
    """What a run has in common with its references: all but the algorithm."""
    return (*(row[name] for name in factors if name != "algorithm"), row.get("seed"),
            row.get("run"))


def _runs(own: Sequence[Row], done: Sequence[Row]) -> str:
    return str(len(done)) if len(own) == len(done) else f"{len(done)} of {len(own)}"


def _values(rows: Sequence[Row], name: str) -> list[Any]:
    return [row[name] for row in rows if isinstance(row.get(name), (int, float))]


def _percent(values: Sequence[float]) -> str:
    return _with_half([PERCENT * value for value in values], lambda value: f"{value:.1f}")


def _with_half(values: Sequence[float], shown: Any) -> str:
    if not values:
        return DASH
    if any(math.isinf(value) for value in values):
        # A mean of the others would promise what one run does not keep.
        return "inf"
    found = estimate(values)
    fixed = math.isnan(found.half) or found.half <= NEGLIGIBLE * abs(found.mean)
    half = "" if fixed else f" ± {shown(found.half)}"
    return shown(found.mean) + half
