# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Style of figures, and conversion of matplotlib's drawings to SVG that follows the page's theme.

Figures are drawn in placeholder colours, one per role (ink, grid, run 3, ...). The SVG has a CSS
variable for each of them, so one drawing serves light theme, dark theme and print.
"""

import html
import io
import re
import warnings
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text
from matplotlib.ticker import AutoLocator, EngFormatter, PercentFormatter, ScalarFormatter

from dpdl_analysis.palette import PAPER
from dpdl_analysis.trace import UsageError

INK, MUTED, GRID, HEAT, SURFACE = "#010101", "#010102", "#010103", "#010104", "#010105"
RUNS = tuple(f"#0201{index:02x}" for index in range(8))
PARTS = tuple(f"#0301{index:02x}" for index in range(8))
PART_INKS = tuple(f"#0401{index:02x}" for index in range(8))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

ROLES: dict[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    HEAT: "--heat",
    SURFACE: "--surface",
    **{colour: f"--run-{index}" for index, colour in enumerate(RUNS)},
    **{colour: f"--part-{index}" for index, colour in enumerate(PARTS)},
    **{colour: f"--part-ink-{index}" for index, colour in enumerate(PART_INKS)},
}

SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "svg.hashsalt": "dpdl",
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.facecolor": "none",
    "axes.formatter.useoffset": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "figure.facecolor": "none",
    "figure.constrained_layout.w_pad": 0.07,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.0,
    "path.simplify": True,
    "path.simplify_threshold": 0.3,
}

HALF = (4.9, 3.1)
"""Width and height in inches of a figure that shares its row of the page."""
WIDE = 10.2
"""Width in inches of a figure that fills a row of the page."""
LARGE = 1e5
"""Axes with larger values have metric prefixes, such as 1.5 M."""
PIXELS_PER_POINT = 1.36
"""CSS pixels per point of a figure; its text then has the size of the caption's text."""


class Percent(PercentFormatter):
    """Labels the ticks of an axis of fractions in percent, with up to six significant digits."""

    def __init__(self) -> None:
        super().__init__(1.0)

    def format_pct(self, x: float, display_range: float) -> str:
        return f"{100.0 * x:.6g} %"


def panels(number: int, height: float, alone: float = HALF[0], **more: Any
           ) -> tuple[Canvas, list[Axes], int]:
    """A figure, its `number` panels of `height` inches, and their number in a row. A single panel
    is `alone` inches wide. `more` are arguments of subplots()."""
    columns = min(4, number)
    rows = -(-number // columns)
    width = {1: alone, 2: 0.7 * WIDE}.get(columns, WIDE)
    drawing = canvas((width, max(height, HALF[1]) if columns == 1 else height * rows))
    return drawing, grid(drawing, number, columns, **more), columns


def grid(drawing: Canvas, number: int, columns: int, **more: Any) -> list[Axes]:
    """The first `number` axes of a grid with `columns` columns; hides the rest of its last row."""
    found = drawing.subplots(-(-number // columns), columns, squeeze=False, **more).ravel()
    for axes in found[number:]:
        axes.set_visible(False)
    return list(found[:number])


def canvas(size: tuple[float, float]) -> Canvas:
    """An empty matplotlib figure of (width, height) in inches, with constrained layout."""
    figure = Canvas(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def style(settings: dict[str, Any] | None = None) -> Any:
    """Context with rcParams `settings` for all drawing, in place of the user's matplotlibrc."""
    defaults = dict(matplotlib.rcParamsDefault)
    for name in [name for name in defaults if name.startswith("backend")]:
        del defaults[name]
    return matplotlib.rc_context({**defaults, **(SETTINGS if settings is None else settings)})


def colour(index: int) -> str:
    """Placeholder colour of the run with this index; colours repeat after 8 runs."""
    return RUNS[index % len(RUNS)]


def marker(index: int) -> str:
    """Marker of the run with this index. Runs of equal colour have different markers."""
    return MARKERS[(index + index // len(MARKERS)) % len(MARKERS)]


def marks(index: int, points: int) -> tuple[int, int]:
    """(first point, step) of about eight markers on a line of `points` points."""
    step = max(1, points // 8)
    return min(index % 8 * step // 8, max(0, points - 1)), step


def log_if_wide(axes: Axes, low: float, high: float) -> bool:
    """Makes the y axis logarithmic for a factor above 20 from `low` to `high`; true if so."""
    if low > 0.0 and high / low > 20.0:
        axes.set_yscale("log")
        return True
    return False


def to_svg(figure: Canvas, slug: str, label: str, description: str, tips: dict[str, str]) -> str:
    """The drawing as an SVG element for an HTML page, with the theme's CSS variables as colours.
    `slug` prefixes all ids. `label` and `description` are the text alternative. `tips` has tooltips
    by gid of matplotlib's artists."""
    stream = io.StringIO()
    save(figure, stream, format="svg", transparent=True, metadata={"Date": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    for gid, tip in tips.items():
        told = html.escape(tip)
        text = text.replace(f'<g id="{gid}">', f'<g id="{gid}"><title>{told}</title>', 1)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{slug}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{slug}-\1)", text)
    text = re.sub(r'(?:xlink:)?href="#([^"]+)"', rf'href="#{slug}-\1"', text)
    text = re.sub(r"(font: [^;\"]*?px) '[^;\"]*", r"\1 sans-serif", text)
    for marker_colour, role in ROLES.items():
        text = text.replace(marker_colour, f"var({role})")
    width = figure.get_figwidth() * 72.0 * PIXELS_PER_POINT
    head = (
        f'<svg role="img" aria-label="{html.escape(label)}" class="figure" '
        f'style="--width: {width:.0f}px" viewBox='
    )
    text = re.sub(r"<svg[^>]*?viewBox=", lambda _: head, text, count=1).split("</svg>")[0]
    if description:
        start = text.index(">") + 1
        text = f"{text[:start]}<desc>{html.escape(description)}</desc>{text[start:]}"
    return text + "</svg>"


def save(figure: Canvas, stream: Any, **options: Any) -> None:
    """Writes the figure to a stream or file; `options` are those of savefig() with `format`. Only
    tick labels of logarithmic axes are parsed as formulas, so names may have dollar signs. Raises
    UsageError if the font lacks a character, except for SVG, where the viewer chooses the font."""
    axes = [axis for one in figure.axes for axis in (one.xaxis, one.yaxis)]
    formulas = {label for axis in axes if axis.get_scale() != "linear"
                for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
                for label in tick.findobj(Text)}
    for text in set(figure.findobj(Text)) - formulas:
        text.set_parse_math(False)
    for one in figure.axes:
        locator, place = one.xaxis.get_major_locator(), getattr(one, "get_subplotspec", lambda: None)()
        if type(locator) is AutoLocator and place:
            locator.set_params(nbins=max(4, round(figure.get_figwidth() / place.get_gridspec().ncols / 1.3)))
    for axis in axes:
        # Readers overlook matplotlib's separate power of ten at the end of an axis.
        if max(map(abs, axis.get_view_interval())) >= LARGE and type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(EngFormatter())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore" if options["format"] == "svg" else "error", "Glyph ")
        try:
            figure.savefig(stream, **options)
        except UserWarning as warning:
            found = re.match(r"Glyph (\d+)", str(warning))
            if not found:
                raise
            raise UsageError(f"the font {SETTINGS['font.family']} lacks the letter "
                             f"'{chr(int(found[1]))}'; accepted are other names (--labels), or "
                             "--output=FILE.svg") from warning


METADATA = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}
"""Metadata by format that omits dates and versions, so equal figures give equal files."""


def to_paper(figure: Canvas, stream: Any, kind: str = "pdf") -> None:
    """Writes the drawing to a stream or file in colours for print; changes the drawing."""
    for artist in figure.findobj():
        for part in ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"):
            read = getattr(artist, f"get_{part}", None)
            write = getattr(artist, f"set_{part}", None)
            if read and write:
                _recolour(artist, read(), write)
    save(figure, stream, format=kind, metadata=METADATA[kind], dpi=300)


_ROLE_OF = {tuple(np.round(to_rgba(c)[:3], 4)): role[2:] for c, role in ROLES.items()}


def _recolour(artist: Any, colours: Any, write: Any) -> None:
    """Replaces placeholder colours of an artist by those of palette.PAPER; keeps other colours."""
    if isinstance(colours, str):
        if colours in ROLES:
            write(PAPER[ROLES[colours][2:]])
        return
    found = np.atleast_2d(np.asarray(colours, dtype=float)) if len(colours) else np.empty((0, 4))
    roles = [_ROLE_OF.get(tuple(np.round(colour[:3], 4))) for colour in found]
    if not any(roles):
        return
    alpha = artist.get_alpha()
    changed = [
        (*to_rgba(PAPER[role])[:3], *(colour[3:] if alpha is None else ())) if role else colour
        for role, colour in zip(roles, found)
    ]
    write(changed if np.ndim(colours) == 2 else changed[0])
