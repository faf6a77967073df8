# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Paired comparison of runs with equal seeds: the effect of a change. See analysis/README.md."""

from dpdl_analysis.comparison.difference import Quantity, all_quantities, differences, numbers
from dpdl_analysis.comparison.sentence import sentence

__all__ = ["Quantity", "all_quantities", "differences", "numbers", "sentence"]
