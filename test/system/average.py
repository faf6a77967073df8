#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Evaluations of averaged models, beside NumPy's mean of the snapshots; and what stays the same.

usage: average.py LEARN [unittest arguments]
"""

import sqlite3
import sys
import unittest
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import numpy as np
from program_case import ProgramCase
from replays.data import CLASSES, PIXELS, images, labels
from replays.models import layers_of, with_one
from words import merged

LEARN = sys.argv.pop(1)
TESTS, ROUNDS, NODES = 400, 20, 5
COMMON = [
    *("--model=softmax-regression", f"--nodes={NODES}", f"--rounds={ROUNDS}", "--samples=1000"),
    *(f"--testSamples={TESTS}", "--batchSize=50", "--evaluateEvery=1", "--snapshotEvery=1"),
    *("--workers=1", "--progress=none", "--drop=0.1", "--epsilon=3", "--accountant=rdp"),
]
SAME = ("snapshot", "release", "delivery", "guarantee_by_node", "guarantee_by_round")
"""What a run has whether its models are averaged or not."""


@lru_cache
def inputs() -> np.ndarray:
    """The test images as softmax regression takes them."""
    return with_one(images("t10k", TESTS) / 255.0)


def score(z: np.ndarray) -> tuple[float, float]:
    """Accuracy and mean cross-entropy of softmax regression on the test images."""
    (layer,) = layers_of(z, [(CLASSES, PIXELS)])
    scores = inputs() @ layer.T
    truth = labels("t10k", TESTS)
    scores -= scores.max(axis=1, keepdims=True)
    losses = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(TESTS), truth]
    return float(np.mean(scores.argmax(axis=1) == truth)), float(losses.mean())


class AverageTest(ProgramCase):
    """Laws of option `average`."""

    def rows(self, *options: str) -> dict[str, list[tuple]]:
        """Runs `learn`; the rows of views by their names."""
        path = Path(self.folder) / "run.db"
        words = merged(*COMMON, f"--trace={path}", "--overwrite", *options)
        run = self.run_program(LEARN, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        views = (*SAME, "accuracy_by_node", "accuracy_by_round")
        with closing(sqlite3.connect(path)) as trace:
            return {view: trace.execute(f"SELECT * FROM {view}").fetchall() for view in views}

    def check(self, first: int, found: dict[str, list[tuple]]) -> None:
        """Each evaluation is of the mean of a node's snapshots since round `first`."""
        states = {(k, i): np.frombuffer(z, "<f4").astype(float)
                  for k, i, _, z in found["snapshot"]}
        means = {(k, i): np.mean([states[j, i] for j in range(min(k, first), k + 1)], axis=0)
                 for k, i in states}
        for k, i, accuracy, loss, _ in found["accuracy_by_node"]:
            # Before round `first` there is no mean yet.
            expected = score(means[k, i] if k >= first else states[k, i])
            self.assertAlmostEqual(accuracy, expected[0], delta=1.5 / TESTS, msg=f"{k} {i}")
            self.assertAlmostEqual(loss, expected[1], delta=1e-5 * (1 + expected[1]))
        k, _, mean, worst, of_mean, _, distance, _ = found["accuracy_by_round"][-1]
        own = [row[2] for row in found["accuracy_by_node"] if row[0] == k]
        self.assertEqual((k, len(own)), (ROUNDS, NODES))
        self.assertAlmostEqual(mean, np.mean(own))
        self.assertAlmostEqual(worst, min(own))
        last = np.array([means[k, i] for i in range(NODES)])
        self.assertAlmostEqual(of_mean, score(last.mean(axis=0))[0], delta=1.5 / TESTS)
        spread = np.sqrt(np.sum((last - last.mean(axis=0)) ** 2) / NODES)
        self.assertAlmostEqual(distance, spread, delta=1e-4 * spread)

    def test_evaluations_are_of_the_mean_and_nothing_else_changes(self) -> None:
        kinds = (["--algorithm=const-d2p"], ["--algorithm=isolated"], ["--algorithm=overlap-sgp"],
                 ["--algorithm=sgp", "--network=ideal", "--drop=0"])
        for options in kinds:
            with self.subTest(options=options):
                plain = self.rows(*options)
                for share, count in (("0.4", 8), ("1", 20), ("0.01", 1)):
                    found = self.rows(*options, f"--average={share}")
                    self.check(ROUNDS + 1 - count, found)
                    for view in SAME:
                        self.assertEqual(found[view], plain[view], f"{view} {share}")
                self.assertEqual(self.rows(*options, "--average=0"), plain)

    def test_a_node_that_loses_its_state_loses_its_mean(self) -> None:
        found = self.rows("--algorithm=const-d2p", "--average=1",
                          "--fail=node 2 crash at 150ms recover 250ms")
        states = {k: (w, np.frombuffer(z, "<f4").astype(float))
                  for k, i, w, z in found["snapshot"] if i == 2}
        back = max(k for k, (w, _) in states.items() if w == 0)
        self.assertTrue(0 < back < ROUNDS - 1)
        mean = np.mean([z for k, (_, z) in states.items() if k > back], axis=0)
        accuracy = [row[2] for row in found["accuracy_by_node"] if row[:2] == (ROUNDS, 2)]
        self.assertAlmostEqual(accuracy[0], score(mean)[0], delta=1.5 / TESTS)


if __name__ == "__main__":
    unittest.main()
