# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about one or several runs."""

import base64
import hashlib
import html
import re
import tempfile
from pathlib import Path

from support import TraceTest, without_drawings  # comes first: it finds the package
from html_page import REQUESTING, Page
from synthetic import Run, write_trace

from dpdl_analysis.page.runs import SECTIONS, render
from dpdl_analysis.formatting import summary_value
from dpdl_analysis.metrics import METRICS
from dpdl_analysis.trace import Trace


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
        cls.one = render(cls.traces[:1])

    def pages(self) -> dict[str, str]:
        """Reports of one run, of several, of many nodes, and of next to nothing."""
        views = ("accuracy_by_round", "guarantee_by_round", "delivery_by_link", "mass_by_round",
                 "q_by_window", "round_by_node")
        bare = self.write()
        for view in (*views, "violation"):
            self.execute(bare, f"DROP TABLE {view}")
        self.execute(bare, "DELETE FROM summary WHERE name NOT IN ('state', 'nodes')")
        empty = self.write()
        for view in (*views, "settings"):
            self.execute(empty, f"DELETE FROM {view}")
        return {
            "one": self.one,
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

    def test_every_figure_is_drawn_in_the_colours_of_the_theme(self) -> None:
        text = self.several
        page = Page(text)
        figures = re.findall(r'<svg role="img" aria-label="([^"]*)"', text)
        self.assertEqual(len(figures), page.tags["figure"])
        draws = sum(len(draws) for _, _, draws in SECTIONS)
        # No run of these counted radio frames.
        self.assertEqual(len(figures), draws - 1)
        drawings = "".join(re.findall(r'<svg role="img".*?</svg>', text, re.DOTALL))
        self.assertEqual(re.findall(r"#[0-9a-f]{6}\b", drawings), [])
        self.assertIn("prefers-color-scheme: dark", text)

    def test_the_same_traces_give_the_same_page(self) -> None:
        self.assertEqual(render(self.traces[:1]), self.one)

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
        self.assertIn("dyn-d2p drop 0.0: mean from 10.0 % at 0 to", self.several)

    @without_drawings
    def test_infinite_epsilon_is_said_with_its_reason(self) -> None:
        text = render([self.trace(Run(private=False))])
        self.assertIn("no proven privacy: its certified epsilon is inf (noise is off)", text)
        self.assertIn("dyn-d2p: certified epsilon is inf or was not recorded.", text)

    @without_drawings
    def test_runs_of_which_the_same_is_said_share_a_note(self) -> None:
        bare = [self.trace(Run(private=False, drop=drop)) for drop in (0.1, 0.2)]
        text = render([*bare, self.trace(Run(drop=0.3))])
        both = "drop 0.1, drop 0.2: "
        self.assertIn(f"{both}certified epsilon is inf or was not recorded.", text)
        self.assertRegex(text, f"{both}certified epsilon is inf at \\d+ of \\d+ nodes")
        self.assertIn("nothing is proven for drop 0.1 and drop 0.2 (noise is off)", text)

    def test_divergence_and_missing_privacy_are_said_with_numbers(self) -> None:
        text = self.several
        verdict = text[text.index('class="verdict"') : text.index('class="runs"')]
        self.assertIn("dyn-d2p drop 0.02 diverged", verdict)
        self.assertIn("noise is off", verdict)
        self.assertIn("sgp (several-3.db) is incomplete", verdict)
        self.assertEqual(verdict.count("<li>"), 3)

    @without_drawings
    def test_losses_stand_by_cause(self) -> None:
        lossy = render([self.open(self.write(Run(drop=0.1)))])
        self.assertEqual(Page(lossy).faults, [])
        self.assertIn('<section id="losses">', lossy)
        self.assertIn(">queue disc</td>", lossy)
        self.assertNotIn('id="losses"', render([self.open(self.write())]))

    def test_a_broken_certificate_is_the_first_sentence_and_red(self) -> None:
        path = self.write()
        self.execute(path, "UPDATE guarantee_by_node SET observed = 7 WHERE node = 3")
        alone, second = render([self.open(path)]), render([self.trace(), self.open(path)])
        for page, start in ((alone, "Certificate"), (second, path.name)):
            self.assertEqual(Page(page).faults, [])
            head = page[page.index("<header>") :]
            first = re.search(r"<p([^>]*)>([^<]*)</p>", head)
            self.assertIn('class="alarm"', first.group(1))
            self.assertTrue(first.group(2).startswith(start), first.group(2))
            self.assertIn("broken: an audit observed epsilon 7.00 at node 3", first.group(2))
            verdict = page[page.index('class="verdict"') : page.index('class="runs"')]
            self.assertIn("an audit found 7.00 at node 3, above the certified 1.02", verdict)
            self.assertIn('class="broken"', page)
        self.assertIn("--alarm: #b00020", page)
        self.assertNotIn('class="alarm"', self.several)
        self.assertNotIn('class="broken"', self.several)

    @without_drawings
    def test_divergence_is_not_said_of_runs_that_learnt(self) -> None:
        text = render([self.trace(), self.trace(Run(drop=0.1))])
        verdict = text[text.index('class="verdict"') : text.index('class="runs"')]
        self.assertNotIn("diverged", verdict)
        self.assertNotIn("incomplete", verdict)
