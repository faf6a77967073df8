# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of the analysis. Results go to standard output, a mistake is one line on
standard error.

A command imports packages outside the standard library only when it runs, so others start fast.
"""

import argparse
import errno
import json
import math
import os
import re
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Sequence

from dpdl_analysis import publishing
from dpdl_analysis.checks import CONTENT_ERRORS, at_fault, run_checks
from dpdl_analysis.export import check_format, check_place, export
from dpdl_analysis.files import LIST
from dpdl_analysis.formatting import hint, message, terminal_width
from dpdl_analysis.inspection import as_json, inspection
from dpdl_analysis.judgement import certificate
from dpdl_analysis.merging import merge
from dpdl_analysis.resuming import program_of, resume
from dpdl_analysis.sweep.catalogue import NAME as CATALOGUE
from dpdl_analysis.sweep.command import add_options, run, sweep
from dpdl_analysis.sweep.config import arguments as config_arguments
from dpdl_analysis.sweep.program import PROGRAMS, SweepFailure
from dpdl_analysis.trace import REACH, DamagedTrace, Trace, UsageError, traces_opened

if TYPE_CHECKING:
    from dpdl_analysis.comparison.comparison import Comparison

DONE, FAILED, MISTAKE, INTERRUPTED = 0, 1, 2, 130
MISTAKEN = (errno.EACCES, errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT,
            errno.ENOTDIR)
"""Errors of the operating system that are due to a path in the call."""


class _Parser(argparse.ArgumentParser):
    """Raises UsageError with one line for a mistake in the arguments, also for an empty value, and
    for an option that is given twice."""

    def parse_known_args(self, *given: Any) -> Any:
        self._seen: list[argparse.Action] = []
        return super().parse_known_args(*given)

    def _get_values(self, action: argparse.Action, words: list[str]) -> Any:
        if "" in words and action.nargs not in (argparse.PARSER, argparse.REMAINDER):
            accepted = action.metavar or "|".join(action.choices or ["VALUE"])
            raise argparse.ArgumentError(action, f"needs a value, {accepted}")
        if action in self._seen and not isinstance(action, argparse._AppendAction):
            raise argparse.ArgumentError(action, "is given twice")
        self._seen += [action] * bool(action.option_strings)
        return super()._get_values(action, words)

    def error(self, message: str) -> NoReturn:
        found = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        near = hint(found[1], found[2].replace("'", "").split(", ")) if found else ""
        message = message.replace("expected one argument", "needs a value")
        raise UsageError(" ".join(message.split()) + near)


def _parser() -> _Parser:
    parser = _Parser(
        prog="dpdl-analysis", description="Reads dpdl trace files and says what they show."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser("compare", help="paired comparison of two runs or campaigns")
    compare.add_argument("base", metavar="A", type=Path, help="a trace, or the folder of a campaign")
    compare.add_argument("variant", metavar="B", nargs="?", type=Path,
                         help="what is compared with it, of the same kind")
    compare.add_argument("--variants", metavar="A,B,...",
                         help="of the campaign A: its variants, the first is the base")
    compare.add_argument("--json", action="store_true", help="as a JSON array, one item a variant")
    compare.add_argument("--output", metavar="FILE.html", type=Path, help="also write an HTML page")
    one = commands.add_parser("inspect", help="a run's summary on the terminal")
    one.add_argument("file", metavar="FILE.db")
    form = one.add_mutually_exclusive_group()
    form.add_argument("--check", action="store_true", help="verify the file's invariants")
    form.add_argument("--json", action="store_true", help="as a JSON array, an item a number")
    report = commands.add_parser("report", help="HTML report with figures")
    report.add_argument("files", nargs="+", metavar="FILE.db", type=Path,
                        help="traces, or the folder of a campaign")
    report.add_argument("--output", metavar="FILE.html", type=Path,
                        help="where to write it (default: report.html here, or in the campaign's "
                        "folder); an existing file is replaced")
    for one in (compare, report):
        one.add_argument("--figures", choices=["page", "pdf"], default="page",
                         help="pdf: also the figures as PDF files beside the page")
    publishing.add_options(commands)
    for command in ("compare", "inspect", "report", "table"):
        commands.choices[command].add_argument(
            "--reach", metavar="PERCENT,...", default="", help="mean accuracies: also says what time, "
            "rounds and bytes runs took to the first evaluation that finds as much")
    files = commands.add_parser("export", help="every view of a trace as a file of another format")
    files.add_argument("file", metavar="FILE.db|DIR", type=Path,
                       help="a trace, or a folder whose traces get a folder each")
    files.add_argument("--to", metavar="FORMAT", default="csv",
                       help="csv, parquet or tensorboard (default: csv)")
    files.add_argument("--output", metavar="DIR", required=True, type=Path,
                       help="the folder to write into")
    files.add_argument("--public", action="store_true",
                       help="leave out what only the simulator may know")
    files.add_argument("--overwrite", action="store_true", help="replace existing files")
    ranks = commands.add_parser("merge", help="one trace from those of the ranks of a run")
    ranks.add_argument("file", metavar="FILE.db", type=Path, help="the trace to write")
    ranks.add_argument("parts", nargs="*", metavar="PART.db", type=Path,
                       help="the traces of all ranks (default: FILE.rank*.db)")
    ranks.add_argument("--overwrite", action="store_true", help="replace an existing FILE.db")
    ranks.add_argument("--keep", action="store_true", help="leave the parts of a complete run")
    runs = commands.add_parser("sweep", prog="dpdl sweep", help="the runs of a file")
    runs.add_argument("file", metavar="FILE.toml", type=Path, help="what is fixed and varied")
    add_options(runs)
    runs.add_argument("--repetitions", metavar="N", help="runs of each variant; any option of the "
                      "program, such as --rounds=5, also wins over the file")
    runs.add_argument("--which", action="store_true", help=argparse.SUPPRESS)
    again = commands.add_parser("resume", prog="dpdl resume", help="goes on with an incomplete run")
    again.add_argument("file", metavar="FILE.db", type=Path, help="its trace")
    again.add_argument("--build", type=Path, default=PROGRAMS, metavar="DIR",
                       help="the build with the programs (default: build/default)")
    again.add_argument("--which", action="store_true", help=argparse.SUPPRESS)
    config = commands.add_parser("config", add_help=False)
    config.add_argument("file", type=Path)
    config.add_argument("arguments", nargs=argparse.REMAINDER)
    study = commands.add_parser("run", add_help=False, help="the runs of a study, and its tables")
    study.add_argument("name", metavar="NAME")
    study.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns 0, 1 (failure), 2 (mistake of the user) or 130 (interrupt)."""
    opened: list[Path] = []
    if sys.stdout is None:
        return _told("standard output is closed")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        options, options.rest = _parser().parse_known_args(arguments)
        if options.rest and options.command != "sweep":
            raise UsageError(f"unrecognized arguments: {' '.join(options.rest)}")
        REACH.set(_reach(getattr(options, "reach", "")))
        with traces_opened() as opened:
            code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except UsageError as mistake:
        return _told(mistake, MISTAKE)
    except SweepFailure as failure:
        return _told(failure)
    except (DamagedTrace, *CONTENT_ERRORS) as error:
        wrong = error if isinstance(error, DamagedTrace) else at_fault(opened)
        if wrong is None:
            raise
        return _told(f"{wrong}; `inspect --check` says what still holds")
    except ImportError as missing:
        return _told(
            f"{sys.executable} has no {missing.name}; install python3-pandas, "
            "python3-matplotlib and python3-jinja2, or run: ./dpdl setup"
        )
    except BrokenPipeError:
        _drop_output()
        return FAILED
    except OSError as error:
        _drop_output()
        place = f"'{error.filename}'" if error.filename else "the output"
        return _told(f"{place} cannot be read or written: {error.strerror or error}",
                     MISTAKE if error.errno in MISTAKEN else FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED


def _reach(text: str) -> tuple[str, ...]:
    """Accuracies of option --reach, in percent from 0 to 100, as text."""
    found = [word for word in text.split(",") if text]
    for word in found:
        if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?|100", word):
            raise UsageError(f"--reach={text}: accepted are percents from 0 to 100, such as 60,70.5")
    return tuple(found)


def _told(text: object, code: int = FAILED) -> int:
    """Prints one line to standard error, and returns the exit code `code`."""
    line = message(text).replace("./dpdl", os.environ.get("DPDL_COMMAND", "./dpdl"))
    print(f"dpdl: {line}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Redirects standard output to /dev/null, so that Python does not write to it again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _compare(options: argparse.Namespace) -> int:
    from dpdl_analysis.comparison import comparison, text

    found = _compared(options)
    made = []
    if options.output:
        from dpdl_analysis.page.comparison import comparison_page

        made = comparison_page(found, options.output, options.figures == "pdf")
    if options.json:
        print(json.dumps([comparison.as_json(one) for one in found], indent=1))
    else:
        print("\n\n".join(text.as_text(one, terminal_width()) for one in found))
        for path in made:
            print(f"\npage: {path}" if path == made[0] else f"figure: {path}")
    return DONE


def _compared(options: argparse.Namespace) -> list["Comparison"]:
    """Comparisons of the runs, campaigns or variants that the command line names."""
    base, variant = options.base, options.variant or options.base
    if options.variant is None and options.variants is None:
        raise UsageError("the following arguments are required: B; or --variants=A,B,... and the "
                         "folder of a campaign")
    if options.figures == "pdf" and not options.output:
        raise UsageError("--figures=pdf: accepted with --output=FILE.html")
    if base.is_dir() != variant.is_dir():
        raise UsageError(
            f"{variant}: is {'no' if base.is_dir() else 'a'} folder, unlike {base}; accepted are "
            "two traces, or the folders of two campaigns"
        )
    return publishing.compared([base, variant] if options.variant else [base], options.variants)


def _inspect(options: argparse.Namespace) -> int:
    with Trace(options.file) as trace:
        if not options.check:
            print(as_json(trace) if options.json else inspection(trace, terminal_width()))
            return DONE
        results = run_checks(trace)
    for result in results:
        print(result)
    return FAILED if any(result.ok is False for result in results) else DONE


def _export(options: argparse.Namespace) -> int:
    check_format(options.to)
    source, output = options.file, options.output
    if not source.is_dir():
        return _export_run(options, source, output)
    places = {path: output / path.stem for path in sorted(source.glob("*.db"))
              if path.name != CATALOGUE}
    if not places:
        raise UsageError(f"{source}: has no NAME.db; accepted is a trace, or a folder of traces")
    check_place(output, list(places.values()), options.overwrite)
    for path in places:
        Trace(path).close()
    output.mkdir(exist_ok=True)
    return max(_export_run(options, path, place) for path, place in places.items())


def _export_run(options: argparse.Namespace, file: Path, output: Path) -> int:
    with Trace(file) as trace:
        made = export(trace, output, options.public, options.overwrite, options.to)
        if not trace.complete:
            _told(f"{trace.path} is incomplete: rows are missing")
        certified = trace.number("epsilon_certified")
        if options.public and (certified is None or not math.isfinite(certified)):
            why = "no certified epsilon" if certified is None else "certified epsilon is inf"
            _told(f"{trace.path}: {why}: models and what is computed from them are left out")
        elif options.public and certificate(trace.number, trace.setting, "").draws[2:] == ():
            _told(f"{trace.path}: other runs of its seed and run number share its noise and "
                  "batches: its certificate holds if none of them is published "
                  "(--independentNoise gives a run its own)")
    print(*made, sep="\n")
    return DONE


def _merge(options: argparse.Namespace) -> int:
    merge(options.file, options.parts, options.overwrite, options.keep)
    print(f"trace: {options.file}")
    return DONE


def _report(options: argparse.Namespace) -> int:
    files, pdf = options.files, options.figures == "pdf"
    folder = files[0] if len(files) == 1 and (files[0] / LIST).is_file() else None
    output = options.output or (folder or Path()) / "report.html"
    with ExitStack() as stack:
        opened = [] if folder else files
        traces = [stack.enter_context(Trace(file, salvage=True)) for file in opened]
        from dpdl_analysis.page import campaign, runs

        if folder:
            made = campaign.report(folder, output, pdf)
        else:
            made = runs.report(traces, output, pdf)
    print(*made, sep="\n")
    return DONE


def _resume(options: argparse.Namespace) -> int:
    if options.which:
        print(program_of(options.file))
        return DONE
    return resume(options.file, options.build)


def _config(options: argparse.Namespace) -> int:
    for argument in [*options.arguments, *config_arguments(options.file, options.arguments)]:
        print(argument, end="\0")
    return DONE


def _run(options: argparse.Namespace) -> int:
    parser = _Parser(prog=f"dpdl run {options.name}", add_help=False, allow_abbrev=False)
    return run(options.name, options.arguments, parser)


COMMANDS = {
    "compare": _compare,
    "table": publishing.table,
    "inspect": _inspect,
    "export": _export,
    "merge": _merge,
    "report": _report,
    "figure": publishing.figure,
    "resume": _resume,
    "config": _config,
    "sweep": sweep,
    "run": _run,
}
"""Functions of the commands by name. Each takes the parsed options and returns the exit code."""
