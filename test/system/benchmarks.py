#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the benchmarks to their manners and their JSON to its shape. No time is asserted.

usage: benchmarks.py FOLDER-OF-THE-PROGRAMS [unittest arguments]
"""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(sys.argv.pop(1))
ROOT = Path(__file__).resolve().parents[2]
NEEDED = {"accounting", "device", "gossip", "noise", "round", "scale", "step", "topology",
          "trace"}
NAMES = sorted(name for name in (path.stem for path in (ROOT / "bench").glob("*.cc"))
               if name in NEEDED or (FOLDER / name).exists())
KINDS = {"floor", "peer", "variant"}
FACTS = ["cpu", "compiler", "LibTorch", "cores", "vector instructions", "GLIBC_TUNABLES", "load"]


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FOLDER / name, *arguments], capture_output=True, text=True,
                          timeout=120, check=False)


class Manners(unittest.TestCase):
    """What every benchmark answers."""

    def test_help(self) -> None:
        for name in NAMES:
            with self.subTest(name):
                done = run(name, "--help")
                self.assertEqual(done.returncode, 0)
                self.assertIn(f"./dpdl bench {name}", done.stdout)
                self.assertIn("--output=", done.stdout)

    def check_mistake(self, name: str, mistake: str) -> None:
        with self.subTest(name=name, mistake=mistake):
            done = run(name, mistake)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn(f"bench {name}: ", done.stderr)

    def test_mistakes(self) -> None:
        for name in NAMES:
            self.check_mistake(name, "--ouput=x")
        for name, mistake in [("trace", "--output=/nowhere/x.json"), ("noise", "--repeats=0"),
                              ("step", "--model=cnn-x"), ("step", "--python=/nowhere"), ("topology", "--filter=[")]:
            self.check_mistake(name, mistake)


class Answers(unittest.TestCase):
    """What a short benchmark prints and writes."""

    def check(self, name: str, *arguments: str) -> list[dict]:
        """Rows of the JSON, whose shape is right."""
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder, "answer.json")
            done = run(name, "--quick", f"--output={output}", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(output.read_text())
        self.assertEqual(answer["benchmark"], name)
        for fact in FACTS:
            self.assertTrue(answer["machine"][fact])
        for row in answer["rows"]:
            self.assertIn(row["what"], done.stdout)
            self.check_numbers(row["repetitions"])
            for comparison in row["comparisons"]:
                self.assertIn(comparison["kind"], KINDS)
                self.assertIn(comparison["with"], done.stdout)
                self.check_numbers(comparison["seconds"])
                self.check_numbers(comparison["ratio"])
        return answer["rows"]

    def check_numbers(self, values: list[float]) -> None:
        self.assertTrue(values)
        for value in values:
            self.assertTrue(math.isfinite(value) and value >= 0.0)

    def test_noise(self) -> None:
        rows = self.check("noise")
        self.assertEqual(len(rows), 6)
        self.assertEqual({len(row["repetitions"]) for row in rows}, {3})
        kinds = {comparison["kind"] for row in rows for comparison in row["comparisons"]}
        self.assertEqual(kinds, {"floor", "peer"})

    def test_trace(self) -> None:
        rows = self.check("trace", "--repeats=1")
        self.assertEqual(rows[0]["goal"]["at_most"], 1.0)
        self.assertEqual(rows[0]["goal"]["met"], rows[0]["median"] <= 1.0)

    def test_step(self) -> None:
        rows = self.check("step", "--repeats=1", "--python=off")
        self.assertTrue(rows[1]["what"].startswith("mlp"))

    def test_filter(self) -> None:
        rows = self.check("topology", "--repeats=1", "--filter=^(exponential.* 10 %|ring)")
        self.assertEqual([row["what"].split(",")[0] for row in rows],
                         ["exponential", "ring: the bound"])

    def test_markdown(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = run("noise", "--quick", "--repeats=1", "--markdown", f"--output={folder}/x.json")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[1], "|---|---|---|---|---|---|")
        self.assertEqual({line.count("|") for line in lines}, {7})


if __name__ == "__main__":
    unittest.main()
