#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The DPPS family against a second path: steps, noise on the parameters, sensitivity.

Noise and steps are small enough for rounding errors not to grow: where shares are lost, weights
become small, and a step in z is the plain one over the weight.
"""

import numpy as np
from replays.models import clip_vector, clipped_sum
from replays.runs import NODES, ROUNDS, ReplayCase, Run, main
from replays.schedules import next_sensitivity, sensitivity_factor, start_sensitivity

STEP, LOCAL, BUDGET, SOUND_BUDGET = 0.01, 2.0, 5.0, 5e4
NOISE_RATE, BOUND, DECAY, PERIOD = 0.0001, 0.8, 0.4, 5
FIRST_LAYER, SECOND_LAYER, ALL = 7850, 16474, 24324


class GoldenRecursion(ReplayCase):
    """The second path itself: growth factors and start values of the published runs."""

    def test_growth_factors(self) -> None:
        for bound, decay, count, golden in (
            (0.78, 0.55, 7850, 1.897),
            (0.78, 0.62, 16474, 3.807),
            (0.95, 0.55, 24324, 5.634),
            (0.86, 0.53, 9536, 2.269),
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


class Replay:
    """Of a run: states, and by round what the shared parts of x are around a step."""

    def __init__(self, run: Run, shared: int, epoch: int = 0) -> None:
        self.run, self.shared, self.epoch = run, shared, epoch
        self.is_paper = run.settings["mode"] == "paper"
        self.clip = run.number("clip")
        self.clipped = 0
        self.before: list[np.ndarray] = []
        self.steps: list[np.ndarray] = []
        self.states = run.push(self.step, shared=shared)

    def tenth(self, k: int) -> float:
        """What step and noise are multiplied by: each fifth epoch has a tenth of both."""
        return 0.1 ** ((k // self.epoch + 1) // 5) if self.epoch else 1.0

    def step(self, k: int, z: np.ndarray) -> np.ndarray:
        """Own parts first, then the shared one at what they have become."""
        run, shared, size = self.run, self.shared, STEP * self.tenth(k)
        update = np.zeros_like(z)
        for i in range(NODES):
            if shared < z.shape[1]:
                gradient = clipped_sum(run.factors(i, z[i]), np.inf) / run.examples.per_node
                update[i, shared:] = LOCAL * size * gradient[shared:]
            gradient = clipped_sum(run.factors(i, z[i] - update[i]), np.inf)[:shared]
            gradient /= run.examples.per_node
            self.clipped += np.abs(gradient).sum() > self.clip
            update[i, :shared] = size * clip_vector(gradient, self.clip, 1)
        self.before.append(z[:, :shared])
        self.steps.append(update[:, :shared].copy())
        return update - run.noise(k) if self.is_paper else update + size * run.noise(k)

    def real(self, k: int) -> np.ndarray:
        """L1 distance of each x to the farthest other one, between step and noise."""
        x = self.states[k][0][:, None] * self.before[k] - self.steps[k]
        return np.array([np.abs(x - row).sum(axis=1).max() for row in x])

    def has_all(self, k: int) -> np.ndarray:
        """Which nodes took in a share of every other one in the round in which it left."""
        return (self.run.mixing[k][k] > 0).all(axis=1)


class DppsTest(ReplayCase):
    """On an unbalanced digraph, with complete graphs in between."""

    def run_dpps(
        self,
        algorithm: str,
        *options: str,
        model: str = "softmax-regression",
        drop: float = 0.1,
        clip: float = 100.0,
        mode: str = "paper",
        **hyper: float,
    ) -> Run:
        """A run that keeps its noise."""
        values = {
            "noiseRate": NOISE_RATE,
            "bound": BOUND,
            "decay": DECAY,
            "syncPeriod": PERIOD,
            "localStep": LOCAL,
            **hyper,
        }
        return self.run_learn(
            f"--algorithm={algorithm}",
            f"--mode={mode}",
            f"--clip={clip}",
            f"--stepSize={STEP}",
            f"--epsilon={BUDGET if mode == 'paper' else SOUND_BUDGET}",
            "--hyper=" + ",".join(f"{name}={value}" for name, value in values.items()),
            *options,
            model=model,
            drop=drop,
        )

    def check_steps(self, run: Run, shared: int, epoch: int = 0) -> Replay:
        """Every snapshot; some gradients are clipped, and some are not."""
        replay = Replay(run, shared, epoch)
        self.compare(run, replay.states)
        self.assertTrue(0 < replay.clipped < ROUNDS * NODES)
        return replay

    def check_laplace(self, run: Run, scales: np.ndarray, shared: int) -> None:
        """The noise looks like Laplace variables of the scales [K, n], and only what is shared."""
        rows = [run.noise(k) / scales[k][:, None] for k in range(0, ROUNDS, 4)]
        self.assertFalse(any(row[:, shared:].any() for row in rows))
        unit = np.concatenate(rows)[:, :shared]
        size = np.abs(unit)
        self.assertLess(abs(unit.mean()) * (unit.size / 2) ** 0.5, 5)
        self.assertLess(abs(size.mean() - 1) * unit.size**0.5, 5)
        self.assertLess(abs((size**2).mean() - 2) * (unit.size / 20) ** 0.5, 5)
        self.assertLess(np.abs(size.mean(axis=1) - 1).max() * shared**0.5, 5)

    def check_sensitivity(
        self, replay: Replay, oracle: bool = False, own: bool = False, start: bool = False
    ) -> np.ndarray:
        """Every number of the view and the size of the noise; gives what nodes did not hear."""
        run = replay.run
        query = "SELECT round, node, estimated, heard_maximum, unheard FROM sensitivity_by_round"
        rows = np.full((ROUNDS, NODES, 3), np.nan)
        for k, i, *values in run.trace.execute(query):
            rows[k, i] = values
        announced, heard, unheard = np.moveaxis(rows, 2, 0)
        last, noise = np.zeros(NODES), np.zeros(NODES)
        fresh = np.ones(NODES, bool)
        initial = np.abs(run.start[:, : replay.shared]).sum(axis=1) if start else np.zeros(NODES)
        for k in range(ROUNDS):
            moved = np.abs(replay.steps[k]).sum(axis=1)
            estimates = np.where(
                fresh,
                start_sensitivity(BOUND, moved + (initial if k == 0 else 0)),
                next_sensitivity(BOUND, DECAY, last, noise, moved),
            )
            np.testing.assert_allclose(announced[k], estimates, rtol=1e-4)
            if oracle:
                np.testing.assert_allclose(heard[k], replay.real(k).max(), rtol=1e-4)
            else:
                self.check_maximum(announced[k], heard[k], unheard[k].astype(int))
            last = announced[k] if own else heard[k]
            noise = np.abs(run.noise(k)).sum(axis=1)
            fresh = replay.has_all(k) & ((k + 1) % PERIOD == 0)
        tenths = np.array([replay.tenth(k) for k in range(ROUNDS)])[:, None]
        self.check_laplace(run, NOISE_RATE * tenths * heard / BUDGET, replay.shared)
        return unheard

    def check_maximum(self, announced: np.ndarray, heard: np.ndarray, unheard: np.ndarray) -> None:
        """A node holds the largest of all but as many estimates as it did not hear."""
        self.assertTrue(np.isin(heard, announced).all())
        self.assertTrue((heard >= announced).all())
        self.assertTrue((heard >= np.sort(announced)[::-1][unheard]).all())

    def test_steps_and_sensitivity(self) -> None:
        """Lossy links: what is not heard is missing in the maximum."""
        for algorithm, model, shared, clip in (
            ("partpsp-1", "mlp-1", FIRST_LAYER, 80.0),
            ("partpsp-2", "mlp", SECOND_LAYER, 25.0),
            ("sgpdp", "mlp", ALL, 130.0),
        ):
            with self.subTest(algorithm=algorithm):
                run = self.run_dpps(algorithm, model=model, clip=clip)
                unheard = self.check_sensitivity(self.check_steps(run, shared))
                self.assertGreater(unheard.sum(), 100)

    def test_true_sensitivity(self) -> None:
        """That of the simulator, between step and noise; epochs that are over make both small."""
        decaying = {"oracle": 1, "epoch": 4, "clip": 150.0}
        for algorithm, options in (("pedfl", {}), ("dpps", decaying)):
            with self.subTest(algorithm=algorithm):
                run = self.run_dpps(algorithm, **options)
                replay = self.check_steps(run, FIRST_LAYER, options.get("epoch", 0))
                self.check_sensitivity(replay, oracle=True)

    def test_measured(self) -> None:
        """Without loss all hear all; the true sensitivity is measured, and not used."""
        run = self.run_dpps("partpsp-1", model="mlp-1", clip=100.0, drop=0, measureEvery=2)
        replay = self.check_steps(run, FIRST_LAYER)
        self.assertFalse(self.check_sensitivity(replay).any())
        for k, i, real in run.trace.execute("SELECT round, node, real FROM sensitivity_by_round"):
            if k % 2:
                self.assertIsNone(real)
            else:
                self.assertAlmostEqual(real, replay.real(k)[i], delta=1e-4 * real)

    def test_own_estimate(self) -> None:
        """Equation 22 to the letter: a node's own estimates, and what it starts with."""
        run = self.run_dpps("dpps", "--init=default", ownEstimate=1, initialNorm=1)
        self.check_sensitivity(self.check_steps(run, FIRST_LAYER), own=True, start=True)

    def test_sound(self) -> None:
        """Nothing is estimated: noise of a public scale, on the clipped mean gradient."""
        for algorithm, model, shared, clip in (
            ("dpps", "softmax-regression", FIRST_LAYER, 150.0),
            ("partpsp-1", "mlp-1", FIRST_LAYER, 100.0),
        ):
            with self.subTest(algorithm=algorithm):
                options = {"model": model, "clip": clip, "mode": "sound"}
                run = self.run_dpps(algorithm, "--accountant=rdp", **options)
                self.check_steps(run, shared)
                count = run.trace.execute("SELECT count(*) FROM sensitivity_by_round").fetchone()
                self.assertEqual(count, (0,))
                # A batch moves by twice the bound; so large a budget is the sum of the rounds'.
                scale = 2 * clip * ROUNDS / SOUND_BUDGET
                np.testing.assert_allclose(run.deviation, scale, rtol=1e-6)
                self.check_laplace(run, run.deviation, shared)


if __name__ == "__main__":
    main()
