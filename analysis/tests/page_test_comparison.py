# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a paired comparison."""

from pathlib import Path

from support import TraceTest, without_drawings  # comes first: it finds the package
from html_page import REQUESTING, Page
from synthetic import Run

from dpdl_analysis.comparison.comparison import Comparison, compare_folders, compare_runs
from dpdl_analysis.page.comparison import comparison_page


class ComparisonPageTest(TraceTest):
    """Laws of the page."""

    def page(self, comparisons: list[Comparison]) -> str:
        """The text of the page."""
        output = self.folder / "page.html"
        self.assertEqual(comparison_page(comparisons, output), [output])
        text = output.read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual([key for key, number in page.ids.items() if number > 1], [])
        self.assertEqual(sum(page.tags[tag] for tag in REQUESTING), 0)
        missing = [link for link in page.links if link[1:] not in page.ids]
        self.assertEqual(missing, [])
        return text

    def pair(self, base: Path, variant: Path) -> Comparison:
        """The comparison of two traces."""
        return compare_runs(self.open(base), self.open(variant))

    def test_every_difference_is_there_with_its_text(self) -> None:
        base = self.write(Run(nodes=4, rounds=12))
        variant = self.write(Run(nodes=4, rounds=12, drop=0.3, final=0.6))
        comparison = self.pair(base, variant)
        text = self.page([comparison])
        for one in comparison.differences:
            self.assertIn(one.quantity.title, text)
            self.assertTrue(one.unchanged or one.text() in text, one.quantity.title)
        self.assertIn('id="differences"', text)
        self.assertIn('id="difference-rounds"', text)

    @without_drawings
    def test_a_run_against_itself_differs_in_nothing(self) -> None:
        path = self.write(Run(nodes=4, rounds=12))
        text = self.page([self.pair(path, path)])
        self.assertIn("no number differs", text)
        self.assertIn("No number differs.", text)
        self.assertIn("changes nothing: every difference is exactly 0", text)

    def test_campaigns_have_an_interval_and_a_part_for_each_variant(self) -> None:
        folders = [self.campaign(name, [({"case": case}, Run(nodes=4, rounds=12, drop=drop, final=final))
                                        for case, final in (("x", 0.7), ("y", 0.5))], seeds=3)
                   for name, drop in (("base", 0.0), ("variant", 0.3))]
        text = self.page(compare_folders(*folders))
        self.assertIn("case x", text)
        self.assertIn("case y", text)
        self.assertIn("3 pairs", text)
