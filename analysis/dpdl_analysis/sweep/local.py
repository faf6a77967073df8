# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on this machine, side by side by GNU parallel."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress

from dpdl_analysis.sweep.failure import SweepFailure
from dpdl_analysis.sweep.folder import TIED, Folder


class LocalEngine:
    """All cores, or as many as are asked for. What it starts dies with it."""

    interval = 0.1
    """Seconds between two looks."""

    def __init__(self, folder: Folder, jobs: int | None) -> None:
        """Raises SweepFailure without GNU parallel."""
        self._folder = folder
        self._jobs = jobs or len(os.sched_getaffinity(0))
        self._process: subprocess.Popen[bytes] | None = None
        _check_parallel()

    def attach(self) -> bool:
        """Whether runs of an earlier call go on: never, they died with it."""
        return False

    def start(self, runs: int) -> None:
        """Begins with the commands in the folder."""
        environment = {**os.environ, "PARALLEL_HOME": str(self._folder.work),
                       "PARALLEL_SHELL": "/bin/sh"}
        words = [*TIED, str(os.getpid()), "parallel", "--plain", "--will-cite", "--ungroup",
                 f"--jobs={self._jobs}", f"--arg-file={self._folder.commands}"]
        self._process = subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def active(self) -> bool:
        """Whether there may be more to collect."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> str:
        """Ends all runs; what is to be said about that."""
        if self._process is not None:
            # Its session: it starts processes of its own besides the runs.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        return "start it again to go on"

    def leftover(self) -> str:
        """Why runs did not end."""
        return "they were interrupted from outside"


def _check_parallel() -> None:
    if not shutil.which("setpriv"):
        raise SweepFailure("setpriv of util-linux is missing")
    if shutil.which("parallel"):
        done = subprocess.run(["parallel", "--version"], capture_output=True, check=False,
                              stdin=subprocess.DEVNULL)
        if done.stdout.startswith(b"GNU parallel"):
            return
    raise SweepFailure("GNU parallel is missing: ./dpdl setup --with=sweep, or apt-get install "
                       "parallel")
