# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lower bounds on epsilon: the distribution of the privacy loss, composed by FFT.

A pair is two lists of probabilities: of what an attacker may see with one dataset, and with its
neighbour. Every error makes epsilon smaller:

* Outcomes share cells. That is post-processing of what was released.
* The loss of a cell, log(P / Q), is rounded down to a grid. delta = E_P[max(0, 1 - e^(eps - loss))]
  grows with the loss.
* Losses above the grid move down to its end, those below it count for nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np

_erfc = np.frompyfunc(math.erfc, 1, 1)


def normal_cdf(x: np.ndarray) -> np.ndarray:
    """Distribution function of a standard normal variable."""
    return 0.5 * _erfc(-np.asarray(x) / math.sqrt(2)).astype(float)


def laplace_cdf(x: np.ndarray) -> np.ndarray:
    """Distribution function of a Laplace variable of scale 1."""
    below = 0.5 * np.exp(np.minimum(x, 0.0))
    return np.where(x < 0, below, 1 - 0.5 * np.exp(-np.maximum(x, 0.0)))


@dataclass(frozen=True)
class Pair:
    """Probabilities of the cells, with one dataset and with the other."""

    p: np.ndarray
    q: np.ndarray
    error: float = 1e-12  # of a sum of probabilities, from rounding

    def swapped(self) -> Pair:
        return Pair(self.q, self.p, self.error)


@dataclass(frozen=True)
class Mixture:
    """Noise of scale 1 around one of several centres."""

    weights: Sequence[float]
    centres: Sequence[float]

    def probabilities(self, edges: np.ndarray, cdf: Callable) -> np.ndarray:
        """Of the cells between the edges, and of the two beyond them.

        Each difference is taken on the side of the smaller tail.
        """
        total = np.zeros(len(edges) + 1)
        for weight, centre in zip(self.weights, self.centres):
            below = np.concatenate(([0.0], cdf(edges - centre), [1.0]))
            above = np.concatenate(([1.0], cdf(centre - edges), [0.0]))
            is_low = below[1:] < 0.5
            total += weight * np.where(is_low, np.diff(below), -np.diff(above))
        return np.maximum(total, 0.0)


def pair_of(p: Mixture, q: Mixture, noise: str, cells: int = 3000) -> Pair:
    """Two mixtures of the same noise."""
    centres = [*p.centres, *q.centres]
    reach = 9.0 if noise == "gaussian" else 0.0  # Laplace losses are constant beyond the centres
    edges = np.linspace(min(centres) - reach, max(centres) + reach, cells + 1)
    edges = np.union1d(edges, centres)
    cdf = normal_cdf if noise == "gaussian" else laplace_cdf
    return Pair(p.probabilities(edges, cdf), q.probabilities(edges, cdf))


@dataclass
class _Losses:
    """P's probabilities of the losses first * h, (first + 1) * h, ..."""

    first: int
    p: np.ndarray

    def within(self, low: int, high: int) -> _Losses:
        """Drops what is below low and moves what is above high down to it."""
        last = self.first + len(self.p) - 1
        p, first = self.p, self.first
        if last > high:
            keep = max(high - first, 0)
            p = np.concatenate((p[:keep], [p[keep:].sum()]))
            first = min(first, high)
        if first < low:
            p, first = p[low - first :], low
        return _Losses(first, p)

    def plus(self, other: _Losses) -> _Losses:
        """The sum of two independent losses."""
        count = len(self.p) + len(other.p) - 1
        size = 1 << (count - 1).bit_length()
        product = np.fft.rfft(self.p, size) * np.fft.rfft(other.p, size)
        p = np.maximum(np.fft.irfft(product, size)[:count], 0.0)
        return _Losses(self.first + other.first, p)


def _losses(pair: Pair, h: float, low: int, high: int) -> _Losses:
    seen = pair.p > 0
    p, q = pair.p[seen], pair.q[seen]
    with np.errstate(divide="ignore"):
        loss = np.log(p) - np.log(q)
    # A loss that is a multiple of h but for rounding stays below it.
    index = np.floor(np.clip(loss / h - 1e-9, low - 1, high)).astype(int)
    kept = index >= low
    if not kept.any():
        return _Losses(low, np.zeros(1))
    first = index[kept].min()
    return _Losses(first, np.bincount(index[kept] - first, weights=p[kept]))


def _counted(pairs: list[Pair]) -> list[tuple[Pair, int]]:
    """Each object once, and how often it is there."""
    known = {id(pair): pair for pair in pairs}
    return [(pair, sum(1 for one in pairs if one is pair)) for pair in known.values()]


def _moments(pair: Pair) -> tuple[float, float]:
    seen = (pair.p > 0) & (pair.q > 0)
    loss = np.log(pair.p[seen] / pair.q[seen])
    mean = float(np.sum(pair.p[seen] * loss))
    return mean, max(0.0, float(np.sum(pair.p[seen] * loss * loss)) - mean * mean)


def _epsilon(losses: _Losses, h: float, delta: float) -> float:
    """The largest multiple of h at which delta is exceeded; 0 if there is none above 0."""
    # delta(eps = l_i) = sum over j > i of p_j (1 - e^(l_i - l_j)), from the last one on.
    tail, weighted = 0.0, 0.0
    shrink = math.exp(-h)
    for i in range(len(losses.p) - 1, -1, -1):
        weighted *= shrink
        epsilon = (losses.first + i) * h
        if epsilon <= 0.0:
            return 0.0
        if tail - weighted > delta:
            return epsilon
        tail += losses.p[i]
        weighted += losses.p[i]
    return 0.0


def _one_direction(pairs: list[Pair], delta: float, scale: float) -> float:
    """Epsilon of a composition; scale says about how large it is."""
    h = 0.008 * scale / len(pairs)
    moments = [(count, *_moments(pair)) for pair, count in _counted(pairs)]
    mean = sum(count * one for count, one, _ in moments)
    spread = math.sqrt(sum(count * one for count, _, one in moments))
    high = int((max(scale, mean) + min(8.0, 12 * spread)) / h) + 2
    low = int((min(0.0, mean) - 12 * spread) / h) - 2
    total = _Losses(0, np.ones(1))
    for pair, count in _counted(pairs):
        power = _losses(pair, h, low, high)
        while count > 0:
            if count % 2 == 1:
                total = total.plus(power).within(low, high)
            count //= 2
            if count > 0:
                power = power.plus(power).within(low, high)
    return _epsilon(total, h, delta + sum(pair.error for pair in pairs))


def composed_epsilon(pairs: list[Pair], delta: float, scale: float) -> float:
    """A lower bound on the epsilon of all pairs together, in the worse of both directions.

    A pair that is a step of several rounds should be the same object: it is discretised once.
    `scale` sets the resolution: the bound is too low by about 0.4 % of it.
    """
    if not pairs:
        return 0.0
    swaps: dict[int, Pair] = {}
    swapped = [swaps.setdefault(id(pair), pair.swapped()) for pair in pairs]
    return max(_one_direction(one, delta, scale) for one in (pairs, swapped))


def _log_tail(x: float) -> float:
    """Logarithm of the probability that a standard normal variable exceeds x >= 0."""
    if x < 20:
        return math.log(0.5 * math.erfc(x / math.sqrt(2)))
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) + math.log1p(-1 / x**2 + 3 / x**4)


def gaussian_epsilon(mu: float, delta: float) -> float:
    """The exact epsilon of Gaussian noise that is 1 / mu times the sensitivity."""

    def excess(epsilon: float) -> float:
        a = 0.5 * math.erfc((epsilon / mu - mu / 2) / math.sqrt(2))
        return a - math.exp(epsilon + _log_tail(epsilon / mu + mu / 2)) - delta

    if mu <= 0 or excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, 1.0
    while excess(high) > 0:
        low, high = high, 2 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return low
