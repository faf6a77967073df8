# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report's figures: each a function from the runs' data to a `Figure` with a caption."""
