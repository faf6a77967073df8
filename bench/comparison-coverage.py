#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How often the intervals of paired comparisons cover known effects, and how narrow they are.

Usage: comparison-coverage.py WHAT-IF [--times=200] [--seeds=5] [--truth=2000] [--seed=1]

WHAT-IF is the built scenario. Each comparison has its own seeds; two effects are looked at:

* drop 0.2 -> 0.205 on messages lost: exactly 0.005 of the messages sent, as each is lost by itself;
* step size 0.05 -> 0.06 on loss and accuracy of a linear regression: as the mean over --truth runs
  with other random numbers, whose own error is a fiftieth of an interval.

A comparison covers if the effect is in its 95 % interval. `narrower` is the mean half-width of
unpaired (Welch) intervals over that of the paired ones, `median` the middle of these ratios.
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "analysis"))

from dpdl_analysis.comparison.difference import Difference, Quantity, differences, numbers  # noqa: E402
from dpdl_analysis.trace import Trace  # noqa: E402

Pair = tuple[dict[str, float], dict[str, float]]

TASK = [
    "--algorithm=sgp",
    "--dataset=linear-regression",
    "--model=linear-regression",
    "--partition=even",
    "--topology=complete",
    "--nodes=8",
    "--rounds=40",
    "--samples=400",
    "--testSamples=200",
    "--batchSize=10",
    "--evaluateEvery=20",
    "--stepSize=0.05",
    "--drop=0.2",
    "--progress=none",
]
DROP, STEP = "drop=0.205", "stepSize=0.06"
MORE_LOST = 0.005
LOST = Quantity("messages_lost", "messages lost")
LEARNT = (
    Quantity("loss_mean", "loss"),
    Quantity("accuracy_last_quarter", "accuracy, last quarter", "points", 100.0),
)


def runs(build: str, seed: int, repetitions: int, vary: list[str]) -> dict[str, list[Pair]]:
    """Pairs of base and variant for each variant, by run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "runs"
        options = [f"--seed={seed}", f"--repetitions={repetitions}", f"--outputDir={folder}"]
        options += [f"--vary={text}" for text in vary]
        command = [sys.executable, ROOT / "analysis" / "dpdl-analysis", "run", "what-if", f"--build={build}"]
        subprocess.run([*command, *TASK, *options], check=True, stdout=subprocess.DEVNULL)
        found: dict[str, dict[int, dict[str, float]]] = {}
        for entry in json.loads((folder / "campaign.json").read_text())["runs"]:
            with Trace(folder / entry["trace"]) as trace:
                variant = found.setdefault(entry["factors"]["variant"], {})
                variant[entry["run"]] = numbers(trace)
    base = found.pop("base")
    return {
        name: [(base[run], variant[run]) for run in sorted(base)] for name, variant in found.items()
    }


def report(change: str, quantity: Quantity, truth: float, pairs: list[Pair], seeds: int) -> None:
    """One line: how often the effect was covered, and how narrow the intervals were."""
    made: list[Difference] = [
        differences(pairs[first : first + seeds], (quantity,))[0]
        for first in range(0, len(pairs), seeds)
    ]
    covered = sum(one.paired.low <= truth <= one.paired.high for one in made)
    share = covered / len(made)
    error = math.sqrt(share * (1.0 - share) / len(made))
    narrower = sum(one.unpaired_half for one in made) / sum(one.paired.half for one in made)
    middle = statistics.median(one.gain for one in made)
    print(
        f"{change:16} {quantity.title:14} {truth:12.5g} {covered:5} of {len(made)}"
        f" = {100 * share:5.1f} % +- {100 * error:.1f} {narrower:10.1f} {middle:10.1f}",
        flush=True,
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of comparisons.")
    parser.add_argument("build", metavar="BUILD-FOLDER")
    for name, default in (("times", 200), ("seeds", 5), ("truth", 2000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    known = runs(options.build, options.seed + 1, options.truth, [STEP])["stepSize 0.06"]
    truths = differences(known, LEARNT)
    found = runs(options.build, options.seed, options.times * options.seeds, [DROP, STEP])
    print("change           number              effect               covered   narrower     median")
    lossy = found["drop 0.205"]
    report("drop 0.205", LOST, MORE_LOST * lossy[0][0]["messages_sent"], lossy, options.seeds)
    for one in truths:
        pairs = found["stepSize 0.06"]
        report("stepSize 0.06", one.quantity, one.paired.mean, pairs, options.seeds)


if __name__ == "__main__":
    main()
