# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of whole programs have in common."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path


class ProgramCase(unittest.TestCase):
    """Runs programs in an empty folder, `self.folder`."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(
        self, *command: str | Path, timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """What a command answers, whatever its exit code."""
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
