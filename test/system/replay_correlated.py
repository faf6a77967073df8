#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Noise that is correlated over nodes or rounds, against a second path, with the noise on."""

import math
import tempfile
from pathlib import Path

import numpy as np
from replays.runs import NODES, ROUNDS, ReplayCase, Run, main, unbalanced_digraph
from replays.steps import gradient_push

CLIP, STEP, EPSILON, DELTA = 0.5, 0.05, 2.0, 1e-4


def gaussian_delta(epsilon: float, mu: float) -> float:
    """The delta of Gaussian differential privacy (Balle and Wang, ICML 2018)."""
    low, high = (math.erfc((epsilon / mu + sign * mu / 2) / 2**0.5) / 2 for sign in (-1, 1))
    return low - math.exp(epsilon) * high


class CorrelatedTest(ReplayCase):
    """On a lossy digraph: states, covariances, and what the ledger makes of them."""

    def check(
        self, algorithm: str, *options: str, replays: bool = True, limit: bool = True
    ) -> Run:
        """Runs, and compares the states where every batch is all a node has."""
        run = self.run_learn(
            f"--algorithm={algorithm}", f"--clip={CLIP}", f"--stepSize={STEP}",
            f"--epsilon={EPSILON}", f"--delta={DELTA}", *options,
        )  # fmt: skip
        if replays:
            self.compare(run, gradient_push(run, np.full(ROUNDS, CLIP)))
        if limit:
            self.assertLessEqual(self.summary(run, "epsilon_certified"), EPSILON)
        return run

    def summary(self, run: Run, name: str) -> float:
        """A figure of the summary."""
        query = "SELECT value FROM summary WHERE name = ?"
        return float(run.trace.execute(query, (name,)).fetchone()[0])

    def noise_over_nodes(self, run: Run) -> np.ndarray:
        """All noise, each round's for a `noise` of 1: [NODES, ROUNDS * d]."""
        return np.concatenate([run.noise(k) / run.deviation[k, 0] for k in range(ROUNDS)], axis=1)

    def check_covariance(self, noise: np.ndarray, expected: np.ndarray) -> None:
        """Every entry within five deviations of its estimate."""
        found = noise @ noise.T / noise.shape[1]
        spread = np.sqrt(np.outer(np.diag(expected), np.diag(expected)) + expected**2)
        self.assertLess(np.max(np.abs(found - expected) / spread) * noise.shape[1] ** 0.5, 5)

    def secret_pairs(self) -> set[tuple[int, int]]:
        """The edges of the digraph without their directions."""
        with tempfile.TemporaryDirectory() as folder:
            lines = unbalanced_digraph(Path(folder)).read_text().splitlines()
        edges = [tuple(sorted(map(int, line.split()))) for line in lines]
        return {(a, b) for a, b in edges}

    def test_pairs(self) -> None:
        """Sigma = own^2 I + pair^2 L, and no honest node is exposed more than the ledger says."""
        laplacian = np.zeros((NODES, NODES))
        for a, b in self.secret_pairs():
            laplacian[[a, b], [a, b]] += 1
            laplacian[[a, b], [b, a]] -= 1
        for colluders in (0, 1):
            with self.subTest(colluders=colluders):
                run = self.check("decor", f"--hyper=colluders={colluders}")
                own, pair = (self.summary(run, f"noise_{kind}") for kind in ("own", "pair"))
                sigma = own**2 * np.eye(NODES) + pair**2 * laplacian
                self.check_covariance(self.noise_over_nodes(run), sigma)
                self.assertLessEqual(self.worst(laplacian, own, pair, colluders), 1)
                self.assertGreater(self.worst(laplacian, own, pair, colluders), 1 - 1e-6)
                self.assertGreater(self.summary(run, "epsilon_without_secrets"), EPSILON)

    def test_leaks(self) -> None:
        """Each node is certified for the covariance that is left without the pairs that leak.

        Without leaks, some nodes of the irregular graph are exposed less than the plan says.
        """
        pairs = self.secret_pairs()
        for leaked in (set(), {2}, {0, 2}):
            with self.subTest(leaked=leaked):
                nodes = ",".join(map(str, sorted(leaked)))
                leak = [f"--fail=node {{{nodes}}} leaks at 20ms"] if leaked else []
                run = self.check(
                    "decor", f"--hyper=colluders={min(len(leaked), 1)}",
                    "--accountant=gdp", "--sampler=full", *leak, limit=False,
                )  # fmt: skip
                own, pair = (self.summary(run, f"noise_{kind}") for kind in ("own", "pair"))
                sigma = own**2 * np.eye(NODES)
                for a, b in pairs:
                    if not {a, b} & leaked:
                        sigma[np.ix_([a, b], [a, b])] += pair**2 * np.array([[1, -1], [-1, 1]])
                multiplier = run.deviation.max() / CLIP
                mu = np.sqrt(ROUNDS * np.linalg.inv(sigma).diagonal()) / multiplier
                least = 1.0
                query = "SELECT as_sent, certified, reason FROM guarantee_by_node ORDER BY node"
                for i, (sent, certified, reason) in enumerate(run.trace.execute(query)):
                    self.assertAlmostEqual(gaussian_delta(sent, mu[i]), DELTA, delta=1e-3 * DELTA)
                    stands = certified >= sent and reason is None
                    self.assertTrue(stands if len(leaked) < 2 else np.isinf(certified))
                    least = min(sent / certified, least)
                self.assertLess(least, 0.9)

    def worst(self, laplacian: np.ndarray, own: float, pair: float, colluders: int) -> float:
        """Largest diagonal entry of the inverse, over all single colluders if there are any."""
        worst = 0.0
        for gone in range(NODES) if colluders else [None]:
            left = laplacian.copy()
            honest = [i for i in range(NODES) if i != gone]
            if gone is not None:
                left[honest, honest] += laplacian[honest, gone]
            sigma = own**2 * np.eye(len(honest)) + pair**2 * left[np.ix_(honest, honest)]
            worst = max(worst, np.linalg.inv(sigma).diagonal().max())
        return worst

    def test_best_covariance(self) -> None:
        """(Sigma^-1)_ii is 1 at all nodes for the covariance that was drawn."""
        run = self.check("corn")
        noise = self.noise_over_nodes(run)
        found = noise @ noise.T / noise.shape[1]
        error = 5 * (2 / noise.shape[1]) ** 0.5
        np.testing.assert_allclose(np.linalg.inv(found).diagonal(), 1, rtol=error)

    def test_lambda(self) -> None:
        """C times the noise is white; the ledger's steps add up to |C 1| / s."""
        run = self.check("lambda-cgd", "--hyper=lambda=0.8")
        steps = np.arange(ROUNDS)
        matrix = np.tril(0.8 ** np.abs(steps[:, None] - steps))
        self.check_rounds(run, matrix, matrix.sum(axis=1))
        self.assertEqual(set(run.trace.execute("SELECT sampler, rate FROM release")), {("full", 1)})

    def test_bands(self) -> None:
        """The same for bands, whose columns say what one participation costs."""
        sampling = ("--sampler=poisson", "--batchSize=8")
        run = self.check("bandmf", "--hyper=bands=3", *sampling, replays=False)
        steps = np.arange(ROUNDS)
        age = steps[:, None] - steps
        column = np.array([1, 1 / 2, 3 / 8])
        matrix = np.where((age >= 0) & (age < 3), column[np.clip(age, 0, 2)], 0)
        self.check_rounds(run, matrix, np.linalg.norm(matrix, axis=0))
        found = set(run.trace.execute("SELECT sampler, rate FROM release"))
        self.assertEqual(found, {("cyclic-poisson", 0.6)})

    def test_fitted_bands(self) -> None:
        """The noise that was drawn has a banded Toeplitz C whose columns have norm 1, like s."""
        sampling = ("--sampler=poisson", "--batchSize=8")
        run = self.check("mafalda", "--hyper=bands=3", *sampling, replays=False)
        noise = np.stack([run.noise(k) / run.deviation[k, 0] for k in range(ROUNDS)])
        noise = noise.reshape(ROUNDS, -1)
        matrix = np.linalg.inv(np.linalg.cholesky(noise @ noise.T / noise.shape[1]))
        error = 6 / noise.shape[1] ** 0.5
        np.testing.assert_allclose(np.tril(matrix, -3), 0, atol=error)
        for band in range(3):
            diagonal = np.diag(matrix, -band)
            np.testing.assert_allclose(diagonal, diagonal.mean(), atol=error)
        norms = np.linalg.norm(matrix, axis=0)[: ROUNDS - 2]
        np.testing.assert_allclose(norms, 1, atol=error)

    def check_rounds(self, run: Run, matrix: np.ndarray, cost: np.ndarray) -> None:
        """The noise of a node over rounds is s C^-1 Z; a release costs C cost_t / s."""
        scale = run.deviation * cost[:, None]
        np.testing.assert_allclose(scale, scale[0, 0], rtol=1e-12)
        noise = np.stack([run.noise(k) for k in range(ROUNDS)]) / scale[0, 0]
        white = np.tensordot(matrix, noise, axes=1).reshape(ROUNDS, -1)
        self.check_covariance(white, np.eye(ROUNDS))


if __name__ == "__main__":
    main()
