# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One self-contained HTML page about one or several runs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Sequence

import jinja2
from markupsafe import Markup

from dpdl_analysis.figures import cost, learning, mass, network, theme
from dpdl_analysis.figures.data import RunData
from dpdl_analysis.formatting import DASH, duration, epsilon, exact, summary_value
from dpdl_analysis.glossary import GLOSSARY
from dpdl_analysis.judgement import judgement
from dpdl_analysis.labels import differing, labels, setup, tags
from dpdl_analysis.metrics import METRICS, WALL_PARTS, Metric
from dpdl_analysis.outcome import RULES, outcome
from dpdl_analysis.trace import Trace, UsageError
from dpdl_analysis.verdict import verdict

MOST_VIOLATIONS = 12
"""At most so many kinds of violation are listed for each run."""

SECTIONS: tuple[tuple[str, str, tuple[Callable[[Sequence[RunData]], theme.Figure], ...]], ...] = (
    (
        "learning",
        "Learning and privacy",
        (
            learning.accuracy_over_time,
            learning.accuracy_over_epsilon,
            learning.epsilon_over_rounds,
            network.contraction_by_window,
        ),
    ),
    (
        "network",
        "Network and mass",
        (network.loss_by_link, mass.mass_over_rounds, mass.weight_spread),
    ),
    ("cost", "Cost", (cost.wall_time,)),
)
"""Anchor, heading and figures of the report's sections."""


def write_report(traces: Sequence[Trace], output: Path) -> None:
    """Writes the page to `output`, which is replaced; a failure leaves it untouched.

    Raises UsageError if `output` cannot be a report.
    """
    _check_output(traces, output)
    page = render(traces)
    folder = output.parent
    try:
        handle, name = tempfile.mkstemp(prefix=f".{output.name}.", dir=folder)
    except OSError as error:
        raise UsageError(
            f"--output={output}: {error.strerror}; accepted is a file in a writable folder"
        ) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(page)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, output)
    except BaseException:
        os.unlink(name)
        raise


def render(traces: Sequence[Trace]) -> str:
    """The page as text."""
    names, short = labels(traces), tags(len(traces))
    runs = [
        RunData(trace, index, tag, label)
        for index, (trace, tag, label) in enumerate(zip(traces, short, names))
    ]
    with theme.style():
        sections = [
            {"anchor": anchor, "title": title, "figures": [draw(runs) for draw in draws]}
            for anchor, title, draws in SECTIONS
        ]
    violations = [_violations(trace) for trace in traces]
    clean = [tag for tag, found in zip(short, violations) if found["clean"]]
    folder = Path(__file__).resolve().parent / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("report.html.jinja").render(
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        title=_title(names),
        setup=setup(traces),
        verdict=verdict(traces, short),
        runs=[_run(run) for run in runs],
        rows=[_row(metric, traces) for metric in METRICS],
        sections=sections,
        parts=list(WALL_PARTS.items()),
        summary=_summary(traces),
        settings=_settings(traces),
        violations=violations,
        clean=clean,
        reasons=[reason for run in runs for reason in _reasons(run)],
        metrics=METRICS,
        glossary=GLOSSARY,
        rules=RULES,
        svg=Markup,
        marker=_marker,
    )


def _check_output(traces: Sequence[Trace], output: Path) -> None:
    accepted = "accepted is the name of an HTML file"
    if output.is_dir():
        raise UsageError(f"--output={output}: is a folder; {accepted}")
    if not output.parent.is_dir():
        raise UsageError(f"--output={output}: no folder {output.parent}; {accepted}")
    if output.exists():
        with output.open("rb") as stream:
            is_database = stream.read(16) == b"SQLite format 3\x00"
        if is_database or any(output.samefile(trace.path) for trace in traces):
            raise UsageError(f"--output={output}: is an SQLite file; {accepted}")


def _title(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} runs compared"


def _run(run: RunData) -> dict[str, Any]:
    trace, result = run.trace, outcome(run.trace)
    return {
        "tag": run.tag,
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
    }


def _row(metric: Metric, traces: Sequence[Trace]) -> dict[str, Any]:
    """A row of the comparison: shown numbers, each with the exact one and its source."""
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


def _reasons(run: RunData) -> list[str]:
    """Why nodes have no finite certified epsilon, one sentence a reason."""
    if not run.trace.has("guarantee_by_node", "node", "reason"):
        return []
    nodes = run.trace.one("SELECT COUNT(*) FROM guarantee_by_node")
    found = run.trace.rows(
        "SELECT reason, COUNT(*) FROM guarantee_by_node WHERE reason IS NOT NULL "
        "GROUP BY reason ORDER BY COUNT(*) DESC LIMIT 5"
    )
    return [
        f"{run.tag}: certified epsilon is inf at {count} of {nodes} nodes: {reason.rstrip('.')}."
        for reason, count in found
    ]


def _summary(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """Every number of every summary, in the order of the first trace that has it."""
    rows: dict[str, dict[str, Any]] = {}
    for trace in traces:
        for name, item in trace.summary.items():
            rows.setdefault(name, {"name": name, "unit": item.unit, "meaning": item.meaning})
    for name, row in rows.items():
        found = [trace.summary.get(name) for trace in traces]
        row["values"] = [summary_value(name, item.value) if item else DASH for item in found]
    return list(rows.values())


def _settings(traces: Sequence[Trace]) -> dict[str, Any]:
    """Settings that differ, with a value a run, and those that all runs share."""
    names: dict[str, None] = {}
    for trace in traces:
        names.update(dict.fromkeys(trace.settings))
    apart = set(differing(traces, list(names)))
    return {
        "differing": [
            (name, [trace.settings.get(name, DASH) for trace in traces])
            for name in names
            if name in apart
        ],
        "common": [(name, traces[0].settings[name]) for name in names if name not in apart],
    }


def _violations(trace: Trace) -> dict[str, Any]:
    """Violations by assumption and detail, the most frequent first."""
    if not trace.has("violation", "round", "node", "assumption", "detail"):
        return {"clean": False, "total": 0, "kinds": [], "more": 0}
    kinds = trace.rows(
        "SELECT assumption, MIN(detail), COUNT(*), COUNT(DISTINCT node), MIN(round), MAX(round), "
        "COUNT(DISTINCT detail) FROM violation GROUP BY assumption ORDER BY COUNT(*) DESC"
    )
    return {
        "clean": not kinds,
        "total": sum(kind[2] for kind in kinds),
        "kinds": kinds[:MOST_VIOLATIONS],
        "more": max(0, len(kinds) - MOST_VIOLATIONS),
    }


_SHAPES: dict[str, str] = {
    "o": '<circle cx="13" cy="6" r="3.6"/>',
    "s": '<rect x="9.7" y="2.7" width="6.6" height="6.6"/>',
    "^": '<path d="M13 1.8 17.2 9.4H8.8z"/>',
    "D": '<path d="M13 1.4 17.6 6 13 10.6 8.4 6z"/>',
    "v": '<path d="M13 10.2 17.2 2.6H8.8z"/>',
    "P": '<path d="M11.5 2h3v2.5H17v3h-2.5V10h-3V7.5H9v-3h2.5z"/>',
    "X": '<path d="M9.5 4 11 2.5l2 2 2-2L16.5 4l-2 2 2 2L15 9.5l-2-2-2 2L9.5 8l2-2z"/>',
    "*": '<path d="M13 1l1.3 3.4 3.6.2-2.8 2.3.9 3.5-3-1.9-3 1.9.9-3.5-2.8-2.3 3.6-.2z"/>',
}


def _marker(index: int) -> Markup:
    """A run's line and marker, as figures draw them."""
    colour = f"var(--run-{index % len(theme.RUNS)})"
    return Markup(
        f'<svg class="marker" viewBox="0 0 26 12" aria-hidden="true" style="fill: {colour}; '
        f'stroke: {colour}"><path d="M0 6H26" stroke-width="1.8"/>'
        f'<g stroke="none">{_SHAPES[theme.marker(index)]}</g></svg>'
    )
