# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What pages do with hostile and damaged traces, and where they are written."""

import json

from support import TraceTest, without_drawings  # comes first: it finds the package
from html_page import Page
from synthetic import Run

from dpdl_analysis.page.runs import render, report
from dpdl_analysis.trace import Trace, UsageError


class InputTest(TraceTest):
    """Traces that others made."""

    def test_hostile_texts_stay_texts(self) -> None:
        hostile = "</script><script>alert(1)</script><!--'\"><img src=x onerror=alert(1)>"
        markup = "<script>alert(1)</script>"
        settings = {hostile: hostile, "<b>": markup}
        path = self.write(Run(algorithm=markup, drop=0.1, settings=settings))
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
        self.assertNotIn("<script>alert", text)
        self.assertIn(json.dumps(hostile).replace("<", r"\u003c").replace(">", r"\u003e"), text)

    @without_drawings
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
        damaged = f"({path.name}) is damaged:"
        self.assertIn(damaged, text)
        self.assertLess(text.index(damaged), text.index('id="numbers"'))
        self.assertNotIn("No violation was recorded", text)

    @without_drawings
    def test_a_trace_that_was_cut_short_is_used_and_said(self) -> None:
        path = self.write(Run(nodes=30, rounds=60, drop=0.1))
        content = path.read_bytes()
        cut = self.folder / "cut.db"
        cut.write_bytes(content[: len(content) * 9 // 10 // 4096 * 4096])
        trace = Trace(cut, salvage=True)
        self.addCleanup(trace.close)
        self.assertTrue("cut.db) is damaged:" in render([trace]))
        self.assertEqual(cut.stat().st_size, len(content) * 9 // 10 // 4096 * 4096)


class OutputTest(TraceTest):
    """Where the report goes."""

    @without_drawings
    def test_a_report_is_replaced_and_nothing_else_is_left(self) -> None:
        trace = self.trace()
        output = self.folder / "report.html"
        output.write_text("<!DOCTYPE html>\n<title>dpdl: an older report</title>")
        before = sorted(self.folder.iterdir())
        report([trace], output)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertTrue(output.read_text().startswith("<!DOCTYPE html>"))
        self.assertNotIn("an older report", output.read_text())

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
