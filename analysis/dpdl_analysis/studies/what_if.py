# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What each variant of a base does to accuracy, privacy, time and q, seed by seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.comparison.difference import HEADLINE, Difference, Numbers, differences, numbers
from dpdl_analysis.comparison.sentence import ACCURACY, about_accuracy, not_converged, sentence
from dpdl_analysis.formatting import exact
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import LEVEL
from dpdl_analysis.studies.study import COLOURS, INK, MUTED, Study, Table
from dpdl_analysis.trace import Trace, UsageError

BASE = "base"
MOST = 20
"""At most so many variants, and so many single failures, have a line in the figure."""
PANELS = 4
SHOWN = (
    ACCURACY,
    "late_accuracy_worst",
    "epsilon_certified",
    "simulated_seconds",
    "q_realised",
    "bytes_sent",
)
"""Columns of the table, and panels of the figure while there is room."""

CAPTION = (
    "A line is one variant against the base: mean over the seeds of the paired difference, with "
    "its 95 % interval; grey, the interval had the runs no random numbers in common. Accuracies "
    "are means over the last quarter of the run. Blue: variants; orange: single failures."
)


@dataclass(frozen=True)
class _Variant:
    """One variant against the base. `fails` is link or node where it lets one of them fail."""

    name: str
    fails: str
    by_key: dict[str, Difference]
    strict: Difference | None

    @property
    def tells(self) -> bool:
        """Whether it costs accuracy, allowing for the number of failures compared."""
        return self.strict is not None and self.strict.tells and self.damage > 0.0

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
    singles = sum(1 for fails, _ in read if fails)
    found = [_variant(key, runs, base, max(1, singles)) for key, runs in read.items()]
    found = [variant for variant in found if variant.by_key]
    if not found:
        raise UsageError(f"{campaign.folder}: no variant has a complete run of the base's seeds")
    varied = [variant for variant in found if not variant.fails]
    single = sorted((variant for variant in found if variant.fails), key=lambda v: -v.damage)
    tables = [_table(_title(base), varied)] if varied else []
    tables += [_ranking(single)] if single else []
    shown = varied[:MOST] + single[:MOST]
    notes = [sentence(_called(variant), list(variant.by_key.values())) for variant in varied]
    effects = [variant.by_key[ACCURACY] for variant in found if ACCURACY in variant.by_key]
    told = not_converged(list(base.values()), effects)
    notes += [told] if told else []
    if len(varied) > MOST or len(single) > MOST:
        notes.append(f"The figure shows the first {MOST} variants and the {MOST} worst failures.")
    return Study(
        finding=_finding(varied, single),
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
    key: tuple[str, str], runs: dict[int, Numbers], base: dict[int, Numbers], singles: int
) -> _Variant:
    fails, name = key
    pairs = [(base[run], runs[run]) for run in sorted(set(base) & set(runs))]
    by_key = {difference.quantity.key: difference for difference in differences(pairs)}
    strict = differences(pairs, HEADLINE[:1], 1.0 - (1.0 - LEVEL) / singles) if fails else []
    return _Variant(name, fails, by_key, strict[0] if strict else None)


def _called(variant: _Variant) -> str:
    """Its name at the beginning of a sentence; a failure's own sentence is quoted."""
    if variant.fails:
        return f"{variant.fails} {variant.name} failing"
    return f"'{variant.name}'" if variant.name.count(" ") > 1 else variant.name


def _finding(varied: list[_Variant], single: list[_Variant]) -> str:
    """The variant that does most to accuracy, and the failure that costs most."""
    parts = []
    known = [variant for variant in varied if ACCURACY in variant.by_key]
    if single:
        known = [variant for variant in known if not variant.by_key[ACCURACY].unchanged]
    if known:
        first = max(known, key=lambda variant: abs(variant.damage))
        parts.append(f"{_called(first)} {about_accuracy(first.by_key[ACCURACY])}")
    if single and single[0].strict:
        parts.append(_worst(single))
    return (". ".join(parts) or "No variant has an accuracy") + "."


def _worst(single: list[_Variant]) -> str:
    """The failure that costs most, and whether that is sure."""
    worst, total = single[0], f"{len(single)} {single[0].fails}s"
    lost = about_accuracy(worst.by_key[ACCURACY])
    if worst.tells:
        return f"Of {total} that fail alone, {worst.name} hurts most: it {lost}"
    telling = sum(variant.tells for variant in single) or "None"
    return (
        f"{telling} of {total} that fail alone surely cost accuracy (95 % for all together); the "
        f"largest mean loss is that of {worst.name}: it {lost}"
    )


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
    quantities = {quantity.key: quantity for quantity in HEADLINE}
    return Table(
        title,
        ["variant", *(quantities[key].title for key in keys), "times narrower"],
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


def _ranking(single: list[_Variant]) -> Table:
    keys = [*SHOWN[:2], "late_consensus_distance", "q_realised"]
    titles = {quantity.key: quantity.title for quantity in HEADLINE}
    return Table(
        f"Each {single[0].fails} that failed alone, the worst first",
        [single[0].fails, *(titles[key] for key in keys), "surely lost"],
        [
            [
                variant.name,
                *(_cell(variant, key) for key in keys),
                "yes" if variant.tells else "no",
            ]
            for variant in single
        ],
        "'surely lost': accuracy, allowing for comparing so many (Bonferroni).",
    )


def _draw(canvas: Canvas, shown: list[_Variant]) -> None:
    keys = [SHOWN[0]] + [key for key in SHOWN[1:] if _varies(shown, key)]
    keys = keys[:PANELS]
    panels = canvas.subplots(1, len(keys), sharey=True, squeeze=False)[0]
    titles = {quantity.key: quantity for quantity in HEADLINE}
    for axes, key in zip(panels, keys):
        _lines(axes, shown, key)
        unit = f" ({titles[key].unit})" if titles[key].unit else ""
        axes.set_xlabel(f"{titles[key].title}{unit}")
        axes.tick_params(axis="y", length=0, labelcolor=INK)
        axes.grid(axis="y", visible=False)
    names = [f"{variant.fails} {variant.name}".strip() for variant in shown]
    panels[0].set_yticks(range(len(shown)), [_short(name) for name in names])
    panels[0].set_ylim(len(shown) - 0.4, -0.6)


def _short(name: str) -> str:
    return name if len(name) <= 34 else name[:31] + "..."


def _varies(shown: list[_Variant], key: str) -> bool:
    """Whether there is a finite difference to draw."""
    found = [variant.by_key[key] for variant in shown if key in variant.by_key]
    return any(not one.unchanged and math.isfinite(one.paired.mean) for one in found)


def _lines(axes: Axes, shown: list[_Variant], key: str) -> None:
    axes.axvline(0.0, color=MUTED, linewidth=0.9)
    for place, variant in enumerate(shown):
        found = variant.by_key.get(key)
        if found is None or not math.isfinite(found.paired.mean):
            continue
        colour = COLOURS[1] if variant.fails else COLOURS[0]
        if not math.isnan(found.unpaired_half):
            axes.plot(
                [found.paired.mean - found.unpaired_half, found.paired.mean + found.unpaired_half],
                [place, place],
                color="#bbbbbb",
                linewidth=3.5,
                solid_capstyle="butt",
                zorder=1,
            )
        axes.errorbar(
            found.paired.mean,
            place,
            xerr=0.0 if math.isnan(found.paired.half) else found.paired.half,
            color=colour,
            marker="s" if variant.fails else "o",
            markersize=5,
            linewidth=1.4,
            capsize=2,
        )
