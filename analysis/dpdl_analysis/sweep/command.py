# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands `./dpdl sweep FILE` and `./dpdl run STUDY`: from the file to the table of results."""

import argparse
import shlex
import signal
import sqlite3
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dpdl_analysis.formatting import exact, message, terminal_width
from dpdl_analysis.judgement import CHOOSING, certificate, together
from dpdl_analysis.studies import PAPERS, STUDIES, show
from dpdl_analysis.studies.published import read
from dpdl_analysis.sweep import study
from dpdl_analysis.sweep.audits import PROGRAM
from dpdl_analysis.sweep.catalogue import DONE, FAILED, NAME, Catalogue
from dpdl_analysis.sweep.effort import effort
from dpdl_analysis.sweep.file import SweepFile, number
from dpdl_analysis.sweep.folder import Folder
from dpdl_analysis.sweep.local import LocalEngine, gigabytes, packing
from dpdl_analysis.sweep.plan import Plan, plan
from dpdl_analysis.sweep.program import (PROGRAMS, Program, SweepFailure, arguments,
                                         check_name, located)
from dpdl_analysis.sweep.progress import Progress
from dpdl_analysis.sweep.slurm import SlurmEngine, earlier
from dpdl_analysis.sweep.study import Asked
from dpdl_analysis.trace import Trace, UsageError

HELP = ("--help", "-h", "--PrintHelp")
ENGINES, BARS = ("local", "slurm"), ("auto", "none")
SHOWN_FAILURES = SHOWN_RUNS = 20
SHOWN = ("accuracy_mean", "merit", "epsilon_certified", "q_realised", "simulated_seconds")
"""Columns of the table that a sweep prints at its end."""
FIRST = "quickstart"
"""Name of the study that prints a table of its runs and writes their page."""
COMMITS = 0.5
"""Minimum time between two updates of the catalogue, in seconds."""

Engine = LocalEngine | SlurmEngine


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that `./dpdl sweep` and the studies of `./dpdl run` share."""
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--plan", action="store_true", help="show what would run, and stop")
    parser.add_argument("--all", action="store_true", help="with --plan: list every run")
    only.add_argument("--status", action="store_true", help="show how far its runs are, and stop")
    only.add_argument("--cancel", action="store_true",
                      help="end it, or its Slurm jobs; the same command goes on with it")
    parser.add_argument("--full", action="store_true",
                        help="run all that the file is made of, and not a reduced part")
    parser.add_argument("--jobs", type=partial(number, "option 'jobs'"), metavar="N",
                        help="runs at a time (default: all cores; Slurm: up to 64 tasks)")
    parser.add_argument("--engine", choices=ENGINES, default=ENGINES[0],
                        help="this machine (the default), or a Slurm job array")
    parser.add_argument("--slurm", default="", metavar="OPTIONS", type=_slurm_options,
                        help="further options of sbatch, such as '--partition=short --time=60'")
    parser.add_argument("--retry-failed", action="store_true", help="make failed runs again")
    parser.add_argument("--overwrite", action="store_true",
                        help="replace traces of other options or of another version of dpdl")
    parser.add_argument("--progress", choices=BARS, default=BARS[0],
                        help="a bar on standard error (the default), or none")
    parser.add_argument("--outputDir", type=Path, metavar="DIR",
                        help="folder of traces and catalogue (default: as the file says, else its "
                        "name with -results in the working directory); what is done there stays")
    parser.add_argument("--build", type=Path, default=PROGRAMS, metavar="DIR",
                        help="the build with the programs (default: build/default)")
    parser.set_defaults(flags=parser._option_string_actions)


def sweep(options: argparse.Namespace) -> int:
    """Makes a sweep's missing runs, prints results, returns the exit code. Raises UsageError."""
    file = SweepFile(options.file, options.full)
    check_name(file)
    if options.which:
        print(file.scenario, *([PROGRAM] if file.audit else []))
        return 0
    program = Program(file.scenario, options.build)
    found = study.of_file(file.scenario, file, options, program, options.rest)
    return _make(found, program, options, options.outputDir or Path(file.output))


def run(name: str, arguments: list[str], parser: argparse.ArgumentParser) -> int:
    """Makes a study's missing runs. Adds its options to `parser`. Returns the exit code."""
    add_options(parser)
    engine = len(parser._actions)
    helps = [word for word in arguments if word in HELP]
    paper = (study.PAPERS / name).is_dir()
    if paper:
        parser.add_argument("--study", help="which table or figure of the paper; required")
    if paper and helps:
        print(f"{name}: tables and figures of a paper\n\nOptions:")
        print(_listed(parser, engine), end="")
        return 0
    path = study.path_of(name, arguments)
    file = SweepFile(path)
    program = Program(file.scenario, parser.parse_known_args(arguments)[0].build)
    study.add_options(parser, file, program)
    if helps:
        print(f"{name}: {file.title}\n\nOptions:\n{_listed(parser, engine)}\n{program.help()}")
        return 0
    options, rest = parser.parse_known_args(arguments)
    found = study.asked(name, path, options, rest, program)
    output = f"{name}-{path.stem}-results" if paper else f"{name}-results"
    return _make(found, program, options, options.outputDir or Path(output))


def _listed(parser: argparse.ArgumentParser, engine: int) -> str:
    """Help text of all options in the programs' format; the first `engine` options come last."""
    text = ""
    for action in parser._actions[engine:] + parser._actions[:engine]:
        meaning = "\n      ".join(str(action.help).split("\n"))
        value = "" if action.nargs == 0 else "=..."
        text += f"  {action.option_strings[0]}{value}\n      {meaning}\n"
    return text


def _make(asked: Asked, program: Program, options: argparse.Namespace, output: Path) -> int:
    if options.slurm and options.engine != "slurm":
        raise UsageError("--slurm: is for --engine=slurm only")
    if options.all and not options.plan:
        raise UsageError("--all: is for --plan only")
    found = plan(asked, program)
    if asked.is_study and asked.name in PAPERS:
        read(asked.file.path)
    folder = Folder(output, found, options.overwrite)
    if (options.status or options.cancel) and not (folder.work.exists() or folder.identity):
        raise UsageError(f"outputDir '{output}': no sweep has begun there; accepted is the folder of "
                         "one, by --outputDir")
    if options.cancel:
        slurm = earlier(folder)
        ended = folder.cancel() + (slurm.cancel() if slurm else [])
        print(f"{', '.join(ended)} ended; start it again to go on" if ended else "nothing is running")
        return 0
    if options.plan or options.status:
        traces = folder.traces()
        catalogue = Catalogue(folder.path, found, options.retry_failed)
        if not options.overwrite:
            folder.check_made(catalogue, traces)
        _show(folder, found, catalogue, options)
        return 0
    engine = _engine(folder, options)
    try:
        return _run(folder, found, engine, options)
    except sqlite3.Error as error:
        raise SweepFailure(f"{folder.path / NAME}: {error}") from error
    except OSError as error:
        raise SweepFailure(f"{error.filename or folder.path}: {error.strerror}") from error


def _engine(folder: Folder, options: argparse.Namespace) -> Engine:
    if options.engine == "slurm":
        return SlurmEngine(folder, options.jobs, options.slurm)
    slurm = earlier(folder)
    if slurm and slurm.attach():
        raise UsageError(f"outputDir '{folder.path}': a Slurm job makes its runs; follow it with "
                         "--engine=slurm, or end it with --cancel")
    return LocalEngine(folder, options.jobs)


def _run(folder: Folder, found: Plan, engine: Engine, options: argparse.Namespace) -> int:
    folder.hold()
    attached = engine.attach()
    if not attached:
        folder.wait_for_runs()
    catalogue = Catalogue(folder.path, found, options.retry_failed)
    folder.prepare(catalogue, options.overwrite)
    bar = Progress(found.asked.speaker, len(found.runs), _ended(catalogue),
                   options.progress == "auto")
    if len(found.runs) > len(catalogue.pending()):
        _tell(found, f"{_ended(catalogue)} of {len(found.runs)} runs are there already")
    try:
        if attached:
            _follow(folder, catalogue, engine, bar)
        missing = catalogue.pending()
        folder.clean(missing)
        if missing:
            engine.start(missing)
            _follow(folder, catalogue, engine, bar)
    except UsageError:
        engine.stop()
        folder.abandon()
        raise
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        bar.end()
        said = engine.stop()
        folder.collect(catalogue)
        _tell(found, f"interrupted with {_ended(catalogue)} of {len(found.runs)} runs done; {said}")
        raise
    finally:
        bar.end()
        if folder.work.exists():
            catalogue.write()
    folder.clean(catalogue.pending())
    return _finish(folder, found, catalogue, engine)


def _follow(folder: Folder, catalogue: Catalogue, engine: Engine, bar: Progress) -> None:
    """Collects ended runs into the catalogue until no run is left."""
    committed = 0.0
    while engine.active():
        if time.monotonic() - committed >= COMMITS:
            _collect(folder, catalogue, engine)
            committed = time.monotonic()
        bar.show(_ended(catalogue), catalogue.count(FAILED))
        time.sleep(engine.interval)
    _collect(folder, catalogue, engine)


def _collect(folder: Folder, catalogue: Catalogue, engine: Engine) -> None:
    """Collects ended runs. Raises UsageError if the program refuses the options of the first run on
    this machine and no run has succeeded."""
    folder.collect(catalogue)
    if folder.mistake and not catalogue.count(DONE) and isinstance(engine, LocalEngine):
        first = folder.plan.runs[0]
        raise UsageError(located(folder.plan.file, folder.plan.asked.all_words,
                                 arguments(first.options), folder.mistake))


def _finish(folder: Folder, found: Plan, catalogue: Catalogue, engine: Engine) -> int:
    for line in folder.warnings:
        print(message(line), file=sys.stderr)
    if folder.resumed:
        _tell(found, f"{folder.resumed} runs that had been interrupted were resumed")
    rows = catalogue.ordered()
    failed = [f"{row['trace'].removesuffix('.db')}: {row['error']}"
              for row in rows if row["state"] == FAILED]
    left = catalogue.pending()
    if found.asked.is_study:
        print(f"{catalogue.count(DONE)} traces: {folder.shown}", flush=True)
    else:
        _table(folder, found, catalogue)
    for line in failed[:SHOWN_FAILURES]:
        _tell(found, f"failed: {line}")
    if failed:
        more = f", {len(failed) - SHOWN_FAILURES} more in the catalogue" \
            if len(failed) > SHOWN_FAILURES else ""
        _tell(found, f"{len(failed)} of {len(rows)} runs failed{more}; --retry-failed makes them again")
    if left:
        _tell(found, f"{len(left)} of {len(rows)} runs did not end: {engine.leftover()}; start it "
          "again to go on")
    if failed or left:
        return 1
    if found.asked.is_study and found.asked.name in STUDIES:
        show(found.asked.name, Path(folder.shown))
    if found.asked.is_study and found.asked.name == FIRST:
        _compare(Path(folder.shown), found)
    return 1 if folder.contradicted else 0


def _compare(folder: Path, found: Plan) -> None:
    """Prints the table of all runs, and writes their page, report.html, into `folder`."""
    from dpdl_analysis.page import runs
    from dpdl_analysis.table import table

    with ExitStack() as stack:
        traces = [stack.enter_context(Trace(folder / run.trace)) for run in found.runs]
        print(table(traces, terminal_width()))
        print(*runs.report(traces, folder / "report.html"), sep="\n")


def _table(folder: Folder, found: Plan, catalogue: Catalogue) -> None:
    try:
        import pandas as pd

        from dpdl_analysis.figures.effects import effects, variants
    except ImportError as error:
        raise SweepFailure(f"{folder.path / NAME} is there; its table needs {error.name}, which "
                           "./dpdl setup installs") from error
    if catalogue.count(DONE):
        rows = [row for row in catalogue.ordered() if row["state"] == DONE]
        factors = found.file.factors
        done = pd.DataFrame([{**row, **{name: exact(row.get(name)) for name in factors}}
                             for row in rows])
        done["run"] = done["seed"].astype(str) + "-" + done["run"].astype(str)
        table = variants(effects(done, factors), keys=SHOWN)
        table.title = f"{found.file.title}: means with 95 % intervals over the runs of each variant"
        print(table.as_text())
        shared = together(certificate(row.get, row.get, row["trace"])
                          for row in rows)
        print(*([shared, CHOOSING] if shared else []), sep="\n")
    print(f"\n{catalogue.count(DONE)} traces: {folder.path}")
    print(f"catalogue: {folder.path / NAME}", flush=True)


def _show(folder: Folder, found: Plan, catalogue: Catalogue, options: argparse.Namespace) -> None:
    rows, left = catalogue.ordered(), replace(found, runs=catalogue.pending())
    packed, count = packing(found, left.runs, options.jobs), len(left.runs)
    here = f", {packed.reason}" if options.engine == "local" and count else ""
    failed = f", {catalogue.count(FAILED)} failed" if catalogue.count(FAILED) else ""
    print(f"{len(found.variants)} variants, {len(found.runs)} runs of {found.program.name}, "
          f"{catalogue.count(DONE)} done{failed}{here}"
          + ("; a sweep is making them" if folder.is_held() else ""))
    done = [row for row in rows if row["state"] == DONE and row["processor_seconds"]]
    if count:
        told = "" if done else effort(left, options.plan)
        disk = f"{gigabytes(packed.disk)} by their options" if packed.disk else "disk unknown"
        if done:
            hours = sum(row["processor_seconds"] for row in done) / len(done) * count / 3600
            size = sum((folder.path / row["trace"]).stat().st_size for row in done) / len(done) * count
            told, disk = f"about {hours:.2g} CPU hours", f"{gigabytes(size)} by the {len(done)} that are done"
        each = f", up to {gigabytes(max(packed.needs.values()))} of memory each" if packed.needs else ""
        print(f"to be made: {count} runs, {told}; {disk}{each}")
    names = found.variants if found.asked.is_study else \
        [f"{row['trace'].removesuffix('.db')}  {row['state']}" for row in rows]
    if options.plan:
        shown = len(names) if options.all else SHOWN_RUNS
        print(*names[:shown], sep="\n")
        if len(names) > shown:
            print(f"... and {len(names) - shown} more; --all lists them")


def _ended(catalogue: Catalogue) -> int:
    return catalogue.count(DONE) + catalogue.count(FAILED)


def _tell(found: Plan, text: str) -> None:
    print(message(f"{found.asked.speaker}: {text}"), file=sys.stderr, flush=True)


def _slurm_options(text: str) -> Any:
    try:
        shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not accepted ({error})") from error
    return text
