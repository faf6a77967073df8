#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds `learn` to its manners: one clear line for a mistake, a valid trace after an interrupt."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from program_case import ProgramCase
from words import merged

LEARN = sys.argv.pop(1)
DATA = Path("/usr/share/datasets/fashion-mnist")
SMALL = [
    "--model=softmax-regression",
    "--accountant=rdp",  # the quickest
    "--samples=200",
    "--testSamples=50",
    "--rounds=3",
    "--progress=none",
]

# What the user did wrong; what the line has to name: the thing, the value, what would be accepted.
MISTAKES = [
    (["--roundz=3"], ["roundz", "rounds"]),
    (["--algorithm=dyn-d2"], ["algorithm", "dyn-d2", "dyn-d2p"]),
    (["--model=cnn"], ["model", "cnn", "cnn-s"]),
    (["--topology=rng"], ["topology", "rng", "ring"]),
    (["--topology=out-degree:1"], ["topology", "out-degree", "1"]),
    (["--lossPolicy=nome"], ["lossPolicy", "nome", "none"]),
    (["--noiseSource=sytem"], ["noise source", "sytem", "system"]),
    (["--drop=-0.1"], ["drop", "-0.1", "[0, 1)"]),
    (["--drop=1"], ["drop", "1", "[0, 1)"]),
    (["--drop=abc"], ["drop", "abc", "[0, 1)"]),
    (["--epsilon=0"], ["epsilon", "0", "> 0"]),
    (["--delta=1"], ["delta", "1", "(0, 1)"]),
    (["--nodes=201"], ["201", "200"]),
    (["--partition=by-class"], ["by-class", "shards"]),
    (["--partition=by-class:0"], ["by-class", "0", "from 1", "10"]),
    (["--nodes=1"], ["nodes", "1", "from 2"]),
    (["--rounds=0"], ["rounds", "0", "from 1"]),
    (["--rounds=two"], ["rounds", "two"]),
    (["--batchSize=11", "--nodes=20"], ["batchSize", "11", "10"]),
    (["--dataRate=10"], ["dataRate", "10", "10Mbps"]),
    (["--delay=5"], ["delay", "5", "5ms"]),
    (["--compute=profile:pi3"], ["pi3", "pi4"]),
    (["--compute=measured", "--drop=0.1"], ["deadline", "measured", "a time"]),
    (["--compute=10ms"], ["compute", "10ms", "fixed:"]),
    (["--drop=0.1", "--deadline=none"], ["deadline", "none", "auto"]),
    (["--dataDir=/nonexistent"], ["/nonexistent"]),
    (["--drop=file:/nonexistent"], ["link file", "/nonexistent"]),
    (["--ns3::DpdlMessageTransport::Sharing=uplnk"], ["Sharing", "uplnk", "uplink"]),
    (["--ns3::DpdlMessageTransport::QueueLimit=5"], ["QueueLimit", "5", "64000B"]),
    (["--fail=link 0->1 dwon"], ["--fail, line 1", "dwon", "did you mean 'down'?"]),
    (["--fail=link 0->1 down", "--fail=node 99 crash"], ["--fail, line 2", "99", "0..19"]),
    (["--failures=f.txt"], ["f.txt", "can be read"]),
    (["--samples=70000"], ["70000", "60000"]),
    (["--dataset=cifar-10"], ["cifar-10", "dataDir", "data_batch_1.bin"]),
    (["--partition=dirichlet:0"], ["dirichlet", "'0'", "[0.001, 1e6]"]),
    (["--partition=dirichlet:0.001"], ["dirichlet:0.001", "owns none", "fewer nodes"]),
    (["--dataset=blobs:one"], ["blobs", "one", "whole number"]),
    (["--trace=/nonexistent/run.db"], ["trace", "/nonexistent"]),
    (["rounds=3"], ["rounds=3", "--"]),
    (["--rounds"], ["rounds", "value"]),
    (["--ns3::DpdlApplication::Foo=1"], ["ns3::DpdlApplication::Foo"]),
    (["--model=vit-s", "--engine=native"], ["engine", "native", "vit-s"]),
    (["--model=resnet-18-bn"], ["resnet-18-bn", "batch normalisation", "group normalisation"]),
    (["--ns3::DpdlApplication::ClipDecay=0.5"], ["ClipDecay", "0.5", ">= 1"]),
    (["--seed=0"], ["seed", "0"]),
    (["--device=gpu"], ["device", "gpu", "auto, cpu, cuda"]),
    (["--device=cuda", "--algorithm=adp-vrsgp"], ["device", "cuda", "adp-vrsgp", "--device=cpu"]),
    (["--device=cuda", "--noiseSource=system"], ["device", "cuda", "system", "--device=cpu"]),
    (["--device=cuda", "--traceLevel=noise"], ["device", "cuda", "noise", "--device=cpu"]),
    (["--device=cuda", "--chunk=1000"], ["device", "cuda", "chunks", "--device=cpu"]),
]


# What would never end, overflow or end the program by a signal; FIFO and FOLDER are in the folder.
LIMITS = [
    (["--delay=1e30s"], ["delay", "1e30s", "4000000s"]),
    (["--compute=fixed:1e30s"], ["compute", "1e30s", "4000000s"]),
    (["--compute=fixed:1s:heterogeneous=1e300"], ["compute", "4000000s"]),
    (["--deadline=1e30s"], ["deadline", "1e30s", "4000000s"]),
    (["--delay=file:late.txt"], ["late.txt", "line 1", "1e30s", "4000000s"]),
    (["--fail=link 0->1 down at 1e10s"], ["--fail, line 1", "1e10s", "4000000s"]),
    (["--fail=node 1 slow 1e300x"], ["--fail, line 1", "1e300x", "4000000x"]),
    (
        ["--algorithm=sgp", "--compute=fixed:4000000s", "--rounds=1000000"],
        ["rounds", "1000000", "clock"],
    ),
    (["--dataRate=1e-9bps"], ["dataRate", "1e-9bps", "1bps"]),
    (["--dataRate=1e300bps"], ["dataRate", "1e300bps", "1bps"]),
    (["--delta=1e-300"], ["delta", "1e-300", "1e-50"]),
    (["--nodes=100000000"], ["memory", "GB", "nodes"]),
    (["--nodes=1000000000", "--samples=90"], ["memory", "GB", "nodes"]),
    (["--topology=complete", "--nodes=1000000"], ["memory", "GB", "topology"]),
    (["--rounds=4000000000"], ["GB", "rounds"]),
    (["--workers=1000000"], ["workers", "1000000", "1024"]),
    (["--dataRate=file:/dev/zero"], ["/dev/zero", "regular file"]),
    (["--delay=file:fifo"], ["fifo", "regular file"]),
    (["--failures=fifo"], ["fifo", "regular file"]),
    (["--failures=."], ["'.'", "regular file"]),
    (["--topology=file:/dev/zero"], ["/dev/zero", "regular file"]),
    (["--topology=contacts:fifo"], ["fifo", "regular file"]),
    (["--epsilon=file:fifo"], ["fifo", "regular file"]),
    (["--dataset=file:fifo"], ["fifo", "NAME.npz"]),
    (["--fail=random link * down mean-up=1ns mean-down=1ns"], ["--fail, line 1", "times"]),
    (["--fail=link 0->1 flap up=1ns down=1ns"], ["--fail, line 1", "times"]),
    (["--PrintAttributes=zzz"], ["PrintAttributes", "zzz", "PrintTypeIds"]),
    (["--PrintGroup=zzz"], ["PrintGroup", "zzz", "PrintGroups"]),
    (["--Printzzz"], ["Printzzz"]),
    (["--ns3::DpdlApplication::ComputeTime=zzz"], ["ComputeTime", "zzz"]),
    (["--ns3::DpdlApplication::ComputeTime=1e30s"], ["ComputeTime", "1e30s", "4000000s"]),
    (["--ns3::DpdlApplication::ClipDecay=nan"], ["ClipDecay", "nan"]),
    (["--ns3::DpdlMessageTransport::DataRate=zzz"], ["DataRate", "zzz"]),
    (["--ns3::UdpSocket::RcvBufSize=-1"], ["RcvBufSize", "-1"]),
    (["--ns3::Zzz::Y=zzz"], ["ns3::Zzz::Y", "zzz"]),
    (["--ns3::"], ["ns3::"]),
]


class CommandLineTest(ProgramCase):
    """Runs the program in an empty folder and looks at what it says and leaves."""

    def learn(self, *options: str) -> subprocess.CompletedProcess:
        return self.run_program(LEARN, *merged(*SMALL, *options))

    def assert_refused(self, result: subprocess.CompletedProcess, names: list[str]) -> None:
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        for name in names:
            self.assertIn(name, result.stderr)

    def test_a_long_preparation_says_what_it_does_and_can_be_interrupted(self) -> None:
        data = ["--dataset=blobs", "--samples=20000", "--partition=dirichlet:0.5"]
        learn = [LEARN, *merged(*SMALL, *data, "--rounds=500000", "--progress=auto")]
        with subprocess.Popen(learn, cwd=self.folder, stderr=subprocess.PIPE, text=True) as run:
            self.assertRegex(run.stderr.readline(), "^learn: preparing the run for 2 s: noise schedule")
            run.send_signal(signal.SIGINT)
            *_, last = run.stderr.read().splitlines()
            self.assertEqual(last, "learn: interrupted before the run began")
        self.assertEqual(run.returncode, 130)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_mistakes(self) -> None:
        for options, names in MISTAKES:
            with self.subTest(options=options):
                self.assert_refused(self.learn(*options), names)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_limits(self) -> None:
        os.mkfifo(self.folder / "fifo")
        (self.folder / "late.txt").write_text("0 1 1e30s\n")
        for options, names in LIMITS:
            with self.subTest(options=options):
                words = merged(*SMALL, *options)
                self.assert_refused(self.run_program(LEARN, *words, timeout=30), names)
                left = {path.name for path in self.folder.iterdir()}
                self.assertEqual(left, {"fifo", "late.txt"})

    def test_a_failure_behind_the_end_is_told(self) -> None:
        late = "link 0->1 down at 1h"
        done = self.learn("--nodes=3", f"--fail={late}", "--fail=link 1->2 down at 1ms for 1ms")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line for line in done.stderr.splitlines() if "had no effect" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(late, lines[0])

    def test_a_run_in_which_nothing_arrives_says_so(self) -> None:
        said = "none of the messages arrived"
        for network in ("message", "packet"):
            common = ("--nodes=3", "--rounds=2", f"--network={network}")
            whole = self.learn(*common)
            self.assertEqual((whole.returncode, whole.stderr.count(said)), (0, 0), whole.stderr)
            cut = self.learn(*common, "--fail=link * down at 0s")
            self.assertEqual((cut.returncode, cut.stderr.count(said)), (0, 1), cut.stderr)

    def test_a_former_name_is_told_once(self) -> None:
        done = self.learn("--nodes=3", "--algorithm=dyn-d2p", "--hyper=noiseGrowth=1.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("'noiseGrowth' is now called 'muGrowth'"), 1, done.stderr)

    def test_bad_line_in_a_graph_file(self) -> None:
        graph = self.folder / "graph.txt"
        graph.write_text("0 1\n1 x\n")
        result = self.learn(f"--topology=file:{graph}", "--nodes=3")
        self.assert_refused(result, ["graph.txt", "line 2", "1 x"])
        self.assertEqual(list(self.folder.iterdir()), [graph])

    def test_truncated_dataset(self) -> None:
        data = self.folder / "data"
        shutil.copytree(DATA, data)
        images = data / "train-images-idx3-ubyte.gz"
        with gzip.open(images) as file:
            head = file.read(1000)
        images.unlink()
        with gzip.open(images, "wb") as file:
            file.write(head)
        result = self.learn(f"--dataDir={data}")
        self.assert_refused(result, ["train-images-idx3-ubyte", "1000"])
        self.assertEqual(list(self.folder.iterdir()), [data])

    def test_existing_trace(self) -> None:
        trace = self.folder / "learn-1-1.db"
        self.assertEqual(self.learn("--nodes=2").returncode, 0)
        before = trace.read_bytes()
        chosen = "--trace=learn-1-1.db"
        self.assert_refused(self.learn("--nodes=2", chosen), ["trace", trace.name, "--overwrite"])
        self.assertEqual(trace.read_bytes(), before)
        self.assertEqual(self.learn("--nodes=2", "--overwrite").returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [trace])

    def test_names_that_nobody_chose_are_numbered(self) -> None:
        names = ["learn-1-1.db", "learn-1-1-2.db", "learn-1-1-3.db"]
        for name in names:
            result = self.learn("--nodes=2")
            self.assertEqual((result.returncode, result.stdout), (0, f"trace: {name}\n"))
        self.assertEqual({path.name for path in self.folder.iterdir()}, set(names))

    def start(self) -> tuple[subprocess.Popen, Path]:
        """Starts a long run and returns it once its trace exists."""
        trace = self.folder / "long.db"
        process = subprocess.Popen(
            [
                LEARN,
                *merged(*SMALL, "--nodes=4", "--rounds=1000000", "--deadline=none"),
                *("--evaluateEvery=0", f"--trace={trace}", "--noise=off", "--algorithm=sgp"),
            ],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(600):
            if trace.exists():
                break
            time.sleep(0.1)
        time.sleep(1)
        return process, trace

    def assert_incomplete(self, trace: Path) -> None:
        with closing(sqlite3.connect(trace)) as database:
            state = database.execute("SELECT value FROM summary WHERE name='state'").fetchone()[0]
            check = database.execute("PRAGMA integrity_check").fetchone()[0]
            algorithm = database.execute(
                "SELECT value FROM settings WHERE name='algorithm'"
            ).fetchone()[0]
        self.assertEqual((state, check, algorithm), ("incomplete", "ok", "sgp"))

    def test_seed_and_run_are_those_of_ns3(self) -> None:
        """As in every ns-3 program: by option, by environment; dpdl's own options win."""
        calls = {
            (): ("1", "1"),
            ("--RngRun=7",): ("1", "7"),
            ("--RngSeed=3", "--RngRun=7"): ("3", "7"),
            ("NS_GLOBAL_VALUE=RngRun=7;RngSeed=3",): ("3", "7"),
            ("NS_GLOBAL_VALUE=RngRun=7", "--run=2"): ("1", "2"),
        }
        losses = {}
        for words, expected in calls.items():
            with self.subTest(words):
                environment = dict(word.split("=", 1) for word in words if word[:2] != "--")
                options = [word for word in words if word[:2] == "--"]
                options = merged(*SMALL, "--batchSize=5", "--trace=run.db", "--overwrite", *options)
                done = self.run_program(LEARN, *options, env={**os.environ, **environment})
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                settings = dict(self.rows("run.db", "SELECT name, value FROM settings"))
                self.assertEqual((settings["seed"], settings["run"]), expected)
                loss = self.rows("run.db", "SELECT value FROM summary WHERE name = 'loss_mean'")
                self.assertEqual(losses.setdefault(expected, loss), loss)
        self.assertEqual(len(losses), len({str(loss) for loss in losses.values()}))
        twice = self.learn("--RngRun=7", "--run=7")
        self.assert_refused(twice, ["--run=7", "once"])
        large = {**os.environ, "NS_GLOBAL_VALUE": "RngRun=4294967296"}
        self.assert_refused(self.run_program(LEARN, *SMALL, env=large), ["RngRun", "4294967296", "2^32"])

    def test_interrupt_leaves_a_valid_trace(self) -> None:
        process, trace = self.start()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assertEqual(list(self.folder.iterdir()), [trace])
        self.assert_incomplete(trace)
        with closing(sqlite3.connect(trace)) as database:
            rounds = database.execute("SELECT value FROM summary WHERE name='rounds'").fetchone()[0]
        self.assertGreater(rounds, 0)

    def test_a_run_that_cannot_go_on_says_who_waits(self) -> None:
        attempts = "--ns3::DpdlReliableTransport::MaxAttempts=1"
        result = self.learn(
            "--algorithm=sgp", "--nodes=4", "--batchSize=16", "--drop=0.9", "--lossPolicy=reliable", attempts
        )
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"node 0 is in round 0 and waits for the shares of node \d")
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        self.assert_incomplete(self.folder / "learn-1-1.db")

    def test_kill_leaves_a_valid_trace(self) -> None:
        process, trace = self.start()
        process.kill()
        process.communicate(timeout=60)
        self.assert_incomplete(trace)

    def test_help_lists_options_and_writes_nothing(self) -> None:
        result = self.learn("--help")
        self.assertEqual(result.returncode, 0)
        for name in ("--algorithm", "--drop", "--qWindow"):
            self.assertIn(name, result.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
