# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures and tables for papers: `./dpdl figure` and `./dpdl table`."""

from __future__ import annotations

import argparse
import re
import warnings
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from dpdl_analysis.files import LIST, PICTURES, check_output, replacing
from dpdl_analysis.formatting import DASH, INTERVAL, SPREADS, hint, terminal_width
from dpdl_analysis.metrics import check_names, chosen, reached
from dpdl_analysis.studies import STUDIES, make, show
from dpdl_analysis.trace import REACHED, Trace, UsageError

if TYPE_CHECKING:
    from dpdl_analysis.comparison.comparison import Comparison
    from dpdl_analysis.figures.figure import Figure
    from dpdl_analysis.studies.tables import Table

INCHES = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}
LEAST_WIDTH, MOST_WIDTH = 1.0, 40.0
LEAST_FONT, MOST_FONT = 4.0, 40.0
COLUMN, PAGE = 3.5, 7.16
"""Widths in inches of a column, and of a page with two columns."""
HALF_WIDTH = 5.5
"""Maximum width in inches of a report's figure drawn in one column; wider ones fill a page."""
FAMILIES = {"sans": "DejaVu Sans", "times": "STIXGeneral"}
FIGURES = ("accuracy-time", "epsilon-rounds", "accuracy-epsilon", "accuracy-bytes", "node-spread",
           "node-rank", "animation", "loss-link", "q-window", "delivery-distance", "mass", "w-spread",
           "wall-time")
"""Names of the figures of runs."""
LOOK = ("width", "font", "family", "panel", "no-title", "labels", "variants", "y", "x")
"""Options of figures of runs and of comparisons."""
FORMATS = ("text", "latex", "markdown", "csv", "json")
EXACT = ("csv", "json")
"""Formats of tables with unrounded numbers, for other programs."""


@dataclass(frozen=True)
class Look:
    """Appearance of a figure: width (inches, or None), font (points), titles, names, panel."""

    width: float | None
    font: float
    titles: bool
    labels: list[str]
    family: str
    panel: int | None

    @property
    def settings(self) -> dict[str, Any]:
        """Values for matplotlib's rcParams."""
        from dpdl_analysis.figures.theme import SETTINGS

        sizes = {"font.size": 1.0, "axes.titlesize": 1.05, "axes.labelsize": 1.0,
                 "xtick.labelsize": 0.9, "ytick.labelsize": 0.9, "legend.fontsize": 0.9}
        lines: dict[str, Any] = {"lines.linewidth": 1.2, "lines.markersize": 3.0}
        lines["font.family"] = FAMILIES[self.family]
        return {**SETTINGS, **lines, **{name: self.font * size for name, size in sizes.items()}}


def add_options(commands: Any) -> None:
    """Adds the commands figure and table to argparse's subparsers `commands`."""
    one = commands.add_parser("figure", prog="dpdl figure", help="one figure, for a paper",
                              epilog=f"Figures of runs: {', '.join(FIGURES)}. Of a campaign: its "
                              "study's name; response-NUMBER, as response-accuracy-mean. Of two "
                              "runs, two campaigns or --variants: differences, difference-rounds.")
    one.add_argument("items", nargs="+", metavar="FILE.db|DIR|FIGURE",
                     help="traces, or the folder of a campaign, or of two to compare; and which "
                     "figure (default: the first)")
    one.add_argument("--output", metavar="FILE", type=Path,
                     help="a .pdf, .svg or .png; replaced if it exists")
    one.add_argument("--width", metavar="3.5in", help="in, cm, mm or pt (default: "
                     f"{COLUMN}in, or {PAGE}in of a wide one)")
    one.add_argument("--font", metavar="8", help="size in points (default: 8)")
    one.add_argument("--family", choices=FAMILIES, help="letters as in Helvetica or "
                     "Times (default: sans)")
    one.add_argument("--panel", type=int, metavar="N", help="the N-th panel alone, from 1")
    one.add_argument("--no-title", action="store_true", help="no titles of panels")
    one.add_argument("--labels", metavar="A,B,...", help="names of the runs or variants")
    one.add_argument("--variants", metavar="A,B,...", help="of a campaign, the first is the base")
    one.add_argument("--y", metavar="COLUMN", help="in place of FIGURE: a column of any view by round, "
                     "such as consensus_distance or round_by_node.w")
    one.add_argument("--x", choices=["round", "time", "bytes"], help="what it is over (default: "
                     "round)")
    one.add_argument("--markdown", action="store_true", help=argparse.SUPPRESS)
    several = commands.add_parser("table", prog="dpdl table", help="runs or variants side by side")
    several.add_argument("items", nargs="+", metavar="FILE.db|DIR", type=Path,
                         help="traces, or the folder of a campaign")
    form = several.add_mutually_exclusive_group()
    form.add_argument("--format", default="text", metavar="|".join(FORMATS))
    form.add_argument("--json", action="store_const", const="json", dest="format",
                         help="the same as --format=json")
    several.add_argument("--variants", metavar="A,B,...", help="of a campaign: their differences "
                         "from the first")
    several.add_argument("--columns", metavar="A,B,...", help="numbers of the summary by name, such "
                         "as accuracy_mean (default: those that runs are compared by)")
    several.add_argument("--spread", choices=SPREADS, help="of means over seeds: ends of the 95 %% "
                         "interval (default), half of it, or the standard deviation")


def figure(options: argparse.Namespace) -> int:
    """Writes one figure to a file and prints its path. Returns the exit code. Raises UsageError."""
    paths, name = _split(options.items)
    if name in STUDIES and len(paths) == 1 and paths[0].is_dir():
        if given := [f"--{one}" for one in LOOK if getattr(options, one.replace("-", "_"))]:
            raise UsageError(f"{given[0]}: a study has its own figure; accepted with it is --output")
        if options.markdown:
            print(make(name, paths[0]).as_markdown())
        else:
            show(name, paths[0], options.output)
        return 0
    if not options.output:
        near = hint(name, STUDIES)
        if near and paths[0].is_dir():
            raise UsageError(f"figure '{name}': no such study, accepted is one of "
                             f"{', '.join(STUDIES)}{near}")
        raise UsageError("option 'output' is missing: --output=FILE, accepted is a .pdf, .svg or "
                         ".png file")
    if options.x and not options.y or options.y and (name or paths[0].is_dir()):
        raise UsageError("--x, --y: accepted are --y=COLUMN, or both, with traces and without FIGURE")
    check_output(options.output, *PICTURES)
    labels = options.labels.split(",") if options.labels else []
    look = Look(_width(options.width), _font(options.font or "8"), not options.no_title, labels,
                options.family or "sans", options.panel)
    from dpdl_analysis.figures import learning, theme

    with ExitStack() as stack:
        runs, comparisons, campaign = _content(stack, paths, options.variants, labels)
        with theme.style(look.settings):
            found = _chosen(iter([learning.column(runs, options.y, options.x or "round")])
                            if options.y else _drawn(runs, comparisons, campaign), name)
        _write(found, runs, look, options.output)
    print(f"figure: {options.output}")
    return 0


def _split(items: Sequence[str]) -> tuple[list[Path], str]:
    """Splits `items` into paths and the name of a figure, "" if none. Raises UsageError."""
    paths = [Path(item) for item in items if Path(item).exists()]
    names = [item for item in items if not Path(item).exists()]
    missing = [name for name in names if name.endswith(".db") or "/" in name]
    if missing or not paths:
        raise UsageError(f"{(missing or names)[0]}: no such file or folder; accepted are traces, "
                         "or the folder of a campaign")
    if len(names) > 1:
        raise UsageError(f"figure '{names[1]}': one figure at a time, '{names[0]}' is another one")
    folders = [path for path in paths if path.is_dir()]
    if folders and (len(folders) != len(paths) or len(folders) > 2):
        raise UsageError(f"{folders[0]}: accepted are traces, or one folder of a campaign, or two "
                         "to compare")
    return paths, names[0] if names else ""


def _content(stack: ExitStack, paths: list[Path], variants: str | None,
             labels: list[str]) -> tuple[list[Any], list[Comparison], Any]:
    """Runs, comparisons and campaign at `paths`, with `labels` as their names if given."""
    if not paths[0].is_dir():
        if variants:
            raise UsageError(f"--variants={variants}: accepted with the folder of a campaign")
        from dpdl_analysis.page import runs

        named = runs.named([stack.enter_context(Trace(path)) for path in paths])
        _check_labels(labels, len(named), "runs")
        for run, label in zip(named, labels):
            run.name = run.label = label
        return named, compared(paths, None) if len(paths) == 2 else [], None
    if len(paths) == 2 or variants:
        found = compared(paths, variants)
        _check_labels(labels, len(found), "variants beside the base")
        for one, label in zip(found, labels):
            one.name = label
        return [], found, None
    _check_labels(labels, 0, "names to replace, since its legend has values of options")
    from dpdl_analysis.figures.effects import effects
    from dpdl_analysis.studies.campaign import read

    campaign = read(paths[0])
    return [], [], effects(campaign.runs, campaign.factors)


def compared(paths: Sequence[Path], variants: str | None) -> list[Comparison]:
    """Compares two runs, two campaigns, or `variants` "A,B,..." of one. Raises UsageError."""
    from dpdl_analysis.comparison.comparison import compare_folders, compare_runs, compare_variants

    if variants is not None and len(paths) == 1:
        return compare_variants(paths[0], variants.split(","))
    if variants is not None or len(paths) != 2:
        raise UsageError("accepted are two campaigns, or one and --variants=A,B,...")
    if paths[0].is_dir():
        return compare_folders(paths[0], paths[1])
    with Trace(paths[0]) as base, Trace(paths[1]) as variant:
        return [compare_runs(base, variant)]


def _check_labels(labels: list[str], count: int, what: str) -> None:
    if labels and (len(labels) != count or "" in labels):
        raise UsageError(f"--labels={','.join(labels)}: expected {count}, none empty; there are "
                         f"{count} {what}")


def _drawn(runs: list[Any], comparisons: list[Comparison], campaign: Any) -> Iterator[Figure]:
    """Yields all figures of the runs, comparisons or campaign; draws each one when it is needed."""
    from dpdl_analysis.comparison.comparison import opened
    from dpdl_analysis.figures.paired import accuracy_difference, forest
    from dpdl_analysis.page import campaign as campaigns
    from dpdl_analysis.page import runs as several

    for _, _, draws in several.SECTIONS if runs else []:
        yield from several.drawn(draws, runs)
    if campaign:
        yield from campaigns.response_curves(campaign)
    if comparisons:
        yield forest(comparisons)
        with ExitStack() as stack:
            yield accuracy_difference(opened(stack, comparisons[0].files))


def _chosen(figures: Iterator[Figure], name: str) -> Figure:
    """The figure of that name, or the first one for "". Raises UsageError if there is none."""
    slugs = []
    for one in figures:
        if name in (one.slug, ""):
            if one.drawing is None:
                raise UsageError(f"figure '{one.slug}': has nothing to show; "
                                 f"{' '.join(one.notes)}".strip())
            return one
        slugs.append(one.slug)
    raise UsageError(f"figure '{name}': there is none, accepted is one of {', '.join(slugs)}"
                     f"{hint(name, slugs)}")


def _write(found: Figure, runs: Sequence[Any], look: Look, output: Path) -> None:
    """Writes the figure in size and colours for print, with a legend of its runs or levels."""
    from matplotlib.lines import Line2D

    from dpdl_analysis.figures import theme

    drawing = found.drawing
    assert drawing is not None
    before, height = drawing.get_size_inches()
    width = look.width or (COLUMN if before <= HALF_WIDTH else PAGE)
    scale = max(width / before, look.font / theme.SETTINGS["font.size"] * 0.8)
    drawing.set_size_inches(width, height * scale)
    axes = [one for one in drawing.axes if one.get_visible()]
    if look.panel is not None:
        if not 1 <= look.panel <= len(axes):
            raise UsageError(f"--panel={look.panel}: accepted is 1 to {len(axes)}")
        kept = axes[look.panel - 1]
        for one in drawing.axes[:]:
            if one is not kept:
                one.remove()
        kept.set_subplotspec(drawing.add_gridspec(1, 1)[0])
        axes = [kept]
        drawing.set_size_inches(look.width or COLUMN, (look.width or COLUMN) / 1.6)
    for one in axes if not look.titles else []:
        for place in ("left", "center", "right"):
            one.set_title("", loc=place)
    called = list(found.legend)
    if found.key and len(runs) > 1:
        called = [(run.index, run.label) for run in runs]
    with theme.style(look.settings), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        if called:
            axes[0].legend(frameon=False, handles=[
                Line2D([], [], color=theme.colour(at), marker=theme.marker(at), label=label)
                for at, label in called])
        try:
            with replacing(output, f"{output.suffix} picture") as name:
                theme.to_paper(drawing, name, output.suffix[1:])
        except UserWarning as narrow:
            raise UsageError(f"--width={width:g}in: too narrow for this figure at a font of "
                             f"{look.font:g} points") from narrow


def _width(text: str | None) -> float | None:
    if not text:
        return None
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)(in|cm|mm|pt)?", text)
    inches = float(found[1]) * INCHES[found[2] or "in"] if found else 0.0
    if not LEAST_WIDTH <= inches <= MOST_WIDTH:
        raise UsageError(f"--width={text}: accepted is {LEAST_WIDTH:g}in to {MOST_WIDTH:g}in, in "
                         f"{', '.join(INCHES)}")
    return inches


def _font(text: str) -> float:
    points = float(text) if re.fullmatch(r"\d+\.?\d*", text) else 0.0
    if not LEAST_FONT <= points <= MOST_FONT:
        raise UsageError(f"--font={text}: accepted is {LEAST_FONT:g} to {MOST_FONT:g} points")
    return points


def table(options: argparse.Namespace) -> int:
    """Prints a table of runs, variants of a campaign, or differences. Returns the exit code."""
    if options.format not in FORMATS:
        raise UsageError(f"--format={options.format}: accepted is one of {', '.join(FORMATS)}")
    paths = options.items
    folder = len(paths) == 1 and (paths[0] / LIST).is_file()
    names = options.columns.split(",") if options.columns else []
    spread, exact = options.spread or INTERVAL, options.format in EXACT
    if options.variants is not None or (len(paths) == 2 and all(one.is_dir() for one in paths)):
        made = _differences(compared(paths, options.variants), exact, names, spread)
    elif folder:
        made = _variants(paths[0], exact, names, spread)
    elif options.spread:
        raise UsageError(f"--spread={spread}: accepted with campaigns, whose numbers are means")
    else:
        from dpdl_analysis import table as runs

        with ExitStack() as stack:
            traces = [stack.enter_context(Trace(path)) for path in paths]
            columns = chosen(names, traces) if names else [*runs.COLUMNS, *reached(traces)]
            if options.format == "text":
                print(runs.table(traces, terminal_width(), columns))
                return 0
            made = runs.plain(traces, exact, columns)
    print(getattr(made, f"as_{options.format}")())
    return 0


def _variants(folder: Path, exact: bool, names: list[str], spread: str) -> Table:
    from dpdl_analysis.figures.effects import effects, variants
    from dpdl_analysis.studies.campaign import read

    campaign = read(folder)
    found = effects(campaign.runs, campaign.factors)
    check_names("columns", names, found.known)
    return variants(found, exact, names, spread)


def _differences(made: Sequence[Comparison], exact: bool, names: list[str], spread: str) -> Table:
    from dpdl_analysis.comparison.difference import HEADLINE
    from dpdl_analysis.figures.effects import spread_ends, spread_values
    from dpdl_analysis.studies.tables import Table

    known = {one.quantity.key: one.quantity for each in made for one in each.differences}
    check_names("columns", names, known)
    usual = [key for key, one in known.items() if one in HEADLINE or REACHED.fullmatch(key)]
    kept, ends = [known[name] for name in names or usual], spread_ends(exact, spread)
    rows = []
    for one in made:
        rows.append([one.name or one.variant])
        for found in [one.find(quantity.key) for quantity in kept]:
            texts = [found.text(spread) if found else DASH]
            numbers = spread_values(found.paired, spread) if found else [None] * len(ends)
            rows[-1] += numbers if exact else texts
    heads = [quantity.title + end for quantity in kept for end in ends]
    return Table("", [f"against {made[0].base}", *heads], rows)
