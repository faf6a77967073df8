#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Dyn-D2P and its variants against a second path, with the noise on."""

import tempfile
import unittest

import numpy as np
from replays.models import clipped_sum
from replays.runs import NODES, ROUNDS, TOLERANCE, ReplayCase, Run, alone, main
from replays.schedules import DynSchedule, mu_start, mu_total, without_last_digits
from replays.steps import gradient_push

ATTRIBUTE = "--ns3::DpdlApplication::"
DECAY, GROWTH, CLIP, STEP, EPSILON, DELTA = 4.0, 2.5, 0.5, 0.05, 2.0, 1e-4
FACTORS = {
    "dyn-d2p": (DECAY, GROWTH),
    "dyn-c-d2p": (DECAY, 1.0),
    "dyn-mu-d2p": (1.0, GROWTH),
    "const-d2p": (1.0, 1.0),
}


class GoldenSchedule(unittest.TestCase):
    """The second path itself against the values that the paper's equations give."""

    def test_mu_total(self) -> None:
        self.assertAlmostEqual(mu_total(0.3, 1e-4), 0.10771596, delta=1e-8)
        self.assertAlmostEqual(mu_total(3, 1e-5), 0.71911744, delta=1e-8)
        self.assertAlmostEqual(mu_total(8, 1e-4), 1.84136627, delta=1e-8)

    def test_full_schedule(self) -> None:
        growth = 5.0 ** (np.arange(3500) / 3500)
        mu_0 = mu_start(1.0, 1e-4, 2500, growth)
        self.assertAlmostEqual(mu_0, 0.5764121750, delta=1e-10)
        plan = DynSchedule(3500, 7.0, 5.0, 5.0, mu_0)
        golden = {
            0: (7.0, 0.57641217, 12.14408769),
            1: (6.99678186, 0.57667729, 12.13292417),
            1750: (3.13049517, 1.28889681, 2.42881754),
            3499: (1.40064392, 2.88073589, 0.48621046),
        }
        for k, row in golden.items():
            np.testing.assert_allclose(
                (plan.clip[k], plan.mu[k], plan.deviation[k]), row, rtol=0, atol=1e-8
            )

    def test_constant_multiplier(self) -> None:
        self.assertAlmostEqual(mu_start(1.0, 1e-4, 2500, np.ones(3500)), 2.275059, delta=1e-6)
        self.assertAlmostEqual(mu_start(3.0, 1e-4, 3000, np.ones(2200)), 2.813186, delta=1e-6)


class DynTest(ReplayCase):
    """Every variant in both modes, on an unbalanced digraph with lossy links."""

    always = (f"--stepSize={STEP}",)

    def check(
        self, algorithm: str, *options: str, model: str = "softmax-regression"
    ) -> tuple[Run, DynSchedule]:
        """Runs and compares; mu_0 is what the first release says."""
        run = self.run_learn(
            f"--algorithm={algorithm}",
            f"--clip={CLIP}",
            f"--epsilon={EPSILON}",
            f"--delta={DELTA}",
            *options,
            model=model,
        )
        decay, growth = FACTORS[algorithm]
        plan = DynSchedule(ROUNDS, CLIP, decay, growth, CLIP / run.deviation[0, 0])
        self.check_schedule(run, plan.clip, plan.deviation)
        self.compare(run, gradient_push(run, plan.clip))
        return run, plan

    def options(self, algorithm: str) -> list[str]:
        """The factors that a variant lets one choose."""
        decay, growth = FACTORS[algorithm]
        given = {"ClipDecay": decay, "NoiseGrowth": growth}
        return [f"{ATTRIBUTE}{name}={value}" for name, value in given.items() if value > 1]

    def test_variants(self) -> None:
        for algorithm in FACTORS:
            with self.subTest(algorithm=algorithm):
                self.check(algorithm, *self.options(algorithm))

    def test_model_of_three_layers(self) -> None:
        """Clipped over all layers at once."""
        self.check("const-d2p", model="mlp")

    def test_paper_mode_calibrates_by_the_papers_equation(self) -> None:
        """The noise of the paper's mode from epsilon alone. A plain step: no loss."""
        for algorithm in ("dyn-d2p", "const-d2p"):
            with self.subTest(algorithm=algorithm):
                decay, growth = FACTORS[algorithm]
                run, plan = self.check(
                    algorithm, *self.options(algorithm), "--mode=paper", "--stepSize=0.002"
                )
                shape = growth ** (np.arange(ROUNDS) / ROUNDS)
                mu_0 = without_last_digits(
                    mu_start(EPSILON, DELTA, run.examples.per_node, shape)
                )
                self.assertAlmostEqual(plan.mu[0], mu_0, delta=1e-9 * mu_0)

    def test_a_node_alone_does_plain_dp_sgd(self) -> None:
        """What a single node would do: no weights, no mixing, nothing but steps."""
        run = self.run_learn("--algorithm=const-d2p", f"--clip={CLIP}", graph=alone)
        for i in (NODES - 2, NODES - 1):
            z = np.zeros_like(run.start[i])
            for k in range(ROUNDS):
                total = clipped_sum(run.factors(i, z), CLIP) + run.noise(k)[i]
                z = z - STEP * total / run.examples.per_node
                w, state = run.states[k + 1, i]
                self.assertEqual(w, 1.0)
                self.assertLess(np.abs(state - z).max(), TOLERANCE * np.abs(z).max())

    def test_schedule_from_a_table(self) -> None:
        """Any clip bounds and any shape of the noise; the paper's mode finds the factor."""
        table = {0: (0.6, 1.0), 10: (0.4, 0.7), 30: (0.3, 0.5)}
        rows = [table[max(k for k in table if k <= round)] for round in range(ROUNDS)]
        clips, shape = np.array(rows).T
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            lines = [f"{k},{clip},{noise}\n" for k, (clip, noise) in table.items()]
            file.write("round,clip,noise\n" + "".join(lines))
            file.flush()
            run = self.run_learn(
                "--algorithm=dyn-d2p-general",
                f"--scheduleFile={file.name}",
                f"--epsilon={EPSILON}",
                f"--delta={DELTA}",
                "--mode=paper",
                "--stepScale=by-weight",
            )
        mu = without_last_digits(
            mu_start(EPSILON, DELTA, run.examples.per_node, clips / shape)
        )
        self.check_schedule(run, clips, shape / mu)
        self.compare(run, gradient_push(run, clips))

    def test_noise_off(self) -> None:
        run = self.run_learn("--algorithm=dyn-d2p", f"--clip={CLIP}", "--noise=off")
        clips = DynSchedule(ROUNDS, CLIP, 3.0, 2.0, 1.0).clip
        self.compare(run, gradient_push(run, clips))


if __name__ == "__main__":
    main()
