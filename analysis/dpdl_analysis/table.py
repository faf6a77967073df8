# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of runs on the terminal: one run per row, or per column if the terminal is narrow."""

import textwrap
from typing import Sequence

import pandas as pd

from dpdl_analysis.formatting import duration, percent
from dpdl_analysis.judgement import alarm
from dpdl_analysis.labels import labels, tags
from dpdl_analysis.metrics import METRICS, Metric, wall_profile
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import Trace

COLUMNS: tuple[Metric, ...] = tuple(metric for metric in METRICS if metric.terminal)


def table(traces: Sequence[Trace], width: int, columns: Sequence[Metric] = COLUMNS) -> str:
    """Text of the table, with wall times and footnotes, in lines of `width` characters."""
    names = [
        label + ("" if trace.complete else " *") for label, trace in zip(labels(traces), traces)
    ]
    cells = pd.DataFrame([[metric.show(trace) for metric in columns] for trace in traces], names,
                         pd.MultiIndex.from_tuples([(one.group, one.heading) for one in columns]))
    body = cells.to_string().splitlines()
    if len(body[0]) > width:
        body = _by_column(cells, width)
    alarms = [f"{trace.path}: {text}" for trace in traces if (text := alarm(trace))]
    lines = alarms + [""] * bool(alarms) + body
    lines += [""] + _profiles(names, traces, width) + [""] + _footnotes(traces, width, columns)
    return "\n".join(line.rstrip() for line in lines)


def plain(traces: Sequence[Trace], exact: bool, columns: Sequence[Metric] = COLUMNS) -> Table:
    """The table without wall time and footnotes; with unrounded numbers if `exact`."""
    names = list(dict.fromkeys(name for metric in columns for name in metric.sources))
    if exact:
        return Table("", ["run", *names], [[label, *map(trace.number, names)]
                                           for label, trace in zip(labels(traces), traces)])
    rows = [[label, *(metric.show(trace) for metric in columns)]
            for label, trace in zip(labels(traces), traces)]
    return Table("", ["run", *(metric.head for metric in columns)], rows)


def _by_column(cells: pd.DataFrame, width: int) -> list[str]:
    """Lines of the table with one run per column, named by letters, in blocks that fit `width`."""
    short = tags(len(cells))
    lines: list[str] = []
    for tag, name in zip(short, cells.index):
        lines += textwrap.wrap(f"{tag}: {name}", max(20, width), subsequent_indent="   ")
    turned = cells.set_axis(short).T
    turned.index = turned.index.map(" ".join).str.strip()
    return [*lines, "", *turned.to_string(line_width=width).splitlines()]


def _profiles(names: Sequence[str], traces: Sequence[Trace], width: int) -> list[str]:
    """One line per run with the percentages of its parts of wall time."""
    lines = ["where the wall time went"]
    size = max(len(name) for name in names)
    for name, trace in zip(names, traces):
        parts = wall_profile(trace)
        if parts is None:
            text = "not recorded"
        else:
            total = trace.number("wall_seconds") or 1.0
            text = ", ".join(f"{part} {percent(s / total, 0)}" for part, s in parts.items())
            text += f" of {duration(total)}"
        if size + len(text) + 4 <= width:
            lines.append(f"  {name.ljust(size)}  {text}")
        else:
            lines.append(f"  {name}")
            lines += textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
    return lines


def _footnotes(traces: Sequence[Trace], width: int, columns: Sequence[Metric]) -> list[str]:
    """Lines that explain each column."""
    size = max(len(metric.head) for metric in columns)
    lines = []
    for metric in columns:
        lines += textwrap.wrap(
            metric.short,
            max(width, size + 30),
            initial_indent=f"{metric.head.ljust(size)}  ",
            subsequent_indent=" " * (size + 2),
        )
    if not all(trace.complete for trace in traces):
        lines.append("*  incomplete: the run did not reach its last round")
    return lines
