# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Contents of pages about runs, except figures: results, settings, violations and warnings."""

import re
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from dpdl_analysis.comparison.comparison import Comparison
from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.events import has_traffic
from dpdl_analysis.formatting import DASH, duration, epsilon, exact, summary_value
from dpdl_analysis.judgement import alarm, judgement
from dpdl_analysis.labels import COMMON, differing
from dpdl_analysis.metrics import Metric
from dpdl_analysis.outcome import outcome
from dpdl_analysis.trace import Trace

MOST_VIOLATIONS = 12
"""Maximum number of kinds of violations listed per run."""


TOLD = (*COMMON, "algorithm", "delta", "samples", "testSamples", "batchSize", "clip", "dpdl", "commit")
"""Settings that a page shows first, in this order."""
REFERENCE = Path(__file__).resolve().parents[3] / "doc" / "reference.md"
PRESENT = "nodes-present"
ABSENT = "not departed yet, or arrived: its radio is off, and it keeps its state"
MOST_REASONS = 5
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def about(run: RunData) -> dict[str, Any]:
    """Values of the page's template for one run: state, outcome, epsilons and others."""
    trace, result = run.trace, outcome(run.trace)
    return {
        "name": run.name,
        "label": run.label,
        "index": run.index,
        "file": trace.path.name,
        "complete": trace.complete,
        "state": trace.text("state") or "not recorded",
        "rounds": summary_value("rounds", trace.number("rounds")),
        "asked": trace.setting("rounds") or DASH,
        "simulated": duration(trace.number("simulated_seconds")),
        "outcome": result.kind,
        "why": result.why,
        "epsilons": [
            epsilon(trace.number(f"epsilon_{kind}"))
            for kind in ("claimed", "certified", "observed")
        ],
        "delta": exact(trace.number("delta")),
        "judgement": judgement(trace),
        "broken": bool(alarm(trace)),
    }


def called(run: RunData) -> str:
    """Name of a run, with the name of its file."""
    file = run.trace.path.name
    return file if run.name == run.trace.name else f"{run.name} ({file})"


def compared(metric: Metric, traces: Sequence[Trace]) -> dict[str, Any]:
    """Row of the comparison table for one metric: formatted results, each with its exact values."""
    cells = []
    for trace in traces:
        told = [
            f"{name} = {summary_value(name, trace.summary[name].value)}"
            + (f" {trace.summary[name].unit}" if trace.summary[name].unit not in ("1", "") else "")
            for name in metric.sources
            if name in trace.summary
        ]
        cells.append({"text": metric.show(trace), "told": "; ".join(told) or "not recorded"})
    return {"metric": metric, "cells": cells}


def reasons(runs: Sequence[RunData]) -> list[str]:
    """One sentence per reason why nodes have no finite certified epsilon, with the runs' names."""
    told: dict[str, list[str]] = {}
    for run in runs:
        for text in _reasons(run):
            told.setdefault(text, []).append(run.name)
    return [f"{', '.join(names)}: {text}" for text, names in told.items()]


def _reasons(run: RunData) -> list[str]:
    """One sentence per reason; reasons that differ only in numbers count as one."""
    if not run.trace.has("guarantee_by_node", "node", "reason"):
        return []
    nodes = run.trace.one("SELECT COUNT(*) FROM guarantee_by_node")
    found = run.trace.rows(
        "SELECT reason, COUNT(*) FROM guarantee_by_node WHERE reason IS NOT NULL "
        "GROUP BY reason ORDER BY COUNT(*) DESC, MIN(node)"
    )
    kinds: dict[str, list[tuple[str, int]]] = {}
    for reason, count in found:
        kinds.setdefault(_NUMBER.sub("#", str(reason)), []).append((str(reason), count))
    return [
        f"certified epsilon is inf at {sum(count for _, count in kind)} of {nodes} "
        f"nodes{': ' if len(kind) == 1 else ', for example: '}{kind[0][0].rstrip('.')}."
        for kind in list(kinds.values())[:MOST_REASONS]
    ]


def explained(named: Mapping[str, Iterable[str]]) -> list[tuple[str, str, str]]:
    """Rows (name, description, source) of doc/reference.md for names by kind, such as topology."""
    text = REFERENCE.read_text(encoding="utf-8") if REFERENCE.is_file() else ""
    made = []
    for kind, names in named.items():
        part = re.split(r"^## ", text.partition(f"## {kind.title()[:-1]}")[2], maxsplit=1,
                        flags=re.MULTILINE)[0]
        for name in dict.fromkeys(name.partition(":")[0] for name in names):
            found = re.search(rf"^### {re.escape(name)}\n\n(.+)\n(?:\nSource: (.+)\n)?", part,
                              re.MULTILINE)
            made += [(name, found[1], found[2] or "")] if found else []
    return made


def summary(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """All items of the summaries, each with one formatted value per trace."""
    rows: dict[str, dict[str, Any]] = {}
    for trace in traces:
        for name, item in trace.summary.items():
            rows.setdefault(name, {"name": name, "unit": item.unit, "meaning": item.meaning})
    for name, row in rows.items():
        found = [trace.summary.get(name) for trace in traces]
        row["values"] = [summary_value(name, item.value) if item else DASH for item in found]
    return list(rows.values())


def settings(traces: Sequence[Trace]) -> dict[str, Any]:
    """Settings that differ, with one value per run, and settings that all runs share."""
    names = dict.fromkeys(name for trace in traces for name in trace.settings)
    apart = set(differing(traces, list(names)))
    return {
        "differing": [
            (name, [trace.settings.get(name, DASH) for trace in traces])
            for name in names
            if name in apart
        ],
        "common": [(name, traces[0].settings[name]) for name in names if name not in apart],
    }


def violations(trace: Trace) -> dict[str, Any]:
    """Violations of a run by assumption, the most frequent first."""
    if not trace.has("violation", "round", "node", "assumption", "detail"):
        return {"clean": False, "total": 0, "kinds": [], "more": 0}
    kinds = trace.rows(
        "SELECT assumption, MIN(detail), COUNT(*), COUNT(DISTINCT node), MIN(round), MAX(round), "
        "COUNT(DISTINCT detail) FROM violation GROUP BY assumption ORDER BY COUNT(*) DESC"
    )
    if has_traffic(trace):
        kinds = [(kind[0], ABSENT, *kind[2:6], 1) if kind[0] == PRESENT else kind for kind in kinds]
    return {
        "clean": not kinds and not trace.damage,
        "total": sum(kind[2] for kind in kinds),
        "kinds": kinds[:MOST_VIOLATIONS],
        "more": max(0, len(kinds) - MOST_VIOLATIONS),
    }


def alarms(runs: Sequence[RunData]) -> list[str]:
    """Warnings about certificates that audits contradict, for the top of a page."""
    found = [(run, alarm(run.trace)) for run in runs]
    return [text if run.alone else f"{called(run)}: {text}" for run, text in found if text]


def warnings(comparisons: Sequence[Comparison]) -> list[dict[str, str]]:
    """Notes of comparisons for the top of a page; variants share equal notes."""
    noted: dict[str, list[str]] = {}
    for one in comparisons:
        for note in one.notes:
            noted.setdefault(note, []).append(one.name)
    return [
        {"head": f"{', '.join(names)}:" if all(names) else "Note:", "text": note, "term": ""}
        for note, names in noted.items()
    ]


def banners(runs: Sequence[RunData]) -> list[dict[str, str]]:
    """Warnings about damaged and incomplete traces, for the top of a page."""
    made = []
    for run in runs:
        if run.trace.damage:
            made.append({
                "head": f"{called(run)} is damaged:",
                "text": f"SQLite cannot read all of it ({'; '.join(run.trace.damage)}). What "
                "could be read is shown, and numbers may be missing or stop short; rely on none "
                "of them, least of all on an epsilon.",
                "term": "incomplete",
            })
        if not run.trace.complete:
            told = about(run)
            made.append({
                "head": f"{called(run)} is incomplete:",
                "text": f"It ends after round {told['rounds']} of {told['asked']} (state: "
                f"{told['state']}). Its numbers are those of the rounds that were done.",
                "term": "incomplete",
            })
    return made
