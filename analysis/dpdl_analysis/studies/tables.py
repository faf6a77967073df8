# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables for the terminal and for pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence


@dataclass
class Table:
    """A table with a heading, made of texts."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def as_text(self) -> str:
        """Aligned columns for the terminal."""
        lines = [list(self.heads)] + [list(row) for row in self.rows]
        sizes = [max(len(line[index]) for line in lines) for index in range(len(self.heads))]
        lines.insert(1, ["-" * size for size in sizes])
        body = ["  ".join(_aligned(line, sizes)).rstrip() for line in lines]
        return "\n".join([self.title, *body] + ([self.note] if self.note else []))

    def as_markdown(self) -> str:
        """The same for a page."""
        lines = ["| " + " | ".join(self.heads) + " |", "|" + "---|" * len(self.heads)]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join([f"**{self.title}**", "", *lines] + (["", self.note] if self.note else []))


def _aligned(line: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """The first column to the left, numbers to the right."""
    first = [line[0].ljust(sizes[0])]
    return first + [cell.rjust(size) for cell, size in zip(line[1:], sizes[1:])]
