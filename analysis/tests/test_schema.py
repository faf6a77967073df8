# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The views that are read here are those that dpdl writes: held against its schema."""

import sqlite3
import unittest
from contextlib import closing

from support import TraceTest  # comes first: it finds the package
from real_schema import SCHEMA, create_schema

from dpdl_analysis.trace import SCHEMA_VERSION, VIEWS


@unittest.skipUnless(SCHEMA.exists(), "the schema is not here")
class SchemaTest(TraceTest):
    """The schema of the C++ side."""

    def test_the_schema_version_is_the_one_read_here(self) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            create_schema(connection)
            [version] = connection.execute("PRAGMA user_version").fetchone()
        self.assertEqual(version, SCHEMA_VERSION)

    def test_every_view_has_the_columns_read_here(self) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            create_schema(connection)
            for view, columns in VIEWS.items():
                with self.subTest(view):
                    found = connection.execute(f'SELECT * FROM "{view}"').description
                    # New columns come behind them.
                    self.assertEqual([name for name, *_ in found[: len(columns)]], [*columns])
