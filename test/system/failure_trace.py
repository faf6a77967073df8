#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The trace of a run with every kind of failure holds what `inspect --check` asks of a trace.

usage: failure_trace.py PATH-OF-LEARN [unittest arguments]
"""

import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

LEARN = sys.argv.pop(1)
ANALYSIS = Path(__file__).resolve().parents[2] / "analysis" / "dpdl-analysis"
SENTENCES = [
    "link 3->4 down at 0.1s for 0.1s",
    "link * loss 0.1 from 0.2s for 1s",
    "link 0->* delay 20ms at 0.1s for 0.5s",
    "link 5->* rate 5Mbps at 0.1s for 0.5s",
    "link 2->3 gilbert-elliott p=0.2 r=0.3 bad=0.9 at 0s for 1s",
    "link 1<->2 flap up=70ms down=30ms from 0.1s for 1s",
    "node 4 pause at 0.3s for 0.1s",
    "node 5 crash at 0.2s recover 0.5s",
    "node 6 crash with state at 0.25s recover 0.4s",
    "node 7 slow 4x at 0.1s for 0.4s",
    "partition {0-3} {4-7} at 0.6s for 0.1s",
    "region center=(500,500) radius=300 down at 0.7s for 0.1s",
    "jam center=(200,200) radius=500 loss 0.5 at 0.8s for 0.1s",
    "random node 0 crash mean-up=0.3s mean-down=0.05s with state from 0.9s for 0.5s",
]
PAIRS = {
    "down": "up",
    "loss": "loss-end",
    "delay": "delay-end",
    "rate": "rate-end",
    "gilbert-elliott": "gilbert-elliott-end",
    "pause": "resume",
    "crash": "recover",
    "slow": "slow-end",
    "partition": "partition-end",
    "region": "region-end",
    "jam": "jam-end",
}


class FailureTraceTest(unittest.TestCase):
    """One run for each loss policy."""

    def check(self, policy: str, *options: str) -> None:
        """Runs `learn` with all failures, and has its trace checked."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.db"
            command = [LEARN, "--nodes=8", "--rounds=25", "--topology=radius:600", "--samples=80"]
            command += ["--testSamples=10", "--model=softmax-regression", "--accountant=rdp"]
            command += ["--progress=none", f"--trace={path}", f"--lossPolicy={policy}", *options]
            command += [f"--fail={sentence}" for sentence in SENTENCES]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            command = [sys.executable, str(ANALYSIS), "inspect", str(path), "--check"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertNotIn("FAILED", done.stdout)
            trace = self.enterContext(closing(sqlite3.connect(path)))
            seen = {row[0] for row in trace.execute("SELECT event FROM link_event")}
            for begin, end in PAIRS.items():
                self.assertIn(begin, seen)
                self.assertIn(end, seen)

    def test_every_policy_in_synchronous_rounds(self) -> None:
        for policy in ("none", "reliable", "refund", "running-sum", "renormalise"):
            with self.subTest(policy=policy):
                self.check(policy)

    def test_asynchronous_rounds_in_chunks(self) -> None:
        for policy in ("none", "running-sum"):
            with self.subTest(policy=policy):
                self.check(policy, "--schedule=asynchronous", "--staleness=2", "--chunk=8000")


if __name__ == "__main__":
    unittest.main()
