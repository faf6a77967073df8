# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Schedules and calibrations of the papers, from their formulas."""

import math
from collections.abc import Callable

import numpy as np


def bisect(increasing: Callable[[float], float], low: float, high: float) -> float:
    """The root of an increasing function between low and high."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if increasing(middle) > 0 else (middle, high)
    return (low + high) / 2


def normal_cdf(x: float) -> float:
    """Phi."""
    return math.erfc(-x / math.sqrt(2)) / 2


def mu_total(epsilon: float, delta: float) -> float:
    """mu of a Gaussian mechanism that is (epsilon, delta)-private: Dyn-D2P, equation 4."""

    def excess(mu: float) -> float:
        left = normal_cdf(-epsilon / mu + mu / 2)
        return left - math.exp(epsilon) * normal_cdf(-epsilon / mu - mu / 2) - delta

    return bisect(excess, 1e-6, 50.0)


def mu_start(epsilon: float, delta: float, samples: int, shape: np.ndarray) -> float:
    """mu_0 such that mu_0 shape[k] composes to the target at rate 1/samples: equation 8."""
    target = (samples * mu_total(epsilon, delta)) ** 2
    with np.errstate(over="ignore"):
        return bisect(lambda mu: np.expm1((mu * shape) ** 2).sum() - target, 0.0, 30.0)


def without_last_digits(scale: float) -> float:
    """The largest number of 24 significant bits that is at most `scale`, as a run has it."""
    mantissa, exponent = math.frexp(scale)
    return math.ldexp(math.floor(math.ldexp(mantissa, 24)), exponent - 24)


class DynSchedule:
    """Clip bounds, noise multipliers and deviations of Dyn-D2P and its variants."""

    def __init__(
        self, rounds: int, clip: float, clip_decay: float, noise_growth: float, mu_0: float
    ) -> None:
        progress = np.arange(rounds) / rounds
        self.clip = clip * clip_decay**-progress
        self.mu = mu_0 * noise_growth**progress
        self.deviation = self.clip / self.mu


class DecayingLearning:
    """ADP-VRSGP's functions of the iteration t: noise, learning rate, and blocks of equal noise."""

    def __init__(self, rounds: int, tau: int, s: float, switch: float) -> None:
        self.rounds, self.tau, self.s, self.switch = rounds, tau, s, switch

    def alpha(self, t: int) -> float:
        """alpha(t) = (floor(t / tau) + 10)^s."""
        return (t // self.tau + 10) ** self.s

    def noise(self, t: int) -> float:
        """Multiplier of the noise of iteration t: alpha(T - t)."""
        return self.alpha(self.rounds - t)

    def beta(self, t: int) -> float:
        """What divides the learning rate."""
        if t <= self.switch * self.rounds:
            return self.alpha(t) * self.noise(t)
        return self.alpha(t) ** 2

    def begins_block(self, t: int) -> bool:
        """True where the noise differs from that of the iteration before."""
        return t == 0 or self.noise(t) != self.noise(t - 1)


def variance_factor(theta: float, tau: int) -> float:
    """h(tau): variance of the last fused gradient of a block, in units of one gradient's."""
    return (1 - theta) / (1 + theta) + 2 / (1 + theta) * theta ** (2 * tau - 1)


def moments_multiplier(
    c_2: float, epsilon: float, delta: float, rounds: float, rate: float
) -> float:
    """sigma of the asymptotic moments formula; ADP-VRSGP puts a sum of 1 / alpha^2 for rounds."""
    return c_2 * rate * math.sqrt(rounds * math.log(1 / delta)) / epsilon


def start_sensitivity(bound: float, moved: np.ndarray | float) -> np.ndarray | float:
    """DPPS's estimate where all nodes hold the same: 2 C' |e|."""
    return 2 * bound * moved


def next_sensitivity(
    bound: float, decay: float, last: float, noise: np.ndarray, moved: np.ndarray
) -> np.ndarray:
    """DPPS's estimates from the maximum of the round before, and the L1 norms of its noise."""
    return decay * (last + 2 * bound * noise) + 2 * bound * moved


def sensitivity_factor(
    bound: float, decay: float, noise_rate: float, budget: float, count: int
) -> float:
    """By what an estimate grows in a round: the noise of scale S / b has the norm d S / b."""
    return decay * (1 + 2 * bound * noise_rate * count / budget)
