#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole runs with `--device=cuda`, whose device is the host: the library host-device is preloaded.

usage: device_run.py PATH-OF-LEARN PATH-OF-HOST-DEVICE [unittest arguments]
"""

import os
import re
import subprocess
import sys
import unittest

from program_case import ProgramCase, preloading

LEARN = sys.argv.pop(1)
HOST_DEVICE = sys.argv.pop(1)
SMALL = [
    "--model=mlp",
    "--samples=300",
    "--testSamples=200",
    "--nodes=6",
    "--rounds=8",
    "--evaluateEvery=3",
    "--workers=1",
    "--progress=none",
]
# Bytes of a state of `mlp`.
STATE = 4 * 101770
# Sensitivity of a device's sum of up to 128 examples over that of a sum in double precision.
FLOAT_SUMS = 1.0 + 2 * 128**2 * 2.0**-24

RUNS = {
    "lossless": [],
    "ideal, no noise": ["--algorithm=sgp", "--network=ideal"],
    "lossy": ["--drop=0.1", "--lossPolicy=running-sum"],
    "bytes": ["--payload=bytes"],
    "asynchronous": ["--schedule=asynchronous", "--compute=fixed:10ms:heterogeneous=3"],
    "crash": ["--fail=node 2 crash at 30ms for 40ms"],
}


class DeviceRunTest(ProgramCase):
    """Runs `learn` on the CPU and on the device."""

    def learn(self, device: str, *options: str, **env: str) -> subprocess.CompletedProcess[str]:
        return self.run_program(
            LEARN,
            *SMALL,
            f"--device={device}",
            f"--trace={device}.db",
            "--overwrite",
            *options,
            env={**(os.environ if device == "cpu" else preloading(HOST_DEVICE)), **env},
        )

    def test_runs_are_those_of_the_cpu(self) -> None:
        for name, options in RUNS.items():
            with self.subTest(name):
                for device in ("cpu", "cuda"):
                    result = self.learn(device, *options)
                    self.assertEqual(result.returncode, 0, result.stderr)
                tolerance = 1e-3 if "--algorithm=sgp" in options else 2.0 * (FLOAT_SUMS - 1.0)
                self.compare(
                    "SELECT round, node, loss FROM accuracy_by_node ORDER BY 1, 2", tolerance
                )
                # The six nodes before training.
                self.compare(
                    "SELECT node, accuracy, loss FROM accuracy_by_node ORDER BY round, 1", 1e-5, 6
                )
                self.compare(
                    "SELECT round, simulated_seconds, loss_mean, consensus_distance "
                    "FROM accuracy_by_round ORDER BY 1",
                    tolerance,
                )
                self.compare_releases()
                self.assertEqual(
                    self.rows("cuda.db", "SELECT value FROM settings WHERE name = 'gpu'"),
                    [("host",)],
                )

    def compare_releases(self) -> None:
        """Sums in float32 have a larger sensitivity, and as much more noise."""
        sql = "SELECT noise, sensitivity FROM release ORDER BY round, node"
        for found, expected in zip(self.rows("cuda.db", sql), self.rows("cpu.db", sql)):
            for value, wanted in zip(found, expected):
                if wanted > 0.0 and expected[0] > 0.0:
                    self.assertAlmostEqual(value / wanted, FLOAT_SUMS, delta=1e-6)

    def compare(self, sql: str, tolerance: float, rows: int = -1) -> None:
        """Compares the first rows; all by default."""
        expected = self.rows("cpu.db", f"{sql} LIMIT {rows}")
        found = self.rows("cuda.db", f"{sql} LIMIT {rows}")
        self.assertEqual(len(found), len(expected))
        self.assertGreater(len(found), 2)
        for row, other in zip(found, expected):
            for value, wanted in zip(row, other):
                self.assertAlmostEqual(value, wanted, delta=tolerance * abs(wanted) + 1e-9)

    def test_evaluations_leave_the_states_on_the_device(self) -> None:
        """The last step measures the state of each node on the host; nothing else fetches one."""
        for name in ("lossless", "lossy", "crash"):
            with self.subTest(name):
                result = self.learn("cuda", *RUNS[name])
                self.assertEqual(result.returncode, 0, result.stderr)
                fetched = int(re.findall(r"^fetched (\d+) bytes$", result.stderr, re.M)[-1])
                self.assertLess(fetched, 6.5 * STATE)

    def test_auto_takes_the_device_where_it_was_measured_to_be_faster(self) -> None:
        for threshold, options, expected in (
            ("1", [], ("cuda", "host")),
            ("1e30", [], ("auto", "none used")),
            ("1", ["--traceLevel=noise"], ("auto", "none used")),
            # Batches of everything may exceed what a device's sums are certified for.
            ("1", ["--sampler=full"], ("auto", "none used")),
        ):
            with self.subTest(f"{threshold} {options}"):
                result = self.learn("auto", *options, DPDL_DEVICE_THRESHOLD=threshold)
                self.assertEqual(result.returncode, 0, result.stderr)
                found = [
                    self.rows("auto.db", f"SELECT value FROM settings WHERE name = '{name}'")[0][0]
                    for name in ("device", "gpu")
                ]
                self.assertEqual(tuple(found), expected)

    def test_a_threshold_that_is_no_number_is_refused(self) -> None:
        result = self.learn("auto", DPDL_DEVICE_THRESHOLD="many")
        self.assertEqual(result.returncode, 2, result.stderr)
        lines = [line for line in result.stderr.splitlines() if "DPDL_DEVICE_THRESHOLD" in line]
        self.assertEqual(len(lines), 1, result.stderr)

    def test_a_device_that_fails_leaves_a_trace(self) -> None:
        result = self.learn("cuda", DPDL_TEST_FAIL_AFTER="40")
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = [line for line in result.stderr.splitlines() if "device" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn("unspecified launch failure", lines[0])
        self.assertIn("--device=cpu", lines[0])
        self.assertEqual(self.rows("cuda.db", "PRAGMA integrity_check"), [("ok",)])
        self.assertGreater(self.rows("cuda.db", "SELECT count(*) FROM round_by_node")[0][0], 0)


if __name__ == "__main__":
    unittest.main()
