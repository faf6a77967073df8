# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Entry point of ``python3 -m dpdl_analysis``."""

import sys

from dpdl_analysis.cli import main

if __name__ == "__main__":
    sys.exit(main())
