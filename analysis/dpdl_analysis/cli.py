# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line: results on standard output, one line on standard error for a mistake.

What needs more than the standard library is imported by the commands that need it: the others
answer at once.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import os
import re
import shutil
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn, Sequence

from dpdl_analysis.checks import CONTENT_ERRORS, at_fault, run_checks
from dpdl_analysis.export import check_format, export
from dpdl_analysis.formatting import message
from dpdl_analysis.inspection import inspection
from dpdl_analysis.merging import merge
from dpdl_analysis.resuming import program_of, resume
from dpdl_analysis.studies import STUDIES, make, show
from dpdl_analysis.sweep.command import add_options, run, sweep
from dpdl_analysis.sweep.config import arguments as config_arguments
from dpdl_analysis.sweep.failure import SweepFailure
from dpdl_analysis.sweep.folder import LIST
from dpdl_analysis.sweep.program import ROOT
from dpdl_analysis.table import table
from dpdl_analysis.trace import DamagedTrace, Trace, UsageError, traces_opened

DONE, FAILED, MISTAKE, INTERRUPTED = 0, 1, 2, 130
UNLIMITED = 10_000
"""Line width where standard output is no terminal."""


class _Parser(argparse.ArgumentParser):
    """Reports a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        name = re.search(r"invalid choice: '([^']*)'", message)
        near = difflib.get_close_matches(name.group(1), COMMANDS, 1) if name else []
        hint = f"; did you mean {near[0]}?" if near else ""
        message = message.replace("expected one argument", "needs a value")
        raise UsageError(" ".join(message.split()) + hint)


def _parser() -> _Parser:
    parser = _Parser(
        prog="dpdl-analysis", description="Reads dpdl trace files and says what they show."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser("compare", help="paired comparison of two runs or campaigns")
    compare.add_argument("base", metavar="A", help="a trace, or the folder of a campaign")
    compare.add_argument("variant", metavar="B", help="what is compared with it, of the same kind")
    compare.add_argument("--json", action="store_true", help="as a JSON array, one item a variant")
    compare.add_argument("--output", metavar="FILE.html", help="also write an HTML page")
    several = commands.add_parser("table", help="comparison table on the terminal")
    several.add_argument("files", nargs="+", metavar="FILE.db")
    one = commands.add_parser("inspect", help="a run's summary on the terminal")
    one.add_argument("file", metavar="FILE.db")
    one.add_argument("--check", action="store_true", help="verify the file's invariants")
    report = commands.add_parser("report", help="HTML report with figures")
    report.add_argument(
        "files", nargs="+", metavar="FILE.db", help="traces, or the folder of a campaign"
    )
    report.add_argument(
        "--output",
        metavar="FILE.html",
        help="where to write it (default: report.html here, or in the campaign's folder); an "
        "existing file is replaced",
    )
    report.add_argument(
        "--figures",
        choices=["page", "pdf"],
        default="page",
        help="pdf: also the figures as PDF files beside the page",
    )
    figure = commands.add_parser("figure", help="a study's tables and figure")
    figure.add_argument("name", metavar="NAME", help=f"the study: {', '.join(STUDIES)}")
    figure.add_argument("folder", metavar="DIR", help="the folder that its campaign wrote")
    figure.add_argument(
        "--output",
        metavar="FILE",
        help="the figure, .png or .svg (default: DIR/NAME.png); an existing file is replaced",
    )
    figure.add_argument("--markdown", action="store_true", help="tables for a page, no figure")
    files = commands.add_parser("export", help="every view of a trace as a file of another format")
    files.add_argument("file", metavar="FILE.db")
    files.add_argument("--to", metavar="csv", default="csv", help="the format (default: csv)")
    files.add_argument("--output", metavar="DIR", required=True, help="the folder to write into")
    files.add_argument(
        "--public", action="store_true", help="leave out what only the simulator may know"
    )
    files.add_argument("--overwrite", action="store_true", help="replace existing files")
    ranks = commands.add_parser("merge", help="one trace from those of the ranks of a run")
    ranks.add_argument("file", metavar="FILE.db", help="the trace to write")
    ranks.add_argument(
        "parts",
        nargs="*",
        metavar="PART.db",
        help="the traces of all ranks (default: FILE.rank*.db)",
    )
    ranks.add_argument("--overwrite", action="store_true", help="replace an existing FILE.db")
    runs = commands.add_parser("sweep", prog="dpdl sweep", help="the runs of a file")
    runs.add_argument("file", metavar="FILE.toml", type=Path, help="what is fixed and varied")
    add_options(runs)
    runs.add_argument("--which", action="store_true", help=argparse.SUPPRESS)
    again = commands.add_parser("resume", prog="dpdl resume", help="goes on with an incomplete run")
    again.add_argument("file", metavar="FILE.db", type=Path, help="its trace")
    again.add_argument("--build", type=Path, default=ROOT / "build" / "default", metavar="DIR",
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
    """Runs one command and returns the exit code: 0, 2 for the user's mistake, 1 or 130."""
    opened: list[Path] = []
    if sys.stdout is None:
        return _told("standard output is closed")
    try:
        options = _parser().parse_args(arguments)
        with traces_opened() as opened:
            code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except UsageError as mistake:
        return _told(mistake, MISTAKE)
    except SweepFailure as failure:
        return _told(failure)
    except DamagedTrace as damage:
        return _told(f"{damage}; `inspect --check` says what still holds")
    except CONTENT_ERRORS as error:
        wrong = at_fault(opened)
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
        return _told(f"{place} cannot be read or written: {error.strerror or error}")
    except KeyboardInterrupt:
        return INTERRUPTED


def _told(text: object, code: int = FAILED) -> int:
    """Reports why a command ended; its exit code."""
    print(f"dpdl: {message(text)}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """What standard output did not take is not tried again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _table(options: argparse.Namespace) -> int:
    with ExitStack() as stack:
        print(table(_open(stack, options.files), _width()))
    return DONE


def _compare(options: argparse.Namespace) -> int:
    base, variant = Path(options.base), Path(options.variant)
    if base.is_dir() != variant.is_dir():
        raise UsageError(
            f"{variant}: is {'no' if base.is_dir() else 'a'} folder, unlike {base}; accepted are "
            "two traces, or the folders of two campaigns"
        )
    from dpdl_analysis.comparison import comparison, text

    if base.is_dir():
        found = comparison.compare_folders(base, variant)
    else:
        with Trace(base) as first, Trace(variant) as second:
            found = [comparison.compare_runs(first, second)]
    if options.output:
        from dpdl_analysis.page.comparison import comparison_page

        comparison_page(found, Path(options.output))
    if options.json:
        print(json.dumps([comparison.as_json(one) for one in found], indent=1))
    else:
        print("\n\n".join(text.as_text(one, _width()) for one in found))
        if options.output:
            print(f"\npage: {options.output}")
    return DONE


def _inspect(options: argparse.Namespace) -> int:
    with Trace(options.file) as trace:
        if not options.check:
            print(inspection(trace, _width()))
            return DONE
        results = run_checks(trace)
    for result in results:
        print(result)
    return FAILED if any(result.ok is False for result in results) else DONE


def _export(options: argparse.Namespace) -> int:
    check_format(options.to)
    with Trace(options.file) as trace:
        made = export(trace, Path(options.output), options.public, options.overwrite)
        if not trace.complete:
            print(f"dpdl: {trace.path} is incomplete: rows are missing", file=sys.stderr)
        certified = trace.number("epsilon_certified")
        if options.public and (certified is None or not math.isfinite(certified)):
            why = "no certified epsilon" if certified is None else "certified epsilon is inf"
            print(f"dpdl: {trace.path}: {why}: what is public is not proven to protect the data",
                  file=sys.stderr)
    print(*made, sep="\n")
    return DONE


def _merge(options: argparse.Namespace) -> int:
    merge(Path(options.file), [Path(part) for part in options.parts], options.overwrite)
    print(f"trace: {options.file}")
    return DONE


def _report(options: argparse.Namespace) -> int:
    files, pdf = [Path(name) for name in options.files], options.figures == "pdf"
    folder = files[0] if len(files) == 1 and (files[0] / LIST).is_file() else None
    output = Path(options.output or (folder or Path()) / "report.html")
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


def _figure(options: argparse.Namespace) -> int:
    if options.name not in STUDIES:
        near = difflib.get_close_matches(options.name, STUDIES, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(
            f"figure '{options.name}': no such study, accepted is one of {', '.join(STUDIES)}{hint}"
        )
    folder = Path(options.folder)
    if options.markdown:
        print(make(options.name, folder).as_markdown())
    else:
        show(options.name, folder, Path(options.output) if options.output else None)
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


def _open(stack: ExitStack, files: Sequence[str]) -> list[Trace]:
    return [stack.enter_context(Trace(file)) for file in files]


def _width() -> int:
    """The terminal's width; COLUMNS overrides it, and a pipe or file has no limit."""
    return shutil.get_terminal_size((UNLIMITED, 24)).columns


COMMANDS = {
    "compare": _compare,
    "table": _table,
    "inspect": _inspect,
    "export": _export,
    "merge": _merge,
    "report": _report,
    "figure": _figure,
    "resume": _resume,
    "config": _config,
    "sweep": sweep,
    "run": _run,
}
"""The commands by name."""
