# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Results of a run: its last evaluation, and means over the last quarter of its rounds."""

import math

from dpdl_analysis.trace import Trace

LATE = 0.75
"""Fraction of the rounds after which evaluations count towards the means."""

SURE = 2.0
"""Number of standard errors by which a significant slope exceeds 0."""

LAST_QUARTER = {
    "accuracy_mean": "accuracy_last_quarter",
    "accuracy_worst": "worst_last_quarter",
    "accuracy_of_mean_model": "mean_model_last_quarter",
    "consensus_distance": "consensus_last_quarter",
}
"""Name of the mean over the last quarter, by column of view accuracy_by_round."""


def evaluated(trace: Trace, until: int | None = None) -> dict[str, float | None]:
    """Last value and mean over the last quarter of each column in LAST_QUARTER that the trace has.

    A value is None if nothing was evaluated. With `until` the run counts as ended after that round.
    """
    known = trace.columns("accuracy_by_round") if trace.has("accuracy_by_round", "round") else set()
    names = [name for name in LAST_QUARTER if name in known]
    if not names:
        return {}
    means = _late(trace, ", ".join(f"AVG({name})" for name in names), until)[0]
    last = trace.rows(f"SELECT {', '.join(names)} FROM accuracy_by_round WHERE :until IS NULL OR "
                      "round <= :until ORDER BY round DESC LIMIT 1", {"until": until})
    return {**dict(zip(names, last[0] if last else [None] * len(names))),
            **{LAST_QUARTER[name]: mean for name, mean in zip(names, means)}}


def late_rise(trace: Trace, until: int | None = None) -> float:
    """Rise of the mean accuracy over the last quarter, as a fraction, by linear regression.

    0 if the slope is at most 2 standard errors, or for fewer than 3 evaluations.
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
    """Evaluations in the last quarter of the rounds, on the most frequent test examples."""
    ran = "(SELECT * FROM accuracy_by_round WHERE :until IS NULL OR round <= :until)"
    late = f"FROM {ran} WHERE round > {LATE} * (SELECT MAX(round) FROM {ran})"
    if trace.has("accuracy_by_round", "test_examples"):
        late += (f" AND test_examples IS (SELECT test_examples {late} GROUP BY test_examples "
                 "ORDER BY COUNT(*) DESC, test_examples DESC LIMIT 1)")
    return trace.rows(f"SELECT {columns} {late} ORDER BY round", {"until": until})
