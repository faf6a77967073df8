# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The views of a trace as files of other formats; what is public of them, or all."""

from __future__ import annotations

import base64
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence
from urllib.parse import quote

from dpdl_analysis.trace import Trace, UsageError

FORMATS = ("csv",)
"""What views can be exported to."""

PLANNED = ("parquet", "tensorboard")
"""Formats that are refused as not available yet."""


_MOST_HEAD = 65536
"""Bytes of the longest first line of a file that may be replaced."""


@dataclass(frozen=True)
class _View:
    """What is exported of a view: its columns, without the rows of these names."""

    name: str
    columns: Sequence[str]
    left_out: Sequence[str] = ()


def check_format(name: str) -> None:
    """Raises UsageError if there is no such format."""
    if name not in FORMATS:
        why = "not available yet" if name in PLANNED else "no such format"
        raise UsageError(f"--to={name}: {why}; accepted is {', '.join(FORMATS)}")


def export(trace: Trace, folder: Path, public: bool, overwrite: bool) -> list[Path]:
    """Writes every view as VIEW.csv into `folder`, which is made if it is missing; all files.

    With `public` the columns and rows that only the simulator may know are left out. Files appear
    when all are written. Raises UsageError if one exists and `overwrite` is not set, or if the
    trace does not say what is public.
    """
    views = _public(trace) if public else _all(trace)
    paths = [folder / f"{quote(view.name, safe='')}.csv" for view in views]
    _check(folder, paths, overwrite)
    for view, path in zip(views, paths):
        _check_kind(trace, view, path)
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as unfinished:
            made = [Path(unfinished) / path.name for path in paths]
            for view, path in zip(views, made):
                _write(trace, view, path)
            for path, place in zip(made, paths):
                os.replace(path, place)
    except OSError as error:
        raise UsageError(
            f"--output={folder}: {error.strerror}; accepted is a folder that can be written"
        ) from error
    return paths


def _check(folder: Path, paths: Sequence[Path], overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--output={folder}: is a file; accepted is a folder")
    if not folder.absolute().parent.is_dir():
        raise UsageError(
            f"--output={folder}: no folder {folder.absolute().parent}; accepted is a folder in one "
            "that exists"
        )
    existing = [path for path in paths if path.exists()]
    if existing and not overwrite:
        raise UsageError(f"{existing[0]}: exists; accepted is another --output, or --overwrite")


def _check_kind(trace: Trace, view: _View, path: Path) -> None:
    """Raises UsageError if `path` is there and no export of the view, public or whole."""
    if not os.path.lexists(path) or (path.is_file() and path.stat().st_size == 0):
        return
    known = {_cell(name) for name in (*trace.column_names(view.name), *view.columns)}
    head: list[str] = []
    if path.is_file():
        with path.open("rb") as stream:
            head = stream.readline(_MOST_HEAD).decode("utf-8", "replace").rstrip("\n").split(",")
    if not known.issuperset(head or [""]):
        raise UsageError(f"{path}: is no export of {view.name}; accepted is another --output")


def _all(trace: Trace) -> list[_View]:
    return [_View(name, trace.column_names(name)) for name in trace.views()]


def _public(trace: Trace) -> list[_View]:
    """The views with a public column; what no rule speaks of is private."""
    if not trace.has("column_privacy", "view", "column", "item", "standing"):
        raise UsageError(
            f"{trace.path}: trace schema {trace.schema_version()} does not say what is private; "
            "accepted with --public is schema 2, to which `./dpdl audit --trace` brings a trace"
        )
    columns: set[tuple[str, str]] = set()
    items: dict[str, list[str]] = {}
    for view, column, item, standing in trace.rows(
        'SELECT "view", "column", item, standing FROM column_privacy'
    ):
        if item is None and standing == "public":
            columns.add((view, column))
        elif item is not None and standing != "public":
            items.setdefault(view, []).append(item)
    found = [
        _View(
            view.name,
            [name for name in view.columns if (view.name, name) in columns],
            items.get(view.name, []),
        )
        for view in _all(trace)
    ]
    return [view for view in found if view.columns]


def _write(trace: Trace, view: _View, path: Path) -> None:
    names = ", ".join(_quoted(name) for name in view.columns)
    where = ""
    if view.left_out:
        where = f" WHERE name NOT IN ({', '.join('?' * len(view.left_out))})"
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(",".join(_cell(name) for name in view.columns) + "\n")
        for row in trace.each(f"SELECT {names} FROM {_quoted(view.name)}{where}", view.left_out):
            out.write(",".join(map(_cell, row)) + "\n")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cell(value: Any) -> str:
    """NULL as nothing, an empty text as "", numbers with all digits, a BLOB in base64."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if not isinstance(value, str):
        return repr(value)
    if value and not any(letter in value for letter in ',"\r\n'):
        return value
    return '"' + value.replace('"', '""') + '"'
