# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about one or more runs."""

from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

from dpdl_analysis.figures import (
    cost,
    learning,
    mass,
    network,
    nodes,
    radio,
    theme,
    topology,
)
from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.files import check_output
from dpdl_analysis.labels import labels, names, setup
from dpdl_analysis.metrics import METRICS, WALL_PARTS, losses, reached
from dpdl_analysis.page import page, parts
from dpdl_analysis.page.page import Section
from dpdl_analysis.studies.campaign import NAMED
from dpdl_analysis.trace import Trace
from dpdl_analysis.verdict import verdict

Draw = Callable[[Sequence[RunData]], Figure | list[Figure]]

SECTIONS: tuple[tuple[str, str, tuple[Draw, ...]], ...] = (
    ("learning", "Learning and privacy", (learning.accuracy_over_time, learning.epsilon_over_rounds)),
    (
        "details",
        "Learning and privacy in detail",
        (
            learning.accuracy_over_epsilon,
            learning.accuracy_over_bytes,
            nodes.accuracy_spread,
            nodes.accuracy_by_rank,
        ),
    ),
    (
        "network",
        "Network",
        (
            topology.network_over_time,
            network.loss_by_link,
            network.contraction_by_window,
            radio.delivery_by_distance,
        ),
    ),
    ("ledger", "Ledger of mass", (mass.mass_over_rounds, mass.weight_spread)),
    ("cost", "Cost", (cost.wall_time,)),
)
"""Anchor, heading and functions of the figures of each section; the first stands before the numbers."""


def report(traces: Sequence[Trace], output: Path, pdf: bool = False) -> list[Path]:
    """Writes the page of the runs to `output`. Returns the paths of all files. With `pdf` it also
    writes the figures as PDF files. Raises UsageError if `output` is not writable."""
    check_output(output, ".html")
    runs = named(traces)
    made = sections(runs)
    return page.write(_render(runs, made), output, made, pdf)


def render(traces: Sequence[Trace]) -> str:
    """The page of the runs as HTML."""
    runs = named(traces)
    return _render(runs, sections(runs))


def named(traces: Sequence[Trace]) -> list[RunData]:
    """The runs with the names, labels and indices that pages use."""
    alone = len(traces) == 1
    called = zip(traces, names(traces), labels(traces))
    return [
        RunData(trace, index, name, label, alone)
        for index, (trace, name, label) in enumerate(called)
    ]


def sections(runs: Sequence[RunData]) -> list[Section]:
    """All sections with their figures, drawn."""
    with theme.style():
        return [Section(anchor, title, list(drawn(draws, runs)))
                for anchor, title, draws in SECTIONS]


def drawn(draws: Sequence[Draw], runs: Sequence[RunData]) -> Iterator[Figure]:
    """Yields the figures that the functions `draws` make; calls each function when needed."""
    for draw in draws:
        made = draw(runs)
        yield from made if isinstance(made, list) else [made]


def facts(runs: Sequence[RunData]) -> dict[str, Any]:
    """Values of the page's template about the runs, except figures."""
    traces = [run.trace for run in runs]
    found = [parts.violations(trace) for trace in traces]
    return {
        "subtitle": ("" if len(runs) == 1 else "In common: ") + setup(traces),
        "sole": len(runs) == 1,
        "runs": [parts.about(run) for run in runs],
        "rows": [parts.compared(metric, traces) for metric in (*METRICS, *reached(traces))],
        "parts": list(WALL_PARTS.items()),
        "summary": parts.summary(traces),
        "settings": parts.settings(traces),
        "violations": found,
        "losses": [losses(trace) for trace in traces],
        "clean": [run.name for run, one in zip(runs, found) if one["clean"]],
        "reasons": parts.reasons(runs),
        "explained": parts.explained({kind: [trace.settings.get(kind, "") for trace in traces]
                                      for kind in NAMED}),
        "alarms": parts.alarms(runs),
        # Must stay last: damage of a trace is detected only while the entries above read its rows.
        "banners": parts.banners(runs),
    }


def _render(runs: Sequence[RunData], made: Sequence[Section]) -> str:
    title = runs[0].label if len(runs) == 1 else f"{len(runs)} runs compared"
    return page.render(
        "runs.html.jinja",
        made,
        title=title,
        verdict=verdict([run.trace for run in runs], [run.name for run in runs]),
        sections=made,
        **facts(runs),
    )
