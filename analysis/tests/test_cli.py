# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line: exit codes, one line for a mistake, no files left behind."""

import os
import sqlite3
import subprocess
import sys
import unittest
from contextlib import closing
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

from dpdl_analysis.trace import SCHEMA_VERSION

ANALYSIS = Path(__file__).resolve().parent.parent


class CommandTest(TraceTest):
    """Every command, called as a user does."""

    def mistakes(self) -> dict[str, Path]:
        """Files that are no trace, by the word that the message must hold."""
        text = self.folder / "notes.txt"
        text.write_text("a trace? no")
        other = self.folder / "other.db"
        with closing(sqlite3.connect(other)) as connection, connection:
            connection.execute("CREATE TABLE songs(name)")
        return {
            "no such file": self.folder / "missing.db",
            "not a file": self.folder,
            "not an SQLite file": text,
            "no dpdl trace": other,
            "newer": self.write(Run(version=SCHEMA_VERSION + 1)),
        }

    def test_a_mistaken_file_is_told_in_one_line(self) -> None:
        output = self.folder / "out.html"
        for word, path in self.mistakes().items():
            for command in (["table"], ["inspect"], ["report", "--output", output]):
                with self.subTest(word, command=command[0]):
                    code, out, err = self.call(*command, path)
                    self.assertEqual((code, out), (2, ""))
                    self.assertEqual(err.count("\n"), 1)
                    self.assertIn(word, err)
                    self.assertIn(str(path), err)
                    self.assertIn("accepted", err)
        self.assertFalse(output.exists())

    def test_what_a_trace_or_a_folder_lacks_is_told_before_anything_is_done(self) -> None:
        path = self.write(Run(nodes=3, rounds=4, complete=False))
        self.execute(path, "CREATE TABLE origin AS SELECT 'trace' AS name, 'x' AS value, 1 AS position")
        (self.folder / "z.db").write_text("no trace")
        for words, command in (("does not say how its run was begun", ["resume", path]),
                               ("z.db: not an SQLite file", ["export", self.folder, "--output", self.folder / "o"]),
                               ("x" * 20, ["inspect", "x" * 300])):
            code, out, err = self.call(*command)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(words, err)
        self.assertFalse((self.folder / "o").exists())

    def test_one_mistaken_file_among_good_ones_writes_no_report(self) -> None:
        output = self.folder / "out.html"
        code, _, err = self.call("report", self.write(), "nowhere.db", "--output", output)
        self.assertEqual(code, 2)
        self.assertIn("nowhere.db", err)
        self.assertFalse(output.exists())

    def test_foreign_text_is_told_on_one_harmless_line(self) -> None:
        for text in ("a\nb", "\x1b[31mred", "\x9b31m", "x" * 100_000, "y " * 50_000, "\udcff",
                     "\u202ebd.a", "\u2067x"):
            for arguments in ([text], ["inspect", f"{self.folder}/{text}"],
                              ["export", self.write(), f"--to={text}", "--output=x"]):
                code, _, err = self.call(*arguments)
                self.assertIn(code, (1, 2))
                self.assertEqual(err.count("\n"), 1, err[:200])
                self.assertLess(len(err), 2100)
                self.assertTrue(err.rstrip("\n").isprintable(), err[:200])

    def test_values_of_a_trace_reach_the_terminal_escaped(self) -> None:
        path = self.write()
        hostile = "'\x1b[31m' || char(10) || 'two'"
        self.execute(path, f"UPDATE summary SET value = {hostile} WHERE name = 'state'")
        for command in (["inspect", path], ["inspect", path, "--check"]):
            out = self.call(*command)[1]
            self.assertNotIn("\x1b", out)
            self.assertIn("\\x1b[31m\\ntwo", out)

    def test_a_schema_that_is_no_text_is_told(self) -> None:
        path = self.write()
        content = path.read_bytes()
        self.assertIn(b"CREATE TABLE", content)
        path.write_bytes(content.replace(b"CREATE TABLE", b"CREATE T\x9eBLE"))
        for command in (["inspect", path], ["inspect", path, "--check"], ["table", path],
                        ["compare", path, path], ["merge", "out.db", path]):
            code, _, err = self.call(*command)
            self.assertEqual((code, err.count("\n")), (2, 1), err)

    @unittest.skipUnless(Path("/dev/full").is_char_device(), "there is no /dev/full")
    def test_output_that_is_not_taken_is_a_failure(self) -> None:
        script = Path(__file__).resolve().parents[1] / "dpdl-analysis"
        path = self.write(Run(nodes=3, rounds=4))
        for command in (["inspect", path], ["inspect", path, "--check"], ["table", path]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([sys.executable, "-B", str(script), *map(str, command)],
                                      stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
            self.assertIn("No space left", done.stderr)

    def test_a_misspelt_command_names_the_nearest(self) -> None:
        code, _, err = self.call("inspekt", self.folder)
        self.assertEqual(code, 2)
        self.assertEqual(err.count("\n"), 1)
        self.assertIn("did you mean 'inspect'?", err)

    def test_check_exits_with_what_it_found(self) -> None:
        path = self.write()
        code, out, _ = self.call("inspect", path, "--check")
        self.assertEqual(code, 0)
        self.assertNotIn("FAILED", out)
        self.execute(path, "UPDATE summary SET value = 1e-3 WHERE name = 'mass_error'")
        code, out, _ = self.call("inspect", path, "--check")
        self.assertEqual(code, 1)
        self.assertEqual(out.count("FAILED"), 1)

    def test_losses_are_summed_up_by_cause(self) -> None:
        self.assertNotIn("lost by", self.call("inspect", self.write())[1])
        path = self.write(Run(drop=0.1))
        self.execute(path, "UPDATE delivery SET cause = 'TTL' WHERE rowid IN "
                           "(SELECT rowid FROM delivery WHERE fate = 'lost' LIMIT 3)")
        table = self.call("inspect", path)[1].split("lost by", 1)[1].splitlines()
        rows = [line.split() for line in table[2:]]
        self.assertEqual([row[0] for row in rows], ["queue", "TTL"])
        self.assertEqual(rows[1][1], "3")
        with closing(sqlite3.connect(path)) as connection, connection:
            lost = connection.execute("SELECT COUNT(*) FROM delivery WHERE fate = 'lost'").fetchone()
        self.assertEqual(int(rows[0][2]) + 3, lost[0])
        self.execute(path, "ALTER TABLE delivery DROP COLUMN place")
        self.assertNotIn("lost by", self.call("inspect", path)[1])

    def test_a_broken_certificate_is_the_first_line(self) -> None:
        path = self.write(Run(nodes=3))
        self.assertNotIn("Certificate broken", self.call("inspect", path)[1])
        # Below the largest certified epsilon of the run, and above that of its node.
        self.execute(path, "UPDATE guarantee_by_node SET certified = 0.25 WHERE node = 2")
        self.execute(path, "UPDATE guarantee_by_node SET observed = 0.5 WHERE node = 2")
        code, out, _ = self.call("inspect", path)
        self.assertEqual(code, 0)
        first = out.splitlines()[0]
        self.assertTrue(first.startswith("Certificate broken: an audit observed"), first)
        self.assertIn("0.500 at node 2, above the certified 0.250", first)
        self.assertIn("Certificate broken", self.call("table", path)[1].splitlines()[0])
        code, out, _ = self.call("inspect", path, "--check")
        self.assertEqual((code, out.count("FAILED")), (1, 1))

    def test_a_trace_of_the_version_before_is_read(self) -> None:
        path = self.write(Run(version=SCHEMA_VERSION - 1))
        for view in ("audit", "column_privacy"):
            self.execute(path, f"DROP TABLE {view}")
        for command in (["table"], ["inspect"], ["inspect", "--check"]):
            self.assertEqual(self.call(*command, path)[0], 0, command)

    def test_reading_leaves_no_file_behind(self) -> None:
        path = self.write()
        self.execute(path, "PRAGMA journal_mode = WAL")
        content, before = path.read_bytes(), sorted(self.folder.iterdir())
        for command in (["table"], ["inspect"], ["inspect", "--check"]):
            self.assertEqual(self.call(*command, path)[0], 0)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual(path.read_bytes(), content)

    def test_rows_in_the_log_of_a_running_run_are_seen(self) -> None:
        path = self.write()
        with closing(sqlite3.connect(path)) as writer:
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("UPDATE summary SET value = 0.125 WHERE name = 'accuracy_mean'")
            writer.commit()
            self.assertIn("0.125", self.call("inspect", path)[1])

    def test_the_terminal_commands_need_no_pandas(self) -> None:
        path = self.write(Run(drop=0.1))
        blocked = "import sys; sys.modules.update(dict.fromkeys(('pandas', 'numpy', 'matplotlib', "
        blocked += "'jinja2'))); from dpdl_analysis.cli import main; sys.exit(main(sys.argv[1:]))"
        for arguments in (["inspect", path], ["inspect", path, "--check"]):
            done = self.python("-c", blocked, *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.python("-c", blocked, "report", path)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))

    def test_the_program_runs_from_any_folder(self) -> None:
        path = self.write()
        environment = {**os.environ, "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, ANALYSIS / "dpdl-analysis", "report", path.name],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (0, "report.html\n"), done.stderr)
        names = sorted(entry.name for entry in self.folder.iterdir())
        self.assertEqual(names, ["report.html", path.name])

    def python(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """A separate Python that finds the package and writes no compiled files."""
        environment = {**os.environ, "PYTHONPATH": str(ANALYSIS), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
