# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The summary of a trace as text for the terminal, and as JSON."""

import textwrap

from dpdl_analysis.formatting import excerpt, message, number, summary_value
from dpdl_analysis.judgement import alarm
from dpdl_analysis.metrics import losses
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import Trace

def as_json(trace: Trace) -> str:
    """The summary as a JSON array of objects (name, value, unit, meaning); infinity is a text."""
    rows = [[row.name, row.value, row.unit, row.meaning] for row in trace.summary.values()]
    return Table("", HEADS, rows).as_json()


HEADS = ("name", "value", "unit", "meaning")


def inspection(trace: Trace, width: int) -> str:
    """The summary as columns of text in lines of `width` characters, aligned at decimal points.

    The first line warns if an audit contradicts the certificate.
    """
    rows = list(trace.summary.values())
    values = _aligned([excerpt(summary_value(row.name, row.value)) for row in rows])
    begins = [HEADS[:3], *((row.name, value, row.unit) for row, value in zip(rows, values))]
    indent = sum(max(map(len, column)) + 2 for column in zip(*begins))
    broken = alarm(trace)
    lines = ([broken, ""] if broken else []) + [str(trace.path)]
    lines.append(f"dpdl {trace.setting('dpdl')} {trace.setting('commit') or ''}".rstrip())
    if not trace.complete:
        lines.append("INCOMPLETE: the numbers are those of the rounds that were done")
    if (diverged := trace.number("diverged_in_round")) is not None:
        lines.append(f"DIVERGED in round {diverged:.0f}: parameters of a node are not finite")
    cells = []
    for row, begin in zip(rows, begins[1:]):
        for part in textwrap.wrap(row.meaning, max(24, width - indent)) or [""]:
            cells.append([*begin, part])
            begin = ("", "", "")
    lines += ["", *Table("", HEADS, cells, left=4).as_text().splitlines(), *_losses(trace)]
    return "\n".join(map(message, lines))


def _losses(trace: Trace) -> list[str]:
    """Lines of a table of lost messages by cause; [] if the trace has none."""
    rows = [(cause, str(count), *more) for cause, count, *more in losses(trace)]
    heads = ("lost by", "messages", "of sent", "most of them at")
    return ["", *Table("", heads, rows, left=4).as_text().splitlines()] if rows else []


def _aligned(values: list[str]) -> list[str]:
    """Pads numbers on the left so that their decimal points are in the same column."""
    before = [len(value.split(".")[0].split("e")[0]) for value in values]
    most = max([size for size, text in zip(before, values) if number(text) is not None], default=0)
    return [
        " " * (most - size) + text if number(text) is not None else text
        for size, text in zip(before, values)
    ]
