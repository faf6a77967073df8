# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a campaign."""

from __future__ import annotations

import json
import math
import re
import unittest
from pathlib import Path

from support import TraceTest, without_drawings  # comes first: it finds the package
from html_page import REQUESTING, Page
from synthetic import Run

try:
    import pandas as pd

    from dpdl_analysis.figures.effects import RESPONSES, effects, shown
    from dpdl_analysis.figures.response import curves
    from dpdl_analysis.page.campaign import report
    from dpdl_analysis.page.campaign import variants as table
    from dpdl_analysis.studies.campaign import read
except ImportError as error:
    raise unittest.SkipTest(f"the report needs {error.name}") from error

from dpdl_analysis.trace import UsageError


def _small(**values: object) -> Run:
    return Run(nodes=4, rounds=12, **values)


class CampaignPageTest(TraceTest):
    """Laws of the page."""

    def page(self, folder: Path) -> str:
        """The text of a campaign's page."""
        output = folder / "report.html"
        self.assertEqual(report(folder, output), [output])
        return output.read_text(encoding="utf-8")

    @without_drawings
    def test_a_broken_certificate_comes_first(self) -> None:
        folder = self.campaign("runs", [({"drop": "0"}, _small()), ({"drop": "0.1"}, _small())], 3)
        self.assertNotIn('class="alarm"', self.page(folder))
        for trace in sorted(folder.glob("*.db"))[:4]:
            self.execute(trace, "UPDATE guarantee_by_node SET observed = 7 WHERE node = 3")
        text = self.page(folder)
        self.assertEqual(Page(text).faults, [])
        first = text[text.index("<header>") :].split("<p")[1]
        self.assertIn('class="alarm" role="alert">0-1.db: Certificate broken', first)
        self.assertEqual(text.count('class="alarm"'), 4)
        self.assertIn("The same goes for 1 more of 6 runs.", text)

    def test_two_factors_have_curves_maps_and_links_to_the_runs(self) -> None:
        variants = [
            ({"drop": drop, "lossPolicy": policy}, _small(drop=float(drop), final=final))
            for drop, final in (("0", 0.7), ("0.1", 0.6))
            for policy in ("none", "refund")
        ]
        folder = self.campaign("runs", variants, seeds=2)
        (folder / "0-1.html").write_text("a report")
        (folder / "3-2.db").unlink()
        text = self.page(folder)
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual(sum(page.tags[tag] for tag in REQUESTING), 0)
        self.assertIn("1 of 8 runs are missing or incomplete", text)
        self.assertIn('id="response-accuracy-mean"', text)
        self.assertIn('id="heat-1-0"', text)
        links = [link for link in page.links if not link.startswith("#")]
        self.assertEqual(sorted(set(links))[:3], ["./0-1.db", "./0-1.html", "./0-2.db"])
        self.assertEqual(len(links), 8)

    @without_drawings
    def test_a_base_that_still_learns_is_told_once_with_its_variants(self) -> None:
        runs = {"nodes": 4, "rounds": 80, "every": 2}
        finals = {"0": 0.7, "0.1": 0.701, "0.2": 0.702, "0.3": 0.5}
        variants = [({"drop": drop}, Run(**runs, final=final)) for drop, final in finals.items()]
        text = self.page(self.campaign("runs", variants, seeds=2))
        told = re.findall(r"<strong>([^<]*)</strong> The base has not converged", text)
        self.assertEqual(told, ["drop 0.1, drop 0.2:"])
        far = self.page(self.campaign("far", [variants[0], variants[-1]], seeds=2))
        self.assertNotIn("has not converged", far)

    def test_variants_have_the_order_of_the_campaign_and_axes_that_of_numbers(self) -> None:
        variants = [
            ({"drop": drop, "policy": policy}, _small())
            for drop in ("0.3", "0", "0.1")
            for policy in ("refund", "none")
        ]
        read_in = read(self.campaign("runs", variants, seeds=2))
        found = effects(read_in.runs, read_in.factors)
        rows = [tuple(row[:2]) for row in table(found).rows]
        self.assertEqual(rows, [tuple(factors.values()) for factors, _ in variants])
        self.assertEqual(found.along("drop"), ["0", "0.1", "0.3"])
        self.assertEqual(found.along("policy"), ["refund", "none"])

    @without_drawings
    def test_seeds_alone_make_a_page(self) -> None:
        text = self.page(self.campaign("runs", [({}, _small())], seeds=3))
        self.assertEqual(Page(text).faults, [])
        self.assertIn("Nothing was varied but the seed", text)

    def test_hostile_names_stay_texts(self) -> None:
        hostile = "<script>alert(1)</script>"
        variants = [({hostile: hostile + level}, _small()) for level in ("a", "b")]
        folder = self.campaign("runs", variants, seeds=1)
        path = folder / "campaign.json"
        content = json.loads(path.read_text())
        name = "javascript:alert(1).db"
        (folder / content["runs"][0]["trace"]).rename(folder / name)
        content["runs"][0]["trace"] = name
        path.write_text(json.dumps(content))
        page = Page(self.page(folder))
        self.assertEqual((page.faults, page.tags["script"]), ([], 2))
        self.assertEqual([link for link in page.links if link.startswith("java")], [])
        self.assertIn("./javascript%3Aalert%281%29.db", page.links)

    def test_what_is_no_list_is_told(self) -> None:
        for content in ("[]", "{", '{"scenario": "a", "runs": [{"trace": 1}]}'):
            (self.folder / "campaign.json").write_text(content)
            with self.assertRaises(UsageError):
                report(self.folder, self.folder / "report.html")


class EffectsTest(TraceTest):
    """Means over seeds."""

    def test_means_are_over_seeds_and_other_factors(self) -> None:
        frame = pd.DataFrame(
            [
                {"a": a, "b": b, "run": run, "accuracy_mean": a_value + 0.01 * run, "trace": "x"}
                for a, a_value in (("1", 0.2), ("2", 0.4))
                for b in ("u", "v")
                for run in (1, 2, 3)
            ]
        )
        found = effects(frame, ["a", "b", "c"])
        self.assertEqual(found.factors, ["a", "b"])
        mean = found.means(RESPONSES[0], ["a"])["2",]
        self.assertAlmostEqual(mean.mean, 0.42)
        self.assertEqual(mean.count, 3)
        self.assertAlmostEqual(mean.half, 4.302653 * 0.01 / math.sqrt(3), places=5)

    def test_intervals_lie_within_the_axes_of_every_panel(self) -> None:
        frame = pd.DataFrame(
            [
                {"a": a, "b": b, "run": run, "accuracy_mean": mean + spread * run, "trace": "x"}
                for a, mean in (("1", 0.3), ("2", 0.6))
                for b, spread in (("0", 0.0), ("1", 0.05), ("2", -0.05))
                for run in (-1, 0, 1)
            ]
        )
        drawing = curves(effects(frame, ["a", "b"]), RESPONSES[0]).drawing
        panels = [axes for axes in drawing.axes if axes.get_visible()]
        ends = [
            end
            for axes in panels
            for bars in axes.collections
            for segment in bars.get_segments()
            for end in segment[:, 1]
        ]
        self.assertGreater(len(ends), 8)
        for axes in panels:
            low, high = axes.get_ylim()
            self.assertLess(low, min(ends))
            self.assertGreater(high, max(ends))

    def test_an_infinite_value_is_never_left_out(self) -> None:
        epsilon = next(one for one in RESPONSES if one.key == "epsilon_certified")
        frame = pd.DataFrame(
            [
                {"a": a, "run": run, "epsilon_certified": value, "trace": "x"}
                for a, run, value in (("1", 1, 1.0), ("1", 2, math.inf), ("2", 1, 1.0))
            ]
        )
        means = effects(frame, ["a"]).means(epsilon, ["a"])
        self.assertEqual(shown(means["1",], epsilon), "inf")
        self.assertEqual(shown(means["2",], epsilon), "1.00")
