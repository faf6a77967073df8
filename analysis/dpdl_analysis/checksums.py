# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums of a trace's tables and schema, which reveal damage (doc/formats/trace.md)."""

import sqlite3
import struct
from contextlib import contextmanager
from itertools import islice
from typing import Any, Callable, Iterable, Iterator, Sequence

PRIME = 2**64 - 59

MAY_GROW = ("audit_entry",)
"""Tables to which other programs may append."""

OBJECTS = "SELECT type || ' ' || name, type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"
NOTES = "SELECT name, rows, value FROM checksum WHERE name <> 'checksum' ORDER BY name"


class _Text(bytes):
    """The stored bytes of a TEXT value; sqlite3 returns BLOB values as bytes."""


_TYPES: dict[type, int] = {type(None): 0, int: 1, float: 2, _Text: 3, bytes: 4}


_FORMATS = ("", "q", "d")
"""Formats of Python's module struct for NULL, INTEGER and REAL, by their code in _TYPES."""

_AT_ONCE = 1 << 16
"""Number of bytes that are reduced modulo PRIME together."""


def checksum(rows: Iterable[Sequence[Any]]) -> tuple[int, int]:
    """Number of rows, and their checksum modulo PRIME as a signed 64-bit integer."""
    value, count, words = 1, 0, bytearray()
    plain: dict[tuple[type, ...], Callable[..., bytes]] = {}
    for row in rows:
        shape = tuple(map(type, row))
        pack = plain.get(shape)
        if pack is None and not {bytes, _Text}.intersection(shape):
            pack = plain[shape] = _packer(shape)
        words += pack(*row) if pack else _words(row)
        if len(words) >= _AT_ONCE:
            value = _append(value, words)
            words.clear()
        count += 1
    value = _append(value, words)
    return count, value - 2**64 if value >= 2**63 else value


def _append(value: int, words: bytearray) -> int:
    return ((value << (8 * len(words))) + int.from_bytes(words, "big")) % PRIME


def _packer(shape: Sequence[type]) -> Callable[..., bytes]:
    """A function that packs a row of NULLs and numbers, whose types are `shape`, into bytes."""
    form = struct.Struct(">" + "".join(_FORMATS[_TYPES[kind]] for kind in shape) + "Q")
    types = _kinds(shape)
    if type(None) not in shape:
        return lambda *row: form.pack(*row, types)
    return lambda *row: form.pack(*(item for item in row if item is not None), types)


def _kinds(shape: Sequence[type]) -> int:
    """Codes in _TYPES of a row's values, four bits each."""
    types = 0
    for kind in shape:
        types = types << 4 | _TYPES[kind]
    return types


def _words(row: Sequence[Any]) -> bytes:
    """Packs the values of any row into bytes, with their types at the end."""
    words = bytearray()
    for item in row:
        kind = _TYPES[type(item)]
        if kind in (1, 2):
            words += struct.pack(">" + _FORMATS[kind], item)
        elif kind:
            words += struct.pack(">Q", len(item)) + item + bytes(-len(item) % 8)
    return bytes(words + struct.pack(">Q", _kinds([type(item) for item in row])))


@contextmanager
def _raw(database: sqlite3.Connection) -> Iterator[None]:
    """Context in which queries return TEXT values as their stored bytes."""
    usual = database.text_factory
    database.text_factory = _Text
    try:
        yield
    finally:
        database.text_factory = usual


def is_sealed(database: sqlite3.Connection) -> bool:
    """True if the schema mentions the table of checksums, even if that table is damaged."""
    found = database.execute(
        "SELECT 1 FROM sqlite_master WHERE name || tbl_name || sql LIKE '%checksum%'"
    )
    return found.fetchone() is not None


def damage(database: sqlite3.Connection) -> list[str]:
    """One message per table or schema object that is damaged. Raises sqlite3.DatabaseError."""
    with _raw(database):
        notes = database.execute(NOTES).fetchall()
        whole = database.execute("SELECT rows, value FROM checksum WHERE name = 'checksum'")
        if whole.fetchall() != [checksum(notes)]:
            return ["the table of checksums is not what was written"]
        noted = {bytes(name).decode("utf-8"): (rows, value) for name, rows, value in notes}
        return list(_schema(database, noted)) + list(_tables(database, noted))


def _schema(database: sqlite3.Connection, noted: dict[str, tuple[int, int]]) -> Iterator[str]:
    found = {bytes(row[0]): checksum([row]) for row in database.execute(OBJECTS)}
    for name, value in noted.items():
        if " " in name and found.get(name.encode("utf-8")) != value:
            yield f"{name} is not what was written"
    if checksum([_identity(database)]) != noted.get("file"):
        yield "the file's identity or version is not what was written"


def _tables(database: sqlite3.Connection, noted: dict[str, tuple[int, int]]) -> Iterator[str]:
    for name, (rows, value) in noted.items():
        if " " in name or name == "file":
            continue
        found = database.execute(f"SELECT * FROM {name} ORDER BY rowid")
        if checksum(islice(found, rows)) != (rows, value):
            yield f"table {name} does not hold the {rows} rows that were written"
        elif name not in MAY_GROW and found.fetchone() is not None:
            yield f"table {name} has rows that were not written with the others"


def _identity(database: sqlite3.Connection) -> tuple[int, ...]:
    ids = ("application_id", "user_version")
    return tuple(database.execute(f"PRAGMA {name}").fetchone()[0] for name in ids)


def seal(database: sqlite3.Connection) -> None:
    """Recomputes the checksums of a changed trace, if it has any. The caller commits."""
    if not is_sealed(database):
        return
    names = [row[0] for row in database.execute("SELECT name FROM checksum")]
    with _raw(database):
        notes = {row[0].decode(): checksum([row]) for row in database.execute(OBJECTS).fetchall()}
        notes["file"] = checksum([_identity(database)])
        for name in names:
            if " " not in name and name not in ("file", "checksum"):
                rows = database.execute(f"SELECT * FROM {name} ORDER BY rowid")
                notes[name] = checksum(rows)
        _note(database, notes)
        _note(database, {"checksum": checksum(database.execute(NOTES))})


def _note(database: sqlite3.Connection, notes: dict[str, tuple[int, int]]) -> None:
    database.executemany(
        "INSERT OR REPLACE INTO checksum VALUES (?, ?, ?)",
        [(name, *value) for name, value in notes.items()],
    )
