#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that fails: the run ends with 1 and one line, and the trace is valid up to its last commit.

usage: faults.py PATH-OF-LEARN PATH-OF-FAILING-DISK [--all] [unittest arguments]

Lets the k-th write, sync or open of a trace fail, once or from then on. --all: for every k.
"""

import shutil
import sqlite3
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase, preloading

LEARN, DISK = sys.argv.pop(1), sys.argv.pop(1)
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
RUN = [
    *("--dataset=blobs", "--model=softmax-regression", "--nodes=3", "--samples=60"),
    *("--testSamples=20", "--batchSize=5", "--rounds=4", "--workers=1", "--progress=none"),
    "--accountant=rdp",  # the quickest
]
EVER = 10**6
STRIDE = 1 if ALL else 31  # by default every 31st call


class FaultsTest(ProgramCase):
    """A run in an empty folder, on a disk that fails."""

    def learn(self, trace: str, **disk: object):
        """A run, and how many calls of the kind it made."""
        count = self.folder / "count"
        count.unlink(missing_ok=True)
        setting = {f"FAIL_{name.upper()}": str(value) for name, value in disk.items()}
        done = self.run_program(
            LEARN, *RUN, f"--trace={trace}",
            env={**preloading(DISK), "FAIL_FILE": trace, "FAIL_COUNT": str(count), **setting})
        return done, int(count.read_text())

    def check_trace(self, path: Path) -> None:
        """Either there is no trace, or it is one that opens, of whole rounds."""
        if not path.exists() or path.stat().st_size == 0:
            return
        rows = self.rows(path, "PRAGMA integrity_check")
        self.assertEqual(rows, [("ok",)])
        try:
            summary = dict(self.rows(path, "SELECT name, value FROM summary"))
        except sqlite3.OperationalError:
            return  # before the schema was committed
        self.assertIn(summary["state"], ("incomplete", "complete"))
        rounds = summary["rounds"] or 0
        [(kept,)] = self.rows(path, f"SELECT COUNT(*) FROM round_by_node WHERE round < {rounds}")
        self.assertEqual(kept, 3 * rounds)

    def fail_each(self, call: str) -> None:
        done, calls = self.learn("whole.db", call=call, at=0, **{"for": 0})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(calls, 3)
        for at in range(1, calls + 1, STRIDE):
            for length in (1, EVER):
                with self.subTest(call, at=at, length=length):
                    name = f"{call}-{at}-{length}.db"
                    done, _ = self.learn(name, call=call, at=at, **{"for": length})
                    if done.returncode == 0:  # nothing was lost: the file alone has all of it
                        shutil.copy(self.folder / name, self.folder / "alone.db")
                        self.check_trace(self.folder / "alone.db")
                        summary = dict(self.rows("alone.db", "SELECT name, value FROM summary"))
                        self.assertEqual((summary["state"], summary["rounds"]), ("complete", 4))
                    else:
                        codes = (1, 2) if at == 1 and call == "open" else (1,)
                        self.assertIn(done.returncode, codes, done.stderr)
                        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                        self.assertIn(name, done.stderr)
                    self.check_trace(self.folder / name)

    def test_writes(self) -> None:
        self.fail_each("write")

    def test_syncs(self) -> None:
        self.fail_each("sync")

    def test_opens(self) -> None:
        self.fail_each("open")


if __name__ == "__main__":
    unittest.main()
