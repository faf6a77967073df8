#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the need of memory and disk that `learn` states before work to what its runs take.

usage: need.py PATH-OF-LEARN [--all] [unittest arguments]
"""

import math
import os
import subprocess
import sys
import unittest

from program_case import ProgramCase
from words import merged

LEARN = sys.argv.pop(1)
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
USUAL = [
    *("--dataset=blobs", "--model=softmax-regression", "--testSamples=100", "--batchSize=1"),
    *("--workers=1", "--progress=none", "--evaluateEvery=0", "--rounds=2", "--trace=run.db"),
    "--checkpoint=1",  # by default they depend on time
]
FACTOR = 2.0

# Each has another part that grows: nodes, parameters, messages, rows. By default the first three.
RUNS = [
    ["--nodes=20", "--samples=1000", "--rounds=100"],
    ["--nodes=1000", "--samples=1000", "--rounds=20"],
    ["--nodes=1000", "--samples=4000", "--model=mlp", "--topology=out-degree:5"],
    ["--nodes=1000", "--samples=1000"],
    ["--nodes=4000", "--samples=4000"],
    ["--nodes=2000", "--samples=4000", "--model=mlp"],
    ["--nodes=500", "--samples=1000", "--topology=complete"],
    ["--nodes=20", "--samples=1000", "--rounds=3000"],
    ["--nodes=20", "--samples=400", "--rounds=20000", "--traceLevel=summary"],
    ["--nodes=20", "--samples=400", "--rounds=20000", "--traceLevel=summary",
     "--algorithm=const-d2p"],
    ["--nodes=100", "--samples=1000", "--network=packet", "--rounds=50"],
    ["--nodes=20", "--samples=400", "--network=packet", "--model=mlp", "--rounds=50"],
    ["--nodes=1000", "--samples=4000", "--model=mlp", "--workers=4", "--topology=out-degree:5"],
    ["--nodes=50", "--samples=1000", "--model=cnn-s", "--workers=4", "--batchSize=16"],
]


class NeedTest(ProgramCase):
    """Runs of which one part of the need is large each."""

    def stated(self, options: list[str]) -> dict[str, float]:
        """What the run says that it needs."""
        done = self.run_program(LEARN, *options, "--PrintNeed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}

    def taken(self, options: list[str]) -> dict[str, float]:
        """What it takes: the largest resident set, and the size of the trace."""
        with subprocess.Popen([LEARN, *options], cwd=self.folder, stdout=subprocess.DEVNULL) as run:
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        size = (self.folder / "run.db").stat().st_size
        (self.folder / "run.db").unlink()
        return {"memory": 1024.0 * usage.ru_maxrss, "disk": float(size)}

    def test_what_runs_state_grows_as_what_they_take(self) -> None:
        """How much the libraries of a system take is not stated: only what is more than that."""
        smallest = merged(*USUAL, *RUNS[0])
        least = {"taken": self.taken(smallest), "stated": self.stated(smallest)}
        for run in RUNS[1:] if ALL else RUNS[1:3]:
            options = merged(*USUAL, *run)
            more = {"taken": self.taken(options), "stated": self.stated(options)}
            for resource in ("memory", "disk"):
                taken, stated = (more[by][resource] - least[by][resource] for by in least)
                if resource == "memory" and stated < 2e7:
                    continue  # the allocator keeps as much
                with self.subTest(run=run, resource=resource, stated=stated, taken=taken):
                    self.assertGreater(taken, 0.0)
                    self.assertLess(abs(math.log(stated / taken)), math.log(FACTOR))


if __name__ == "__main__":
    unittest.main()
