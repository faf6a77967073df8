# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables for the terminal, for pages, for papers and for other programs."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass
from typing import Any, Sequence


@dataclass
class Table:
    """A table with a heading, made of texts; for other programs also of numbers."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def as_text(self) -> str:
        """Aligned columns for the terminal."""
        lines = [list(self.heads)] + [list(row) for row in self.rows]
        sizes = [max(len(line[index]) for line in lines) for index in range(len(self.heads))]
        lines.insert(1, ["-" * size for size in sizes])
        body = ["  ".join(_aligned(line, sizes)).rstrip() for line in lines]
        return "\n".join([self.title] * bool(self.title) + body + ([self.note] if self.note else []))

    def as_markdown(self) -> str:
        """The same for a page."""
        lines = ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"
                 for row in (self.heads, *self.rows)]
        lines.insert(1, "|" + "---|" * len(self.heads))
        head = [f"**{self.title}**\n"] * bool(self.title)
        return "\n".join(head + lines + (["", self.note] if self.note else []))

    def as_latex(self) -> str:
        """The same for LaTeX, with the package booktabs."""
        columns = "l" + "r" * (len(self.heads) - 1)
        lines = [" & ".join(map(_latex, line)) + r" \\" for line in (self.heads, *self.rows)]
        body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
        return "\n".join([f"\\begin{{tabular}}{{{columns}}}", *body, "\\end{tabular}"])

    def as_csv(self) -> str:
        """The same as comma-separated values."""
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([self.heads, *self.rows])
        return stream.getvalue().rstrip("\n")

    def as_json(self) -> str:
        """An object a row; what is no finite number is a text, or null."""
        rows = [{head: str(cell) if isinstance(cell, float) and math.isinf(cell) else
                 None if cell != cell else cell for head, cell in zip(self.heads, row)}
                for row in self.rows]
        return json.dumps(rows, indent=1)

_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "inf": r"$\infty$", "\u00b1": r"$\pm$", "\u2026": r"\ldots{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def _latex(cell: str) -> str:
    # Behind the end of a row, LaTeX takes a bracket or star for its argument.
    begin = "{}" if cell[:1] in ("[", "*") else ""
    return _LATEX.get(cell) or begin + "".join(_LATEX.get(one, one) for one in cell)


def _aligned(line: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """The first column to the left, numbers to the right."""
    first = [line[0].ljust(sizes[0])]
    return first + [cell.rjust(size) for cell, size in zip(line[1:], sizes[1:])]
