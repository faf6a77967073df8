# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The folder of a sweep: its lock, its files, and the life of a trace.

A run writes into `.sweep/parts`. When the run ends, its complete files move to `.sweep/ended`. Once
the catalogue has the run's row, the trace moves to its final name. At any moment each run is in the
catalogue, or complete in `ended`, or still to be made.
"""

import fcntl
import json
import os
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Mapping, NoReturn

from dpdl_analysis.files import LIST, check_kind, listed_runs
from dpdl_analysis.sweep.audits import CONTRADICTED, audit
from dpdl_analysis.sweep.catalogue import DONE, FAILED, NAME, Catalogue, Row, identity_of, \
    summary_of
from dpdl_analysis.sweep.file import Words
from dpdl_analysis.sweep.local import is_on_device
from dpdl_analysis.sweep.plan import Plan, Run
from dpdl_analysis.sweep.program import arguments
from dpdl_analysis.sweep.runner import RESUMED
from dpdl_analysis.trace import UsageError

UNREADABLE = "something else"
"""Reported scenario of a file campaign.json that is not readable as a campaign's list."""
PATIENCE = 15.0
"""Time limit for the runs of a killed sweep to end, in seconds."""
ERROR_LETTERS = 500
MISTAKE = 2
"""Exit code of a run that refuses its options."""


class Folder:
    """The output folder of one sweep. Callers call hold() before any method that writes."""

    def __init__(self, path: Path, plan: Plan, overwrite: bool = False) -> None:
        """Raises UsageError for another campaign's folder, unless `overwrite`, or foreign files."""
        self.shown = str(path)
        """Path of the folder as the user wrote it, for messages."""
        self.path = path.absolute()
        self.plan = plan
        self._lock = -1
        self.work = self.path / ".sweep"
        self.ended = self.work / "ended"
        self.parts = self.work / "parts"
        self.commands = self.work / "commands"
        self.warnings: dict[str, None] = {}
        """Warnings of completed runs, as keys in order, each line once; the values are None."""
        self.contradicted = False
        """True if an audit has contradicted the certificate of a run."""
        self.resumed = 0
        """Number of collected runs that were interrupted and then resumed from their trace."""
        self.mistake = ""
        """The program's reason for refusing the options of the first run; "" if it accepts them."""
        self.identity = identity_of(self.path)
        """Plan.identity of the sweep whose catalogue the folder has; {} without one."""
        self._made = [name for name in (self.path, self.path / NAME) if not name.exists()]
        if not overwrite:
            self._check_owner()
        self._check_kinds()

    def hold(self) -> None:
        """Creates the folder and locks it. Raises UsageError if it is locked or not writable."""
        try:
            self.ended.mkdir(parents=True, exist_ok=True)
            self.parts.mkdir(exist_ok=True)
            self._lock = os.open(self.work / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            self._refuse(error.strerror, "a folder that can be written")
        if not _locked(self._lock, time.monotonic()):
            raise UsageError(f"outputDir '{self.shown}': another sweep is running there; wait for "
                             "it, or end it with --cancel")
        os.truncate(self._lock, 0)
        os.write(self._lock, f"{os.uname().nodename} {os.getpid()}".encode())

    def cancel(self) -> list[str]:
        """Ends the process of the sweep that holds the folder. Returns its name, [] if none runs.
        Raises UsageError if the process is on another machine, or does not end within 15 s."""
        if not self.is_held():
            return []
        with (self.work / "lock").open(encoding="utf-8") as lock:
            host, _, process = lock.read().partition(" ")
            if host == os.uname().nodename and process.isdigit():
                os.kill(int(process), signal.SIGTERM)
                if _locked(lock.fileno(), time.monotonic() + PATIENCE):
                    return [f"sweep {process}"]
        self._refuse(f"the sweep {process} there, of machine '{host}', does not end",
                     "--cancel on its machine")

    def is_held(self) -> bool:
        """True if a sweep holds the lock of the folder."""
        with suppress(OSError), (self.work / "lock").open("rb") as lock:
            return not _locked(lock.fileno(), time.monotonic())
        return False

    def wait_for_runs(self) -> None:
        """Waits until the runs of a killed sweep have ended. Raises UsageError after 15 s."""
        running = os.open(self.work / "running", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # Every run holds this lock in shared mode until its process ends.
            if not _locked(running, time.monotonic() + PATIENCE):
                raise UsageError(f"outputDir '{self.shown}': runs of an earlier sweep still go on "
                                 "there; wait for them, or end them")
        finally:
            os.close(running)

    def prepare(self, catalogue: Catalogue, overwrite: bool) -> None:
        """Collects runs that ended since the last call, then writes the catalogue, campaign.json
        and a copy of the campaign's file. Raises UsageError if the folder has a trace of other
        options or of another version of dpdl in place of a pending run. With `overwrite` it removes
        such traces."""
        self.collect(catalogue, known_file=False)
        if not overwrite:
            self.check_made(catalogue, self.traces())
        for run in catalogue.pending():
            (self.path / run.trace).unlink(missing_ok=True)
        catalogue.write()
        self._replace(self.path / LIST, self.plan.campaign())
        copy = "study.toml" if self.plan.asked.is_study else "sweep.toml"
        self._replace(self.path / copy, self.plan.file.text)

    def traces(self) -> set[str]:
        """Names of the trace files in the folder."""
        return {path.name for path in self.path.glob("*.db")}

    def check_made(self, catalogue: Catalogue, traces: set[str]) -> None:
        """Raises UsageError if one of these traces has another run's options or version."""
        theirs = {**identity_of(self.path, "setting"), "dpdl": self.identity.get("dpdl")}
        ours = {**self.plan.asked.settings, "dpdl": self.plan.version}
        other = ", ".join(f"{name} was {theirs.get(name, 'not given')} and is now "
                          f"{ours.get(name, 'not given')}"
                          for name in {**theirs, **ours} if theirs.get(name) != ours.get(name))
        why = f"options: {other}" if other else "files, options in [where], or factors"
        for run in catalogue.pending():
            if run.trace in traces:
                self._refuse(f"{run.trace} was made with other {why}")

    def clean(self, missing: list[Run]) -> None:
        """Removes the files of killed runs. Keeps the traces from which `missing` runs can resume.
        No run may be running."""
        kept = {run.hash for run in missing}
        for path in self.parts.glob("*/*"):
            if path.name not in kept or not list(path.glob("*.db")):
                shutil.rmtree(path, ignore_errors=True)
        for path in self.parts.iterdir():
            with suppress(OSError):
                path.rmdir()
        for path in self.ended.iterdir():
            if path.suffix and not path.with_suffix("").exists():
                path.unlink()

    def abandon(self) -> None:
        """Removes all files that this sweep has written, if the folder had no catalogue before."""
        if self.path / NAME not in self._made:
            return
        shutil.rmtree(self.work, ignore_errors=True)
        for name in (NAME, LIST, "study.toml", "sweep.toml"):
            (self.path / name).unlink(missing_ok=True)
        if self.path in self._made:
            with suppress(OSError):
                self.path.rmdir()

    def write_commands(self, runs: list[Run], workers: int = 1,
                       needs: Mapping[str, float] = MappingProxyType({})) -> None:
        """Writes the file that the runner reads, one line of JSON per run. `needs` is the memory of
        each run in bytes, keyed by Run.hash. Each run gets `workers` threads if they are more than
        one and the user has not set option workers."""
        more = {} if self.plan.gives_workers or workers == 1 else {"workers": str(workers)}
        self._replace(self.commands, "".join(self._command(run, more, needs) for run in runs))

    def collect(self, catalogue: Catalogue, known_file: bool = True) -> list[Run]:
        """Stores ended runs in the catalogue, then moves their traces to their final names.
        Rewrites the whole catalogue unless `known_file`, which says that the file on disk has the
        rows of this plan. Returns the runs that it has stored."""
        by_hash = {run.hash: run for run in self.plan.runs}
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
        """Sets an ended run's row. False: no trace, and a done row or no file of its messages."""
        code, *times = (self.ended / run.hash).read_text().strip().split(" ", 3)
        more = times[2:]
        noted = self._note_end(run, catalogue, int(code), [int(time) / 1e6 for time in times[:2]])
        if noted and more:
            catalogue.rows[run.hash]["resumed"] = more[0]
            self.resumed += more[0] == RESUMED
            if more[0] != RESUMED:
                reason = more[0].partition(": ")[2]
                self.warnings[f"{run.trace}: was repeated from its start: {reason}"] = None
        return noted

    def _note_end(self, run: Run, catalogue: Catalogue, code: int, seconds: list[float]) -> bool:
        whole, error = self.ended / f"{run.hash}.db", self.ended / f"{run.hash}.err"
        text = error.read_text(encoding="utf-8", errors="replace") if error.exists() else None
        if whole.exists():
            summary = self._audited(run, whole) if summary_of(whole) else None
            if summary is not None:
                catalogue.end(run, DONE, summary, seconds, None)
                self.warnings.update(dict.fromkeys((text or "").splitlines()))
            else:
                whole.unlink()
                catalogue.end(run, FAILED, {}, seconds, "the run ended with an incomplete trace")
        elif catalogue.rows[run.hash]["state"] == DONE:
            # An earlier sweep was killed after it moved the trace, before it removed the record.
            return False
        elif text is not None:
            reason = _reason(code, text, self.plan.program.name)
            catalogue.end(run, FAILED, {}, seconds, reason)
            if code == MISTAKE and run.number == 1:
                self.mistake = reason.partition(": ")[2]
        else:
            return False
        return True

    def _audited(self, run: Run, trace: Path) -> Row | None:
        """Audits a complete trace if the file asks for it. Returns the trace's summary."""
        runs = self.plan.file.audit
        said = audit(self.plan.program.build, trace, runs) if runs else ""
        self.contradicted |= said == CONTRADICTED
        self.warnings.update({f"{run.trace}: {said}": None} if said else {})
        return summary_of(trace)

    def _command(self, run: Run, more: Words, needs: Mapping[str, float]) -> str:
        program = self.plan.program
        options = {**run.options, **{name: more[name] for name in more if name in run.options}}
        words = [str(program.path.absolute()), *program.quiet, *arguments(options)]
        return json.dumps({"hash": run.hash, "names": program.names_trace, "words": words,
                           "need": needs.get(run.hash, 0.0), "gpu": is_on_device(run)}) + "\n"

    def _check_owner(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            self._refuse("is no folder")
        found, ours, (scenario, listed) = self.identity, self.plan.identity, self._listed()
        planned = {run.trace for run in self.plan.runs}
        if not found:
            if scenario:
                self._refuse(f"holds the runs of {scenario}")
            for trace in sorted(planned & self.traces()):
                self._refuse(f"holds {trace}, which this sweep has not made")
            return
        theirs, mine = Path(found.get("file", "")), Path(ours["file"])
        moved = not theirs.exists() and theirs.name == mine.name
        if found.get("scenario") != ours["scenario"] or (theirs != mine and not moved):
            self._refuse(f"belongs to the sweep of '{theirs}' with {found.get('scenario')}")
        lost = [run["trace"] for run in listed if run["trace"] not in planned]
        if self.plan.asked.is_study and lost:
            self._refuse(f"holds {lost[0]}, which is not of this plan")

    def _refuse(self, why: str, accepted: str = "another folder by --outputDir, or --overwrite") -> NoReturn:
        raise UsageError(f"outputDir '{self.shown}': {why}; accepted is {accepted}")

    def _check_kinds(self) -> None:
        """Raises UsageError if the sweep would replace files that no sweep has written."""
        for run in self.plan.runs:
            trace = self.path / run.trace
            check_kind(f"outputDir '{self.shown}', {run.trace}", trace, "trace")
        if self.identity:
            return
        foreign = [LIST] if self._listed()[0] == UNREADABLE else []
        foreign += [name for name in ("study.toml", "sweep.toml") if not self._is_plan(name)]
        for name in foreign:
            if os.path.lexists(self.path / name):
                self._refuse(f"holds {name}, which no sweep has made", "another folder")

    def _is_plan(self, name: str) -> bool:
        """True if the file `name` has the text that the sweep would write to it."""
        with suppress(OSError):
            return (self.path / name).read_bytes() == self.plan.file.text.encode("utf-8")
        return False

    def _listed(self) -> tuple[str, list[dict[str, Any]]]:
        """Scenario and entries of campaign.json; ("", []) without it, UNREADABLE if damaged."""
        try:
            return listed_runs(self.path, "") if (self.path / LIST).exists() else ("", [])
        except UsageError:
            return UNREADABLE, []

    def _replace(self, path: Path, text: str) -> None:
        part = path.with_name(f".{path.name}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)


def _locked(descriptor: int, limit: float) -> bool:
    """Locks a file exclusively; False if others hold it until `limit` (monotonic seconds)."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() > limit:
                return False
            time.sleep(0.1)


def _reason(code: int, text: str, program: str) -> str:
    """One line: the exit code or signal of a failed run, and the last message of its program."""
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
