# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about one or several runs."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import tempfile
import unittest
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from html_page import REQUESTING, Page
from synthetic import Run, write_trace

try:
    from dpdl_analysis.page.runs import SECTIONS, render, report
except ImportError as error:
    raise unittest.SkipTest(f"the report needs {error.name}") from error

from dpdl_analysis.formatting import summary_value
from dpdl_analysis.metrics import METRICS
from dpdl_analysis.trace import Trace, UsageError

class ReportTest(TraceTest):
    """Laws that hold for every report."""

    RUNS = (
        Run(),
        Run(drop=0.1),
        Run(drop=0.02, step_scale="plain", diverges=True, seed=2),
        Run(algorithm="sgp", drop=0.3, private=False, complete=False),
    )

    @classmethod
    def setUpClass(cls) -> None:
        """Writes the report of several runs, which most laws are tested on, once."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.traces = []
        for index, run in enumerate(cls.RUNS):
            trace = Trace(write_trace(Path(folder.name) / f"several-{index}.db", run))
            cls.addClassCleanup(trace.close)
            cls.traces.append(trace)
        cls.several = render(cls.traces)

    def pages(self) -> dict[str, str]:
        """Reports of one run, of several, of many nodes, and of next to nothing."""
        bare = self.write()
        for view in (
            "accuracy_by_round",
            "guarantee_by_round",
            "delivery_by_link",
            "mass_by_round",
            "q_by_window",
            "round_by_node",
            "violation",
        ):
            self.execute(bare, f"DROP TABLE {view}")
        self.execute(bare, "DELETE FROM summary WHERE name NOT IN ('state', 'nodes')")
        empty = self.write()
        for view in (
            "accuracy_by_round",
            "guarantee_by_round",
            "delivery_by_link",
            "mass_by_round",
            "q_by_window",
            "round_by_node",
            "settings",
        ):
            self.execute(empty, f"DELETE FROM {view}")
        return {
            "one": render([self.trace()]),
            "several": self.several,
            "many nodes": render([self.trace(Run(nodes=70, rounds=12, drop=0.2))]),
            "bare": render([self.open(bare), self.open(empty)]),
        }

    def test_pages_are_well_formed_and_load_nothing(self) -> None:
        for name, text in self.pages().items():
            with self.subTest(name):
                page = Page(text)
                self.assertEqual(page.faults, [])
                self.assertEqual([key for key, number in page.ids.items() if number > 1], [])
                self.assertEqual([link for link in page.links if not link.startswith("#")], [])
                missing = [link for link in page.links if link[1:] not in page.ids]
                self.assertEqual(missing, [])
                self.assertNotRegex(text, r"@import|url\((?!#)")
                self.assertEqual(page.tags["script"], 2)
                self.assertEqual(sum(page.tags[tag] for tag in REQUESTING), 0)
                self.assertNotRegex(text, r"(?i)https?://(?!www\.w3\.org/)")
                self.assertNotIn("nan", page.cells)

    def test_every_number_of_every_summary_is_there(self) -> None:
        cells = set(Page(self.several).cells)
        for trace in self.traces:
            for row in trace.summary.values():
                self.assertIn(summary_value(row.name, row.value), cells, row.name)
            for metric in METRICS:
                self.assertIn(metric.show(trace), cells, metric.key)

    def test_every_setting_is_there(self) -> None:
        text = html.unescape(self.several)
        for trace in self.traces:
            for name, value in trace.settings.items():
                self.assertIn(name, text)
                self.assertIn(value, text)

    def test_markup_in_a_trace_is_text(self) -> None:
        hostile = "<script>alert(1)</script>"
        run = Run(algorithm=hostile, drop=0.1, settings={"<b>": hostile})
        text = render([self.trace(run)])
        self.assertEqual(Page(text).tags["script"], 2)
        self.assertNotIn("<script>alert", text)

    def test_every_figure_is_drawn_in_the_colours_of_the_theme(self) -> None:
        text = self.several
        page = Page(text)
        figures = re.findall(r'<svg role="img" aria-label="([^"]*)"', text)
        self.assertEqual(len(figures), page.tags["figure"])
        draws = sum(len(draws) for _, _, draws in SECTIONS)
        self.assertEqual(len(figures), draws - 1 + len(self.traces), "and a film for each run")
        drawings = "".join(re.findall(r'<svg role="img".*?</svg>', text, re.DOTALL))
        self.assertEqual(re.findall(r"#[0-9a-f]{6}\b", drawings), [])
        self.assertIn("prefers-color-scheme: dark", text)

    def test_the_same_traces_give_the_same_page(self) -> None:
        self.assertEqual(render(self.traces), self.several)

    def test_hostile_texts_stay_texts(self) -> None:
        hostile = "</script><script>alert(1)</script><!--'\"><img src=x onerror=alert(1)>"
        path = self.write(Run(drop=0.1, settings={hostile: hostile}))
        quoted = hostile.replace("'", "''")
        for statement in (
            f"UPDATE summary SET meaning = '{quoted}', unit = '{quoted}'",
            f"UPDATE violation SET detail = '{quoted}'",
            f"UPDATE guarantee_by_node SET reason = '{quoted}', certified = 9e999",
            "CREATE TABLE link_event(time, event, source, target, node, value, sentence)",
            f"INSERT INTO link_event VALUES(1.0, 'down', 0, 1, NULL, NULL, '{quoted}')",
        ):
            self.execute(path, statement)
        text = render([self.open(path)])
        page = Page(text)
        self.assertEqual((page.faults, page.tags["script"], page.tags["img"]), ([], 2, 0))
        self.assertIn(json.dumps(hostile).replace("<", r"\u003c").replace(">", r"\u003e"), text)

    def test_only_its_own_script_runs(self) -> None:
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', self.several)
        script = re.search(r"<script>(.*?)</script>", self.several, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(script.group(1).encode()).digest()).decode()
        self.assertIn("default-src 'none'", policy.group(1))
        self.assertIn(f"script-src 'sha256-{digest}'", policy.group(1))

    def test_figures_have_words_and_tables(self) -> None:
        page = Page(self.several)
        self.assertEqual(page.tags["desc"], page.tags["figure"])
        self.assertEqual(self.several.count('<details class="data">'), page.tags["figure"])
        self.assertIn("A: mean from 10.0 % at 0 to", self.several)

    def test_a_damaged_trace_is_used_and_said(self) -> None:
        path = self.write(Run(nodes=30, rounds=60, drop=0.1))
        content = bytearray(path.read_bytes())
        half = len(content) // 2
        content[half:] = bytes(len(content) - half)
        path.write_bytes(bytes(content))
        trace = Trace(path, salvage=True)
        self.addCleanup(trace.close)
        text = render([trace])
        self.assertTrue(trace.damage)
        self.assertIn("A is damaged:", text)
        self.assertLess(text.index("A is damaged:"), text.index('id="numbers"'))
        self.assertNotIn("No violation was recorded", text)

    def test_infinite_epsilon_is_said_with_its_reason(self) -> None:
        text = render([self.trace(Run(private=False))])
        self.assertIn("no proven privacy: its certified epsilon is inf (noise is off)", text)
        self.assertIn("A: certified epsilon is inf or was not recorded.", text)

    def test_divergence_and_missing_privacy_are_said_with_numbers(self) -> None:
        text = self.several
        verdict = text[text.index('class="verdict"') : text.index('class="runs"')]
        self.assertIn("C diverged", verdict)
        self.assertIn("noise is off", verdict)
        self.assertIn("D is incomplete", verdict)
        self.assertEqual(verdict.count("<li>"), 3)

    def test_divergence_is_not_said_of_runs_that_learnt(self) -> None:
        text = render([self.trace(), self.trace(Run(drop=0.1))])
        verdict = text[text.index('class="verdict"') : text.index('class="runs"')]
        self.assertNotIn("diverged", verdict)
        self.assertNotIn("incomplete", verdict)


class OutputTest(TraceTest):
    """Where the report goes."""

    def test_a_report_is_replaced_and_nothing_else_is_left(self) -> None:
        trace = self.trace()
        output = self.folder / "report.html"
        output.write_text("old")
        before = sorted(self.folder.iterdir())
        report([trace], output)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertTrue(output.read_text().startswith("<!DOCTYPE html>"))

    def test_a_trace_is_never_replaced(self) -> None:
        trace = self.trace()
        content = trace.path.read_bytes()
        for output in (trace.path, self.write()):
            with self.assertRaises(UsageError):
                report([trace], output)
        self.assertEqual(trace.path.read_bytes(), content)

    def test_figures_come_as_pdf_files_too(self) -> None:
        made = report([self.trace(Run(nodes=5, rounds=10, drop=0.2))], self.folder / "r.html", True)
        names = sorted(path.name for path in made[1:])
        self.assertIn("r-accuracy-time.pdf", names)
        self.assertIn("r-film.pdf", names)
        for path in made[1:]:
            self.assertTrue(path.read_bytes().startswith(b"%PDF-"), path.name)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.pdf")), names)

    def test_a_folder_is_refused(self) -> None:
        for output in (self.folder, self.folder / "nowhere" / "report.html"):
            with self.assertRaises(UsageError):
                report([self.trace()], output)
