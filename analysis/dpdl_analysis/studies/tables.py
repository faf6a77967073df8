# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables as text, Markdown, LaTeX, CSV and JSON."""

import csv
import io
import json
import math
from dataclasses import dataclass
from typing import Any, Sequence


@dataclass
class Table:
    """A table with a title. Cells are texts; for CSV and JSON they may be numbers."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""
    left: int = 1
    """Number of columns that are left-aligned on the terminal."""

    def as_text(self) -> str:
        """Aligned columns for the terminal, with title and note."""
        sizes = [max(map(len, column)) for column in zip(self.heads, *self.rows)]
        body = aligned([self.heads, ["-" * min(size, 80) for size in sizes], *self.rows], self.left)
        return "\n".join([self.title] * bool(self.title) + body + ([self.note] if self.note else []))

    def as_markdown(self) -> str:
        """The table in Markdown, with title and note."""
        lines = ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"
                 for row in (self.heads, *self.rows)]
        lines.insert(1, "|" + "---|" * len(self.heads))
        head = [f"**{self.title}**\n"] * bool(self.title)
        return "\n".join(head + lines + (["", self.note] if self.note else []))

    def as_latex(self) -> str:
        """The table as a LaTeX tabular for the package booktabs, without title and note."""
        columns = "l" + "r" * (len(self.heads) - 1)
        lines = [" & ".join(map(_latex, line)) + r" \\" for line in (self.heads, *self.rows)]
        body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
        return "\n".join([f"\\begin{{tabular}}{{{columns}}}", *body, "\\end{tabular}"])

    def as_csv(self) -> str:
        """The heads and rows as comma-separated values."""
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([self.heads, *self.rows])
        return stream.getvalue().rstrip("\n")

    def as_json(self) -> str:
        """A JSON array of one object per row, keyed by `heads`; infinity is a text, nan null."""
        rows = [dict(zip(self.heads, map(json_value, row))) for row in self.rows]
        return json.dumps(rows, indent=1)


def json_value(value: Any) -> Any:
    """A value for JSON: infinities as texts, nan as None."""
    return None if value != value else str(value) if value in (math.inf, -math.inf) else value


_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "inf": r"$\infty$", "\u00b1": r"$\pm$", "\u2026": r"\ldots{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def _latex(cell: str) -> str:
    # After the end of a row, LaTeX parses a bracket or star as an argument.
    begin = "{}" if cell[:1] in ("[", "*") else ""
    return _LATEX.get(cell) or begin + "".join(_LATEX.get(one, one) for one in cell)


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of aligned columns: the first `left` columns left-aligned, the others right-aligned."""
    sizes = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([*map(str.ljust, row[:left], sizes), *map(str.rjust, row[left:], sizes[left:])]
                      ).rstrip() for row in rows]
