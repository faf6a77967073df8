# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The schema that dpdl writes, as documented; a test of the C++ side holds the two together."""

import sqlite3
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[2] / "doc/formats/trace.sql"


def create_schema(connection: sqlite3.Connection) -> None:
    """Creates the tables and views of an empty trace."""
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
