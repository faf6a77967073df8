#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The campaigns at tiny size: all their runs, common random numbers, studies, mistakes.

usage: campaigns.py BUILD-FOLDER [unittest arguments]
"""

import contextlib
import json
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

BUILD = Path(sys.argv.pop(1)).resolve()
TINY = [
    "--nodes=4",
    "--rounds=6",
    "--samples=400",
    "--testSamples=50",
    "--batchSize=20",
    "--repetitions=2",
    "--accountant=rdp",  # the quickest
    "--jobs=2",
    "--evaluateEvery=2",
    "--progress=none",
]


class CampaignTest(ProgramCase):
    """Runs the studies in an empty folder and looks at what they leave."""

    def call(self, name: str, *options: str) -> subprocess.CompletedProcess:
        return self.run_study(BUILD, name, *TINY, *options)

    def run_all(self, name: str, *options: str, results: str = "") -> dict[str, Path]:
        """The complete traces of a campaign, by name without suffix; it ends with its study."""
        results = results or f"{name}-results"
        done = self.call(name, f"--outputDir={results}", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / results
        listed = json.loads((folder / "campaign.json").read_text())
        self.assertEqual(listed["scenario"], name)
        names = [run["trace"] for run in listed["runs"]]
        self.assertEqual(len(set(names)), len(names))
        found = {path.name for path in folder.glob("*.db")} - {"catalogue.db"}
        self.assertEqual(set(names), found)
        self.assertTrue(done.stdout.startswith(f"{len(names)} traces: {results}\n"), done.stdout)
        self.assertTrue(done.stdout.endswith(f"figure: {results}/{name}.png\n"), done.stdout)
        picture = (folder / f"{name}.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        traces = {Path(trace).stem: folder / trace for trace in names}
        for path in traces.values():
            state = self.rows(path, "SELECT value FROM summary WHERE name = 'state'")
            self.assertEqual(state, [("complete",)], path)
        return traces

    def models(self, path: Path) -> list[tuple]:
        """The last models, bit for bit."""
        return self.rows(path, "SELECT node, w, z FROM snapshot ORDER BY round, node")

    def lost(self, path: Path) -> set[tuple]:
        """Round, source and target of every message that did not arrive."""
        return set(
            self.rows(path, "SELECT round, source, target FROM delivery WHERE fate = 'lost'")
        )

    def test_link_failures(self) -> None:
        traces = self.run_all("link-failures", "--topology=ring", "--traceLevel=full")
        names = ["base", "link-0-1", "link-1-2", "link-2-3", "link-3-0"]
        names += ["flapping", "partition", "region", "isolated", "central"]
        listed = [f"{name}-{run}" for name in names for run in (1, 2)]
        self.assertEqual(sorted(traces), sorted(listed))
        self.assertEqual(self.lost(traces["base-1"]), set())
        self.assertEqual(self.lost(traces["link-1-2-1"]), {(k, 1, 2) for k in range(6)})
        for name, links in (("partition", [(1, 2), (3, 0)]), ("region", [(0, 1), (3, 0)])):
            expected = {(k, *link) for k in range(6) for link in links}
            self.assertEqual(self.lost(traces[f"{name}-1"]), expected)

    def test_links_are_drawn_by_the_seed(self) -> None:
        options = ["--topology=complete", "--links=3", "--cases=partition", "--plan"]
        plans = [self.call("link-failures", *options, f"--seed={seed}") for seed in (1, 1, 2)]
        links = [[line for line in plan.stdout.splitlines() if line.startswith("link-")]
                 for plan in plans]
        self.assertEqual([len(set(some)) for some in links], [3, 3, 3])
        self.assertEqual(links[0], links[1])
        self.assertNotEqual(links[0], links[2])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_sensors(self) -> None:
        traces = self.run_all("iot", "--chunk=2000")
        self.assertEqual(len(traces), 14)
        silent = [name for name in traces if name.startswith(("isolated", "central"))]
        self.assertEqual(len(silent), 4)
        for name, path in traces.items():
            if name in silent:
                continue
            with contextlib.closing(sqlite3.connect(path)) as trace:
                number = dict(trace.execute("SELECT name, value FROM summary"))
                states = trace.execute(
                    "SELECT SUM(seconds), SUM(joule) FROM energy_by_node WHERE round = 6"
                ).fetchone()
            self.assertGreater(number["fragments_sent"], 2 * 4 * 6, name)
            self.assertAlmostEqual(states[0], 4 * number["simulated_seconds"], delta=1e-6)
            self.assertAlmostEqual(states[1], number["energy_total"], delta=1e-9)

    def test_sensors_find_their_routes(self) -> None:
        options = ["--algorithms=dyn-d2p", "--shares=1", "--networks=grid,dodag", "--distance=80"]
        # On a square of 80 m the last node is two hops away, over any of two others.
        options += ["--traceLevel=full", "--fail=node 1 crash at 6s"]
        traces = self.run_all("iot", *options)
        cut_off = {(k, *link) for k in range(6) for link in ((0, 3), (3, 0))}
        for run in (1, 2):
            lost = [self.lost(traces[f"dyn-d2p-{name}-1-{run}"]) for name in ("grid", "dodag")]
            late = [{row for row in rows & cut_off if row[0] >= 3} for rows in lost]
            self.assertGreaterEqual(len(late[0]), 4, "fixed routes are not mended")
            self.assertEqual(late[1], set())

    def test_quickstart(self) -> None:
        options = [option for option in TINY if not option.startswith("--repetitions")]
        done = self.run_study(BUILD, "quickstart", *options, "--model=softmax-regression")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("4 traces: quickstart-results\n"), done.stdout)
        self.assertTrue(done.stdout.endswith("\nquickstart-results/report.html\n"), done.stdout)
        folder = self.folder / "quickstart-results"
        names = {path.stem for path in folder.glob("*d*.db")} - {"catalogue"}
        self.assertEqual(names, {"const-d2p", "dyn-d2p", "dyn-d2p-plain"})
        scale = "SELECT value FROM settings WHERE name = 'stepScale'"
        self.assertEqual(self.rows(folder / "dyn-d2p-plain.db", scale), [("plain",)])
        self.assertNotEqual(self.rows(folder / "dyn-d2p.db", scale), [("plain",)])
        count = self.rows(folder / "sgp.db", "SELECT COUNT(*) > 0 FROM delivery")
        self.assertEqual(count, [(1,)])

    def test_references_of_a_given_algorithm_are_private(self) -> None:
        options = ("--topologies=ring", "--losses=0", "--network=packet")
        noise = "SELECT value FROM settings WHERE name = 'noise'"
        for given, expected in (([], "off"), (["--algorithm=dyn-d2p"], "on")):
            traces = self.run_all("topology-q", *options, *given, results=expected)
            for name in ("isolated-1", "central-1"):
                self.assertEqual(self.rows(traces[name], noise), [(expected,)])

    def test_stragglers(self) -> None:
        options = [option for option in TINY if not option.startswith("--rounds")]
        done = self.run_study(BUILD, "stragglers", *options, "--methods=synchronous,divshare")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("4 traces: stragglers-results\n"), done.stdout)
        self.assertIn("No method beside synchronous reaches 70 %", done.stdout)
        for name, rounds in (("synchronous-1", 70), ("divshare-2", 150)):
            path = self.folder / "stragglers-results" / f"{name}.db"
            found = self.rows(path, "SELECT value FROM summary WHERE name = 'rounds'")
            self.assertEqual(found, [(rounds,)])

    def test_a_cause_has_the_same_effect_in_every_variant(self) -> None:
        traces = self.run_all(
            "loss-policies",
            "--losses=0,0.3,0.6",
            "--policies=none,running-sum",
            "--partitions=even",
            "--topologies=complete",
            "--traceLevel=full",
            "--epsilon=5",
            "--algorithms=dyn-d2p",
        )
        start = "dyn-d2p-even-complete-"
        for run in (1, 2):
            base = self.models(traces[f"{start}lossless-0-plain-{run}"])
            self.assertEqual(self.models(traces[f"{start}lossless-0-by-weight-{run}"]), base)
            for side in ("symmetric", "one-sided"):
                mild, strong = set(), set()
                for answer in ("none-plain", "none-by-weight", "running-sum-by-weight"):
                    # Without a loss nothing differs from the base, with or without a policy.
                    same = self.models(traces[f"{start}{side}-0-{answer}-{run}"])
                    self.assertEqual(same, base)
                    found = [
                        self.lost(traces[f"{start}{side}-{loss}-{answer}-{run}"])
                        for loss in ("0.3", "0.6")
                    ]
                    mild, strong = mild or found[0], strong or found[1]
                    self.assertEqual(found, [mild, strong], (side, answer))
                self.assertLess(mild, strong)
                sources = {source for _, source, _ in strong}
                self.assertEqual(sources, {0} if side == "one-sided" else {0, 1, 2, 3})
        self.assertNotEqual(
            self.models(traces[f"{start}lossless-0-plain-1"]),
            self.models(traces[f"{start}lossless-0-plain-2"]),
        )

    def test_processes_change_nothing(self) -> None:
        options = ["--topologies=ring,star", "--losses=0.3"]
        first = self.run_all("topology-q", *options, "--jobs=1")
        self.assertEqual(len(first), 2 * (2 + 2))
        models = {name: self.models(path) for name, path in first.items()}
        again = self.run_all("topology-q", *options, "--jobs=3", results="again")
        self.assertEqual({name: self.models(path) for name, path in again.items()}, models)

    def test_mistakes(self) -> None:
        mistakes = [  # those of the programs: refusals.tsv
            ("topology-q", ["--topologies=ring,rng"], ["rng", "ring"]),
            ("topology-q", ["--losses=0.1,1.5"], ["losses", "1.5", "[0, 1)"]),
            ("topology-q", ["--losses=0.1,0.1"], ["ring-0.1", "twice"]),
            ("topology-q", ["--drop=0.1"], ["drop", "varies"]),
            ("topology-q", ["--losses"], ["losses", "value"]),
            ("topology-q", ["--repetitions=0"], ["repetitions", "0"]),
            ("topology-q", ["--rounds=0"], ["rounds", "0"]),
            ("topology-q", ["--batchSize=1000"], ["batchSize", "1000"]),
            ("topology-q", ["--outputDir=/proc/x"], ["outputDir", "/proc/x"]),
            ("loss-policies", ["--policies=none,refnd"], ["policies", "refnd", "refund"]),
            ("loss-policies", ["--sides=left"], ["sides", "left", "one-sided"]),
            ("iot", ["--shares=all,some"], ["shares", "some"]),
            ("iot", ["--networks=bus"], ["networks", "bus", "mesh"]),
            ("cell", ["--ways=two"], ["ways", "two", "cell-1"]),
            ("link-failures", ["--cases=partiton"], ["cases", "partiton", "partition"]),
            ("link-failures", ["--links=none"], ["links", "none"]),
        ]
        for name, options, words in mistakes:
            if name == "topology-q" and not options[0].startswith("--topologies"):
                options = ["--topologies=ring", *options]
            with self.subTest(name, options=options):
                # The study gives its own number of samples.
                tiny = () if name == "cell" else TINY
                done = self.run_study(BUILD, name, *tiny, *options)
                self.assert_refused(done, *words)
                self.assertEqual(list(self.folder.iterdir()), [])

if __name__ == "__main__":
    unittest.main()
