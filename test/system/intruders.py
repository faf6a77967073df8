#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Other programs at the trace of a run: a second writer, a lock, a file or folder that goes away.

usage: intruders.py PATH-OF-LEARN [unittest arguments]

None of them loses rows in silence: a run whose trace is not its own any more ends with one line.
"""

import shutil
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from program_case import ProgramCase

RUN = [
    *("--dataset=blobs", "--model=softmax-regression", "--samples=400", "--testSamples=20"),
    *("--nodes=20", "--topology=out-degree:3", "--batchSize=4", "--algorithm=sgp"),
    *("--evaluateEvery=0", "--workers=1", "--progress=none"),
]
SHORT, LONG = "--rounds=5", "--rounds=1000000"
PATIENCE = 120.0


class IntrudersTest(ProgramCase):
    """A run that has committed rounds, and then something happens to its trace."""

    def learn(self, *options: str) -> subprocess.CompletedProcess[str]:
        return self.run_program(LEARN, *RUN, *options, timeout=PATIENCE)

    def start(self, trace: str, rounds: str = LONG) -> subprocess.Popen[str]:
        """A run that has committed rounds."""
        run = subprocess.Popen([LEARN, *RUN, rounds, f"--trace={trace}"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        end = time.monotonic() + PATIENCE
        while not self.rounds(trace):
            self.assertIsNone(run.poll())
            self.assertLess(time.monotonic(), end, "no rounds were committed")
            time.sleep(0.05)
        return run

    def rounds(self, trace: str) -> int:
        """Rounds that the summary counts at this moment."""
        path = self.folder / trace
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                return database.execute(
                    "SELECT value FROM summary WHERE name = 'rounds'").fetchone()[0] or 0
        except (sqlite3.Error, TypeError):
            return 0

    def assert_fails(self, run: subprocess.Popen[str], words: str) -> None:
        """The run ends by itself, with 1 and one line."""
        out, err = run.communicate(timeout=PATIENCE)
        self.assertEqual((run.returncode, out, err.count("\n")), (1, "", 1), err)
        self.assertIn(words, err)

    def test_a_second_writer_is_refused_and_the_first_goes_on(self) -> None:
        run = self.start("a.db")
        for options, words in ((["--overwrite"], "no program is writing"), ([], "--overwrite")):
            done = self.learn(SHORT, "--trace=a.db", *options)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
            self.assertIn(words, done.stderr)
        before = self.rounds("a.db")
        end = time.monotonic() + PATIENCE
        while self.rounds("a.db") <= before:
            self.assertIsNone(run.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        run.kill()
        run.wait()
        # What a killed run leaves may be overwritten.
        self.assertEqual(self.learn(SHORT, "--trace=a.db", "--overwrite").returncode, 0)
        self.assertEqual(self.rounds("a.db"), 5)

    def test_a_trace_that_is_locked(self) -> None:
        run = self.start("a.db")
        with closing(sqlite3.connect(self.folder / "a.db", timeout=PATIENCE,
                                     isolation_level=None)) as other:
            other.execute("PRAGMA busy_timeout = 0")
            end = time.monotonic() + PATIENCE
            while not other.in_transaction:
                self.assertLess(time.monotonic(), end, "the run never let go of its trace")
                try:
                    other.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    continue
            self.assert_fails(run, "locked")
        self.assertGreater(self.rounds("a.db"), 0)

    def test_a_trace_that_is_removed(self) -> None:
        run = self.start("a.db")
        (self.folder / "a.db").unlink()
        self.assert_fails(run, "was moved, removed or replaced")

    def test_a_folder_that_is_removed(self) -> None:
        (self.folder / "inner").mkdir()
        run = self.start("inner/a.db")
        shutil.rmtree(self.folder / "inner")
        self.assert_fails(run, "inner/a.db")

    def test_a_trace_that_another_run_replaces(self) -> None:
        run = self.start("a.db")
        for path in self.folder.glob("a.db*"):
            path.unlink()
        done = self.learn(SHORT, "--trace=a.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_fails(run, "was moved, removed or replaced")
        self.assertEqual(self.rounds("a.db"), 5)
        self.assertEqual(self.rows("a.db", "PRAGMA integrity_check"), [("ok",)])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.db"])


if __name__ == "__main__":
    LEARN = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
