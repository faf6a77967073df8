# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of whole programs have in common."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import unittest
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import IO, Mapping

from words import merged

ANALYSIS = Path(__file__).resolve().parents[2] / "analysis" / "dpdl-analysis"
NEEDED = {
    "run": "dpdl_analysis.studies.paper",
    "figure": "dpdl_analysis.studies.paper",
    "sweep": "dpdl_analysis.figures.effects",
}
"""Modules that commands import late, since they take long."""


def analyse(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What the analysis answers in a folder, in a separate process that has its modules already."""
    sys.path[:0] = [] if str(ANALYSIS.parent) in sys.path else [str(ANALYSIS.parent)]
    words = [str(argument) for argument in arguments]
    # Read once for all the processes.
    import dpdl_analysis.cli

    if words[0] in NEEDED:
        import_module(NEEDED[words[0]])
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _become(folder, out, error)
                code = dpdl_analysis.cli.main(words)
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), error.read())


def preloading(library: str) -> dict[str, str]:
    """The environment in which a library is loaded first; its folder's name may have blanks."""
    path = Path(library).resolve()
    return {**os.environ, "LD_PRELOAD": path.name, "LD_LIBRARY_PATH": str(path.parent)}


class ProgramCase(unittest.TestCase):
    """Runs programs in an empty folder, `self.folder`."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def assert_refused(self, done: subprocess.CompletedProcess[str], *words: str) -> None:
        """It is a mistake, answered in one line that has the words."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

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
            errors="backslashreplace",  # mpirun's own lines may end in stray bytes
            timeout=timeout,
            env=env,
            check=False,
        )

    def analyse(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """What the analysis answers."""
        return analyse(self.folder, *arguments)

    def run_study(self, build: Path, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        """What `./dpdl run` answers for a study, by the programs of a build folder."""
        return self.analyse("run", name, f"--build={build}", *merged(*options))

    def rows(self, path: str | Path, sql: str) -> list[tuple]:
        """The rows of a question to a trace in the folder."""
        with closing(sqlite3.connect(self.folder / path)) as database:
            return database.execute(sql).fetchall()


def _become(folder: Path, out: IO[str], error: IO[str]) -> None:
    """In a new process: works in a folder, and writes to these files."""
    os.chdir(folder)
    for stream, number in ((out, 1), (error, 2)):
        os.dup2(stream.fileno(), number)
    sys.stdout = open(1, "w", closefd=False)
    sys.stderr = open(2, "w", buffering=1, closefd=False)
