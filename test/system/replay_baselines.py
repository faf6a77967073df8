#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The baselines against a second path, with the noise on."""

from __future__ import annotations

import numpy as np
from replays.runs import NODES, ROUNDS, ReplayCase, Run, main
from replays.steps import gradient_push, noisy_means

CLIP, STEP = 0.5, 0.05
PROGRESS = np.arange(ROUNDS) / ROUNDS


class BaselineTest(ReplayCase):
    """Each on an unbalanced digraph with lossy links."""

    def run_noisy(self, algorithm: str, *options: str) -> Run:
        """A run of the algorithm that keeps its noise."""
        return self.run_learn(
            f"--algorithm={algorithm}",
            f"--clip={CLIP}",
            f"--stepSize={STEP}",
            "--traceLevel=noise",
            *options,
        )

    def check_releases(self, run: Run, clips: np.ndarray, shape: np.ndarray) -> None:
        """Sensitivity and noise follow the schedule, up to the calibrated first multiplier."""
        first = run.deviation[0, 0] / shape[0]
        np.testing.assert_allclose(run.sensitivity, np.outer(clips, np.ones(NODES)), rtol=1e-12)
        deviations = np.outer(first * shape, np.ones(NODES))
        np.testing.assert_allclose(run.deviation, deviations, rtol=1e-9)
        self.check_gaussian(run, deviations)

    def test_mapa(self) -> None:
        """Stages of equal length; clip bound, step and noise are halved from one to the next."""
        for stages in (4, 3):
            with self.subTest(stages=stages):
                run = self.run_noisy("mapa", f"--hyper=stages={stages}")
                halves = 0.5 ** np.floor(stages * PROGRESS + 1e-12)
                self.check_releases(run, CLIP * halves, halves)
                self.compare(run, gradient_push(run, CLIP * halves, STEP * halves))

    def test_fed_an(self) -> None:
        """Constant clip bound; the noise falls as 1 / (1 + decay k/K)."""
        run = self.run_noisy("fed-an", "--hyper=decay=3")
        clips = np.full(ROUNDS, CLIP)
        self.check_releases(run, clips, 1 / (1 + 3 * PROGRESS))
        self.compare(run, gradient_push(run, clips))

    def test_momentum(self) -> None:
        """In no paper: m <- beta m + g, x <- P (x - gamma m)."""
        run = self.run_noisy("momentum-d2p", "--hyper=momentum=0.6")
        self.check_releases(run, np.full(ROUNDS, CLIP), np.ones(ROUNDS))
        momentum = np.zeros_like(run.start)

        def step(k: int, z: np.ndarray) -> np.ndarray:
            momentum[:] = 0.6 * momentum + noisy_means(run, k, z, CLIP)
            return STEP * momentum

        self.compare(run, run.push(step))


if __name__ == "__main__":
    main()
