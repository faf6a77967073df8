# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Line numbers of the keys in a TOML file, which Python's parser does not report."""

import re
import tomllib
from collections import Counter
from typing import Sequence

Key = Sequence[str | int]
"""Path to an entry of a TOML file: names of tables and keys, and indices in lists."""

TEXT = r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
TOKEN = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|#[^\n]*|' + TEXT +
                   r'|\n|[\[\]{}=,.]|[^\s\[\]{}=,.#"\']+', re.DOTALL)
MARKS = set("[]{}=,.")


def positions(text: str) -> dict[Key, int]:
    """Line (from 1) at which each table, key and list item of a valid TOML text begins.

    Entries of inline tables are omitted.
    """
    found: dict[Key, int] = {}
    table: tuple[str | int, ...] = ()
    tables: Counter[tuple[str, ...]] = Counter()
    for tokens in _statements(text):
        (first, line), words = tokens[0], [token for token, _ in tokens]
        end = words.index("]") if first == "[" else words.index("=")
        names = tuple(_name(word) for word in words[:end] if word not in MARKS)
        if first != "[":
            found[(*table, *names)] = line
            for index, at in enumerate(_items(tokens[end + 1 :])):
                found[(*table, *names, index)] = at
            continue
        table = names
        if words[1] == "[":
            table = (*names, tables[names])
            tables[names] += 1
        for length in range(1, len(table) + 1):
            found.setdefault(table[:length], line)
    return found


def _statements(text: str) -> list[list[tuple[str, int]]]:
    """Splits a TOML text into table headers and key-value pairs: lists of (token, line)."""
    found: list[list[tuple[str, int]]] = [[]]
    line, depth = 1, 0
    for token in TOKEN.findall(text):
        depth += (token in "[{") - (token in "]}")
        if token == "\n" and depth == 0 and found[-1]:
            found.append([])
        elif token != "\n" and token[0] != "#":
            found[-1].append((token, line))
        line += token.count("\n")
    return [tokens for tokens in found if tokens]


def _items(tokens: list[tuple[str, int]]) -> list[int]:
    """Lines at which the items of a list begin; [] if the tokens are no list."""
    lines, depth, begins = [], 0, False
    for token, line in tokens if tokens[0][0] == "[" else []:
        if begins and token != "]":
            lines.append(line)
        depth += (token in "[{") - (token in "]}")
        begins = depth == 1 and token in "[,"
    return lines


def _name(word: str) -> str:
    return str(tomllib.loads(f"{word} = 0").popitem()[0])
