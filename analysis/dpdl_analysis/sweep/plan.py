# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The runs of a sweep: their options, the names of their traces, and what tells them apart."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpdl_analysis.sweep.file import LARGEST, SweepFile, Words
from dpdl_analysis.sweep.program import ROOT, Program

LONGEST_NAME = 150
"""Letters of a variant's name; a file name has room for some more."""
DIGEST = 8
"""Digits of the hash in a name that is too long or taken."""


@dataclass(frozen=True)
class Run:
    """One run: a variant with a seed and a run number."""

    number: int
    """Its place in the plan, from 1."""
    variant: str
    factors: Words
    options: Words
    seed: int
    run: int
    repetition: int
    """From the first run number on, over seeds and run numbers."""
    trace: str
    """The file in the folder of the sweep."""
    hash: str
    """Of the program, all its options, the files that they name, and the version of dpdl."""


@dataclass(frozen=True)
class Plan:
    """All runs, in the order of the file."""

    file: SweepFile
    program: Program
    version: str
    runs: list[Run]

    @property
    def variants(self) -> list[str]:
        """Their names, each once."""
        return list(dict.fromkeys(run.variant for run in self.runs))

    @property
    def identity(self) -> Words:
        """What the catalogue says about the sweep as a whole."""
        return {
            "file": str(self.file.path.resolve()),
            "title": self.file.title,
            "scenario": self.program.name,
            "dpdl": self.version,
        }

    def campaign(self) -> str:
        """The list of the runs as doc/formats/campaign.md has it."""
        entries = []
        for run in self.runs:
            entry: dict[str, Any] = {"trace": run.trace, "run": run.repetition}
            if self.file.seeds:
                entry["seed"] = run.seed
            entries.append(json.dumps({**entry, "factors": run.factors}, ensure_ascii=False))
        head = json.dumps(self.program.name)
        return f'{{"scenario": {head},\n "runs": [\n  ' + ",\n  ".join(entries) + "\n]}\n"


def version() -> str:
    """The version of dpdl, as ./dpdl --version tells it."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(dpdl VERSION ([\d.]+)", text, re.MULTILINE)
    return found.group(1) if found else "unknown"


def plan(file: SweepFile, program: Program) -> Plan:
    """The runs of a file that the program has accepted."""
    shared = {**program.usual, **file.settings}
    release, runs, names = version(), [], set()
    for variant in file.variants():
        options = {**shared, **variant.factors, **variant.changes}
        options = {name: value for name, value in options.items() if program.takes(name)}
        name = _name(variant.factors, names)
        names.add(name)
        for seed, run, repetition in _numbers(file, options):
            if "seed" in program.options:
                options = {**options, "seed": str(seed)}
            if "run" in program.options:
                options = {**options, "run": str(run)}
            middle = f"{seed}-{run}" if file.seeds else str(run)
            runs.append(
                Run(len(runs) + 1, name, variant.factors, options, seed, run, repetition,
                    f"{name}-{middle}.db",
                    _hash(program.name, options, variant.factors, release))
            )
    return Plan(file, program, release, runs)


def _numbers(file: SweepFile, options: Words) -> list[tuple[int, int, int]]:
    """Seed, run number and repetition of a variant's runs."""
    first = _number(options.get("run", "1"))
    seeds = file.seeds or [_number(options.get("seed", "1"))]
    pairs = [(seed, first + step) for seed in seeds for step in range(file.repetitions)]
    return [(seed, run, first + index) for index, (seed, run) in enumerate(pairs)]


def _number(text: str) -> int:
    """The program has accepted it; it may write it as it likes."""
    try:
        return min(int(float(text)), LARGEST)
    except (ValueError, OverflowError):
        return 1


def _name(factors: Words, taken: set[str]) -> str:
    """The values, fit for a file name as in campaigns: an arrow becomes a minus sign."""
    values = [re.sub(r"[^A-Za-z0-9.-]", "_", value.replace("->", "-"))
              for value in factors.values() if value]
    name = "-".join(values).lstrip(".") or "run"
    if len(name) > LONGEST_NAME or name in taken:
        digest = hashlib.sha256(json.dumps(factors).encode()).hexdigest()
        name = f"{name[:LONGEST_NAME]}-{digest[:DIGEST]}"
    return name


def _hash(program: str, options: Words, factors: Words, release: str) -> str:
    contents = {name: digest for name, value in options.items() if (digest := _content(value))}
    parts = [program, *(sorted(words.items()) for words in (options, factors, contents)), release]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=None)
def _content(value: str) -> str | None:
    """The digest of the file that a value names, alone or behind a colon."""
    for text in (value, value.partition(":")[2]):
        try:
            if text and Path(text).is_file():
                return hashlib.sha256(Path(text).read_bytes()).hexdigest()
        except (OSError, ValueError):
            continue
    return None
