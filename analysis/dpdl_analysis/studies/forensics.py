# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Search for a setting, left open by a paper, that reproduces all of its printed numbers."""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.published import Printed
from dpdl_analysis.studies.study import MUTED, Study, Table, look
from dpdl_analysis.trace import UsageError

CLOSE = 2.0
"""Maximum difference in points between a reproduced number and the printed one."""
READINGS = {"nodes": "accuracy_last_quarter", "mean": "mean_model_last_quarter"}
"""Columns of two readings of "accuracy": the mean over the nodes, or that of the mean model."""
PERCENT = 100.0


@dataclass(frozen=True)
class Fit:
    """Comparison of one setting, in one reading of READINGS, with the printed numbers."""

    setting: str
    reading: str
    cells: list[str]
    """Factors of each number as text, by number."""
    printed: np.ndarray
    ours: np.ndarray
    """Means over the seeds, in the order of `cells`; `printed` has the same order and unit."""
    certified: tuple[float, float]
    """Smallest and largest certified epsilon of the private runs; nan if there are none."""

    @property
    def misses(self) -> np.ndarray:
        """Our numbers minus the printed numbers."""
        return self.ours - self.printed

    @property
    def mean_miss(self) -> float:
        """Mean absolute difference from the printed numbers; fits are sorted by it."""
        return float(np.mean(np.abs(self.misses)))

    @property
    def close(self) -> int:
        """Number of cells within 2 points of the printed number."""
        return int(np.sum(np.abs(self.misses) <= CLOSE))

    @property
    def reversed(self) -> int:
        """Number of pairs of cells whose order is opposite to the printed order."""
        return sum((self.ours[a] - self.ours[b]) * (self.printed[a] - self.printed[b]) < 0.0
                   for a, b in combinations(range(len(self.cells)), 2))

    @property
    def fits(self) -> bool:
        """True if all cells are within 2 points of the printed numbers and in the printed order."""
        return self.close == len(self.cells) and self.reversed == 0


def study(plan: Printed, campaign: Campaign) -> Study:
    """Study of the fits of all settings, the one with the smallest mean difference first."""
    found = fits(plan, campaign.runs)
    return Study(
        finding=f"{plan.title}: {answer(found)}",
        tables=[fits_table(plan, found), cells_table(found[0])],
        draw=lambda canvas: _draw(canvas, _nearer(found)),
        size=(8.0, 6.0),
        caption=f"{plan.source}. Each marker is a number of the table; the line: equal; the "
        f"band: within {CLOSE:g} points. {plan.unlike()}",
        notes=campaign.notes,
    )


def fits(plan: Printed, runs: pd.DataFrame) -> list[Fit]:
    """Fits of all settings with all numbers, sorted by mean_miss. Raises UsageError if none."""
    factor = next(iter(plan.search))
    names = [factor, *plan.rest]
    runs = runs.assign(**{name: runs[name].fillna("") for name in names})
    found = [_fit(plan, runs[runs[factor] == setting], setting, reading)
             for setting in dict.fromkeys(runs[factor]) for reading in READINGS]
    whole = max(len(fit.cells) for fit in found)
    if whole == 0:
        raise UsageError(f"{plan.title}: no run has a printed number to compare with")
    return sorted((fit for fit in found if len(fit.cells) == whole), key=lambda fit: fit.mean_miss)


def _nearer(found: list[Fit]) -> list[Fit]:
    """The better reading of each setting, sorted by mean_miss."""
    settings = dict.fromkeys(fit.setting for fit in found)
    return [next(fit for fit in found if fit.setting == setting) for setting in settings]


def _fit(plan: Printed, runs: pd.DataFrame, setting: str, reading: str) -> Fit:
    values = {key: PERCENT * runs[(runs[plan.rest] == key).all(axis=1)][READINGS[reading]].mean()
              for key in dict.fromkeys(map(tuple, runs[plan.rest].values))}
    cells, printed, ours = [], [], []
    for key, value in values.items():
        factors = {name: value for name, value in zip(plan.rest, key) if value}
        number = plan.number(factors)
        if not math.isnan(number):
            cells.append(", ".join(factors.values()))
            printed.append(number)
            ours.append(value)
    for (first, second), number in plan.differences.items():
        both = [value for wanted in (first, second) for key, value in values.items()
                if wanted <= set(zip(plan.rest, key))]
        if len(both) == 2:
            cells.append(" - ".join(", ".join(value for _, value in sorted(wanted))
                                    for wanted in (first, second)))
            printed.append(number)
            ours.append(both[0] - both[1])
    private = runs["epsilon_certified"][runs["epsilon_claimed"].apply(np.isfinite)]
    ends = (float(private.min()), float(private.max())) if len(private) else (math.nan, math.nan)
    return Fit(setting, reading, cells, np.array(printed), np.array(ours), ends)


def answer(found: list[Fit]) -> str:
    """One or two sentences with the result of the search."""
    best, count = found[0], len({fit.setting for fit in found})
    if fitting := [fit for fit in found if fit.fits]:
        first = fitting[0]
        return (f"setting {first.setting} gives all {len(first.cells)} numbers within {CLOSE:g} "
                f"points ({_whose(first)}), at a certified epsilon of {_range(first)}.")
    worst = int(np.argmax(np.abs(best.misses)))
    return (f"none of the {count} settings tried gives the printed numbers within {CLOSE:g} "
            f"points. Nearest is {best.setting} ({_whose(best)}): {best.close} of "
            f"{len(best.cells)} within {CLOSE:g} points, {best.mean_miss:.1f} off on average, most at "
            f"{best.cells[worst]} ({best.ours[worst]:.1f}, printed {best.printed[worst]:g}); "
            f"certified epsilon {_range(best)}.")


def _whose(fit: Fit) -> str:
    return "accuracy of the nodes" if fit.reading == "nodes" else "accuracy of the mean model"


def _range(fit: Fit) -> str:
    low, high = fit.certified
    return f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"


def fits_table(plan: Printed, found: list[Fit]) -> Table:
    """Table with one row per setting, in its better reading."""
    meanings = next(iter(plan.search.values()))
    rows = [[fit.setting, meanings.get(fit.setting, ""), fit.reading, f"{fit.mean_miss:.1f}",
             f"{np.max(np.abs(fit.misses)):.1f}", f"{fit.close} of {len(fit.cells)}",
             f"{fit.reversed}", _range(fit)]
            for fit in _nearer(found)]
    return Table(
        f"{plan.title}: distance from the printed numbers in points, the nearest setting first",
        ["setting", "which is", "accuracy of", "mean", "largest", f"within {CLOSE:g}",
         "pairs reversed", "certified epsilon"],
        rows,
    )


def cells_table(fit: Fit) -> Table:
    """Table of the printed numbers and ours for one setting."""
    rows = [[cell, f"{printed:g}", f"{ours:.1f}", f"{ours - printed:+.1f}"]
            for cell, printed, ours in zip(fit.cells, fit.printed, fit.ours)]
    return Table(f"The numbers of {fit.setting} ({_whose(fit)})",
                 ["cell", "printed", "ours", "difference"], rows)


def _draw(canvas: Canvas, found: list[Fit]) -> None:
    axes = canvas.subplots()
    ends = [min(fit.printed.min() for fit in found) - 5, 100.0]
    axes.plot(ends, ends, color=MUTED, linewidth=1)
    axes.fill_between(ends, [end - CLOSE for end in ends], [end + CLOSE for end in ends],
                      color=MUTED, alpha=0.2, linewidth=0)
    for index, fit in enumerate(found):
        axes.plot(fit.printed, fit.ours, linestyle="none", label=f"{fit.setting} ({fit.reading})",
                  **look(index))
    axes.set_xlabel("printed accuracy (%)", color=MUTED)
    axes.set_ylabel("ours (%)")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, title="setting")
