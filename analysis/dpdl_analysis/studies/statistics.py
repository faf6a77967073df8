# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Means with confidence intervals over seeds, p-values, and shares of explained variance."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterable, Sequence

import numpy as np

from dpdl_analysis.formatting import DASH, HALF

LEVEL = 0.95
"""Confidence level of all intervals."""
RESAMPLES = 2000
"""Number of resamples of a bootstrap."""


@dataclass(frozen=True)
class Estimate:
    """A mean of `count` values, with the half-width of its confidence interval; nan if unknown."""

    mean: float
    half: float
    count: int
    bounds: tuple[float, float] = (-math.inf, math.inf)
    """Range of possible values, to which the interval is clipped."""

    @property
    def low(self) -> float:
        return float(np.clip(self.mean - self.half, *self.bounds))

    @property
    def high(self) -> float:
        return float(np.clip(self.mean + self.half, *self.bounds))

    @property
    def bars(self) -> tuple[float, float]:
        """Lengths of the error bars below and above the mean; 0 if unknown."""
        ends = (self.mean - self.low, self.high - self.mean)
        return (0.0, 0.0) if math.isnan(self.half) else (max(0.0, ends[0]), max(0.0, ends[1]))

    @property
    def error(self) -> float:
        """Standard error of the mean, for an estimate at level 0.95 from at least two values."""
        return self.half / student_quantile(0.5 + LEVEL / 2.0, self.count - 1)

    def spread(self, kind: str) -> float:
        """Half-width of the interval if `kind` is "half", else the standard deviation."""
        return self.half if kind == HALF else self.error * math.sqrt(self.count)

    def text(self, digits: int = 1, sign: str = "") -> str:
        """Text of mean ± half-width with `digits` decimals, or a dash; `sign` "+" shows plus."""
        if self.count == 0:
            return DASH
        half = "" if math.isnan(self.half) else f" ± {self.half:.{digits}f}"
        # Adding 0.0 removes the sign of a negative zero.
        return f"{round(self.mean, digits) + 0.0:{sign}.{digits}f}{half}"


def estimate(values: Sequence[float], level: float = LEVEL,
             bounds: tuple[float, float] = Estimate.bounds) -> Estimate:
    """Mean and Student's confidence interval of the finite values; `level` in (0, 1)."""
    kept = np.asarray(values, dtype=float)
    kept = kept[np.isfinite(kept)]
    if len(kept) == 0:
        return Estimate(math.nan, math.nan, 0)
    if len(kept) == 1:
        return Estimate(float(kept[0]), math.nan, 1)
    error = float(np.std(kept, ddof=1)) / math.sqrt(len(kept))
    half = student_quantile(0.5 + level / 2.0, len(kept) - 1) * error
    return Estimate(float(np.mean(kept)), half, len(kept), bounds)


def of_all(values: Sequence[float], level: float = LEVEL,
           bounds: tuple[float, float] = Estimate.bounds) -> Estimate:
    """estimate() of the values; an infinite mean without interval if a value is infinite."""
    infinite = [value for value in values if math.isinf(value)]
    return Estimate(sum(infinite), math.nan, len(values)) if infinite else estimate(values, level, bounds)


def shown(values: Iterable[float], digits: int = 1, scale: float = 1.0) -> str:
    """Text of the mean of the finite values, times `scale`, with its interval."""
    return estimate([scale * value for value in values]).text(digits)


def times(log2: Estimate) -> str:
    """Text of a ratio with its interval, from an estimate of its log2."""
    if math.isnan(log2.mean):
        return DASH
    interval = "" if math.isnan(log2.half) else f" [{2**log2.low:.2f}, {2**log2.high:.2f}]"
    return f"{2**log2.mean:.2f}{interval}"


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t distribution with `freedom` >= 1, for a probability in (1/2, 1)."""
    t, mass = _student(freedom)
    return float(np.interp(probability - 0.5, mass, t))


def student_p_value(value: Estimate) -> float:
    """Two-sided p-value that the mean is 0, to about 1e-6; nan for fewer than two values."""
    if value.count < 2 or not math.isfinite(value.half):
        return math.nan
    if value.half == 0.0:
        return 1.0 if value.mean == 0.0 else 0.0
    t, mass = _student(value.count - 1)
    return max(0.0, 1.0 - 2.0 * float(np.interp(abs(value.mean) / value.error, t, mass)))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted by Holm's method (1979); nan stays and counts as no test."""
    tested = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    adjusted, largest = list(p_values), 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = largest
    return adjusted


def adjusted_p_values(values: Sequence[Estimate | None]) -> list[float]:
    """p-values that the means are 0, adjusted by Holm's method; nan if not testable."""
    return holm([student_p_value(value) if value else math.nan for value in values])


@lru_cache(maxsize=None)
def _student(freedom: int) -> tuple[np.ndarray, np.ndarray]:
    """Values t >= 0, and the probability from 0 to each t, of Student's distribution."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)
    # Substituting t = tan(angle) gives a finite integration interval.
    angle = np.linspace(0.0, math.pi / 2, 200_001)[:-1]
    t = np.tan(angle)
    density = scale * (1 + t**2 / freedom) ** (-(freedom + 1) / 2) * (1 + t**2)
    mass = np.concatenate(([0.0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(angle))))
    return t, mass


def r_squared(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R^2 in [0, 1] of the linear regression of y on x, over the last axis; 0 if x is constant.

    nan for fewer than three points, or if y is constant.
    """
    if x.shape[-1] < 3:
        return np.full(x.shape[:-1], math.nan)
    dx, dy = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (dx * dy).sum(axis=-1) ** 2 / ((dx**2).sum(axis=-1) * (dy**2).sum(axis=-1))
    share = np.where(np.ptp(x, axis=-1) == 0.0, 0.0, np.minimum(share, 1.0))
    return np.where(np.ptp(y, axis=-1) == 0.0, math.nan, share)


@dataclass(frozen=True)
class Explained:
    """A fraction of explained variance, with its bootstrap interval at LEVEL."""

    share: float
    low: float
    high: float


def explained(x: np.ndarray, y: np.ndarray, groups: np.ndarray) -> Explained:
    """R^2 of y on x, with a percentile interval from resampling `groups` of points."""
    kept = np.isfinite(x) & np.isfinite(y)
    x, y, groups = x[kept], y[kept], groups[kept]
    members = [np.flatnonzero(groups == group) for group in sorted(set(groups))]
    generator = np.random.default_rng(1)
    number = RESAMPLES if len(members) > 2 else 0
    chosen = generator.integers(max(len(members), 1), size=(number, len(members)))
    if len({len(rows) for rows in members}) == 1:
        rows = np.stack(members)[chosen].reshape(number, len(x))
        draws = r_squared(x[rows], y[rows])
    else:
        joined = (np.concatenate([members[index] for index in draw]) for draw in chosen)
        draws = np.array([r_squared(x[rows], y[rows]) for rows in joined])
    found = draws[np.isfinite(draws)]
    tail = 50.0 * (1.0 - LEVEL)
    low, high = np.percentile(found, [tail, 100.0 - tail]) if len(found) else (math.nan, math.nan)
    return Explained(float(r_squared(x, y)), float(low), float(high))
