# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run's summary on the terminal."""

import textwrap
from typing import Sequence

from dpdl_analysis.formatting import excerpt, message, summary_value
from dpdl_analysis.judgement import alarm
from dpdl_analysis.metrics import losses
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import Trace

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
    cells = [HEADS[:3], *((row.name, value, row.unit) for row, value in zip(rows, values))]
    head, rule, *begins = _columns(cells)
    indent = len(head) + 2
    broken = alarm(trace)
    lines = ([broken, ""] if broken else []) + [str(trace.path)]
    if not trace.complete:
        lines.append("INCOMPLETE: the numbers are those of the rounds that were done")
    if (diverged := trace.number("diverged_in_round")) is not None:
        lines.append(f"DIVERGED in round {diverged:.0f}: parameters of a node are not finite")
    lines += ["", f"{head}  {HEADS[3]}", f"{rule}  {'-' * len(HEADS[3])}"]
    for row, begin in zip(rows, begins):
        meaning = textwrap.wrap(row.meaning, max(24, width - indent)) or [""]
        lines.append(f"{begin}  {meaning[0]}")
        lines += [" " * indent + part for part in meaning[1:]]
    return "\n".join(message(line.rstrip()) for line in lines + _losses(trace))


def _losses(trace: Trace) -> list[str]:
    """Messages lost by cause, as a table; nothing if none was lost."""
    rows = [(cause, str(count), *more) for cause, count, *more in losses(trace)]
    heads = ("lost by", "messages", "of sent", "most of them at")
    return ["", *_columns([heads, *rows])] if rows else []


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with all columns to the left, and a rule below the first."""
    sizes = [max(map(len, column)) for column in zip(*rows)]
    lines = [rows[0], ["-" * size for size in sizes], *rows[1:]]
    return ["  ".join(map(str.ljust, line, sizes)) for line in lines]


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
