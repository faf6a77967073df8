# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a self-contained HTML page with its styles, script and data, atomically."""

import base64
import hashlib
import json
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Sequence

import jinja2
from markupsafe import Markup

from dpdl_analysis import palette
from dpdl_analysis.figures import theme
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.files import replacing
from dpdl_analysis.glossary import GLOSSARY
from dpdl_analysis.metrics import METRICS
from dpdl_analysis.outcome import RULES

FOLDER = Path(__file__).resolve().parent
SCRIPTS = ("theme.js", "scale.js", "plot.js", "player.js", "stack.js", "start.js")
"""Parts of the page's script, in order. The page's security policy allows no other script."""


@dataclass
class Section:
    """A section of a page with figures: HTML anchor, heading and figures."""

    anchor: str
    title: str
    figures: list[Figure]


def figures_of(sections: Sequence[Section]) -> list[Figure]:
    return [figure for section in sections for figure in section.figures]


def render(template: str, drawn: Sequence[Section], **values: Any) -> str:
    """The page as HTML from a template's file name, its values and all sections with figures."""
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return _environment().get_template(template).render(
        style=Markup(f"{palette.style_sheet()}\n{_text('page.css')}"),
        script=Markup(script),
        digest=digest,
        data=Markup(_data(figures_of(drawn))),
        svg=Markup,
        marker=marker,
        metrics=METRICS,
        glossary=GLOSSARY,
        rules=RULES,
        **values,
    )


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def _text(name: str) -> str:
    return (FOLDER / "assets" / name).read_text(encoding="utf-8")


def _script() -> str:
    parts = "\n".join(_text(name) for name in SCRIPTS)
    # The hash covers the exact text between the script tags, with its line breaks.
    return f'\n"use strict";\n{parts}\n'


def _data(figures: Sequence[Figure]) -> str:
    """Data of the figures as JSON, with escapes that keep it from ending its HTML element."""
    content = {
        figure.slug: {"plots": figure.plots, "player": figure.player}
        for figure in figures
        if figure.plots or figure.player
    }
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def write(page: str, output: Path, drawn: Sequence[Section], pdf: bool) -> list[Path]:
    """Writes the HTML text `page` to `output`. Returns the paths of all files. With `pdf` it also
    writes each figure to PAGE-FIGURE.pdf next to `output`. A failure leaves all existing files
    untouched. Raises UsageError if a file is not writable."""
    drawings = {output.with_name(f"{output.stem}-{one.slug}.pdf"): one.drawing
                for one in figures_of(drawn) if pdf and one.drawing is not None}
    with theme.style(), ExitStack() as stack:
        name = stack.enter_context(replacing(output, "page of dpdl"))
        Path(name).write_text(page, encoding="utf-8")
        for path, drawing in drawings.items():
            theme.to_paper(drawing, stack.enter_context(replacing(path, ".pdf picture")))
    return [output, *drawings]


_SHAPES: dict[str, str] = {
    "o": '<circle cx="13" cy="6" r="3.6"/>',
    "s": '<rect x="9.7" y="2.7" width="6.6" height="6.6"/>',
    "^": '<path d="M13 1.8 17.2 9.4H8.8z"/>',
    "D": '<path d="M13 1.4 17.6 6 13 10.6 8.4 6z"/>',
    "v": '<path d="M13 10.2 17.2 2.6H8.8z"/>',
    "P": '<path d="M11.5 2h3v2.5H17v3h-2.5V10h-3V7.5H9v-3h2.5z"/>',
    "X": '<path d="M9.5 4 11 2.5l2 2 2-2L16.5 4l-2 2 2 2L15 9.5l-2-2-2 2L9.5 8l2-2z"/>',
    "*": '<path d="M13 1l1.3 3.4 3.6.2-2.8 2.3.9 3.5-3-1.9-3 1.9.9-3.5-2.8-2.3 3.6-.2z"/>',
}


def marker(index: int) -> Markup:
    """SVG of the line and marker of the run with this index, as in figures."""
    colour = f"var(--run-{index % len(theme.RUNS)})"
    return Markup(
        f'<svg class="marker" viewBox="0 0 26 12" aria-hidden="true" style="fill: {colour}; '
        f'stroke: {colour}"><path d="M0 6H26" stroke-width="1.8"/>'
        f'<g stroke="none">{_SHAPES[theme.marker(index)]}</g></svg>'
    )
