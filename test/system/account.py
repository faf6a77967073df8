#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds `account` to its manners and to known values.

usage: account.py PATH-OF-DPDL-ACCOUNT [unittest arguments]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ACCOUNT = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
KEYS = ["epsilon", "delta", "accountant", "certified", "lower", "error", "adjacency", "sampler"]
KEYS += ["warnings"]
CLAIM_KEYS = ["claimed", "certified_epsilon", "reason", "schedule"]
STEPS = ["--noise=1.1", "--rate=0.01", "--steps=1000", "--delta=1e-5"]
DYN = ["--localSamples=2500", "--rounds=3500", "--delta=1e-4", "--mode=paper"]

# Steps, and the exact epsilon: GDP in closed form, the rest by inversion of the Laplace transform.
KNOWN = [
    (["--noise=2", "--sampler=none", "--steps=1", "--delta=1e-5"], 1.993091403997),
    (["--noise=2", "--sampler=none", "--steps=4", "--delta=1e-5"], 4.37717809568),
    (["--noise=0.4395489749375908", "--rate=4e-4", "--steps=3500", "--delta=1e-4"], 3.02070879003),
    (["--noise=0.3756760521475084", "--rate=4e-4", "--steps=3500", "--delta=1e-4"], 5.75808241072),
]

# An algorithm with its options; what is claimed; what is true.
CLAIMS = [
    (["--algorithm=const-d2p", *DYN, "--epsilon=0.3"], 0.3, 0.6692529242472061),
    (["--algorithm=const-d2p", *DYN, "--epsilon=1"], 1.0, 3.0207087901228804),
    (["--algorithm=const-d2p", *DYN, "--epsilon=3"], 3.0, 5.75808241072),
    (["--algorithm=const-d2p", *DYN, "--epsilon=0.3", "--batchSize=64"], 0.3, 38.02455346193463),
]


def account(*options: str) -> subprocess.CompletedProcess:
    return subprocess.run([ACCOUNT, *options], capture_output=True, text=True, check=False)


class AccountTest(unittest.TestCase):
    """Runs the program and looks at what it says."""

    def answer(self, *options: str) -> dict:
        """The JSON object, which must stand alone on standard output."""
        result = account(*options, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout, parse_constant=self.fail)

    def assert_refused(self, result: subprocess.CompletedProcess, words: list[str]) -> None:
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_mistakes(self) -> None:
        """Those that refusals.tsv has no row for."""
        self.assert_refused(account("--noise=1\n2", *STEPS[1:]), ["noise", "1\\n2"])
        with tempfile.TemporaryDirectory() as folder:
            self.assert_refused(account(f"--schedule={folder}", "--delta=1e-5"), [folder])

    def test_a_byte_order_mark_and_foreign_line_ends_are_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "schedule.csv"
            path.write_bytes(b"\xef\xbb\xbfnoise,rate,steps\r\n1.1,0.01,1000\r\n")
            from_file = self.answer(f"--schedule={path}", "--delta=1e-5")
        self.assertEqual(from_file["epsilon"], self.answer(*STEPS)["epsilon"])

    def test_known_values(self) -> None:
        for options, exact in KNOWN:
            with self.subTest(options=options):
                found = self.answer(*options)
                self.assertEqual(list(found), KEYS)
                self.assertIs(found["certified"], True)
                self.assertGreaterEqual(found["epsilon"], exact * (1 - 1e-9))
                self.assertLessEqual(found["epsilon"], exact + 1e-3)
                self.assertLessEqual(found["lower"], found["epsilon"])
                self.assertGreaterEqual(found["epsilon"] - found["error"], exact - 1e-3)

    def test_a_table_explains_every_line(self) -> None:
        result = account(*STEPS)
        self.assertEqual(result.returncode, 0)
        for line in result.stdout.splitlines():
            self.assertRegex(line, r"^\S+ +\S+ +\S+")
        epsilon = re.search(r"^epsilon +(\S+)", result.stdout, re.MULTILINE).group(1)
        self.assertAlmostEqual(float(epsilon), self.answer(*STEPS)["epsilon"], 8)

    def test_every_accountant_of_the_list(self) -> None:
        """An accountant that has no answer says so; the certified ones agree about bounds."""
        names = account(*STEPS, "--accountant=?").stderr.split("one of ")[1].strip().split(", ")
        self.assertIn("pld", names)
        exact = self.answer(*STEPS)["lower"]
        for name in names:
            with self.subTest(accountant=name):
                found = self.answer(*STEPS, f"--accountant={name}")
                self.assertEqual(found["accountant"], name)
                if found["epsilon"] == "inf":
                    self.assertIs(found["certified"], False)
                    self.assertNotEqual(found["warnings"], [])
                elif found["certified"]:
                    self.assertGreaterEqual(found["epsilon"], exact)

    def test_claimed_and_certified(self) -> None:
        for options, claimed, exact in CLAIMS:
            with self.subTest(options=options):
                found = self.answer(*options)
                self.assertEqual(list(found), [*KEYS, *CLAIM_KEYS])
                self.assertAlmostEqual(found["claimed"], claimed, 9)
                self.assertEqual(found["certified_epsilon"], found["epsilon"])
                self.assertGreaterEqual(found["epsilon"], exact * (1 - 1e-6))
                self.assertLessEqual(found["epsilon"], exact * 1.001)
                self.assertIsNone(found["reason"])

    def test_help_lists_every_option(self) -> None:
        result = account("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        listed = account("--?").stderr.split("one of ")[1].strip().split(", ")
        self.assertGreater(len(listed), 20)
        for name in listed:
            self.assertIn(f"\n  --{name}", result.stdout)
            page = (ROOT / "doc/privacy.md").read_text(encoding="utf-8")
            self.assertIn(f"--{name}", page)

    def test_the_page_shows_the_example(self) -> None:
        example = (ROOT / "test/core/accounting/api-example.cc").read_text(encoding="utf-8")
        page = (ROOT / "doc/privacy.md").read_text(encoding="utf-8")
        self.assertIn(example[example.index("#include") :].strip(), page)


if __name__ == "__main__":
    unittest.main()
