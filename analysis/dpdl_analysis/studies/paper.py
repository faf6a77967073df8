# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does a table or figure of a paper come out again? Orders and directions, seed by seed."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import Estimate, estimate
from dpdl_analysis.studies.study import COLOURS, MARKERS, MUTED, Study, Table
from dpdl_analysis.trace import UsageError

FILE = "study.toml"
"""What the study consists of, and what the paper printed; doc/formats/study.md describes it."""
PERCENT = 100.0
QUANTITIES = {
    "accuracy_mean": "The value of a run is the mean over the last quarter of its rounds.",
    "sensitivity_real": "The value of a run is the mean over its measured rounds.",
}
AS_PUBLISHED, OPPOSITE, UNDECIDED = "as published", "opposite", "undecided"


@dataclass(frozen=True)
class _Plan:
    """The study's file."""

    title: str
    source: str
    reduced: str
    quantity: str
    unit: str
    factor: str
    ranks: list[list[str]]
    """The items of the factor, the best first; those of one rank are not compared."""
    rest: list[str]
    published: dict[frozenset[tuple[str, str]], float]

    @property
    def order(self) -> list[str]:
        """All items, rank after rank."""
        return [item for rank in self.ranks for item in rank]


@dataclass(frozen=True)
class _Pair:
    """Two items of the ordered factor in one setting: what the paper puts first minus the other."""

    setting: tuple[str, ...]
    better: str
    worse: str
    difference: Estimate

    @property
    def verdict(self) -> str:
        """Whether the interval of the difference lies on one side of 0."""
        if self.difference.low > 0.0:
            return AS_PUBLISHED
        return OPPOSITE if self.difference.high < 0.0 else UNDECIDED


def study(campaign: Campaign) -> Study:
    """Ours beside the published numbers, and how many of the published orders hold."""
    plan = _plan(campaign)
    runs = campaign.runs.copy()
    for name in [plan.factor, *plan.rest]:
        runs[name] = runs[name].fillna("") if name in runs else ""
    scale = PERCENT if plan.unit == "%" else 1.0
    runs["value"] = scale * pd.to_numeric(runs[plan.quantity])
    pairs = _pairs(plan, runs)
    return Study(
        finding=f"{plan.title}: {_finding(pairs)}",
        tables=[_values(plan, runs), _privacy(plan, runs), _differences(plan, pairs)],
        draw=lambda canvas: _draw(canvas, plan, runs),
        size=(2.6 + 1.1 * max(3, len(_settings(plan, runs))), 4.6),
        caption=f"{plan.source}. Full markers: mean over the seeds with its 95 % interval; hollow: "
        f"as published. Reduced size: {plan.reduced}.",
        notes=campaign.notes,
    )


def _plan(campaign: Campaign) -> _Plan:
    path = campaign.folder / FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        factor, order = next(iter(content["expect"].items()))
        factors = list(content.get("vary", {}))
        return _Plan(
            content["title"],
            content["source"],
            content["reduced"],
            content.get("quantity", "accuracy_mean"),
            content.get("unit", "%"),
            factor,
            [[str(item) for item in rank] if isinstance(rank, list) else [str(rank)]
             for rank in order],
            [name for name in factors if name != factor],
            {_key(text): float(value) for text, value in content.get("published", {}).items()},
        )
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; accepted is the folder of a paper's study"
                         ) from error
    except (ValueError, KeyError, StopIteration, AttributeError) as error:
        raise UsageError(f"{path}: no study of a paper ({error!r}); doc/formats/study.md says what "
                         "one holds") from error


def _key(text: str) -> frozenset[tuple[str, str]]:
    """The factors of `NAME=VALUE, NAME=VALUE`."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    return frozenset((name, value) for name, _, value in pairs)


def _settings(plan: _Plan, runs: pd.DataFrame) -> list[tuple[str, ...]]:
    """The combinations of the other factors, in the order of the runs."""
    ordered = runs[runs[plan.factor].isin(plan.order)]
    return list(dict.fromkeys(map(tuple, ordered[plan.rest].values))) if plan.rest else [()]


def _of(plan: _Plan, runs: pd.DataFrame, setting: tuple[str, ...], item: str) -> pd.DataFrame:
    chosen = runs[runs[plan.factor] == item]
    for name, value in zip(plan.rest, setting):
        chosen = chosen[chosen[name] == value]
    return chosen


def _ordered(plan: _Plan) -> list[tuple[str, str]]:
    """The pairs of items that the paper puts in an order."""
    return [pair for above, below in combinations(plan.ranks, 2) for pair in product(above, below)]


def _pairs(plan: _Plan, runs: pd.DataFrame) -> list[_Pair]:
    found = []
    for setting in _settings(plan, runs):
        for better, worse in _ordered(plan):
            first = _of(plan, runs, setting, better).set_index("run")["value"]
            second = _of(plan, runs, setting, worse).set_index("run")["value"]
            difference = (first - second).dropna()
            if len(difference):
                found.append(_Pair(setting, better, worse, estimate(list(difference))))
    return found


def _finding(pairs: list[_Pair]) -> str:
    counts = {kind: sum(pair.verdict == kind for pair in pairs)
              for kind in (AS_PUBLISHED, OPPOSITE, UNDECIDED)}
    if counts[OPPOSITE] == 0 and counts[AS_PUBLISHED] > counts[UNDECIDED]:
        verdict = "order reproduced"
    elif counts[OPPOSITE] > counts[AS_PUBLISHED]:
        verdict = "order contradicted"
    elif counts[OPPOSITE] == 0 and counts[AS_PUBLISHED] == 0:
        verdict = "no difference seen"
    else:
        verdict = "order partly reproduced"
    return (f"{verdict}, {counts[AS_PUBLISHED]} of {len(pairs)} published orders hold, "
            f"{counts[OPPOSITE]} are the other way round, {counts[UNDECIDED]} undecided.")


def _shown(value: Estimate, form: str = ".1f") -> str:
    half = "" if math.isnan(value.half) else f" ± {value.half:.1f}"
    return f"{value.mean:{form}}{half}"


def _published(plan: _Plan, setting: tuple[str, ...], item: str) -> float:
    factors = {(plan.factor, item), *zip(plan.rest, setting)}
    found = [value for key, value in plan.published.items() if key <= factors]
    return found[0] if found else math.nan


def _values(plan: _Plan, runs: pd.DataFrame) -> Table:
    items = list(dict.fromkeys([*plan.order, *runs[plan.factor]]))
    rows = []
    for setting in _settings(plan, runs):
        cells = []
        for item in items:
            own = _of(plan, runs, setting, item)
            if not len(own):
                # A variant beside the combinations belongs to every setting.
                own = _of(plan, runs, tuple("" for _ in plan.rest), item)
            printed = _published(plan, setting, item)
            text = _shown(estimate(list(own["value"]))) if len(own) else "-"
            cells.append(text if math.isnan(printed) else f"{text} ({printed:g})")
        rows.append([", ".join(setting) or "all", *cells])
    return Table(
        f"{plan.title}: mean ± 95 % interval over {runs['run'].nunique()} seeds (published)",
        [", ".join(plan.rest) or "setting", *items],
        rows,
        f"Reduced size: {plan.reduced}. {QUANTITIES.get(plan.quantity, '')}".rstrip(),
    )


def _privacy(plan: _Plan, runs: pd.DataFrame) -> Table:
    rows = []
    for setting in _settings(plan, runs):
        for item in plan.order:
            own = _of(plan, runs, setting, item)
            if len(own):
                cells = [_range(own[name]) for name in ("epsilon_claimed", "epsilon_certified")]
                rows.append([", ".join([*setting, item]), *cells])
    return Table(
        "Privacy of the same runs",
        [", ".join([*plan.rest, plan.factor]), "claimed epsilon", "certified epsilon"],
        rows,
    )


def _range(values: Any) -> str:
    low, high = float(np.min(values)), float(np.max(values))
    return f"{low:.4g}" if math.isclose(low, high, rel_tol=1e-3) or low == high else (
        f"{low:.4g} to {high:.4g}")


def _differences(plan: _Plan, pairs: list[_Pair]) -> Table:
    rows = [
        [", ".join([*pair.setting, f"{pair.better} - {pair.worse}"]),
         _shown(pair.difference, "+.1f"), pair.verdict]
        for pair in pairs
    ]
    return Table("Paired differences, what the paper puts first minus the other",
                 [", ".join([*plan.rest, "pair"]), "difference", "order"], rows)


def _draw(canvas: Canvas, plan: _Plan, runs: pd.DataFrame) -> None:
    axes = canvas.subplots()
    settings = _settings(plan, runs)
    for index, item in enumerate(plan.order):
        shift = 0.5 * (index / max(1, len(plan.order) - 1) - 0.5)
        own = [estimate(list(_of(plan, runs, setting, item)["value"])) for setting in settings]
        places = [place + shift for place in range(len(settings))]
        style = {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}
        halves = [0.0 if math.isnan(value.half) else value.half for value in own]
        axes.errorbar(places, [value.mean for value in own], yerr=halves, linestyle="none",
                      label=item, **style)
        axes.plot(places, [_published(plan, setting, item) for setting in settings],
                  linestyle="none", markerfacecolor="none", alpha=0.7, **style)
    axes.set_xticks(range(len(settings)), ["\n".join(setting) or "all" for setting in settings])
    axes.set_xlabel(", ".join(plan.rest), color=MUTED)
    axes.set_ylabel(f"{plan.quantity.replace('_', ' ')} {plan.unit}")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, title=plan.factor)
