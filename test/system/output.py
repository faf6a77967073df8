#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What programs do where their output is not taken, and what they show of foreign text.

usage: output.py PATH-OF-LEARN PATH-OF-CALIBRATE PATH-OF-DPDL-LIST PATH-OF-DPDL-ACCOUNT
       PATH-OF-DPDL-AUDIT PATH-OF-DPDL-OBSERVE [unittest arguments]
"""

import resource
import stat
import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

RUN = [
    *("--dataset=blobs", "--model=softmax-regression", "--nodes=6", "--samples=300"),
    *("--testSamples=100", "--batchSize=16", "--rounds=8", "--workers=1", "--progress=none"),
    "--accountant=rdp",  # the quickest
]
FULL = Path("/dev/full")
HOSTILE = ["a\nb", "\x1b[31mred", "\u009b31m", "x" * 100_000, "y " * 50_000]
LINE = 2100


class OutputTest(ProgramCase):
    """Programs in an empty folder."""

    def told(self, done: subprocess.CompletedProcess[str], code: int) -> None:
        """A failure is an exit code and a line that is harmless to a terminal."""
        self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), done.stderr[:500])
        self.assertLess(len(done.stderr), LINE)
        self.assertTrue(done.stderr.rstrip("\n").isprintable(), done.stderr[:500])

    @unittest.skipUnless(FULL.is_char_device(), "there is no /dev/full")
    def test_output_that_is_not_taken_is_a_failure(self) -> None:
        made = self.run_program(LEARN, *RUN, "--trace=run.db")
        self.assertEqual(made.returncode, 0, made.stderr)
        for command in (
            [LIST, "models"],
            [ACCOUNT, "--noise=1", "--rate=0.1", "--steps=10", "--delta=1e-5"],
            [AUDIT, "--trace=run.db", "--runs=1000"],
            [OBSERVE, "run.db"],
            [LEARN, "--help"],
            [LEARN, *RUN, "--trace=other.db"],
        ):
            with self.subTest(command[0]), FULL.open("w") as full:
                done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True,
                                      cwd=self.folder, check=False)
                self.told(done, 1)
                self.assertIn("standard output", done.stderr)

    def test_a_device_is_not_replaced(self) -> None:
        (self.folder / "device").symlink_to("/dev/null")
        self.told(self.run_program(CALIBRATE, "--output=device"), 2)
        self.assertTrue(stat.S_ISCHR(Path("/dev/null").stat().st_mode))
        self.assertTrue((self.folder / "device").is_symlink())

    def test_a_file_that_may_not_grow_is_told_like_a_full_disk(self) -> None:
        for limit in (8192, 65536, 262144):
            name = f"{limit}.db"
            done = subprocess.run(
                [LEARN, *RUN, f"--trace={name}"], cwd=self.folder, capture_output=True, text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
                check=False)
            with self.subTest(limit):
                self.told(done, 1)
                self.assertIn(name, done.stderr)
                if (self.folder / name).exists():
                    self.assertIn("INCOMPLETE", self.analyse("inspect", name).stdout)

    def test_foreign_text_is_told_on_one_harmless_line(self) -> None:
        for text in HOSTILE:
            for command in (
                [LEARN, f"--drop={text}"],
                [LEARN, f"--{text}=1"],
                [LEARN, text],
                [LEARN, *RUN, f"--topology=file:{text}"],
                [LIST, text],
                [ACCOUNT, f"--noise={text}"],
                [OBSERVE, text],
                [AUDIT, f"--trace={text}"],
            ):
                with self.subTest(text[:20], command=command[0]):
                    self.told(self.run_program(*command), 2)


if __name__ == "__main__":
    LEARN, CALIBRATE, LIST, ACCOUNT, AUDIT, OBSERVE = (
        str(Path(sys.argv.pop(1)).resolve()) for _ in range(6))
    unittest.main()
