# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One trace file, opened read-only and read through its public views."""

import math
import os
import re
import sqlite3
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from dpdl_analysis import checksums
from dpdl_analysis.formatting import Value

SCHEMA_VERSION = 2
"""Newest version of the trace schema that this package reads. All versions from 1 are read."""

APPLICATION_ID = 0x6470646C
"""SQLite's `application_id` of a trace: the letters "dpdl" in ASCII."""

VIEWS: dict[str, tuple[str, ...]] = {
    view: tuple(columns.split())
    for view, columns in {
        "summary": "name value unit meaning",
        "settings": "name value",
        "accuracy_by_round": "round simulated_seconds accuracy_mean accuracy_worst "
        "accuracy_of_mean_model loss_mean consensus_distance",
        "accuracy_by_node": "round node accuracy loss",
        "guarantee_by_node": "node claimed certified observed delta adjacency reason "
        "accountant claim_reason stopped_in_round budget",
        "guarantee_by_round": "round claimed_max certified_max",
        "release": "node round mechanism sampler rate sensitivity noise noise_multiplier flags",
        "delivery": "round source target weight bytes sent_at arrived_at used_in_round fate chunk "
        "cause place",
        "delivery_by_link": "source target sent delivered lost bytes delay_mean delay_p99",
        "mass_by_round": "round w_at_nodes w_in_flight w_lost w_error x_error",
        "q_by_window": "first_round last_round q_bound q_designed q_realised "
        "strongly_connected effective_nodes worst_pair largest_influence w_min w_max "
        "one_minus_q_bound window_b diameter",
        "violation": "round node assumption detail",
        "snapshot": "round node w z",
        "audit": "node observed confidence runs game audited_by audited_at",
        "column_privacy": "view column item standing reason",
    }.items()
}
"""Names of the columns of each public view, by view."""

SINCE = {"audit": 2, "column_privacy": 2}
"""Schema version that introduced a view; views that are not listed are in version 1."""


UNREADABLE = (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError)
"""Exceptions of sqlite3 for a damaged file or a wrong query; the last for messages without UTF-8."""


Parameters = Sequence[Any] | Mapping[str, Any]


class UsageError(Exception):
    """A mistake of the user: one line with the option, the value and the accepted values."""


class DamagedTrace(Exception):
    """The file is a trace, but SQLite cannot read all of it."""


@dataclass(frozen=True)
class SummaryRow:
    """One item of a run's summary: a number, a text or None, with its unit and meaning."""

    name: str
    value: Value
    unit: str
    meaning: str


def _as_value(value: Any) -> Value:
    """A value of the summary; converts text to a number if possible."""
    if value is None or isinstance(value, (int, float)):
        return value
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    try:
        return float(text)
    except ValueError:
        return text


def connect(path: Path, mode: str = "mode=ro", timeout: float = 5.0) -> sqlite3.Connection:
    """Opens an existing SQLite file; `mode` is SQLite's URI query, `timeout` is in seconds."""
    place = quote(os.fsencode(path.absolute()))
    return sqlite3.connect(f"file:{place}?{mode}", timeout=timeout, uri=True)


def quoted(name: str) -> str:
    """A name in double quotes, for SQL and CSV."""
    return '"' + name.replace('"', '""') + '"'


_listener: ContextVar[Callable[[Path], object]] = ContextVar("opened", default=lambda path: None)


REACH: ContextVar[tuple[str, ...]] = ContextVar("reach", default=())
"""Mean accuracies in percent, as text. Summaries get the time, rounds and bytes to reach each."""
REACHED = re.compile(r"(time|rounds|bytes)_to_([\d.]+)")
"""Matches items such as time_to_70.5: a quantity, and a mean accuracy in percent."""


@contextmanager
def traces_opened() -> Iterator[list[Path]]:
    """Context that yields a list of paths, which grows by each trace opened within it."""
    paths: list[Path] = []
    before = _listener.set(paths.append)
    try:
        yield paths
    finally:
        _listener.reset(before)


class Trace:
    """An open trace file, to be used as a context manager. Trace never writes to the file.

    A file without a write-ahead log is opened as immutable, so SQLite creates no other files. A
    file with a log, of a running or killed run, is opened read-only.
    """

    def __init__(self, path: str | Path, salvage: bool = False) -> None:
        """Opens `path`. With `salvage`, queries return the rows before damage of the file, and
        attribute `damage` lists the damage as texts. Raises UsageError if the file is missing, is
        no trace, or has a newer schema."""
        self.path = Path(path)
        _listener.get()(self.path)
        self._salvage = salvage
        self.damage: list[str] = []
        self._check_file()
        log = self.path.with_name(self.path.name + "-wal")
        mode = "mode=ro" if log.exists() else "mode=ro&immutable=1"
        with ExitStack() as on_error:
            try:
                self._connection = connect(self.path, mode)
                on_error.callback(self._connection.close)
                self._connection.text_factory = partial(str, encoding="utf-8", errors="replace")
                self._connection.execute("PRAGMA query_only = 1")
                if salvage:
                    # This setting lets SQLite open a truncated file. Nothing is written.
                    self._connection.execute("PRAGMA writable_schema = 1")
                    if not log.exists():
                        self.damage += self._cut_short()
                sql = "SELECT name FROM sqlite_master WHERE type IN ('view', 'table')"
                self._names = {row[0] for row in self._connection.execute(sql)}
            except UNREADABLE as error:
                raise UsageError(f"{path}: SQLite cannot read it ({error}); {ACCEPTED}") from error
            self._check_schema()
            self.summary = self._read_summary()
            self.settings = self._read_settings()
            on_error.pop_all()

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    @property
    def name(self) -> str:
        """Name of the file without folder and suffix."""
        return self.path.stem

    @property
    def complete(self) -> bool:
        """True if the run reached its last round."""
        return self.text("state") == "complete"

    def number(self, name: str) -> float | None:
        """Number of the summary's item `name`; None if it is missing or no number."""
        row = self.summary.get(name)
        return row.value if row and isinstance(row.value, (int, float)) else None

    def text(self, name: str) -> str | None:
        """Text of the summary's item `name`; None if it is missing or no text."""
        row = self.summary.get(name)
        return row.value if row and isinstance(row.value, str) else None

    def setting(self, name: str) -> str | None:
        """Value of an option or ns-3 attribute that the run used, as text; None if not recorded."""
        return self.settings.get(name)

    def has(self, view: str, *columns: str) -> bool:
        """True if the file has this view or table, with all of `columns`."""
        return view in self._names and (not columns or set(columns) <= set(self.columns(view)))

    def columns(self, view: str) -> list[str]:
        """Names of the columns of a view, in order; [] if the view is missing."""
        return [row[0] for row in self.rows("SELECT name FROM pragma_table_info(?)", (view,))]

    def named(self, kind: str = "view") -> list[str]:
        """Names of all views, or of all tables for `kind` "table", in the order of creation."""
        found = self.rows("SELECT name FROM sqlite_master WHERE type = ? ORDER BY rowid", (kind,))
        return [row[0] for row in found]

    def rows(self, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
        """The rows of table()."""
        return self.table(sql, parameters)[1]

    def table(self, sql: str, parameters: Parameters = ()
              ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Names of the columns and all rows of a query's result; with `salvage`, the rows before
        damage of the file. Raises DamagedTrace, without `salvage`, if SQLite cannot read them."""
        names: list[str] = []
        found: list[tuple[Any, ...]] = []
        try:
            result = self._connection.execute(sql, parameters)
            names += [column[0] for column in result.description or ()]
            found.extend(result)
        except UNREADABLE as error:
            if not self._salvage:
                raise DamagedTrace(f"{self.path}: {error}") from error
            if str(error) not in self.damage:
                self.damage.append(str(error))
        return names, found

    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yields the rows of a query one by one, for results that do not fit into memory.

        Raises DamagedTrace if SQLite cannot read the rows, also with `salvage`.
        """
        with self._damage():
            yield from self._connection.execute(sql, parameters)

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Value in the first row and column of a query's result; None if there are no rows."""
        found = self.rows(sql, parameters)
        return found[0][0] if found else None

    def is_sealed(self) -> bool:
        """True if the file has checksums. Raises DamagedTrace if SQLite cannot read the schema."""
        with self._damage():
            return checksums.is_sealed(self._connection)

    def changes(self) -> list[str]:
        """One message per part of the file that differs from its checksum. Raises DamagedTrace if
        SQLite cannot read the file."""
        with self._damage():
            return checksums.damage(self._connection)

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """Context that raises DamagedTrace for SQLite's errors."""
        try:
            yield
        except UNREADABLE as error:
            raise DamagedTrace(f"{self.path}: {error}") from error

    def schema_version(self) -> int:
        """Version of the trace's schema."""
        return int(self.one("PRAGMA user_version") or 0)

    def _check_file(self) -> None:
        try:
            if not self.path.exists():
                raise UsageError(f"{self.path}: no such file; {ACCEPTED}")
            if not self.path.is_file():
                raise UsageError(f"{self.path}: not a file; {ACCEPTED}")
            with self.path.open("rb") as stream:
                magic = stream.read(16)
        except OSError as error:
            raise UsageError(f"{self.path}: {error.strerror}; {ACCEPTED}") from error
        if magic != b"SQLite format 3\x00":
            raise UsageError(f"{self.path}: not an SQLite file; {ACCEPTED}")

    def _cut_short(self) -> list[str]:
        """Message about a file that is shorter than the size in its header; [] if it is not."""
        with self.path.open("rb") as stream:
            header = stream.read(100)
        page = int.from_bytes(header[16:18], "big")
        page = 65536 if page == 1 else page
        said = page * int.from_bytes(header[28:32], "big")
        # The count of pages is valid only if the two change counters in the header are equal.
        known = header[24:28] == header[92:96]
        size = self.path.stat().st_size
        return [f"{size} of {said} bytes are there"] if known and size < said else []

    def _check_schema(self) -> None:
        if not self.has("summary", *VIEWS["summary"][:2]):
            if self.one("PRAGMA application_id") == APPLICATION_ID:
                raise UsageError(
                    f"{self.path}: a dpdl trace, but its run ended before anything was written, "
                    f"or the summary is damaged; {ACCEPTED}"
                )
            raise UsageError(
                f"{self.path}: an SQLite file, but no dpdl trace (it has no summary view); "
                f"{ACCEPTED}"
            )
        version = self.schema_version()
        if not 1 <= version <= SCHEMA_VERSION:
            what = "is newer than this dpdl" if version > 0 else "does not exist"
            raise UsageError(
                f"{self.path}: trace schema {version} {what}; "
                f"schemas up to {SCHEMA_VERSION} are accepted"
            )

    def _read_summary(self) -> dict[str, SummaryRow]:
        extra = [name for name in ("unit", "meaning") if self.has("summary", name)]
        columns = ", ".join(["name", "value"] + (extra if len(extra) == 2 else ["''", "''"]))
        rows = [SummaryRow(row[0], _as_value(row[1]), row[2] or "", row[3] or "")
                for row in self.rows(f"SELECT {columns} FROM summary")]
        rows += [row for percent in REACH.get() for row in self._reached(percent)]
        return {row.name: row for row in rows}

    def _reached(self, percent: str) -> Iterator[SummaryRow]:
        """Yields items for time, rounds and bytes until a mean accuracy; inf if never reached."""
        if not self.has("accuracy_by_round", "round", "simulated_seconds", "accuracy_mean"):
            return
        found = self.rows("SELECT round, simulated_seconds FROM accuracy_by_round WHERE "
                          "accuracy_mean >= ? ORDER BY round", (float(percent) / 100.0,))
        k, seconds = found[0] if found else (math.inf, math.inf)
        first = f"the first evaluation with a mean accuracy of {percent} % or more; inf: none"
        yield SummaryRow(f"time_to_{percent}", seconds, "s", f"simulated time of {first}")
        yield SummaryRow(f"rounds_to_{percent}", k, "rounds done", f"rounds until {first}")
        if self.has("delivery", "round", "bytes", "fate") and self.one("SELECT 1 FROM delivery"):
            sent = self.one("SELECT SUM(bytes) FROM delivery WHERE round < ? AND "
                            "fate <> 'duplicate'", (k,)) or 0
            yield SummaryRow(f"bytes_to_{percent}", sent if found else k, "bytes",
                             f"sent by all nodes until {first}")

    def _read_settings(self) -> dict[str, str]:
        if not self.has("settings", "name", "value"):
            return {}
        found = self.rows("SELECT name, value FROM settings")
        return {row[0]: "" if row[1] is None else str(row[1]) for row in found}


ACCEPTED = "accepted is a trace written by a dpdl run (NAME-SEED-RUN.db)"
"""End of error messages about an argument that is no trace."""
