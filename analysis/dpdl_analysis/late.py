# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run is evaluated by: means over the last quarter of its rounds."""

from __future__ import annotations

from dpdl_analysis.trace import Trace

LATE = 0.75
"""What is evaluated is the mean over the evaluations behind this share of the rounds."""

EVALUATED = ("accuracy_mean", "accuracy_worst", "consensus_distance")
"""What is evaluated: one round alone says less, since constant steps keep models moving."""


def late_means(trace: Trace, until: int | None = None) -> tuple[float | None, ...]:
    """The late mean of each of EVALUATED; None where nothing was evaluated.

    With `until`, of the run as far as that round, as if it had ended there.
    """
    means = ", ".join(f"AVG({name})" for name in EVALUATED)
    ran = "(SELECT * FROM accuracy_by_round WHERE :until IS NULL OR round <= :until)"
    late = f"round > {LATE} * (SELECT MAX(round) FROM {ran})"
    return trace.rows(f"SELECT {means} FROM {ran} WHERE {late}", {"until": until})[0]
