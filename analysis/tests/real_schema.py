# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The schema that dpdl writes, taken from its C++ source."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "contrib/dpdl/core/src/trace"


def create_schema(connection: sqlite3.Connection) -> None:
    """Creates the tables and views of an empty trace."""
    source = (SOURCES / "schema.cc").read_text(encoding="utf-8")
    for table, columns, _ in re.findall(r'\{"(\w+)",\s*\{(("\w+ \w+",?\s*)+)\}\}', source):
        names = ", ".join(re.findall(r'"([^"]+)"', columns))
        connection.execute(f"CREATE TABLE {table}({names})")
    scripts = _scripts(source)[:2] + _scripts(
        (SOURCES / "column-privacy.cc").read_text(encoding="utf-8")
    )
    for script in scripts:
        connection.executescript(script)
    version = re.search(
        r"TRACE_SCHEMA_VERSION = (\d+);", (SOURCES / "schema.h").read_text(encoding="utf-8")
    )
    connection.execute(f"PRAGMA user_version = {version.group(1)}")


def _scripts(source: str) -> list[str]:
    return re.findall(r'R"sql\((.*?)\)sql"', source, re.DOTALL)
