# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parallel runs on this machine: their engine, and their number by cores, memory and GPUs."""

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Sequence

from dpdl_analysis.sweep.plan import Plan, Run
from dpdl_analysis.sweep.runner import Runner

if TYPE_CHECKING:
    from dpdl_analysis.sweep.folder import Folder

MARGIN = 1.2
"""Memory reserved for a run, relative to its stated need; the test `system-need` checks it."""


@dataclass(frozen=True)
class Packing:
    """Limits of parallel runs. Runs start in order, as soon as the limits allow."""

    jobs: int
    """Maximum number of parallel runs."""
    workers: int
    """Threads of each run."""
    memory: float
    """Memory for all parallel runs, in bytes; infinity if unknown."""
    needs: dict[str, float]
    """Memory of a run in bytes, keyed by Run.hash; empty if its program does not report it."""
    disk: float
    """Size of the traces of all runs together, in bytes; 0 if unknown."""
    gpus: list[str]
    """Names of GPUs in the form of CUDA_VISIBLE_DEVICES. A run on a GPU gets one for itself."""
    reason: str
    """One line: the number of parallel runs, and the limit that determines it."""


class LocalEngine:
    """Makes parallel runs on this machine within packing()'s limits; runs end with this process."""

    interval = 0.01
    """Time between two calls of active(), in seconds."""

    def __init__(self, folder: "Folder", jobs: int | None) -> None:
        self._folder = folder
        self._jobs = jobs
        self._runner: Runner | None = None

    def attach(self) -> bool:
        """False: runs of an earlier process ended with that process."""
        return False

    def start(self, runs: list[Run]) -> None:
        """Starts the runs, within the limits of packing(). active() starts the later runs."""
        packed = packing(self._folder.plan, runs, self._jobs)
        self._folder.write_commands(runs, packed.workers, packed.needs)
        self._runner = Runner(self._folder.work, packed.jobs, packed.memory, packed.gpus)
        self._runner.begin(self._folder.commands.read_text(encoding="utf-8").splitlines())

    def active(self) -> bool:
        """Starts runs that the limits allow. False once all runs have ended."""
        return self._runner is not None and self._runner.active()

    def stop(self) -> str:
        """Kills all runs. Returns advice for the user."""
        if self._runner is not None:
            self._runner.stop()
        return "start it again to go on"

    def leftover(self) -> str:
        """Reason, for a message, that runs are still pending at the end."""
        return "they were interrupted from outside"


def packing(plan: Plan, runs: Sequence[Run], jobs: int | None) -> Packing:
    """Limits of parallel runs of a plan on this machine. `jobs` is option --jobs, or None."""
    cores = len(os.sched_getaffinity(0))
    limits = [(jobs, "as --jobs says") if jobs else (cores, "one a core"), (len(runs), "all")]
    on_device = [is_on_device(run) for run in runs]
    gpus = _gpus() if any(on_device) else []
    if gpus and all(on_device):
        limits.append((len(gpus), "one a GPU"))
    most, why = min(limits, key=lambda limit: limit[0])
    most = max(1, most)
    memory, needs, disk = _needs(plan, runs, cores // most)
    largest = max(needs.values(), default=0.0)
    at_a_time = max(1, int(min(most, memory / largest))) if largest else most
    if at_a_time < most:
        why = f"the largest takes up to {gigabytes(largest)}, {gigabytes(memory)} are free"
        memory, needs, disk = _needs(plan, runs, cores // at_a_time)
    workers = max(1, cores // at_a_time)
    if workers > 1 and "workers" in plan.program.usual and not plan.gives_workers:
        why += f", {workers} threads each"
    return Packing(most, workers, memory, needs, disk, gpus, f"{at_a_time} at a time: {why}")


def is_on_device(run: Run) -> bool:
    """True if the run computes on a GPU: its option device is cuda."""
    return run.options.get("device") == "cuda"


def _needs(plan: Plan, runs: Sequence[Run], workers: int) -> tuple[float, dict[str, float], float]:
    """Free memory, memory of each run by Run.hash, and disk space of all runs, all in bytes."""
    more = {} if plan.gives_workers else {"workers": str(max(1, workers))}
    # Seeds change no need.
    alike = [tuple(sorted({**run.options, **more, "seed": "1", "run": "1"}.items())) for run in runs]
    asked = list(dict.fromkeys(alike))
    memory, stated = plan.program.needs(map(dict, asked))
    needs = dict(zip(asked, stated))
    return (memory, {run.hash: MARGIN * needs[key][0] for run, key in zip(runs, alike) if stated},
            sum(needs[key][1] for key in alike if stated))


def _gpus() -> list[str]:
    """Names of the GPUs that this process may use, in the form of CUDA_VISIBLE_DEVICES."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return [name.strip() for name in visible.split(",") if name.strip()]
    try:
        done = subprocess.run(["nvidia-smi", "-L"], check=False, capture_output=True, text=True)
    except OSError:
        return []
    found = [line for line in done.stdout.splitlines() if line.startswith("GPU ")]
    return [str(number) for number in range(len(found))] if done.returncode == 0 else []


def gigabytes(size: float) -> str:
    """A number of bytes as text, with two significant digits."""
    return f"{size / 1e9:.2g} GB"
