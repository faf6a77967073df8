#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""ADP-VRSGP against a second path, with the noise on."""

import unittest

import numpy as np
from replays.runs import ROUNDS, ReplayCase, Run, main
from replays.schedules import DecayingLearning, variance_factor
from replays.steps import noisy_means

CLIP, STEP, POWER, THETA, PSI = 0.5, 0.3, 0.3, 0.4, 0.9


class GoldenSchedule(unittest.TestCase):
    """The second path itself against the values that the paper's formulas give."""

    def test_alpha_and_beta(self) -> None:
        learning = DecayingLearning(1000, 5, 0.2, 0.5)
        golden = {
            0: (1.584893, 2.913693, 4.617893),
            1: (1.584893, 2.910913, 4.613487),
            6: (1.615394, 2.908122, 4.697764),
            500: (2.560227, 2.560227, 6.554764),
            501: (2.560227, 2.555555, 6.554764),
            999: (2.910913, 1.584893, 8.473416),
        }
        for t, row in golden.items():
            values = (learning.alpha(t), learning.noise(t), learning.beta(t))
            np.testing.assert_allclose(values, row, rtol=0, atol=1e-6)

    def test_sums(self) -> None:
        for s, early, late in (
            (0.2, 173.6661, 173.3857),
            (0.25, 113.9156, 113.6683),
            (0.3, 75.2547, 75.0439),
        ):
            learning = DecayingLearning(1000, 5, s, 0.5)
            by_alpha = sum(learning.alpha(t) ** -2 for t in range(1000))
            by_noise = sum(learning.noise(t) ** -2 for t in range(1000))
            self.assertAlmostEqual(by_alpha, early, delta=1e-4)
            self.assertAlmostEqual(by_noise, late, delta=1e-4)

    def test_variance_of_fused_gradients(self) -> None:
        """h is the sum of the squared weights of the gradients in a fused one."""
        self.assertAlmostEqual(variance_factor(0.5, 1), 1.0, delta=1e-15)
        for theta in (0.3, 0.5, 0.7):
            weights = np.ones(1)
            for tau in range(1, 9):
                self.assertAlmostEqual(variance_factor(theta, tau), weights @ weights, delta=1e-12)
                weights = np.append(theta * weights, 1 - theta)


class AdpTest(ReplayCase):
    """With each of its two ideas switched on and off."""

    def check(self, tau: int, stairs: bool, fused: bool) -> None:
        run = self.run_learn(
            "--algorithm=adp-vrsgp",
            f"--clip={CLIP}",
            f"--stepSize={STEP}",
            f"--hyper=tau={tau},noisePower={POWER},theta={THETA},psi={PSI},xi=0.3,"
            f"sdlr={int(stairs)},pgf={int(fused)}",
        )
        learning = DecayingLearning(ROUNDS, tau, POWER, 0.3)
        blocks = np.cumsum([learning.begins_block(t) for t in range(ROUNDS)]) - 1
        clips = CLIP * PSI**blocks
        noise = np.array([learning.noise(t) if stairs else 1.0 for t in range(ROUNDS)])
        first = run.deviation[0, 0] / (clips[0] * noise[0])
        self.check_schedule(run, clips, clips * noise * first)
        beta = [learning.beta(t) if stairs else 1.0 for t in range(ROUNDS)]
        self.compare(run, self.replay(run, learning, clips, STEP / np.array(beta), fused))

    def replay(
        self,
        run: Run,
        learning: DecayingLearning,
        clips: np.ndarray,
        steps: np.ndarray,
        fused: bool,
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """x <- P (x - eta / beta g~), g~ a running mean over the block of equal noise."""
        past = np.zeros_like(run.start)

        def step(t: int, z: np.ndarray) -> np.ndarray:
            gradient = noisy_means(run, t, z, clips[t])
            if fused and not learning.begins_block(t):
                gradient = (1 - THETA) * gradient + THETA * past
            past[:] = gradient
            return steps[t] * gradient

        return run.push(step)

    def test_switches(self) -> None:
        for case in ((5, True, True), (7, True, True), (5, False, True), (5, True, False)):
            with self.subTest(case=case):
                self.check(*case)


if __name__ == "__main__":
    main()
