# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Command `./dpdl resume`: restarts the program of an incomplete run from the run's trace."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from dpdl_analysis.formatting import message
from dpdl_analysis.sweep.program import known
from dpdl_analysis.trace import Trace, UsageError

VARIABLE = "environment "
"""Prefix of the names of environment variables in view `origin`."""


def origin_of(path: Path) -> list[tuple[str, str]] | None:
    """Rows (name, value) of view `origin`: program, folder and environment at the start of the run.
    None if the run is complete. Raises UsageError if the trace has no such rows."""
    with Trace(path) as trace:
        if trace.complete:
            return None
        found = trace.rows("SELECT name, value FROM origin ORDER BY position") \
            if trace.has("origin") else []
    if not {"program", "folder", "word"} <= {name for name, _ in found}:
        raise UsageError(f"{path}: does not say how its run was begun; accepted is the trace of one "
                         "run of one process, killed after its first commit")
    return [(str(name), str(value)) for name, value in found]


def program_of(path: Path) -> str:
    """Program of an incomplete run, if this clone has it; else "". Raises UsageError."""
    name = dict(origin_of(path) or []).get("program", "")
    return name if name in known() else ""


def resume(path: Path, build: Path) -> int:
    """Replaces this process by the program in the folder `build` that resumes the run in `path`.
    Returns the exit code 0 if the run is complete. Raises UsageError if the run cannot be
    resumed."""
    origin = origin_of(path)
    if origin is None:
        text = message(f"{path}: is complete; there is nothing to go on with")
        print(f"dpdl: {text}", file=sys.stderr)
        print(f"trace: {path}")
        return 0
    _begin(path, build, origin)


def _begin(path: Path, build: Path, origin: list[tuple[str, str]]) -> NoReturn:
    begun = dict(reversed(origin))
    name, folder = begun["program"], Path(begun["folder"])
    program = folder / begun["word"] if name not in known() else build / known()[name] / name
    if not os.access(program, os.X_OK):
        raise UsageError(f"{path}: its program '{program}' is not there")
    sys.stdout.flush()
    os.execve(program, [str(program), f"--resume={path}"], environment_of(origin))


def environment_of(origin: list[tuple[str, str]]) -> dict[str, str]:
    """Environment of this process, with the variables that `origin` has set or unset."""
    environment = dict(os.environ)
    for key, value in origin:
        if key.startswith(VARIABLE):
            environment.pop(key.removeprefix(VARIABLE), None)
            if value != "not set":
                environment[key.removeprefix(VARIABLE)] = value
    return environment
