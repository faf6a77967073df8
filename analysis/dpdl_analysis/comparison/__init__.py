# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Paired comparison of runs: what a change did, seed by seed, and how sure that is.

Runs of one repetition share seed and run number, and so their random numbers. The difference of
two such runs is an effect plus what chance the change itself brings in; chance that both share
cancels. The mean of these differences over seeds has a Student interval, which is the narrower the
more the two runs have in common.

    pairs = [(numbers(base), numbers(variant)) for base, variant in ...]   # open Traces, by seed
    for difference in differences(pairs):
        print(difference.quantity.title, difference.text())
    print(sentence("drop 0.1", differences(pairs)))

`numbers(trace)` is a dict of all simulated numbers of a run: the summary's (what the wall clock
measured aside) and the means over the last quarter of the rounds, such as `accuracy_last_quarter`.

`differences(pairs, quantities=HEADLINE, level=0.95)` gives one `Difference` a `Quantity`;
quantities that no pair has are left out. A `Difference` holds

* `quantity`: `key` of the number, `title`, `unit`, `scale` (accuracies are shown in points);
* `base`, `variant`: mean over the runs, an `Estimate(mean, half, count)`;
* `paired`: variant minus base, in the quantity's unit; `half` is nan for a single pair;
* `unpaired_half`: half-width of the interval (Welch's) had the runs nothing in common, and
  `gain`: how many times wider that is;
* `values`: the difference of each pair; `pairs`: how many there are;
* `both_infinite`, `became_infinite`, `became_finite`: pairs by what is infinite in them. Infinite
  in both counts as a difference of 0; infinite in one alone leaves `paired` infinite, or nan where
  pairs disagree, without an interval;
* `unchanged`: exactly 0 in every pair; `tells`: the interval excludes 0 (never for one pair);
* `text()`: the difference with its interval, and what is to be said of infinities.

`sentence(name, differences)` states the finding and its uncertainty.

`comparison.compare_runs(base, variant)` and `comparison.compare_folders(base, variant)` make the
`Comparison` that `./dpdl compare` prints: settings that differ, random numbers in common (`draws`),
the first rounds that are not equal bit for bit (`partings`), and the differences of all numbers.
"""

from __future__ import annotations

from dpdl_analysis.comparison.difference import (
    HEADLINE,
    Difference,
    Quantity,
    all_quantities,
    differences,
    numbers,
)
from dpdl_analysis.comparison.sentence import sentence

__all__ = [
    "HEADLINE",
    "Difference",
    "Quantity",
    "all_quantities",
    "differences",
    "numbers",
    "sentence",
]
