# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Paired comparison of runs: what a change did, seed by seed, and how sure that is.

Runs of one repetition share seed and run number, and so their random numbers. The difference of
two such runs is an effect plus what chance the change itself brings in; chance that both share
cancels. The mean of these differences over seeds has a Student interval, which is the narrower the
more the two runs have in common.

analysis/README.md describes the functions.
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
