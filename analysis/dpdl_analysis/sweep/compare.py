# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The option vary of a study: `drop=0,0.1`, `fail=link 3->4 down; node 2 crash`.

Alternatives stand between semicolons if there is one, else between commas outside of brackets. `&`
joins options that change together. An alternative without an option's name is of the first one's.
"""

import re
from dataclasses import dataclass
from itertools import product
from typing import Callable

from dpdl_analysis.trace import UsageError

ACCEPTED = "OPTION=VALUE,VALUE,... with an option of learn; semicolons between values that hold " \
    "commas"
FIXED = ("overwrite", "progress", "run", "seed", "trace")
"""They identify runs or say what is shown: variants share them, or have none."""
NAMED = re.compile(r"([A-Za-z]+)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Change:
    """What a variant changes against the base: `drop 0.1`; of a failure its event."""

    name: str
    options: list[tuple[str, str]]


def read_change(text: str, is_option: Callable[[str], bool]) -> list[Change]:
    """The alternatives of one option vary. Raises UsageError if it is none."""
    parts = _parts(text, ";" if ";" in text else ",")
    if ";" in text and not parts[-1]:
        parts.pop()
    changes: list[Change] = []
    for part in parts:
        changes.append(_change(part, changes[0].options[0][0] if changes else "", is_option))
    return changes or _refuse(text)


def changes_of(lists: list[list[Change]], crossed: bool) -> list[Change]:
    """The changes of all lists: one after the other, or all combinations of one of each."""
    if not crossed:
        return [change for changes in lists for change in changes]
    return [Change(" & ".join(one.name for one in row),
                   [word for one in row for word in one.options])
            for row in product(*lists) if row]


def _change(text: str, usual: str, is_option: Callable[[str], bool]) -> Change:
    """One alternative. `usual` is the option of values without a name; empty: there is none."""
    names, options = [], []
    for part in _parts(text, "&"):
        found = NAMED.fullmatch(part)
        named = found and (not usual or options or is_option(found[1]))
        option, value = (found[1], found[2].strip()) if found and named else (usual, part)
        if not option or not value:
            _refuse(text)
        if option in FIXED:
            raise UsageError(f"option 'vary': '{option}' cannot vary: variants are compared where "
                             "it is the same")
        names.append(value if option == "fail" else f"{option} {value}")
        options.append((option, value))
    return Change(" & ".join(names), options)


def _refuse(text: str) -> list[Change]:
    raise UsageError(f"option 'vary': '{text}' is not accepted; expected {ACCEPTED}")


def _parts(text: str, separator: str) -> list[str]:
    """What stands between separators outside of brackets, without blanks at the ends."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == separator and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
