# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of whole programs have in common."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path
from typing import Mapping

ANALYSIS = Path(__file__).resolve().parents[2] / "analysis" / "dpdl-analysis"


class ProgramCase(unittest.TestCase):
    """Runs programs in an empty folder, `self.folder`."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(
        self,
        *command: str | Path,
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """What a command answers, whatever its exit code."""
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=env,
            check=False,
        )

    def analyse(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """What the analysis answers."""
        return self.run_program(sys.executable, "-B", ANALYSIS, *arguments)

    def run_study(self, build: Path, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        """What `./dpdl run` answers for a study, by the programs of a build folder."""
        return self.analyse("run", name, f"--build={build}", *options)

    def rows(self, path: str | Path, sql: str) -> list[tuple]:
        """The rows of a question to a trace in the folder."""
        with closing(sqlite3.connect(self.folder / path)) as database:
            return database.execute(sql).fetchall()
