# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The clone or wheel of dpdl with its programs, and calls of its command line."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Iterator, Sequence
from urllib.parse import unquote, urlparse

HOME = "DPDL_HOME"
WHEEL = Path(__file__).resolve().parent / "installed" / "bin"
ROUND = re.compile(r"round (\d+)/(\d+)")
BUILDING = re.compile(r"^dpdl: (building|configuring|installing)")
INTERRUPTED = 130


class Error(Exception):
    """An option that dpdl refuses, or a failure of dpdl: a message of one line."""


@lru_cache(maxsize=None)
def home() -> Path:
    """Folder of the program `dpdl`: of the wheel, or of the clone.

    The clone is the folder in the environment variable DPDL_HOME, or the one that contains this
    package or from which the package was installed. Raises Error if there is none."""
    if WHEEL.is_dir() and HOME not in os.environ:
        return WHEEL
    for place in _places():
        if (place / "dpdl").is_file() and (place / "contrib" / "dpdl").is_dir():
            # Import dpdl_analysis from this clone: it reads the traces of this clone's programs, so
            # both must have the same version.
            if str(place / "analysis") not in sys.path:
                sys.path.append(str(place / "analysis"))
            return place
        if HOME in os.environ:
            raise Error(f"{HOME} is '{place}', expected the folder of a clone of dpdl")
    raise Error(f"no clone of dpdl is known; set {HOME} to its folder")


def _places() -> Iterator[Path]:
    if HOME in os.environ:
        yield Path(os.environ[HOME])
        return
    yield Path(__file__).resolve().parents[2]
    try:
        text = metadata.distribution("dpdl").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        text = None
    if text:
        yield Path(unquote(urlparse(json.loads(text)["url"]).path)).parent


@contextmanager
def as_error() -> Iterator[None]:
    """Context for calls of dpdl_analysis: raises Error for a file or value that it refuses."""
    home()
    from dpdl_analysis.trace import DamagedTrace, UsageError

    try:
        yield
    except (DamagedTrace, UsageError, OSError, OverflowError, ValueError) as error:
        raise Error(str(error)) from error


def call(words: Sequence[str], progress: bool | None = False) -> str:
    """Runs `./dpdl` with the arguments `words`, and returns its standard output.

    `progress` shows completed rounds on standard error; None: only in terminals and notebooks.
    Other lines on standard error become warnings. Raises Error with the last of these lines if the
    command fails. Passes SIGINT on to the program, which closes its trace, and raises
    KeyboardInterrupt."""
    bar, lines = _Bar(progress), []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        try:
            own = {"VIRTUAL_ENV": sys.prefix} if sys.prefix != sys.base_prefix else {}
            own |= {"DPDL_PYTHON": sys.executable} if home() == WHEEL else {}
            process = subprocess.Popen([home() / "dpdl", *words], stdout=out, text=True,
                                       env={**os.environ, **own},
                                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                       errors="replace", start_new_session=True)
        except OSError as error:
            raise Error(f"{home() / 'dpdl'}: {error.strerror}") from error
        assert process.stderr is not None
        with process, bar:
            try:
                for line in process.stderr:
                    if not bar.takes(line.rstrip()):
                        lines.append(line.rstrip())
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGINT)
                process.wait()
                raise
        out.seek(0)
        text = out.read()
    if process.returncode == INTERRUPTED:
        raise KeyboardInterrupt
    said = [line for line in lines if line]
    if process.returncode != 0:
        raise Error(said[-1] if said else f"dpdl {words[0]}: exit code {process.returncode}")
    for line in said:
        warnings.warn(line, stacklevel=3)
    return text


class _Bar:
    """Shows the progress of a run, with tqdm if it is installed, else as a line of text."""

    def __init__(self, wanted: bool | None) -> None:
        attended = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._shown = attended if wanted is None else wanted
        self._bar: Any = None
        self._open = False

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._open:
            print(file=sys.stderr)

    def takes(self, line: str) -> bool:
        """Shows a line that reports progress, unless progress is off. False for other lines."""
        found = ROUND.search(line)
        if not found and not BUILDING.match(line):
            return False
        if self._shown:
            self._show(line, found)
        return True

    def _show(self, line: str, found: re.Match[str] | None) -> None:
        if found and self._bar is None:
            try:
                from tqdm.auto import tqdm

                self._bar = tqdm(total=int(found[2]), unit="round")
            except ImportError:
                pass
        if found and self._bar is not None:
            self._bar.set_postfix_str(line[found.end():].strip(), refresh=False)
            self._bar.update(int(found[1]) - self._bar.n)
        else:
            print(f"\r{line:<78}", end="", file=sys.stderr, flush=True)
            self._open = True
