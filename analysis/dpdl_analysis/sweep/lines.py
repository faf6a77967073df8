# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The line of a key in a TOML file, which Python's parser does not report."""

from __future__ import annotations

import tomllib
from typing import Any, Sequence

LONGEST = 2000
"""Lines; a longer file is not searched, since each of its beginnings is parsed."""

Key = Sequence[str | int]
"""Names of tables and keys, and places in lists of tables, from the outside in."""


def line_of(text: str, key: Key, item: str = "") -> int | None:
    """The line that the key's definition begins on, counted from 1; None if it is unknown.

    With `item`, the line within the definition that alone holds this text, if there is one.
    """
    lines = [line + "\n" for line in text.split("\n")]
    if len(lines) > LONGEST:
        return None
    # Every beginning of the file that parses ends behind a whole definition.
    whole = 0
    for count in range(1, len(lines) + 1):
        try:
            content = tomllib.loads("".join(lines[:count]))
        except (ValueError, RecursionError):
            continue
        if _holds(content, key):
            held = [n for n in range(whole + 1, count + 1) if item and item in lines[n - 1]]
            return held[0] if len(held) == 1 else whole + 1
        whole = count
    return None


def _holds(content: Any, key: Key) -> bool:
    for part in key:
        if isinstance(part, int):
            if not isinstance(content, list) or part >= len(content):
                return False
        elif not isinstance(content, dict) or part not in content:
            return False
        content = content[part]
    return True
