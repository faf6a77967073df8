# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Options of one run from a TOML file: `./dpdl run learn --config=FILE`; see doc/options.md."""

from pathlib import Path
from typing import Any, Sequence

from dpdl_analysis.sweep.file import SweepFile, Word
from dpdl_analysis.sweep.lines import Key
from dpdl_analysis.trace import UsageError

SETTINGS = "settings"
NAMES = ("title", "program", "scenario", SETTINGS)
"""Keys accepted at the top level of a file with a table [settings]."""


class ConfigFile(SweepFile):
    """A TOML file of options, at its top level or in its table [settings]."""

    ACCEPTED = "a TOML file of options"

    def __init__(self, path: Path) -> None:
        """Reads `path`. Raises UsageError naming file and line."""
        self.path = path
        self._read()
        self.words = self._settings() if SETTINGS in self._content else self._all()

    def _settings(self) -> list[Word]:
        for name in self._content:
            if name not in NAMES:
                raise UsageError(f"{self.where((name,))}: '{name}' belongs to a campaign, whose "
                                 "runs are made by ./dpdl sweep FILE; accepted are "
                                 + ", ".join(NAMES))
        return self._words((SETTINGS,))

    def _all(self) -> list[Word]:
        return [self._word((name,), self._joined((name,), value))
                for name, value in self._content.items()]

    def _value(self, key: Key, value: Any) -> str:
        return "" if value is True else super()._value(key, value)


def arguments(path: Path, given: Sequence[str]) -> list[str]:
    """Options of a file that arguments `given` lack, as `--name=value`. Raises UsageError."""
    taken = {argument.lstrip("-").split("=", 1)[0] for argument in given}
    return [f"--{word.name}={line}" if line else f"--{word.name}"
            for word in ConfigFile(path).words if word.name not in taken
            for line in word.value.split("\n")]
