#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A run on several ranks equals that of one process, bit for bit in what is learnt.

usage: ranks.py LEARN MPIRUN MOVING [--all]
LEARN is of a build with MPI, MOVING the program moving-ranks. --all: 200 random runs and 20 killed ones instead of some.
"""

import os
import random
import shlex
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))

from dpdl_analysis.checks import run_checks  # noqa: E402  (the path comes first)
from dpdl_analysis.merging import merge  # noqa: E402
from dpdl_analysis.trace import Trace  # noqa: E402

import words  # noqa: E402
from certificates.evidence import Trace as Evidence  # noqa: E402
from certificates.evidence import repeated_noise  # noqa: E402
from program_case import ProgramCase  # noqa: E402

LEARN, MPIRUN, MOVING = sys.argv[1:4]
RANDOM_RUNS, KILLS = (200, 20) if "--all" in sys.argv else (12, 2)
BASE = (
    "--nodes=9 --rounds=8 --model=softmax-regression --dataset=blobs --samples=540 "
    "--testSamples=128 --evaluateEvery=3 --progress=none --workers=1"
)
CASES = (
    "",
    "--drop=0.2 --lossPolicy=renormalise --chunk=200 --topology=ring",
    "--drop=0.2 --lossPolicy=refund --topology=random-peer",
    "--drop=0.1 --deadline=10ms --traceLevel=noise",
    "--schedule=asynchronous --staleness=2 --compute=fixed:10ms:heterogeneous=3 --drop=0.1 "
    "--traceLevel=noise",
    "--algorithm=partpsp-1 --traceLevel=summary --delay=0s",
    "--topology=undirected-ring --dataRate=file:near.txt --lossPolicy=reliable --drop=0.2",
    "--algorithm=overlap-sgp --topology=random:0.5",
    "--algorithm=dpps --mode=paper --topology=undirected-ring",
    "--algorithm=partpsp-1 --mode=paper --drop=0.1 --lossPolicy=running-sum",
    "--algorithm=dpps --mode=paper --drop=0.2 --lossPolicy=reliable --payload=bytes",
    "--topology=contacts:contacts.txt",
    "--algorithm=dpps --mode=paper --topology=contacts:contacts.txt --drop=0.1",
    # Nodes announce their sensitivity again while the first announcement is still repeated.
    "--algorithm=dpps --mode=paper --lossPolicy=reliable --schedule=asynchronous --staleness=2 "
    "--drop=0.1 --deadline=91ms --topology=out-degree:3 --compute=fixed:7ms:heterogeneous=3 "
    "--fail='random node {0,5} crash mean-up=80ms mean-down=9ms with state from 13ms for 100ms'",
    "--algorithm=decor --hyper=secrets=1,colluders=1 --drop=0.1 --fail='node 4 leaks at 30ms'",
    "--algorithm=decor --hyper=secrets=1 --fail='node {2,7} leaks at 1h'",
    "--algorithm=divshare --drop=0.2 --schedule=wait-free --dataRate=2Mbps",
    "--compress=quantize:4 --drop=0.1 --lossPolicy=running-sum",
    "--compress=top-k:0.2 --drop=0.2 --lossPolicy=reliable",
    "--compress=random-k:0.3 --drop=0.2 --lossPolicy=refund",
    "--algorithm=dp-csgp --lossPolicy=refund --drop=0.1 --fail='node 2 crash at 30ms for 40ms'",
    "--compress=quantize:3 --chunk=900 --drop=0.2 --schedule=wait-free --algorithm=epidemic",
)
LEARNT = (
    "SELECT round, node, iteration, hex(noise) FROM noise_by_round",
    "SELECT round, node, w, hex(z) FROM snapshot",
    "SELECT * FROM accuracy_by_node",
    "SELECT * FROM round_by_node",
    'SELECT * FROM "release"',
    "SELECT * FROM guarantee_by_node",
    "SELECT * FROM guarantee_by_round ORDER BY round DESC LIMIT 1",
    "SELECT * FROM delivery",
    "SELECT round, accuracy_mean, accuracy_worst, accuracy_of_mean_model, loss_mean, "
    "consensus_distance FROM accuracy_by_round ORDER BY round DESC LIMIT 1",
    "SELECT source, target, sent, delivered, lost, bytes FROM delivery_by_link",
    "SELECT * FROM q_by_window",
    "SELECT * FROM sensitivity_by_round",
    "SELECT * FROM link_event",
    "SELECT * FROM violation",
    "SELECT name, value FROM summary WHERE name NOT LIKE 'wall%' AND name <> 'mass_error'",
)
# When a round is closed while a node is down depends on the other nodes of the process.
LEARNT_TOGETHER = (
    "SELECT round, simulated_seconds, accuracy_mean, accuracy_worst, loss_mean "
    "FROM accuracy_by_round"
)

FAILURES = (
    "link 3->4 down at 20ms for 60ms",
    "link * loss 0.2 from 30ms for 200ms",
    "link 0->* delay 2ms at 40ms for 100ms",
    "link 5->* rate 20Mbps at 10ms for 90ms",
    "link 2->* gilbert-elliott p=0.2 r=0.3 bad=0.9 at 0s for 1s",
    "link * flap up=37ms down=11ms from 0s for 300ms",
    "random link * down mean-up=90ms mean-down=21ms from 0s for 300ms",
    "node 4 pause at 33ms for 41ms",
    "node {2,7} crash at 41ms recover 97ms",
    "node 6 crash with state at 52ms recover 83ms",
    "node 1 crash at 71ms",
    "node 7 slow 4x at 10ms for 90ms",
    "partition {0-3} {4-8} at 61ms for 47ms",
    "random node {0,5} crash mean-up=80ms mean-down=9ms with state from 13ms for 100ms",
)
CONTACTS = "".join(
    f"{0.011 * step:.3f} {0.011 * step + 0.02 + 0.003 * node:.3f} {node} {(node * 7 + step) % 9}\n"
    for step in range(60)
    for node in range(9)
    if (node * 7 + step) % 9 != node
)
LINKS = "source target dataRate delay queue\n* * 8Mbps 3ms none\n0 * 2Mbps 5ms 20000B\n4 5 1Mbps 9ms none\n"
NEAR = "source target dataRate delay\n* * 10Mbps 5ms\n0 1 1Gbps 10us\n1 0 1Gbps 10us\n7 8 1Gbps 0s\n"
"""Fast links within ranks: a message between ranks takes longer."""
ATTRIBUTE = "--ns3::DpdlMessageTransport::"
CHOICES = (
    ("--lossPolicy=none", "--lossPolicy=renormalise", "--lossPolicy=refund")
    + ("--lossPolicy=running-sum", "--lossPolicy=reliable") * 2,
    ("", "--drop=0.1", "--drop=0.3"),
    ("", "", "--schedule=asynchronous --staleness=2", "--schedule=wait-free"),
    ("--compute=fixed:10ms", "--compute=fixed:7.1ms:heterogeneous=3"),
    ("", "--topology=ring", "--topology=out-degree:3", "--topology=random-peer")
    + ("--topology=contacts:contacts.txt",),
    ("", "--chunk=200", "--payload=bytes", "--chunk=200 --payload=bytes"),
    ("", "", "--algorithm=adp-vrsgp", "--algorithm=overlap-sgp", "--algorithm=partpsp-1")
    + ("--algorithm=dpps --mode=paper", "--algorithm=dyn-d2p --epsilon=0.5 --stopAt=0.3"),
    ("", "--deadline=43ms", "--deadline=91ms"),
    ("", "", "--dataRate=file:links.txt", f"{ATTRIBUTE}Sharing=uplink"),
    ("", "", f"{ATTRIBUTE}Discipline=fair", f"{ATTRIBUTE}QueueLimit=9000B"),
    ("", "--traceLevel=summary", "--traceLevel=noise"),
)


def random_options(number):
    """A combination of options and failures. @param number which one"""
    draw = random.Random(number)
    options = [word for choice in CHOICES for word in draw.choice(choice).split()]
    options += [f"--fail={event}" for event in draw.sample(FAILURES, draw.randrange(4))]
    return [f"--seed={number + 1}", *options]


ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


UNTOLD = {
    "run is complete",
    "mass error is at most 1e-12 a node",
    "every node has a guarantee, or a reason for inf",
}
"""Checks of what a run writes at its end."""


def processes_below(pid):
    """The processes that a process started, and that these started."""
    try:
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [one for child in map(int, started) for one in (child, *processes_below(child))]


class RanksTest(ProgramCase):
    def learn(self, ranks, *options, timeout=120):
        launcher = [MPIRUN, "-np", str(ranks)] if ranks > 1 else []
        return self.run_program(
            *launcher, LEARN, *words.merged(*BASE.split(), *options), env=ENVIRONMENT, timeout=timeout
        )

    def sorted_rows(self, path, query):
        return sorted(self.rows(path, query), key=repr)

    def compare(self, number, options, ranks):
        """Runs in one process and on ranks.

        Returns the merged trace; None if the line is refused or the run stalls, on both.
        """
        whole, merged = (self.folder / f"{name}-{number}.db" for name in ("whole", "merged"))
        done = self.learn(1, *options, f"--trace={whole}")
        expected = done.returncode
        done = self.learn(ranks, *options, f"--trace={merged}")
        if expected != 0:
            self.assertNotEqual(done.returncode, 0)
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        together = () if any("crash" in option for option in options) else (LEARNT_TOGETHER,)
        self.compare_traces(whole, merged, *LEARNT, *together)
        return merged

    def compare_traces(self, whole, merged, *queries):
        """Merges the traces of ranks, and compares all that one process has learnt too."""
        merge(merged, [])
        self.assertEqual(list(self.folder.glob(f"{merged.stem}.rank*")), [])
        for query in queries:
            self.assertEqual(self.sorted_rows(merged, query), self.sorted_rows(whole, query), query)
        with Trace(merged) as trace:
            failed = [str(one) for one in run_checks(trace) if one.ok is False]
        self.assertEqual(failed, [])

    def test_nodes_that_move_find_the_same_others_on_any_number_of_ranks(self):
        whole = self.folder / "whole.db"
        self.assertEqual(self.run_program(MOVING, whole, env=ENVIRONMENT).returncode, 0)
        links = "SELECT round, COUNT(*) FROM delivery GROUP BY round"
        self.assertGreater(len({count for _, count in self.rows(whole, links)}), 3)
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                merged = self.folder / f"merged-{ranks}.db"
                done = self.run_program(MPIRUN, "-np", f"{ranks}", MOVING, merged, env=ENVIRONMENT)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.compare_traces(whole, merged, *LEARNT)

    def test_ranks_learn_what_one_process_learns(self):
        (self.folder / "contacts.txt").write_text(CONTACTS)
        (self.folder / "near.txt").write_text(NEAR)
        for number, options in enumerate(CASES):
            with self.subTest(options=options):
                merged = self.compare(number, shlex.split(options), 2 + number % 2)
                self.assertIsNotNone(merged)
                if "--traceLevel=noise" in options:
                    vectors = Evidence.read(merged).vectors
                    self.assertEqual(len(vectors), 9 * 8)
                    self.assertEqual(repeated_noise(vectors, len(vectors[0].values)), [])

    def test_a_rank_that_is_killed_ends_the_run_and_leaves_what_was_written(self):
        draw = random.Random(1)
        for number in range(KILLS):
            options = words.merged(
                *BASE.split(), "--rounds=100000", f"--trace={self.folder}/killed-{number}.db"
            )
            process = subprocess.Popen(
                [MPIRUN, "-np", "3", LEARN, *options],
                env=ENVIRONMENT,
                text=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            end = time.monotonic() + 60
            parts = []
            while len(parts) < 3 and time.monotonic() < end:
                time.sleep(0.01)
                parts = list(self.folder.glob(f"killed-{number}.rank?.db"))
            time.sleep(draw.uniform(0.0, 3.0))
            ranks = processes_below(process.pid)
            os.kill(ranks[draw.randrange(len(ranks))], signal.SIGKILL)
            _, error = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn("rank", error)
            self.assertEqual(len(parts), 3, error)
            for part in parts:
                with Trace(part) as trace:
                    failed = {one.name for one in run_checks(trace) if one.ok is False}
                self.assertLessEqual(failed, UNTOLD)
                self.assertIn("run is complete", failed)

    def test_random_runs_with_failures_are_equal_on_any_number_of_ranks(self):
        (self.folder / "links.txt").write_text(LINKS)
        (self.folder / "contacts.txt").write_text(CONTACTS)
        refused = 0
        for number in range(RANDOM_RUNS):
            options = random_options(number)
            with self.subTest(options=options):
                refused += self.compare(f"random-{number}", options, 2 + number % 3) is None
        self.assertLess(refused, RANDOM_RUNS / 4)

    def test_mistakes_are_told_once_and_leave_nothing(self):
        mistakes = (
            ("--algorithm=dpps", "--mode=paper", "--hyper=measureEvery=2"),
            ("--nodes=2",),
            ("--algorithm=r-fast",),
            ("--delay=0s", "--ns3::DpdlMessageTransport::Discipline=fair"),
            ("--fail=link * flap up=1s down=10ms from 0s", "--deadline=none"),
        )
        for options in mistakes:
            with self.subTest(options=options):
                done = self.learn(3, *options, "--trace=run.db", timeout=60)
                self.assertNotEqual(done.returncode, 0)
                # mpirun ends the other ranks, which may say so.
                told = [line for line in done.stderr.splitlines()
                        if line.startswith("learn: ") and "interrupted" not in line]
                self.assertEqual(len(told), 1, done.stderr)
                # Without ranks the same can be asked before anything is installed for them.
                asked = self.learn(1, *options, "--CheckRanks=3", "--trace=run.db")
                self.assertEqual((asked.returncode, asked.stderr.splitlines()), (2, told))
                self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(self.learn(1, "--CheckRanks=3", "--trace=run.db").returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failure_after_the_end_is_told_once(self):
        done = self.learn(2, "--fail=node 1 crash at 1h", "--trace=run.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("had no effect"), 1, done.stderr)

    def test_a_trace_that_one_rank_cannot_write_ends_all(self):
        (self.folder / "run.rank1.db").write_text("mine")
        done = self.learn(2, "--trace=run.db")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("run.rank1.db", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.rank1.db"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
