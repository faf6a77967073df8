# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The comparison table on the terminal: a run a row, or a run a column where it is narrow."""

import textwrap
from itertools import groupby
from typing import Sequence

from dpdl_analysis.formatting import duration, percent
from dpdl_analysis.judgement import alarm
from dpdl_analysis.labels import labels, tags
from dpdl_analysis.metrics import METRICS, Metric, wall_profile
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import Trace

GAP = "  "
WIDEST_LABEL = 46

COLUMNS: tuple[Metric, ...] = tuple(metric for metric in METRICS if metric.terminal)


def table(traces: Sequence[Trace], width: int) -> str:
    """The table with its profile lines and footnotes, fitted to `width` characters."""
    names = [
        label + ("" if trace.complete else " *") for label, trace in zip(labels(traces), traces)
    ]
    cells = [[metric.show(trace) for metric in COLUMNS] for trace in traces]
    body = _by_row(names, cells)
    if len(body[0]) > width:
        body = _by_column(names, cells, width)
    alarms = [f"{trace.path}: {text}" for trace in traces if (text := alarm(trace))]
    lines = alarms + [""] * bool(alarms) + body
    lines += [""] + _profiles(names, traces, width) + [""] + _footnotes(traces, width)
    return "\n".join(line.rstrip() for line in lines)


def plain(traces: Sequence[Trace], exact: bool) -> Table:
    """The same without its lines below, for papers; for other programs with exact numbers."""
    names = list(dict.fromkeys(name for metric in COLUMNS for name in metric.sources))
    if exact:
        return Table("", ["run", *names], [[label, *map(trace.number, names)]
                                           for label, trace in zip(labels(traces), traces)])
    heads = ["run", *(f"{metric.group} {metric.heading}" for metric in COLUMNS)]
    rows = [[label, *(metric.show(trace) for metric in COLUMNS)]
            for label, trace in zip(labels(traces), traces)]
    return Table("", heads, rows)


def _by_row(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """A run a row, columns under the heading of their group."""
    folded = [textwrap.wrap(name, WIDEST_LABEL) or [""] for name in names]
    first = max(len("run"), *(len(line) for lines in folded for line in lines))
    sizes = [
        max(len(metric.heading), *(len(row[index]) for row in cells))
        for index, metric in enumerate(COLUMNS)
    ]
    _widen_for_groups(sizes)
    heads = [metric.heading for metric in COLUMNS]
    lines = [_groups(first, sizes), _line("run", first, heads, sizes)]
    lines.append(GAP.join("-" * size for size in [first] + sizes))
    for parts, row in zip(folded, cells):
        lines.append(_line(parts[0], first, row, sizes))
        lines.extend("  " + part for part in parts[1:])
    return lines


def _widen_for_groups(sizes: list[int]) -> None:
    index = 0
    for group, members in groupby(COLUMNS, key=lambda metric: metric.group):
        number = len(list(members))
        have = sum(sizes[index : index + number]) + len(GAP) * (number - 1)
        sizes[index] += max(0, len(group) - have)
        index += number


def _groups(first: int, sizes: Sequence[int]) -> str:
    """The upper line of headings: each group's name over its columns."""
    line, index = " " * first, 0
    for group, members in groupby(COLUMNS, key=lambda metric: metric.group):
        number = len(list(members))
        span = sum(sizes[index : index + number]) + len(GAP) * (number - 1)
        rule = span - len(group) - 1
        line += GAP + group + (" " + "-" * rule if rule > 1 else "").ljust(span - len(group))
        index += number
    return line


def _line(name: str, first: int, cells: Sequence[str], sizes: Sequence[int]) -> str:
    return GAP.join([name.ljust(first)] + [cell.rjust(size) for cell, size in zip(cells, sizes)])


def _by_column(names: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> list[str]:
    """A run a column under a short tag, in blocks of as many runs as fit."""
    short = tags(len(names))
    heads = [f"{metric.group} {metric.heading}" for metric in COLUMNS]
    first = max(len(head) for head in heads)
    sizes = [max(len(tag), *(len(cell) for cell in row)) for tag, row in zip(short, cells)]
    lines: list[str] = []
    for tag, name in zip(short, names):
        prefix = f"{tag}: "
        lines += textwrap.wrap(
            name, max(20, width), initial_indent=prefix, subsequent_indent=" " * len(prefix)
        )
    start = 0
    while start < len(names):
        end = start + 1
        while (
            end < len(names)
            and first + sum(sizes[start : end + 1]) + len(GAP) * (end + 1 - start) <= width
        ):
            end += 1
        block = range(start, end)
        block_sizes = [sizes[run] for run in block]
        lines += ["", _line("", first, [short[run] for run in block], block_sizes)]
        lines.append(GAP.join("-" * size for size in [first] + block_sizes))
        for index, head in enumerate(heads):
            lines.append(_line(head, first, [cells[run][index] for run in block], block_sizes))
        start = end
    return lines


def _profiles(names: Sequence[str], traces: Sequence[Trace], width: int) -> list[str]:
    """One line a run: where its wall time went."""
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


def _footnotes(traces: Sequence[Trace], width: int) -> list[str]:
    """What each column says."""
    heads = [f"{metric.group} {metric.heading}" for metric in COLUMNS]
    size = max(len(head) for head in heads)
    lines = []
    for head, metric in zip(heads, COLUMNS):
        lines += textwrap.wrap(
            metric.short,
            max(width, size + 30),
            initial_indent=f"{head.ljust(size)}  ",
            subsequent_indent=" " * (size + 2),
        )
    if not all(trace.complete for trace in traces):
        lines.append("*  incomplete: the run did not reach its last round")
    return lines
