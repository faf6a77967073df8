#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Campaigns that are killed with all their processes and started again: runs go on from their last
commit, or are repeated with the reason.

usage: sweep_resume.py BUILD-FOLDER [unittest arguments]
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from sweep_case import REAL, SweepCase, begun

KILLS = int(os.environ.get("SWEEP_KILLS", "4"))
SEED = int(os.environ.get("SWEEP_SEED", "1"))
BUILD = Path(sys.argv.pop(1)).resolve()
# Without checkpoints a commit comes after 65536 rows.
UNREPEATABLE = (
    REAL.replace("rounds = 800", 'rounds = 5000\nnoiseSource = "system"\ntraceLevel = "full"')
    .replace("repetitions = 2", "repetitions = 1")
    .replace("[0, 0.2]", "[0]")
)


class ResumedCampaignTest(SweepCase):
    """Kills campaigns of runs of learn."""

    def kill_soon(self, wait: float) -> None:
        """Starts the sweep, and kills it with all that it started once a trace holds rounds and
        this many seconds have passed."""
        process = subprocess.Popen(self.words(BUILD, "--progress=none", "--jobs=2"),
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(map(begun, self.parts())):
            time.sleep(0.02)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_killed_runs_go_on_from_their_last_commit(self) -> None:
        draw = random.Random(SEED)
        self.write(REAL)
        self.sweep(BUILD, "--progress=none")
        whole, rows = self.traces(), self.rows()
        self.assertEqual((len(whole), self.told("resumed")), (4, [None] * 4))
        shutil.rmtree(self.results)
        for _ in range(KILLS):
            self.kill_soon(draw.uniform(0.0, 0.4))
        self.sweep(BUILD, "--progress=none")
        self.assertEqual(self.traces(), whole)
        self.assertEqual(self.rows(), rows)
        saved = {}
        for path in self.results.glob("*-?.db"):
            with closing(sqlite3.connect(path)) as trace:
                found = trace.execute("SELECT round FROM resumption").fetchall()
            saved[path.name] = [row[0] for row in found]
        resumed = dict(zip(self.told("trace"), self.told("resumed")))
        self.assertEqual({name for name, said in resumed.items() if said == "yes"},
                         {name for name, rounds in saved.items() if rounds}, (resumed, saved))
        self.assertGreater(max(max(rounds, default=0) for rounds in saved.values()), 0, saved)
        self.assert_clean()

    def test_what_cannot_be_resumed_is_repeated_and_named(self) -> None:
        self.write(UNREPEATABLE)
        self.kill_soon(0.0)
        left = {path.parent.name for path in self.parts() if begun(path)}
        self.assertTrue(left)
        answer = self.sweep(BUILD, "--progress=none")
        self.assertEqual(set(self.told("state")), {"done"})
        said = dict(zip(self.told("hash"), self.told("resumed")))
        for name in left:
            self.assertRegex(str(said[name]), "no: .*noiseSource")
        self.assertEqual(answer.stderr.count("was repeated from its start"),
                         sum(str(one).startswith("no: ") for one in said.values()))
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
