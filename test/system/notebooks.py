#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Executes the notebooks of doc/notebooks from top to end.

usage: notebooks.py PATH-OF-LEARN [unittest arguments]
"""

import importlib.util
import json
import os
import sys
import unittest
from pathlib import Path
from typing import Any

from program_case import ProgramCase

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "doc" / "notebooks").glob("*.ipynb"))
PATIENCE = 300
MOST_BYTES = 200_000
NEEDED = ("nbclient", "nbformat", "ipykernel")


def kinds(notebook: dict[str, Any]) -> list[list[list[str]]]:
    """What each cell of code shows: the formats of its outputs."""
    return [[sorted(output.get("data", {output["output_type"]: ""})) for output in cell["outputs"]]
            for cell in notebook["cells"] if cell["cell_type"] == "code"]


@unittest.skipUnless(Path(sys.argv.pop(1)).resolve() == ROOT / "build/default/scenarios/learn",
                     "./dpdl runs the programs of build/default")
class NotebookTest(ProgramCase):
    """What holds for every notebook."""

    def test_each_has_been_executed(self) -> None:
        self.assertGreaterEqual(len(NOTEBOOKS), 2)
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                self.assertLess(path.stat().st_size, MOST_BYTES)
                self.assertNotIn(f"{ROOT}/", path.read_text(encoding="utf-8"))
                shown = kinds(json.loads(path.read_text(encoding="utf-8")))
                self.assertTrue(any(["image/png", "text/plain"] in cell for cell in shown))

    @unittest.skipUnless(all(map(importlib.util.find_spec, NEEDED)), "nbclient or ipykernel is missing")
    def test_each_runs_again_and_shows_the_same_kinds_of_things(self) -> None:
        import nbformat
        from nbclient import NotebookClient

        os.environ["PYTHONPATH"] = str(ROOT / "analysis")
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                before = kinds(notebook)
                place = {"metadata": {"path": str(self.folder)}}
                NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3",
                               resources=place).execute()
                self.assertEqual(kinds(notebook), before)


if __name__ == "__main__":
    unittest.main()
