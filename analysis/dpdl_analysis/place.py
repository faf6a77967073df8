# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of a clone, which builds its programs, or of an installed wheel, which has the same."""

import os
import sys
from pathlib import Path

WHEEL = Path(__file__).resolve().parents[1] / "dpdl" / "installed"
ROOT = WHEEL / "share" / "dpdl" if WHEEL.is_dir() else WHEEL.parents[2]
PROGRAMS = WHEEL / "bin" if WHEEL.is_dir() else ROOT / "build" / "default"
# The folders of programs in PROGRAMS, and of their sources.
FOLDERS = {"scenarios": ROOT / "scenarios", "examples": ROOT / "contrib" / "dpdl" / "examples"}


def command() -> None:
    """The command dpdl of a wheel, in place of this process."""
    os.environ.update(DPDL_PYTHON=sys.executable, DPDL_COMMAND="dpdl")
    os.execv(PROGRAMS / "dpdl", ["dpdl", *sys.argv[1:]])
