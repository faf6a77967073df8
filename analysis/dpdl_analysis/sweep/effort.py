# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the runs of a paper's study will take, by what the recorded ones have taken."""

from __future__ import annotations

from typing import Any

from dpdl_analysis.sweep.file import SweepFile, Words, merged
from dpdl_analysis.sweep.plan import Plan

FORWARD = 1.0 / 3.0
"""Testing an example over learning from it: 10 us and 30 us for cnn-s on one core."""
USUAL = {"nodes": "20", "rounds": "200", "batchSize": "64", "evaluateEvery": "10",
         "testSamples": "all"}
"""Defaults of learn."""
ALL_TESTS = 10_000.0
"""Test examples of the papers' datasets."""


def effort(plan: Plan) -> str:
    """Expected processor time and disk of all runs of a plan, a line; or why they are unknown."""
    try:
        # pandas is for those who analyse.
        from dpdl_analysis.studies.record import Record, load, record_of
    except ImportError as error:
        return f"CPU hours and disk unknown: needs {error.name}, which ./dpdl setup installs"
    path = record_of(plan.file.path)
    if not path.exists():
        return f"CPU hours and disk unknown: none of its runs are recorded in {path.name}"
    record: Record = load(path, plan.file.path)
    rates = _rates(record)
    usual = tuple(sum(rate[kind] for rate in rates.values()) / len(rates) for kind in range(2))
    seconds = size = 0.0
    for run in plan.runs:
        rate = rates.get(frozenset(run.factors.items()), usual)
        seconds += rate[0] * work_of(run.options)
        size += rate[1] * _rows(run.options)
    return (f"about {seconds / 3600:.2g} CPU hours and {size / 1e9:.2g} GB, by the runs of "
            f"{record.date}")


def work_of(options: Words) -> float:
    """Gradients of a run, with its tests as parts of one."""
    nodes, rounds, batch, every = (float(_value(options, name)) for name in
                                   ("nodes", "rounds", "batchSize", "evaluateEvery"))
    tests = _value(options, "testSamples")
    tested = 1.0 + (rounds / every if every else 0.0)
    return nodes * (rounds * batch + FORWARD * tested * float(ALL_TESTS if tests == "all" else tests))


def _rows(options: Words) -> float:
    """Rows of a run's trace, but for a factor."""
    return float(_value(options, "nodes")) * float(_value(options, "rounds"))


def _value(options: Words, name: str) -> str:
    return options.get(name, USUAL[name])


def _rates(record: Any) -> dict[frozenset[tuple[str, str]], tuple[float, float]]:
    """Seconds by work and bytes by rows of each recorded variant."""
    found = {}
    runs = record.campaign.runs
    file = SweepFile(record.study, record.size == "full")
    for variant in file.variants():
        own = runs
        for name, value in variant.factors.items():
            own = own[own[name] == value]
        options = merged(file.settings, variant.factors, variant.changes)
        if len(own):
            found[frozenset(variant.factors.items())] = (
                own["processor_seconds"].mean() / work_of(options),
                own["trace_bytes"].mean() / _rows(options))
    return found
