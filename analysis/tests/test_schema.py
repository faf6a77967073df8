# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The views that are read here are those that dpdl writes: held against its schema's source."""

from __future__ import annotations

import re
import sqlite3
import unittest
from contextlib import closing

from support import TraceTest  # comes first: it finds the package
from real_schema import SOURCES, create_schema

from dpdl_analysis.trace import SCHEMA_VERSION, VIEWS


@unittest.skipUnless((SOURCES / "schema.cc").exists(), "the schema's source is not here")
class SchemaTest(TraceTest):
    """The schema of the C++ side."""

    def test_the_schema_version_is_the_one_read_here(self) -> None:
        header = (SOURCES / "schema.h").read_text(encoding="utf-8")
        found = re.search(r"TRACE_SCHEMA_VERSION = (\d+);", header)
        self.assertIsNotNone(found)
        self.assertEqual(int(found.group(1)), SCHEMA_VERSION)

    def test_every_view_has_the_columns_read_here(self) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            create_schema(connection)
            for view, columns in VIEWS.items():
                with self.subTest(view):
                    found = connection.execute(f'SELECT * FROM "{view}"').description
                    self.assertEqual(len(found), len(columns))
                    connection.execute(f"SELECT {', '.join(columns)} FROM \"{view}\"")
