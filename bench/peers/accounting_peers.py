#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Accountants of other libraries on a setting of `./dpdl bench accounting`.

What is printed is processor time and the epsilon that came out.
"""
import argparse
import importlib
from typing import Callable

import peer_lines

Steps = list[tuple[float, float, int]]
Accountant = Callable[[Steps], float]

DELTA = 1e-5
REPEATS = 3
LEVELS = [1.0 + 0.001 * k for k in range(1000)]
STEPS: dict[str, Steps] = {
    "pld-one": [(0.01, 4.0, 10000)],
    "rdp-noises": [(0.01, level, 1) for level in LEVELS],
    "pld-noises": [(0.01, level, 1) for level in LEVELS],
    "pld-rates": [(0.005 + 1e-5 * k, LEVELS[k * 7919 % 1000], 1) for k in range(1000)],
}


def google(module: str, kind: str) -> Accountant:
    """An accountant of dp_accounting: connect the dots with cells of 1e-4, or its Renyi orders."""
    def bound(steps: Steps) -> float:
        dp = importlib.import_module("dp_accounting")
        accountant = getattr(importlib.import_module("dp_accounting." + module), kind)()
        for rate, sigma, count in steps:
            event = dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(sigma))
            accountant.compose(event, count)
        return accountant.get_epsilon(DELTA)
    return bound


def microsoft_prv(steps: Steps) -> float:
    """prv_accountant with an error of 0.01; upper bound."""
    prv = importlib.import_module("prv_accountant")
    variables = [prv.PoissonSubsampledGaussianMechanism(sampling_probability=rate,
                                                        noise_multiplier=sigma)
                 for rate, sigma, _ in steps]
    counts = [count for _, _, count in steps]
    accountant = prv.PRVAccountant(prvs=variables, max_self_compositions=counts, eps_error=1e-2,
                                   delta_error=DELTA * 1e-3)
    return accountant.compute_epsilon(delta=DELTA, num_self_compositions=counts)[2]


def opacus(kind: str) -> Accountant:
    """An accountant of opacus by name; it composes runs of equal steps."""
    def bound(steps: Steps) -> float:
        accountants = importlib.import_module("opacus.accountants")
        accountant = accountants.create_accountant(kind)
        accountant.history = [(sigma, rate, count) for rate, sigma, count in steps]
        return accountant.get_epsilon(DELTA)
    return bound


GOOGLE = ("dp_accounting, PLD", "dp-accounting", google("pld", "PLDAccountant"))
MICROSOFT = ("prv_accountant", "prv-accountant", microsoft_prv)
# setting: name of the accountant, package of pip, function
PEERS: dict[str, list[tuple[str, str, Accountant]]] = {
    "pld-one": [GOOGLE, MICROSOFT, ("Opacus, PRV", "opacus", opacus("prv"))],
    "rdp-noises": [("dp_accounting, RDP", "dp-accounting", google("rdp", "RdpAccountant")),
                   ("Opacus, RDP", "opacus", opacus("rdp"))],
    "pld-noises": [GOOGLE, MICROSOFT],
    "pld-rates": [GOOGLE],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setting", required=True, choices=sorted(STEPS))
    steps = STEPS[parser.parse_args().setting]
    for name, package, bound in PEERS[parser.parse_args().setting]:
        def measure(bound: Accountant = bound) -> dict[str, object]:
            value = bound(steps)
            seconds = peer_lines.seconds_of(lambda: bound(steps), REPEATS, warm=True)
            return {"value": f"{value:.6f}", "seconds": seconds}
        peer_lines.attempt(name, package, measure)


if __name__ == "__main__":
    main()
