# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on this machine, side by side."""

from __future__ import annotations

import os

from dpdl_analysis.sweep.folder import Folder
from dpdl_analysis.sweep.runner import Runner


class LocalEngine:
    """All cores, or as many as are asked for. What it starts dies with it."""

    interval = 0.01
    """Seconds between two looks."""

    def __init__(self, folder: Folder, jobs: int | None) -> None:
        self._folder = folder
        self._cores = len(os.sched_getaffinity(0))
        self._jobs = jobs or self._cores
        self._runner: Runner | None = None

    def attach(self) -> bool:
        """Whether runs of an earlier call go on: never, they died with it."""
        return False

    def workers(self, runs: int) -> int:
        """Threads for each of so many runs: what is idle otherwise."""
        return max(1, self._cores // min(self._jobs, runs))

    def start(self, runs: int) -> None:
        """Begins with the commands in the folder."""
        self._runner = Runner(self._folder.work, self._jobs)
        self._runner.begin(self._folder.commands.read_text(encoding="utf-8").splitlines())

    def active(self) -> bool:
        """Whether there may be more to collect."""
        return self._runner is not None and self._runner.active()

    def stop(self) -> str:
        """Ends all runs; what is to be said about that."""
        if self._runner is not None:
            self._runner.stop()
        return "start it again to go on"

    def leftover(self) -> str:
        """Why runs did not end."""
        return "they were interrupted from outside"
