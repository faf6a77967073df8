# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on this machine, side by side."""

from dpdl_analysis.sweep.folder import Folder
from dpdl_analysis.sweep.packing import packing
from dpdl_analysis.sweep.plan import Run
from dpdl_analysis.sweep.runner import Runner


class LocalEngine:
    """As many at a time as packing() says. What it starts dies with it."""

    interval = 0.01
    """Seconds between two looks."""

    def __init__(self, folder: Folder, jobs: int | None) -> None:
        self._folder = folder
        self._jobs = jobs
        self._runner: Runner | None = None

    def attach(self) -> bool:
        """Whether runs of an earlier call go on: never, they died with it."""
        return False

    def start(self, runs: list[Run]) -> None:
        """Makes the runs, as many at a time as there is room for."""
        packed = packing(self._folder.plan, runs, self._jobs)
        self._folder.write_commands(runs, packed.workers, packed.needs)
        self._runner = Runner(self._folder.work, packed.jobs, packed.memory, packed.gpus)
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
