# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a campaign: its question, the answer, figures, tables and links to its traces."""

import math
import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Iterator, Sequence
from urllib.parse import quote

from dpdl_analysis.comparison.comparison import Comparison, compare_variants, label, \
    variants_of
from dpdl_analysis.comparison.sentence import answer
from dpdl_analysis.figures import theme
from dpdl_analysis.figures.effects import RESPONSES, Effects, case, effects, response, shown, \
    variants
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.paired import MOST_VARIANTS, forest
from dpdl_analysis.figures.response import curves
from dpdl_analysis.files import check_output
from dpdl_analysis.formatting import DASH
from dpdl_analysis.page import page, parts
from dpdl_analysis.page.page import Section
from dpdl_analysis.studies import STUDIES, make
from dpdl_analysis.studies.campaign import ALARM, Campaign, read
from dpdl_analysis.studies.references import REFERENCES
from dpdl_analysis.studies.study import Study
from dpdl_analysis.sweep.file import QUESTION
from dpdl_analysis.trace import REACH, REACHED, DamagedTrace, UsageError

MOST_SEEDS = 30
MOST_ALARMS = 3
ACCURACY = RESPONSES[0]
CERTIFIED = next(one for one in RESPONSES if one.key == "epsilon_certified")
PLANS = ("study.toml", "sweep.toml")
"""Possible names of the copy of the campaign's file in the campaign's folder."""


def report(folder: Path, output: Path, pdf: bool = False) -> list[Path]:
    """Writes the page of the campaign in `folder` to `output`. Returns the paths of all files. With
    `pdf` it also writes the figures as PDF files. Raises UsageError if `folder` is no campaign or
    `output` is not writable."""
    check_output(output, ".html")
    asked = _asked(folder)
    if level := REACHED.fullmatch(asked.get("measure", "")):
        REACH.set((*REACH.get(), level[2]))
    campaign = read(folder)
    measure = asked.get("measure", ACCURACY.key)
    if "measure" in asked and measure not in campaign.runs:
        raise UsageError(f"campaign '{folder}': no run has '{measure}', the measure of its file; "
                         "expected an item of view summary")
    found = effects(campaign.runs, campaign.factors, measure)
    study = _study(campaign)
    pairs = [] if study else _pairs(campaign, asked.get("against", ""))
    first, more = _sections(found, pairs, study)
    text = _render(campaign, found, asked, pairs, study, first, more, output)
    return page.write(text, output, first + more, pdf)


def _asked(folder: Path) -> dict[str, str]:
    """Title and question in the folder's copy of the campaign's file, by key; {} without a copy."""
    for name in PLANS:
        with suppress(OSError, ValueError):
            content = tomllib.loads((folder / name).read_text(encoding="utf-8"))
            return {key: str(content[key]) for key in ("title", *QUESTION) if key in content}
    return {}


def _study(campaign: Campaign) -> Study | None:
    """The study of the campaign's scenario; None if it has none, or lacks runs for it."""
    with suppress(UsageError, DamagedTrace):
        return make(campaign.scenario, campaign.folder) if campaign.scenario in STUDIES else None
    return None


def _pairs(campaign: Campaign, against: str) -> list[Comparison]:
    """Comparisons of all variants, except reference algorithms, with the variant `against`.

    An empty `against` is the first variant. Returns [] for too few or too many variants or seeds.
    """
    known = {name: runs for name, runs in variants_of(campaign.folder).items()
             if not set(name.replace(", ", " ").split(" ")) & set(REFERENCES)}
    seeds = {len(runs) for runs in known.values()}
    if not 2 <= len(known) <= MOST_VARIANTS or min(seeds) < 2 or max(seeds) > MOST_SEEDS:
        return []
    try:
        base = label(against, known) if against else next(iter(known))
        return compare_variants(campaign.folder, [base, *(name for name in known if name != base)])
    except (DamagedTrace, UsageError):
        return []


def _sections(found: Effects, pairs: Sequence[Comparison], study: Study | None
              ) -> tuple[list[Section], list[Section]]:
    """Sections with the figure of the answer, and sections with the other figures."""
    with theme.style():
        curves_ = list(response_curves(found))
        first = [study.figure("answer")] if study else [forest(pairs, found.measure)] if pairs else curves_[:1]
    if pairs:
        first[0].title = f"Differences from {_reference(pairs)}"
    rest = [one for one in curves_ if one not in first]
    return ([Section("answer", "Answer", first)] if first else [],
            [Section("curves", "Response curves", rest)] if rest else [])


def _reference(pairs: Sequence[Comparison]) -> str:
    return pairs[0].base.rpartition(": ")[2]


def response_curves(found: Effects) -> Iterator[Figure]:
    """Yields one figure per response that differs between runs; draws it when it is needed."""
    return (curves(found, response) for response in found.responses if found.factors)


def _render(campaign: Campaign, found: Effects, asked: dict[str, str], pairs: Sequence[Comparison],
            study: Study | None, first: list[Section], more: list[Section], output: Path) -> str:
    of_all = ", ".join(f"{name} ({len(found.levels(name))})" for name in found.factors)
    told = f"Varied: {of_all}." if of_all else "Nothing was varied but the seed."
    own = [variants(found)]
    varied = [name for name in campaign.factors if campaign.runs[name].nunique(dropna=False) > 1]
    return page.render(
        "campaign.html.jinja",
        first + more,
        title=asked.get("title") or f"{campaign.scenario}: {len(campaign.runs)} runs",
        subtitle=f"{asked.get('question', '')} {told}".strip(),
        verdict=_verdict(campaign, found, asked, pairs, study) + campaign.privacy,
        alarms=_alarms(campaign),
        banners=[{"head": "Not all runs are here:", "text": note, "term": "incomplete"}
                 for note in campaign.notes] + parts.warnings(pairs),
        sole=False,
        runs=[],
        parts=[],
        sections=more,
        first=first,
        tables=study.tables if study else own,
        variants=own if study else [],
        notes=[note for note in study.notes if note not in campaign.notes + campaign.privacy]
        if study else [],
        common=campaign.shared,
        told=parts.TOLD,
        explained=parts.explained(campaign.named),
        same=found.same,
        references=found.references,
        heads=[*varied, "run", ACCURACY.title, CERTIFIED.title],
        rows=_rows(campaign, varied, output),
    )


def _alarms(campaign: Campaign) -> list[str]:
    """One sentence per run whose certificate an audit contradicts; the last may count more runs."""
    broken = campaign.runs[campaign.runs[ALARM] != ""]
    told = [f"{run['trace']}: {run[ALARM]}" for _, run in broken.head(MOST_ALARMS).iterrows()]
    more = len(broken) - len(told)
    return told + ([f"The same goes for {more} more of {len(campaign.runs)} runs."] * bool(more))


def _verdict(campaign: Campaign, found: Effects, asked: dict[str, str],
             pairs: Sequence[Comparison], study: Study | None) -> list[str]:
    """Sentences with the answer, the references' accuracies, the number of runs, and privacy."""
    means = found.means(ACCURACY, found.factors)
    seeds = sorted(set(found.runs.groupby(found.factors).size())) if found.factors else [0]
    each = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    of = ", and references" if found.references else ""
    size = f"{len(campaign.runs)} runs; {len(means)} variants with {each} seed{'s' * (each != '1')} each{of}."
    if not found.factors:
        size = f"{len(campaign.runs)} runs of one variant."
    tested = [(one.name, difference) for one in pairs if (difference := one.find(found.measure))]
    if study:
        said = [study.answer]
    elif tested:
        said = [answer(tested, _reference(pairs), asked.get("better", "higher"))]
    else:
        said = [_ends(found, asked.get("better", "higher"))]
    ends = [f"{name} {shown(found.of(name).means(ACCURACY, [])[()], ACCURACY)}"
            for name in found.references]
    said += [f"References, accuracy: {', '.join(ends)}."] if ends and not study else []
    return [*said, size, _privacy(found)]


def _ends(found: Effects, better: str) -> str:
    """Sentence with the best and the worst variant by the measure."""
    measure = response(found.measure)
    means = found.means(measure, found.factors)
    known = {key: value for key, value in means.items() if math.isfinite(value.mean)}
    if not known:
        return f"No run has {measure.title.lower()}."
    if not found.factors:
        return f"{measure.title} is {shown(known[()], measure)}."
    ranked = sorted(known, key=lambda key: known[key].mean, reverse=better == "higher")
    if len({shown(value, measure) for value in known.values()}) == 1:
        return f"{measure.title} is {shown(known[ranked[0]], measure)} in all variants; no difference was tested."

    def said(key: tuple[str, ...]) -> str:
        return f"{shown(known[key], measure)} with {case(dict(zip(found.factors, key)), found.factors)}"

    return f"{measure.title} is {said(ranked[0])} at best, and {said(ranked[-1])} at worst; no " \
           "difference was tested."


def _privacy(found: Effects) -> str:
    values = found.values(CERTIFIED)
    known = values[values.notna()]
    infinite = int(known.map(math.isinf).sum())
    if known.empty:
        return "No run recorded a certified epsilon."
    if infinite == len(known):
        return "No run has proven privacy: certified epsilon is inf in all of them."
    finite = known[~known.map(math.isinf)]
    ends = list(dict.fromkeys(CERTIFIED.show(value) for value in (finite.min(), finite.max())))
    text = f"Certified epsilon is {' to '.join(ends)}"
    lost = f"; nothing is proven for {infinite} of {len(known)} runs, whose epsilon is inf"
    return f"{text}{lost if infinite else ''}."


def _rows(campaign: Campaign, varied: Sequence[str], output: Path) -> list[dict[str, Any]]:
    """One row per run, with links to its trace and to its report, if that exists."""
    rows = []
    for run in campaign.runs.to_dict("records"):
        trace = campaign.folder / run["trace"]
        own = trace.with_suffix(".html")
        levels = [str(level) if isinstance(level := run.get(factor), (str, int)) else DASH
                  for factor in varied]
        numbers = [(one, float(run[one.key])) for one in (ACCURACY, CERTIFIED)]
        results = [one.show(None if math.isnan(value) else value) for one, value in numbers]
        rows.append({
            "cells": [*levels, str(run["run"]), *results],
            "name": run["trace"],
            "link": _link(trace, output),
            "report": _link(own, output) if own.exists() and own != output else "",
        })
    return rows


def _link(path: Path, output: Path) -> str:
    """URL of a file relative to the page. The prefix ./ keeps a colon from ending a URL scheme."""
    return "./" + quote(os.fsencode(os.path.relpath(path.resolve(), output.resolve().parent)))
