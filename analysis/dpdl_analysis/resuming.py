# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""./dpdl resume: calls the program of an incomplete run as it was called when the run began."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from dpdl_analysis.formatting import message
from dpdl_analysis.sweep.program import known
from dpdl_analysis.trace import Trace, UsageError

VARIABLE = "environment "
"""What stands before the name of a variable of the environment."""


def origin_of(path: Path) -> list[tuple[str, str]] | None:
    """Names and values of what the run began with; None: it is complete. Raises UsageError if the
    trace does not say."""
    with Trace(path) as trace:
        if trace.complete:
            return None
        found = trace.rows("SELECT name, value FROM origin ORDER BY position") \
            if trace.has("origin") else []
    if not found:
        raise UsageError(f"{path}: does not say how its run was begun; accepted is the trace of one "
                         "run of one process, killed after its first commit")
    return [(str(name), str(value)) for name, value in found]


def program_of(path: Path) -> str:
    """The scenario that made the run, if it is one of this checkout and the run is incomplete."""
    name = dict(origin_of(path) or []).get("program", "")
    return name if name in known() else ""


def resume(path: Path, build: Path) -> int:
    """Goes on with a run in place of this process, by a program of the build folder; else the exit
    code."""
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
    """This process's environment, with the variables that the run began with."""
    environment = dict(os.environ)
    for key, value in origin:
        if key.startswith(VARIABLE):
            environment.pop(key.removeprefix(VARIABLE), None)
            if value != "not set":
                environment[key.removeprefix(VARIABLE)] = value
    return environment
