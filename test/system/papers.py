#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The papers' studies: every file is accepted at both sizes, a tiny run ends with its tables.

usage: papers.py BUILD-FOLDER [unittest arguments]
"""

import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

BUILD = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "scenarios" / "papers"
TINY = [
    "--rounds=4",
    "--samples=2000",
    "--testSamples=50",
    "--batchSize=20",
    "--repetitions=2",
    "--jobs=2",
    "--evaluateEvery=1",
    "--progress=none",
]


class PapersTest(ProgramCase):
    """Runs the studies in an empty folder."""

    def run_paper(self, paper: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run_study(BUILD, paper, *arguments)

    def test_every_study_can_be_planned_at_both_sizes(self) -> None:
        for path in sorted(STUDIES.glob("*/*.toml")):
            for size in ([], ["--full"]):
                with self.subTest(path.parent.name, study=path.stem, size=size):
                    study = f"--study={path.stem}"
                    done = self.run_paper(path.parent.name, study, "--plan", *size)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertRegex(done.stdout, r"^\d+ variants, \d+ runs of learn, 0 done, \d+ at a time: .+\n"
                                     r"to be made: \d+ runs, (about [\d.e+]+ CPU hours by|CPU hours unknown) .+; "
                                     r"([\d.e+-]+ GB by their options, up to .+ GB of memory each|disk unknown)\n")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_tiny_study_ends_with_its_orders(self) -> None:
        done = self.run_paper("partpsp", "--study=table-3", *TINY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("of 4 published orders hold", done.stdout)
        folder = self.folder / "partpsp-table-3-results"
        self.assertEqual(len(list(folder.glob("*-?.db"))), 16)
        text = (STUDIES / "partpsp" / "table-3.toml").read_text(encoding="utf-8")
        self.assertEqual((folder / "study.toml").read_text(encoding="utf-8"), text)
        shown = subprocess.run(
            [ROOT / "analysis" / "dpdl-analysis", "figure", "partpsp", folder, "--markdown"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("of 4 published orders hold", shown.stdout)

    def test_mistakes_are_told_in_one_line(self) -> None:
        broken = self.folder / "broken.toml"
        cases = {
            "[settings]\nstepsize = 1\n[vary]\nnodes = [4]\n": "did you mean 'stepSize'",
            "findings = 'none'\n[vary]\nnodes = [4]\n": "line 1: 'findings' is unknown",
            "title = 'T'\n[vary]\nnodes = [4]\n": "no study of a paper ('expect' is missing)",
            "[search.clip]\n1 = 'x'\n[published]\n'clip=1' = 2\n[vary]\nnodes = [4]\n": "needs one FACTOR",
            "[serach.nodes]\n4 = 'few'\n[vary]\nnodes = [4]\n": "did you mean 'search'?",
        }
        for text, words in cases.items():
            with self.subTest(text):
                broken.write_text(text)
                done = self.run_paper("dyn-d2p", f"--study={broken}", "--plan")
                self.assert_refused(done, words)
        broken.write_text((STUDIES / "dyn-d2p" / "figure-5a.toml").read_text(encoding="utf-8"))
        done = self.run_paper("dyn-d2p", "--study=broken.toml", "--plan")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for study, words in (("table-22", "did you mean 'table-2'"), ("no.toml", "no.toml")):
            done = self.run_paper("dyn-d2p", f"--study={study}", "--plan")
            self.assert_refused(done, words)


if __name__ == "__main__":
    unittest.main()
