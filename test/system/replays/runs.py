# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run of `learn` and what a replay may read of its trace."""

import sqlite3
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from words import merged

from .data import Examples
from .models import MODELS, Factors

NODES, EXAMPLES, ROUNDS = 10, 400, 30
TOLERANCE = 2e-5
COMMON = [
    f"--nodes={NODES}",
    f"--samples={EXAMPLES}",
    f"--rounds={ROUNDS}",
    "--testSamples=50",
    "--sampler=full",
    "--partition=contiguous",
    "--evaluateEvery=0",
    "--snapshotEvery=1",
    "--traceLevel=noise",
    "--progress=none",
]

# What is subtracted from the states: takes (round, states [NODES, d]), gives updates [NODES, d].
Step = Callable[[int, np.ndarray], np.ndarray]
# By (round, node), the mean w and z.
States = dict[tuple[int, int], tuple[float, np.ndarray]]
# Writes an edge-list file into a folder.
Graph = Callable[[Path], Path]


def edge_list(folder: Path, rows: Iterable[tuple[int, ...]]) -> Path:
    """A file with a row for each edge."""
    path = folder / "edges.txt"
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return path


def alone(folder: Path) -> Path:
    """An edge-list file in which the last two nodes neither send nor receive."""
    return edge_list(folder, ((i, (i + 1) % (NODES - 2)) for i in range(NODES - 2)))


def ring(folder: Path) -> Path:
    """A directed ring as an edge-list file: without loss its mixing is doubly stochastic."""
    return edge_list(folder, ((i, (i + 1) % NODES) for i in range(NODES)))


def unbalanced_digraph(folder: Path) -> Path:
    """An edge-list file: strongly connected, in-degrees and out-degrees differ."""
    arcs = {(i, (i + 1) % NODES) for i in range(NODES)}
    arcs |= {(0, j) for j in range(2, NODES, 2)} | {(3, 7), (3, 0), (5, 1), (6, 1), (8, 1)}
    return edge_list(folder, sorted(arcs))


class Run:
    """The trace of a run, as arrays."""

    def __init__(self, path: Path) -> None:
        trace = sqlite3.connect(path)
        self.trace = trace
        self.settings = dict(trace.execute("SELECT name, value FROM settings"))
        self.examples = Examples(EXAMPLES, NODES)
        self.states = {
            (k, i): (w, np.frombuffer(z, "<f4").astype(float))
            for k, i, w, z in trace.execute("SELECT round, node, w, z FROM snapshot")
        }
        self.start = np.stack([self.states[0, i][1] for i in range(NODES)])
        self.sensitivity = self.released("sensitivity")
        self.deviation = self.released("noise")
        self.fates = dict(trace.execute("SELECT fate, count(*) FROM delivery GROUP BY fate"))
        self.mixing = self.read_mixing()

    def factors(self, i: int, z: np.ndarray) -> Factors:
        """Factors of node i's gradients at z."""
        model = MODELS[self.settings["model"]]
        return model(z, self.examples.images[i], self.examples.labels[i])

    def number(self, name: str) -> float:
        """A setting that is a number."""
        return float(self.settings[name])

    def released(self, column: str) -> np.ndarray:
        """A column of `release` as [ROUNDS, NODES]: of a round's releases, the last."""
        values = np.full((ROUNDS, NODES), np.nan)
        for k, i, value in self.trace.execute(f'SELECT round, node, {column} FROM "release"'):
            values[k, i] = value
        return values

    def noise(self, k: int, iteration: int = 0) -> np.ndarray:
        """The noise on the nodes' sums of gradients [NODES, d]; zero where none was added."""
        rows = np.zeros_like(self.start)
        query = "SELECT node, noise FROM noise_by_round WHERE round = ? AND iteration = ?"
        for i, blob in self.trace.execute(query, (k, iteration)):
            rows[i] = np.frombuffer(blob, "<f4")
        return rows

    def read_mixing(self) -> list[dict[int, np.ndarray]]:
        """For each round, by the round in which shares left, the matrix that takes them in.

        Entry [i][j] is the part of what j had then that i holds now; the diagonal of the round's
        own matrix is what a node kept. Columns sum to 1 less what was lost or is late.
        """
        mixing: list[dict[int, np.ndarray]] = [{k: np.eye(NODES)} for k in range(ROUNDS)]
        query = (
            "SELECT round, source, target, weight, used_in_round, fate FROM delivery "
            "WHERE fate <> 'duplicate'"
        )
        for k, source, target, weight, used_in, fate in self.trace.execute(query):
            mixing[k][k][source, source] -= weight
            if used_in is not None:
                user = source if fate == "refunded" else target
                matrices = mixing[used_in]
                matrices.setdefault(k, np.zeros((NODES, NODES)))[user, source] += weight
        return mixing

    def push(
        self, step: Step, send_first: bool = False, shared: int | None = None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Push-sum with a step: w [NODES] and z [NODES, d] after every round, the start first.

        x' = P (x - s D(z)) where s is 1 or, where steps are scaled by weight, the node's w. A node
        that sends first steps after mixing: x' = P x - s D(z), and s is the w of then. Of models
        of which a part is shared, what lies behind it is never weighed nor mixed.
        """
        own = slice(self.start.shape[1] if shared is None else shared, None)
        by_weight = self.settings["stepScale"] == "by-weight"
        x, w = self.start.copy(), np.ones(NODES)
        history, states = {}, [(w, x)]
        for k in range(ROUNDS):
            z = x / w[:, None]
            z[:, own] = states[-1][1][:, own]
            update = step(k, z)
            scaled = update * w[:, None] if by_weight else update
            history[k] = (x if send_first else x - scaled, w)
            x = sum(matrix @ history[s][0] for s, matrix in self.mixing[k].items())
            w = sum(matrix @ history[s][1] for s, matrix in self.mixing[k].items())
            if send_first:
                x = x - (update * w[:, None] if by_weight else update)
            after = x / w[:, None]
            after[:, own] = (z - update)[:, own]
            states.append((w, after))
        return states


class ReplayCase(unittest.TestCase):
    """Runs `learn` and compares every snapshot with what a replay says."""

    learn = ""
    always: tuple[str, ...] = ()  # options of all runs of a class

    def run_learn(
        self,
        *options: str,
        graph: Graph | None = unbalanced_digraph,
        model: str = "softmax-regression",
        drop: float = 0.1,
    ) -> Run:
        """A finished run on a graph; without one the options name topology and loss."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "run.db"
        network = [f"--model={model}"]
        if model == "softmax-regression":
            network += ["--init=zero"]
        if graph:
            network += [f"--topology=file:{graph(Path(folder.name))}", f"--drop={drop}"]
        done = subprocess.run(
            [self.learn, *merged(*COMMON, *network, *self.always, f"--trace={path}", *options)],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("had no effect", done.stderr, "a failure after the last round")
        run = Run(path)
        self.addCleanup(run.trace.close)
        if drop > 0:
            self.assertGreater(run.fates.get("lost", 0) + run.fates.get("refunded", 0), 10)
        return run

    def compare(self, run: Run, states: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """All snapshots against a replay's states of all nodes, round by round."""
        rows = ((k, i, w[i], z[i]) for k, (w, z) in enumerate(states) for i in range(NODES))
        self.compare_nodes(run, {(k, i): (w, z) for k, i, w, z in rows})

    def compare_nodes(self, run: Run, states: States, tolerance: float = TOLERANCE) -> None:
        """All snapshots against a replay's states, relative to the largest value of the run."""
        self.assertEqual(len(run.states), (ROUNDS + 1) * NODES)
        scale = max(np.abs(z).max() for _, z in states.values())
        self.assertGreater(scale, 0.0)
        moved = max(np.abs(states[ROUNDS, i][1] - run.start[i]).max() for i in range(NODES))
        self.assertGreater(moved, 1e-3 * scale)
        for (k, i), (w, z) in run.states.items():
            expected_w, expected_z = states[k, i]
            self.assertAlmostEqual(w, expected_w, delta=1e-9 * expected_w)
            error = np.abs(z - expected_z).max() / scale
            self.assertLess(error, tolerance, f"round {k} node {i}")

    def check_schedule(self, run: Run, clips: np.ndarray, deviations: np.ndarray) -> None:
        """Sensitivity and noise of all nodes follow a schedule."""
        ones = np.ones(NODES)
        np.testing.assert_allclose(run.sensitivity, np.outer(clips, ones), rtol=1e-12)
        np.testing.assert_allclose(run.deviation, np.outer(deviations, ones), rtol=1e-9)
        self.check_gaussian(run, run.deviation)

    def check_gaussian(self, run: Run, deviations: np.ndarray) -> None:
        """The noise of a run looks like independent standard normals once divided by [K, n]."""
        rounds = range(0, ROUNDS, 7)
        unit = np.stack([run.noise(k) / deviations[k][:, None] for k in rounds]).ravel()
        count = unit.size
        self.assertLess(abs(unit.mean()) * count**0.5, 5)
        self.assertLess(abs((unit**2).mean() - 1) * (count / 2) ** 0.5, 5)
        self.assertLess(abs((unit**4).mean() - 3) * (count / 96) ** 0.5, 5)


def main() -> None:
    """Runs the calling script's tests; its first argument is the path of `learn`."""
    ReplayCase.learn = sys.argv.pop(1)
    unittest.main(module="__main__")
