#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Searches for runs whose certificate is false, among random options of `learn`.

usage: false_certificates.py LEARN [--cases=N] [--first=K] [--seed=S] [--jobs=J] [--keep]

From the noise vectors of a run's trace, and from its options, follows what was released at least:
an epsilon by an accountant of the search's own (certificates/), which `certified` must never be
below. Sensitivities and sampling are those of the options; the run's table of releases is not read.
Case K of seed S is always the same run, but for noise of the system.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from certificates.cases import Case, make_case
from certificates.evidence import Trace
from certificates.verdict import Margin, Verdict, judge

COMMON = [
    "--testSamples=2",
    "--evaluateEvery=0",
    "--progress=none",
    "--overwrite",
]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
MOST_REFUSED = 0.25  # of the cases: more would leave too little of the search
SECONDS = 300  # that a run may take


@dataclass
class Outcome:
    """What became of a case."""

    number: int
    command: str
    refused: str = ""  # the program's line
    verdict: Verdict = field(default_factory=Verdict)


def call(learn: Path, folder: Path, options: list[str]) -> subprocess.CompletedProcess[str]:
    """Makes a run."""
    return subprocess.run(
        [learn, *options, *COMMON],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def call_or_raise(learn: Path, folder: Path, options: list[str]) -> None:
    """Makes a run that has to succeed."""
    done = call(learn, folder, options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(options)}: {done.stderr[-300:]}")


def local_examples(learn: Path, case: Case, folder: Path) -> list[int]:
    """How many examples each node owns: those of a full batch, where the options do not say it."""
    if case.local:
        return [case.local] * case.nodes
    names = ("partition", "nodes", "samples", "dataset", "model", "seed", "run")
    options = [one for one in case.options if one[2:].split("=")[0] in names]
    options += ["--algorithm=sgp", "--sampler=full", "--rounds=1", "--network=ideal"]
    call_or_raise(learn, folder, [*options, "--trace=full.db"])
    steps = Trace.read(folder / "full.db").steps
    return [steps[0, node][1] for node in range(case.nodes)]


def judge_run(learn: Path, seed: int, case: Case, folder: Path) -> Verdict:
    """The verdict over a run that is done, and over its companions."""
    trace = Trace.read(folder / "run.db")
    verdict = judge(case, trace, local_examples(learn, case, folder))
    return verdict


def try_case(learn: Path, seed: int, number: int, keep: bool) -> Outcome:
    """Runs a case and judges it."""
    case = make_case(seed, number)
    outcome = Outcome(number, " ".join(f"'{one}'" for one in [*case.options, *COMMON]))
    folder = Path(tempfile.mkdtemp(prefix=f"certificate-{number}-"))
    try:
        for name, text in case.files.items():
            (folder / name).write_text(text)
        done = call(learn, folder, [*case.options, "--trace=run.db", "--traceLevel=noise"])
        if done.returncode == 2:
            outcome.refused = done.stderr.strip().splitlines()[-1]
        elif done.returncode not in (0, 1) or not (folder / "run.db").exists():
            outcome.verdict.problems = [f"exit code {done.returncode}: {done.stderr[-300:]}"]
        else:
            outcome.verdict = judge_run(learn, seed, case, folder)
    except Exception as error:  # the number of the case belongs to any message
        outcome.verdict.problems = [f"{type(error).__name__}: {error}"]
    finally:
        if not (keep and outcome.verdict.problems):
            shutil.rmtree(folder)
    return outcome


def show(outcomes: list[Outcome], seconds: float) -> None:
    """Prints what was tried and found."""
    refused = [one for one in outcomes if one.refused]
    margins: dict[str, list[Margin]] = {}
    for one in outcomes:
        for margin in one.verdict.margins:
            margins.setdefault(margin.family, []).append(margin)
    infinite = Counter(
        (reason or "none").split(": ")[-1] for one in outcomes for reason in one.verdict.infinite
    )
    vectors = sum(one.verdict.vectors for one in outcomes)
    print(f"{len(outcomes)} cases in {seconds:.0f} s, {len(refused)} refused, {vectors} vectors")
    print(f"{'family':14} {'certificates':>12} {'least margin':>12} {'largest lower / certified':>26}")
    for family, all_of_it in sorted(margins.items()):
        least = min(one.certified - one.lower for one in all_of_it)
        ratio = max(one.lower / one.certified for one in all_of_it if one.certified > 0)
        print(f"{family:14} {len(all_of_it):12} {least:12.3g} {ratio:26.4f}")
    for reason, count in infinite.most_common():
        print(f"infinite: {count:6} {reason}")
    for line, count in Counter(one.refused for one in refused).most_common(12):
        print(f"refused:  {count:6} {line}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("learn", type=Path)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="leave the traces of failures")
    options = parser.parse_args()
    learn = options.learn.resolve()
    begin = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.cases)
        tasks = [pool.submit(try_case, learn, options.seed, k, options.keep) for k in numbers]
        outcomes = []
        for task in tasks:
            one = task.result()
            outcomes.append(one)
            if one.verdict.problems:
                print(f"case {one.number} of seed {options.seed}: {one.command}")
                print("".join(f"    {text}\n" for text in one.verdict.problems[:8]), flush=True)
    show(outcomes, time.monotonic() - begin)
    failed = sum(1 for one in outcomes if one.verdict.problems)
    refused = sum(1 for one in outcomes if one.refused)
    print(f"{failed} cases failed")
    return 1 if failed or refused > MOST_REFUSED * len(outcomes) + 2 else 0


if __name__ == "__main__":
    sys.exit(main())
