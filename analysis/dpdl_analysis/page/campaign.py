# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a campaign: response curves, heat maps, and a table that leads to its runs."""

from __future__ import annotations

import math
import os
from itertools import combinations
from pathlib import Path
from typing import Any, Iterator, Sequence
from urllib.parse import quote

from dpdl_analysis.comparison.comparison import Comparison
from dpdl_analysis.comparison.sentence import about_accuracy
from dpdl_analysis.comparison.variants import compare_variants, variants_of
from dpdl_analysis.figures import theme
from dpdl_analysis.figures.effects import RESPONSES, Effects, effects, shown
from dpdl_analysis.figures.figure import DataTable, Figure
from dpdl_analysis.figures.heatmap import heat_map
from dpdl_analysis.figures.paired import MOST_VARIANTS, forest
from dpdl_analysis.figures.response import curves
from dpdl_analysis.glossary import GLOSSARY
from dpdl_analysis.metrics import METRICS
from dpdl_analysis.outcome import RULES
from dpdl_analysis.page import page, parts
from dpdl_analysis.page.section import Section
from dpdl_analysis.studies.campaign import ALARM, Campaign, read
from dpdl_analysis.studies.statistics import LEVEL
from dpdl_analysis.trace import DamagedTrace, UsageError

MOST_MAPS = 3
MOST_SEEDS = 30
MOST_PROVEN = 3
MOST_ALARMS = 3
ACCURACY = RESPONSES[0]
ACCURACY_KEY = "late_accuracy_mean"
CERTIFIED = RESPONSES[2]


def report(folder: Path, output: Path, pdf: bool = False) -> list[Path]:
    """Writes the page of the campaign in `folder`; all files written.

    Raises UsageError if `folder` holds no campaign or `output` cannot be a report.
    """
    campaign = read(folder)
    page.check_output(output)
    found = effects(campaign.runs, campaign.factors)
    pairs = _pairs(campaign)
    made = _sections(found, pairs)
    page.write(_render(campaign, found, pairs, made, output), output)
    figures = [figure for section in made for figure in section.figures]
    return [output] + (page.write_pdfs(figures, output) if pdf else [])


def _pairs(campaign: Campaign) -> list[Comparison]:
    """Every variant against the first, in pairs of seeds; none where there are too many or few."""
    known = variants_of(campaign.folder)
    seeds = {len(runs) for runs in known.values()}
    if not 2 <= len(known) <= MOST_VARIANTS or min(seeds) < 2 or max(seeds) > MOST_SEEDS:
        return []
    try:
        return compare_variants(campaign.folder, list(known))
    except (DamagedTrace, UsageError):
        return []


def _sections(found: Effects, pairs: Sequence[Comparison]) -> list[Section]:
    if not found.factors:
        return []
    with theme.style():
        made, drawn = list(response_curves(found)), list(heat_maps(found))
        paired = [forest(pairs)] if pairs else []
    if paired:
        paired[0].title = f"Differences from {_reference(pairs)}"
    sections = [Section("differences", "Differences in pairs", paired)] if paired else []
    sections.append(Section("curves", "Response curves", made))
    return sections + ([Section("maps", "Heat maps", drawn)] if drawn else [])


def _reference(pairs: Sequence[Comparison]) -> str:
    return pairs[0].base.rpartition(": ")[2]


def response_curves(found: Effects) -> Iterator[Figure]:
    """A figure a number, drawn when it is asked for."""
    return (curves(found, response) for response in found.responses if found.factors)


def heat_maps(found: Effects) -> Iterator[Figure]:
    """A figure a pair of factors, drawn when it is asked for."""
    return (
        heat_map(found, found.responses[:4], across, down)
        for down, across in list(combinations(found.factors, 2))[:MOST_MAPS]
        if found.responses
    )


def _render(
    campaign: Campaign,
    found: Effects,
    pairs: Sequence[Comparison],
    made: list[Section],
    output: Path,
) -> str:
    figures = [figure for section in made for figure in section.figures]
    return page.render(
        "campaign.html.jinja",
        figures,
        title=f"{campaign.scenario}: {len(found.runs)} runs",
        subtitle=_subtitle(found),
        verdict=_verdict(found, pairs) + campaign.privacy,
        alarms=_alarms(campaign),
        banners=[
            {"head": "Not all runs are here:", "text": note, "term": "incomplete"}
            for note in campaign.notes
        ]
        + parts.warnings(pairs),
        sole=False,
        runs=[],
        parts=[],
        sections=made,
        variants=variants(found),
        same=found.same,
        heads=[*found.factors, "run", ACCURACY.title, CERTIFIED.title],
        rows=_rows(campaign, found, output),
        metrics=METRICS,
        glossary=GLOSSARY,
        rules=RULES,
    )


def _alarms(campaign: Campaign) -> list[str]:
    """One sentence for each run whose certificate an audit has broken, and one for the rest."""
    broken = campaign.runs[campaign.runs[ALARM] != ""]
    told = [f"{run['trace']}: {run[ALARM]}" for _, run in broken.head(MOST_ALARMS).iterrows()]
    more = len(broken) - len(told)
    return told + ([f"The same goes for {more} more of {len(campaign.runs)} runs."] * bool(more))


def _subtitle(found: Effects) -> str:
    told = [f"{factor} ({len(found.levels(factor))})" for factor in found.factors]
    return f"Varied: {', '.join(told)}" if told else "Nothing was varied but the seed"


def _verdict(found: Effects, pairs: Sequence[Comparison]) -> list[str]:
    """Three sentences: on size, on accuracy, on privacy."""
    means = found.means(ACCURACY, found.factors)
    seeds = sorted({value.count for value in means.values()})
    each = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    size = f"{len(found.runs)} runs of {len(means)} variants, {each} seeds each."
    if not found.factors:
        size = f"{len(found.runs)} runs of one variant."
    return [size, _proven(pairs) if pairs else _accuracy(found), _privacy(found)]


def _proven(pairs: Sequence[Comparison]) -> str:
    """What changed accuracy by more than chance explains; nothing of the other variants."""
    proven = [one for one in pairs if one.adjusted.get(ACCURACY_KEY, 1.0) < 1.0 - LEVEL]
    if not proven:
        return (f"No variant's accuracy differs from that of {_reference(pairs)} by more than "
                f"chance explains, at {100 * (1.0 - LEVEL):.0f} % over all variants (Holm).")
    told = [f"{one.name} {about_accuracy(difference)}" for one in proven[:MOST_PROVEN]
            if (difference := one.find(ACCURACY_KEY))]
    more = len(proven) - len(told)
    also = f"; {more} more variants differ" if more else ""
    return f"Against {_reference(pairs)}: {'; '.join(told)}{also}."


def _accuracy(found: Effects) -> str:
    means = found.means(ACCURACY, found.factors)
    known = {key: value for key, value in means.items() if math.isfinite(value.mean)}
    if not known:
        return "No run was evaluated."
    if not found.factors:
        return f"Accuracy is {shown(known[()], ACCURACY)}."
    best, worst = (choose(known, key=lambda key: known[key].mean) for choose in (max, min))

    def said(key: tuple[str, ...]) -> str:
        names = ", ".join(f"{factor} {level}" for factor, level in zip(found.factors, key))
        return f"{shown(known[key], ACCURACY)} at {names}"

    text = f"The best variant reaches {said(best)}; the worst ends with {said(worst)}"
    return f"{text}; no difference was tested."


def _privacy(found: Effects) -> str:
    values = found.values(CERTIFIED)
    known = values[values.notna()]
    infinite = int(known.map(math.isinf).sum())
    if known.empty:
        return "No run recorded a certified epsilon."
    if infinite == len(known):
        return "No run has proven privacy: certified epsilon is inf in all of them."
    finite = known[~known.map(math.isinf)]
    text = f"Certified epsilon is {CERTIFIED.show(finite.min())} to {CERTIFIED.show(finite.max())}"
    if finite.min() == finite.max():
        text = f"Certified epsilon is {CERTIFIED.show(finite.min())}"
    lost = f"; nothing is proven for {infinite} of {len(known)} runs, whose epsilon is inf"
    return f"{text}{lost if infinite else ''}."


def variants(found: Effects) -> DataTable:
    """A row a variant: means over its seeds."""
    by = found.factors
    columns = [found.means(response, by) for response in found.responses]
    keys = list(dict.fromkeys(key for column in columns for key in column))
    rows = [
        [*key, *(shown(column[key], one) for column, one in zip(columns, found.responses))]
        for key in keys
    ]
    return DataTable([*by, *(response.title for response in found.responses)], rows)


def _rows(campaign: Campaign, found: Effects, output: Path) -> list[dict[str, Any]]:
    """A row a run, with links to its trace and, where there is one, to its own report."""
    accuracy, certified = found.values(ACCURACY), found.values(CERTIFIED)
    rows = []
    for place, run in found.runs.iterrows():
        trace = campaign.folder / run["trace"]
        own = trace.with_suffix(".html")
        rows.append({
            "cells": [
                *(run[factor] for factor in found.factors),
                str(run["run"]),
                ACCURACY.show(_known(accuracy[place])),
                CERTIFIED.show(_known(certified[place])),
            ],
            "name": run["trace"],
            "link": _link(trace, output),
            "report": _link(own, output) if own.exists() and own != output else "",
        })
    return rows


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _link(path: Path, output: Path) -> str:
    """Relative to the page, so that the folder can be moved; a colon is no scheme."""
    return "./" + quote(os.path.relpath(path.resolve(), output.resolve().parent))
