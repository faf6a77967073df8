# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on a cluster, as a Slurm job array; each task makes a part of the runs."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from dpdl_analysis.sweep.folder import Folder
from dpdl_analysis.sweep.plan import Run
from dpdl_analysis.sweep.program import SweepFailure
from dpdl_analysis.trace import UsageError

MOST_TASKS = 64
"""Default number of tasks of a job array; Slurm's default limit is 1001."""

PACKAGE = Path(__file__).resolve().parents[2]
SCRIPT = """\
#!/bin/sh
# Written by ./dpdl sweep. Task I of N makes the runs of the lines I, I + N, ... of the file commands.
#SBATCH --job-name={name}
#SBATCH --array=1-{tasks}
#SBATCH --output={log}
#SBATCH --requeue
unset PYTHONHOME
export OMP_NUM_THREADS="${{OMP_NUM_THREADS:-1}}" OPENBLAS_NUM_THREADS="${{OPENBLAS_NUM_THREADS:-1}}"
export PYTHONPATH={package}
cd {here} || exit 1
exec {python} -PB -m dpdl_analysis.sweep.runner {work} "$SLURM_ARRAY_TASK_ID" {tasks}
"""


class SlurmEngine:
    """The job array of a folder, one at a time. It continues after this process ends."""

    interval = 1.0
    """Seconds between two calls of active(), which query the shared controller of the cluster."""

    def __init__(self, folder: Folder, jobs: int | None, options: str) -> None:
        """`jobs` is the number of tasks, `options` are arguments of sbatch. Raises SweepFailure
        without Slurm, UsageError for a path that sbatch cannot read."""
        if "\\" in str(folder.path) or not str(folder.path).isprintable():
            raise UsageError(f"outputDir '{folder.path}': sbatch reads no backslashes or ends of lines")
        self._folder = folder
        self._tasks = jobs or MOST_TASKS
        self._options = shlex.split(options)
        self._job = ""
        # The job's name identifies the folder in the queue, even if this process dies after sbatch.
        digest = hashlib.sha256(str(folder.path.resolve()).encode()).hexdigest()[:12]
        self._name = f"dpdl-{digest}"
        if not available():
            raise SweepFailure("Slurm's programs sbatch and squeue are missing; --engine=local "
                               "needs none")

    def attach(self) -> bool:
        """Attaches to the job array of an earlier process. False if none is queued or running."""
        jobs = self._queued()
        self._job = jobs[0] if jobs else ""
        return bool(jobs)

    def start(self, runs: list[Run]) -> None:
        """Submits the runs. Raises SweepFailure with sbatch's message if sbatch refuses the job."""
        self._folder.write_commands(runs)
        work = self._folder.work
        script = work / "slurm.sh"
        script.write_text(SCRIPT.format(
            name=self._name, tasks=min(self._tasks, len(runs)), here=shlex.quote(os.getcwd()),
            work=shlex.quote(str(work)), package=shlex.quote(str(PACKAGE)),
            python=shlex.quote(sys.executable), log=shlex.quote(str(work).replace("%", "%%") + "/slurm-%A_%a.log")))
        done = _call("sbatch", "--parsable", *self._options, str(script))
        if done.returncode != 0:
            answer = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
            raise SweepFailure(f"sbatch does not take the job: {answer}")
        self._job = done.stdout.strip().partition(";")[0]

    def active(self) -> bool:
        """True if the job array has queued or running tasks."""
        return bool(self._queued())

    def stop(self) -> str:
        """Leaves the job running. Returns advice for the user."""
        return f"Slurm job {self._job} goes on; start the sweep again to follow it" if self._job \
            else "start it again to go on"

    def cancel(self) -> list[str]:
        """Cancels the folder's jobs. Returns their names. Raises SweepFailure if scancel fails."""
        jobs = list(dict.fromkeys(self._queued()))
        for job in jobs:
            done = _call("scancel", job)
            if done.returncode != 0:
                raise SweepFailure(f"scancel does not end job {job}: {' '.join(done.stderr.split())}")
        return [f"Slurm job {job}" for job in jobs]

    def leftover(self) -> str:
        """Reason, for a message, that runs are still pending at the end."""
        return f"Slurm job {self._job} ended without them, see {self._folder.work}/slurm-*.log"

    def _queued(self) -> list[str]:
        """Identifiers of the folder's jobs; may repeat. Raises SweepFailure if squeue fails."""
        done = _call("squeue", "--noheader", "--me", f"--name={self._name}", "--format=%A",
                     "--states=PD,R,CG,CF,RQ,S,ST,RS,SO,SI,RH,RF,RD")
        if done.returncode != 0:
            raise SweepFailure(f"squeue does not answer: {' '.join(done.stderr.split())}")
        return done.stdout.split()


def available() -> bool:
    """True if the programs sbatch and squeue are installed."""
    return bool(shutil.which("sbatch") and shutil.which("squeue"))


def earlier(folder: Folder) -> SlurmEngine | None:
    """Engine of a folder that has submitted a Slurm job; None if it has not, or without Slurm."""
    was_used = (folder.work / "slurm.sh").exists()
    return SlurmEngine(folder, None, "") if was_used and available() else None


def _call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
