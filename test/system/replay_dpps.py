#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""DPPS and PartPSP against a second path: steps, noise on the parameters, estimated sensitivity."""

from __future__ import annotations

import numpy as np
from replays.models import clip_vector, clipped_sum
from replays.runs import NODES, ROUNDS, ReplayCase, Run, main
from replays.schedules import next_sensitivity, sensitivity_factor, start_sensitivity

CLIP, STEP, LOCAL, BUDGET = 2.0, 0.05, 0.5, 5.0
NOISE_RATE, BOUND, DECAY, PERIOD = 0.002, 0.8, 0.55, 5
FIRST_LAYER, SECOND_LAYER, ALL = 7850, 16474, 24324


class GoldenRecursion(ReplayCase):
    """The second path itself: growth factors and start values of the published runs."""

    def test_growth_factors(self) -> None:
        for bound, decay, count, golden in (
            (0.78, 0.55, 7850, 1.897),
            (0.78, 0.62, 16474, 3.807),
            (0.95, 0.55, 24324, 5.634),
            (0.78, 0.7, 157504, 35.10),
            (0.8, 0.75, 157504, 38.55),
            (0.8, 0.75, 683072, 164.7),
        ):
            factor = sensitivity_factor(bound, decay, 0.001, 5, count)
            self.assertAlmostEqual(factor, golden, delta=golden * 2e-3)

    def test_start_values(self) -> None:
        self.assertAlmostEqual(start_sensitivity(0.86, 0.1 * 100), 17.2, delta=1e-12)
        self.assertAlmostEqual(start_sensitivity(0.78, 1e-5 * 100), 0.00156, delta=1e-15)
        self.assertAlmostEqual(start_sensitivity(0.8, 0.01 * 100), 1.6, delta=1e-12)


class DppsTest(ReplayCase):
    """Paper mode, in which the noise is on what is sent."""

    def run_paper(
        self, algorithm: str, model: str, measure_every: int = 0, drop: float = 0.1
    ) -> Run:
        """A run that keeps its noise."""
        return self.run_learn(
            f"--algorithm={algorithm}",
            "--mode=paper",
            f"--clip={CLIP}",
            f"--stepSize={STEP}",
            f"--epsilon={BUDGET}",
            f"--hyper=noiseRate={NOISE_RATE},bound={BOUND},decay={DECAY},syncPeriod={PERIOD}"
            f",localStep={LOCAL},measureEvery={measure_every}",
            "--traceLevel=noise",
            model=model,
            drop=drop,
        )

    def replay(self, run: Run, shared: int) -> tuple[list, list[np.ndarray], list[np.ndarray]]:
        """States, and by round the shared parts of z before a step and of what the step takes."""
        before, steps = [], []

        def step(k: int, z: np.ndarray) -> np.ndarray:
            update = np.zeros_like(z)
            for i in range(NODES):
                gradient = clipped_sum(run.factors(i, z[i]), np.inf) / run.examples.per_node
                update[i, shared:] = LOCAL * STEP * gradient[shared:]
                gradient = clipped_sum(run.factors(i, z[i] - update[i]), np.inf)[:shared]
                update[i, :shared] = STEP * clip_vector(gradient / run.examples.per_node, CLIP, 1)
            before.append(z[:, :shared])
            steps.append(update[:, :shared].copy())
            return update - run.noise(k)

        return run.push(step, shared=shared), before, steps

    def test_steps_and_noise(self) -> None:
        for algorithm, model, shared in (
            ("dpps", "softmax-regression", FIRST_LAYER),
            ("partpsp-1", "mlp-1", FIRST_LAYER),
            ("partpsp-2", "mlp", SECOND_LAYER),
            ("sgpdp", "mlp", ALL),
        ):
            with self.subTest(algorithm=algorithm):
                run = self.run_paper(algorithm, model)
                self.compare(run, self.replay(run, shared)[0])

    def test_sensitivity(self) -> None:
        """Estimates, their maximum, the true one, and noise as large as the maximum says."""
        run = self.run_paper("partpsp-1", "mlp-1", measure_every=1, drop=0)
        states, before, steps = self.replay(run, FIRST_LAYER)
        self.compare(run, states)
        query = (
            "SELECT round, node, estimated, heard_maximum, unheard, real FROM sensitivity_by_round"
        )
        rows = {(k, i): values for k, i, *values in run.trace.execute(query)}
        self.assertEqual(len(rows), ROUNDS * NODES)
        largest, noise = 0.0, np.zeros(NODES)
        for k in range(ROUNDS):
            moved = np.abs(steps[k]).sum(axis=1)
            estimates = start_sensitivity(BOUND, moved)
            if k % PERIOD > 0:
                estimates = next_sensitivity(BOUND, DECAY, largest, noise, moved)
            largest = estimates.max()
            noise = np.abs(run.noise(k)).sum(axis=1)
            x = states[k][0][:, None] * before[k] - steps[k]
            real = [np.abs(x - row).sum(axis=1).max() for row in x]
            for i in range(NODES):
                expected = (estimates[i], largest, 0, real[i])
                np.testing.assert_allclose(rows[k, i], expected, rtol=1e-4)
            drawn = run.noise(k)[:, :FIRST_LAYER] / (NOISE_RATE * largest / BUDGET)
            self.assertLess(abs(np.abs(drawn).mean() - 1) * drawn.size**0.5, 5)
            self.assertLess(abs((drawn**2).mean() - 2) * (drawn.size / 20) ** 0.5, 5)


if __name__ == "__main__":
    main()
