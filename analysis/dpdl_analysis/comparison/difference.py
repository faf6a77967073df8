# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differences of paired runs, with confidence intervals."""

import math
from dataclasses import dataclass
from statistics import variance
from typing import Mapping, Sequence

from dpdl_analysis.formatting import INTERVAL
from dpdl_analysis.last_quarter import evaluated, late_rise
from dpdl_analysis.metrics import BOUNDED, titled
from dpdl_analysis.studies.statistics import LEVEL, Estimate, of_all, student_quantile
from dpdl_analysis.trace import Trace

Numbers = Mapping[str, float]
"""Results of a run by name; a missing result is absent or nan."""

RISE = "late_rise"
"""Name of the result of last_quarter.late_rise(), which is not compared between runs."""
WALL = "wall_"
"""Prefix of the names of wall-clock times, which are no results of the simulation."""
UNITS = {"fraction": ("points", 100.0), "bytes": ("MB", 1e-6), "nats": ("nats", 1.0), "s": ("s", 1.0)}
"""Shown unit and conversion factor by unit of the summary; other units are not shown."""
SAME = 1e-9
"""Largest half-width of an interval, relative to its mean, that counts as rounding error."""


@dataclass(frozen=True)
class Quantity:
    """A compared result: the trace's item `key`, times `scale`, is in `unit`."""

    key: str
    title: str
    unit: str = ""
    scale: float = 1.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Range of possible differences, in `unit`."""
        bounded = self.unit == "points" or self.key.startswith(BOUNDED)
        return (-self.scale, self.scale) if bounded else (-math.inf, math.inf)


HEADLINE = (
    Quantity("accuracy_mean", "accuracy", "points", 100.0),
    Quantity("accuracy_worst", "accuracy of the worst node", "points", 100.0),
    Quantity("accuracy_last_quarter", "accuracy, last quarter", "points", 100.0),
    Quantity("consensus_distance", "consensus distance"),
    Quantity("epsilon_certified", "epsilon certified"),
    Quantity("epsilon_claimed", "epsilon claimed"),
    Quantity("simulated_seconds", "simulated time", "s"),
    Quantity("q_realised", "q realised"),
    Quantity("bytes_sent", "bytes sent", "MB", 1e-6),
    Quantity("messages_lost", "messages lost"),
)
"""Main results of a comparison, in the order of the output."""


@dataclass(frozen=True)
class Difference:
    """Difference of one quantity over all pairs, in the quantity's unit; see analysis/README.md.

    `values` has variant minus base of each pair, and `paired` their mean with a 95 % interval.
    `base` and `variant` are means over the runs. `unpaired_half` is the half-width of the interval
    for independent runs. The last three fields count pairs that are infinite in both runs, only in
    the variant, or only in the base.
    """

    quantity: Quantity
    values: tuple[float, ...]
    base: Estimate
    variant: Estimate
    paired: Estimate
    unpaired_half: float
    both_infinite: int
    became_infinite: int
    became_finite: int

    @property
    def pairs(self) -> int:
        """Number of pairs in which both runs have the quantity."""
        return len(self.values)

    @property
    def unchanged(self) -> bool:
        """True if base and variant are exactly equal in every pair."""
        return all(value == 0.0 for value in self.values)

    @property
    def tells(self) -> bool:
        """True if the interval of the paired difference excludes 0."""
        return abs(self.paired.mean) > self.paired.half

    @property
    def constant(self) -> bool:
        """True if all of several pairs have the same difference, up to rounding errors."""
        return self.paired.half <= SAME * abs(self.paired.mean)

    @property
    def gain(self) -> float:
        """Width of the interval for independent runs, relative to the paired one; nan if both 0."""
        if self.paired.half == 0.0:
            return math.inf if self.unpaired_half > 0.0 else math.nan
        return self.unpaired_half / self.paired.half

    def text(self, spread: str = INTERVAL) -> str:
        """Text of the signed difference with unit; `spread` is "interval", "half" or "sd"."""
        if self.became_infinite or self.became_finite:
            return self._about_infinity()
        if self.unchanged:
            return "0 (infinite in both)" if self.both_infinite else "0"
        unit = f" {self.quantity.unit}" if self.quantity.unit else ""
        shown = rounded(self.paired)
        if math.isnan(self.paired.half):
            return f"{shown[0]}{unit}"
        if self.constant:
            return f"{shown[0]}{unit} in every pair"
        if spread != INTERVAL:
            digits = len(shown[0].partition(".")[2])
            return f"{shown[0]} ± {self.paired.spread(spread):.{digits}f}{unit}"
        return f"{shown[0]}{unit} [{shown[1]}, {shown[2]}]"

    def _about_infinity(self) -> str:
        parts = []
        if self.became_infinite:
            parts.append(f"finite before, infinite now in {self.became_infinite}")
        if self.became_finite:
            parts.append(f"infinite before, finite now in {self.became_finite}")
        of = "pair" if self.pairs == 1 else "pairs"
        return f"{', '.join(parts)} of {self.pairs} {of}"


def rounded(value: Estimate) -> tuple[str, str, str]:
    """Texts of the signed mean and both ends of the interval, to two digits of the half-width."""
    places = 2 - _digits(value.mean)
    if math.isfinite(value.half) and value.half > SAME * abs(value.mean):
        places = 1 - _digits(value.half)
    if not -6 < places < 7:
        texts = [f"{part:.3g}" for part in (value.mean, value.low, value.high)]
    else:
        ends = (value.mean, value.low, value.high)
        # Adding 0.0 removes the sign of a negative zero.
        texts = [f"{round(part, places) + 0.0:.{max(0, places)}f}" for part in ends]
    return ("+" if value.mean > 0.0 else "") + texts[0], texts[1], texts[2]


def _digits(value: float) -> int:
    """Decimal exponent of a value rounded to three digits: 0 for 1 to 9.99."""
    return int(f"{value:.2e}".split("e")[1]) if math.isfinite(value) else 0


def numbers(trace: Trace, until: int | None = None) -> dict[str, float]:
    """All results of a run except wall-clock times. With `until`, evaluations end at that round."""
    found = {name: trace.number(name) for name in trace.summary if not name.startswith(WALL)}
    found.update(evaluated(trace, until))
    if trace.has("accuracy_by_round", "round", "accuracy_mean"):
        found[RISE] = late_rise(trace, until)
    return {name: float(value) for name, value in found.items() if value is not None}


def all_quantities(traces: Sequence[Trace]) -> list[Quantity]:
    """The main quantities, then all other numbers of the summaries in their order."""
    known = {quantity.key for quantity in HEADLINE}
    made = list(HEADLINE)
    for trace in traces:
        for name, row in trace.summary.items():
            if name not in known and not name.startswith(WALL) and trace.number(name) is not None:
                known.add(name)
                made.append(Quantity(name, titled(name), *UNITS.get(row.unit, ("", 1.0))))
    return made


def differences(
    pairs: Sequence[tuple[Numbers, Numbers]],
    quantities: Sequence[Quantity] = HEADLINE,
    level: float = LEVEL,
) -> list[Difference]:
    """Paired differences, variant minus base, of quantities that a pair has; `level` in (0, 1)."""
    made = (_difference(pairs, quantity, level) for quantity in quantities)
    return [difference for difference in made if difference.pairs]


def _difference(
    pairs: Sequence[tuple[Numbers, Numbers]], quantity: Quantity, level: float
) -> Difference:
    key, scale = quantity.key, quantity.scale
    found = [
        (scale * base[key], scale * new[key])
        for base, new in pairs
        if not any(math.isnan(run.get(key, math.nan)) for run in (base, new))
    ]
    values = tuple(0.0 if new == base else new - base for base, new in found)
    bases, variants = [base for base, _ in found], [new for _, new in found]
    infinite = [(math.isinf(base), math.isinf(new)) for base, new in found]
    return Difference(
        quantity=quantity,
        values=values,
        base=of_all(bases, level),
        variant=of_all(variants, level),
        paired=of_all(values, level, quantity.bounds),
        unpaired_half=_unpaired_half(bases, variants, level),
        both_infinite=infinite.count((True, True)),
        became_infinite=infinite.count((False, True)),
        became_finite=infinite.count((True, False)),
    )


def _unpaired_half(bases: Sequence[float], variants: Sequence[float], level: float) -> float:
    """Half-width of Welch's confidence interval, which treats the two samples as independent."""
    count = len(bases)
    if count < 2 or any(math.isinf(value) for value in (*bases, *variants)):
        return math.nan
    squares = [variance(values) / count for values in (bases, variants)]
    total = sum(squares)
    if total == 0.0:
        return 0.0
    freedom = total**2 * (count - 1) / sum(square**2 for square in squares)
    return student_quantile(0.5 + level / 2.0, math.floor(freedom + SAME)) * math.sqrt(total)
