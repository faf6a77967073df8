# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The program that a sweep runs: its options, and whether it takes what the file gives."""

from __future__ import annotations

import difflib
import json
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Sequence

from dpdl_analysis.sweep.failure import SweepFailure
from dpdl_analysis.sweep.file import SweepFile, Word
from dpdl_analysis.trace import UsageError

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = {"scenarios": ROOT / "scenarios", "examples": ROOT / "contrib" / "dpdl" / "examples"}
"""Where programs stand in the build folder, and where their sources are."""

OWN_FORM = re.compile(r"^  --(\w+)(?:=\.\.\.)?\n.*\n      accepts: (.*)$", re.MULTILINE)
NS3_FORM = re.compile(r"^    --(\w+): ", re.MULTILINE)
NAMED = re.compile(r"^a (?:certified )?name of `list ([\w-]+)`")
TRACE, FOLDER = "trace", "outputDir"
RESERVED = ("trace", "overwrite", "progress")
"""Options that the sweep itself gives."""
NUMBERS = ("seed", "run")
"""Options that `seeds` and `repetitions` vary."""
MOST_ARGUMENTS = 1000
"""Of one call; the system limits their length."""
QUIET = {"overwrite": None, "progress": "none"}
"""What a run of a sweep gets besides, where the program has the option."""
USUAL = {"workers": "1", "traceLevel": "summary"}
"""Defaults as in campaigns: runs side by side are the parallelism, and a row a message would fill
the disk."""


def known() -> dict[str, str]:
    """The programs that a file can name, with the folder of the build that they stand in."""
    found = {}
    for place, sources in FOLDERS.items():
        for source in sorted(sources.glob("*.cc")):
            if re.search(r"^main\(", source.read_text(encoding="utf-8"), re.MULTILINE):
                found[source.stem] = place
    return found


def check_name(file: SweepFile) -> None:
    """Raises UsageError unless there is a program of the name that the file gives."""
    names = known()
    if file.scenario not in names:
        near = difflib.get_close_matches(file.scenario, names, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise UsageError(f"{file.where(('scenario',))}: '{file.scenario}' is no scenario or "
                         f"example, accepted are {', '.join(names)}{hint}")


class Program:
    """A scenario or an example, built."""

    def __init__(self, name: str, build: Path) -> None:
        """Asks the program for its options. Raises SweepFailure if it does not answer."""
        self.name = name
        self._build = build
        self.path = build / known()[name] / name
        text = self._answer(["--help"]).stdout
        self._accepted = dict(OWN_FORM.findall(text))
        own = text.partition("\nGeneral Arguments:")[0]
        self.options = list(self._accepted) or NS3_FORM.findall(own)

    @property
    def names_trace(self) -> bool:
        """Whether the trace's place is an option; else it is what the run leaves in a folder."""
        return TRACE in self.options

    @property
    def usual(self) -> dict[str, str]:
        """What runs get unless the file says otherwise."""
        return {name: value for name, value in USUAL.items() if name in self.options}

    @property
    def quiet(self) -> list[str]:
        """Arguments of every run."""
        return [f"--{name}" + ("" if value is None else f"={value}")
                for name, value in QUIET.items() if name in self.options]

    def check(self, file: SweepFile) -> None:
        """Raises UsageError, with the line, if the file gives what the program does not take."""
        if FOLDER in self.options:
            raise UsageError(f"{file.where(('scenario',))}: '{self.name}' makes many runs itself, "
                             "accepted is a scenario or an example that writes one trace")
        for number, wanted in zip(NUMBERS, (file.seeds, file.repetitions > 1)):
            if wanted and number not in self.options:
                what = "seeds" if number == "seed" else "repetitions"
                raise UsageError(f"{file.where(('settings', what))}: {self.name} has no option "
                                 f"'{number}', so that all its runs would be the same")
        words = file.option_words
        for word in words:
            self._check_option(file, word)
            self._check_listed_name(file, word)
        given = [word for word in words if self.takes(word.name)]
        wrong = self._first_wrong(list(dict.fromkeys(f"--{w.name}={w.value}" for w in given)))
        if wrong:
            argument, reason = wrong
            word = next(w for w in given if f"--{w.name}={w.value}" == argument)
            raise UsageError(f"{file.where(word.key, word.value)}: {reason}")

    def takes(self, option: str) -> bool:
        """Whether it is an option of the program, or an attribute of ns-3."""
        return option in self.options or option.startswith("ns3::")

    def _check_option(self, file: SweepFile, word: Word) -> None:
        if word.name in RESERVED:
            file.refuse(word.key, f"no option '{word.name}', the sweep gives it to each run")
        if word.name in NUMBERS and word.name in file.factors:
            file.refuse(word.key, f"'seeds' or 'repetitions' in [settings], and not a varied "
                        f"'{word.name}'")
        if word.name == "seed" and file.seeds:
            file.refuse(word.key, "either 'seed' or 'seeds'")
        label = word.name in file.labels and word.name in file.factors
        if not self.takes(word.name) and not label:
            near = difflib.get_close_matches(word.name, [*self.options, "repetitions", "seeds"], 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            accepted = ", ".join(self.options) or "none"
            raise UsageError(f"{file.where(word.key)}: option '{word.name}' of {self.name} is "
                             f"unknown{hint or f', accepted are {accepted}'}")

    def _check_listed_name(self, file: SweepFile, word: Word) -> None:
        """Names that a run looks up only when it begins."""
        kind = NAMED.match(self._accepted.get(word.name, ""))
        name = word.value.partition(":")[0]
        names = self._listed(kind.group(1)) if kind else ()
        if names and name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise UsageError(f"{file.where(word.key, word.value)}: option '{word.name}': "
                             f"'{name}' is not accepted; expected one of {', '.join(names)}{hint}")

    @lru_cache(maxsize=None)
    def _listed(self, kind: str) -> tuple[str, ...]:
        """The available names of a kind; none if that cannot be told."""
        try:
            done = subprocess.run([self._build / "dpdl-list", kind, "--json"], check=False,
                                  capture_output=True, text=True)
            return tuple(part["name"] for part in json.loads(done.stdout) if part["available"])
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def _first_wrong(self, arguments: Sequence[str]) -> tuple[str, str] | None:
        """The first argument that is refused, and the answer. One call if there is none."""
        for begin in range(0, len(arguments), MOST_ARGUMENTS):
            some = arguments[begin : begin + MOST_ARGUMENTS]
            if self._answer([*some, "--help"]).returncode != 0:
                return self._wrong_of(some)
        return None

    def _wrong_of(self, arguments: Sequence[str]) -> tuple[str, str]:
        good, bad = 0, len(arguments)
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._answer([*arguments[:middle], "--help"]).returncode == 0:
                good = middle
            else:
                bad = middle
        answer = self._answer([*arguments[:bad], "--help"]).stderr
        reason = next(iter(answer.strip().splitlines()), "is not accepted")
        return arguments[bad - 1], reason.removeprefix(f"{self.name}: ")

    def _answer(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run([self.path, *arguments], check=False, capture_output=True,
                                  text=True, errors="replace", stdin=subprocess.DEVNULL)
        except OSError as error:
            raise SweepFailure(f"{self.path}: {error.strerror}; ./dpdl build --target={self.name} "
                               "makes it") from error
