# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""HTML pages about runs, comparisons and campaigns. Each is one file without external resources."""
