#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The baselines against a second path, with the noise on."""

import tempfile
from typing import Any

import numpy as np
from replays.data import images, labels
from replays.models import clip_vector, clipped_sum, sum_of_squares, tensor_clipped_sum
from replays.runs import NODES, ROUNDS, TOLERANCE, ReplayCase, Run, main, ring, unbalanced_digraph
from replays.steps import gradient_push, noisy_means

CLIP, STEP = 0.5, 0.05
PROGRESS = np.arange(ROUNDS) / ROUNDS


class BaselineTest(ReplayCase):
    """Each on an unbalanced digraph with lossy links."""

    always = (f"--stepSize={STEP}",)

    def run_noisy(self, algorithm: str, *options: str, **how: Any) -> Run:
        """A run of the algorithm with a clip bound."""
        return self.run_learn(f"--algorithm={algorithm}", f"--clip={CLIP}", *options, **how)

    def check_releases(self, run: Run, clips: np.ndarray, shape: np.ndarray) -> None:
        """Sensitivity and noise follow the schedule, up to the calibrated first multiplier."""
        self.check_schedule(run, clips, run.deviation[0, 0] / shape[0] * shape)

    def test_mapa(self) -> None:
        """Stages of equal length; clip bound, step and noise are halved from one to the next."""
        for stages in (4, 3):
            with self.subTest(stages=stages):
                run = self.run_noisy("mapa", f"--hyper=stages={stages}")
                halves = 0.5 ** np.floor(stages * PROGRESS + 1e-12)
                self.check_releases(run, CLIP * halves, halves)
                self.compare(run, gradient_push(run, CLIP * halves, STEP * halves))

    def test_a_dp2_sgd(self) -> None:
        """z <- P z - gamma g: the gradient is that of the model before the average."""
        for graph in (unbalanced_digraph, None):
            options = [] if graph else ["--topology=pairwise", "--drop=0.1"]
            with self.subTest(options=options):
                run = self.run_noisy("a-dp2-sgd", *options, graph=graph)
                clips = np.full(ROUNDS, CLIP)
                self.check_releases(run, clips, np.ones(ROUNDS))
                self.compare(run, gradient_push(run, clips, send_first=True))

    def test_ppsgd(self) -> None:
        """The first layer is shared, the others are personal, without clip and noise."""
        own, alpha, layer = slice(7850, None), 2.0, 7850
        run = self.run_noisy("ppsgd", f"--hyper=sharedLayers=1,alpha={alpha}", model="mlp-1")

        def step(k: int, z: np.ndarray) -> np.ndarray:
            means = [clipped_sum(run.factors(i, z[i]), np.inf) for i in range(NODES)]
            update = np.stack(means) / run.examples.per_node
            for row in update:
                row[:layer] = clip_vector(row[:layer], CLIP)
            update += run.noise(k)
            update[:, own] /= alpha
            return STEP * update

        self.compare(run, run.push(step, shared=layer))

    def test_fed_cdp(self) -> None:
        """Local steps between two mixings; the two tensors are clipped each on its own."""
        run = self.run_noisy("fed-cdp", "--hyper=iterations=3")
        self.check_releases(run, np.full(ROUNDS, CLIP), np.ones(ROUNDS))

        def step(k: int, z: np.ndarray) -> np.ndarray:
            y = z.copy()
            for iteration in range(3):
                sums = [tensor_clipped_sum(run.factors(i, y[i]), CLIP) for i in range(NODES)]
                y -= STEP * (np.stack(sums) + run.noise(k, iteration)) / run.examples.per_node
            return z - y

        self.compare(run, run.push(step))

    def test_dfedsam(self) -> None:
        """Local steps, each with a gradient from uphill along the noisy one before it."""
        radius = 0.2
        run = self.run_noisy("dfedsam", f"--hyper=iterations=3,radius={radius}")
        self.check_releases(run, np.full(ROUNDS, CLIP), np.ones(ROUNDS))
        last = np.zeros_like(run.start)

        def step(k: int, z: np.ndarray) -> np.ndarray:
            y = z.copy()
            for iteration in range(3):
                norms = np.linalg.norm(last, axis=1, keepdims=True)
                uphill = y + radius * last / np.maximum(norms, 1e-300)
                sums = [clipped_sum(run.factors(i, uphill[i]), CLIP) for i in range(NODES)]
                last[:] = np.stack(sums) + run.noise(k, iteration)
                y -= STEP * last / run.examples.per_node
            return z - y

        self.compare(run, run.push(step))

    def test_fed_dpa(self) -> None:
        """What Fisher information marks stays personal; the whole update is clipped and noised."""
        run = self.run_noisy("fed-dpa", "--hyper=threshold=0.22,lambda1=0.3,lambda2=0.2,passes=3")
        y, personal = np.zeros_like(run.start), np.zeros(run.start.shape, bool)
        tensors = (slice(0, 7840), slice(7840, 7850))

        def learn(i: int, z: np.ndarray) -> None:
            y[i] = np.where(personal[i], y[i], z)
            for _ in range(3):
                away = [np.linalg.norm((y[i] - z)[tensor]) for tensor in tensors]
                others = 0.2 * np.sign(sum(away) - STEP * CLIP)
                pull = np.where(personal[i], 0.3, others) / 2 * (y[i] - z)
                for tensor, norm in zip(tensors, away):
                    pull[tensor] /= max(norm, 1e-300)
                gradient = clipped_sum(run.factors(i, y[i]), np.inf) / run.examples.per_node
                y[i] -= STEP * (gradient + pull)
            fisher = sum_of_squares(run.factors(i, y[i]))
            for tensor in tensors:
                low, high = fisher[tensor].min(), fisher[tensor].max()
                personal[i][tensor] = (fisher[tensor] - low) / (high - low) > 0.22

        def step(k: int, z: np.ndarray) -> np.ndarray:
            for i in range(NODES):
                learn(i, z[i])
            updates = [clip_vector((z[i] - y[i]) / STEP, CLIP) for i in range(NODES)]
            return STEP * (np.stack(updates) + run.noise(k))

        self.compare(run, run.push(step))
        self.assertTrue(0 < personal.mean() < 1)

    def test_muffliato(self) -> None:
        """A step in the first round of each phase, gossip alone in the others."""
        run = self.run_noisy("muffliato", "--hyper=phase=2", graph=ring)
        self.compare(run, run.push(lambda k, z: (k % 2 == 0) * STEP * noisy_means(run, k, z, CLIP)))

    def test_accelerated_muffliato(self) -> None:
        """Algorithm 1 of the paper: x <- gamma W x + (1 - gamma) x of before, on symmetric W."""
        cycle = (np.eye(NODES) + np.roll(np.eye(NODES), 1, 0) + np.roll(np.eye(NODES), -1, 0)) / 3
        for topology, mixing in (("undirected-ring", cycle),
                                 ("complete", np.full((NODES, NODES), 1 / NODES))):
            options = ("--hyper=phase=10", f"--topology={topology}")
            run = self.run_noisy("muffliato", *options, graph=None, drop=0.0)
            gap = np.sort(np.linalg.eigvalsh(np.eye(NODES) - mixing))[1]
            gamma = 2 * (1 - np.sqrt(gap * (1 - gap / 4))) / (1 - gap / 2) ** 2
            self.assertAlmostEqual(run.number("gossipMomentum"), gamma, delta=1e-12)
            z = run.start
            states = [(np.ones(NODES), z)]
            for k in range(ROUNDS):
                if k % 10 == 0:
                    z = z - STEP * noisy_means(run, k, z, CLIP)
                    last, z = z, mixing @ z
                else:
                    last, z = z, gamma * mixing @ z + (1 - gamma) * last
                states.append((np.ones(NODES), z))
            self.compare(run, states)

    def test_fedavg_of_unequal_nodes(self) -> None:
        """Nodes weigh n_k / n, or min(n_k, cap) over the sum; with privacy alike."""
        sizes = np.array([13, 20, 27, 34, 41, 46, 49, 53, 57, 60])
        ends = np.cumsum(sizes)
        for algorithm, hyper, weights in (("fedavg", "", sizes),
                                          ("fedavg", "--hyper=cap=30", np.minimum(sizes, 30)),
                                          ("dp-fedavg", "", np.ones(NODES)),
                                          ("dp-fedavg", "--hyper=cap=0", sizes)):
            with self.subTest(algorithm, hyper=hyper), tempfile.TemporaryDirectory() as folder:
                owners = np.repeat(np.arange(NODES), sizes)
                pixels = images("train", len(owners)).astype(np.float32) / np.float32(255)
                data = f"{folder}/data.npz"
                np.savez(data, x_train=pixels, y_train=labels("train", len(owners)).astype("<i4"),
                         x_test=pixels[:50], y_test=labels("train", 50).astype("<i4"),
                         node_train=owners.astype("<i4"))
                clip = CLIP if algorithm == "dp-fedavg" else np.inf
                noisy = [f"--clip={CLIP}"] if clip < np.inf else []
                run = self.run_learn(f"--algorithm={algorithm}", *noisy,
                                     f"--dataset=file:{data}", "--partition=given",
                                     *filter(None, [hyper]), graph=None, drop=0.0)
                run.examples.images = np.split(pixels.astype(float), ends[:-1])
                run.examples.labels = np.split(labels("train", len(owners)), ends[:-1])
                parts, z = weights / weights.sum(), run.start[0]
                for k in range(0, ROUNDS, 2):
                    sums = [clipped_sum(run.factors(i, z), clip) for i in range(NODES)]
                    updates = (np.stack(sums) + run.noise(k)) / sizes[:, None]
                    z = z - STEP * parts @ updates
                    for i in range(NODES):
                        weight, state = run.states[k + 2, i]
                        self.assertAlmostEqual(weight, NODES * parts[i], delta=1e-9)
                        error = np.abs(state - z).max() / np.abs(z).max()
                        self.assertLess(error, TOLERANCE, f"round {k} node {i}")

    def test_fedavg(self) -> None:
        """Two steps of each client in the first round of a phase, then the mean over all nodes."""
        for algorithm, clip, clients in (("fedavg", np.inf, 1), ("dp-fedavg", CLIP, 1),
                                         ("dp-fedavg", CLIP, 0.5)):
            with self.subTest(algorithm, clients=clients):
                options = [f"--algorithm={algorithm}", f"--hyper=iterations=2,clients={clients}"]
                if algorithm == "dp-fedavg":
                    options += [f"--clip={CLIP}"]
                run = self.run_learn(*options, graph=None, drop=0.0)
                drawn = "SELECT DISTINCT round, node FROM round_by_node WHERE batch > 0"
                learnt = set(run.trace.execute(drawn))
                states = np.repeat(run.start[:1], NODES, axis=0)
                for k in range(0, ROUNDS, 2):
                    for i in (i for i in range(NODES) if (k, i) in learnt):
                        for j in range(2):
                            gradient = clipped_sum(run.factors(i, states[i]), clip)
                            noisy_sum = gradient + run.noise(k, j)[i]
                            states[i] -= STEP * noisy_sum / run.examples.per_node
                    states[:] = states.mean(axis=0)
                    error = np.abs(run.states[k + 2, 0][1] - states[0]).max() / np.abs(states).max()
                    self.assertLess(error, TOLERANCE, f"round {k}")
                self.assertEqual({k % 2 for k, _ in learnt}, {0})
                self.assertEqual(len(learnt) == ROUNDS // 2 * NODES, clients == 1)

    def test_dp_fedavg_of_whole_updates(self) -> None:
        """The mean of what two steps of each node do, clipped as a whole, and of their noises."""
        for trusted in (0, 1):
            with self.subTest(trusted=trusted):
                hyper = f"--hyper=clipUpdate=1,iterations=2,trusted={trusted}"
                run = self.run_noisy("dp-fedavg", hyper, "--unit=node", graph=None, drop=0.0)
                z, scale = run.start[0], max(np.abs(z).max() for _, z in run.states.values())
                sums = []
                for k in range(0, ROUNDS, 2):
                    updates = []
                    for i in range(NODES):
                        y = z.copy()
                        for _ in range(2):
                            gradient = clipped_sum(run.factors(i, y), np.inf)
                            y -= STEP * gradient / run.examples.per_node
                        updates.append(clip_vector((z - y) / STEP, CLIP))
                    noise = run.noise(k)
                    sums.append(noise.sum(axis=0) / run.deviation[k, 0])
                    z = z - STEP * (np.mean(updates, axis=0) + noise.mean(axis=0))
                    for i in range(NODES):
                        error = np.abs(run.states[k + 2, i][1] - z).max() / scale
                        self.assertLess(error, TOLERANCE, f"round {k} node {i}")
                # What the ledger calls noise is that of one node, or of all nodes' sum.
                expected = 1.0 if trusted else NODES**0.5
                self.assertAlmostEqual(np.std(sums) / expected, 1.0, delta=0.02)

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
