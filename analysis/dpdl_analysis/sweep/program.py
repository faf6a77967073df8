# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The simulation program of a campaign, and checks of the options that it gets."""

import json
import math
import re
import subprocess
from pathlib import Path
from textwrap import fill
from typing import Iterable

from dpdl_analysis.formatting import hint
from dpdl_analysis.place import FOLDERS, PROGRAMS as PROGRAMS, ROOT as ROOT
from dpdl_analysis.sweep.file import GIVEN, REPETITIONS, SEEDS, SweepFile, Word, Words
from dpdl_analysis.trace import UsageError

LIST = "--options=json"
NS3_FORM = re.compile(r"^    --(\w+): ", re.MULTILINE)
"""Matches an option in the help that ns-3's CommandLine prints for an unknown option."""
NAMED = re.compile(r"(?:option '|--)([\w:]+)")
"""Matches the name of the option in an error message of a program."""
TRACE, FOLDER = "trace", "outputDir"
RESERVED = ("trace", "overwrite", "progress", "quiet")
"""Options that the campaign sets for each run; a file must not set them."""
NUMBERS = ("seed", "run")
"""Options that the keys `seeds` and `repetitions` of [settings] vary."""
QUIET = {"overwrite": None, "progress": "none", "quiet": None}
"""Options that each run gets if its program has them; None: an option without a value."""
USUAL = {"workers": "1", "traceLevel": "summary"}
"""Default options of runs: one thread each, since runs are parallel, and small traces."""


class SweepFailure(Exception):
    """A failure without a mistake of the user, such as a missing program, in one line."""


def known() -> dict[str, str]:
    """Folder, relative to the build folder, of each program that a file can name, by its name."""
    found = {}
    for place, sources in FOLDERS.items():
        for source in sorted(sources.glob("*.cc")):
            if re.search(r"^main\(", source.read_text(encoding="utf-8"), re.MULTILINE):
                found[source.stem] = place
    return found


def check_name(file: SweepFile) -> None:
    """Raises UsageError if the file names an unknown program."""
    names = known()
    if file.scenario not in names:
        raise UsageError(f"{file.program_place}: '{file.scenario}' is no scenario or example, "
                         f"accepted are {', '.join(names)}{hint(file.scenario, names)}")


def arguments(options: Words) -> list[str]:
    """Options as command-line arguments, `--name=value`; one argument per line of a value."""
    return [f"--{name}={line}" for name, value in options.items() for line in value.split("\n")]


class Program:
    """A built simulation program: a scenario or an example."""

    def __init__(self, name: str, build: Path) -> None:
        """Asks the program for its options. Raises SweepFailure if it cannot be started."""
        self.name = name
        self.build = build
        self.path = build / known()[name] / name
        done = self._answer([LIST])
        rows = json.loads(done.stdout) if done.returncode == 0 else []
        self.accepted = {row["name"]: row["accepted"] for row in rows}
        """Accepted values of each option as text; empty if the program does not report them."""
        self.flags: list[str] = []
        """Options of `./dpdl run`, which the program itself does not have."""
        self.defaults = {row["name"]: row.get("default", "") for row in rows}
        own = (done.stdout + done.stderr).partition("\nGeneral Arguments:")[0]
        self.options = list(self.accepted) or NS3_FORM.findall(own)

    @property
    def names_trace(self) -> bool:
        """True if an option sets the trace's path. If not, a run writes to its working folder."""
        return TRACE in self.options

    @property
    def usual(self) -> Words:
        """Default options of runs, such as workers=1; a campaign's file overrides them."""
        return {name: value for name, value in USUAL.items() if name in self.options}

    @property
    def quiet(self) -> list[str]:
        """Arguments of every run that suppress output, such as --quiet."""
        return [f"--{name}" + ("" if value is None else f"={value}")
                for name, value in QUIET.items() if name in self.options]

    def help(self) -> str:
        """Help text with the names of the program's options that a study accepts."""
        names = [name for name in self.options if name not in (*RESERVED, "repetitions")]
        return fill(f"Options of all its runs: {', '.join(names)}", 100, subsequent_indent="  ")

    def alone(self, options: Words, kind: str, most: int) -> list[str]:
        """Up to `most` `Links` or `Nodes` (`kind`) that may fail alone. Raises UsageError."""
        done = self._answer([*arguments(options), f"--Print{kind}={most}"])
        if done.returncode != 0:
            raise UsageError(self._reason(done))
        return done.stdout.split()

    def check(self, file: SweepFile, words: list[Word], runs: Iterable[Words]) -> None:
        """Raises UsageError for refused options: `words` of file and command line, or `runs`."""
        if FOLDER in self.options or self.name in ("audit", "calibrate"):
            raise UsageError(f"{file.program_place}: '{self.name}' makes many runs itself, "
                             "accepted is a scenario or an example that writes one trace")
        for number, wanted in zip(NUMBERS, (file.seeds, file.repetitions > 1)):
            if wanted and number not in self.options:
                what = "seeds" if number == "seed" else "repetitions"
                raise UsageError(f"{file.where(('settings', what))}: {self.name} has no option "
                                 f"'{number}', so that all its runs would be the same")
        for word in words:
            self._check_option(file, word)
        if self.accepted:
            self._check_runs(file, words, [arguments(options) for options in runs])

    def needs(self, runs: Iterable[Words]) -> tuple[float, list[tuple[float, float]]]:
        """Free memory, and (memory, disk space) of each run, all in bytes. Returns (inf, []) if the
        program does not report them."""
        lines = "".join("\t".join(arguments({name: value for name, value in options.items()
                                             if name in self.options})) + "\n" for options in runs)
        done = self._answer(["--PrintNeeds"], lines) if self.accepted else None
        try:
            memory, *stated = [float(line) for line in done.stdout.split()] if done else []
        except ValueError:
            stated = []
        known = done is not None and done.returncode == 0 and len(stated) == 2 * lines.count("\n")
        return (memory, list(zip(stated[::2], stated[1::2]))) if known else (math.inf, [])

    def takes(self, option: str) -> bool:
        """True if `option` is an option of the program, or an attribute of ns-3."""
        return option in self.options or option.startswith("ns3::")

    def _check_option(self, file: SweepFile, word: Word) -> None:
        if word.name in RESERVED:
            file.refuse(word.key, f"no option '{word.name}', the campaign gives it to each run")
        if word.name in NUMBERS and word.name in file.factors:
            file.refuse(word.key, f"'seeds' or 'repetitions' in [settings], and not a varied "
                        f"'{word.name}'")
        if word.name == "seed" and file.seeds:
            file.refuse(word.key, "either 'seed' or 'seeds'")
        label = word.name in file.labels and word.name in file.factors
        if self.takes(word.name):
            return
        if not label:
            if word.name in (REPETITIONS, SEEDS):
                raise UsageError(f"{file.at(word.key)}option '{word.name}': accepted as a key of "
                                 "[settings] in the file alone")
            near = hint(word.name, [*self.options, *((REPETITIONS, SEEDS) if word.key else self.flags)])
            accepted = ", ".join(self.options) or "none"
            raise UsageError(f"{file.at(word.key)}option '{word.name}' of {self.name} is "
                             f"unknown{near or f', accepted are {accepted}'}")
        values = [value for one in file.lists if word.key == (GIVEN, one.name)
                  if one.of not in self.options for value in dict.fromkeys(one.usual + one.full)]
        if values and word.value not in values:
            raise UsageError(f"{file.at(word.key)}'{word.value}' is not accepted; expected one of "
                             f"{', '.join(values)}{hint(word.value, values)}")

    def _check_runs(self, file: SweepFile, words: list[Word], runs: list[list[str]]) -> None:
        """Lets the program check the options of each run. Raises UsageError for the first error."""
        lines = "".join("\t".join(run) + "\n" for run in runs)
        done = self._answer(["--CheckRuns"], lines)
        if done.returncode != 0:
            raise UsageError(self._reason(done))
        if done.stdout:
            number, option, reason = done.stdout.strip().split("\t", 2)
            raise UsageError(located(file, words, runs[int(number) - 1], reason, option))

    def _reason(self, done: subprocess.CompletedProcess[str]) -> str:
        line = next(iter(done.stderr.strip().splitlines()), "is not accepted")
        return line.removeprefix(f"{self.name}: ")

    def _answer(self, words: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run([self.path, *words], check=False, capture_output=True, text=True,
                                  errors="replace", input=text)
        except OSError as error:
            raise SweepFailure(f"{self.path}: {error.strerror}; ./dpdl build --target={self.name} "
                               "makes it") from error


def located(file: SweepFile, words: list[Word], run: list[str], reason: str,
            option: str = "") -> str:
    """Error message for a refused run with arguments `run`: file and line of the entry that sets
    `option` ("": the option that `reason` names), then `reason`."""
    named = NAMED.search(reason)
    option = option or (named[1] if named else "")
    places = [word.key for word in words if word.name == option
              and set(arguments({option: word.value})) <= set(run)]
    return (file.at(places[-1]) if places else "") + reason
