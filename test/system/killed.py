#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs that are killed: what the trace then says is whole, and what its summary counts.

usage: killed.py PATH-OF-LEARN [unittest arguments]
"""

import sqlite3
import subprocess
import sys
import time
import unittest
from pathlib import Path

from program_case import ProgramCase

NODES, DEGREE = 20, 3  # of which one is the node itself
RUN = [
    *("--dataset=blobs", "--model=softmax-regression", "--samples=400", "--testSamples=20"),
    *(f"--nodes={NODES}", f"--topology=out-degree:{DEGREE}", "--batchSize=4", "--algorithm=sgp"),
    *("--rounds=1000000", "--evaluateEvery=0", "--snapshotEvery=0", "--workers=1"),
    *("--progress=none", "--drop=0.1"),
]
POLICIES = {
    "running-sum": ["--lossPolicy=running-sum"],
    "asynchronous": ["--lossPolicy=running-sum", "--schedule=asynchronous", "--staleness=3",
                     "--compute=fixed:10ms:heterogeneous=3"],
}
SLOW = [
    *("--dataset=blobs", "--model=mlp:500", "--samples=4000", "--testSamples=20", "--nodes=2"),
    *("--topology=ring", "--batchSize=2000", "--rounds=1000000", "--evaluateEvery=0"),
    *("--algorithm=sgp", "--snapshotEvery=0", "--workers=1", "--progress=none"),
    "--checkpoint=none",
]
FEW = 10000  # rows of messages; a transaction that is full has 65,536 rows
PATIENCE = 120.0
COMMITS = 1


class KilledTest(ProgramCase):
    """kill -9 after the first commit of rounds."""

    def summary(self, path: str) -> dict[str, object]:
        """What the summary says at this moment."""
        return dict(self.rows(path, "SELECT name, value FROM summary"))

    def kill(self, name: str, options: list[str]) -> None:
        """Starts a run, and kills it once it has committed rounds."""
        with subprocess.Popen([LEARN, *options, f"--trace={name}"], cwd=self.folder) as run:
            end, seen = time.monotonic() + PATIENCE, {0}
            while len(seen) <= COMMITS and time.monotonic() < end:
                self.assertIsNone(run.poll())
                time.sleep(0.05)
                if not (self.folder / name).exists():
                    continue
                try:
                    seen.add(self.summary(name).get("rounds") or 0)
                except sqlite3.OperationalError:
                    continue
            run.kill()
        self.assertGreater(len(seen), COMMITS, "no rounds were committed")

    def test_committed_rounds_are_whole_and_counted(self) -> None:
        for policy, options in POLICIES.items():
            with self.subTest(policy):
                name = f"{policy}.db"
                self.kill(name, [*RUN, *options])
                summary = self.summary(name)
                rounds = summary["rounds"]
                self.assertEqual((summary["state"], summary["nodes"]), ("incomplete", NODES))
                for view, each in (("delivery", NODES * (DEGREE - 1)), ("round_by_node", NODES)):
                    odd = self.rows(name, f"SELECT round, COUNT(*) FROM {view} WHERE round < "
                                          f"{rounds} GROUP BY round HAVING COUNT(*) <> {each}")
                    self.assertEqual(odd, [], view)
                    [(count,)] = self.rows(name, f"SELECT COUNT(DISTINCT round) FROM {view} "
                                                 f"WHERE round < {rounds}")
                    self.assertEqual(count, rounds, view)
                self.assertEqual(self.rows(name, "SELECT COUNT(*) FROM delivery"),
                                 [(summary["messages_sent"],)])
                for item in ("simulated_seconds", "delta", "parameters", "bytes_sent", "mass_error"):
                    self.assertIsNotNone(summary[item], item)
                for item in ("epsilon_certified", "epsilon_claimed"):
                    self.assertIsNone(summary[item], item)
                checked = self.analyse("inspect", name, "--check")
                failed = [line for line in checked.stdout.splitlines() if "FAILED" in line]
                self.assertEqual([line.split(":")[0] for line in failed],
                                 ["FAILED  run is complete",
                                  "FAILED  every node has a guarantee, or a reason for inf"])

    def test_rounds_of_few_rows_are_committed_by_time(self) -> None:
        self.kill("slow.db", SLOW)
        [(messages,)] = self.rows("slow.db", "SELECT COUNT(*) FROM delivery")
        self.assertGreater(messages, 0)
        self.assertLess(messages, FEW)


if __name__ == "__main__":
    LEARN = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
