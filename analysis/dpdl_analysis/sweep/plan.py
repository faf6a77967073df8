# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The runs of a sweep: their options, hashes and trace names."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

from dpdl_analysis.sweep.file import LARGEST, SweepFile, Words, merged
from dpdl_analysis.sweep.program import ROOT, Program
from dpdl_analysis.sweep.study import Asked
from dpdl_analysis.trace import UsageError

LONGEST_NAME = 150
"""Maximum length of a variant's name in characters, before seed, run number and suffix."""
DIGEST = 8
"""Hexadecimal digits of the hash that makes a long or duplicate name unique."""


@dataclass(frozen=True)
class Run:
    """One run: a variant with a seed and a run number."""

    number: int
    """Index in the plan, from 1."""
    variant: str
    factors: Words
    options: Words
    seed: int
    run: int
    repetition: int
    """Number of the run in its variant, over all seeds; starts at the first run number."""
    trace: str
    """File name of the trace in the sweep's folder."""
    hash: str
    """Hash of program, options, factors, contents of files in options, and dpdl's version."""


@dataclass(frozen=True)
class Plan:
    """All runs of a campaign, in the order of its file."""

    asked: Asked
    program: Program
    version: str
    runs: list[Run]

    @property
    def file(self) -> SweepFile:
        return self.asked.file

    @property
    def variants(self) -> list[str]:
        """Names of the variants in the order of the file, each once."""
        return list(dict.fromkeys(run.variant for run in self.runs))

    @property
    def gives_workers(self) -> bool:
        """True if the user sets option workers, the threads of a run."""
        return "workers" in self.asked.settings

    @property
    def identity(self) -> Words:
        """Rows of the catalogue's table of the sweep: file, title, scenario, dpdl, options."""
        return {
            "file": str(self.file.path.resolve()),
            "title": self.file.title,
            "scenario": self.asked.name,
            "dpdl": self.version,
            "options": " ".join(f"--{word.name}={word.value}" for word in self.asked.given),
        }

    def campaign(self) -> str:
        """Text of campaign.json, the list of the runs; doc/formats/campaign.md describes it."""
        entries = []
        for run in self.runs:
            entry: dict[str, Any] = {"trace": run.trace, "run": run.repetition}
            if self.file.seeds:
                entry["seed"] = run.seed
            entries.append(json.dumps({**entry, "factors": run.factors}, ensure_ascii=False))
        head = json.dumps(self.asked.name)
        shared = json.dumps({**self.program.usual, **self.asked.settings}, ensure_ascii=False)
        return f'{{"scenario": {head},\n "settings": {shared},\n "runs": [\n  ' \
            + ",\n  ".join(entries) + "\n]}\n"


def version() -> str:
    """The version of dpdl, as `./dpdl --version` prints it, or "unknown"."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(dpdl VERSION ([\d.]+)", text, re.MULTILINE)
    return found.group(1) if found else "unknown"


def plan(asked: Asked, program: Program) -> Plan:
    """The runs of a campaign. Raises UsageError for refused options or equal variants."""
    file = asked.file
    shared = {**program.usual, **asked.settings}
    release, runs, names, checked = version(), [], set(), []
    planned: list[Words] = []
    for variant in asked.variants:
        factors = variant.factors
        changes = {name: _filled(file, value, {**shared, **factors})
                   for name, value in variant.changes.items()}
        options = {name: value for name, value in merged(shared, factors, changes).items()
                   if program.takes(name)}
        checked.append(options)
        name = _name(factors, names)
        if factors in planned:
            raise UsageError(f"variant '{_name(factors, set())}': each variant once; a list has an "
                             "item twice")
        planned.append(factors)
        names.add(name)
        pairs = _numbers(file, options)
        for seed, run, repetition in pairs:
            if "seed" in program.options:
                options = {**options, "seed": str(seed)}
            if "run" in program.options:
                options = {**options, "run": str(run)}
            given = {key: text.replace("$run", str(run)) for key, text in options.items()}
            middle = f"-{seed}-{run}" if file.seeds else f"-{run}"
            middle = middle if file.numbered or len(pairs) > 1 else ""
            runs.append(
                Run(len(runs) + 1, name, factors, given, seed, run, repetition,
                    f"{name}{middle}.db", _hash(program.name, given, factors, release))
            )
    against = file.question.get("against", "")
    if against and against not in names:
        file.refuse(("against",), f"one of {', '.join(sorted(names))}; '{against}' is no variant")
    program.check(file, asked.all_words, checked)
    return Plan(asked, program, release, runs)


def _filled(file: SweepFile, text: str, options: Words) -> str:
    """Replaces `$OPTION` by its value; $quarter, $firstHalf, $secondHalf by ranges of nodes."""
    if "$" not in text:
        return text
    try:
        nodes = int(options.get("nodes", "0"))
        sets = {"quarter": (0, max(nodes // 4, 1) - 1), "firstHalf": (0, nodes // 2 - 1),
                "secondHalf": (nodes // 2, nodes - 1)} if nodes else {}
        known = {name: f"{{{first}-{last}}}" for name, (first, last) in sets.items()}
        return Template(text).substitute({**known, **options})
    except (KeyError, ValueError) as error:
        raise UsageError(f"file '{file.path}': '{text}': {error} is unknown; sets of nodes need "
                         "option 'nodes' in [settings]") from error


def _numbers(file: SweepFile, options: Words) -> list[tuple[int, int, int]]:
    """Seed, run number and repetition of each run of a variant."""
    first = _number(options.get("run", "1"))
    seeds = file.seeds or [_number(options.get("seed", "1"))]
    pairs = [(seed, first + step) for seed in seeds for step in range(file.repetitions)]
    return [(seed, run, first + index) for index, (seed, run) in enumerate(pairs)]


def _number(text: str) -> int:
    """Seed or run number from an option's text, at most 2^31 - 1; 1 if it is no number."""
    try:
        return min(int(float(text)), LARGEST)
    except (ValueError, OverflowError):
        return 1


def _name(factors: Words, taken: set[str]) -> str:
    """Variant's name from the values of its factors, with only characters fit for a file name."""
    values = [re.sub(r"[^A-Za-z0-9.-]", "_", value.replace("->", "-"))
              for value in factors.values() if value]
    name = "-".join(values).lstrip(".") or "run"
    if len(name) > LONGEST_NAME or name in taken:
        digest = hashlib.sha256(json.dumps(factors).encode()).hexdigest()
        name = f"{name[:LONGEST_NAME]}-{digest[:DIGEST]}"
    return name


def _hash(program: str, options: Words, factors: Words, release: str) -> str:
    digests = {name: content_digest(value) for name, value in options.items()}
    contents = {name: digest for name, digest in digests.items() if digest}
    parts = [program, *(sorted(words.items()) for words in (options, factors, contents)), release]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=None)
def content_digest(value: str) -> str | None:
    """SHA-256 digest of the file that a value names, alone or after a colon; of a .json model with
    its .npz weights. None if there is no such file."""
    for text in (value, value.partition(":")[2]):
        try:
            path = Path(text)
            if text and path.is_file():
                weights = path.with_suffix(".npz")
                both = path.suffix == ".json" and weights.is_file()
                content = path.read_bytes() + (weights.read_bytes() if both else b"")
                return hashlib.sha256(content).hexdigest()
        except (OSError, ValueError):
            continue
    return None
