#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes what an observer of a run learned with NumPy, and compares it with `dpdl-observe`.

Independent of dpdl's code in every step: x = w z with a float for w, the projector by the
pseudo-inverse of all rows at once, epsilon by bisection on the Gaussian's exact delta.
"""

import json
import math
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

import numpy as np

OBSERVE = sys.argv.pop(2)
LEARN = sys.argv.pop(1)
NODES, ROUNDS = 6, 14
COMMON = [
    f"--nodes={NODES}",
    f"--rounds={ROUNDS}",
    "--samples=240",
    "--testSamples=50",
    "--batchSize=10",
    "--model=softmax-regression",
    "--epsilon=3",
    "--accountant=rdp",  # the quickest
    "--evaluateEvery=0",
    "--progress=none",
]


def states(trace: sqlite3.Connection) -> tuple[dict, dict]:
    """Rows of x over the inputs scaled to unit noise: sent by (round, node), and at the end."""
    settings = dict(trace.execute("SELECT name, value FROM settings"))
    scale, gamma = settings["stepScale"], float(settings.get("gossipMomentum", 1))
    noise = {(k, i): s for k, i, s in trace.execute("SELECT round, node, noise FROM release")}
    given, used = {}, {}
    query = "SELECT round, source, target, weight, used_in_round, fate FROM delivery"
    for k, source, target, weight, used_in, fate in trace.execute(query):
        given[k, source] = given.get((k, source), 0.0) + weight
        if used_in is not None:
            to = source if fate == "refunded" else target
            used.setdefault((used_in, to), []).append((k, source, weight))
    x, w = np.zeros((NODES, NODES * ROUNDS)), np.ones(NODES)
    sent, mass = {}, {}
    for k in range(ROUNDS):
        for i in range(NODES):
            row = x[i].copy()
            row[k * NODES + i] += noise.get((k, i), 0.0) * (w[i] if scale == "by-weight" else 1.0)
            sent[k, i], mass[k, i] = row, w[i]
        for i in range(NODES):
            kept = 1 - given.get((k, i), 0.0)
            x[i], w[i] = kept * sent[k, i], kept * mass[k, i]
            for sent_in, source, weight in used.get((k, i), []):
                x[i] += weight * sent[sent_in, source]
                w[i] += weight * mass[sent_in, source]
            if gamma != 1 and (k, i) not in noise:
                x[i] = gamma * x[i] + (1 - gamma) * sent[k - 1, i]
    return sent, {i: x[i] for i in range(NODES)}


def sums(trace: sqlite3.Connection, sent: dict, own: set[int]) -> list:
    """What running sums tell: of each message that arrived, all that its link was given so far."""
    rows, given = [], {}
    query = "SELECT round, source, target, weight, fate FROM delivery WHERE fate != 'duplicate'"
    for k, source, target, weight, fate in trace.execute(query + " ORDER BY round"):
        link = source, target
        given[link] = given.get(link, 0.0) + weight * sent[k, source]
        if target in own and fate not in ("lost", "refunded"):
            rows.append(given[link])
    return rows


def epsilon_of(mu: float, delta: float) -> float:
    """Smallest epsilon of mu-GDP at delta."""

    def phi(value: float) -> float:
        return 0.5 * math.erfc(-value / math.sqrt(2))

    low, high = 0.0, mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta)) + 1
    for _ in range(200):
        middle = (low + high) / 2
        exact = phi(-middle / mu + mu / 2) - math.exp(middle) * phi(-middle / mu - mu / 2)
        low, high = (middle, high) if exact > delta else (low, middle)
    return high


def knowledge(trace: sqlite3.Connection, rows: list, own: set[int],
              smallest: float = 1e-11) -> dict[int, dict]:
    """What the rows reveal of each node that is not an observer. Smaller singular values, relative
    to the largest, count as zero."""
    known = np.array([i in own for _ in range(ROUNDS) for i in range(NODES)])
    matrix = np.array(rows)
    matrix[:, known] = 0.0
    matrix = matrix[matrix.any(axis=1)]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    projector = np.linalg.pinv(matrix, rcond=smallest) @ matrix
    mu = {
        (k, i): c / s
        for k, i, c, s in trace.execute("SELECT round, node, sensitivity, noise FROM release")
    }
    answers = {}
    for target in set(range(NODES)) - own:
        steps = [k for k in range(ROUNDS) if (k, target) in mu]
        columns = [k * NODES + target for k in steps]
        block = projector[np.ix_(columns, columns)]
        a = np.array([mu[k, target] for k in steps])
        bound = min(a @ np.abs(block) @ a, np.linalg.eigvalsh(block).max() * (a @ a))
        answers[target] = {
            "mu": math.sqrt(bound),
            "mean_step": float(np.trace(block)) / len(steps),
            "worst_step": float(block.diagonal().max()),
            "mu_single_participation": math.sqrt((block.diagonal() * a * a).max()),
        }
    return answers


class ObserverReplayTest(unittest.TestCase):
    """Each test is one kind of run, seen by several observers."""

    def check(self, *options: str, algorithm: str = "dyn-d2p") -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.db"
            subprocess.run(
                [LEARN, *COMMON, f"--algorithm={algorithm}", f"--trace={path}", *options],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            trace = self.enterContext(closing(sqlite3.connect(path)))
            sent, final = states(trace)
            messages = trace.execute(
                "SELECT round, source, target, fate, used_in_round FROM delivery"
            ).fetchall()
            for spec, own in (("node:2", {2}), ("nodes:0,4", {0, 4})):
                seen = {
                    (k, i)
                    for k, i, j, fate, used in messages
                    if j in own and (fate != "lost" or used is not None)
                }
                rows = [sent[key] for key in sorted(seen)]
                if "--lossPolicy=running-sum" in options:
                    rows = sums(trace, sent, own)
                self.compare(path, spec, knowledge(trace, rows, own))
            link = [sent[k, i] for k, i, j, _, _ in messages if (i, j) == (1, 2)]
            self.compare(path, "link:1->2", knowledge(trace, link, set()))
            self.compare(path, "final", knowledge(trace, list(final.values()), set()))
            trace.close()

    def compare(self, path: Path, observer: str, expected: dict[int, dict]) -> None:
        command = [OBSERVE, str(path), f"--observer={observer}", "--json", "--delta=1e-6"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        self.assertFalse(answer["certified"])
        self.assertEqual({row["victim"] for row in answer["victims"]}, set(expected))
        for row in answer["victims"]:
            own = expected[row["victim"]]
            for name, value in own.items():
                self.assertAlmostEqual(row[name], value, delta=1e-6 * max(1e-3, value), msg=name)
            self.assertLessEqual(row["certificate"]["epsilon"], row["epsilon_local"])
            epsilon = epsilon_of(own["mu"], 1e-6)
            self.assertAlmostEqual(row["epsilon_what_if"], epsilon, delta=1e-5 * epsilon)

    def test_ring(self) -> None:
        self.check("--topology=ring")

    def test_lossy_by_weight(self) -> None:
        self.check("--topology=ring", "--drop=0.2")

    def test_lossy_plain(self) -> None:
        self.check(
            "--topology=out-degree:3", "--drop=0.1", "--stepScale=plain", "--stepSize=0.002"
        )

    def test_running_sum(self) -> None:
        self.check("--topology=exponential", "--drop=0.2", "--lossPolicy=running-sum")

    def test_one_input(self) -> None:
        for policy in ("none", "running-sum"):
            options = ("--topology=undirected-ring", "--drop=0.3", f"--lossPolicy={policy}")
            self.check(*options, algorithm="muffliato")

    def test_accelerated_gossip(self) -> None:
        for phase in (0, 5):
            options = ("--topology=undirected-ring", f"--hyper=phase={phase}")
            self.check(*options, algorithm="muffliato")


if __name__ == "__main__":
    unittest.main()
