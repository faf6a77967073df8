#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds `learn` to its manners: one clear line for a mistake, a valid trace after an interrupt."""

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
        data = ["--dataset=blobs", "--samples=20000", "--progress=auto"]
        many = ["--partition=dirichlet:0.5", "--rounds=500000"]
        one = ["--partition=even", "--accountant=pld", "--algorithm=dyn-d2p", "--rounds=2000000"]
        for options, number in ((many, signal.SIGINT), (one, signal.SIGTERM)):
            learn = [LEARN, *merged(*SMALL, *data, *options)]
            with subprocess.Popen(learn, cwd=self.folder, stderr=subprocess.PIPE, text=True) as run:
                line = run.stderr.readline()
                self.assertRegex(line, "^learn: preparing the run for 2 s: noise schedule")
                run.send_signal(number)
                *_, last = run.stderr.read().splitlines()
                self.assertEqual(last, "learn: interrupted before the run began")
            self.assertEqual(run.returncode, 130)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failure_behind_the_end_is_told(self) -> None:
        late = "link 0->1 down at 1h"
        done = self.learn("--nodes=3", f"--fail={late}", "--fail=link 1->2 down at 1ms for 1ms")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line for line in done.stderr.splitlines() if "had no effect" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(late, lines[0])

    def test_a_run_in_which_nothing_arrives_says_so(self) -> None:
        said = "6 of 6 messages were lost: 6 by failure (try "
        for network in ("message", "packet"):
            common = ("--nodes=3", "--rounds=2", f"--network={network}")
            whole = self.learn(*common)
            self.assertEqual((whole.returncode, whole.stderr.count(said)), (0, 0), whole.stderr)
            cut = self.learn(*common, "--fail=link * down at 0s")
            self.assertEqual((cut.returncode, cut.stderr.count(said)), (0, 1), cut.stderr)

    def test_a_recorded_command_repeats_its_run(self) -> None:
        folders = [self.folder / name for name in ("gone", "kept")]
        for folder in folders:
            folder.mkdir()
        first, again = folders[0] / "it's.db", folders[1] / "learn-1-1.db"
        done = self.learn("--nodes=3", "--fail=link 0->1 loss 0.5 from 0s", f"--trace={first}")
        self.assertEqual(done.returncode, 0, done.stderr)
        command = self.rows(first, "SELECT value FROM settings WHERE name = 'commandLine'")[0][0]
        self.assertNotIn("gone", command)
        subprocess.run(command, shell=True, cwd=folders[1], check=True, capture_output=True)
        rounds = "SELECT * FROM accuracy_by_round"
        self.assertEqual(self.rows(again, rounds), self.rows(first, rounds))

    def test_a_value_may_be_a_word_of_its_own(self) -> None:
        done = self.learn("--nodes", "3", "--fail", "link 0->1 loss 0.5 from 0s", "--overwrite")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "SELECT value FROM settings WHERE name IN ('nodes', 'fail') ORDER BY name"
        self.assertEqual(self.rows("learn-1-1.db", said), [("link 0->1 loss 0.5 from 0s",), ("3",)])
        self.assert_refused(self.learn("--nodes", "--drop=0.1"), ["nodes", "needs a value"])

    def test_a_former_name_is_told_once(self) -> None:
        done = self.learn("--nodes=3", "--algorithm=dyn-d2p", "--hyper=noiseGrowth=1.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("'noiseGrowth' is now called 'muGrowth'"), 1, done.stderr)

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
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(
                result.stdout, r"^result: accuracy [\d.]+ %, worst node [\d.]+ %, on \d+ test examples\.\n"
                r"Epsilon at delta 0.0001: claimed [\d.]+, certified [\d.]+\.\nOf \d+ messages none was lost\.\n"
                rf"trace: {name}\n$")
        quiet = self.learn("--nodes=2", "--quiet", "--trace=quiet.db")
        self.assertEqual((quiet.returncode, quiet.stdout), (0, "trace: quiet.db\n"))
        names.append("quiet.db")
        without = self.learn("--nodes=2", "--noise=off", "--drop=0.3", "--trace=names.db")
        self.assertRegex(without.stdout, r"certified inf: .*sent without noise\.\nOf \d+ messages \d+ were lost \(.* by link\.")
        names.append("names.db")
        self.assertEqual({path.name for path in self.folder.iterdir()}, set(names))

    def test_runs_that_begin_together_each_have_a_trace(self) -> None:
        names = {"learn-1-1.db", *(f"learn-1-1-{number}.db" for number in range(2, 9))}
        words = [LEARN, *merged(*SMALL, "--nodes=2", "--batchSize=5")]
        runs = [subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True) for _ in names]
        answers = {run.communicate()[0].splitlines()[-1] for run in runs}
        self.assertEqual(answers, {f"trace: {name}" for name in names})
        self.assertEqual({path.name for path in self.folder.iterdir()}, names)
        for name in names:
            told = self.rows(name, "SELECT value FROM origin WHERE name = 'trace'")
            told += self.rows(name, "SELECT value FROM settings WHERE name = 'trace'")
            self.assertEqual(told, 2 * [(name,)])

    def test_a_run_that_diverges_has_no_accuracy(self) -> None:
        result = self.learn("--nodes=2", "--algorithm=sgp", "--stepSize=1e38")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"node \d has diverged: in round \d+ ")
        self.assertIn("result: diverged in round ", result.stdout)
        self.assertIn("accuracy -, worst node -", result.stdout)

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

    def test_a_run_in_real_time_ends_with_its_rounds(self) -> None:
        """ns-3's simulator of real time waits for events, also when there are none left."""
        real_time = {**os.environ, "NS_GLOBAL_VALUE": "SimulatorImplementationType=ns3::RealtimeSimulatorImpl"}
        done = self.run_program(LEARN, *merged(*SMALL, "--batchSize=5", "--trace=run.db"), env=real_time)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.rows("run.db", "SELECT value FROM summary WHERE name='state'"), [("complete",)])

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

    def test_help_lists_options_and_writes_nothing(self) -> None:
        result = self.learn("--help")
        self.assertEqual(result.returncode, 0)
        for name in ("--algorithm", "--drop", "--qWindow"):
            self.assertIn(name, result.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
