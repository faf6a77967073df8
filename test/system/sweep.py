#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sweeps seen from outside: catalogue, what is skipped, failures, mistakes.

usage: sweep.py BUILD-FOLDER [unittest arguments]
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from sweep_case import ROOT, SAMPLE, SweepCase

sys.path.insert(0, str(ROOT / "analysis"))

from dpdl_analysis.sweep.runner import Runner  # noqa: E402  (the path comes first)

BUILD = Path(sys.argv.pop(1)).resolve()

TINY = """\
[settings]
nodes = 4
rounds = 4
samples = 64
testSamples = 32
model = "softmax-regression"
batchSize = 8
evaluateEvery = 2

[vary]
topology = ["ring", "complete"]

[[zip]]
clip = [1, 2]
epsilon = [4, 8]
"""


class SweepTest(SweepCase):
    """Makes sweeps on this machine."""

    def test_real_runs_end_in_catalogue_campaign_and_table(self) -> None:
        self.write(TINY)
        done = self.sweep(BUILD, "--progress=none")
        self.assertEqual(done.stderr, "")
        self.assertIn("Accuracy", done.stdout)
        self.assertTrue(done.stdout.endswith(f"catalogue: {self.results / 'catalogue.db'}\n"))
        rows = [dict(row) for row in self.rows()]
        shown = [(row["topology"], row["clip"], row["epsilon"], row["run"], row["state"])
                 for row in rows]
        self.assertEqual(shown, [(topology, clip, 4 * clip, 1, "done")
                                 for topology in ("ring", "complete") for clip in (1, 2)])
        listed = json.loads((self.results / "campaign.json").read_text())
        self.assertEqual(listed["scenario"], "learn")
        self.assertEqual([run["trace"] for run in listed["runs"]], [row["trace"] for row in rows])
        self.assertEqual(listed["runs"][0]["factors"],
                         {"topology": "ring", "clip": "1", "epsilon": "4"})
        for row in rows:
            with closing(sqlite3.connect(self.results / row["trace"])) as trace:
                summary = dict(trace.execute("SELECT name, value FROM summary"))
                settings = dict(trace.execute("SELECT name, value FROM settings"))
            self.assertEqual(summary["state"], "complete")
            self.assertEqual(summary["accuracy_mean"], row["accuracy_mean"])
            self.assertLessEqual(row["epsilon_certified"], row["epsilon"])
            self.assertEqual((settings["topology"], settings["clip"], settings["traceLevel"]),
                             (row["topology"], str(row["clip"]), "summary"))
        self.assertTrue(all(seconds > 0 for seconds in self.told("processor_seconds")))
        self.assert_reading_tools_take_the_folder()
        self.assert_clean()

    def assert_reading_tools_take_the_folder(self) -> None:
        code = ("import sqlite3, sys, pandas as pd; from pathlib import Path; "
                "sys.path.insert(0, sys.argv[1]); from dpdl_analysis.studies import campaign; "
                "found = pd.read_sql('SELECT * FROM run', sqlite3.connect(sys.argv[2])); "
                "runs = campaign.read(Path(sys.argv[3]), 'learn').runs; "
                "print(len(found), len(runs), list(runs['topology']))")
        done = subprocess.run([sys.executable, "-B", "-c", code, ROOT / "analysis",
                               self.results / "catalogue.db", self.results],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "4 4 ['ring', 'ring', 'complete', 'complete']\n", done.stderr)

    def test_what_is_done_is_skipped_and_a_changed_file_adds_its_runs(self) -> None:
        build = self.stub()
        self.write("[settings]\ntopology = 'a'\n[vary]\ndrop = [0, 0.1]\n")
        self.sweep(build)
        before = {path: path.stat().st_mtime_ns for path in self.results.glob("*-1.db")}
        self.write("[settings]\ntopology = 'a'\n[vary]\ndrop = [0, 0.1, 0.2]\n")
        self.assertIn("3 runs of learn, 2 done", self.sweep(build, "--plan").stdout)
        status = self.sweep(build, "--status").stdout
        self.assertRegex(status, r"^3 v.*, 2 done, 1 at a time: all\nto be made: 1 runs, about .* GB by the 2 that are done\n$")
        done = self.sweep(build)
        self.assertIn("2 of 3 runs are there already", done.stderr)
        self.assertEqual(re.findall(r"^([\d.]+) ", done.stdout, re.MULTILINE)[:3], ["0", "0.1", "0.2"])
        after = {path: path.stat().st_mtime_ns for path in self.results.glob("*-1.db")}
        self.assertEqual(len(after), 3)
        self.assertEqual({path: after[path] for path in before}, before)
        given = ("--topology", "c", "--repetitions=2", "--outputDir=given")
        self.sweep(build, *given)
        self.assertIn("6 runs of learn, 6 done", self.sweep(build, *given, "--status").stdout)
        for options in ([], ["--plan"], ["--status"]):
            told = self.sweep(build, "--outputDir=given", *options, code=2).stderr
            self.assertIn("0-1.db was made with other options: topology was c and is now a;", told)
        self.assertIn("'drop' cannot be given: sweep varies it\n", self.sweep(build, "--drop=0", code=2).stderr)
        self.assertIn("did you mean 'topology'", self.sweep(build, "--topologi=c", code=2).stderr)
        self.write("[settings]\ntopology = 'b'\n[vary]\ndrop = [0, 0.1, 0.2]\n")
        refused = self.sweep(build, code=2).stderr
        self.assertIn("topology was a and is now b; accepted is another folder", refused)
        self.assertEqual(refused.count("\n"), 1)
        self.assertEqual({path: path.stat().st_mtime_ns for path in after}, after)
        self.sweep(build, "--overwrite")
        later = {path: path.stat().st_mtime_ns for path in self.results.glob("*-1.db")}
        self.assertEqual(set(later), set(after))
        self.assertTrue(all(later[path] > after[path] for path in after))

    def test_private_runs_are_audited_where_the_file_asks_for_it(self) -> None:
        text = TINY.partition("[vary]")[0] + "[vary]\nalgorithm = ['sgp', 'const-d2p']\n"
        self.write("audit = 400\n" + text)
        for _ in range(2):
            self.sweep(BUILD, "--progress=none")
            plain, private = (dict(row) for row in self.rows())
            self.assertIsNone(plain["epsilon_observed"])
            self.assertLessEqual(private["epsilon_observed"], private["epsilon_certified"])
            with closing(sqlite3.connect(self.results / private["trace"])) as trace:
                self.assertEqual(trace.execute("SELECT runs FROM audit").fetchall(), [(400,)])

    def test_a_failed_run_is_told_and_the_others_go_on(self) -> None:
        build = self.stub()
        self.write(SAMPLE.replace("0.4,", "0.5, 0.6,").replace("= 3", "= 1"))
        done = self.sweep(build, "--progress=none", code=1)
        self.assertIn("failed: 0.5-1: exit code 1: half is lost", done.stderr)
        self.assertIn("failed: 0.6-1: killed by SIGSEGV", done.stderr)
        self.assertIn("2 of 9 runs failed", done.stderr)
        self.assertEqual(len(list(self.results.glob("*-1.db"))), 7)
        (self.folder / "templates" / "mended").touch()
        self.assertIn("2 of 9 runs failed", self.sweep(build, code=1).stderr)
        self.assertIn("1 of 9 runs failed", self.sweep(build, "--retry-failed", code=1).stderr)
        self.assertEqual([dict(row)["state"] for row in self.rows()].count("done"), 8)

    def test_mistakes_are_told_in_one_line_and_leave_nothing(self) -> None:
        vary = "[vary]\ndrop = [0]\n"
        for text, words in {
            "[settings]\ndorp = 1\n" + vary: ["line 2", "'dorp'", "did you mean 'drop'"],
            "[vary]\ndrop = [0]\ntopolgy = ['a']\n": ["line 3", "did you mean 'topology'"],
            "[vary]\ndrop = [\n0,\n'wrong',\n1]\n": ["line 4", "option 'drop'"],
            "scenario = 'laern'\n" + vary: ["line 1", "'laern'", "did you mean 'learn'"],
            "[settings]\ntrace = 'x.db'\n" + vary: ["line 2", "no option 'trace'"],
            "[vary]\nrun = [1, 2]\n": ["line 2", "'repetitions'"],
            "[vary]\nseeds = [1, 2]\n": ["line 2", "'seeds': accepted", "[settings]"],
            "audit = 10\n" + vary: ["line 1", "a whole number in [100, 100000000]"],
            "[vary]\ndrop = []\n": ["line 2", "a list of values"],
            "outputDir = '/proc/x'\n" + vary: ["outputDir '/proc/x'", "can be written"],
        }.items():
            with self.subTest(text):
                self.write(text)
                self.assert_mistake(words)
        self.write("[vary]\ndrop = [0]\n")
        for options, words in ((["--jobs=0"], ["jobs", "'0'"]), (["--engine=slrum"], ["mean 'slurm'"]),
                               (["--slurm=-p x"], ["--slurm"]), (["--jbos=1"], ["mean 'jobs'"]),
                               (["--seeds=1"], ["'seeds': accepted", "[settings]"]),
                               (["--all"], ["--plan"]), (["--cancel"], ["no sweep has begun"]),
                               (["--plan", "--plan"], ["given twice"]), (["--plan", "--status"], ["not allowed"]),
                               (["--rounds=2", "--rounds=3"], ["'rounds' is given twice"]),
                               (["--status"], ["outputDir 'sample-results': no sweep has begun"])):
            with self.subTest(options):
                self.assert_mistake(words, *options)

    def assert_mistake(self, words: list[str], *options: str, build: Path | None = None) -> None:
        stub = self.folder / "build"
        done = self.sweep(build or (stub if stub.exists() else self.stub()), *options, code=2)
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(self.results.exists())

    def test_the_examples_are_accepted(self) -> None:
        for path in sorted((ROOT / "scenarios" / "sweeps").glob("*.toml")):
            with self.subTest(path.stem):
                done = self.sweep(BUILD, "--plan", name=str(path))
                self.assertRegex(done.stdout, r"^\d+ variants, \d+ runs of [\w-]+, 0 done, \d+ at a time: .+\n"
                                 r"to be made: \d+ runs, (about [\d.e-]+ CPU hours by|CPU hours unknown) .+\n")
                self.assertLess(done.stdout.count("\n"), 24)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_plan_says_how_many_runs_there_is_memory_for(self) -> None:
        build = self.stub()
        plan = {(None, "0"): "1 at a time: all", (None, "0, 0.1, 0.9"): "3 at a time: as --jobs says",
                ("1e10", "0, 0.1, 0.9"): "3 at a time: as --jobs says",
                ("3e9", "0, 0.1"): "2 at a time: all", ("2e9", "0, 0.1, 0.2"):
                "1 at a time: the largest takes up to 1.2 GB, 2 GB are free",
                ("5e9", "0, 0.1, 0.9"): "2 at a time: the largest takes up to 2.4 GB, 5 GB are free"}
        for (free, drops), line in plan.items():
            with self.subTest(free=free, drops=drops):
                if free:
                    (self.folder / "templates" / "free").write_text(f"{free}\n")
                self.write(f"[vary]\ndrop = [{drops}]\n")
                self.assertIn(f", 0 done, {line}\nto be made: ", self.sweep(build, "--plan").stdout)

    def test_real_runs_state_what_they_need(self) -> None:
        self.write(TINY)
        line = self.sweep(BUILD, "--plan", "--jobs=10000").stdout
        self.assertRegex(line, r"^4 variants, 4 runs of learn, 0 done, \d at a time: .+\nto be made: 4 runs, about "
                         r"[\d.e-]+ CPU hours by short runs, timed now; .+ GB by their options, up to .+ GB of ")
        done = subprocess.run([BUILD / "scenarios" / "learn", "--PrintNeeds"], text=True,
                              input="--nodes=10\n--nodes=1000\n", capture_output=True, check=True)
        free, few, _, many, disk = map(float, done.stdout.split())
        alone = subprocess.run([BUILD / "scenarios" / "learn", "--PrintNeed", "--nodes=1000"],
                               text=True, capture_output=True, check=True).stdout.split()
        # How much of the program is in memory varies.
        self.assertAlmostEqual(many, float(alone[1]), delta=0.02 * many)
        self.assertEqual(disk, float(alone[3]))
        self.assertLess(few, many)
        self.assertGreater(free, 0)

    def follow(self, commands: list[dict], **limits: object) -> list[list[str]]:
        """The runs that were seen side by side, until all have ended."""
        for name in ("ended", "parts"):
            (self.folder / name).mkdir(exist_ok=True)
        runner = Runner(self.folder, **limits)
        runner.begin([json.dumps({"names": False, "words": ["/bin/sh", "-c", command.pop("do")],
                                  **command}) for command in commands])
        seen = []
        while runner.active():
            seen.append([run.hash for run in runner._running])
            time.sleep(0.002)
        self.assertEqual(len(list((self.folder / "ended").glob("*.err"))), len(commands))
        return seen

    def test_runs_begin_in_order_when_there_is_memory_for_them(self) -> None:
        needs = [1, 1, 3, 1, 2, 9, 1]
        seen = self.follow([{"hash": str(number), "need": need, "do": "sleep 0.05"}
                            for number, need in enumerate(needs)], jobs=5, memory=3)
        for hashes in seen:
            self.assertTrue(len(hashes) == 1 or sum(needs[int(one)] for one in hashes) <= 3, hashes)
        self.assertIn(["0", "1"], seen)
        self.assertIn(["3", "4"], seen)
        self.assertEqual(list(dict.fromkeys(one for hashes in seen for one in hashes)),
                         list(map(str, range(len(needs)))))

    def test_runs_on_devices_take_one_each(self) -> None:
        used = self.folder / "used"
        command = f'echo $CUDA_VISIBLE_DEVICES >>{used}; [ -d {self.folder}/$CUDA_VISIBLE_DEVICES ] ' \
            f'&& echo twice >>{used}; mkdir {self.folder}/$CUDA_VISIBLE_DEVICES; sleep 0.05; ' \
            f'rmdir {self.folder}/$CUDA_VISIBLE_DEVICES'
        seen = self.follow([{"hash": str(number), "gpu": True, "do": command}
                            for number in range(5)], jobs=5, gpus=["3", "GPU-b"])
        self.assertEqual(max(map(len, seen)), 2)
        self.assertEqual(set(used.read_text().split()), {"3", "GPU-b"})

    def test_real_programs_refuse_names_and_values(self) -> None:
        for text, words in {
            "[vary]\ntopology = ['ring', 'rng']\n": ["line 2", "'rng'", "did you mean 'ring'"],
            "[settings]\nrounds = 0\n[vary]\ndrop = [0]\n": ["line 2", "rounds", "'0'"],
        }.items():
            self.write(text)
            self.assert_mistake(words, build=BUILD)

    def test_a_folder_of_another_sweep_is_left_alone(self) -> None:
        build = self.stub()
        self.write("[vary]\ndrop = [0]\n")
        self.sweep(build)
        rows = self.rows()
        self.write("[vary]\ndrop = [0.1]\n", "other.toml")
        done = self.sweep(build, "--outputDir=sample-results", name="other.toml", code=2)
        self.assertIn("belongs to the sweep of", done.stderr)
        self.assertEqual(self.rows(), rows)
        foreign = self.folder / "foreign"
        foreign.mkdir()
        (foreign / "campaign.json").write_text('{"scenario": "topology-q", "runs": []}')
        self.assertIn("holds the runs of topology-q", self.sweep(build, "--outputDir=foreign", code=2).stderr)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "0-1.db").write_text("another program's")
        for option, words in (("--jobs=3", "holds 0-1.db, which this sweep has not made"),
                              ("--overwrite", "0-1.db: is a file of another kind")):
            self.assertIn(words, self.sweep(build, "--outputDir=full", option, code=2).stderr)
        self.assertEqual((self.folder / "full" / "0-1.db").read_text(), "another program's")
        (self.folder / "notes").mkdir()
        for name in ("sweep.toml", "campaign.json"):
            (self.folder / "notes" / name).write_text("mine")
            done = self.sweep(build, "--outputDir=notes", "--overwrite", code=2)
            self.assertIn("which no sweep has made", done.stderr)
            self.assertEqual((self.folder / "notes" / name).read_text(), "mine")
        # Neither is the catalogue of a later version.
        with closing(sqlite3.connect(self.results / "catalogue.db")) as catalogue:
            catalogue.execute("PRAGMA user_version = 9")
        done = self.sweep(build, "--overwrite", code=2)
        self.assertIn("is a catalogue of format 9, this version of dpdl reads up to", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        with closing(sqlite3.connect(self.results / "catalogue.db")) as catalogue:
            catalogue.execute("PRAGMA user_version = 1")
        # A sweep that has moved with its file goes on.
        moved = self.folder / "moved"
        moved.mkdir()
        shutil.move(self.results, moved)
        shutil.move(self.folder / "sample.toml", moved)
        done = subprocess.run(self.words(build), cwd=moved, capture_output=True, text=True,
                              check=False)
        self.assertIn("1 of 1 runs are there already", done.stderr)


if __name__ == "__main__":
    unittest.main()
