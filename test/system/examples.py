#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the module's examples as their readers would, and looks at what they leave.

usage: examples.py FOLDER-OF-PROGRAMS [unittest arguments]

The folder holds those examples whose modules of ns-3 are there.
"""

import csv
import re
import runpy
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

PROGRAMS = Path(sys.argv.pop(1)).resolve()
MODULE = Path(__file__).resolve().parents[2] / "contrib/dpdl"
SOURCES = sorted((MODULE / "examples").glob("*.cc"))
USAGE = re.compile(r"cmd\.Usage\(\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)\)")
MARK = "// dpdl"


def description(source: Path) -> str:
    """What an example says of itself, from its source."""
    found = USAGE.search(source.read_text(encoding="utf-8"))
    pieces = re.findall(r"\"((?:[^\"\\]|\\.)*)\"", found.group(1)) if found else []
    return "".join(pieces).replace('\\"', '"')


class ExamplesTest(unittest.TestCase):
    """What holds for every example."""

    def test_each_describes_itself(self) -> None:
        seen = 0
        for source in SOURCES:
            program = PROGRAMS / source.stem
            with self.subTest(example=source.stem):
                self.assertGreater(len(description(source)), 20)
                if program.exists():
                    seen += 1
                    shown = subprocess.run(
                        [program, "--PrintHelp"], check=True, capture_output=True, text=True
                    )
                    self.assertIn(description(source), shown.stdout)
        self.assertGreater(seen, 0)

    def test_each_is_run_by_a_tree(self) -> None:
        """ns-3's test.py reads tuples of three up to 3.41."""
        listed = runpy.run_path(str(MODULE / "test/examples-to-run.py"))["cpp_examples"]
        self.assertEqual({len(entry) for entry in listed}, {3})
        names = {entry[0].split()[0] for entry in listed}
        self.assertEqual(names, {source.stem for source in SOURCES})

    def test_few_lines_add_learning_to_a_script(self) -> None:
        text = (MODULE / "examples/dpdl-third.cc").read_text(encoding="utf-8")
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines()
        code = [line for line in code if not line.startswith("//") and f'\\"{MARK}' not in line]
        added = [line for line in code if line.endswith(MARK)]
        self.assertLess(len(added), 10)
        before = "\n".join(line for line in code if not line.endswith(MARK))
        self.assertNotIn("dpdl", before.lower())


class ExampleRun(unittest.TestCase):
    """An example, run in its own folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_example(self, name: str, *arguments: str) -> str:
        """What it prints: at the end accuracies, epsilon and the trace."""
        done = self.end_of_example(name, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"accuracy .* %, worst node .*\nEpsilon .*\n.*\ntrace: .*db")
        return done.stdout

    def end_of_example(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """How it ends; the test is skipped where it was not built."""
        if not (PROGRAMS / name).exists():
            self.skipTest(f"{name} was not built: ns-3 lacks one of its modules")
        return subprocess.run(
            [PROGRAMS / name, *arguments], cwd=self.folder, capture_output=True, text=True
        )

    def query(self, name: str, sql: str) -> list[Any]:
        """The rows of a question to a trace."""
        trace = sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True)
        try:
            return trace.execute(sql).fetchall()
        finally:
            trace.close()

    def test_a_cell_of_lte_delivers_every_share(self) -> None:
        self.run_example("dpdl-lte")
        fates = self.query("dpdl-lte.db", "SELECT fate, count(*) FROM delivery GROUP BY fate")
        self.assertEqual(fates, [("delivered", 4 * 16)])

    def test_trace_sources_tell_what_the_trace_tells(self) -> None:
        self.run_example("dpdl-trace-sources")
        with open(self.folder / "dpdl-trace-sources.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        count = Counter(row["event"] for row in rows)
        trace = "dpdl-trace-sources.db"
        [(sent, to_first)] = self.query(
            trace, "SELECT COUNT(*), SUM(target = 0 AND arrived_at NOT NULL) FROM delivery"
        )
        self.assertEqual(count["tx"], sent)
        self.assertEqual(count["rx"], to_first)
        self.assertEqual(count["round-start"], 5 * 10)
        # What a node ends a round with it begins the next one with.
        ends = {
            (int(row["source"].split("/")[2]), int(row["round"]) + 1): float(row["value"])
            for row in rows
            if row["event"] == "round-end"
        }
        self.assertEqual(len(ends), 5 * 10)
        begins = self.query(
            trace, "SELECT node, round, w FROM round_by_node WHERE round BETWEEN 1 AND 9"
        )
        self.assertEqual(len(begins), 5 * 9)
        for node, k, weight in begins:
            self.assertAlmostEqual(ends[node, k], weight, places=4)

    def test_an_algorithm_of_ones_own_certifies_what_it_argues(self) -> None:
        shown = self.run_example("dpdl-own-algorithm")
        self.assertRegex(shown, "certified epsilon: inf; .*no argument for its privacy")
        shown = self.run_example("dpdl-own-algorithm", "--argued")
        self.assertRegex(shown, r"certified epsilon: [0-9.]+\n")
        self.assertLessEqual(float(shown.split()[-1]), 8.0)
        [(accuracy,)] = self.query(
            "dpdl-own-algorithm.db",
            "SELECT accuracy_mean FROM accuracy_by_round ORDER BY round DESC LIMIT 1",
        )
        self.assertGreater(accuracy, 0.4)

    def test_flow_monitor_counts_what_the_trace_counts(self) -> None:
        shown = self.run_example("dpdl-flow-monitor")
        self.assertIn("FlowMonitor and the trace agree", shown)
        [(lost,)] = self.query(
            "dpdl-flow-monitor.db", "SELECT COUNT(*) FROM delivery WHERE arrived_at IS NULL"
        )
        self.assertGreater(lost, 0)

    def test_netanim_gets_a_colour_for_every_evaluation(self) -> None:
        self.run_example("dpdl-netanim")
        events = ElementTree.parse(self.folder / "dpdl-netanim.xml").getroot()
        colours = Counter(
            event.get("id") for event in events.iter("nu") if event.get("p") == "c"
        )
        rows = self.query(
            "dpdl-netanim.db", "SELECT node, COUNT(*) FROM accuracy_by_node GROUP BY node"
        )
        self.assertEqual(len(rows), 6)
        for node, evaluations in rows:
            # One more is the colour that every node begins with.
            self.assertEqual(colours[str(node)], evaluations + 1)

    def test_a_script_with_learning_added_learns(self) -> None:
        self.run_example("dpdl-third")
        [(state,)] = self.query("dpdl-1-1.db", "SELECT value FROM summary WHERE name = 'state'")
        self.assertEqual(state, "complete")
        [(first, last)] = self.query(
            "dpdl-1-1.db",
            "SELECT MIN(accuracy_mean), MAX(accuracy_mean) FROM accuracy_by_round",
        )
        self.assertGreater(last, first + 0.2)

    def test_a_script_takes_failures_of_links_through_routers(self) -> None:
        self.run_example("dpdl-third")
        self.run_example("dpdl-third", "--fail=link 5->1 down at 0s")
        self.run_example("dpdl-third", "--fail=node 2 crash at 1s for 50ms")
        # While a station joins its cell, nothing arrives.
        sql = "SELECT target, COUNT(arrived_at) FROM delivery WHERE source = 5 GROUP BY target"
        whole = dict(self.query("dpdl-1-1.db", sql))
        self.assertGreater(whole[1], 2)
        cut = dict(self.query("dpdl-1-1-2.db", sql))
        self.assertEqual(cut, {**whole, 1: 0})
        [(crashes,)] = self.query("dpdl-1-1-3.db", "SELECT COUNT(*) FROM link_event")
        self.assertGreater(crashes, 0)

    def test_an_error_that_a_script_does_not_catch_is_one_line(self) -> None:
        mistakes = {
            "link 5->1 down at 2": r"^dpdl: --fail, line 1: '2' is not accepted; expected .*\n$",
            "link 5->1 delay 30ms at 2s": r"^dpdl: delay .* of link 5->1 .* routers.*\n$",
        }
        for fail, line in mistakes.items():
            done = self.end_of_example("dpdl-third", f"--fail={fail}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, line)


if __name__ == "__main__":
    unittest.main()
