# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What ends a sweep and is not the user's mistake."""


class SweepFailure(Exception):
    """A reason to stop, in one line."""
