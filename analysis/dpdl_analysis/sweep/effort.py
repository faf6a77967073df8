# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the runs of a paper's study will take, by what the recorded ones have taken."""

from typing import Any, Iterator

from dpdl_analysis.sweep.file import Words
from dpdl_analysis.sweep.plan import Plan
from dpdl_analysis.sweep.study import PAPERS

FORWARD = 1.0 / 3.0
"""Testing an example over learning from it: 10 us and 30 us for cnn-s on one core."""
USUAL = {"nodes": "20", "rounds": "200", "batchSize": "64", "evaluateEvery": "10",
         "testSamples": "all", "evaluateSamples": "2000"}
"""Defaults of learn."""
ALL_TESTS = 10_000.0
"""Test examples of the papers' datasets."""

Rate = tuple[float, float]
"""Seconds by work, and bytes by rows of the trace."""


def effort(plan: Plan) -> str:
    """Expected processor time and disk of all runs of a plan, a line; or why they are unknown."""
    try:
        # pandas is for those who analyse.
        from dpdl_analysis.studies.record import load, record_of
    except ImportError as error:
        return f"CPU hours and disk unknown: needs {error.name}, which ./dpdl setup installs"
    study = plan.file.path
    own = [load(record_of(study), study)] if record_of(study).exists() else []
    studies = [path for path in sorted(PAPERS.glob("*/*.toml")) if record_of(path).exists()]
    exact: dict[frozenset[tuple[str, str]], Rate] = {}
    alike: dict[str, list[Rate]] = {}
    for record in own or [load(record_of(path), path) for path in studies]:
        for key, rate, model in _rates(record):
            alike.setdefault(model, []).append(rate)
            if own:
                exact[key] = rate
    seconds = size = 0.0
    for run in plan.runs:
        model = run.options.get("model", "")
        key = frozenset(run.factors.items())
        if key not in exact and model not in alike:
            return f"CPU hours and disk unknown: no recorded run has model {model}"
        rate = exact[key] if key in exact else _mean(alike[model])
        seconds += rate[0] * work_of(run.options)
        size += rate[1] * _rows(run.options)
    by = f"its runs of {own[0].date}" if own else "recorded runs of the same models"
    return f"about {seconds / 3600:.2g} CPU hours and {size / 1e9:.2g} GB, by {by}"


def _mean(rates: list[Rate]) -> Rate:
    seconds, size = (sum(column) / len(rates) for column in zip(*rates))
    return seconds, size


def work_of(options: Words) -> float:
    """Gradients of a run, with its tests as parts of one."""
    nodes, rounds, batch, every = (float(_value(options, name)) for name in
                                   ("nodes", "rounds", "batchSize", "evaluateEvery"))
    tests, early = (_value(options, name) for name in ("testSamples", "evaluateSamples"))
    last = float(ALL_TESTS if tests == "all" else tests)
    tested = last + (rounds / every if every else 0.0) * min(last if early == "all" else float(early), last)
    return nodes * (rounds * batch + FORWARD * tested)


def _rows(options: Words) -> float:
    """Rows of a run's trace, but for a factor."""
    return float(_value(options, "nodes")) * float(_value(options, "rounds"))


def _value(options: Words, name: str) -> str:
    return options.get(name, USUAL[name])


def _rates(record: Any) -> Iterator[tuple[frozenset[tuple[str, str]], Rate, str]]:
    """The factors, the rates and the model of each recorded variant."""
    for factors, options in record.options:
        own = record.campaign.runs
        for name, value in factors.items():
            own = own[own[name] == value]
        yield (frozenset(factors.items()),
               (own["processor_seconds"].mean() / work_of(options),
                own["trace_bytes"].mean() / _rows(options)), options.get("model", ""))
