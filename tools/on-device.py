#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests and measures dpdl on the CUDA device of this machine (doc/cuda.md).

Builds the preset cuda without ns-3, runs the tests and `bench device`, profiles the slowest kernel,
and writes one file of results. A step that fails is named there, and the others go on. Exit code 1
if one failed, 2 after a mistake of the user.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
STEPS = ("build", "test", "bench", "agreement", "profile", "verdict")
SLOWER = 2.0
"""Largest ratio of a step's time, LibTorch to dpdl's kernels, at which LibTorch alone is kept."""
KERNELS = r"CallBody|SumRow|[A-Za-z0-9_]*gemm[A-Za-z0-9_]*"


def refuse(text: str) -> NoReturn:
    print(f"dpdl: on-device: {text}", file=sys.stderr)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """Prints one line for a mistake in the arguments, and exits with code 2."""

    def error(self, message: str) -> NoReturn:
        refuse(f"{message}; --help lists the options")


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                    allow_abbrev=False)
    parser.add_argument("--output", type=Path, default=ROOT / "build/on-device.md",
                        help="file of results (default: build/on-device.md)")
    parser.add_argument("--nodes", default="20,200,2000", help="numbers of nodes (%(default)s)")
    parser.add_argument("--models", default="mlp,cnn-s,cnn-m,resnet-18", help="networks (%(default)s)")
    parser.add_argument("--torch", default="", help="folder of a LibTorch with CUDA (default: that "
                        "of the Python, if it has one)")
    parser.add_argument("--python", default="python3", help="a Python with torch, and with opacus "
                        "and jax to compare with (%(default)s)")
    parser.add_argument("--build", type=Path, help="folder of an earlier build: skips that step")
    parser.add_argument("--steps", default=",".join(STEPS), help="some of %(default)s")
    parser.add_argument("--figures", type=Path, help="figures of an earlier `bench device`: prints "
                        "the steps agreement and verdict of them alone")
    parser.add_argument("--bundle", type=Path, help="only packs a build (default: build/default) in "
                        "this folder; its run.sh needs no compiler")
    parser.add_argument("--dry-run", action="store_true", help="prints the commands")
    parser.add_argument("--rehearse", action="store_true", help="runs in small on the CPU")
    options = parser.parse_args(arguments)
    if options.bundle and not options.build:
        options.build = ROOT / "build/default"

    def check(name: str, fits: bool, expected: str) -> None:
        if not fits:
            value = getattr(options, name)
            refuse(f"option '{name}': '{value}' is not accepted; expected {expected}")

    check("nodes", bool(re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.nodes)), "numbers with commas")
    check("steps", set(options.steps.split(",")) <= set(STEPS), f"some of {', '.join(STEPS)}")
    check("build", options.build is None or (options.build / "test/test-cuda").is_file(),
          "a folder with test/test-cuda")
    check("torch", not options.torch or (Path(options.torch) / "share/cmake/Torch").is_dir(),
          "a folder with share/cmake/Torch")
    return options


def answer_of(*command: str) -> str:
    """First line that a command prints; "" if it fails."""
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
    return text.strip().partition("\n")[0]


def device_field(name: str) -> str:
    return answer_of("nvidia-smi", f"--query-gpu={name}", "--format=csv,noheader", "--id=0")


class OnDevice:
    """The steps on one device: step_NAME() appends to `text`, and returns true on success."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.text = options, ""
        self.is_rehearsal, self.is_dry = options.rehearse, options.dry_run
        self.nodes, self.models = options.nodes, options.models
        if self.is_rehearsal:
            self.name, self.architecture = "the CPU, as a rehearsal", "80;90"
            self.nodes, self.models = "20", "mlp"
        else:
            self.name = device_field("name")
            self.architecture = device_field("compute_cap").replace(".", "") or "80;90"
            if not (self.name or self.is_dry or options.figures):
                refuse("no CUDA device: nvidia-smi finds none; --dry-run shows the commands, "
                       "--rehearse runs them on the CPU")
        folder = "on-device-rehearsal" if self.is_rehearsal else "on-device"
        self.build = (options.build or ROOT / "build" / folder).resolve()
        self.torch = options.torch or ("" if self.is_rehearsal else answer_of(
            options.python, "-c", "import os, torch\n"
            "if torch.version.cuda: print(os.path.dirname(torch.__file__))"))
        self.figures = options.figures or self.build / "device.json"
        self.slowest = [f"{self.build}/bench/device", "--nodes=20", "--model=cnn-m", "--quick",
                        "--python=off", f"--output={self.build}/profile.json"]

    def say(self, text: str) -> None:
        self.text += text + "\n"

    def run(self, *command: str | Path) -> bool:
        """Runs a command (--dry-run: prints it); true for exit code 0. CMake's output is logged."""
        words = [str(word) for word in command]
        if self.is_dry:
            self.say(f"  {shlex.join(words)}")
            return True
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
        shown = done.stdout
        if words[0] == "cmake":
            with open(f"{self.build}.log", "a", encoding="utf-8") as log:
                log.write(shown)
            shown = "" if done.returncode == 0 else "\n".join(shown.splitlines()[-15:])
        self.say(shown.rstrip("\n"))
        return done.returncode == 0

    def step_build(self) -> bool:
        if self.options.build:
            self.say(f"skipped: {self.options.build} was built before")
            return True
        torch = [f"-DDPDL_TORCH_ROOT={self.torch}"] if self.torch else []
        return self.run("cmake", "-S", ROOT, "--preset", "cuda", "-B", self.build,
                        "-DDPDL_WITH_NS3=OFF", f"-DDPDL_CUDA_ARCHITECTURES={self.architecture}",
                        *torch) and \
            self.run("cmake", "--build", self.build, "--target", "test-training", "test-cuda",
                     "bench-device", "host-device")

    def step_test(self) -> bool:
        passed = self.run(self.build / "test/test-cuda", "--gtest_brief=1")
        # A test that is skipped because there is no device has not passed.
        passed &= self.is_rehearsal or "needs a CUDA device" not in self.text
        few = ["--gtest_filter=Device*"] if self.is_rehearsal else []
        return self.run(self.build / "test/test-training", "--gtest_brief=1", *few) and passed

    def step_bench(self) -> bool:
        program = self.build / "bench/device"
        if not self.is_dry and not program.exists():
            self.say("ours is not built; a step of one node by other libraries:")
            for model in self.models.split(","):
                self.say(model)
                self.run(self.options.python, "-B", ROOT / "bench/peers/step_peers.py",
                         "--device=cuda", f"--model={model}")
            return False
        begin: list[str] = []
        end = [f"--python={self.options.python}"]
        if self.is_rehearsal:
            begin = ["env", f"LD_PRELOAD={self.build}/test/libhost-device.so"]
            end = ["--quick", "--python=off"]
        return self.run(*begin, program, f"--nodes={self.nodes}", f"--model={self.models}",
                        f"--output={self.figures}", *end)

    def rows(self, begin: str) -> list[dict[str, Any]]:
        """Results of `bench device` with names that begin so. Raises ValueError if none."""
        try:
            rows = json.loads(self.figures.read_text(encoding="utf-8"))["rows"]
        except (KeyError, OSError) as error:
            raise ValueError(f"{self.figures} has no figures of bench device: {error}") from error
        return [row for row in rows if row["what"].startswith(begin)]

    def step_agreement(self) -> bool:
        """Prints distances of states between device and CPU. True if all are within goals."""
        found = self.rows("distance of the states")
        for row in found:
            met = "met" if row["goal"]["met"] else "MISSED"
            self.say(f"{row['what']}: {row['median']:.3g}, {met}: at most {row['goal']['at_most']:g}")
        if not found:
            self.say("not measured")
        return bool(found) and all(row["goal"]["met"] for row in found)

    def step_profile(self) -> bool:
        if not self.is_dry and not shutil.which("nsys"):
            self.say("skipped: nsys is not installed")
            return True
        summary = ["nsys", "stats", "--report", "cuda_gpu_kern_sum", f"{self.build}/profile.nsys-rep"]
        if not (self.run("nsys", "profile", "--force-overwrite=true", "-o", f"{self.build}/profile",
                         *self.slowest) and self.run(*summary)):
            return False
        if not self.is_dry and not shutil.which("ncu"):
            self.say("skipped: ncu is not installed")
            return True
        kernel = re.search(KERNELS, self.text)
        return self.run("ncu", "--kernel-name", f"regex:{kernel.group() if kernel else 'CallBody'}",
                        "--launch-skip", "20", "--launch-count", "1", *self.slowest)

    def step_verdict(self) -> bool:
        """Compares LibTorch with dpdl's kernels on the device; sets the threshold of
        --device=auto."""
        times = [(row["what"], other["median"]) for row in self.rows("step of")
                 for other in row["comparisons"]
                 if other["with"].startswith("LibTorch on the device")]
        for what, ratio in times:
            self.say(f"{what}: LibTorch takes {ratio:.3g} times as long")
        if not times:
            self.say("verdict: none, LibTorch was not measured on the device")
        elif max(ratio for _, ratio in times) <= SLOWER:
            self.say("verdict: LibTorch reaches half the speed everywhere: the shorter program stays")
        else:
            self.say("verdict: LibTorch does not reach half the speed everywhere: both programs stay")
        for row in self.rows("round of"):
            for other in row["comparisons"]:
                self.say(f"{row['what']}: {other['median']:.3g} times as fast as {other['with']}")
        found = self.rows("a round is faster on the device from")
        value = f"{found[0]['median']:.6g}" if found else "never"
        self.say(f"threshold of --device=auto: {value}")
        if not found or self.is_rehearsal or self.options.figures:
            return True
        self.say(f"for other builds: cmake -B build/default -DDPDL_DEVICE_THRESHOLD={value}")
        return self.run("cmake", "-B", self.build, f"-DDPDL_DEVICE_THRESHOLD={value}")

    def take(self, step: str) -> bool:
        """Runs one step, with its output in `text`. True if it succeeded."""
        self.text = ""
        try:
            if self.is_dry and step in ("agreement", "verdict"):
                self.say(f"  reads {self.figures}")
                return True
            return bool(getattr(self, f"step_{step}")())
        except (OSError, ValueError) as error:
            self.say(str(error))
            return False

    def head(self) -> str:
        commit = answer_of("git", "-C", str(ROOT), "describe", "--always", "--dirty")
        release = re.search(r"release .*", answer_of("sh", "-c", "nvcc --version | grep release"))
        return "\n* ".join((
            f"# On a device\n\n* device: {self.name or 'none'}",
            f"compute capability: {self.architecture}; driver: {device_field('driver_version')}",
            f"compiler: {release.group() if release else 'nvcc not in PATH'}",
            f"LibTorch: {self.torch or 'the one that CMake finds'}",
            f"commit: {commit or 'unknown'}",
            f"date: {datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}")) + "\n"


def main(arguments: list[str]) -> int:
    options = parsed(arguments)
    if options.bundle:
        return subprocess.run([ROOT / "tools/bundle.sh", options.build, options.bundle],
                              check=False).returncode
    work = OnDevice(options)
    if options.figures:
        results = []
        for step in options.steps.split(","):
            if step in ("agreement", "verdict"):
                results.append(work.take(step))
                print(work.text, end="")
        return int(not all(results))
    if options.dry_run:
        for step in options.steps.split(","):
            work.take(step)
            print(f"{step}\n{work.text}", end="")
        return 0
    try:
        work.build.mkdir(parents=True, exist_ok=True)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(work.head(), encoding="utf-8")
    except OSError as error:
        refuse(f"option 'output': '{options.output}' is not accepted; expected a file that can be "
               f"written ({error.strerror})")
    failed = []
    for step in options.steps.split(","):
        print(f"dpdl: on-device: {step}", file=sys.stderr, flush=True)
        begin = time.monotonic()
        done = work.take(step)
        failed += [] if done else [step]
        with open(options.output, "a", encoding="utf-8") as output:
            output.write(f"\n## {step}: {'done' if done else 'FAILED'}, "
                         f"{time.monotonic() - begin:.0f} s\n\n~~~\n{work.text}~~~\n")
    ended = f"; failed: {' '.join(failed)}" if failed else ""
    print(f"dpdl: on-device: wrote {options.output}{ended}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
