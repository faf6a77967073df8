# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a paired comparison: differences with intervals, then figures of both runs."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Sequence

from dpdl_analysis.comparison.comparison import Comparison, opened
from dpdl_analysis.comparison.difference import Difference
from dpdl_analysis.comparison.sentence import sentence
from dpdl_analysis.comparison.text import parting_text, unchanged, value_text
from dpdl_analysis.figures import theme
from dpdl_analysis.figures.paired import accuracy_difference, forest
from dpdl_analysis.files import check_output
from dpdl_analysis.formatting import DASH
from dpdl_analysis.page import page, parts, runs
from dpdl_analysis.page.page import Section

SENTENCES = 3
"""Maximum number of variants with a sentence at the top of the page."""


def comparison_page(
    comparisons: Sequence[Comparison], output: Path, pdf: bool = False
) -> list[Path]:
    """Writes the page of `./dpdl compare` to `output`. Returns the paths of all files.

    The figures of runs show the first pair. With `pdf` it also writes the figures as PDF files.
    Raises UsageError if `output` is not writable.
    """
    check_output(output, ".html")
    with ExitStack() as stack:
        pairs = opened(stack, comparisons[0].files, salvage=True)
        both = runs.named(pairs[0])
        with theme.style():
            paired = [forest(comparisons), accuracy_difference(pairs)]
        made = [Section("differences-drawn", "Differences", paired), *runs.sections(both)]
        facts = runs.facts(both)
        facts["banners"] += parts.warnings(comparisons)
        text = page.render(
            "comparison.html.jinja",
            made,
            title=_title(comparisons),
            verdict=[sentence(_name(one), one.differences) for one in comparisons[:SENTENCES]],
            sections=made,
            variants=[_variant(one) for one in comparisons],
            pairs=len(pairs),
            **facts,
        )
    return page.write(text, output, made, pdf)


def _title(comparisons: Sequence[Comparison]) -> str:
    first = comparisons[0]
    return f"{Path(first.variant).name} against {Path(first.base).name}"


def _name(comparison: Comparison) -> str:
    return comparison.name or Path(comparison.variant).name


def _variant(comparison: Comparison) -> dict[str, Any]:
    """Values of the page's template for one variant."""
    return {
        "name": _name(comparison),
        "sentence": sentence(_name(comparison), comparison.differences),
        "p_values": comparison.p_values,
        "seeds": comparison.seeds,
        "rows": [_row(one) for one in comparison.differences if not one.unchanged],
        "same": unchanged(comparison.differences),
        "settings": comparison.settings,
        "draws": comparison.draws,
        "partings": [
            f"{seed}: {parting_text(part)}"
            for seed, part in zip(comparison.seeds, comparison.partings)
        ],
    }


def _row(one: Difference) -> dict[str, str]:
    several = one.pairs > 1
    return {
        "title": one.quantity.title,
        "base": value_text(one.base.mean, one.quantity.unit, 5),
        "variant": value_text(one.variant.mean, one.quantity.unit, 5),
        "difference": one.text(),
        "tells": ("yes" if one.tells else "no") if several else DASH,
        "gain": f"{one.gain:.3g} times" if several and one.gain == one.gain else DASH,
    }
