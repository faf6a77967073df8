# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recomputes what a run released, with NumPy and none of dpdl's code."""
