#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The noise that reached the nodes' models is the noise that the ledger records, from every source.

usage: noise_vectors.py LEARN [--all] [unittest arguments]

Three nodes on a ring mix by an invertible matrix, so that two runs, with and without noise, tell
what each node added in the first round. This has to be the vector of `noise_by_round`. All vectors
together have to be distributed as the ledger says, by a test of Kolmogorov and Smirnov that sound
noise fails with a probability of 1e-9. --all: every source with every width.

Also shown here: the search false_certificates.py sees what is wrong with a trace that was tampered
with, and its accountant is close to known values from below.
"""

import dataclasses
import math
import os
import sys
import unittest
from pathlib import Path
from typing import Callable

import numpy as np
import words
from certificates.cases import Case
from certificates.evidence import Trace, Vector, repeated_noise
from certificates.lower_bound import laplace_cdf, normal_cdf
from certificates.mechanisms import Release, epsilon_of
from certificates.schedules import MODELS
from certificates.verdict import judge
from program_case import ProgramCase

LEARN = Path(sys.argv.pop(1)).resolve()
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
NODES, LOCAL, STEP = 3, 4, 10.0
MODEL_OF = {model.parameters: model for model in MODELS}
SOURCES = {"philox": 9, "system": 34, "discrete-gaussian": 538, "laplace": 2570}
KS_LIMIT = math.sqrt(math.log(2 / 1e-9) / 2)


class LearnCase(ProgramCase):
    """Runs `learn` with a few nodes."""

    def learn(self, trace: str, *options: str) -> None:
        common = [
            *(f"--nodes={NODES}", f"--samples={NODES * LOCAL}", "--testSamples=2", "--delta=1e-5"),
            *("--sampler=full", "--topology=ring", "--network=ideal", "--evaluateEvery=0"),
            *("--progress=none", "--workers=1", "--traceLevel=noise", f"--trace={trace}"),
        ]
        done = self.run_program(LEARN, *words.merged(*common, *options), env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)


class NoiseTest(LearnCase):
    """Each source, with vectors of several widths."""

    def reached(self, name: str) -> np.ndarray:
        """x = w z of all nodes after the first round."""
        sql = "SELECT w, z FROM snapshot WHERE round = 1 ORDER BY node"
        return np.array([w * np.frombuffer(z, "<f4").astype(float) for w, z in self.rows(name, sql)])

    def mixing(self, name: str) -> np.ndarray:
        """Who got which part of whom in the first round."""
        mixing = np.zeros((NODES, NODES))
        sql = "SELECT source, target, weight FROM delivery WHERE used_in_round = 0 AND round = 0"
        for source, target, weight in self.rows(name, sql):
            mixing[target, source] = weight
        return mixing + np.diag(1 - mixing.sum(axis=0))

    def check(self, source: str, width: int) -> None:
        model = MODEL_OF[width]
        is_laplace = source == "laplace"
        rounds = max(2, 600 // width)
        options = [
            *(f"--dataset={model.dataset}", f"--model={model.name}", f"--rounds={rounds}"),
            *("--snapshotEvery=1", f"--stepSize={STEP}", "--accountant=rdp", "--epsilon=4"),
            f"--algorithm={'dpps' if is_laplace else 'const-d2p'}",
            *([] if is_laplace else [f"--noiseSource={source}"]),
        ]
        self.learn("on.db", "--overwrite", *options)
        self.learn("off.db", "--overwrite", *options, "--noise=off")
        vectors = {
            (node, k): np.frombuffer(noise, "<f4").astype(float)
            for node, k, noise in self.rows("on.db", "SELECT node, round, noise FROM noise_by_round")
        }
        self.assertEqual(len(vectors), NODES * rounds)
        listed = [Vector(node, k, 0, values) for (node, k), values in vectors.items()]
        self.assertEqual(repeated_noise(listed, width), [])
        moved = np.linalg.solve(self.mixing("on.db"), self.reached("on.db") - self.reached("off.db"))
        drawn = -moved / STEP * (1 if is_laplace else LOCAL)
        recorded = dict(
            ((node, k), noise)
            for node, k, noise in self.rows("on.db", 'SELECT node, round, noise FROM "release"')
        )
        for node in range(NODES):
            off = np.abs(drawn[node] - vectors[node, 0]).max() / recorded[node, 0]
            self.assertLess(off, 1e-4, f"node {node}")
        units = np.sort(np.concatenate([vectors[key] / recorded[key] for key in vectors]))
        self.assertEqual(len(units), width * NODES * rounds)
        ranks = (laplace_cdf if is_laplace else normal_cdf)(units)
        steps = np.arange(len(units) + 1) / len(units)
        distance = max((steps[1:] - ranks).max(), (ranks - steps[:-1]).max())
        self.assertLess(distance * math.sqrt(len(units)), KS_LIMIT)

    def test_what_reached_the_models_is_noise_of_the_ledger(self) -> None:
        for source, usual in SOURCES.items():
            for width in sorted(MODEL_OF) if ALL else [usual]:
                with self.subTest(source=source, width=width):
                    self.check(source, width)


def with_vectors(trace: Trace, change: Callable[[Vector], np.ndarray | None]) -> Trace:
    """The trace with other noise; None leaves a vector out."""
    changed = [(one, change(one)) for one in trace.vectors]
    vectors = [
        dataclasses.replace(one, values=values) for one, values in changed if values is not None
    ]
    return dataclasses.replace(trace, vectors=vectors)


class RepeatTest(LearnCase):
    """Draws of nodes that crash in the middle of a run."""

    CASES = {
        "node 1 misses rounds": ("--fail=node 1 crash at 1ms recover 3ms",),
        "and another never comes back": (
            "--fail=node 1 crash at 1ms recover 3ms",
            "--fail=node 2 crash at 4ms",
        ),
        "no rounds in common": (
            "--schedule=asynchronous",
            "--compute=fixed:10ms:heterogeneous=3",
            "--fail=node 1 crash at 20ms recover 40ms",
        ),
    }

    def test_no_vector_is_drawn_twice(self) -> None:
        for case, options in self.CASES.items():
            with self.subTest(case=case):
                common = ("--network=message", "--algorithm=const-d2p", "--rounds=8", "--overwrite")
                model = ("--dataset=blobs", "--model=softmax-regression")
                self.learn("run.db", *common, *model, *options)
                vectors = Trace.read(self.folder / "run.db").vectors
                released = self.rows("run.db", 'SELECT node, round FROM "release"')
                self.assertLess(len(vectors), NODES * 8)
                self.assertEqual(sorted((one.node, one.round) for one in vectors), sorted(released))
                self.assertEqual(repeated_noise(vectors, len(vectors[0].values)), [])


class SearchTest(LearnCase):
    """What the search for false certificates can see."""

    def sound(self) -> tuple[Case, Trace]:
        """A run whose certificates are true."""
        case = Case(
            number=0,
            algorithm="const-d2p",
            mode="sound",
            model=MODELS[0],
            nodes=NODES,
            local=LOCAL,
            rounds=6,
            sampler="full",
            batch=LOCAL,
            adjacency="add-remove",
            accountant="gdp",
            clip=2.0,
            delta=1e-5,
            parts=0,
            noisy=True,
            hyper={},
            clips=[],
        )
        options = ("--dataset=blobs", "--model=softmax-regression", "--rounds=6")
        self.learn("run.db", *options, "--algorithm=const-d2p", "--accountant=gdp")
        return case, Trace.read(self.folder / "run.db")

    def test_it_sees_what_was_tampered_with(self) -> None:
        case, trace = self.sound()
        local = [LOCAL] * NODES
        self.assertEqual(judge(case, trace, local).problems, [])
        first = trace.of(0)[0].values

        def at(node: int, k: int, change: Callable) -> Callable:
            """Changes the noise of a node, or of one of its rounds."""
            return lambda one: (
                change(one.values) if one.node == node and k in (-1, one.round) else one.values
            )

        def only(part: slice) -> Callable:
            keep = np.zeros(len(first))
            keep[part] = 1
            return lambda values: values * keep

        flat = np.random.default_rng(1).uniform(-1, 1, first.shape)
        batches = {key: (w, b + 1) for key, (w, b) in trace.steps.items()}
        certified = {node: 0.95 * epsilon for node, epsilon in trace.certified.items()}
        growth = [(rounds, 0.5 * epsilon) for rounds, epsilon in trace.growth]
        tampered = {
            "released": with_vectors(trace, at(1, -1, lambda v: v * 0.5)),
            "round 3.0: noise off": with_vectors(trace, at(1, 3, lambda v: v * 0.8)),
            "round 2: 0 noise vectors": with_vectors(trace, at(1, 2, lambda v: None)),
            "correlation 1": with_vectors(trace, at(1, 2, lambda v: first)),
            "correlation 0.7": with_vectors(trace, at(1, 2, lambda v: (v + first) / 2**0.5)),
            "parameters 0-642: off": with_vectors(trace, at(1, -1, only(slice(1200, None)))),
            "1 parameters without noise": with_vectors(trace, at(1, -1, only(slice(0, -1)))),
            "1200 parameters without": with_vectors(trace, at(1, -1, only(slice(1200, None)))),
            "from gaussian noise": with_vectors(
                trace, lambda one: 5 * np.roll(flat, 7 * one.round + 100 * one.node)
            ),
            "not finite": with_vectors(trace, at(1, 2, lambda v: v * np.inf)),
            "a batch of": dataclasses.replace(trace, steps=batches),
            "certified": dataclasses.replace(trace, certified=certified),
            "after 3 rounds": dataclasses.replace(trace, growth=growth),
        }
        for problem, wrong in tampered.items():
            with self.subTest(problem=problem):
                self.assertIn(problem, "; ".join(judge(case, wrong, local).problems))

    def test_its_accountant_is_below_known_values_and_close(self) -> None:
        # The values are `account --delta=1e-5 --steps=12`, which are above the truth by < 1e-4.
        one = Release(1.0, 1.1, "gaussian", False, "poisson", 25, 100, 0, "add-remove")
        laplace = {"noise": 3.0, "kind": "laplace", "is_batch": True}
        known = {
            5.494610405: one,
            17.76028186: dataclasses.replace(one, sampler="full"),
            7.740770049: dataclasses.replace(one, adjacency="replace"),
            18.7969011: dataclasses.replace(one, sampler="fixed"),
            2.109104467: dataclasses.replace(one, **laplace),
            7.962609836: dataclasses.replace(one, **laplace, sampler="full"),
        }
        for value, release in known.items():
            with self.subTest(release=release):
                lower = epsilon_of([release] * 12, 1e-5, value, carries=False)
                self.assertLess(lower, value)
                self.assertGreater(lower, 0.99 * value)


if __name__ == "__main__":
    unittest.main()
