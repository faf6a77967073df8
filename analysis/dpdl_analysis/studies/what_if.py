# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: effect of each variant of a base on accuracy, privacy, time and q, paired by seed."""

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.comparison.difference import HEADLINE, Difference, Numbers, differences, numbers
from dpdl_analysis.comparison.sentence import ACCURACY, answer, not_converged, sentence
from dpdl_analysis.formatting import DASH, exact
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.statistics import LEVEL, adjusted_p_values, estimate
from dpdl_analysis.studies.study import GRID, Study, Table, effect_lines
from dpdl_analysis.trace import Trace, UsageError

BASE = "base"
MOST = 20
"""Maximum number of variants, and of single failures, in the figure."""
PANELS = 4
TITLES = {quantity.key: quantity for quantity in HEADLINE}
SHOWN = (
    ACCURACY,
    "accuracy_worst",
    "epsilon_certified",
    "simulated_seconds",
    "q_realised",
    "bytes_sent",
)
"""Keys of the table's columns; the first PANELS that vary are panels of the figure."""

CAPTION = (
    "A line is one variant against the base: mean over the seeds of the paired difference, with "
    "its 95 % interval; grey, the interval had the runs no random numbers in common. Accuracy "
    "is that of the last evaluation."
)


@dataclass(frozen=True)
class _Variant:
    """One variant's differences by quantity; `fails`: a single link or node fails in it."""

    name: str
    fails: bool
    by_key: dict[str, Difference]

    @property
    def damage(self) -> float:
        """Points of accuracy lost; -inf if unknown."""
        lost = self.by_key.get(ACCURACY)
        return -lost.paired.mean if lost and math.isfinite(lost.paired.mean) else -math.inf

    @property
    def called(self) -> str:
        """Name of the variant for a sentence, in quotes if it has several blanks."""
        quoted = f"'{self.name}'" if self.name.count(" ") > 1 else self.name
        return f"{self.name} failing" if self.fails else quoted


def study(campaign: Campaign) -> Study:
    """Differences from the base: variants in the given order, then single failures by damage."""
    read = _read(campaign)
    base = read.pop(("", BASE), {})
    if not base:
        raise UsageError(f"{campaign.folder}: the runs of the base are missing or incomplete")
    found = []
    for (fails, name), runs in read.items():
        pairs = [(base[run], runs[run]) for run in sorted(set(base) & set(runs))]
        by_key = {one.quantity.key: one for one in differences(pairs)}
        found += [_Variant(f"{fails} {name}".strip(), bool(fails), by_key)] if by_key else []
    if not found:
        raise UsageError(f"{campaign.folder}: no variant has a complete run of the base's seeds")
    found.sort(key=lambda variant: (variant.fails, -variant.damage * variant.fails))
    compared = [(one.called, one.by_key[ACCURACY]) for one in found if ACCURACY in one.by_key]
    adjusted = adjusted_p_values([difference.paired for _, difference in compared])
    sure = {name for (name, _), p in zip(compared, adjusted) if p < 1.0 - LEVEL}
    notes = [sentence(one.called, list(one.by_key.values())) for one in found if not one.fails]
    told = not_converged(list(base.values()), [difference for _, difference in compared])
    notes += [told] if told else []
    shown = [one for fails in (False, True) for one in [v for v in found if v.fails == fails][:MOST]]
    if len(shown) < len(found):
        notes.append(f"The figure shows the first {MOST} variants and the {MOST} worst failures.")
    return Study(finding=answer(compared, "the base"),
                 tables=[_table(_title(found[0]), found, sure)],
                 draw=lambda canvas: _draw(canvas, shown),
                 size=(11.0, 2.8 + 0.26 * max(5, len(shown))),
                 caption=CAPTION + " Blue: variants; orange: single failures." * any(one.fails for one in shown),
                 notes=notes + campaign.notes + campaign.privacy)


def _read(campaign: Campaign) -> dict[tuple[str, str], dict[int, Numbers]]:
    """Results of each run, by (factor `fails`, factor `variant`) and run number."""
    read: dict[tuple[str, str], dict[int, Numbers]] = {}
    for _, row in campaign.runs.iterrows():
        with Trace(campaign.folder / row["trace"]) as trace:
            read.setdefault((row["fails"], row["variant"]), {})[row["run"]] = numbers(trace)
    return read


def _title(first: _Variant) -> str:
    """Title of the table, with the base's results in the pairs of the first variant."""
    known = [(TITLES[key], first.by_key[key].base.mean) for key in SHOWN if key in first.by_key]
    parts = [f"{one.title} {exact(mean, 4)} {one.unit}".rstrip() for one, mean in known]
    return f"Differences from the base, which has {', '.join(parts)}".replace(" points", " %")


def _table(title: str, found: list[_Variant], sure: set[str]) -> Table:
    keys = [key for key in SHOWN if any(key in variant.by_key for variant in found)]
    rows = []
    for one in found:
        gain = one.by_key[ACCURACY].gain if ACCURACY in one.by_key else math.nan
        cells = [one.by_key[key].text() if key in one.by_key else DASH for key in keys]
        rows.append([one.name, *cells, "yes" if one.called in sure else "no",
                     DASH if math.isnan(gain) else exact(gain, 2)])
    return Table(
        title,
        ["variant", *(TITLES[key].title for key in keys), "differs", "times narrower"],
        rows,
        "[low, high] is the 95 % interval over the seeds of the paired difference. Differs: in "
        "accuracy, at 5 % over all variants (Holm). 'times narrower' than the interval of runs "
        "with independent random numbers, for accuracy.",
    )


def _draw(canvas: Canvas, shown: list[_Variant]) -> None:
    varying = {key for variant in shown for key, one in variant.by_key.items()
               if not one.unchanged and math.isfinite(one.paired.mean)}
    keys = [SHOWN[0]] + [key for key in SHOWN[1:] if key in varying]
    keys = keys[:PANELS]
    panels = canvas.subplots(1, len(keys), sharey=True, squeeze=False)[0]
    for axes, key in zip(panels, keys):
        _lines(axes, shown, key)
        axes.set_xlabel(TITLES[key].title + (f" ({TITLES[key].unit})" if TITLES[key].unit else ""))
    panels[0].set_yticks(range(len(shown)), [variant.name for variant in shown])
    panels[0].set_ylim(len(shown) - 0.4, -0.6)


def _lines(axes: Axes, shown: list[_Variant], key: str) -> None:
    found = [variant.by_key.get(key) for variant in shown]
    for place, one in enumerate(found):
        if one and math.isfinite(one.paired.mean) and math.isfinite(one.unpaired_half):
            ends = one.paired.mean - one.unpaired_half, one.paired.mean + one.unpaired_half
            axes.plot(ends, (place, place), color=GRID, linewidth=3.5, solid_capstyle="butt",
                      zorder=1)
    effect_lines(axes, [one.paired if one else estimate([]) for one in found],
                 [variant.fails for variant in shown])
