# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests share: a folder of made-up traces that is gone after each test."""

import contextlib
import io
import json
import sqlite3
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dpdl_analysis.cli import main  # noqa: E402  (the path comes first)
from dpdl_analysis.trace import Trace  # noqa: E402
from synthetic import Run, write_trace  # noqa: E402


without_drawings = patch("dpdl_analysis.figures.theme.to_svg", new=lambda *_: "<svg></svg>")
"""For tests of a page's words: the drawings take most of its time."""


class TraceTest(unittest.TestCase):
    """A test with its own folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, run: Run | None = None) -> Path:
        """The file of a new made-up trace."""
        return write_trace(self.folder / f"run-{len(list(self.folder.iterdir()))}.db", run)

    def open(self, path: Path) -> Trace:
        """The trace in a file, closed after the test."""
        trace = Trace(path)
        self.addCleanup(trace.close)
        return trace

    def trace(self, run: Run | None = None) -> Trace:
        """A new made-up trace."""
        return self.open(self.write(run))

    def execute(self, path: Path, statement: str) -> None:
        """Changes a trace's file."""
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            changed = connection.execute(statement).rowcount
        self.assertNotEqual(changed, 0, f"changed nothing: {statement}")

    def call(self, *arguments: str | Path) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of a command."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*map(str, arguments)])
        return code, out.getvalue(), err.getvalue()

    def campaign(self, name: str, variants: list[tuple[dict[str, str], Run]], seeds: int) -> Path:
        """The folder of a made-up campaign with every variant once a seed."""
        folder = self.folder / name
        folder.mkdir()
        runs = []
        for index, (factors, run) in enumerate(variants):
            for seed in range(1, seeds + 1):
                trace = f"{index}-{seed}.db"
                shifted = replace(run, seed=seed, final=run.final + 0.001 * seed)
                write_trace(folder / trace, shifted)
                runs.append({"trace": trace, "run": seed, "factors": factors})
        content = {"scenario": "made-up", "runs": runs}
        (folder / "campaign.json").write_text(json.dumps(content), encoding="utf-8")
        return folder
