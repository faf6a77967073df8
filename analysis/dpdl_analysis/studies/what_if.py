# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What each variant of a base does to accuracy, privacy, time and q, seed by seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.comparison.difference import HEADLINE, Difference, Numbers, differences, numbers
from dpdl_analysis.comparison.sentence import ACCURACY, answer, not_converged, sentence
from dpdl_analysis.formatting import exact
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import LEVEL, Estimate, holm, student_p_value
from dpdl_analysis.studies.study import Study, Table, effect_lines
from dpdl_analysis.trace import Trace, UsageError

BASE = "base"
MOST = 20
"""At most so many variants, and so many single failures, have a line in the figure."""
PANELS = 4
TITLES = {quantity.key: quantity for quantity in HEADLINE}
NOTHING = Estimate(math.nan, math.nan, 0)
SHOWN = (
    ACCURACY,
    "accuracy_worst",
    "epsilon_certified",
    "simulated_seconds",
    "q_realised",
    "bytes_sent",
)
"""Columns of the table, and panels of the figure while there is room."""

CAPTION = (
    "A line is one variant against the base: mean over the seeds of the paired difference, with "
    "its 95 % interval; grey, the interval had the runs no random numbers in common. Accuracy "
    "is that of the last evaluation. Blue: variants; orange: single failures."
)


@dataclass(frozen=True)
class _Variant:
    """One variant against the base. `fails` is link or node where it lets one of them fail."""

    name: str
    fails: str
    by_key: dict[str, Difference]

    @property
    def damage(self) -> float:
        """Points of accuracy lost; -inf if it is not known."""
        lost = self.by_key.get(ACCURACY)
        return -lost.paired.mean if lost and math.isfinite(lost.paired.mean) else -math.inf


def study(campaign: Campaign) -> Study:
    """The variants in the order in which they were asked for, single failures by damage."""
    read = _read(campaign)
    base = read.pop(("", BASE), {})
    if not base:
        raise UsageError(f"{campaign.folder}: the runs of the base are missing or incomplete")
    found = [_variant(key, runs, base) for key, runs in read.items()]
    found = [variant for variant in found if variant.by_key]
    if not found:
        raise UsageError(f"{campaign.folder}: no variant has a complete run of the base's seeds")
    varied = [variant for variant in found if not variant.fails]
    single = sorted((variant for variant in found if variant.fails), key=lambda v: -v.damage)
    tables = [_table(_title(base), varied)] if varied else []
    compared = [(_called(one), one.by_key[ACCURACY]) for one in found if ACCURACY in one.by_key]
    adjusted = holm([student_p_value(difference.paired) for _, difference in compared])
    surely = {name for (name, _), p in zip(compared, adjusted) if p < 1.0 - LEVEL}
    tables += [_ranking(single, surely)] if single else []
    shown = varied[:MOST] + single[:MOST]
    notes = [sentence(_called(variant), list(variant.by_key.values())) for variant in varied]
    told = not_converged(list(base.values()), [difference for _, difference in compared])
    notes += [told] if told else []
    if len(varied) > MOST or len(single) > MOST:
        notes.append(f"The figure shows the first {MOST} variants and the {MOST} worst failures.")
    return Study(
        finding=answer(compared, "the base"),
        tables=tables,
        draw=lambda canvas: _draw(canvas, shown),
        size=(11.0, 2.8 + 0.26 * max(5, len(shown))),
        caption=CAPTION,
        notes=notes + campaign.notes + campaign.privacy,
    )


def _read(campaign: Campaign) -> dict[tuple[str, str], dict[int, Numbers]]:
    """The numbers of each run, by what fails, variant, and run number."""
    read: dict[tuple[str, str], dict[int, Numbers]] = {}
    for _, row in campaign.runs.iterrows():
        with Trace(campaign.folder / row["trace"]) as trace:
            read.setdefault((row["fails"], row["variant"]), {})[row["run"]] = numbers(trace)
    return read


def _variant(
    key: tuple[str, str], runs: dict[int, Numbers], base: dict[int, Numbers]
) -> _Variant:
    fails, name = key
    pairs = [(base[run], runs[run]) for run in sorted(set(base) & set(runs))]
    return _Variant(name, fails, {one.quantity.key: one for one in differences(pairs)})


def _called(variant: _Variant) -> str:
    """Its name at the beginning of a sentence; a failure's own sentence is quoted."""
    if variant.fails:
        return f"{variant.fails} {variant.name} failing"
    return f"'{variant.name}'" if variant.name.count(" ") > 1 else variant.name


def _title(base: dict[int, Numbers]) -> str:
    """What the base reaches, from the differences of the base to itself."""
    told = {
        difference.quantity.key: difference
        for difference in differences([(run, run) for run in base.values()])
    }
    parts = [
        f"{told[key].quantity.title} {exact(told[key].base.mean, 4)}"
        + (f" {told[key].quantity.unit}" if told[key].quantity.unit else "")
        for key in SHOWN
        if key in told
    ]
    return f"Differences from the base, which has {', '.join(parts)}".replace(" points", " %")


def _table(title: str, varied: list[_Variant]) -> Table:
    keys = [key for key in SHOWN if any(key in variant.by_key for variant in varied)]
    return Table(
        title,
        ["variant", *(TITLES[key].title for key in keys), "times narrower"],
        [
            [variant.name, *(_cell(variant, key) for key in keys), _gain(variant)]
            for variant in varied
        ],
        "[low, high] is the 95 % interval over the seeds of the paired difference; 'times narrower' "
        "than that of runs with independent random numbers, for accuracy.",
    )


def _cell(variant: _Variant, key: str) -> str:
    return variant.by_key[key].text() if key in variant.by_key else "-"


def _gain(variant: _Variant) -> str:
    gain = variant.by_key[ACCURACY].gain if ACCURACY in variant.by_key else math.nan
    return "-" if math.isnan(gain) else exact(gain, 2)


def _ranking(single: list[_Variant], surely: set[str]) -> Table:
    keys = [*SHOWN[:2], "consensus_distance", "q_realised"]
    return Table(
        f"Each {single[0].fails} that failed alone, the worst first",
        [single[0].fails, *(TITLES[key].title for key in keys), "surely lost"],
        [
            [
                variant.name,
                *(_cell(variant, key) for key in keys),
                "yes" if _called(variant) in surely and variant.damage > 0.0 else "no",
            ]
            for variant in single
        ],
        "'surely lost': accuracy, at 95 % over all variants (Holm).",
    )


def _draw(canvas: Canvas, shown: list[_Variant]) -> None:
    keys = [SHOWN[0]] + [key for key in SHOWN[1:] if _varies(shown, key)]
    keys = keys[:PANELS]
    panels = canvas.subplots(1, len(keys), sharey=True, squeeze=False)[0]
    for axes, key in zip(panels, keys):
        _lines(axes, shown, key)
        axes.set_xlabel(TITLES[key].title + (f" ({TITLES[key].unit})" if TITLES[key].unit else ""))
    names = [f"{variant.fails} {variant.name}".strip() for variant in shown]
    panels[0].set_yticks(range(len(shown)), names)
    panels[0].set_ylim(len(shown) - 0.4, -0.6)


def _varies(shown: list[_Variant], key: str) -> bool:
    """Whether there is a finite difference to draw."""
    found = [variant.by_key[key] for variant in shown if key in variant.by_key]
    return any(not one.unchanged and math.isfinite(one.paired.mean) for one in found)


def _lines(axes: Axes, shown: list[_Variant], key: str) -> None:
    found = [variant.by_key.get(key) for variant in shown]
    for place, one in enumerate(found):
        if one and math.isfinite(one.paired.mean) and math.isfinite(one.unpaired_half):
            ends = one.paired.mean - one.unpaired_half, one.paired.mean + one.unpaired_half
            axes.plot(ends, (place, place), color="#bbbbbb", linewidth=3.5, solid_capstyle="butt",
                      zorder=1)
    effect_lines(axes, [one.paired if one else NOTHING for one in found],
                 [bool(variant.fails) for variant in shown])
