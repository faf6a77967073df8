# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run's summary on the terminal."""

from __future__ import annotations

import textwrap

from dpdl_analysis.formatting import excerpt, message, summary_value
from dpdl_analysis.judgement import alarm
from dpdl_analysis.metrics import losses
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import SummaryRow, Trace

def as_json(trace: Trace) -> str:
    """The same as JSON: an object an item of the summary; infinities are texts."""
    rows = [[row.name, row.value, row.unit, row.meaning] for row in trace.summary.values()]
    return Table("", HEADS, rows).as_json()


HEADS = ("name", "value", "unit", "meaning")


def inspection(trace: Trace, width: int) -> str:
    """The summary as aligned columns; values stand with their decimal points in one column.

    A certificate that an audit has broken comes before all else.
    """
    rows = list(trace.summary.values())
    values = _aligned([excerpt(summary_value(row.name, row.value)) for row in rows])
    first = max([len(HEADS[0])] + [len(row.name) for row in rows])
    second = max([len(HEADS[1])] + [len(value) for value in values])
    third = max([len(HEADS[2])] + [len(row.unit) for row in rows])
    indent = first + second + third + 6
    broken = alarm(trace)
    lines = ([broken, ""] if broken else []) + [str(trace.path)]
    if not trace.complete:
        lines.append("INCOMPLETE: the numbers are those of the rounds that were done")
    if (diverged := trace.number("diverged_in_round")) is not None:
        lines.append(f"DIVERGED in round {diverged:.0f}: parameters of a node are not finite")
    lines += ["", _line(HEADS[0], HEADS[1].ljust(second), HEADS[2], HEADS[3], first, second, third)]
    lines.append("  ".join("-" * size for size in (first, second, third, len(HEADS[3]))))
    for row, value in zip(rows, values):
        meaning = _wrapped(row, indent, width)
        lines.append(_line(row.name, value, row.unit, meaning[0], first, second, third))
        lines += [" " * indent + part for part in meaning[1:]]
    return "\n".join(message(line.rstrip()) for line in lines + _losses(trace))


def _losses(trace: Trace) -> list[str]:
    """Messages lost by cause, as a table; nothing if none was lost."""
    rows = [("lost by", "messages", "of sent", "most of them at"),
            *((cause, str(count), share, place) for cause, count, share, place in losses(trace))]
    sizes = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join(text.ljust(size) for text, size in zip(row, sizes)) for row in rows]
    return ["", lines[0], "  ".join("-" * size for size in sizes), *lines[1:]] if rows[1:] else []


def _wrapped(row: SummaryRow, indent: int, width: int) -> list[str]:
    return textwrap.wrap(row.meaning, max(24, width - indent)) or [""]


def _line(
    name: str, value: str, unit: str, meaning: str, first: int, second: int, third: int
) -> str:
    return f"{name.ljust(first)}  {value.ljust(second)}  {unit.ljust(third)}  {meaning}"


def _aligned(values: list[str]) -> list[str]:
    """The values shifted so that decimal points, and the ends of whole numbers, line up."""
    before = [len(value.split(".")[0].split("e")[0]) for value in values]
    most = max([size for size, text in zip(before, values) if _is_number(text)], default=0)
    return [
        " " * (most - size) + text if _is_number(text) else text
        for size, text in zip(before, values)
    ]


def _is_number(text: str) -> bool:
    try:
        return text not in ("inf", "-inf", "nan") and float(text) is not None
    except ValueError:
        return False
