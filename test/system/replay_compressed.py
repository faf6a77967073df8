#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compressed messages against a second path, with the noise on and a tenth of messages lost.

Every round is computed anew from the snapshots before it. Rounding to a level, and being among the
largest, are comparisons. For few coordinates float32 and double may decide them differently. There
the sender's next state says which way it went, and the states of all receivers have to agree.
"""

from collections import defaultdict
from collections.abc import Callable

import numpy as np
from replays.compression import coins, compress
from replays.runs import NODES, ROUNDS, TOLERANCE, ReplayCase, Run, main
from replays.steps import noisy_means

CLIP, STEP = 1.0, 0.05
WHOLE = 52 + 4 * 7850
Key = tuple[int, int, int]  # round, source, target


class Messages:
    """What every message of a run stands for."""

    def __init__(self, run: Run, differences: bool) -> None:
        self.differences = differences
        self.how = run.settings["compress"]
        self.seed = (int(run.settings["seed"]), int(run.settings["run"]))
        self.read: dict[Key, np.ndarray] = {}
        self.other: dict[Key, np.ndarray] = {}
        self.copies: dict[tuple[int, int], Key] = {}

    def send(self, key: Key, z: np.ndarray, size: int) -> None:
        """The message of a round on a link, with as many bytes as the trace says."""
        rnd, source, target = key
        if size == WHOLE:
            self.read[key] = self.other[key] = z
        else:
            copy = self.copies.get((source, target)) if self.differences else None
            known = self.read[copy] if copy else np.zeros_like(z)
            u = coins(self.seed, source, rnd, len(z))
            both = compress(self.how, z - known, u, 2e-6 * np.abs(z).max())
            # Both ends keep float32: in double, copies would drift away over the rounds.
            self.read[key], self.other[key] = (
                (known + part).astype(np.float32).astype(float) for part in both
            )
        self.copies[source, target] = key

    def decide(self, keys: list[Key], found: Callable[[], np.ndarray]) -> int:
        """Lets the sender's next state say which way comparisons went, for messages that are alike.

        Takes a function that gives the distance of that state to what the messages make of it.
        """
        ties = np.flatnonzero(self.read[keys[0]] != self.other[keys[0]])
        before, after = self.read[keys[0]], self.other[keys[0]]
        if not len(ties):
            return 0
        distance = found()[ties]
        for key in keys:
            self.read[key] = after
        better = ties[found()[ties] < distance]
        decided = before.copy()
        decided[better] = after[better]
        for key in keys:
            self.read[key] = decided
        return len(ties)


class CompressedTest(ReplayCase):
    """On a lossy digraph whose in-degrees and out-degrees differ."""

    def run_private(self, algorithm: str, *options: str, drop: float = 0.1) -> Run:
        """A run with noise on full batches."""
        return self.run_learn(
            f"--algorithm={algorithm}", f"--clip={CLIP}", f"--stepSize={STEP}", "--epsilon=2",
            *options, drop=drop,
        )  # fmt: skip

    def check(self, algorithm: str, *options: str) -> Run:
        """Runs, and replays round by round."""
        run = self.run_private(algorithm, *options)
        sparse = not run.settings["compress"].startswith("quantize")
        messages = Messages(run, sparse or algorithm == "dp-csgp")
        sent, used = defaultdict(list), defaultdict(list)
        query = "SELECT round, source, target, weight, used_in_round, fate, bytes FROM delivery"
        for k, i, j, weight, used_in, fate, size in run.trace.execute(
            query + " WHERE fate <> 'duplicate' ORDER BY round"
        ):
            sent[k, i].append(((k, i, j), weight, size))
            if used_in is not None:
                back = run.settings["lossPolicy"] == "refund" and fate in ("refunded", "corrupt")
                used[used_in, i if back else j].append(((k, i, j), weight))
        scale = max(np.abs(z).max() for _, z in run.states.values())
        ties = 0

        def distance(k: int, i: int, z: np.ndarray) -> np.ndarray:
            """Of the state of node i after round k to the snapshot."""
            w = run.states[k, i][0]
            parts = [(key, -weight * w) for key, weight, _ in sent[k, i]]
            parts += [(key, weight * run.states[key[:2]][0]) for key, weight in used[k, i]]
            mass = w + sum(part for _, part in parts)
            self.assertAlmostEqual(run.states[k + 1, i][0], mass, delta=1e-9 * mass)
            x = w * z + sum(part * messages.read[key] for key, part in parts)
            return np.abs(run.states[k + 1, i][1] - x / mass) / scale

        for k in range(ROUNDS):
            z = np.stack([run.states[k, i][1] for i in range(NODES)])
            z = z - STEP * noisy_means(run, k, z, CLIP)
            for i in range(NODES):
                for key, _, size in sent[k, i]:
                    messages.send(key, z[i], size)
            for i in range(NODES):
                alike = defaultdict(list)
                for key, _, _ in sent[k, i]:
                    alike[messages.read[key].tobytes()].append(key)
                for keys in alike.values():
                    ties += messages.decide(keys, lambda k=k, i=i: distance(k, i, z[i]))
            for i in range(NODES):
                error = distance(k, i, z[i]).max()
                self.assertLess(error, TOLERANCE, f"round {k} node {i}")
        self.assertLess(ties, 0.001 * 7850 * len(messages.read))
        return run

    def test_models(self) -> None:
        """Quantized models, whatever becomes of lost ones."""
        for policy in ("none", "refund", "running-sum"):
            with self.subTest(policy=policy):
                self.check("const-d2p", "--compress=quantize:4", f"--lossPolicy={policy}")

    def test_differences(self) -> None:
        """Differences to the last message of a link, and whole models after a loss."""
        for options in (
            ("dp-csgp",),
            ("dp-csgp", "--compress=quantize:4", "--hyper=mixingRate=0.5"),
            ("dp-csgp", "--compress=top-k:0.1"),
            ("const-d2p", "--compress=random-k:0.2"),
        ):
            with self.subTest(options=options):
                run = self.check(*options, "--lossPolicy=refund")
                sizes = run.trace.execute("SELECT bytes, count(*) FROM delivery GROUP BY bytes")
                sizes = dict(sizes.fetchall())
                self.assertEqual(len(sizes), 2)
                self.assertGreater(sizes[WHOLE], 20)
                self.assertGreater(sizes[min(sizes)], 2 * sizes[WHOLE])

    def test_differences_that_overtake(self) -> None:
        """A difference waits for a message that comes late, since it was sent again."""
        options = ("--algorithm=dp-csgp", "--clip=1", "--topology=exponential", "--dataRate=1Mbps")
        lossless, lossy = (
            self.run_learn(
                *options, f"--drop={drop}", "--lossPolicy=reliable", graph=None, drop=0.0
            )
            for drop in (0.0, 0.2)
        )
        overtaken = """SELECT count(*) FROM delivery AS late JOIN delivery AS next
                       USING (source, target)
                       WHERE next.round > late.round AND next.sent_at < late.arrived_at"""
        self.assertGreater(lossy.trace.execute(overtaken).fetchone()[0], 0)
        self.assertEqual(set(lossy.fates), {"delivered"})
        for key, (w, z) in lossless.states.items():
            self.assertEqual(lossy.states[key][0], w)
            np.testing.assert_array_equal(lossy.states[key][1], z)

    def test_without_compression_it_is_const_d2p(self) -> None:
        """dp-csgp sends what const-d2p does if nothing is compressed and rho is 1."""
        options = ("--compress=none", "--lossPolicy=refund")
        run = self.run_private("dp-csgp", *options, "--hyper=mixingRate=1")
        plain = self.run_private("const-d2p", *options)
        for key, (w, z) in run.states.items():
            self.assertAlmostEqual(w, plain.states[key][0], delta=1e-12)
            self.assertLess(np.abs(z - plain.states[key][1]).max(), 1e-6)

    def test_the_certificate_is_that_of_the_run_without(self) -> None:
        """Releases and guarantees do not change: what is sent is made of what was released.

        A row of `guarantee_by_round` has what is claimed when all nodes have closed the round, and
        smaller messages let nodes wait less for each other: only the last one is the same.
        """
        tables = (
            'SELECT * FROM "release" ORDER BY round, node',
            "SELECT * FROM guarantee_by_node ORDER BY node",
            "SELECT * FROM guarantee_by_round ORDER BY round DESC LIMIT 1",
        )
        plain = self.run_private("const-d2p", "--lossPolicy=refund")
        rows = [plain.trace.execute(table).fetchall() for table in tables]
        self.assertEqual(len(rows[0]), NODES * ROUNDS)
        for how in ("quantize:3", "top-k:0.1", "random-k:0.1"):
            run = self.run_private("const-d2p", f"--compress={how}", "--lossPolicy=refund")
            self.assertEqual([run.trace.execute(table).fetchall() for table in tables], rows)


if __name__ == "__main__":
    main()
