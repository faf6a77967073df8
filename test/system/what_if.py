#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The what-if scenario at small size: variants, common random numbers, comparison, mistakes.

usage: what_if.py BUILD-FOLDER [unittest arguments]
"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
ANALYSIS = Path(__file__).resolve().parents[2] / "analysis"
sys.path.insert(0, str(ANALYSIS))

from dpdl_analysis.comparison import all_quantities, differences, numbers  # noqa: E402
from dpdl_analysis.trace import Trace  # noqa: E402

from program_case import ProgramCase

SMALL = [
    "--nodes=4",
    "--rounds=8",
    "--samples=400",
    "--testSamples=50",
    "--batchSize=20",
    "--evaluateEvery=2",
    "--accountant=rdp",  # the quickest; what is certified is not at issue here
    "--repetitions=2",
    "--progress=none",
]
FOLDER = "what-if-results"


class WhatIfTest(ProgramCase):
    """Runs the program in an empty folder and looks at what it leaves."""

    def call(self, *options: str) -> subprocess.CompletedProcess:
        return self.run_study(BUILD, "what-if", *SMALL, *options)

    def run_all(self, *options: str) -> dict[str, list[Path]]:
        """The traces of each variant, by run."""
        done = self.call(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = json.loads((self.folder / FOLDER / "campaign.json").read_text())
        traces: dict[str, list[Path]] = {}
        for run in listed["runs"]:
            traces.setdefault(run["factors"]["variant"], []).append(
                self.folder / FOLDER / run["trace"]
            )
        return traces

    def variants(self, *options: str) -> list[str]:
        """What would run, the base first."""
        done = self.call("--plan", "--all", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()[2:]

    def test_default_variants_end_with_their_figure(self) -> None:
        done = self.call()
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = json.loads((self.folder / FOLDER / "campaign.json").read_text())["runs"]
        variants = [run["factors"]["variant"] for run in listed]
        self.assertEqual(list(dict.fromkeys(variants)),
                         ["base", "drop 0.1", "drop 0.3", "link 0->1 down"])
        self.assertTrue(done.stdout.endswith(f"figure: {FOLDER}/what-if.png\n"), done.stdout)
        self.assertRegex(done.stdout, r"\n'link 0->1 down' .*; epsilon certified unchanged at 3.00")

    def test_a_variant_equal_to_the_base_differs_by_exactly_zero(self) -> None:
        traces = self.run_all(
            "--drop=0.2",
            "--vary=drop=0.2",
            "--vary=fail=link 0->1 down at 1h",
            "--vary=epsilon=2",
        )
        late = "link 0->1 down at 1h"
        for name in ("drop 0.2", late, "epsilon 2"):
            pairs, opened = [], []
            for base, new in zip(traces["base"], traces[name]):
                with Trace(base) as first, Trace(new) as second:
                    pairs.append((numbers(first), numbers(second)))
                    opened.append(first)
            found = differences(pairs, all_quantities(opened))
            self.assertGreater(len(found), 25)
            changed = {one.quantity.key for one in found if not one.unchanged}
            if name == "epsilon 2":
                self.assertLessEqual({"epsilon_certified", "loss_mean"}, changed)
                self.assertNotIn("messages_lost", changed)
            else:
                self.assertEqual(changed, set(), name)

    def test_variants_share_what_they_do_not_change(self) -> None:
        traces = self.run_all("--vary=drop=0.3,0.6", "--vary=clip=1", "--traceLevel=noise")
        noise = "SELECT * FROM noise_by_round WHERE round = 0 ORDER BY node"
        lost = "SELECT round, source, target FROM delivery WHERE fate = 'lost'"
        for run in (0, 1):
            base = self.rows(traces["base"][run], noise)
            self.assertEqual(self.rows(traces["drop 0.6"][run], noise), base)
            mild, strong = (
                set(self.rows(traces[f"drop {drop}"][run], lost)) for drop in ("0.3", "0.6")
            )
            self.assertTrue(mild and mild < strong)
        self.assertNotEqual(base, self.rows(traces["base"][0], noise))

    def test_values_with_commas_and_options_that_change_together(self) -> None:
        self.assertEqual(
            self.variants(
                "--vary=drop=0,0.1",
                "--vary=fail=link {0,1}->2 down; link 2->3 down & fail=link 3->2 down",
                "--vary=topology=ring;star & lossPolicy=refund; drop=0.5",
            ),
            [
                "base",
                "drop_0",
                "drop_0.1",
                "link__0_1_-2_down",
                "link_2-3_down___link_3-2_down",
                "topology_ring",
                "topology_star___lossPolicy_refund",
                "drop_0.5",
            ],
        )

    def test_all_combinations(self) -> None:
        crossed = self.variants("--cross", "--vary=drop=0,0.1", "--vary=clip=1,2")
        self.assertEqual(crossed[1:3], ["drop_0___clip_1", "drop_0___clip_2"])
        self.assertEqual(len(crossed), 5)

    def test_every_link_or_node_fails_alone(self) -> None:
        links = self.variants("--each=link", "--topology=ring")
        self.assertEqual(links, ["base", "link-0-1", "link-1-2", "link-2-3", "link-3-0"])
        nodes = [self.variants("--each=node", "--most=2", f"--seed={seed}") for seed in (1, 1, 2)]
        self.assertEqual([len(some) for some in nodes], [3, 3, 3])
        self.assertEqual(nodes[0], nodes[1])
        traces = self.run_all("--each=node", "--most=1", "--repetitions=1")
        state = self.rows(list(traces.values())[1][0], "SELECT value FROM summary LIMIT 1")
        self.assertEqual(state, [("complete",)])

    def test_mistakes(self) -> None:
        mistakes = [
            ("--vary=drop", ["vary", "OPTION=VALUE"]),
            ("--vary=", ["vary", "OPTION=VALUE"]),
            ("--vary=drop=0.1,", ["vary", "OPTION=VALUE"]),
            ("--vary=dorp=0.1", ["vary", "dorp", "did you mean 'drop'"]),
            ("--vary=drop=0.1,1.5", ["vary", "1.5", "[0, 1)"]),
            ("--vary=seed=1,2", ["vary", "'seed' cannot vary"]),
            ("--vary=drop=0.1,0.1", ["drop_0.1", "twice"]),
            ("--vary=fail=link 0->1 dwn", ["dwn", "did you mean 'down'"]),
            ("--vary=fail=link 0->9 down", ["9", "0..3"]),
            ("--vary=topology=rng", ["rng", "ring"]),
            ("--each=lnk", ["each", "lnk", "link"]),
        ]
        for option, words in mistakes:
            with self.subTest(option):
                done = self.call(option)
                self.assert_refused(done, *words)
                self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
