# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports the views of a trace to CSV, Parquet or TensorBoard, in full or only public values."""

import base64
import importlib.util
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence
from urllib.parse import quote

from dpdl_analysis.trace import Trace, UsageError, quoted

NEEDED = {"csv": (), "parquet": ("pyarrow",), "tensorboard": ("tensorboard",)}
"""Formats of an export, and the packages that each one needs."""

ACTIVE = "VIRTUAL_ENV"
"""Environment variable with the active virtual environment, which adds its packages."""
EVENTS = "events.out.tfevents."
"""Prefix of the names of TensorBoard's files."""

_MOST_HEAD = 65536
"""Maximum length in bytes of the first line of a file that an export may replace."""


@dataclass(frozen=True)
class _View:
    """The exported part of a view: `columns`, without rows whose column `name` is in `left_out`."""

    name: str
    columns: Sequence[str]
    left_out: Sequence[str] = ()


def check_format(name: str) -> None:
    """Raises UsageError if the format `name` is unknown, or its package is missing."""
    if name not in NEEDED:
        raise UsageError(f"--to={name}: no such format; accepted is {', '.join(NEEDED)}")
    version = "python{}.{}".format(*sys.version_info)
    site = Path(os.environ.get(ACTIVE, "")) / "lib" / version / "site-packages"
    if ACTIVE in os.environ and site.is_dir() and str(site) not in sys.path:
        sys.path.append(str(site))
    missing = [package for package in NEEDED[name] if importlib.util.find_spec(package) is None]
    if missing:
        raise UsageError(f"--to={name}: needs the package {missing[0]}; accepted after {sys.executable} "
                         f"-m venv ENV && . ENV/bin/activate && pip install {missing[0]}")


def export(trace: Trace, folder: Path, public: bool, overwrite: bool,
           to: str = "csv") -> list[Path]:
    """Writes every view of a trace into `folder`, and returns the paths of the files.

    `to` is csv or parquet, with one file VIEW.csv or VIEW.parquet per view, or tensorboard, with
    one file that has a scalar VIEW/COLUMN for each number of the views with one row per round.
    `public` omits columns and rows that only the simulator may know. Creates `folder` if it is
    missing. Files appear once all are written. Raises UsageError if a file exists and `overwrite`
    is not set, or if the trace lacks the data on what is public.
    """
    views = _public(trace) if public else _all(trace)
    paths = [folder / f"{quote(view.name, safe='')}.{to}" for view in views]
    if to == "tensorboard":
        paths = sorted(folder.glob(f"{EVENTS}*"))
    check_place(folder, paths, overwrite)
    for view, path in zip(views, paths):
        _check_kind(trace, view, path)
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as unfinished:
            if to == "tensorboard":
                made = _write_events(trace, views, Path(unfinished))
                for path in paths:
                    path.unlink()
                paths = [folder / path.name for path in made]
            else:
                write = _write_parquet if to == "parquet" else _write
                made = [Path(unfinished) / path.name for path in paths]
                for view, path in zip(views, made):
                    write(trace, view, path)
            for path, place in zip(made, paths):
                os.replace(path, place)
    except OSError as error:
        raise UsageError(
            f"--output={folder}: {error.strerror}; accepted is a folder that can be written"
        ) from error
    return paths


def check_place(folder: Path, paths: Sequence[Path], overwrite: bool) -> None:
    """Raises UsageError if `folder` has no parent or is a file, or a path exists."""
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
    """Raises UsageError if the file at `path` is no earlier export of the view."""
    if not os.path.lexists(path) or (path.is_file() and path.stat().st_size == 0):
        return
    if path.name.startswith(EVENTS):
        return
    known = {_text(name) for name in (*trace.columns(view.name), *view.columns)}
    head: list[str] = []
    if path.is_file() and path.suffix == ".parquet":
        head = _parquet_columns(path)
    elif path.is_file():
        with path.open("rb") as stream:
            head = stream.readline(_MOST_HEAD).decode("utf-8", "replace").rstrip("\n").split(",")
    if not known.issuperset(head or [""]):
        raise UsageError(f"{path}: is no export of {view.name}; accepted is another --output")


def _all(trace: Trace) -> list[_View]:
    return [_View(name, trace.columns(name)) for name in trace.named()]


def _public(trace: Trace) -> list[_View]:
    """The public part of each view, by view column_privacy. Unlisted columns are private."""
    has_rules = trace.has("column_privacy", "view", "column", "item", "standing")
    if not has_rules or "certifiedPart" not in trace.settings:
        raise UsageError(
            f"{trace.path}: was written by a dpdl that did not note what its certificate covers; "
            "accepted with --public is a trace with the setting certifiedPart"
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


def _rows(trace: Trace, view: _View) -> Iterator[Sequence[Any]]:
    names = ", ".join(quoted(name) for name in view.columns)
    where = ""
    if view.left_out:
        where = f" WHERE name NOT IN ({', '.join('?' * len(view.left_out))})"
    return trace.each(f"SELECT {names} FROM {quoted(view.name)}{where}", view.left_out)


def _write(trace: Trace, view: _View, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(",".join(map(_text, view.columns)) + "\n")
        for row in _rows(trace, view):
            out.write(",".join([_CELLS[type(value)](value) for value in row]) + "\n")


def _write_parquet(trace: Trace, view: _View, path: Path) -> None:
    """Writes a Parquet file. A column with values of several types becomes float or text."""
    import pyarrow
    from pyarrow import parquet

    columns = list(zip(*_rows(trace, view))) or [()] * len(view.columns)
    arrays = {}
    for name, values in zip(view.columns, columns):
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1:
            kind = float if kinds == {int, float} else str
            values = tuple(None if value is None else kind(value) for value in values)
        arrays[name] = pyarrow.array(values)
    parquet.write_table(pyarrow.table(arrays), path)


def _parquet_columns(path: Path) -> list[str]:
    from pyarrow import ArrowException, parquet

    try:
        return [_text(name) for name in parquet.read_schema(path).names]
    except (ArrowException, OSError):
        return []


def _write_events(trace: Trace, views: Sequence[_View], folder: Path) -> list[Path]:
    """Writes a scalar per number of each view with one row per round; the round is the step."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(folder))
    for view in views:
        rows = list(_rows(trace, view)) if "round" in view.columns else []
        place = list(view.columns).index("round") if rows else 0
        if len({row[place] for row in rows}) < len(rows):
            continue
        for row in rows:
            values = [Summary.Value(tag=f"{view.name}/{name}", simple_value=value)
                      for name, value in zip(view.columns, row)
                      if name != "round" and isinstance(value, (int, float))]
            writer.add_event(Event(step=row[place], summary=Summary(value=values)))
    writer.close()
    return sorted(folder.iterdir())


def _text(value: str) -> str:
    if value and not any(letter in value for letter in ',"\r\n'):
        return value
    return quoted(value)


_CELLS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    int: int.__repr__,
    float: float.__repr__,
    str: _text,
    bytes: lambda value: base64.b64encode(value).decode("ascii"),
}
"""CSV form of a value by its type: NULL is empty, an empty text is "", a BLOB is in base64."""
