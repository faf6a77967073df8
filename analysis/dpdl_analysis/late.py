# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run is evaluated by: means over the last quarter of its rounds."""

from __future__ import annotations

import math

from dpdl_analysis.trace import Trace

LATE = 0.75
"""What is evaluated is the mean over the evaluations behind this share of the rounds."""

SURE = 2.0
"""Standard errors by which a slope has to differ from 0."""

EVALUATED = ("accuracy_mean", "accuracy_worst", "consensus_distance")
"""What is evaluated: one round alone says less, since constant steps keep models moving."""

MEAN_MODEL = "accuracy_of_mean_model"
"""Also evaluated: the one model whose parameters are the mean over the nodes."""


def late_means(trace: Trace, until: int | None = None) -> tuple[float | None, ...]:
    """The late mean of each of EVALUATED; None where nothing was evaluated.

    With `until`, of the run as far as that round, as if it had ended there.
    """
    means = ", ".join(f"AVG({name})" for name in EVALUATED)
    return _late(trace, means, until)[0]


def late_mean_model(trace: Trace) -> float | None:
    """The late mean of MEAN_MODEL; None where it was not evaluated."""
    if not trace.has("accuracy_by_round", "round", MEAN_MODEL):
        return None
    return _late(trace, f"AVG({MEAN_MODEL})", None)[0][0]


def late_rise(trace: Trace, until: int | None = None) -> float:
    """By how much mean accuracy rose over these rounds: a straight line's rise; 0 if none is sure.

    Sure is a slope of more than SURE standard errors.
    """
    rows = _late(trace, "round, accuracy_mean", until)
    points = [(float(x), float(y)) for x, y in rows if y is not None]
    if len(points) < 3:
        return 0.0
    x_mean, y_mean = (math.fsum(values) / len(points) for values in zip(*points))
    spread = math.fsum((x - x_mean) ** 2 for x, _ in points)
    slope = math.fsum((x - x_mean) * (y - y_mean) for x, y in points) / spread
    rest = math.fsum((y - y_mean - slope * (x - x_mean)) ** 2 for x, y in points)
    error = math.sqrt(rest / (len(points) - 2) / spread)
    return slope * (points[-1][0] - points[0][0]) if slope > SURE * error else 0.0


def _late(trace: Trace, columns: str, until: int | None) -> list[tuple]:
    ran = "(SELECT * FROM accuracy_by_round WHERE :until IS NULL OR round <= :until)"
    late = f"round > {LATE} * (SELECT MAX(round) FROM {ran}) ORDER BY round"
    return trace.rows(f"SELECT {columns} FROM {ran} WHERE {late}", {"until": until})
