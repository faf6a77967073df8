#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/on-device.py and the CUDA code, as far as no device is needed.

usage: on_device.py BUILD NVCC [unittest arguments]
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, NVCC = sys.argv[1:3]
del sys.argv[1:3]
ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
TORCH = "LibTorch on the device, a batch in one pass"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def step(model: str, torch: float) -> dict[str, object]:
    others = [{"with": "cuBLAS: its products alone", "median": 9.0}, {"with": TORCH, "median": torch}]
    return {"what": f"step of 20 nodes, {model}, batch 64", "comparisons": others}


def distance(value: float) -> dict[str, object]:
    goal = {"at_most": 0.001, "met": value <= 0.001}
    return {"what": "distance of the states", "median": value, "goal": goal, "comparisons": []}


class ScriptTest(unittest.TestCase):
    def test_the_plan_has_every_step_in_order(self) -> None:
        result = run(TOOLS / "on-device.py", "--dry-run", "--nodes=20,200", "--models=mlp")
        self.assertEqual(result.returncode, 0, result.stderr)
        steps = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
        self.assertEqual(steps, ["build", "test", "bench", "agreement", "profile", "verdict"])
        for part in ("-DDPDL_WITH_NS3=OFF", "test-cuda", "test-training", "--model=mlp", "ncu"):
            self.assertIn(part, result.stdout)

    def test_mistakes_get_one_line_before_any_work(self) -> None:
        mistakes = ["--nodes=many", "--torch=/dev/null", "--build=/dev/null", "--steps=all", "--bogus"]
        if run("sh", "-c", "nvidia-smi").returncode != 0:
            mistakes.append("--models=mlp")  # there is no device
        for option in mistakes:
            with self.subTest(option):
                result = run(TOOLS / "on-device.py", option)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertEqual(result.stdout, "")


class VerdictTest(unittest.TestCase):
    def ask(self, step: str, rows: list[dict[str, object]]) -> tuple[int, list[str]]:
        with tempfile.TemporaryDirectory() as folder:
            figures = Path(folder) / "device.json"
            figures.write_text(json.dumps({"rows": rows}), encoding="utf-8")
            result = run(TOOLS / "on-device.py", f"--steps={step}", f"--figures={figures}")
            return result.returncode, result.stdout.splitlines()

    def test_the_shorter_program_stays_if_it_reaches_half_the_speed_everywhere(self) -> None:
        both = self.ask("verdict", [step("cnn-s", 1.5), step("cnn-m", 2.1)])[1]
        self.assertIn("both programs stay", both[-2])
        shorter = self.ask("verdict", [step("cnn-s", 1.5), step("cnn-m", 2.0)])[1]
        self.assertIn("the shorter program stays", shorter[-2])
        self.assertIn("none", self.ask("verdict", [])[1][-2])

    def test_states_that_are_far_apart_are_a_failure(self) -> None:
        self.assertEqual(self.ask("agreement", [distance(1e-6)])[0], 0)
        self.assertEqual(self.ask("agreement", [distance(1e-6), distance(0.1)])[0], 1)
        self.assertEqual(self.ask("agreement", [])[0], 1)

    def test_the_threshold_is_the_last_line(self) -> None:
        row = {"what": "a round is faster on the device from", "median": 2.5e9, "comparisons": []}
        for rows, value in (([row], "2.5e+09"), ([], "never")):
            last = self.ask("verdict", rows)[1][-1]
            self.assertEqual(last, f"threshold of --device=auto: {value}")

    def test_what_is_no_file_of_figures_is_refused(self) -> None:
        result = run(TOOLS / "on-device.py", "--steps=agreement", "--figures=/dev/null")
        self.assertEqual((result.returncode, len(result.stdout.splitlines())), (1, 1))


class BundleTest(unittest.TestCase):
    def test_a_bundle_needs_nothing_of_this_machine(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            inside, command = folder, []
            if os.geteuid() == 0 and shutil.which("debootstrap"):
                suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
                made = run("debootstrap", "--variant=minbase", suite, folder)
                self.assertEqual(made.returncode, 0, made.stdout)
                inside, command = "", ["chroot", folder]
            elif shutil.which("nvidia-smi"):
                self.skipTest("needs root and debootstrap on a machine with a device")
            run(TOOLS / "on-device.py", f"--build={BUILD}", f"--bundle={folder}/bundle")
            path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
            result = run(*command, "env", "-i", path, f"{inside}/bundle/run.sh", f"{inside}/results")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("no CUDA device", result.stdout)
            self.assertEqual(len(re.findall("exit code 0, .*accuracy", result.stdout)), 8, result.stdout)


class CodeTest(unittest.TestCase):
    def test_no_kernel_has_twice_the_instructions_recorded(self) -> None:
        """All instructions of sm_90 have 16 bytes."""
        recorded = json.loads(Path(__file__).with_name("kernels.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            code = f"{folder}/cubin"
            run(NVCC, "-O3", "-DNDEBUG", "-std=c++17", "-arch=sm_90", "-cubin", "-o", code,
                ROOT / "contrib/dpdl/core/src/training/cuda/cuda-executor.cu")
            symbols = run("readelf", "--symbols", "--wide", "--demangle", code).stdout
        kernels = re.findall(r"(\d+) FUNC .*::(CallBody|SumRow)<dpdl::cuda::(\w+)>", symbols)
        found = {f"{kind} {name}": int(size) // 16 for size, kind, name in kernels}
        self.assertEqual(set(found), set(recorded), found)
        longer = [name for name, count in found.items() if count >= 2 * recorded[name]]
        self.assertEqual(longer, [], found)


if __name__ == "__main__":
    unittest.main()
