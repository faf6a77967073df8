# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads users' text files, and atomically replaces files of the same kind."""

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator

from dpdl_analysis.trace import APPLICATION_ID, UsageError

LIST = "campaign.json"
PICTURES = (".pdf", ".svg", ".png")
"""Suffixes of figures."""
_HEAD = 1024
"""Number of bytes at the start of a file that identify its kind."""


KINDS: dict[str, Callable[[bytes], bool]] = {
    "page of dpdl": lambda head: head.lower().startswith(b"<!doctype html") and b"<title>dpdl: " in head,
    # https://www.sqlite.org/fileformat.html
    "trace": lambda head: head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(4, "big"),
    ".png picture": lambda head: head.startswith(b"\x89PNG"),
    ".svg picture": lambda head: b"<svg" in head,
    ".pdf picture": lambda head: head.startswith(b"%PDF-"),
}
"""Tests by kind of file: true if the first _HEAD bytes are those of such a file."""


def text_of(path: Path, accepted: str, most: int = 10**8) -> str:
    """Text of a user's file, without byte order mark, with line ends "\\n".

    Raises UsageError, which ends with `accepted`, unless it is a regular file of UTF-8 text with up
    to `most` bytes.
    """
    try:
        # Reading from a pipe could block indefinitely.
        if path.exists() and not path.is_file():
            raise ValueError("is not the name of a regular file")
        with path.open("rb") as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise ValueError(f"longer than {most} bytes")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"file '{path}': {reason}; {accepted}") from error
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"file '{path}', line {line}: is not UTF-8 text; {accepted}") from error


def listed_runs(folder: Path, accepted: str) -> tuple[str, list[dict[str, Any]]]:
    """Scenario and entries of campaign.json. Raises UsageError, which ends with `accepted`."""
    path = folder / LIST
    try:
        content = json.loads(text_of(path, accepted))
        found, runs = str(content["scenario"]), content["runs"]
        entries = [
            {**run, "trace": str(run["trace"]), "factors": dict(run["factors"])} for run in runs
        ]
        if not all("run" in entry for entry in entries):
            raise KeyError("run")
        return found, entries
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{path}: not the list of a campaign; {accepted}") from error


def check_kind(option: str, output: Path, kind: str) -> None:
    """Raises UsageError naming `option` if `output` exists and is no file of `kind`, a key of
    KINDS. An empty file is accepted as any kind."""
    accepted = f"accepted is a new file, or a {kind} to replace"
    if not os.path.lexists(output):
        return
    if not output.is_file():
        raise UsageError(f"{option}: is no file; {accepted}")
    try:
        with output.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{option}: {error.strerror}; {accepted}") from error
    if head and not KINDS[kind](head):
        raise UsageError(f"{option}: is a file of another kind; {accepted}")


def check_folder(option: str, output: Path, accepted: str) -> None:
    """Raises UsageError, which ends with `accepted`, unless the folder of `output` is writable."""
    if not os.access(output.parent, os.W_OK):
        raise UsageError(f"{option}: {output.parent} cannot be written; {accepted}")


def check_output(output: Path, *suffixes: str) -> None:
    """Raises UsageError unless `output` ends in one of `suffixes`, is in a writable folder, and is
    new or a file of its kind."""
    accepted = f"accepted is a {' or '.join(suffixes)} file in a folder that can be written"
    if output.suffix not in suffixes:
        raise UsageError(f"--output={output}: {accepted}")
    check_folder(f"--output={output}", output, accepted)
    kind = "page of dpdl" if output.suffix == ".html" else f"{output.suffix} picture"
    check_kind(f"--output={output}", output, kind)


@contextmanager
def replacing(output: Path, kind: str) -> Iterator[str]:
    """Context that yields the name of a temporary file, which replaces `output` at the end.

    A failure leaves `output` untouched. Raises UsageError if `output` is not writable, or exists
    and is no file of `kind`, a key of KINDS.
    """
    check_kind(f"--output={output}", output, kind)
    try:
        handle, name = tempfile.mkstemp(output.suffix, f".{output.stem}-", output.parent)
    except OSError as error:
        raise UsageError(
            f"--output={output}: {error.strerror}; accepted is a file in a writable folder"
        ) from error
    os.close(handle)
    try:
        yield name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, output)
    except BaseException:
        os.unlink(name)
        raise
