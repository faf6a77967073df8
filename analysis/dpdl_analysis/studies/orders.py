# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the orders that a paper publishes, by paired differences over seeds."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Sequence

import pandas as pd

from dpdl_analysis.studies.published import Printed
from dpdl_analysis.studies.statistics import Estimate, adjusted_p_values, estimate

AS_PUBLISHED, OPPOSITE, UNDECIDED = "as published", "opposite", "undecided"
LEVEL = 0.05
"""Maximum probability that a study confirms any false order."""
POWER = 0.8
"""Power of the test for which seeds_to_decide() computes the number of seeds."""
MOST_SEEDS = 1000
"""Larger numbers of seeds are reported as more than MOST_SEEDS."""


@dataclass(frozen=True)
class Pair:
    """Two levels of the ordered factor in one setting of the other factors; `difference` is the
    level that the paper ranks better minus the other one, over seeds."""

    setting: tuple[str, ...]
    better: str
    worse: str
    difference: Estimate
    p_value: float
    """Two-sided Student's p-value, adjusted by Holm's method for all pairs; nan with one seed."""
    tests: int
    """Number of pairs in the study."""

    @property
    def verdict(self) -> str:
        """AS_PUBLISHED or OPPOSITE by the sign of a significant difference, else UNDECIDED."""
        if not self.p_value < LEVEL:
            return UNDECIDED
        return AS_PUBLISHED if self.difference.mean > 0.0 else OPPOSITE

    @property
    def seeds(self) -> float:
        """Number of seeds that would decide the order, as in seeds_to_decide()."""
        return seeds_to_decide(self.difference, LEVEL / self.tests)


def seeds_to_decide(difference: Estimate, level: float) -> float:
    """Number of pairs for which a two-sided Student's test at `level` has power POWER, for the mean
    and variance of `difference`: Guenther, The American Statistician 35(4), 1981, 243-244.

    Infinite above MOST_SEEDS; nan if the variance is unknown.
    """
    if math.isnan(difference.half):
        return math.nan
    if difference.mean == 0.0:
        return math.inf
    deviation = difference.error * math.sqrt(difference.count)
    normal = NormalDist()
    wrong = normal.inv_cdf(1.0 - level / 2.0)
    ratio = (wrong + normal.inv_cdf(POWER)) * deviation / difference.mean
    needed = max(2, math.ceil(ratio**2 + wrong**2 / 2.0))
    return needed if needed <= MOST_SEEDS else math.inf


def settings_of(plan: Printed, runs: pd.DataFrame) -> list[tuple[str, ...]]:
    """Combinations of levels of the factors plan.rest, in the order of the runs."""
    ordered = runs[runs[plan.factor].isin(plan.order)]
    return list(dict.fromkeys(map(tuple, ordered[plan.rest].values))) if plan.rest else [()]


def runs_of(plan: Printed, runs: pd.DataFrame, setting: tuple[str, ...], item: str) -> pd.DataFrame:
    """Runs of the ordered factor's level `item` in one setting of the factors plan.rest."""
    chosen = runs[runs[plan.factor] == item]
    for name, value in zip(plan.rest, setting):
        chosen = chosen[chosen[name] == value]
    return chosen


def pairs_of(plan: Printed, runs: pd.DataFrame) -> list[Pair]:
    """All published pairs of levels with runs of equal seeds, by column `value` of `runs`."""
    found = []
    for setting in settings_of(plan, runs):
        for better, worse in plan.ordered:
            first, second = (runs_of(plan, runs, setting, item).set_index("run")["value"]
                             for item in (better, worse))
            difference = (first - second).dropna()
            if len(difference):
                found.append((setting, better, worse, estimate(list(difference))))
    adjusted = adjusted_p_values([pair[-1] for pair in found])
    return [Pair(*pair, p_value, len(found)) for pair, p_value in zip(found, adjusted)]


def count(pairs: Sequence[Pair], verdict: str) -> int:
    return sum(pair.verdict == verdict for pair in pairs)


def verdict(pairs: Sequence[Pair]) -> str:
    """Verdict of a study from its pairs, such as "order reproduced"."""
    held, opposite, undecided = (count(pairs, kind) for kind in (AS_PUBLISHED, OPPOSITE, UNDECIDED))
    if opposite == 0 and held > undecided:
        return "order reproduced"
    if opposite > held:
        return "order contradicted"
    if opposite == 0 and held == 0:
        return "no difference seen"
    return "order partly reproduced"


def counted(pairs: Sequence[Pair]) -> str:
    """Text with the numbers of confirmed, opposite and undecided orders."""
    text = (f"{count(pairs, AS_PUBLISHED)} of {len(pairs)} published orders hold, "
            f"{count(pairs, OPPOSITE)} are the other way round, "
            f"{count(pairs, UNDECIDED)} undecided")
    needed = sorted(pair.seeds for pair in pairs
                    if pair.verdict == UNDECIDED and not math.isnan(pair.seeds))
    if not needed:
        return text
    ends = list(dict.fromkeys(shown_seeds(seeds) for seeds in (needed[0], needed[-1])))
    return f"{text} ({' to '.join(ends)} seeds would decide them)"


def shown_seeds(seeds: float) -> str:
    if math.isnan(seeds):
        return "-"
    return f"more than {MOST_SEEDS}" if math.isinf(seeds) else f"{seeds:.0f}"
