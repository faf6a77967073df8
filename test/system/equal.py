#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds that behaviour stays equal: what seeded runs record, mistakes answer, --help prints.

usage: equal.py BUILD-FOLDER [--dump=FOLDER] [--record[=PATTERN] ...] [unittest arguments]

fingerprints.json has one line for each view of each run (`runs/RUN/VIEW`), for each mistake
(`mistakes/COMMAND`) and for each help text (`help/PROGRAM`): the number of rows or the exit code,
and each column, setting or stream, as it is where it is short, else as a digest. Wall times and
facts of the machine are left out. What runs of the native engine compute (BITS) is compared on every
platform, at the SIMD levels avx2 and avx512; the rest, runs on LibTorch and the digits of epsilons, on
the platform of the recording alone; elsewhere a line says so, and the replays compare by tolerance.

After a mismatch, --dump writes all texts behind the fingerprints: dump both builds, then diff -r.

--record writes fingerprints.json anew; --record='runs/dpps-paper/release/noise' writes only what
fits the pattern (of fnmatch, on KEY/PART; it may be given again) and names what else differs.
Only a commit whose message says why behaviour changes may re-record anything.
"""

import argparse
import array
import csv
import hashlib
import json
import math
import operator
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Callable

from equal_runs import COMMON, FILES, RUNS
from program_case import ANALYSIS, ProgramCase

HERE = Path(__file__).resolve().parent
FINGERPRINTS = HERE / "fingerprints.json"
MISTAKES = HERE / "mistakes.tsv"
LEARN = "scenarios/learn"
TORCH = "contrib/dpdl/core/libdpdl-core-torch.so"
JOBS = 2

# One thread, one level of vector instructions in dpdl, OpenBLAS, LibTorch and oneDNN.
ENVIRONMENT = {
    **os.environ,
    "ATEN_CPU_CAPABILITY": "avx2",
    "LC_ALL": "C",
    "OMP_NUM_THREADS": "1",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
}
NEEDED_FLAGS = {"avx2": {"avx2", "bmi2", "fma"}}
NEEDED_FLAGS["avx512"] = {f"avx512{part}" for part in ("bw", "cd", "dq", "f", "vl")}

VIEWS = (
    "accuracy_by_node",
    "accuracy_by_round",
    "delivery",
    "delivery_by_link",
    "guarantee_by_node",
    "guarantee_by_round",
    "link_event",
    "mass_by_round",
    "noise_by_round",
    "q_by_window",
    "release",
    "round_by_node",
    "sensitivity_by_round",
    "settings",
    "snapshot",
    "summary",
    "violation",
)
# Views whose bits depend on no compiler, library or SIMD level, but in these runs: on LibTorch, and on
# the protocol stacks of ns-3, whose versions differ.
OTHERS = ("delivery_by_link", "guarantee_by_node", "guarantee_by_round", "settings", "summary",
          "violation")
BITS = tuple(view for view in VIEWS if view not in OTHERS)
DEPENDENT = ("a-dp2-libtorch", "fed-dpa-loop", "fed-cdp-udp", "d-psgd-tcp")
# Columns that order the rows of a view.
KEYS = ("round", "first_round", "time", "iteration", "node", "source", "target", "chunk")
# Of settings: versions, the machine, and how the program was called.
MACHINE = {"LibTorch", "OMP_NUM_THREADS", "OPENBLAS_CORETYPE", "commandLine", "compiler", "cpu"}
MACHINE |= {"Boost", "SQLite", "commit", "dpdl", "glibc", "gpu", "ns-3", "simd"}

# By part, its text or the text's digest.
Fingerprint = dict[str, str]


def brief(text: str) -> str:
    """A text that is short, or else its digest."""
    return text if len(text) <= 24 else hashlib.sha256(text.encode()).hexdigest()[:16]


def show(value: object) -> str:
    """A value of a view; of a vector the digest, and the norm for people."""
    if not isinstance(value, bytes):
        return "NULL" if value is None else str(value)
    floats = array.array("f", value)
    norm = math.sqrt(math.fsum(map(operator.mul, floats, floats)))
    return f"{len(floats)} floats, norm {norm:.9g}, sha256 {hashlib.sha256(value).hexdigest()}"


def is_of_machine(view: str, name: object) -> bool:
    """Whether a row of this name depends on the time, the machine or the versions."""
    return (view == "settings" and name in MACHINE) or (
        view == "summary" and str(name).startswith("wall_")
    )


def has_bits(key: str) -> bool:
    """Whether what `runs/RUN/VIEW` says is the same on every platform."""
    _, run, view = key.split("/", 2)
    return view in BITS and run not in DEPENDENT


def read_view(database: sqlite3.Connection, view: str) -> tuple[list[str], list[list[str]]]:
    """The columns' names and the rows of a view, in an order that is not that of writing."""
    cursor = database.execute(f'SELECT * FROM "{view}"')
    names = [column[0] for column in cursor.description]
    keys = [names.index(key) for key in KEYS if key in names]
    rows = [
        ([(row[key] is not None, row[key]) for key in keys], [show(value) for value in row])
        for row in cursor
        if not is_of_machine(view, row[0])
    ]
    return names, [row for _, row in sorted(rows)]


def fingerprint_of(names: list[str], rows: list[list[str]]) -> Fingerprint:
    """The number of rows, and each column, or each value of a view of names and values."""
    parts = {"rows": str(len(rows))}
    columns = dict(zip(names, zip(*rows))) if rows else {name: () for name in names}
    if names[:2] == ["name", "value"]:
        parts |= {name: brief(value) for name, value, *_ in rows}
        columns = {f"column {name}": columns[name] for name in names[2:]}
    return parts | {name: brief("\n".join(values)) for name, values in columns.items()}


def completed(options: list[str]) -> list[str]:
    """Options of learn, and those of all runs that are not among them: none is given twice."""
    given = {option.split("=")[0] for option in options}
    return [*options, *(option for option in COMMON if option.split("=")[0] not in given)]


def text_of(names: list[str], rows: list[list[str]]) -> str:
    """A view for people and diff."""
    return "".join("\t".join(line) + "\n" for line in [names, *rows])


class Net:
    """What was recorded, what is to be recorded, and where texts go."""

    def __init__(self) -> None:
        self.recorded: dict[str, Fingerprint] = {}
        if FINGERPRINTS.exists():
            self.recorded = json.loads(FINGERPRINTS.read_text())
        self.patterns: list[str] = []
        self.dump: Path | None = None

    def write(self, key: str, text: str) -> None:
        """The text behind a fingerprint, where texts were asked for."""
        if self.dump:
            path = self.dump / f"{key}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def differences(
        self, found: dict[str, Fingerprint], section: str, wanted: Callable[[str], bool]
    ) -> list[str]:
        """A line for each wanted key that is not as recorded; what is to be recorded is none."""
        lines = []
        known = {key for key in self.recorded if key.startswith(section)}
        for key in sorted(filter(wanted, found.keys() | known)):
            before, now = dict(self.recorded.get(key, {})), found.get(key, {})
            changes = []
            for part in sorted(before.keys() | now.keys()):
                if before.get(part) == now.get(part):
                    continue
                if any(fnmatchcase(f"{key}/{part}", pattern) for pattern in self.patterns):
                    self.record(key, part, now.get(part))
                else:
                    changes.append(f"{part} was {before.get(part)!r}, is {now.get(part)!r}")
            if changes:
                lines.append(f"{key}: " + "; ".join(changes))
        return lines

    def record(self, key: str, part: str, value: str | None) -> None:
        """Changes what is recorded; None: there is no such part left."""
        parts = self.recorded.setdefault(key, {})
        if value is None:
            del parts[part]
        else:
            parts[part] = value

    def save(self) -> None:
        """Writes fingerprints.json: sorted, one line for each key."""
        lines = [
            f"{json.dumps(key)}: {json.dumps(parts, sort_keys=True)}"
            for key, parts in sorted(self.recorded.items())
            if parts
        ]
        FINGERPRINTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


BUILD = Path()
NET = Net()


def platform_of(settings: dict[str, str]) -> Fingerprint:
    """What the last bits of a run depend on beside dpdl's sources."""
    loaded = subprocess.run(["ldd", BUILD / LEARN, BUILD / TORCH], capture_output=True, text=True, check=True)
    names = {Path(word).resolve().name for word in loaded.stdout.split() if word.startswith("/")}
    cache = (BUILD / "CMakeCache.txt").read_text()
    flags = dict(re.findall(r"^(CMAKE_BUILD_TYPE|CMAKE_CXX_FLAGS):\w+=(.*)$", cache, re.M))
    return {
        "BLAS": " ".join(sorted(name for name in names if "openblas" in name)),
        "C library": os.confstr("CS_GNU_LIBC_VERSION") or "",
        "LibTorch": settings["LibTorch"],
        "compiler": settings["compiler"],
        **flags,
    }


class EqualTest(ProgramCase):
    """Compares what programs do now with what was recorded."""

    maxDiff = None

    def setUp(self) -> None:
        super().setUp()
        for name, text in FILES.items():
            (self.folder / name).write_text(text)

    def call(self, program: str | Path, *options: str, level: str = "avx2") -> Fingerprint:
        """The exit code of a program of the build and what it prints."""
        if not (BUILD / program).exists():
            return {"exit": "not built", "stdout": "", "stderr": ""}
        environment = {**ENVIRONMENT, "DPDL_SIMD": level}
        result = self.run_program(BUILD / program, *options, timeout=120, env=environment)
        return {"exit": str(result.returncode), "stdout": result.stdout, "stderr": result.stderr}

    def hold(
        self,
        section: str,
        found: dict[str, Fingerprint],
        wanted: Callable[[str], bool] = lambda key: True,
    ) -> None:
        """Fails with a line for each difference."""
        lines = NET.differences(found, section, wanted)
        shown = "\n".join(lines[:100] + [f"and {len(lines) - 100} more"] * (len(lines) > 100))
        self.assertEqual(len(lines), 0, f"differs (--dump shows, --record='{section}*' accepts it):\n{shown}")

    def learn(self, name: str, level: str) -> dict[str, Fingerprint]:
        """The fingerprints of a run."""
        options = (f"--trace={name}.db", *completed(RUNS[name]))
        result = self.call(LEARN, *options, level=level)
        self.assertEqual(result["exit"], "0", f"run {name}: {result['stderr']}")
        found = {f"runs/{name}/stderr": {"text": brief(result["stderr"])}}
        NET.write(f"runs/{name}/stderr", result["stderr"])
        with closing(sqlite3.connect(self.folder / f"{name}.db")) as database:
            for view in VIEWS:
                table = read_view(database, view)
                found[f"runs/{name}/{view}"] = fingerprint_of(*table)
                NET.write(f"runs/{name}/{view}", text_of(*table))
        return found

    def all_runs(self, level: str) -> dict[str, Fingerprint]:
        """The fingerprints of all runs at a SIMD level; ends the test where there is no such level."""
        missing = NEEDED_FLAGS[level] - set(Path("/proc/cpuinfo").read_text().split())
        if missing:
            reason = f"this processor lacks {', '.join(sorted(missing))}"
            print(f"runs are not compared at {level}: {reason}", file=sys.stderr)
            self.skipTest(reason)
        with ThreadPoolExecutor(JOBS) as pool:
            runs = pool.map(lambda name: self.learn(name, level), RUNS)
            return {key: parts for run in runs for key, parts in run.items()}

    def test_other_level(self) -> None:
        self.hold("runs/", self.all_runs("avx512"), has_bits)

    def test_runs(self) -> None:
        found = self.all_runs("avx2")
        first = next(iter(RUNS))
        here = platform_of(dict(self.rows(f"{first}.db", "SELECT name, value FROM settings")))
        there = NET.recorded.get("platform", {})
        if "*" in NET.patterns:
            NET.recorded["platform"] = here
        elif here != there:
            print(f"some is not compared: recorded with {there}, this is {here}", file=sys.stderr)
            self.hold("runs/", found, has_bits)
            return
        self.hold("runs/", found)

    def mistake(self, row: dict[str, str]) -> tuple[str, Fingerprint]:
        """A command's key and what it answers."""
        program, *options = shlex.split(row["command"])
        if row["file"]:
            name, text = row["file"].split(": ", 1)
            (self.folder / name).write_text(text.encode().decode("unicode_escape"))
        if program == "learn":
            program, options = LEARN, completed(options)
        answer = self.call(program, *options)
        return f"mistakes/{row['command']}", {part: out.rstrip() for part, out in answer.items()}

    def test_mistakes(self) -> None:
        with open(MISTAKES, newline="") as file:
            table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        with ThreadPoolExecutor(JOBS) as pool:
            found = dict(pool.map(self.mistake, table))
        self.assertEqual(len(found), len(table), "a mistake is there twice")
        lines = [f"{key}\n{parts['exit']} {parts['stderr']}\n" for key, parts in found.items()]
        NET.write("mistakes", "".join(lines))
        self.hold("mistakes/", found)
        for command, answer in found.items():
            with self.subTest(command):
                self.assertEqual(answer["exit"], "2")
                self.assertEqual(answer["stdout"], "")
                self.assertEqual(len(answer["stderr"].splitlines()), 1, answer["stderr"])

    def help(self, name: str, *words: str | Path) -> tuple[str, Fingerprint]:
        """The key of a program or a study, and how it answers to --help."""
        answer = self.call(*words, "--help")
        # Defaults may name files of the checkout.
        root = f"{HERE.parents[1]}/"
        answer = {part: text.replace(root, "ROOT/") for part, text in answer.items()}
        NET.write(f"help/{name}", "".join(f"{part}: {answer[part]}\n" for part in answer))
        return f"help/{name}", {part: brief(text) for part, text in answer.items()}

    def test_help(self) -> None:
        paths = [*BUILD.glob("dpdl-*"), *(BUILD / "scenarios").glob("*")]
        programs = [path for path in sorted(paths) if path.is_file() and os.access(path, os.X_OK)]
        calls: list[tuple[str | Path, ...]] = [(path.name, path) for path in programs]
        run = (sys.executable, "-B", ANALYSIS, "run")
        calls += [(f"run {path.stem}", *run, path.stem, f"--build={BUILD}")
                  for path in sorted((HERE.parents[1] / "scenarios/studies").glob("*.toml"))]
        with ThreadPoolExecutor(JOBS) as pool:
            found = dict(pool.map(lambda call: self.help(*call), calls))
        self.hold("help/", found)


def main() -> None:
    """Reads the options that are not unittest's; saves what is to be recorded."""
    global BUILD
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--dump", type=Path)
    parser.add_argument("--record", nargs="?", const="*", action="append", default=[])
    options, others = parser.parse_known_args()
    BUILD = options.build.resolve()
    NET.patterns, NET.dump = options.record, options.dump
    program = unittest.main(argv=[sys.argv[0], *others], exit=False)
    if NET.patterns:
        NET.save()
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    main()
