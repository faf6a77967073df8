# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""HTML pages: of runs, of a comparison, of a campaign. Each is one file that loads nothing."""
