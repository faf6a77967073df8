# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A study: tables, a finding, and a figure with the finding as its title."""

import math
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.figures import theme
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.files import replacing
from dpdl_analysis.studies.statistics import Estimate
from dpdl_analysis.studies.tables import Table

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
"""Colours that colour-blind readers can distinguish (Okabe and Ito)."""
INK, MUTED, GRID = "#222222", "#555555", "#cccccc"
ROLES = {INK: "ink", MUTED: "muted", GRID: "grid",
         **{colour: f"run-{index}" for index, colour in enumerate(COLOURS)}}
"""Role of each colour. On a page, the CSS variable of the role replaces the colour."""
TITLE_LETTERS, CAPTION_LETTERS = 10.8, 17.0
"""Average number of characters per inch of the title and of the caption."""

STYLE: dict[str, Any] = {
    **theme.SETTINGS,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": "white",
    "figure.facecolor": "white",
    "grid.color": GRID,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "savefig.dpi": 150,
}


EACH = "Behind ±: half of the 95 % interval over the seeds, of each number for itself; no difference was tested."
"""Value of Study.rule for studies without significance tests."""


@dataclass
class Study:
    """Tables, a finding, and a function that draws the figure of `size` in inches."""

    finding: str
    tables: list[Table]
    draw: Callable[[Canvas], None]
    size: tuple[float, float]
    caption: str
    notes: list[str] = field(default_factory=list)
    rule: str = ""
    """Sentence on the significance of the finding; "" if the finding states it."""

    @property
    def answer(self) -> str:
        """The finding, followed by `rule`."""
        return f"{self.finding} {self.rule}".strip()

    def as_text(self) -> str:
        """Text of tables, finding and notes for the terminal."""
        parts = [table.as_text() for table in self.tables]
        return "\n\n".join(parts + ["\n".join([self.answer, *self.notes])])

    def as_markdown(self) -> str:
        """Finding, notes and tables in Markdown."""
        parts = [table.as_markdown() for table in self.tables]
        return "\n\n".join([self.answer, *self.notes, *parts])

    def figure(self, name: str) -> Figure:
        """The study's figure for a page, in the page's colours; `name` is the end of its slug."""
        figure = Figure(f"study-{name}", "What the study shows", self.caption, wide=True, key=False)
        drawing = theme.canvas(self.size)
        self.draw(drawing)
        figure.finish(drawing, said=self.finding)
        for colour, role in ROLES.items():
            figure.svg = figure.svg.replace(colour, f"var(--{role})")
        return figure

    def write(self, output: Path) -> None:
        """Writes the figure to `output`, a file of PICTURES, and replaces an earlier figure. Raises
        UsageError if `output` is another kind of file, or is not writable."""
        with replacing(output, f"{output.suffix} picture") as name, theme.style(STYLE):
            width, height = self.size
            canvas = Canvas(figsize=self.size, layout="constrained")
            title = textwrap.fill(self.finding, int(TITLE_LETTERS * width))
            below = textwrap.fill(self.caption, int(CAPTION_LETTERS * width))
            self.draw(canvas)
            head = 0.12 + 0.21 * (title.count("\n") + 1)
            foot = 0.08 + 0.155 * (below.count("\n") + 1)
            rect = (0.0, foot / height, 1.0, 1.0 - (head + foot) / height)
            canvas.get_layout_engine().set(rect=rect)
            canvas.text(0.01, 1 - 0.06 / height, title, va="top", fontsize=11, weight="bold")
            canvas.text(0.01, 0.04 / height, below, va="bottom", fontsize=8, color=MUTED)
            kind = output.suffix[1:]
            theme.save(canvas, name, format=kind, metadata=theme.METADATA[kind])


def look(index: int) -> dict[str, str]:
    """Colour and marker of the line with this index, as arguments of matplotlib."""
    return {"color": COLOURS[index % len(COLOURS)], "marker": theme.marker(index)}


def draw_line(axes: Axes, index: int, label: str, places: Sequence[float],
              values: Sequence[Estimate], **style: Any) -> None:
    """Draws means with intervals at x positions `places`. `index` chooses colour and marker."""
    axes.errorbar(places, [value.mean for value in values], list(zip(*(one.bars for one in values))),
                  label=label, **{**look(index), **style})


def effect_lines(axes: Axes, values: Sequence[Estimate], single: Sequence[bool]) -> None:
    """Draws means with horizontal intervals, one per row; `single` rows have another colour."""
    axes.axvline(0.0, color=MUTED, linewidth=0.9)
    for place, (value, one) in enumerate(zip(values, single)):
        if math.isfinite(value.mean):
            axes.errorbar(value.mean, place, xerr=[[end] for end in value.bars], **look(one), markersize=5,
                          linewidth=1.4, capsize=2)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.grid(axis="y", visible=False)
