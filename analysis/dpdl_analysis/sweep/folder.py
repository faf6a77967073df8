# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The folder of a sweep: who may write there, and how a trace comes to its place.

A run writes into `.sweep/parts`. What has ended lies whole in `.sweep/ended` until its row stands in
the catalogue; only then the trace gets its name. So at any moment each run is either in the
catalogue, or whole in `ended`, or to be made again.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import shutil
import signal
import time
from pathlib import Path

from dpdl_analysis.sweep.catalogue import DONE, FAILED, Catalogue, identity_of, summary_of
from dpdl_analysis.sweep.plan import Plan, Run
from dpdl_analysis.trace import UsageError

LIST, FILE = "campaign.json", "sweep.toml"
RUN_ONE = Path(__file__).with_name("run-one.sh")
TIED = ("setpriv", "--pdeathsig", "KILL", "sh", str(Path(__file__).with_name("tied.sh")))
"""Before a process number and a program: it dies with that process, its parent."""
PATIENCE = 15.0
"""Seconds in which the runs of a killed sweep are gone."""
ERROR_LETTERS = 500


class Folder:
    """The folder of one sweep. Only hold() and what comes after it write."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Raises UsageError if the folder belongs to somebody else."""
        self.path = path.absolute()
        self._plan = plan
        self._lock = -1
        self.work = self.path / ".sweep"
        self.ended = self.work / "ended"
        self.parts = self.work / "parts"
        self.commands = self.work / "commands"
        self._check_owner()

    def hold(self) -> None:
        """Makes the folder, and keeps others out. Raises UsageError if another sweep is in it."""
        try:
            self.ended.mkdir(parents=True, exist_ok=True)
            self.parts.mkdir(exist_ok=True)
            self._lock = os.open(self.work / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise UsageError(f"outputDir '{self.path}': {error.strerror}; accepted is a folder "
                             "that can be written") from error
        if not _locked(self._lock, time.monotonic()):
            raise UsageError(f"outputDir '{self.path}': another sweep is running there; wait for "
                             "it, or end it")

    def wait_for_runs(self) -> None:
        """Waits for runs of a killed sweep to be gone. Raises UsageError if they stay."""
        running = os.open(self.work / "running", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # Every run shares this lock as long as it lives.
            if not _locked(running, time.monotonic() + PATIENCE):
                raise UsageError(f"outputDir '{self.path}': runs of an earlier sweep still go on "
                                 "there; wait for them, or end them")
        finally:
            os.close(running)

    def prepare(self, catalogue: Catalogue, overwrite: bool) -> None:
        """Collects what ended meanwhile, and writes what describes the sweep. Raises UsageError if
        a run's trace has another run's options or version, unless it may be overwritten."""
        self.collect(catalogue, known_file=False)
        for run in catalogue.pending():
            trace = self.path / run.trace
            if trace.exists() and not overwrite:
                raise UsageError(f"outputDir '{self.path}': {run.trace} was made with other "
                                 "options, other files or another version of dpdl; accepted is "
                                 "another folder, or --overwrite")
            trace.unlink(missing_ok=True)
        catalogue.write()
        self._replace(self.path / LIST, self._plan.campaign())
        self._replace(self.path / FILE, self._plan.file.text)

    def clean(self) -> None:
        """Removes what runs that were killed have left. None may be running."""
        for path in self.parts.iterdir():
            shutil.rmtree(path, ignore_errors=True)
        for path in self.ended.iterdir():
            if path.suffix and not path.with_suffix("").exists():
                path.unlink()

    def write_commands(self, runs: list[Run]) -> None:
        """A line of shell for each run."""
        session = f"{int(time.time())}-{os.getpid()}"
        self._replace(self.commands, "".join(self._command(run, session) for run in runs))

    def collect(self, catalogue: Catalogue, known_file: bool = True) -> list[Run]:
        """Brings what has ended into the catalogue, and the traces to their places."""
        by_hash = {run.hash: run for run in self._plan.runs}
        names = sorted(path.name for path in self.ended.iterdir() if not path.suffix)
        ended = [by_hash[name] for name in names if name in by_hash]
        ended = [run for run in ended if self._note(run, catalogue)]
        if known_file:
            catalogue.save(run.hash for run in ended)
        elif ended:
            catalogue.write()
        for run in ended:
            whole = self.ended / f"{run.hash}.db"
            if whole.exists():
                os.replace(whole, self.path / run.trace)
        for name in names:
            for suffix in (".err", ".db", ""):
                (self.ended / f"{name}{suffix}").unlink(missing_ok=True)
        return ended

    def _note(self, run: Run, catalogue: Catalogue) -> bool:
        """Gives a run its row; False if there is nothing to tell."""
        code, microseconds = map(int, (self.ended / run.hash).read_text().split())
        seconds = microseconds / 1e6
        whole, error = self.ended / f"{run.hash}.db", self.ended / f"{run.hash}.err"
        if whole.exists():
            summary = summary_of(whole)
            if summary is not None:
                catalogue.end(run, DONE, summary, seconds, None)
            else:
                whole.unlink()
                catalogue.end(run, FAILED, {}, seconds, "the run ended with an incomplete trace")
        elif error.exists():
            text = error.read_text(encoding="utf-8", errors="replace")
            catalogue.end(run, FAILED, {}, seconds, _reason(code, text, self._plan.program.name))
        else:
            # Killed between naming the trace and forgetting the record: the row stands already.
            return False
        return True

    def _command(self, run: Run, session: str) -> str:
        program = self._plan.program
        kind = "names" if program.names_trace else "leaves"
        words = ["bash", RUN_ONE, self.work, session, run.hash, kind, program.path.absolute(),
                 *program.quiet, *(f"--{name}={value}" for name, value in run.options.items())]
        # GNU parallel tells its process number; what starts the line otherwise is its parent.
        tied = f'exec {shlex.join(TIED)} "${{PARALLEL_PID:-$PPID}}" '
        return tied + shlex.join(str(word) for word in words) + "\n"

    def _check_owner(self) -> None:
        accepted = "accepted is a folder of its own by --outputDir"
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"outputDir '{self.path}': is no folder; {accepted}")
        found, ours = identity_of(self.path), self._plan.identity
        listed = self._listed_scenario()
        if not found and listed is not None:
            raise UsageError(f"outputDir '{self.path}': holds the runs of {listed}; {accepted}")
        if not found:
            self._check_names(accepted)
            return
        theirs, mine = Path(found.get("file", "")), Path(ours["file"])
        moved = not theirs.exists() and theirs.name == mine.name
        if found.get("scenario") != ours["scenario"] or (theirs != mine and not moved):
            raise UsageError(f"outputDir '{self.path}': belongs to the sweep of '{theirs}' with "
                             f"{found.get('scenario')}; {accepted}")

    def _check_names(self, accepted: str) -> None:
        """Traces that somebody else made are not replaced."""
        for run in self._plan.runs:
            if (self.path / run.trace).exists():
                raise UsageError(f"outputDir '{self.path}': holds {run.trace}, which this sweep "
                                 f"has not made; {accepted}")

    def _listed_scenario(self) -> str | None:
        """The scenario that campaign.json names, if there is one."""
        try:
            return str(json.loads((self.path / LIST).read_text(encoding="utf-8"))["scenario"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            return "something else"

    def _replace(self, path: Path, text: str) -> None:
        part = path.with_name(f".{path.name}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)


def _locked(descriptor: int, limit: float) -> bool:
    """Locks a file for this process alone; False if that is not possible until `limit`."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() > limit:
                return False
            time.sleep(0.1)


def _reason(code: int, text: str, program: str) -> str:
    """The line that tells why a run failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    own = [line for line in lines if line.startswith(f"{program}: ")]
    last = (own or lines or [""])[-1].removeprefix(f"{program}: ")[:ERROR_LETTERS]
    if code > 128:
        try:
            ended = f"killed by {signal.Signals(code - 128).name}"
        except ValueError:
            ended = f"exit code {code}"
    else:
        ended = "wrote no trace" if code == 0 else f"exit code {code}"
    return f"{ended}: {last}" if last else ended
