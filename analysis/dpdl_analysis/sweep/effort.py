# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Estimated CPU time and disk space of a paper's study, from its recorded runs."""

from typing import Any, Iterator

from dpdl_analysis.sweep.file import Words
from dpdl_analysis.sweep.plan import Plan
from dpdl_analysis.sweep.study import PAPERS

FORWARD = 1.0 / 3.0
"""Time to test an example, relative to that of its gradient: 10-30 us for cnn-s on a core."""
USUAL = {"nodes": "20", "rounds": "200", "batchSize": "64", "evaluateEvery": "10",
         "testSamples": "all", "evaluateSamples": "2000"}
"""Defaults of options of the program `learn`, for runs that do not set them."""
ALL_TESTS = 10_000.0
"""Number of test examples in the papers' datasets."""

Rate = tuple[float, float]
"""CPU seconds per unit of work_of(), and trace bytes per node and round."""


def effort(plan: Plan) -> str:
    """One line: expected CPU hours and gigabytes of all runs of a plan, or why unknown."""
    try:
        # The record needs pandas, an optional package.
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
    """Work of a run, in gradients of one example; a tested example counts as a third."""
    nodes, rounds, batch, every = (float(_value(options, name)) for name in
                                   ("nodes", "rounds", "batchSize", "evaluateEvery"))
    tests, early = (_value(options, name) for name in ("testSamples", "evaluateSamples"))
    last = float(ALL_TESTS if tests == "all" else tests)
    tested = last + (rounds / every if every else 0.0) * min(last if early == "all" else float(early), last)
    return nodes * (rounds * batch + FORWARD * tested)


def _rows(options: Words) -> float:
    """Nodes times rounds of a run; the size of its trace is about proportional."""
    return float(_value(options, "nodes")) * float(_value(options, "rounds"))


def _value(options: Words, name: str) -> str:
    return options.get(name, USUAL[name])


def _rates(record: Any) -> Iterator[tuple[frozenset[tuple[str, str]], Rate, str]]:
    """Yields the varied options, the rates and the model of each recorded variant."""
    for factors, options in record.options:
        own = record.campaign.runs
        for name, value in factors.items():
            own = own[own[name] == value]
        yield (frozenset(factors.items()),
               (own["processor_seconds"].mean() / work_of(options),
                own["trace_bytes"].mean() / _rows(options)), options.get("model", ""))
