#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs that are killed and resumed: they end as if nothing had happened, bit for bit.

usage: resume.py BUILD-FOLDER [--kinds=N] [--kills=N] [--first=N] [unittest arguments]

Each kind of run is made once as a whole, and then killed --kills times, alternately by SIGKILL and
SIGTERM, at a moment that a generator draws; --first is its seed.
"""

import argparse
import itertools
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from equal_runs import COMMON, FILES, RUNS
from program_case import ANALYSIS, ProgramCase

# What makes runs long enough to be killed, and their commits frequent.
LONG = ["--rounds=120", "--snapshotEvery=1", "--traceLevel=full", "--samples=600",
        "--checkpoint=10"]
ONE_BY_ONE = {
    "chunks-refund": [
        *("--algorithm=sgp", "--chunk=2048", "--lossPolicy=refund", "--drop=0.2", "--model=mlp"),
    ],
    "crashes-again": [
        *("--algorithm=dyn-d2p", "--lossPolicy=running-sum", "--drop=0.1", "--model=cnn-xs"),
        *("--fail=node 1 crash at 300ms recover 600ms", "--fail=node 4 crash at 1s recover 1200ms"),
        "--fail=node 3 crash with state at 500ms recover 900ms",
    ],
    "two-workers": ["--algorithm=dyn-d2p", "--model=cnn-xs", "--workers=2", "--topology=ring"],
    "asynchronous-crashes": [
        *("--algorithm=sgp", "--schedule=asynchronous", "--staleness=3", "--drop=0.1"),
        *("--compute=fixed:10ms:heterogeneous=3", "--lossPolicy=running-sum", "--model=mlp"),
        "--fail=node 2 crash at 400ms recover 700ms",
    ],
    "averages": [
        *("--algorithm=dyn-d2p", "--average=0.9", "--evaluateEvery=1", "--drop=0.1"),
        *("--model=mlp", "--fail=node 2 crash at 700ms recover 900ms", "--accountant=rdp"),
    ],
    "ideal": ["--algorithm=dyn-d2p", "--network=ideal", "--model=mlp", "--topology=out-degree:3"],
    "compressed-differences": [
        *("--algorithm=dp-csgp", "--compress=top-k:0.1", "--lossPolicy=refund", "--drop=0.1"),
        *("--model=mlp", "--fail=node 2 crash at 700ms recover 900ms"),
    ],
    "tracking": [
        *("--algorithm=r-fast", "--schedule=wait-free", "--drop=0.1", "--model=mlp"),
        *("--compute=fixed:10ms:heterogeneous=3", "--average=0.5", "--evaluateEvery=1"),
        "--fail=node 2 crash with state at 400ms recover 700ms",
    ],
    "fragments": [
        *("--algorithm=divshare", "--schedule=wait-free", "--drop=0.1", "--model=mlp"),
        "--fail=node 2 crash at 400ms recover 700ms",
    ],
    "udp-crash": [
        *("--algorithm=sgp", "--network=packet", "--lossPolicy=running-sum", "--drop=0.02"),
        "--checkpoint=none",
        "--fail=node 1 crash at 200ms recover 400ms",
    ],
}
FEW = ("asynchronous-crashes", "udp-crash", "averages")
"""Kinds of the default tier."""
LEFT_OUT = ("a-dp2-libtorch",)
"""Of the runs of equal.py: its model takes a minute."""
OTHERS = ("resumption", "resumption_entry", "checksum", "origin")
"""Views and tables about the processes; checksums also sum up wall times."""
PATIENCE = 300.0
OPTIONS = argparse.Namespace()


def words_of(options: list[str]) -> list[str]:
    """Options of a kind, and those that it leaves open; each once."""
    given: dict[str, list[str]] = {}
    for option in [*COMMON, *LONG]:
        given[option.split("=")[0]] = [option]
    own = [option for option in options if option.split("=")[0] not in ("--rounds",)]
    for name, found in itertools.groupby(sorted(own, key=lambda o: o.split("=")[0]),
                                         lambda option: option.split("=")[0]):
        given[name] = list(found)
    return [option for found in given.values() for option in found]


def kinds() -> dict[str, list[str]]:
    """All kinds of runs, those of the default tier first."""
    known = {**{name: ONE_BY_ONE[name] for name in FEW}, **ONE_BY_ONE,
             **{name: RUNS[name] for name in RUNS if name not in LEFT_OUT}}
    return {name: words_of(options) for name, options in known.items()}


def contents(path: Path) -> dict[str, list[tuple]]:
    """All rows of all views and tables, without wall times and facts of the processes."""
    with closing(sqlite3.connect(path)) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type IN "
                                                    "('view', 'table') ORDER BY name")]
        found = {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names
                 if name not in OTHERS}
    for name in ("summary", "summary_item"):
        found[name] = [row for row in found[name]
                       if not any(str(value).startswith("wall_") for value in row)]
    return found


class ResumeTest(ProgramCase):
    """Kills runs, goes on with them, and compares."""

    def begin(self, place: str, words: list[str]) -> subprocess.Popen[str]:
        """Starts a run in its own folder, so that all have the same names."""
        folder = self.folder / place
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        run = subprocess.Popen([OPTIONS.build / "scenarios/learn", *words, "--trace=run.db"],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        # Nothing may go on writing when the test has ended, however it has.
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def begin_long(self, *words: str) -> subprocess.Popen[str]:
        """Starts a run that takes long and writes little, in folder `part`; it has begun."""
        run = self.begin("part", [word for word in COMMON if "--rounds" not in word] + ["--rounds=30000", "--algorithm=sgp", *words])
        end = time.monotonic() + PATIENCE
        while not self.has_begun(self.folder / "part/run.db"):
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(run.poll())
            time.sleep(0.05)
        return run

    def make(self, place: str, words: list[str]) -> float:
        """A whole run; how long it took, in seconds."""
        start = time.monotonic()
        run = self.begin(place, words)
        _, error = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, error)
        return time.monotonic() - start

    def go_on(self, place: str, *more: str) -> subprocess.CompletedProcess[str]:
        """./dpdl resume, from another folder."""
        return self.run_program(sys.executable, "-B", ANALYSIS, "resume", f"{place}/run.db",
                                f"--build={OPTIONS.build}", *more, timeout=PATIENCE)

    def kill(self, place: str, words: list[str], moment: float, number: int) -> int:
        """Starts a run and kills it; the rounds that its trace then has, -1 if it has no rows."""
        run = self.begin(place, words)
        try:
            run.wait(moment)
        except subprocess.TimeoutExpired:
            run.send_signal(number)
        run.communicate()
        path = self.folder / place / "run.db"
        if not path.exists() or path.stat().st_size == 0:
            return -1
        with closing(sqlite3.connect(path)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            try:
                found = database.execute("SELECT value FROM summary WHERE name = 'rounds'")
                return (found.fetchone() or [None])[0] or 0
            except sqlite3.OperationalError:
                return -1

    def hold(self, kind: str, whole: dict[str, list[tuple]], place: str = "part") -> None:
        """Fails unless a resumed run is the one that was not interrupted."""
        found = contents(self.folder / place / "run.db")
        different = [name for name in whole if found.get(name) != whole[name]]
        self.assertEqual((different, sorted(found)), ([], sorted(whole)), kind)
        damage = self.analyse("inspect", f"{place}/run.db", "--check")
        self.assertEqual(damage.returncode, 0, damage.stdout)

    def test_a_killed_run_ends_as_one_that_was_not(self) -> None:
        dice = random.Random(OPTIONS.first)
        figures = dict.fromkeys(("kills", "before the first commit", "with rounds", "done"), 0)
        for kind, words in itertools.islice(kinds().items(), OPTIONS.kinds):
            seconds = self.make("whole", words)
            whole = contents(self.folder / "whole/run.db")
            for k in range(OPTIONS.kills):
                number = signal.SIGTERM if figures["kills"] % 2 else signal.SIGKILL
                moment = seconds * dice.uniform(0.1, 1.0)
                with self.subTest(kind, kill=k, moment=moment):
                    rounds = self.kill("part", words, moment, number)
                    figures["kills"] += 1
                    answer = self.go_on("part")
                    if rounds < 0 or "how its run was begun" in answer.stderr:
                        self.assertEqual(answer.returncode, 2, answer.stderr)
                        figures["before the first commit"] += 1
                        continue
                    self.assertEqual(answer.returncode, 0, answer.stderr)
                    figures["with rounds"] += rounds > 0
                    figures["done"] += "is complete" in answer.stderr
                    self.hold(kind, whole)
        print(f"{OPTIONS.kinds} kinds:", figures, file=sys.stderr)

    def test_a_run_that_is_killed_again_and_again_ends(self) -> None:
        words = kinds()["crashes-again"]
        seconds = self.make("whole", words)
        dice = random.Random(OPTIONS.first)
        while self.kill("part", words, seconds * 0.9, signal.SIGKILL) <= 0:
            pass
        for k in range(2):
            again = subprocess.Popen([sys.executable, "-B", ANALYSIS, "resume", "part/run.db",
                                      f"--build={OPTIONS.build}"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                again.wait(seconds * dice.uniform(0.3, 0.9))
            except subprocess.TimeoutExpired:
                again.send_signal(signal.SIGINT if k else signal.SIGKILL)
            again.wait()
        answer = self.go_on("part")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.hold("crashes-again", contents(self.folder / "whole/run.db"))
        self.assertIn("is complete", self.go_on("part").stderr)

    def test_a_checkpoint_of_another_run_is_not_taken(self) -> None:
        words = kinds()["ideal"]
        seconds = self.make("whole", words)
        for place, seed in (("part", []), ("other", ["--seed=77"])):
            own = [word for word in words if not seed or "--seed=" not in word] + seed
            # A load may end while the run does not: then most moments come too early or too late.
            for attempt in range(40):
                self.kill(place, own, seconds * (0.3 + 0.1 * (attempt % 8)), signal.SIGKILL)
                if self.has_checkpoint(place):
                    break
            self.assertTrue(self.has_checkpoint(place))
        with closing(sqlite3.connect(self.folder / "part/run.db")) as database:
            database.execute("ATTACH ? AS other", [str(self.folder / "other/run.db")])
            database.execute("DELETE FROM checkpoint")
            database.execute("INSERT INTO checkpoint SELECT * FROM other.checkpoint")
            database.commit()
        answer = self.go_on("part")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("computed again", answer.stderr)
        self.hold("ideal", contents(self.folder / "whole/run.db"))

    def has_checkpoint(self, place: str) -> bool:
        """Whether a trace has one."""
        with closing(sqlite3.connect(self.folder / place / "run.db")) as database:
            try:
                return bool(database.execute("SELECT 1 FROM checkpoint").fetchall())
            except sqlite3.OperationalError:
                return False

    def refused(self, pattern: str) -> None:
        """Goes on with the run in folder `part`, which leads to a line, and leaves it as it is."""
        before = contents(self.folder / "part/run.db")
        answer = self.go_on("part")
        self.assertEqual(answer.returncode, 2, answer.stderr)
        lines = [line for line in answer.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, answer.stderr)
        self.assertRegex(lines[0], pattern)
        self.assertEqual(answer.stdout, "")
        self.assertEqual(contents(self.folder / "part/run.db"), before)

    def test_what_is_not_the_same_run_is_refused_by_name(self) -> None:
        run = self.begin_long("--failures=failures.txt")
        run.terminate()
        run.communicate()
        file = self.folder / "part/failures.txt"
        text = file.read_text()
        file.write_text(text + "node 5 slow 2x at 1s for 1s\n")
        self.refused(r"origin 'file failures.txt' was '\w+' when the run began and is '\w+' now")
        file.unlink()
        self.refused("failures.txt")
        file.write_text(text)
        self.change("UPDATE setting SET value = '0.0.1' WHERE name = 'dpdl'")
        self.refused("setting 'dpdl' was '0.0.1'")
        self.change("UPDATE origin SET value = 'other' WHERE name = 'dataset'")
        self.refused("origin 'dataset' was 'other'")
        self.change("UPDATE origin SET value = 'other' WHERE name = 'build'")
        self.refused("origin 'build' was 'other'")
        self.change("UPDATE origin SET value = '/nowhere' WHERE name = 'folder'")
        self.refused("/nowhere")
        with closing(sqlite3.connect(self.folder / "part/run.db")) as database:
            database.execute("DELETE FROM origin")
            database.commit()
        self.refused("does not say how its run was begun")

    def change(self, sql: str) -> None:
        """Changes the trace."""
        with closing(sqlite3.connect(self.folder / "part/run.db")) as database:
            database.execute(sql)
            database.commit()

    def test_two_writers(self) -> None:
        run = self.begin_long()
        answer = self.go_on("part")
        self.assertEqual(answer.returncode, 2, answer.stderr)
        self.assertRegex(answer.stderr, "that no other program is writing")
        self.assertIsNone(run.poll())

    def has_begun(self, path: Path) -> bool:
        """Whether the trace says how its run was begun."""
        if not path.exists():
            return False
        try:
            with closing(sqlite3.connect(path)) as database:
                return bool(database.execute("SELECT 1 FROM origin").fetchall())
        except sqlite3.OperationalError:
            return False

    def test_mistakes(self) -> None:
        (self.folder / "text").write_text("no trace\n")
        for file in ("text", "nothing.db"):
            answer = self.analyse("resume", file, f"--build={OPTIONS.build}")
            self.assertEqual((answer.returncode, answer.stdout), (2, ""))
            self.assertEqual(len(answer.stderr.splitlines()), 1)
            direct = self.run_program(OPTIONS.build / "scenarios/learn", f"--resume={file}")
            self.assertEqual((direct.returncode, direct.stdout), (2, ""), direct.stderr)
            self.assertTrue(re.search(file, direct.stderr))


def main() -> None:
    """Reads the options that are not unittest's."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--kinds", type=int, default=len(FEW))
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    found, others = parser.parse_known_args()
    found.build = found.build.resolve()
    OPTIONS.__dict__.update(vars(found))
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    main()
