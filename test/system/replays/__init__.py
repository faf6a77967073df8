# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A second path through every algorithm: NumPy, matrix form, none of dpdl's code.

A run is determined by its settings, the dataset, the fate of every message in `delivery` and, where
noise is on, the noise vectors that `--traceLevel=noise` keeps. The modules here compute everything
else anew, from the papers: schedules, gradients, steps and mixing.
"""
