#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run on several ranks equals that of one process, bit for bit in what is learnt.

Usage: ranks.py LEARN MPIRUN; LEARN of a build with MPI.
"""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))

from dpdl_analysis.checks import run_checks  # noqa: E402  (the path comes first)
from dpdl_analysis.merging import merge  # noqa: E402
from dpdl_analysis.trace import Trace  # noqa: E402

import words  # noqa: E402
from certificates.evidence import Trace as Evidence  # noqa: E402
from certificates.evidence import repeated_noise  # noqa: E402
from program_case import ProgramCase  # noqa: E402

LEARN, MPIRUN = sys.argv[1], sys.argv[2]
BASE = (
    "--nodes=9 --rounds=8 --model=softmax-regression --dataset=blobs --samples=540 "
    "--testSamples=128 --evaluateEvery=3 --progress=none --workers=1"
)
CASES = (
    "",
    "--drop=0.2 --lossPolicy=renormalise --chunk=200 --topology=ring",
    "--drop=0.2 --lossPolicy=refund --topology=random-peer",
    "--drop=0.1 --deadline=10ms --traceLevel=noise",
    "--schedule=asynchronous --staleness=2 --compute=fixed:10ms:heterogeneous=3 --drop=0.1 "
    "--traceLevel=noise",
    "--algorithm=partpsp-1 --traceLevel=summary --delay=0s",
    "--algorithm=overlap-sgp --topology=random:0.5",
)
LEARNT = (
    "SELECT round, node, iteration, hex(noise) FROM noise_by_round",
    "SELECT round, node, w, hex(z) FROM snapshot",
    "SELECT * FROM accuracy_by_node",
    "SELECT * FROM round_by_node",
    'SELECT * FROM "release"',
    "SELECT * FROM guarantee_by_node",
    "SELECT * FROM guarantee_by_round ORDER BY round DESC LIMIT 1",
    "SELECT * FROM delivery",
    "SELECT round, accuracy_mean, accuracy_worst, loss_mean FROM accuracy_by_round",
    "SELECT * FROM accuracy_by_round ORDER BY round DESC LIMIT 1",
    "SELECT source, target, sent, delivered, lost, bytes FROM delivery_by_link",
    "SELECT name, value FROM summary WHERE name NOT LIKE 'wall%' AND name NOT LIKE '%q%' AND name "
    "NOT IN ('mass_error', 'w_min', 'w_max', 'effective_nodes', 'largest_influence', 'window_b', "
    "'diameter')",
)
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


class RanksTest(ProgramCase):
    def learn(self, ranks, *options, timeout=120):
        launcher = [MPIRUN, "-np", str(ranks)] if ranks > 1 else []
        return self.run_program(
            *launcher, LEARN, *words.merged(*BASE.split(), *options), env=ENVIRONMENT, timeout=timeout
        )

    def sorted_rows(self, path, query):
        return sorted(self.rows(path, query), key=repr)

    def test_ranks_learn_what_one_process_learns(self):
        for number, options in enumerate(CASES):
            with self.subTest(options=options):
                whole = self.folder / f"whole-{number}.db"
                done = self.learn(1, *options.split(), f"--trace={whole}")
                self.assertEqual(done.returncode, 0)
                ranks = 2 + number % 2
                merged = self.folder / f"merged-{number}.db"
                done = self.learn(ranks, *options.split(), f"--trace={merged}")
                self.assertEqual(done.returncode, 0, done.stderr)
                merge(merged, [])
                for query in LEARNT:
                    self.assertEqual(
                        self.sorted_rows(merged, query), self.sorted_rows(whole, query), query
                    )
                with Trace(merged) as trace:
                    failed = [str(one) for one in run_checks(trace) if one.ok is False]
                self.assertEqual(failed, [])
                if "--traceLevel=noise" in options:
                    vectors = Evidence.read(merged).vectors
                    self.assertEqual(len(vectors), 9 * 8)
                    self.assertEqual(repeated_noise(vectors, len(vectors[0].values)), [])

    def test_mistakes_are_told_once_and_leave_nothing(self):
        for options in ("--lossPolicy=running-sum", "--nodes=2", "--fail=node 1 pause at 1s"):
            with self.subTest(options=options):
                done = self.learn(3, options, "--trace=run.db", timeout=60)
                self.assertNotEqual(done.returncode, 0)
                told = [line for line in done.stderr.splitlines() if line.startswith("learn: ")]
                self.assertEqual(len(told), 1, done.stderr)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_trace_that_one_rank_cannot_write_ends_all(self):
        (self.folder / "run.rank1.db").write_text("mine")
        done = self.learn(2, "--trace=run.db")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("run.rank1.db", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.rank1.db"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
