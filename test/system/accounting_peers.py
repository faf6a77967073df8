#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the accountants with two other libraries, where a Python has them.

usage: accounting_peers.py PATH-OF-DPDL-ACCOUNT [unittest arguments]

The environment variable DPDL_PEERS_PYTHON names a Python that can import dp_accounting and
prv_accountant; without it, this one is tried. Exits with 77 (skipped) if they are not there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest

SKIPPED = 77
OTHER = os.environ.pop("DPDL_PEERS_PYTHON", "")
if OTHER:
    try:
        os.execv(OTHER, [OTHER, "-B", *sys.argv])
    except OSError as error:
        print(f"skipped: DPDL_PEERS_PYTHON={OTHER}: {error.strerror}")
        sys.exit(SKIPPED)
try:
    from dp_accounting.pld import privacy_loss_distribution
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)

ACCOUNT = sys.argv.pop(1)
INTERVAL = 1e-4
"""Width of dp_accounting's grid."""
PRV_ERROR = 0.01
"""Error of epsilon that prv_accountant is asked for."""

SETTINGS = [
    # rate, noise multiplier, steps, delta
    (0.01, 4.0, 10000, 1e-5),
    (0.01, 1.0, 1000, 1e-5),
    (0.01, 1.1, 6000, 1e-5),
    (0.1, 2.0, 100, 1e-6),
    (0.004, 1.1, 3750, 1e-5),
    (0.04, 1.5, 2250, 1e-5),
    (0.0256, 2.0, 3500, 1e-4),
    (0.0256, 5.0, 3500, 1e-4),
    (0.001, 0.6, 2000, 1e-5),
    (0.001, 1.0, 10000, 1e-6),
    (0.0004, 0.57, 3500, 1e-4),
    (0.0004, 0.44, 3500, 1e-4),
    (0.005, 0.8, 500, 1e-5),
    (0.02, 1.2, 1000, 1e-8),
    (0.05, 3.0, 1000, 1e-5),
    (0.2, 5.0, 500, 1e-5),
    (0.3, 2.0, 50, 1e-6),
    (0.5, 4.0, 100, 1e-5),
    (0.5, 10.0, 1000, 1e-5),
    (0.9, 8.0, 200, 1e-6),
]


def ours(setting: tuple[float, float, int, float], *options: str) -> tuple[float, float]:
    """What dpdl-account says: a lower bound of epsilon, and the certified one."""
    names = ("rate", "noise", "steps", "delta")
    arguments = [f"--{name}={value!r}" for name, value in zip(names, setting)]
    command = [ACCOUNT, *arguments, "--accountant=pld", "--json", *options]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(answer["lower"]), float(answer["epsilon"])


class PeersTest(unittest.TestCase):
    """Bounds must be in order, by any accountant."""

    def test_dp_accounting_is_above_the_value_and_beside_the_bound(self) -> None:
        for setting in SETTINGS:
            rate, noise, steps, delta = setting
            with self.subTest(setting=setting):
                step = privacy_loss_distribution.from_gaussian_mechanism(
                    noise, sampling_prob=rate, value_discretization_interval=INTERVAL
                )
                theirs = step.self_compose(steps).get_epsilon_for_delta(delta)
                lower, bound = ours(setting)
                self.assertGreaterEqual(theirs, lower * (1 - 1e-9))
                self.assertLessEqual(abs(bound - theirs), 2e-3 * max(1.0, theirs))

    def test_prv_accountant_encloses_the_value(self) -> None:
        for setting in SETTINGS:
            rate, noise, steps, delta = setting
            with self.subTest(setting=setting):
                accountant = PRVAccountant(
                    prvs=PoissonSubsampledGaussianMechanism(rate, noise),
                    max_self_compositions=steps,
                    eps_error=PRV_ERROR,
                    delta_error=delta / 1000,
                )
                low, _, high = accountant.compute_epsilon(delta, steps)
                lower, bound = ours(setting, "--remove-only")
                self.assertLessEqual(lower, high)
                self.assertGreaterEqual(bound, low)


if __name__ == "__main__":
    unittest.main()
