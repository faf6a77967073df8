#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sums of several nodes' noises that float32 does not show.

One weight W, whose last place is as large as what the least noise of a node's step changes it by.
Each node's state is then W, give or take some units in the last place: what an attack on the sum
reads from it is more than epsilon says of the sum in real numbers.
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
BATCH, CLIP = 4, 2.0
DOES_NOT_SURVIVE = "survive float32"


def steps(weight: float, per_unit: float = 0.5) -> float:
    """The step size with which a clipped gradient moves the weight by so many last places."""
    return per_unit * float(np.spacing(np.float32(weight))) / CLIP * BATCH


class FloatRoundingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def learn(self, weight: float, nodes: int, epsilon: float, *options: str) -> sqlite3.Connection:
        """Every node has examples that push the weight up, and some that do nothing."""
        layers = [{"kind": "linear", "out": 1, "name": "lin"}]
        net = {"format": "dpdl-net-1", "input": [1], "layers": layers}
        (self.folder / "net.json").write_text(json.dumps(net))
        start = {"lin.weight": [[weight]], "lin.bias": [0]}
        arrays = {name: np.array(values, np.float32) for name, values in start.items()}
        np.savez(self.folder / "net.npz", **arrays)
        x = np.tile(np.array([[1000], [1000], [0], [0]], np.float32), (nodes, 1))
        np.savez(
            self.folder / "data.npz",
            x_train=x,
            y_train=2 * np.float32(weight) * x,
            x_test=x[:4],
            y_test=x[:4],
            node_train=np.repeat(np.arange(nodes), 4),
        )
        command = [
            *(LEARN, f"--dataset=file:{self.folder}/data.npz", "--partition=given"),
            *(f"--model=file:{self.folder}/net.json", f"--nodes={nodes}", f"--batchSize={BATCH}"),
            *(f"--clip={CLIP}", f"--epsilon={epsilon}", "--delta=1e-5", "--adjacency=replace"),
            *("--network=ideal", "--evaluateEvery=0", "--progress=none", "--overwrite"),
            *(f"--trace={self.folder}/run.db", *options),
        ]
        subprocess.run(command, check=True, capture_output=True)
        return self.enterContext(closing(sqlite3.connect(self.folder / "run.db")))

    def guarantees(self, trace: sqlite3.Connection) -> tuple[float, str]:
        rows = "SELECT max(certified), max(coalesce(reason, '')) FROM guarantee_by_node"
        return trace.execute(rows).fetchone()

    def trusted(self, weight: float, step: float) -> tuple[float, str]:
        options = ("--algorithm=dp-fedavg", "--hyper=trusted=1", "--rounds=2")
        return self.guarantees(self.learn(weight, 256, 3.0, *options, f"--stepSize={step}"))

    def test_a_trusted_servers_nodes_round_before_the_sum(self) -> None:
        """Certified with 3.0 where a test on the server's sums told more than 13."""
        epsilon, reason = self.trusted(98304.0, steps(98304.0))
        self.assertEqual(epsilon, math.inf)
        self.assertIn(DOES_NOT_SURVIVE, reason)
        # The same data and noise beside values that float32 holds with enough digits.
        epsilon, reason = self.trusted(0.5, 1.0)
        self.assertEqual(reason, "")
        self.assertLessEqual(epsilon, 3.0)
        self.assertGreater(epsilon, 2.9)

    def observed(self, weight: float, step: float) -> dict:
        options = ("--algorithm=muffliato", "--topology=hypercube", "--rounds=9")
        self.learn(weight, 512, 100.0, *options, f"--stepSize={step}")
        command = [OBSERVE, f"{self.folder}/run.db", "--observer=node:256", "--json"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return next(row["certificate"] for row in answer["victims"] if row["victim"] == 0)

    def test_a_linear_map_of_one_input_is_rounded_at_every_hop(self) -> None:
        """Certified less than 3 where a test on what was heard told more than 12."""
        certificate = self.observed(65536.0, steps(65536.0))
        self.assertEqual(certificate["statement"], "all-states")
        self.assertIn(DOES_NOT_SURVIVE, certificate["why"])
        self.assertGreater(certificate["epsilon"], 12.0)
        exact = self.observed(0.5, 1.0)
        self.assertEqual(exact["statement"], "one-input")
        self.assertLess(exact["epsilon"], 3.0)


if __name__ == "__main__":
    unittest.main()
