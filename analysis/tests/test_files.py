# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is replaced, and what never is."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import unittest
from contextlib import closing
from pathlib import Path

from support import TraceTest, without_drawings  # comes first: it finds the package
from synthetic import Run

from dpdl_analysis.cli import main
from dpdl_analysis.files import KINDS, check_kind, replacing
from dpdl_analysis.trace import UsageError

STARTS = {
    "page of dpdl": b"<!DOCTYPE html>\n<head><title>dpdl: runs</title>",
    ".png picture": b"\x89PNG\r\n\x1a\n",
    ".svg picture": b'<?xml version="1.0"?>\n<svg>',
    ".pdf picture": b"%PDF-1.4",
}


class FilesTest(TraceTest):
    """Files in the way of an output."""

    def call(self, *arguments: str | Path) -> tuple[int, str]:
        """A command's exit code, and what it says of a mistake."""
        err = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
            code = main([str(argument) for argument in arguments])
        return code, err.getvalue()

    def foreign(self) -> list[Path]:
        """Files of other programs."""
        made = []
        for name, content in (
            ("settings.toml", b"[run]\n"),
            ("index.html", b"<!doctype html><title>mine</title>"),
            ("table.csv", b"my,table\n1,2\n"),
            ("campaign.json", b"{}"),
        ):
            made.append(self.folder / name)
            made[-1].write_bytes(content)
        made.append(self.folder / "songs.db")
        made[-1].unlink(missing_ok=True)
        with closing(sqlite3.connect(made[-1])) as connection, connection:
            connection.execute("CREATE TABLE songs(name)")
        return made

    def test_each_kind_replaces_its_own_and_nothing_else(self) -> None:
        for kind in KINDS:
            for path in self.foreign():
                before = path.read_bytes()
                with self.subTest(kind, path=path.name):
                    with self.assertRaises(UsageError), replacing(path, kind):
                        pass
                    self.assertEqual(path.read_bytes(), before)
            if kind in STARTS:
                path = self.folder / "own"
                path.write_bytes(STARTS[kind])
                check_kind("own", path, kind)
            empty = self.folder / "empty"
            empty.touch()
            check_kind("empty", empty, kind)

    def test_devices_folders_and_dead_links_are_refused(self) -> None:
        link = self.folder / "link"
        link.symlink_to(self.folder / "nowhere")
        for path in (Path("/dev/null"), self.folder, link):
            with self.subTest(path), self.assertRaises(UsageError):
                check_kind("it", path, "trace")

    @without_drawings
    def test_a_report_replaces_a_report_only(self) -> None:
        try:
            import jinja2  # noqa: F401
            import matplotlib  # noqa: F401
            import pandas  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest(f"the report needs {error.name}") from error
        trace, output = self.write(Run(nodes=3, rounds=4)), self.folder / "report.html"
        for _ in range(2):
            self.assertEqual(self.call("report", trace, "--output", output)[0], 0)
        for path in [*self.foreign(), trace]:
            before = path.read_bytes()
            code, err = self.call("report", trace, "--output", path)
            self.assertEqual((code, err.count("\n"), path.read_bytes()), (2, 1, before), path)

    def test_export_replaces_exports_only(self) -> None:
        trace, output = self.write(Run(nodes=3, rounds=4)), self.folder / "out"
        with closing(sqlite3.connect(trace)) as connection, connection:
            connection.execute("CREATE VIEW mine AS SELECT round, node FROM snapshot")
        for _ in range(2):
            self.assertEqual(self.call("export", trace, "--output", output, "--overwrite")[0], 0)
        (output / "mine.csv").write_text("what,else\n")
        code, err = self.call("export", trace, "--output", output, "--overwrite")
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.assertEqual((output / "mine.csv").read_text(), "what,else\n")

    def test_a_merged_trace_replaces_a_trace_only(self) -> None:
        for path in self.foreign():
            code, err = self.call("merge", path, self.write(), "--overwrite")
            self.assertEqual((code, err.count("\n")), (2, 1), err)

    def test_schema_versions_that_never_were_are_refused(self) -> None:
        for version in (-1, 99):
            code, err = self.call("inspect", self.write(Run(version=version)))
            self.assertEqual((code, err.count("\n")), (2, 1), err)


if __name__ == "__main__":
    unittest.main()
