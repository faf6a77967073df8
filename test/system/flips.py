#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces with a byte that is not as it was: `inspect --check` finds each that says something else.

usage: flips.py PATH-OF-LEARN PATH-OF-DPDL-AUDIT PATH-OF-DPDL-OBSERVE [--flips=N] [--pages=K]
       [unittest arguments]

A trace with every kind of row is written, and then N times one byte of it changed, at random. If
any view, setting or part of the schema then differs, `inspect --check` must not end with 0. No
command may crash on any of them: a mistake is one line and exit code 1 or 2. Every K-th flip also
goes through `report`, which takes a second; 0: none.
"""

import argparse
import contextlib
import io
import random
import sqlite3
import sys
import unittest
from contextlib import closing
from pathlib import Path

from program_case import ANALYSIS, ProgramCase

sys.path.insert(0, str(ANALYSIS.parent))

from dpdl_analysis.cli import main  # noqa: E402  (the path comes first)

RUN = [
    *("--dataset=blobs", "--model=softmax-regression", "--nodes=6", "--samples=300"),
    *("--testSamples=100", "--batchSize=16", "--rounds=8", "--evaluateEvery=3"),
    *("--snapshotEvery=3", "--workers=1", "--progress=none", "--traceLevel=noise"),
    "--accountant=rdp",  # the quickest
    *("--drop=0.1", "--fail=link 0->1 down at 20ms for 60ms", "--trace=run.db"),
]
COMMANDS = (
    ("inspect", "{}"),
    ("inspect", "{}", "--check"),
    ("table", "{}", "run.db"),
    ("compare", "run.db", "{}"),
    ("export", "{}", "--output=all", "--overwrite"),
    ("export", "{}", "--output=public", "--public", "--overwrite"),
    ("merge", "merged.db", "{}", "--overwrite"),
)
REPORT = ("report", "{}", "--output=report.html")


class _Text(bytes):
    """A TEXT as it is stored."""


def content(path: Path, views: list[str]) -> object:
    """Everything that the views and the schema say; None if SQLite cannot say."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
            database.text_factory = _Text
            asked = ["SELECT type, name, tbl_name, sql FROM sqlite_master"]
            asked += ["PRAGMA user_version", "PRAGMA application_id"]
            asked += [f'SELECT * FROM "{view}"' for view in views]
            found = [database.execute(sql).fetchall() for sql in asked]
            return repr([[[type(item), item] for item in row] for rows in found for row in rows])
    except (sqlite3.Error, OverflowError, UnicodeDecodeError):
        return None


def call(*arguments: str) -> tuple[int, str]:
    """A command's exit code, and what it says on standard error."""
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        return main(arguments), err.getvalue()


class FlipsTest(ProgramCase):
    """One byte at a time."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(contextlib.chdir(self.folder))
        self.done(LEARN, *RUN)
        self.done(AUDIT, "--trace=run.db", "--runs=1000")
        self.views = [row[0] for row in self.rows("run.db", "SELECT name FROM sqlite_master "
                                                            "WHERE type = 'view'")]

    def done(self, *command: str) -> None:
        """Runs a program that has to end well."""
        done = self.run_program(*command)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_written_is_sound(self) -> None:
        self.assertEqual(call("inspect", "run.db", "--check"), (0, ""))

    def test_no_flip_stays_hidden_or_ends_in_a_crash(self) -> None:
        original = Path("run.db").read_bytes()
        before = content(Path("run.db"), self.views)
        self.assertIsNotNone(before)
        draw, changed = random.Random(17), 0
        for number in range(FLIPS):
            place, mask = draw.randrange(len(original)), draw.randrange(1, 256)
            flipped = bytearray(original)
            flipped[place] ^= mask
            path = Path("flipped.db")
            path.write_bytes(flipped)
            with self.subTest(number, place=place, mask=mask):
                differs = content(path.absolute(), self.views) != before
                changed += differs
                found = self.exit_codes(number, str(path))
                self.assertTrue(found != 0 or not differs, "inspect --check has not found it")
        self.assertGreater(changed, FLIPS // 4)
        print(f"{changed} of {FLIPS} flips changed what the trace says", file=sys.stderr)

    def exit_codes(self, number: int, path: str) -> int:
        """Gives the file to every command; the exit code of `inspect --check`."""
        commands = [*COMMANDS, REPORT] if PAGES and number % PAGES == 0 else COMMANDS
        codes = {}
        for command in commands:
            codes[command] = self.held(command, *call(*(word.format(path) for word in command)))
        for command in ([OBSERVE, path], [OBSERVE, path, "--observer=node:1"],
                        [AUDIT, f"--trace={path}", "--runs=1000"]):
            done = self.run_program(*command)
            self.held(command, done.returncode, done.stderr)
        return codes[COMMANDS[1]]

    def held(self, command: object, code: int, err: str) -> int:
        """An exit code that a command may have, with the line that goes with it."""
        self.assertIn(code, (0, 1, 2), (command, err))
        self.assertNotIn("Traceback", err, command)
        if code == 2:
            self.assertEqual(err.count("\n"), 1, (command, err))
        return code


if __name__ == "__main__":
    LEARN, AUDIT, OBSERVE = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(3))
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--flips", type=int, default=60)
    parser.add_argument("--pages", type=int, default=0)
    options, rest = parser.parse_known_args()
    FLIPS, PAGES = options.flips, options.pages
    unittest.main(argv=[sys.argv[0], *rest])
