#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Audits of a run's trace, what is reported of an unfinished run, and what may be published.

usage: trace_audit.py PATH-OF-LEARN PATH-OF-DPDL-AUDIT PATH-OF-DPDL-OBSERVE [unittest arguments]
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing
from pathlib import Path
from typing import Any

LEARN, AUDIT, OBSERVE = (sys.argv.pop(1) for _ in range(3))
ANALYSIS = Path(__file__).resolve().parents[2] / "analysis"
SEED = "987654321"
SMALL = [
    "--model=softmax-regression",
    "--samples=500",
    "--testSamples=50",
    "--nodes=5",
    "--batchSize=20",
    "--epsilon=2",
    "--accountant=rdp",
    f"--seed={SEED}",
    "--progress=none",
]


def call(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a program and waits for its end."""
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def analysis(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the analysis."""
    return call(sys.executable, "-B", ANALYSIS / "dpdl-analysis", *arguments)


class TraceAuditTest(unittest.TestCase):
    """Each test has a trace in its own folder."""

    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.finished = cls.folder / "finished.db"
        done = call(LEARN, *SMALL, "--rounds=20", f"--trace={cls.finished}")
        assert done.returncode == 0, done.stderr

    def setUp(self) -> None:
        self.path = self.folder / f"{self.id().rpartition('.')[2]}.db"
        self.path.write_bytes(self.finished.read_bytes())

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a query on the trace."""
        uri = f"{self.path.as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            return connection.execute(sql).fetchall()

    def execute(self, sql: str) -> None:
        """Changes the trace."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute(sql)

    def audit(self, *options: str) -> tuple[int, dict[str, Any]]:
        """Exit code and answer of an audit of the trace."""
        done = call(AUDIT, f"--trace={self.path}", "--json", *options)
        return done.returncode, json.loads(done.stdout)

    def mistake(self, done: subprocess.CompletedProcess[str]) -> str:
        """The one line that a mistake is answered with."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_a_weaker_audit_leaves_the_stronger_one_in_force(self) -> None:
        code, strong = self.audit("--node=1", "--runs=50000")
        self.assertEqual((code, strong["finding"]), (0, "consistent"))
        self.assertGreater(strong["observed"], 0.1)
        code, weak = self.audit("--node=1", "--runs=20")
        self.assertEqual((code, weak["observed"]), (0, 0))
        self.assertEqual(weak["observed_largest"], strong["observed"])
        self.assertEqual(
            self.query("SELECT node, observed, runs, confidence FROM audit"),
            [(1, strong["observed"], 50000, 0.95), (1, 0.0, 20, 0.95)],
        )
        self.assertEqual(
            self.query("SELECT observed FROM guarantee_by_node WHERE node = 1"),
            self.query("SELECT value FROM summary WHERE name = 'epsilon_observed'"),
        )

    def test_a_broken_certificate_ends_with_1_and_comes_first(self) -> None:
        self.execute("UPDATE guarantee SET certified = 0.05 WHERE node = 1")
        done = call(AUDIT, f"--trace={self.path}", "--node=1", "--runs=50000")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("the certified bound does not hold", done.stderr)
        # It stays broken, whatever later audits find.
        self.assertEqual(self.audit("--node=1", "--runs=20")[0], 1)
        self.assertEqual(self.audit("--node=2", "--runs=20")[0], 0)
        first = analysis("inspect", self.path).stdout.splitlines()[0]
        self.assertRegex(first, r"^Certificate broken: .* at node 1, above the certified 0\.0500")

    def test_what_cannot_be_audited_gets_one_line(self) -> None:
        audit = (AUDIT, f"--trace={self.path}")
        self.execute("DELETE FROM ledger WHERE node = 3")
        self.assertIn("releases of node 3", self.mistake(call(*audit, "--node=3")))
        self.execute("DELETE FROM ledger")
        self.assertIn("releases of node 0", self.mistake(call(*audit)))
        self.execute("DROP TABLE ledger")
        self.assertIn("a readable trace", self.mistake(call(*audit)))
        self.execute("PRAGMA user_version = 9")
        self.assertIn("schema version 1 or 2, and this one has 9", self.mistake(call(*audit)))
        self.assertIn("schemas up to 2", self.mistake(analysis("inspect", self.path)))

    def test_a_killed_run_certifies_what_was_committed(self) -> None:
        self.path.unlink()
        command = [LEARN, *SMALL, "--rounds=50000", f"--trace={self.path}"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
            try:
                self.wait_for_releases()
            finally:
                run.send_signal(signal.SIGKILL)
        words = "certified of the releases that were committed, not of the run"
        text = call(OBSERVE, self.path, "--node=0")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn(f"accountant rdp, {words};", text.stdout.splitlines()[0])
        answer = json.loads(call(OBSERVE, self.path, "--node=0", "--json").stdout)
        self.assertEqual((answer["certified"], answer["standing"]), (False, words))
        self.assertGreater(answer["nodes"][0]["releases"], 0)
        self.assertIn("reached its end", self.mistake(call(AUDIT, f"--trace={self.path}")))

    def wait_for_releases(self) -> None:
        """Returns when the running run has committed some."""
        for _ in range(1200):
            time.sleep(0.1)
            try:
                if self.query("SELECT 1 FROM ledger LIMIT 1"):
                    return
            except sqlite3.OperationalError:
                pass
        self.fail("no release was committed within two minutes")

    def test_a_public_export_holds_no_secret(self) -> None:
        output = self.folder / "public"
        done = analysis("export", self.path, "--to=csv", "--public", f"--output={output}")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 1), done.stderr)
        self.assertIn("share its noise and batches", done.stderr)
        self.assertNotIn(SEED, done.stderr)
        head = (output / "round_by_node.csv").read_text().splitlines()[0]
        self.assertEqual(head, "round,node,w,started_at,finished_at,w_smallest")
        self.assertFalse((output / "noise_by_round.csv").exists())
        self.assertTrue((output / "release.csv").exists())
        for file in output.iterdir():
            self.assertNotIn(SEED, file.read_text(), file.name)
        self.assertIn("exists; accepted", self.mistake(
            analysis("export", self.path, "--to=csv", f"--output={output}")
        ))

    def test_a_full_batch_is_shown_as_large_as_it_is(self) -> None:
        done = call(LEARN, *SMALL, "--rounds=2", "--sampler=full", "--overwrite",
                    f"--trace={self.path}")
        self.assertEqual(done.returncode, 0, done.stderr)
        size = "SELECT value FROM settings WHERE name = 'batchSize'"
        self.assertEqual(self.query(size), [("100",)])
        self.assertEqual(self.query("SELECT DISTINCT examples_drawn FROM round_by_node"), [(100,)])


if __name__ == "__main__":
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    unittest.main()
