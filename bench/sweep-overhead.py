#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a sweep costs beyond its runs: seconds a run, from the first to the catalogue.

usage: sweep-overhead.py [--runs=1000] [--jobs=CORES] [--learn] [--build=DIR] [--output=FILE.json]

Beyond the runs means: wall time of the sweep times the jobs, less the wall times of all runs'
programs, over the number of runs. Without --learn the program copies a trace that `learn` made, so
that all the rest is seen; with --learn it is `learn` at tiny size. Prints a line, and what the
start alone takes, which is part of the first figure.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TINY = ["--nodes=4", "--rounds=2", "--samples=64", "--testSamples=32", "--batchSize=8",
        "--model=softmax-regression", "--traceLevel=summary", "--workers=1"]
COPY = """\
#!/bin/sh
for argument; do
    case $argument in
        --options=json) exec cat {folder}/options ;;
        --CheckRuns) exec cat >/dev/null ;;
        --trace=*) trace=${{argument#--trace=}} ;;
    esac
done
exec cp {folder}/template.db "$trace"
"""


def copying_build(folder: Path, learn: Path) -> Path:
    """A build folder whose learn copies a trace of the real one."""
    subprocess.run([learn, *TINY, f"--trace={folder}/template.db", "--progress=none"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with (folder / "options").open("w", encoding="utf-8") as text:
        subprocess.run([learn, "--options=json"], check=True, stdout=text)
    program = folder / "build" / "scenarios" / "learn"
    program.parent.mkdir(parents=True)
    program.write_text(COPY.format(folder=folder), encoding="utf-8")
    program.chmod(0o755)
    return folder / "build"


def measured(folder: Path, build: Path, runs: int, jobs: int) -> dict[str, float]:
    """Makes the sweep and sets its wall time beside that of its runs."""
    settings = "\n".join(
        f'{name} = "{value}"'
        for name, value in (option[2:].split("=") for option in TINY)
    )
    drops = ", ".join(f"{index / 1000:g}" for index in range(max(1, runs // 10)))
    (folder / "tiny.toml").write_text(
        f"[settings]\nrepetitions = {min(10, runs)}\n{settings}\n[vary]\ndrop = [{drops}]\n",
        encoding="utf-8")
    call = [sys.executable, "-B", ROOT / "analysis" / "dpdl-analysis", "sweep", "tiny.toml",
            f"--build={build}", f"--jobs={jobs}", "--progress=none"]
    walls = []
    for _ in range(2):
        # The second call finds all runs there: what is left is start and end.
        begin = time.monotonic()
        subprocess.run(call, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        walls.append(time.monotonic() - begin)
    with closing(sqlite3.connect(folder / "tiny-results" / "catalogue.db")) as catalogue:
        sums = "SELECT COUNT(*), SUM(process_seconds) FROM run"
        count, inside = catalogue.execute(sums).fetchone()
    return {"runs": count, "jobs": jobs, "wall_seconds": walls[0], "process_seconds": inside,
            "beyond_each_run": (walls[0] * jobs - inside) / count, "start_and_end": walls[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "default")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    folder = Path(tempfile.mkdtemp())
    try:
        build = options.build.absolute()
        if not options.learn:
            build = copying_build(folder, build / "scenarios" / "learn")
        found = measured(folder, build, options.runs, options.jobs)
    finally:
        shutil.rmtree(folder)
    print("{runs} runs, {jobs} at a time: {wall_seconds:.1f} s, {beyond_each_run:.3f} s a run "
          "beyond the run itself; start and end {start_and_end:.1f} s".format(**found))
    if options.output:
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
