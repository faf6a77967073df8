# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The record of a paper's study: a small file with one row of results per run.

The text file `scenarios/papers/PAPER/results/NAME.csv` has lines `# NAME: VALUE` with the names of
HEADS, then comma-separated values. doc/formats/study.md describes it.
"""

import csv
import hashlib
import io
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from dpdl_analysis.files import LIST, text_of
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.published import Printed, read
from dpdl_analysis.sweep.catalogue import DONE, NAME
from dpdl_analysis.sweep.file import SweepFile, Words, merged
from dpdl_analysis.trace import UsageError, connect

RESULTS = "results"
"""Name of the folder of a paper's records."""
FORMAT = 1
HEADS = ("format", "size", "date", "dpdl", "options")
SIZES = ("reduced", "full")
TIME = "processor_seconds"
NUMBERS = ("accuracy_last_quarter", "mean_model_last_quarter", "epsilon_claimed",
           "epsilon_certified", TIME, "trace_bytes")
"""Columns after the factors, `run` and the study's compared quantity."""
USUAL = ("workers", "traceLevel", "dataDir")
"""Options of all runs that the study's file does not set and that do not affect results."""
REMAKE = "tools/results.py --record=FOLDER makes one"


@dataclass(frozen=True)
class Record:
    """The recorded runs of a study."""

    study: Path
    """Path of the study's file."""
    printed: Printed
    campaign: Campaign
    """The runs with columns NUMBERS; campaign.folder is the record's folder."""
    size: str
    """Size of the study's runs: reduced or full (option --full)."""
    date: str
    """Date of the last run, YYYY-MM-DD."""
    dpdl: str
    """Version of dpdl that made the runs."""

    @property
    def options(self) -> list[tuple[Words, Words]]:
        """(factors, options) of each recorded variant."""
        return options_of(self.study, self.size, self.campaign)

    @property
    def hours(self) -> float:
        """CPU time of all runs, in hours."""
        return float(self.campaign.runs[TIME].sum()) / 3600.0


def record_of(study: Path) -> Path:
    """Path of the record for the study's file `study`."""
    return study.parent / RESULTS / f"{study.stem}.csv"


def load(path: Path, study: Path) -> Record:
    """Reads the record of the study's file `study`. Raises UsageError if it is not valid."""
    lines = text_of(path, REMAKE).splitlines()
    heads = dict(line[2:].partition(": ")[::2] for line in lines if line.startswith("# "))
    if heads.get("format") != str(FORMAT):
        raise UsageError(f"{path}: format {heads.get('format', 'unknown')}, this version of dpdl "
                         f"reads {FORMAT}; {REMAKE}")
    printed = read(study)
    numbers = ["run", *_numbers(printed)]
    try:
        runs = pd.DataFrame(csv.DictReader(line for line in lines if not line.startswith("# ")))
        missing = [name for name in numbers if name not in runs]
        if missing or heads["size"] not in SIZES:
            raise ValueError(", ".join(missing) or heads["size"])
        runs[numbers] = runs[numbers].replace("", "nan").astype(float)
        factors = [name for name in runs if name not in numbers]
        campaign = Campaign(path.parent, study.parent.name, runs, [], factors)
        found = Record(study, printed, campaign, heads["size"], heads["date"], heads["dpdl"])
        digest = heads["options"]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise UsageError(f"{path}: no record of a study ({error}); {REMAKE}") from error
    if digest != _digest(study, found.size, campaign):
        raise UsageError(f"{path}: its runs have other options than {study} gives now; {REMAKE}")
    return found


def written(campaign: Campaign, study: Path) -> str:
    """Text of the record of all runs of a study. Raises UsageError if runs are missing."""
    size = _size(campaign, study)
    printed = read(study)
    times, date, dpdl = _catalogue(campaign.folder)
    lost = [note for note in campaign.notes if "missing" in note]
    if lost:
        raise UsageError(f"{campaign.folder}: {lost[0]} The same ./dpdl run goes on with them")
    stream = io.StringIO()
    for name, value in zip(HEADS, (FORMAT, size, date, dpdl, _digest(study, size, campaign))):
        stream.write(f"# {name}: {value}\n")
    names = [*campaign.factors, "run", *_numbers(printed)]
    traces = campaign.runs["trace"]
    sizes = [(campaign.folder / trace).stat().st_size for trace in traces]
    rows = campaign.runs.assign(**{TIME: traces.map(times), "trace_bytes": sizes})
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for _, row in rows[names].iterrows():
        writer.writerow([_text(row[name]) for name in names])
    return stream.getvalue()


def _numbers(printed: Printed) -> list[str]:
    return list(dict.fromkeys([printed.quantity, *NUMBERS]))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return ""
    return f"{value:d}" if isinstance(value, int) else f"{value:.6g}"


def _size(campaign: Campaign, study: Path) -> str:
    """Size of the campaign's runs: reduced or full. Raises UsageError if neither matches."""
    given = json.loads(text_of(campaign.folder / LIST, REMAKE)).get("settings", {})
    for size in reversed(SIZES):
        file = SweepFile(study, size == "full")
        other = [name for name in {**file.settings, **given}
                 if file.settings.get(name) != given.get(name) and name not in USUAL]
        if not other and campaign.runs["run"].nunique() >= file.repetitions:
            return size
    raise UsageError(f"{campaign.folder}: its runs have neither the options of {study} nor those "
                     "with --full; accepted is what ./dpdl run made without other options")


def options_of(study: Path, size: str, campaign: Campaign) -> list[tuple[Words, Words]]:
    """(factors, options) of the recorded variants, by the present content of the study's file."""
    file = SweepFile(study, size == "full")
    names = [name for name in campaign.factors if name in campaign.runs]
    own = {frozenset((name, value) for name, value in zip(names, row) if isinstance(value, str)
                     and value) for row in campaign.runs[names].values.tolist()}
    return [(variant.factors, merged(file.settings, variant.factors, variant.changes))
            for variant in file.variants() if frozenset(variant.factors.items()) in own]


def _digest(study: Path, size: str, campaign: Campaign) -> str:
    """16 hexadecimal digits of SHA-256 over all options of the recorded variants."""
    options = sorted(sorted(words.items()) for _, words in options_of(study, size, campaign))
    return hashlib.sha256(json.dumps(options).encode()).hexdigest()[:16]


def _catalogue(folder: Path) -> tuple[dict[str, float], str, str]:
    """CPU seconds by trace, the date of the last run, and the runs' version of dpdl."""
    path = folder / NAME
    day = max(trace.stat().st_mtime for trace in folder.glob("*.db"))
    try:
        with closing(connect(path)) as database:
            times = dict(database.execute(f"SELECT trace, {TIME} FROM run WHERE state = ?", [DONE]))
            version = dict(database.execute("SELECT name, value FROM sweep"))["dpdl"]
    except (sqlite3.Error, KeyError) as error:
        raise UsageError(f"{path}: is no catalogue of this version of dpdl ({error}); accepted is "
                         "a folder that ./dpdl run made with it") from error
    return times, pd.Timestamp(day, unit="s").strftime("%Y-%m-%d"), version
