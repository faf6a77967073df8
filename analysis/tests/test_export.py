# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `export` writes, and what it leaves out with --public."""

import base64
import csv
import importlib.util
import io
import math
import shutil
import sqlite3
import sys
import unittest
import unittest.mock
from contextlib import closing
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from real_schema import SCHEMA, create_schema


SECRET = "987654321"
"""A seed that must not be found in anything public."""


@unittest.skipUnless(SCHEMA.exists(), "the schema is not here")
class ExportTest(TraceTest):
    """A trace with the real schema and a row of some kinds."""

    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder / "run.db"
        self.output = self.folder / "out"
        with closing(sqlite3.connect(self.path)) as connection, connection:
            create_schema(connection)
            self.fill(connection)

    def fill(self, connection: sqlite3.Connection) -> None:
        """Two nodes, a round."""
        for name, value in (
            ("state", "complete"),
            ("parameters", 2),
            ("nodes", 2),
            ("accuracy_mean", 0.5),
            ("epsilon_certified", 1.25),
            ("epsilon_observed", None),
            ("wall_seconds", 3.5),
        ):
            connection.execute(
                "INSERT INTO summary_item(name, value, unit, meaning) VALUES (?, ?, '1', 'a, b')",
                (name, value),
            )
        for name, value in (
            ("certifiedPart", "whole"),
            ("compute", "fixed:0.01s"),
            ("seed", SECRET),
            ("run", "1"),
            ("trace", f"learn-{SECRET}-1.db"),
            ("commandLine", f"learn --seed={SECRET}"),
            ("fail", 'a "quoted", text'),
            ("hyper", ""),
        ):
            connection.execute("INSERT INTO setting(name, value) VALUES (?, ?)", (name, value))
        connection.execute(
            "INSERT INTO node_round VALUES (0, 1, 1.0, 17, 2.25, 3.5, 0.75, 0.0, 0.125, 1.0)"
        )
        connection.execute("INSERT INTO evaluation VALUES (0, 0, 0.5, 0.25, NULL, 9e999, 0.1, 2000)")
        connection.execute("INSERT INTO noise_vector VALUES (0, 1, 0, x'0000803f')")
        connection.execute("INSERT INTO place VALUES (0, 1, 12.0, 13.0)")
        connection.execute("INSERT INTO state VALUES (1, 1, 1.0, x'0000803f0000003f')")
        connection.execute("INSERT INTO guarantee(node, certified) VALUES (0, 1.25), (1, 1.25)")

    def export(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of `export` for the trace."""
        return self.call("export", self.path, f"--output={self.output}", *arguments)

    def done(self, *arguments: str | Path) -> dict[str, list[list[str]]]:
        """The rows of every file that was written, heads first."""
        code, out, _ = self.export(*arguments)
        self.assertEqual(code, 0)
        files = sorted(self.output.iterdir())
        self.assertEqual(sorted(out.split()), [str(file) for file in files])
        return {
            file.stem: list(csv.reader(io.StringIO(file.read_text(), newline=""))) for file in files
        }

    def test_every_view_is_a_file_with_every_column_and_row(self) -> None:
        files = self.done("--to=csv")
        with closing(sqlite3.connect(self.path)) as connection:
            views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'")
            names = [row[0] for row in views]
            self.assertEqual(sorted(files), sorted(names))
            for name in names:
                rows = connection.execute(f'SELECT * FROM "{name}"')
                self.assertEqual(files[name][0], [column[0] for column in rows.description])
                self.assertEqual(len(files[name]) - 1, len(rows.fetchall()), name)
        self.assertEqual(files["round_by_node"][1][3], "17")
        self.assertEqual(files["accuracy_by_round"][1][4:6], ["", "inf"])
        self.assertIn(["fail", 'a "quoted", text'], files["settings"])
        text = (self.output / "settings.csv").read_text()
        self.assertIn('hyper,""\n', text)
        z = base64.b64decode(files["snapshot"][1][3])
        self.assertEqual(z.hex(), "0000803f0000003f")

    def test_public_leaves_out_what_only_the_simulator_may_know(self) -> None:
        files = self.done("--public")
        self.assertEqual(
            files["round_by_node"][0],
            ["round", "node", "w", "started_at", "finished_at", "w_smallest"],
        )
        for view in ("noise_by_round", "position_by_round", "frames_by_distance"):
            self.assertNotIn(view, files)
        self.assertIn("accuracy_mean", [row[0] for row in files["summary"]])
        self.assertNotIn("wall_seconds", [row[0] for row in files["summary"]])
        self.assertEqual(len(files["snapshot"][0]), 4)
        for file in self.output.iterdir():
            text = file.read_text()
            self.assertNotIn(SECRET, text, file)
            self.assertNotIn("17", text, file)

    def test_what_stays_at_a_node_is_not_public(self) -> None:
        for change, shared in (
            ("UPDATE setting SET value = 'shared' WHERE name = 'certifiedPart'", True),
            ("UPDATE summary_item SET value = 9e999 WHERE name = 'epsilon_certified'", False),
            ("UPDATE summary_item SET value = NULL WHERE name = 'epsilon_certified'", False),
        ):
            self.execute(self.path, change)
            files = self.done("--public", "--overwrite")
            self.assertEqual(files["snapshot"][0], ["round", "node", "w"])
            self.assertNotIn("accuracy_mean", files["accuracy_by_round"][0])
            self.assertNotIn("accuracy_mean", [row[0] for row in files["summary"]])
            self.assertEqual("consensus_distance" in files["accuracy_by_round"][0], shared)
            reasons = {tuple(row[:2]): row[3:] for row in files["column_privacy"]}
            self.assertEqual(reasons["snapshot", "z"][0], "private")
            self.assertIn("certified" if not shared else "follow", reasons["snapshot", "z"][1])

    def test_what_follows_measured_times_is_not_public(self) -> None:
        self.execute(self.path, "UPDATE setting SET value = 'measured' WHERE name = 'compute'")
        files = self.done("--public")
        for view in ("round_by_node", "snapshot", "delivery", "violation", "q_by_window"):
            self.assertNotIn(view, files)
        self.assertIn("release", files)

    def test_a_column_without_a_rule_is_private(self) -> None:
        self.execute(self.path, "CREATE VIEW mine AS SELECT examples_drawn AS n FROM node_round")
        self.assertNotIn("mine", self.done("--public"))
        self.assertIn("mine", self.done("--overwrite"))

    def test_nothing_is_replaced_unless_asked_for(self) -> None:
        self.output.mkdir()
        mine = self.output / "delivery.csv"
        mine.write_text("source,round\nmine\n")
        code, out, err = self.export()
        self.assertEqual((code, out, err.count("\n")), (2, "", 1))
        self.assertIn("delivery.csv", err)
        self.assertIn("--overwrite", err)
        self.assertEqual(list(self.output.iterdir()), [mine])
        self.assertEqual(mine.read_text(), "source,round\nmine\n")
        self.done("--overwrite")
        self.assertNotIn("mine", mine.read_text())

    def test_each_trace_of_a_folder_has_a_folder(self) -> None:
        runs = self.folder / "runs"
        runs.mkdir()
        for name in ("a", "b"):
            shutil.copy(self.path, runs / f"{name}.db")
        code, _, err = self.call("export", runs, f"--output={self.output}")
        self.assertEqual(code, 0, err)
        self.assertEqual(self.call("export", self.path, f"--output={self.folder}/alone")[0], 0)
        alone = {path.name: path.read_bytes() for path in (self.folder / "alone").iterdir()}
        for name in ("a", "b"):
            made = (self.output / name).iterdir()
            self.assertEqual({path.name: path.read_bytes() for path in made}, alone)
        self.assertEqual(self.call("export", runs, f"--output={self.output}")[0], 2)

    def test_mistakes_get_one_line(self) -> None:
        file, self.empty = self.folder / "file", self.folder / "empty"
        file.write_text("")
        self.empty.mkdir()
        output = f"--output={self.output}"
        for arguments, words in (
            ((self.path, output, "--to=xls"), "--to=xls: no such format; accepted is csv, parquet"),
            ((self.path,), "--output"),
            ((output,), "FILE.db"),
            ((self.folder / "nowhere.db", output), "no such file"),
            ((self.path, f"--output={file}"), "is a file; accepted is a folder"),
            ((self.path, f"--output={self.folder}/a/b"), "no folder"),
            ((self.folder, f"--output={file}"), "is a file; accepted is a folder"),
            ((self.empty, output), "has no NAME.db"),
        ):
            with self.subTest(words):
                code, out, err = self.call("export", *arguments)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(words, err)
        self.assertFalse(self.output.exists())

    def test_packages_that_are_missing_are_named(self) -> None:
        for name, package in (("parquet", "pyarrow"), ("tensorboard", "tensorboard")):
            with unittest.mock.patch("importlib.util.find_spec", lambda name: None):
                code, out, err = self.export(f"--to={name}")
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(f"pip install {package}", err)
            self.assertIn("-m venv", err)
        self.assertFalse(self.output.exists())

    def test_packages_of_the_active_environment_are_used(self) -> None:
        site = self.folder / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
        (site / "dpdl_stand_in").mkdir(parents=True)
        self.addCleanup(sys.path.remove, str(site))
        with unittest.mock.patch.dict("os.environ", {"VIRTUAL_ENV": str(self.folder)}), \
                unittest.mock.patch.dict("dpdl_analysis.export.NEEDED", {"csv": ("dpdl_stand_in",)}):
            self.done("--to=csv")

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_parquet_has_what_csv_has(self) -> None:
        from pyarrow import parquet

        rows = self.done("--to=csv")
        code, out, _ = self.export("--to=parquet")
        self.assertEqual(code, 0)
        self.assertEqual(len(out.split()), len(rows))
        for view, (head, *cells) in rows.items():
            table = parquet.read_table(self.output / f"{view}.parquet")
            self.assertEqual((table.column_names, table.num_rows), (head, len(cells)))
        table = parquet.read_table(self.output / "snapshot.parquet").to_pylist()
        self.assertEqual(table[0]["z"].hex(), "0000803f0000003f")
        self.assertEqual(self.export("--to=parquet")[0], 2)
        (self.output / "snapshot.parquet").write_text("mine")
        again = self.export("--to=parquet", "--overwrite")
        self.assertEqual(again[0], 2)
        self.assertIn("is no export of snapshot", again[2])

    @unittest.skipUnless(importlib.util.find_spec("tensorboard"), "tensorboard is not installed")
    def test_events_are_the_numbers_of_rounds(self) -> None:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        for more in ([], ["--overwrite"]):
            code, out, _ = self.export("--to=tensorboard", *more)
            self.assertEqual((code, [str(path) for path in self.output.iterdir()]), (0, out.split()))
        self.assertEqual(self.export("--to=tensorboard")[0], 2)
        events = EventAccumulator(str(self.output)).Reload()
        with closing(sqlite3.connect(self.path)) as connection:
            rows = connection.execute("SELECT round, accuracy_mean FROM accuracy_by_round")
            expected = [row for row in rows if row[1] is not None]
        found = [(e.step, e.value) for e in events.Scalars("accuracy_by_round/accuracy_mean")]
        self.assertEqual(found, expected)

    def test_a_trace_that_does_not_say_what_is_private_is_not_made_public(self) -> None:
        for change in (
            "DELETE FROM setting WHERE name = 'certifiedPart'",
            "DROP VIEW column_privacy",
            "PRAGMA user_version = 1",
        ):
            self.execute(self.path, change)
            code, _, err = self.export("--public")
            self.assertEqual((code, err.count("\n")), (2, 1))
            self.assertIn("did not note what its certificate covers", err)
        self.assertIn("round_by_node", self.done())

    def test_what_is_not_proven_is_said(self) -> None:
        infinite = "UPDATE summary_item SET value = 9e999 WHERE name = 'epsilon_certified'"
        self.execute(self.path, infinite)
        code, _, err = self.export("--public")
        self.assertEqual((code, err.count("\n")), (0, 1))
        self.assertIn("certified epsilon is inf", err)

    def test_a_damaged_trace_leaves_nothing_behind(self) -> None:
        content = bytearray(self.path.read_bytes())
        for place in range(8192, len(content), 4096):
            content[place : place + 200] = b"\xff" * 200
        self.path.write_bytes(content)
        self.assertIn(self.export()[0], (1, 2))
        self.assertEqual(list(self.output.iterdir()) if self.output.exists() else [], [])

    def test_numbers_keep_every_digit(self) -> None:
        self.execute(self.path, "UPDATE node_round SET w = 0.1 + 0.2")
        self.assertEqual(float(self.done()["round_by_node"][1][2]), 0.1 + 0.2)
        self.assertTrue(math.isinf(float(self.done("--overwrite")["accuracy_by_round"][1][5])))
