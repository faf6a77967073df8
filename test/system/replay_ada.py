#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""AdaD2P and what its paper compares it with against a second path, with the noise on."""

import math
import unittest

import numpy as np
from replays.models import clipped_sum
from replays.runs import NODES, ROUNDS, ReplayCase, Run, main
from replays.schedules import moments_multiplier

CLIP, BOUND, STEP, DELTA, C_2 = 0.5, 3.5, 0.02, 1e-4, 1.5


class GoldenFormula(unittest.TestCase):
    """The second path itself: epsilon / c_2 of the paper's experiments."""

    def test_epsilons(self) -> None:
        for rounds, samples, sigma, golden in (
            (3500, 2500, 0.04, 2.007),
            (3500, 2500, 0.001, 80.30),
            (2200, 3000, 0.05, 1.061),
            (2200, 3000, 0.02, 2.652),
        ):
            ratio = moments_multiplier(1.0, 1.0, 1e-5, rounds, 1 / samples) / sigma
            self.assertAlmostEqual(ratio, golden, delta=golden * 3e-4)


class AdaTest(ReplayCase):
    """Noise that follows the gradient, a bound that is guessed, and a clip bound."""

    always = (f"--stepSize={STEP}", f"--delta={DELTA}")

    def check(self, algorithm: str, hyper: str, *options: str) -> Run:
        """Replays the run, and asks whether the noise is as large as the paper says."""
        run = self.run_learn(f"--algorithm={algorithm}", f"--hyper={hyper}", *options)
        clip = CLIP if algorithm == "clip-d2p" else math.inf
        units = np.full((ROUNDS, NODES), BOUND if algorithm == "const-ada" else CLIP)

        def step(k: int, z: np.ndarray) -> np.ndarray:
            sums = np.stack([clipped_sum(run.factors(i, z[i]), clip) for i in range(NODES)])
            if algorithm == "ada-d2p":
                units[k] = np.linalg.norm(sums, axis=1)
            return STEP * (sums + run.noise(k)) / run.examples.per_node

        self.compare(run, run.push(step))
        sigma = self.sigma(run, algorithm)
        self.check_gaussian(run, sigma * units)
        return run

    def sigma(self, run: Run, algorithm: str) -> float:
        """The noise multiplier, the same in all rounds."""
        unit = {"ada-d2p": 1.0, "const-ada": BOUND, "clip-d2p": CLIP}[algorithm]
        sigma = run.deviation[0, 0] / unit
        np.testing.assert_allclose(run.deviation, sigma * unit, rtol=1e-12)
        return sigma

    def hyper(self, algorithm: str, own: str) -> str:
        """Hyper-parameters that the algorithm knows."""
        return own + (f",bound={BOUND}" if algorithm == "const-ada" else "")

    def test_given_multiplier(self) -> None:
        for algorithm in ("ada-d2p", "const-ada", "clip-d2p"):
            with self.subTest(algorithm=algorithm):
                options = [f"--clip={CLIP}"] if algorithm == "clip-d2p" else []
                run = self.check(
                    algorithm, self.hyper(algorithm, "noiseMultiplier=0.01"), *options
                )
                self.assertAlmostEqual(self.sigma(run, algorithm), 0.01, delta=1e-14)

    def test_papers_formula(self) -> None:
        epsilon = 30.0
        for algorithm in ("ada-d2p", "const-ada", "clip-d2p"):
            with self.subTest(algorithm=algorithm):
                run = self.check(
                    algorithm,
                    self.hyper(algorithm, f"c2={C_2}"),
                    "--mode=paper",
                    "--stepScale=by-weight",
                    f"--epsilon={epsilon}",
                    *([f"--clip={CLIP}"] if algorithm == "clip-d2p" else []),
                )
                rate = 1 / run.examples.per_node
                expected = moments_multiplier(C_2, epsilon, DELTA, ROUNDS, rate)
                self.assertAlmostEqual(self.sigma(run, algorithm), expected, delta=1e-12)


if __name__ == "__main__":
    main()
