# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Paths of dpdl's files and programs, in a clone or in an installed wheel."""

import os
import sys
from pathlib import Path

WHEEL = Path(__file__).resolve().parents[1] / "dpdl" / "installed"
ROOT = WHEEL / "share" / "dpdl" if WHEEL.is_dir() else WHEEL.parents[2]
PROGRAMS = WHEEL / "bin" if WHEEL.is_dir() else ROOT / "build" / "default"
# Folder of the sources by the name of the programs' folder in PROGRAMS.
FOLDERS = {"scenarios": ROOT / "scenarios", "examples": ROOT / "contrib" / "dpdl" / "examples"}


def command() -> None:
    """Entry point of the wheel's command `dpdl`: replaces this process by the program."""
    os.environ.update(DPDL_PYTHON=sys.executable, DPDL_COMMAND="dpdl")
    os.execv(PROGRAMS / "dpdl", ["dpdl", *sys.argv[1:]])
