# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on this machine, side by side: their engine, and how many there is room for."""

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Sequence

from dpdl_analysis.sweep.plan import Plan, Run
from dpdl_analysis.sweep.runner import Runner

if TYPE_CHECKING:
    from dpdl_analysis.sweep.folder import Folder

MARGIN = 1.2
"""A run takes up to so many times what it states; the test `system-need` holds it to that."""


@dataclass(frozen=True)
class Packing:
    """What runs may take together. They begin in their order, each when there is room for it."""

    jobs: int
    """So many at a time at most."""
    workers: int
    """Threads for each."""
    memory: float
    """Bytes for all that run at a time; infinity: not known."""
    needs: dict[str, float]
    """Bytes that a run takes, by its hash; empty: its program does not say."""
    gpus: list[str]
    """A run on a device takes one of them; empty: there are none."""
    reason: str
    """How many runs at a time, and why not more; one line."""


class LocalEngine:
    """As many at a time as packing() says. What it starts dies with it."""

    interval = 0.01
    """Seconds between two looks."""

    def __init__(self, folder: "Folder", jobs: int | None) -> None:
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


def packing(plan: Plan, runs: Sequence[Run], jobs: int | None) -> Packing:
    """How this machine makes runs of a plan side by side. `jobs` is what was asked for, if anything."""
    cores = len(os.sched_getaffinity(0))
    limits = [(jobs, "as --jobs says") if jobs else (cores, "one a core"), (len(runs), "all")]
    on_device = [is_on_device(run) for run in runs]
    gpus = _gpus() if any(on_device) else []
    if gpus and all(on_device):
        limits.append((len(gpus), "one a GPU"))
    most, why = min(limits, key=lambda limit: limit[0])
    most = max(1, most)
    memory, needs = _needs(plan, runs, cores // most)
    largest = max(needs.values(), default=0.0)
    at_a_time = max(1, int(min(most, memory / largest))) if largest else most
    if at_a_time < most:
        why = f"the largest takes up to {_gigabytes(largest)}, {_gigabytes(memory)} are free"
        memory, needs = _needs(plan, runs, cores // at_a_time)
    return Packing(most, max(1, cores // at_a_time), memory, needs, gpus,
                   f"{at_a_time} at a time: {why}")


def is_on_device(run: Run) -> bool:
    """Whether it computes on a GPU."""
    return run.options.get("device") == "cuda"


def _needs(plan: Plan, runs: Sequence[Run], workers: int) -> tuple[float, dict[str, float]]:
    """What memory is free, and what each run may take of it with so many threads."""
    more = {} if plan.gives_workers else {"workers": str(max(1, workers))}
    # Seeds change no need.
    alike = [{**run.options, **more, "seed": "1", "run": "1"} for run in runs]
    asked = {tuple(sorted(options.items())): options for options in alike}
    memory, stated = plan.program.needs(asked.values())
    by_options = dict(zip(asked, stated))
    needs = {run.hash: MARGIN * by_options[tuple(sorted(options.items()))]
             for run, options in zip(runs, alike) if stated}
    return memory, needs


def _gpus() -> list[str]:
    """The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return [name.strip() for name in visible.split(",") if name.strip()]
    try:
        done = subprocess.run(["nvidia-smi", "-L"], check=False, capture_output=True, text=True)
    except OSError:
        return []
    found = [line for line in done.stdout.splitlines() if line.startswith("GPU ")]
    return [str(number) for number in range(len(found))] if done.returncode == 0 else []


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.2g} GB"
