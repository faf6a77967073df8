# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reproduction of a paper's table or figure: our numbers and the printed ones."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.studies import forensics
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.orders import UNDECIDED, Pair, counted, pairs_of, runs_of, \
    settings_of, shown_seeds, verdict
from dpdl_analysis.studies.published import FILE, Printed, read
from dpdl_analysis.studies.statistics import estimate
from dpdl_analysis.studies.study import MUTED, Study, Table, draw_line, look

PERCENT = 100.0
QUANTITIES = {
    "accuracy_last_quarter": "The value of a run is the mean over the last quarter of its rounds.",
    "sensitivity_real": "The value of a run is the mean over its measured rounds.",
}


def study(campaign: Campaign) -> Study:
    """The study of a campaign, by the copy of its file study.toml in the campaign's folder."""
    plan = read(campaign.folder / FILE)
    return forensics.study(plan, campaign) if plan.search else compared(plan, campaign)


def compared(plan: Printed, campaign: Campaign) -> Study:
    """Study with our numbers, the published ones, and tests of the published orders."""
    runs = values_of(plan, campaign.runs)
    pairs = pairs_of(plan, runs)
    return Study(
        finding=f"{plan.title}: {verdict(pairs)}, {counted(pairs)}.",
        tables=[values_table(plan, runs), _privacy(plan, runs), _differences(plan, pairs)],
        draw=lambda canvas: _draw(canvas, plan, runs),
        size=(2.6 + 1.1 * max(3, len(settings_of(plan, runs))), 4.6),
        caption=f"{plan.source}. Full markers: mean over the seeds with its 95 % interval; hollow: "
        f"as published. {plan.unlike()}",
        notes=campaign.notes,
    )


def values_of(plan: Printed, runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with `value`, the compared quantity in the study's unit."""
    runs = runs.copy()
    for name in [plan.factor, *plan.rest]:
        runs[name] = runs[name].fillna("") if name in runs else ""
    scale = PERCENT if plan.unit == "%" else 1.0
    runs["value"] = scale * pd.to_numeric(runs[plan.quantity])
    return runs


def _published(plan: Printed, setting: tuple[str, ...], item: str) -> float:
    return plan.number({**dict(zip(plan.rest, setting)), plan.factor: item})


def values_table(plan: Printed, runs: pd.DataFrame, full: bool = False) -> Table:
    """Table of our numbers with published ones in brackets; `full`: of runs with `--full`."""
    items = list(dict.fromkeys([*plan.order, *runs[plan.factor]]))
    rows = []
    for setting in settings_of(plan, runs):
        cells = []
        for item in items:
            own = runs_of(plan, runs, setting, item)
            if not len(own):
                # A variant from [base] or [[also]] belongs to every setting.
                own = runs_of(plan, runs, tuple("" for _ in plan.rest), item)
            printed = _published(plan, setting, item)
            text = estimate(own["value"]).text() if len(own) else "-"
            cells.append(text if math.isnan(printed) else f"{text} ({printed:g})")
        rows.append([", ".join(setting) or "all", *cells])
    return Table(
        f"{plan.title}: mean ± 95 % interval over {runs['run'].nunique()} seeds (published)",
        [", ".join(plan.rest) or "setting", *items],
        rows,
        f"{plan.unlike(full)} {QUANTITIES.get(plan.quantity, '')}".rstrip(),
    )


def _privacy(plan: Printed, runs: pd.DataFrame) -> Table:
    rows = []
    for setting in settings_of(plan, runs):
        for item in plan.order:
            own = runs_of(plan, runs, setting, item)
            if len(own):
                cells = [range_of(own[name]) for name in ("epsilon_claimed", "epsilon_certified")]
                rows.append([", ".join([*setting, item]), *cells])
    return Table(
        "Privacy of the same runs",
        [", ".join([*plan.rest, plan.factor]), "claimed epsilon", "certified epsilon"],
        rows,
    )


def range_of(values: Any) -> str:
    """Text of the range of values, or of their common value."""
    low, high = float(np.min(values)), float(np.max(values))
    return f"{low:.4g}" if math.isclose(low, high, rel_tol=1e-3) or low == high else (
        f"{low:.4g} to {high:.4g}")


def _differences(plan: Printed, pairs: list[Pair]) -> Table:
    rows = [
        [", ".join([*pair.setting, f"{pair.better} - {pair.worse}"]),
         pair.difference.text(sign="+"),
         "-" if math.isnan(pair.p_value) else f"{pair.p_value:.2g}", pair.verdict,
         shown_seeds(pair.seeds) if pair.verdict == UNDECIDED else ""]
        for pair in pairs
    ]
    return Table("Paired differences, what the paper puts first minus the other: mean ± 95 % "
                 "interval, p-value adjusted for all pairs (Holm)",
                 [", ".join([*plan.rest, "pair"]), "difference", "p", "order", "seeds to decide"],
                 rows)


def _draw(canvas: Canvas, plan: Printed, runs: pd.DataFrame) -> None:
    axes = canvas.subplots()
    settings = settings_of(plan, runs)
    for index, item in enumerate(plan.order):
        shift = 0.5 * (index / max(1, len(plan.order) - 1) - 0.5)
        own = [estimate(list(runs_of(plan, runs, setting, item)["value"])) for setting in settings]
        places = [place + shift for place in range(len(settings))]
        draw_line(axes, index, item, places, own, linestyle="none")
        axes.plot(places, [_published(plan, setting, item) for setting in settings],
                  linestyle="none", markerfacecolor="none", alpha=0.7, **look(index))
    axes.set_xticks(range(len(settings)), ["\n".join(setting) or "all" for setting in settings])
    axes.set_xlabel(", ".join(plan.rest), color=MUTED)
    axes.set_ylabel(f"{plan.quantity.replace('_', ' ')} {plan.unit}")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, title=plan.factor)
