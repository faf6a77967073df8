# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes runs, each in a child process that ends with this process.

usage: python3 -m dpdl_analysis.sweep.runner WORK TASK TASKS
A task of a Slurm job array runs this program. A run writes into WORK/parts. When the run ends, its
files move to WORK/ended: HASH.err (its standard error), HASH.db (its trace), then HASH, the record.
The record has the exit code, wall-clock and CPU time in microseconds. If the run was killed before,
RESUMED or REPEATED follows: it resumed from its trace in WORK/parts, or began again.
"""

import ctypes
import fcntl
import json
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

from dpdl_analysis.resuming import environment_of, origin_of
from dpdl_analysis.trace import UsageError

DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
FEATURES = "features"
"""Folder in WORK of the features of datasets that runs share."""
INTERRUPTED = (130, 143)
"""Exit codes of a run that SIGINT or SIGTERM interrupted. Such a run is still pending."""
RESUMED, REPEATED = "yes", "no: "
"""Marks of a run that was killed before: it resumed, or began again for the reason that follows."""


@dataclass
class _Running:
    """A run whose process has been started and not yet collected."""

    command: dict[str, Any]
    folder: Path
    begin: float
    process: subprocess.Popen[bytes]
    resumed: str
    """RESUMED, or REPEATED and a reason; "" if the run was not interrupted before."""
    gpu: str
    """GPU reserved for the run, as in CUDA_VISIBLE_DEVICES; "" if none is reserved."""

    @property
    def hash(self) -> str:
        return str(self.command["hash"])


class Runner:
    """Starts and collects parallel runs. Only one thread may use it."""

    def __init__(self, work: Path, jobs: int, memory: float = math.inf,
                 gpus: Sequence[str] = ()) -> None:
        """`work` is the folder .sweep of the campaign. At most `jobs` runs are parallel, with at
        most `memory` bytes in total. Each run on a GPU reserves one of `gpus`, if there are any."""
        self._work, self._jobs, self._memory, self._gpus = work, jobs, memory, gpus
        self._session = f"{int(time.time())}-{os.getpid()}"
        self._waiting: list[dict[str, Any]] = []
        self._running: list[_Running] = []
        # All runs inherit this shared lock until they end. Some file systems have no locks.
        self._lock = os.open(work / "running", os.O_RDWR | os.O_CREAT, 0o666)
        with suppress(OSError):
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def begin(self, lines: list[str]) -> None:
        """Sets the pending runs: lines of JSON from Folder.write_commands()."""
        self._waiting = [json.loads(line) for line in reversed(lines)]

    def active(self) -> bool:
        """Collects ended runs and starts pending ones. False once no run is left."""
        for run in list(self._running):
            if self._has_ended(run):
                self._running.remove(run)
        while self._waiting and self._has_room(self._waiting[-1]):
            command = self._waiting.pop()
            # A task that the cluster restarts skips the runs that have ended.
            if not (self._work / "ended" / command["hash"]).exists():
                self._running.append(self._go_on(command))
        return bool(self._running)

    def _has_room(self, command: dict[str, Any]) -> bool:
        """True if the limits allow this run next to the running ones, or no run is running."""
        if not self._running:
            return True
        taken = sum(run.command.get("need", 0.0) for run in self._running)
        fits = taken + command.get("need", 0.0) <= self._memory
        has_gpu = not (command.get("gpu") and self._gpus) or bool(self._free_gpus())
        return len(self._running) < self._jobs and fits and has_gpu

    def _free_gpus(self) -> list[str]:
        return [gpu for gpu in self._gpus if all(run.gpu != gpu for run in self._running)]

    def stop(self) -> None:
        """Kills all runs and forgets the pending ones."""
        for run in self._running:
            run.process.kill()
            run.process.wait()
        self._running, self._waiting = [], []

    def _go_on(self, command: dict[str, Any]) -> _Running:
        """Resumes the run from the trace of its killed process; starts it if there is no trace."""
        left = max((self._work / "parts").glob(f"*/{command['hash']}/*.db"),
                   key=lambda path: path.stat().st_mtime, default=None)
        if left is None:
            return self._start(command, "")
        try:
            origin = origin_of(left)
        except (UsageError, sqlite3.Error) as error:
            return self._start(command, REPEATED + _plain(str(error), left))
        if origin is None:
            return self._start(command, REPEATED + "it was complete, and its end is not known")
        words = [command["words"][0], f"--resume={left}"]
        return self._launch(command, left.parent, words, RESUMED, environment_of(origin))

    def _start(self, command: dict[str, Any], resumed: str) -> _Running:
        for old in (self._work / "parts").glob(f"*/{command['hash']}"):
            shutil.rmtree(old, ignore_errors=True)
        folder = self._work / "parts" / self._session / command["hash"]
        folder.mkdir(parents=True)
        names = [f"--trace={folder / 'trace.db'}"] if command["names"] else []
        return self._launch(command, folder, [*command["words"], *names], resumed)

    def _launch(self, command: dict[str, Any], folder: Path, words: list[str], resumed: str,
                environment: dict[str, str] | None = None) -> _Running:
        parent = os.getpid()
        begin = time.monotonic()
        # Runs share the features of a dataset: one run computes them, the others read them.
        environment = {**(environment or os.environ), "DPDL_FEATURES": str(self._work / FEATURES)}
        gpu = next(iter(self._free_gpus()), "") if command.get("gpu") else ""
        if gpu:
            environment["CUDA_VISIBLE_DEVICES"] = gpu
        with (folder / "err").open("wb") as error:
            process = subprocess.Popen(
                words, cwd=None if command["names"] else folder, stderr=error, env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[self._lock],
                preexec_fn=lambda: _die_with(parent))
        return _Running(command, folder, begin, process, resumed, gpu)

    def _has_ended(self, run: _Running) -> bool:
        # Popen.poll() does not report the CPU time of the process.
        pid, status, used = os.wait4(run.process.pid, os.WNOHANG)
        if pid == 0:
            return False
        run.process.returncode = os.waitstatus_to_exitcode(status)
        times = (time.monotonic() - run.begin, used.ru_utime + used.ru_stime)
        wall, processor = (round(1e6 * seconds) for seconds in times)
        code = run.process.returncode
        code = code if code >= 0 else 128 - code
        if code in INTERRUPTED:
            return True
        if code != 0 and run.resumed == RESUMED:
            # The program cannot resume from this trace. The run itself may succeed.
            lines = (run.folder / "err").read_text(errors="replace").splitlines()
            reason = lines[-1] if lines else f"exit code {code}"
            trace = next(run.folder.glob("*.db"), run.folder)
            again = self._start(run.command, REPEATED + _plain(reason, trace))
            self._running.append(again)
            return True
        ended = self._work / "ended"
        traces = list(run.folder.glob("*.db"))
        os.replace(run.folder / "err", ended / f"{run.hash}.err")
        if code == 0 and len(traces) == 1:
            os.replace(traces[0], ended / f"{run.hash}.db")
        record = run.folder / "record"
        record.write_text(f"{code} {wall} {processor} {run.resumed}".strip() + "\n")
        os.replace(record, ended / run.hash)
        shutil.rmtree(run.folder, ignore_errors=True)
        return True


def _plain(reason: str, trace: Path) -> str:
    """The reason in one line, without the path of the trace."""
    return " ".join(reason.replace(f"{trace}: ", "").replace(str(trace), "its trace").split())


def _die_with(parent: int) -> None:
    """Lets the new process die with its parent. Exits at once if the parent has died already."""
    ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(INTERRUPTED[0])


def main(work: Path, task: int, tasks: int) -> None:
    """Makes the runs of lines task (from 1), task + tasks, ... of `work`/commands, in sequence."""
    runner = Runner(work, 1)
    runner.begin((work / "commands").read_text(encoding="utf-8").splitlines()[task - 1 :: tasks])
    while runner.active():
        time.sleep(0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
