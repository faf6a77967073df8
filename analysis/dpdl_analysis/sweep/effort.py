# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Estimated CPU time of a plan's runs, from recorded runs or from short runs that are timed."""

import resource
import subprocess
from tempfile import TemporaryDirectory
from typing import Any

from dpdl_analysis.sweep.file import Words
from dpdl_analysis.sweep.plan import Plan
from dpdl_analysis.sweep.program import Program, arguments
from dpdl_analysis.sweep.study import PAPERS

FORWARD = 1.0 / 3.0
"""Time of testing an example divided by that of its gradient: 10 us / 30 us for cnn-s."""
ALL_TESTS = 10_000.0
"""Number of test examples that stands for testSamples=all, as in the papers' datasets."""
LEAST, LONGER, PATIENCE = 1.0, 8, 60.0
"""Timing of short runs: CPU seconds that suffice, factor on the rounds, and time limit in s."""


def effort(plan: Plan, measure: bool) -> str:
    """Text with the estimated CPU hours of all runs of a plan, and the source of the estimate. With
    `measure`, times a short run of learn for each kind of run that no recorded run resembles."""
    seconds = 0.0
    try:
        rates, by = _recorded(plan) if plan.program.name == "learn" else ({}, "")
        for run in plan.runs:
            options = {**plan.program.defaults, **run.options}
            kind = tuple(options.get(name) for name in ("model", "network", "algorithm"))
            key = next((one for one in (frozenset(run.factors.items()), kind[0]) if one in rates), kind)
            if measure and key not in rates and plan.program.name == "learn":
                by = "short runs, timed now"
                rates[key] = _measured(plan.program, run.options, options)
            fixed, rate = rates[key]
            seconds += fixed + rate * work_of(options)
    except subprocess.CalledProcessError as error:
        return f"CPU hours unknown since a short run fails ({' '.join(error.stderr.split())})"
    except (KeyError, ValueError, OSError, subprocess.TimeoutExpired):
        return "CPU hours unknown until a run is done"
    return f"about {seconds / 3600:.2g} CPU hours by {by}"


def _recorded(plan: Plan) -> tuple[dict[Any, tuple[float, float]], str]:
    """CPU time of recorded runs, of the plan's study or else of all papers, and the source as text.
    (seconds per run, seconds per gradient) by the set of a run's factors, or by its model."""
    try:
        # The record needs pandas, an optional package.
        from dpdl_analysis.studies.record import load, record_of
    except ImportError:
        return {}, ""
    study = plan.file.path
    own = [load(record_of(study), study)] if record_of(study).exists() else []
    studies = [path for path in sorted(PAPERS.glob("*/*.toml")) if record_of(path).exists()]
    found: dict[Any, tuple[float, float]] = {}
    alike: dict[str, list[float]] = {}
    for record in own or [load(record_of(path), path) for path in studies]:
        for factors, options in record.options:
            runs = record.campaign.runs
            for name, value in factors.items():
                runs = runs[runs[name] == value]
            options = {**plan.program.defaults, **options}
            rate = runs["processor_seconds"].mean() / work_of(options)
            alike.setdefault(options.get("model", ""), []).append(rate)
            if own:
                found[frozenset(factors.items())] = 0.0, rate
    found.update({model: (0.0, sum(rates) / len(rates)) for model, rates in alike.items()})
    return found, f"its runs of {own[0].date}" if own else "recorded runs of the same models"


def work_of(options: Words) -> float:
    """Work of a run in per-example gradients; testing an example counts as FORWARD gradients."""
    nodes, rounds, batch, every = (float(options[name]) for name in
                                   ("nodes", "rounds", "batchSize", "evaluateEvery"))
    tests, early = (options[name] for name in ("testSamples", "evaluateSamples"))
    last = float(ALL_TESTS if tests == "all" else tests)
    tested = last + (rounds / every if every else 0.0) * min(last if early == "all" else float(early), last)
    return nodes * (rounds * batch + FORWARD * tested)


def _measured(program: Program, given: Words, options: Words) -> tuple[float, float]:
    """CPU seconds of a run without rounds, and per gradient, from runs of 1, 8, 64, ... rounds."""
    rounds, last = 1, int(float(options["rounds"]))
    points: list[tuple[float, float]] = []
    while rounds < LONGER * last and (not points or points[-1][1] - points[0][1] < LEAST):
        shorter = {"rounds": str(min(rounds, last))}
        points.append((work_of({**options, **shorter}), _seconds(program, {**given, **shorter})))
        rounds *= LONGER
    (least, first), (most, longest) = points[0], points[-1]
    rate = (longest - first) / (most - least) if most > least else 0.0
    return first - rate * least, rate


def _seconds(program: Program, options: Words) -> float:
    """CPU time of a run, in seconds. Raises an exception of subprocess if it fails or is slow."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with TemporaryDirectory() as folder:
        words = [program.path, *program.quiet, *arguments(options), f"--trace={folder}/trace.db"]
        subprocess.run(words, check=True, capture_output=True, text=True, errors="replace",
                       stdin=subprocess.DEVNULL, timeout=PATIENCE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
