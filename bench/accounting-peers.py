#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Times accountants of other libraries on the settings of accounting-bench.

Usage: accounting-peers.py PROGRAM [--slow]

PROGRAM is the built accounting-bench. Libraries that cannot be imported are left out. --slow adds
settings that take other libraries minutes. Printed are milliseconds, the fastest of a few runs, and
how many times longer the other library takes.
"""
import importlib
import json
import os
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

DELTA = 1e-5
LEVELS = [1.0 + 0.001 * k for k in range(1000)]
ONE = [(0.01, 4.0, 10000)]
SAME_RATE = [(0.01, level, 1) for level in LEVELS]
OWN_RATES = [(0.005 + 1e-5 * k, LEVELS[k * 7919 % 1000], 1) for k in range(1000)]


def google(module, kind):
    """An accountant of dp_accounting: connect the dots with cells of 1e-4, or its Renyi orders."""
    def run(steps):
        dp = importlib.import_module("dp_accounting")
        accountant = getattr(importlib.import_module("dp_accounting." + module), kind)()
        for rate, sigma, count in steps:
            event = dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(sigma))
            accountant.compose(event, count)
        return accountant.get_epsilon(DELTA)
    return run


google_pld = google("pld", "PLDAccountant")
google_rdp = google("rdp", "RdpAccountant")


def microsoft_prv(steps):
    """prv_accountant with an error of 0.01; upper bound."""
    prv = importlib.import_module("prv_accountant")
    variables = [prv.PoissonSubsampledGaussianMechanism(sampling_probability=rate,
                                                        noise_multiplier=sigma)
                 for rate, sigma, _ in steps]
    counts = [count for _, _, count in steps]
    accountant = prv.PRVAccountant(prvs=variables, max_self_compositions=counts, eps_error=1e-2,
                                   delta_error=DELTA * 1e-3)
    return accountant.compute_epsilon(delta=DELTA, num_self_compositions=counts)[2]


def opacus(kind):
    """An accountant of opacus by name; it composes runs of equal steps."""
    def run(steps):
        accountants = importlib.import_module("opacus.accountants")
        accountant = accountants.create_accountant(kind)
        accountant.history = [(sigma, rate, count) for rate, sigma, count in steps]
        return accountant.get_epsilon(DELTA)
    return run


# benchmark, name of the library's accountant, function, steps, takes minutes
SETTINGS = [
    ("PldOneStepTenThousandTimes", "dp_accounting PLD", google_pld, ONE, False),
    ("PldOneStepTenThousandTimes", "prv_accountant", microsoft_prv, ONE, False),
    ("PldOneStepTenThousandTimes", "opacus prv", opacus("prv"), ONE, False),
    ("RdpThousandNoiseLevels", "dp_accounting RDP", google_rdp, SAME_RATE, False),
    ("RdpThousandNoiseLevels", "opacus rdp", opacus("rdp"), SAME_RATE, False),
    ("PldThousandNoiseLevels", "dp_accounting PLD", google_pld, SAME_RATE, True),
    ("PldThousandNoiseLevels", "prv_accountant", microsoft_prv, SAME_RATE, True),
    ("PldThousandRatesAndNoiseLevels", "dp_accounting PLD", google_pld, OWN_RATES, True),
]


def ours(program):
    """Milliseconds and epsilon of every benchmark."""
    command = [program, "--benchmark_format=json", "--benchmark_repetitions=3"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    best = {}
    for row in rows["benchmarks"]:
        if row.get("run_type") == "iteration":
            name = row["run_name"]
            known = best.get(name, (float("inf"), None))
            best[name] = min(known, (row["real_time"], row.get("epsilon")))
    return best


def fastest(function, steps):
    """Milliseconds of the fastest of up to three runs, and what it returned."""
    best = float("inf")
    start = time.perf_counter()
    for _ in range(3):
        before = time.perf_counter()
        value = function(steps)
        best = min(best, time.perf_counter() - before)
        if time.perf_counter() - start > 20.0:
            break
    return 1e3 * best, value


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    slow = "--slow" in sys.argv[2:]
    best = ours(sys.argv[1])
    print(f"{'setting':32}{'library':20}{'epsilon':>12}{'ms':>12}{'ours':>12}{'ms':>10}{'ratio':>9}")
    for name, library, function, steps, long in SETTINGS:
        if long and not slow:
            continue
        try:
            milliseconds, epsilon = fastest(function, steps)
        except ImportError as missing:
            print(f"{name:32}{library:20}not installed ({missing.name})")
            continue
        own, value = best[name]
        print(f"{name:32}{library:20}{epsilon:12.6f}{milliseconds:12.1f}{value:12.6f}{own:10.2f}"
              f"{milliseconds / own:9.1f}", flush=True)


if __name__ == "__main__":
    main()
