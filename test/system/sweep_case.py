# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of sweeps share: an empty folder, a quick program, the catalogue's rows."""

import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

from program_case import ANALYSIS, analyse
from resume import contents

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77

STUB = """\
#!/bin/bash
# Stands for a scenario: takes a moment, and copies a trace made before, in two halves.
declare -A given
if [[ $1 == --CheckRuns ]]; then
    number=0
    while IFS= read -r line; do
        number=$((number + 1))
        [[ $line != *--drop=wrong* ]] ||
            { printf "%s\\tdrop\\toption 'drop': 'wrong' is no number\\n" $number; exit; }
    done
    exit
fi
if [[ $1 == --PrintNeeds ]]; then
    cat TEMPLATES/free || exit
    while IFS= read -r line; do [[ $line == *--drop=0.9* ]] && echo 2e9 1e6 || echo 1e9 1e6; done
    exit
fi
for argument in "$@"; do
    name=${argument%%=*}
    given[${name#--}]=${argument#*=}
    if [[ $argument == --options=json ]]; then
        echo '[{"name": "drop", "accepted": ""}, {"name": "topology", "accepted": ""},' \\
            '{"name": "seed", "accepted": ""}, {"name": "run", "accepted": ""},' \\
            '{"name": "trace", "accepted": ""}]'
        exit
    fi
done
[[ ${given[drop]} != 0.5 || -e TEMPLATES/mended ]] || { echo "learn: half is lost" >&2; exit 1; }
[[ ${given[drop]} != 0.6 ]] || kill -SEGV $$
whole=TEMPLATES/${given[drop]}-${given[run]}.db
head -c 5000 "$whole" >"${given[trace]}"
sleep 0.0$((RANDOM % 10))
cat "$whole" >"${given[trace]}"
"""
SAMPLE = """\
[settings]
topology = "ring"
repetitions = 3

[vary]
drop = [0, 0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9]
"""
REAL = """\
[settings]
dataset = "blobs"
model = "softmax-regression"
nodes = 6
samples = 300
testSamples = 100
batchSize = 16
rounds = 800
evaluateEvery = 20
checkpoint = 20
network = "ideal"
repetitions = 2

[vary]
drop = [0, 0.2]
"""


def begun(path: Path) -> bool:
    """Whether a trace holds committed rounds."""
    try:
        with closing(sqlite3.connect(path, timeout=5)) as trace:
            return bool(trace.execute("SELECT max(round) FROM accuracy_by_round").fetchone()[0])
    except sqlite3.Error:
        return False


class SweepCase(unittest.TestCase):
    """Makes sweeps in an empty folder."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = self.folder / "sample-results"

    def write(self, text: str, name: str = "sample.toml") -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def stub(self) -> Path:
        """A build folder whose learn is quick."""
        build, templates = self.folder / "build", self.folder / "templates"
        (build / "scenarios").mkdir(parents=True)
        templates.mkdir()
        for drop in range(10):
            for run in range(1, 5):
                name = "0" if drop == 0 else f"0.{drop}"
                with closing(sqlite3.connect(templates / f"{name}-{run}.db")) as trace, trace:
                    trace.execute("PRAGMA application_id = 0x6470646c")
                    trace.execute("PRAGMA user_version = 2")
                    trace.execute("CREATE TABLE summary (name, value, unit, meaning)")
                    trace.executemany("INSERT INTO summary VALUES (?, ?, '', '')", [
                        ("state", "complete"), ("accuracy_mean", drop / 10 + run / 100),
                        ("epsilon_certified", float("inf")), ("simulated_seconds", run),
                        ("padding", "x" * 20000)])
        program = build / "scenarios" / "learn"
        program.write_text(STUB.replace("TEMPLATES", str(templates)), encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return build

    def words(self, build: Path, *options: str) -> list[str]:
        return [sys.executable, "-B", str(ANALYSIS), *self.arguments(build, *options)]

    def arguments(self, build: Path, *options: str, name: str = "sample.toml") -> list[str]:
        jobs = ["--jobs=3"] * (not any(option.startswith("--jobs=") for option in options))
        return ["sweep", name, f"--build={build}", *jobs, *options]

    def sweep(self, build: Path, *options: str, name: str = "sample.toml",
              code: int = 0) -> subprocess.CompletedProcess:
        done = analyse(self.folder, *self.arguments(build, *options, name=name))
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def rows(self, folder: Path | None = None) -> list[tuple]:
        """The catalogue without times, and without what was interrupted."""
        with closing(sqlite3.connect((folder or self.results) / "catalogue.db")) as catalogue:
            catalogue.row_factory = sqlite3.Row
            rows = catalogue.execute("SELECT * FROM run").fetchall()
        return [tuple((name, row[name]) for name in row.keys()
                      if name not in ("process_seconds", "processor_seconds", "resumed")
                      and not name.startswith("wall_"))
                for row in rows]

    def parts(self) -> list[Path]:
        return list((self.results / ".sweep/parts").glob("*/*/*.db"))

    def told(self, row: str) -> list[object]:
        with closing(sqlite3.connect(self.results / "catalogue.db")) as catalogue:
            return [found[0] for found in catalogue.execute(f"SELECT {row} FROM run ORDER BY id")]

    def traces(self) -> dict[str, dict[str, list[tuple]]]:
        """All rows of all runs but those that tell of clocks and processes, and where each run
        wrote before its trace got its name."""
        found = {path.name: contents(path) for path in self.results.glob("*-?.db")}
        for views in found.values():
            for name, rows in views.items():
                views[name] = [row for row in rows if "/.sweep/parts/" not in str(row)]
        return found

    def assert_clean(self) -> None:
        """Nothing half-written is left."""
        for place in ("parts", "ended"):
            self.assertEqual(list((self.results / ".sweep" / place).iterdir()), [])
        self.assertEqual(list(self.results.glob("*-journal")) + list(self.results.glob(".*.part")),
                         [])
