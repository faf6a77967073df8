# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What nodes do between two mixings, for all nodes at once."""

import numpy as np

from .models import clipped_sum
from .runs import NODES, ROUNDS, Run


def noisy_means(run: Run, k: int, z: np.ndarray, clip: float) -> np.ndarray:
    """(sum of clipped gradients + noise) / J at the states z [NODES, d]."""
    sums = [clipped_sum(run.factors(i, z[i]), clip) for i in range(NODES)]
    return (np.stack(sums) + run.noise(k)) / run.examples.per_node


def gradient_push(
    run: Run, clips: np.ndarray, steps: np.ndarray | None = None, send_first: bool = False
) -> list[tuple[np.ndarray, np.ndarray]]:
    """x <- P (x - gamma_k (clipped and noisy mean gradient)); gamma is the run's if not given."""
    if steps is None:
        steps = np.full(ROUNDS, run.number("stepSize"))
    return run.push(lambda k, z: steps[k] * noisy_means(run, k, z, clips[k]), send_first)
