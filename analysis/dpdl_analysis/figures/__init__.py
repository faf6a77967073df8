# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of reports: functions from the data of runs to a `Figure` with a caption."""

import atexit
import os
import shutil
import tempfile

if "MPLCONFIGDIR" not in os.environ:
    # Without this folder, matplotlib would write its font list to the user's home.
    _folder = tempfile.mkdtemp(prefix="dpdl-figures-")
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = _folder
