# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is replaced, and what never is."""

import gzip
import os
import re
import sqlite3
import unittest
from contextlib import closing
from pathlib import Path
from typing import Callable

from support import TraceTest, without_drawings  # comes first: it finds the package
from synthetic import Run

import dpdl_analysis
from dpdl_analysis.files import KINDS, check_kind, listed_runs, replacing
from dpdl_analysis.studies.published import read
from dpdl_analysis.studies.record import load
from dpdl_analysis.sweep.catalogue import NAME, identity_of
from dpdl_analysis.sweep.config import arguments
from dpdl_analysis.sweep.file import SweepFile
from dpdl_analysis.trace import UsageError

STARTS = {
    "page of dpdl": b"<!DOCTYPE html>\n<head><title>dpdl: runs</title>",
    ".png picture": b"\x89PNG\r\n\x1a\n",
    ".svg picture": b'<?xml version="1.0"?>\n<svg>',
    ".pdf picture": b"%PDF-1.4",
}


PACKAGE = Path(dpdl_analysis.__file__).parent
STUDY = PACKAGE.parents[1] / "scenarios" / "papers" / "dyn-d2p" / "figure-4.toml"
RECORD = STUDY.parent / "results" / "figure-4.csv"
SWEEP = "[settings]\nnodes = 4\n[vary]\ndrop = [0, 0.1]\n"
LISTED = '{"scenario": "x", "runs": [{"trace": "a.db", "run": 1, "factors": {}}]}\n'


def _sweep(path: Path) -> object:
    file = SweepFile(path)
    return file.settings, file.variants()


READERS = {
    "sweep/file": ("a.toml", SWEEP, _sweep),
    "sweep/config": ("a.toml", 'nodes = 4\nfail = ["a", "b"]\n', lambda path: arguments(path, [])),
    "studies/published": ("a.toml", STUDY.read_text(encoding="utf-8"), read),
    "studies/record": ("a.csv", RECORD.read_text(encoding="utf-8"),
                       lambda path: load(path, STUDY).campaign.runs.to_dict()),
    "files": ("campaign.json", LISTED, lambda path: listed_runs(path.parent, "a list")),
}
"""By module: name and content of a text from outside, and what it is read as."""
OWN = {"page/campaign", "page/page", "page/parts", "studies/results", "sweep/folder",
       "sweep/local", "sweep/plan", "sweep/program", "sweep/runner"}
"""Modules that read texts which dpdl itself has written."""
BINARY = {"export", "files", "merging", "sweep/catalogue", "trace"}
"""Modules that open traces and catalogues, or look at the beginning of a file to be replaced."""
OPENS = re.compile(r'\.read_(text|bytes)\(|\bopen\("rb?"|sqlite3\.connect\('
                   r"|\b(tomllib|json|np|numpy)\.load\(|\bread_csv\(")
SAME = {
    "as it is": lambda text: text.encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "both": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(),
}
"""What changes nothing."""
OTHER = {
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "Latin-1": lambda text: text.encode() + "# \u00e4\n".encode("latin-1"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "zeros": lambda _: bytes(100),
    "nested": lambda _: b"[" * 100_000,
}
"""What is refused."""


class ReadersTest(TraceTest):
    """Every reader of a text from outside, and what others make of texts."""

    def refused(self, read_: Callable[[Path], object], path: Path) -> None:
        with self.assertRaises(UsageError) as caught:
            read_(path)
        self.assertNotIn("\n", str(caught.exception))
        self.assertIn(path.name, str(caught.exception))

    def test_each_disguise_is_read_rightly_or_refused_in_one_line(self) -> None:
        for module, (name, text, read_) in READERS.items():
            path = self.folder / name
            path.write_text(text, encoding="utf-8")
            expected = read_(path)
            for how, disguise in SAME.items():
                with self.subTest(module, how=how):
                    path.write_bytes(disguise(text))
                    self.assertEqual(str(read_(path)), str(expected))
            for how, disguise in OTHER.items():
                with self.subTest(module, how=how):
                    path.write_bytes(disguise(text))
                    self.refused(read_, path)
            if module != "sweep/config":
                path.write_bytes(b"")
                self.refused(read_, path)
            path.unlink()
            self.refused(read_, path)
            for make in (os.mkfifo, Path.mkdir):
                with self.subTest(module, how=make):
                    make(path)
                    self.refused(read_, path)
                    os.rmdir(path) if path.is_dir() else path.unlink()
            (self.folder / "elsewhere").write_text(text, encoding="utf-8")
            path.symlink_to("elsewhere")
            self.assertEqual(str(read_(path)), str(expected))
            path.unlink()

    def test_each_reader_has_its_row(self) -> None:
        texts = {path.relative_to(PACKAGE).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
                 for path in PACKAGE.rglob("*.py")}
        shared = {name for name, text in texts.items() if "text_of(" in text} - OWN
        self.assertEqual(shared | {"sweep/config"}, set(READERS))
        own = {name for name, text in texts.items() if OPENS.search(text)}
        self.assertEqual(own, OWN | BINARY)

    def test_a_catalogue_is_one_or_refused_in_one_line(self) -> None:
        path = self.folder / NAME
        path.write_bytes(b"")
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT)")
        whole = path.read_bytes()
        self.assertEqual(identity_of(self.folder), {})
        for content in (b"", b"text", whole[:100], b"\xef\xbb\xbf" + whole, gzip.compress(whole)):
            path.write_bytes(content)
            self.refused(lambda path: identity_of(path.parent), path)
        for make in (os.mkfifo, Path.mkdir):
            path.unlink()
            make(path)
            self.refused(lambda path: identity_of(path.parent), path)


class FilesTest(TraceTest):
    """Files in the way of an output."""

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
        trace, output = self.write(Run(nodes=3, rounds=4)), self.folder / "report.html"
        for _ in range(2):
            self.assertEqual(self.call("report", trace, "--output", output)[0], 0)
        for path in [*self.foreign(), trace]:
            before = path.read_bytes()
            code, _, err = self.call("report", trace, "--output", path)
            self.assertEqual((code, err.count("\n"), path.read_bytes()), (2, 1, before), path)

    def test_export_replaces_exports_only(self) -> None:
        trace, output = self.write(Run(nodes=3, rounds=4)), self.folder / "out"
        with closing(sqlite3.connect(trace)) as connection, connection:
            connection.execute("CREATE VIEW mine AS SELECT round, node FROM snapshot")
        for _ in range(2):
            self.assertEqual(self.call("export", trace, "--output", output, "--overwrite")[0], 0)
        (output / "mine.csv").write_text("what,else\n")
        code, _, err = self.call("export", trace, "--output", output, "--overwrite")
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.assertEqual((output / "mine.csv").read_text(), "what,else\n")

    def test_a_merged_trace_replaces_a_trace_only(self) -> None:
        for path in self.foreign():
            code, _, err = self.call("merge", path, self.write(), "--overwrite")
            self.assertEqual((code, err.count("\n")), (2, 1), err)

    def test_schema_versions_that_never_were_are_refused(self) -> None:
        for version in (-1, 99):
            code, _, err = self.call("inspect", self.write(Run(version=version)))
            self.assertEqual((code, err.count("\n")), (2, 1), err)


if __name__ == "__main__":
    unittest.main()
