# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Neighbouring datasets whose releases are the easiest to distinguish: lower bounds for runs.

The datasets are explicit. Where each example is clipped to C, the canary's gradient is C e; the
others' are 0, or -C e where they fill a batch up. Where the batch is clipped as a whole, the others
push it to -C e and the canary alone to +C e.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from .lower_bound import (
    Mixture,
    Pair,
    composed_epsilon,
    gaussian_epsilon,
    laplace_cdf,
    normal_cdf,
    pair_of,
)


@dataclass(frozen=True)
class Release:
    """A noisy vector that left a node, by what was drawn and by the run's options."""

    clip: float  # of one example's gradient, or of the batch's
    noise: float  # upper bound on the deviation; of Laplace noise on its scale
    kind: str  # gaussian or laplace
    is_batch: bool  # clipped as a whole
    sampler: str  # poisson, fixed, shuffle or full
    batch: int  # expected size
    local: int  # examples of the node
    draw: int  # number of the batch in the node's run, from 0
    adjacency: str  # add-remove or replace

    @property
    def rate(self) -> float:
        return 1.0 if self.sampler == "full" else self.batch / self.local

    @property
    def is_filled_up(self) -> bool:
        """Whether another example takes the place of one that is not drawn."""
        return self.sampler in ("fixed", "shuffle") and self.rate < 1

    @property
    def shift(self) -> float:
        """How far the canary moves a sum that it is drawn into, in units of the noise."""
        is_pushed = self.is_batch and self.local > 1  # else there is no other node to push
        doubled = is_pushed or self.is_filled_up or self.adjacency == "replace"
        return (2 if doubled else 1) * self.clip / self.noise


def _sampled_pair(release: Release) -> Pair:
    """One batch by itself."""
    q, mu = release.rate, release.shift
    if release.is_batch and release.sampler == "poisson":
        # Where no other example is drawn either, nothing pushes.
        c = release.clip / release.noise
        empty = (1 - q) ** (release.local - 1)
        without = ([1 - empty, empty], [-c, 0.0])
        drawn = ([*((1 - q) * w for w in without[0]), q], [*without[1], c])
        return pair_of(Mixture(*drawn), Mixture(*without), release.kind)
    drawn = Mixture([1 - q, q], [0.0, mu])
    if release.adjacency == "replace" and not release.is_batch and not release.is_filled_up:
        # mu counts both examples: each moves the sum by half of it, to its own side.
        drawn = Mixture([1 - q, q], [0.0, mu / 2])
        return pair_of(drawn, Mixture([1 - q, q], [0.0, -mu / 2]), release.kind)
    return pair_of(drawn, Mixture([1.0], [0.0]), release.kind)


def _passes(releases: list[Release]) -> list[list[Release]]:
    """Shuffled batches by the pass over the examples that they belong to."""
    passes: dict[int, list[Release]] = {}
    for one in releases:
        passes.setdefault(one.draw // (one.local // one.batch), []).append(one)
    return list(passes.values())


def _pass_pair(releases: list[Release]) -> Pair:
    """The batches of one pass over shuffled data: the canary is in at most one of them.

    The attacker looks at the batch that speaks most for the canary.
    """
    mu = np.array([one.shift for one in releases])
    rate, is_normal = releases[0].rate, releases[0].kind == "gaussian"
    # A log-likelihood ratio is score(y) = slope * y - middle, or grows with it (Laplace).
    slope, middle = (mu, mu * mu / 2) if is_normal else (np.ones(len(mu)), mu / 2)
    reach = slope * (9 if is_normal else 30)
    edges = np.linspace(np.min(-reach - middle), np.max(slope * mu + reach - middle), 6001)
    noise = normal_cdf if is_normal else laplace_cdf

    def cdf(means: np.ndarray) -> np.ndarray:
        return np.prod([noise((edges + c) / a - m) for a, c, m in zip(slope, middle, means)], 0)

    without = cdf(0 * mu)
    drawn = (1 - rate * len(mu)) * without
    for j, one in enumerate(mu):
        drawn += rate * cdf(np.where(np.arange(len(mu)) == j, one, 0.0))
    ends = [np.diff(np.concatenate(([0.0], f, [1.0]))) for f in (drawn, without)]
    # Tails that are mostly rounding share a cell.
    tails = np.minimum(*ends) < 1e-12
    p, q = (np.append(f[~tails], max(f[tails].sum(), 1e-9)) for f in ends)
    return Pair(p, q, 2e-9)


def _first_draws(releases: list[Release]) -> list[float]:
    """Probabilities that a release is the first that the canary is drawn into."""
    rate = releases[0].rate
    if releases[0].sampler != "shuffle":
        return [rate * (1 - rate) ** k for k in range(len(releases))]
    first, missed = [], 1.0
    for one in _passes(releases):
        first += [missed * rate] * len(one)
        missed *= 1 - rate * len(one)
    return first


def _carried_pair(releases: list[Release]) -> Pair:
    """Batches clipped as a whole by nodes with a local part, which the canary may turn.

    From the first batch on that it is drawn into, all point the other way. The attacker looks at
    the sum of the log-likelihood ratios of turned batches.
    """
    mu = np.array([one.shift for one in releases])
    spread = math.sqrt(np.sum(mu * mu))
    first = _first_draws(releases)
    turned = [*(np.sum(mu[k:] ** 2) / spread for k in range(len(mu))), 0.0]
    drawn = Mixture([*first, max(0.0, 1 - sum(first))], turned)
    return pair_of(drawn, Mixture([1.0], [0.0]), "gaussian")


def _is_exact(releases: list[Release]) -> bool:
    """Gaussian noise and nothing hidden by sampling."""
    return all(one.kind == "gaussian" and one.rate == 1 for one in releases)


def epsilon_of(releases: list[Release], delta: float, scale: float, carries: bool) -> float:
    """A lower bound on the epsilon of one node's releases.

    `scale` is the epsilon that they are held against. `carries`: the node trains a part of the
    model without protection.
    """
    if not releases:
        return 0.0
    if any(one.noise == 0 for one in releases):
        return math.inf
    if _is_exact(releases):
        return gaussian_epsilon(math.sqrt(sum(one.shift**2 for one in releases)), delta)
    if carries and releases[0].kind == "gaussian" and releases[0].sampler != "poisson":
        return composed_epsilon([_carried_pair(releases)], delta, scale)
    if releases[0].sampler == "shuffle":
        return composed_epsilon([_pass_pair(one) for one in _passes(releases)], delta, scale)
    known: dict[Release, Pair] = {}
    pairs = []
    for one in releases:
        alike = replace(one, draw=0)
        if alike not in known:
            known[alike] = _sampled_pair(alike)
        pairs.append(known[alike])
    return composed_epsilon(pairs, delta, scale)
