# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The HTML report."""

from __future__ import annotations

import html
import re
import tempfile
import unittest
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run, write_trace

try:
    from dpdl_analysis.page.runs import SECTIONS, render, report
except ImportError as error:
    raise unittest.SkipTest(f"the report needs {error.name}") from error

from dpdl_analysis.formatting import summary_value
from dpdl_analysis.metrics import METRICS
from dpdl_analysis.trace import Trace, UsageError

VOID = {"meta", "br", "hr", "img", "link", "input"}
REQUESTING = ("link", "img", "iframe", "object", "embed", "audio", "video", "source", "base", "image")
LOADING = {"src", "href", "xlink:href", "data", "action", "poster", "srcset"}


class Page(HTMLParser):
    """Parses a page, and keeps what is wrong with its nesting, its ids, links and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open_tags: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.cells: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open_tags]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name in LOADING:
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.open_tags or self.open_tags.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open_tags and self.open_tags[-1] == "td":
            self.cells.append(data.strip())


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

    def test_a_folder_is_refused(self) -> None:
        for output in (self.folder, self.folder / "nowhere" / "report.html"):
            with self.assertRaises(UsageError):
                report([self.trace()], output)
