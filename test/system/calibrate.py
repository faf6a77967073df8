#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fits message mode to packets, and runs with what was fitted.

usage: calibrate.py PATH-OF-CALIBRATE PATH-OF-LEARN [unittest arguments]
"""

import json
import sqlite3
import sys
import unittest
from contextlib import closing

from program_case import ProgramCase

CALIBRATE, LEARN = sys.argv.pop(1), sys.argv.pop(1)
RUN = ["--nodes=4", "--topology=ring", "--model=softmax-regression"]


class CalibrateTest(ProgramCase):
    """Runs the programs in an empty folder."""

    def test_udp_is_fitted_to_a_thousandth(self) -> None:
        done = self.run_program(CALIBRATE, *RUN, "--dataRate=2Mbps", "--delay=20ms", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(len(answer["links"]), 4)
        for link in answer["links"]:
            # 1440 of 1502 bytes of a packet are the message's.
            self.assertAlmostEqual(link["dataRate"] / 2e6, 1440 / 1502, delta=2e-3)
            self.assertAlmostEqual(link["delay"], 0.02, delta=1e-5)
            self.assertEqual(link["drop"], 0)
            self.assertIsNone(link["queueBytes"])
        self.assertLess(answer["oneLinkAtATime"]["largest"], 1e-3)
        self.assertLess(answer["allLinksAtOnce"]["largest"], 1e-3)

    def test_a_run_takes_the_file_and_says_how_true_it_is(self) -> None:
        done = self.run_program(CALIBRATE, *RUN, "--delay=20ms", "--output=fit.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        small = ["--samples=40", "--testSamples=10", "--rounds=2", "--progress=none"]
        done = self.run_program(LEARN, *RUN, *small, "--dataRate=file:fit.txt", "--trace=t.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        packets = [*RUN, *small, "--delay=20ms", "--network=packet", "--trace=p.db"]
        done = self.run_program(LEARN, *packets)
        self.assertEqual(done.returncode, 0, done.stderr)
        query = "SELECT arrived_at - sent_at FROM delivery ORDER BY round, source, target"
        times = {}
        for name in ("t", "p"):
            with closing(sqlite3.connect(self.folder / f"{name}.db")) as trace:
                times[name] = [row[0] for row in trace.execute(query)]
                fidelity = trace.execute(
                    "SELECT value FROM settings WHERE name = 'networkFidelity'"
                ).fetchone()[0]
            self.assertRegex(fidelity, {"t": "^message: calibrated, .*largest", "p": "^packet"}[name])
        self.assertEqual(len(times["t"]), 8)
        for model, truth in zip(times["t"], times["p"]):
            self.assertAlmostEqual(model / truth, 1, delta=1e-3)

    def test_mistakes_leave_nothing(self) -> None:
        for option, word in [("--burst=1", "burst"), ("--output=/no/such/f", "output")]:
            done = self.run_program(CALIBRATE, *RUN, option)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(word, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_file_of_another_program_is_not_replaced(self) -> None:
        other = self.folder / "t.db"
        other.write_bytes(b"SQLite format 3\0and more\n")
        done = self.run_program(CALIBRATE, *RUN, f"--output={other.name}")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn("'t.db'", done.stderr)
        self.assertEqual(other.read_bytes(), b"SQLite format 3\0and more\n")


if __name__ == "__main__":
    unittest.main()
