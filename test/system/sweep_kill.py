#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A sweep that is killed or interrupted, and started again, ends as if nothing had been.

usage: sweep_kill.py BUILD-FOLDER [unittest arguments]
SWEEP_KILLS in the environment is how often it is killed, SWEEP_SEED draws the moments.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

from sweep_case import SAMPLE, SweepCase

KILLS = int(os.environ.get("SWEEP_KILLS", "4"))
SEED = int(os.environ.get("SWEEP_SEED", "1"))


class KillTest(SweepCase):
    """Ends sweeps before they end."""

    def test_killed_at_any_moment_and_started_again_it_ends_the_same(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        self.sweep(build, "--progress=none")
        whole = self.rows()
        traces = {path.name: path.read_bytes() for path in self.results.glob("*-?.db")}
        self.assertEqual((len(whole), len(traces)), (24, 24))
        shutil.rmtree(self.results)
        draw, seen = random.Random(SEED), []
        for _ in range(KILLS):
            process = subprocess.Popen(self.words(build, "--progress=none", "--jobs=1"),
                                       cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            limit = time.monotonic() + 60
            while not (self.results / "campaign.json").exists() and time.monotonic() < limit:
                time.sleep(0.01)
            time.sleep(draw.uniform(0.0, 1.5))
            process.send_signal(signal.SIGKILL)
            process.wait()
            states = [dict(row)["state"] for row in self.rows()]
            seen.append(states.count("done"))
        self.sweep(build, "--progress=none")
        self.assertEqual(self.rows(), whole, seen)
        again = {path.name: path.read_bytes() for path in self.results.glob("*-?.db")}
        self.assertEqual(again, traces)
        self.assertEqual(sorted(seen), seen)
        self.assert_clean()

    def test_a_journal_that_was_cut_short_goes(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        self.sweep(build, "--progress=none")
        whole = self.rows()
        (self.results / "catalogue.db-journal").write_bytes(bytes(512))
        self.sweep(build, "--progress=none")
        self.assertEqual(self.rows(), whole)
        self.assert_clean()

    def test_an_interrupt_leaves_what_is_done(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        process = subprocess.Popen(self.words(build, "--jobs=1"), cwd=self.folder, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not list(self.results.glob("*-?.db")) and process.poll() is None:
            time.sleep(0.01)
        told = self.sweep(build, "--cancel").stdout
        self.assertEqual(told, f"sweep {process.pid} ended; start it again to go on\n")
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assertEqual(self.sweep(build, "--cancel").stdout, "nothing is running\n")
        self.assertRegex(error, r"interrupted with \d+ of 24 runs done; start it again to go on")
        self.sweep(build)
        self.assertEqual({dict(row)["state"] for row in self.rows()}, {"done"})


if __name__ == "__main__":
    del sys.argv[1:2]
    unittest.main()
