#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Mistakes (refusals.tsv): exit code 2, one line with all words of the row, nothing left behind.
Rows whose words begin with `warned` are runs: exit code 0, a line for each of the other words.

usage: refusals.py PATH-OF-LEARN PATH-OF-DPDL-ACCOUNT PATH-OF-DPDL-AUDIT PATH-OF-DPDL-LIST
       PATH-OF-DPDL-OBSERVE PATH-OF-IOT PATH-OF-CELL PATH-OF-VEHICULAR [unittest arguments]
"""

import csv
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = {name: sys.argv.pop(1) for name in (
    "learn", "account", "audit", "list", "observe", "iot", "cell", "vehicular")}
TABLE = Path(__file__).with_name("refusals.tsv")
USUAL = [
    *("--rounds=1", "--nodes=3", "--model=softmax-regression", "--dataset=blobs", "--samples=90"),
    *("--testSamples=20", "--batchSize=10", "--progress=none"),
]
JOBS = 2
LIMIT = 20.0
"""Seconds; none takes one of them where nothing else runs."""


def prepare(folder: Path, setup: str) -> None:
    """What is there before the command: `mkdir NAME`, `mkfifo NAME` or `write NAME: TEXT`."""
    verb, _, rest = setup.partition(" ")
    if verb == "write":
        name, _, text = rest.partition(": ")
        (folder / name).write_bytes(text.encode("latin-1").decode("unicode_escape").encode("latin-1"))
    elif verb:
        {"mkdir": os.mkdir, "mkfifo": os.mkfifo}[verb](folder / rest)


def fault(row: dict[str, str]) -> str:
    """What is wrong with the answer to a mistake; nothing if it is as it should be."""
    program, *words = shlex.split(row["command"])
    wanted = (row["words"] or "").split(" | ")
    warned = wanted[0] == "warned"
    given = {word.split("=")[0] for word in words}
    usual = USUAL if program == "learn" else []
    words = [*(word for word in usual if word.split("=")[0] not in given), *words]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, row["setup"])
        before = sorted(folder.iterdir())
        try:
            done = subprocess.run([PROGRAMS[program], *words], cwd=folder, capture_output=True,
                                  timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return f"{row['command']}: no answer in {LIMIT} s"
        told = done.stderr.decode("utf-8", "replace")
        lines = told.splitlines()
        left = [path.name for path in sorted(folder.iterdir()) if path not in before]
        count = len(wanted) - 1 if warned else 1
        answer = (done.returncode, warned or done.stdout, len(lines), warned or left)
        if answer != ((0, True, count, True) if warned else (2, b"", 1, [])):
            return f"{row['command']}: {done.returncode}, {lines[:3]}, left {left}"
    missing = [word for word in wanted[warned:] if word not in told]
    if missing:
        return f"{row['command']}: {lines[0]} without {missing}"
    return ""


class RefusalsTest(unittest.TestCase):
    """Programs in empty folders."""

    def test_mistakes_are_refused(self) -> None:
        with TABLE.open(newline="") as file:
            table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        with ThreadPoolExecutor(JOBS) as pool:
            faults = [text for text in pool.map(fault, table) if text]
        self.assertEqual(len(faults), 0, "\n".join(faults))


if __name__ == "__main__":
    unittest.main()
