# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The catalogue of a sweep: an SQLite file with one row per run."""

import math
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Iterable, Sequence

from dpdl_analysis.last_quarter import LAST_QUARTER, evaluated
from dpdl_analysis.sweep.plan import Plan, Run
from dpdl_analysis.trace import DamagedTrace, Trace, UsageError, connect, quoted

NAME = "catalogue.db"
PENDING, DONE, FAILED = "pending", "done", "failed"
FIRST, SECOND = ("id", "variant"), ("seed", "run", "trace", "state")
TIMES = ("process_seconds", "processor_seconds")
"""Columns of a run's wall-clock time and CPU time, both in seconds."""
LAST = ("hash", *TIMES, "resumed", "error")
OWN = {*FIRST, *SECOND, *LAST}
"""Columns that describe a run: neither varied options nor results from its trace."""
LATE = LAST_QUARTER["accuracy_mean"]
"""Column of the mean accuracy in the last quarter of the rounds; no item of a trace's summary."""
FORMAT = 2
"""Version of the format, stored as SQLite's user_version. Version 1 lacks the CPU time."""

Row = dict[str, Any]


def summary_of(path: Path) -> Row | None:
    """Items of a trace's summary and LATE, by name; None if the trace is incomplete or damaged."""
    try:
        with Trace(path) as trace:
            if not trace.complete:
                return None
            found = {name: row.value for name, row in trace.summary.items()}
            return {**found, LATE: evaluated(trace).get(LATE)}
    except (UsageError, DamagedTrace, sqlite3.Error):
        return None


def identity_of(folder: Path, table: str = "sweep") -> dict[str, str]:
    """Plan.identity of the sweep that wrote the catalogue in `folder`, or, in `table` "setting", the
    options of all its runs; {} without a catalogue.

    Raises UsageError if the file is no catalogue, or has a newer format.
    """
    path = folder / NAME
    if not path.exists():
        return {}
    try:
        # SQLite needs write access to roll back the journal of a killed sweep.
        with closing(connect(path, "mode=rw", 60)) as database:
            found = database.execute("PRAGMA user_version").fetchone()[0]
            if found > FORMAT:
                raise UsageError(f"{path}: is a catalogue of format {found}, this version of dpdl "
                                 f"reads up to {FORMAT}; accepted is another folder by --outputDir")
            return dict(database.execute(f"SELECT name, value FROM {table}"))
    except (sqlite3.Error, ValueError) as error:
        raise UsageError(f"{path}: is no catalogue of a sweep ({error}); accepted is a folder of "
                         "its own by --outputDir") from error


class Catalogue:
    """The rows of all runs, keyed by Run.hash, and the SQLite file that stores them."""

    def __init__(self, folder: Path, plan: Plan, retry: bool = False) -> None:
        """Reads the rows of earlier calls for runs of `plan`; writes nothing.

        With `retry`, failed runs count as pending.
        """
        self._plan = plan
        self._folder = folder
        self._path = folder / NAME
        self._factors = [name for name in plan.file.factors if name not in OWN]
        self._taken = {name.lower() for name in (*OWN, *self._factors)}
        self._written: set[str] = set()
        self.rows = {run.hash: self._empty(run) for run in plan.runs}
        self._adopt(retry)

    def count(self, state: str) -> int:
        """Number of runs in `state`: pending, done or failed."""
        return sum(row["state"] == state for row in self.rows.values())

    def pending(self) -> list[Run]:
        """Runs that have neither succeeded nor failed, in the order of the plan."""
        return [run for run in self._plan.runs if self.rows[run.hash]["state"] == PENDING]

    def ordered(self) -> list[Row]:
        """Rows of all runs, in the order of the plan."""
        return [self.rows[run.hash] for run in self._plan.runs]

    def end(self, run: Run, state: str, summary: Row, seconds: Sequence[float],
            error: str | None) -> None:
        """Sets the row of an ended run; save() or write() store it. `state` is done or failed,
        `seconds` are wall-clock and CPU time, `error` is the reason of a failure."""
        row = self._empty(run)
        row.update(self._numbers(summary))
        row.update(zip(TIMES, seconds))
        row.update(state=state, error=error)
        self.rows[run.hash] = row

    def write(self) -> None:
        """Replaces the whole file atomically. The same rows give the same file."""
        part = self._path.with_name(f".{NAME}.part")
        journal = self._path.with_name(f"{NAME}-journal")
        # Remove old journals: SQLite would roll the old file's journal back into the new file.
        for leftover in (part, part.with_name(part.name + "-journal"), journal):
            leftover.unlink(missing_ok=True)
        columns = self._columns()
        with closing(sqlite3.connect(part)) as database, database:
            database.execute(f"PRAGMA user_version = {FORMAT}")
            for table, words in (("sweep", self._plan.identity),
                                 ("setting", self._plan.asked.settings)):
                database.execute(f"CREATE TABLE {table} (name TEXT PRIMARY KEY, value TEXT)")
                database.executemany(f"INSERT INTO {table} VALUES (?, ?)", words.items())
            defined = ["id INTEGER PRIMARY KEY"] + [quoted(name) for name in columns[1:]]
            database.execute(f"CREATE TABLE run ({', '.join(defined)})")
            marks = ", ".join("?" for _ in columns)
            database.executemany(
                f"INSERT INTO run VALUES ({marks})",
                ([row.get(name) for name in columns] for row in self.ordered()),
            )
        os.replace(part, self._path)
        self._written = set(columns)

    def save(self, hashes: Iterable[str]) -> None:
        """Stores the rows of the runs with these hashes in one transaction."""
        rows = [self.rows[hash_] for hash_ in hashes]
        if not rows:
            return
        if not {name for row in rows for name in row} <= self._written:
            self.write()
            return
        with closing(sqlite3.connect(self._path, timeout=60)) as database, database:
            for row in rows:
                changes = ", ".join(f"{quoted(name)} = ?" for name in row)
                database.execute(f"UPDATE run SET {changes} WHERE id = ?",
                                 [*row.values(), row["id"]])

    def _empty(self, run: Run) -> Row:
        row: Row = {"id": run.number, "variant": run.variant}
        row.update({name: _value(run.factors.get(name)) for name in self._factors})
        return {**row, "seed": run.seed, "run": run.run, "trace": run.trace, "state": PENDING,
                "hash": run.hash, **dict.fromkeys(TIMES), "resumed": None, "error": None}

    def _numbers(self, summary: Row) -> Row:
        """Items of the summary whose names are neither another column nor a varied option."""
        return {name: value for name, value in summary.items() if name.lower() not in self._taken}

    def _columns(self) -> list[str]:
        numbers = {name: None for row in self.ordered() for name in row}
        known = [*FIRST, *self._factors, *SECOND]
        return known + [name for name in numbers if name not in {*known, *LAST}] + [*LAST]

    def _adopt(self, retry: bool) -> None:
        if not self._path.exists():
            return
        with closing(connect(self._path, "mode=rw", 60)) as database:
            database.row_factory = sqlite3.Row
            found = [dict(row) for row in database.execute("SELECT * FROM run")]
        before = [*FIRST, *self._factors, *SECOND]
        for old in found:
            row = self.rows.get(old["hash"])
            if row is None or row["trace"] != old["trace"] or old["state"] == PENDING:
                continue
            kept = {name: old.get(name) for name in (*TIMES, "resumed")}
            if old["state"] == FAILED and not retry:
                row.update(kept, state=FAILED, error=old["error"])
            trace = self._folder / row["trace"]
            if old["state"] == DONE and trace.exists():
                # A row with other columns may lack an item of the summary: read the trace again.
                same = list(old)[: len(before)] == before and LATE in old
                numbers = old if same else summary_of(trace)
                if numbers is not None:
                    row.update(self._numbers(numbers))
                    row.update(kept, state=DONE)


def _value(text: str | None) -> Any:
    """The value of an option as a number if it is one, else as text."""
    if text is None:
        return None
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if text.isascii() and "_" not in text and math.isfinite(number) and abs(number) < 2**63:
            return number
    return text
