#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the module's page of ns-3's model library with Sphinx; exits with 77 where it is missing."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "contrib/dpdl/doc/dpdl.rst"
SPHINX = shutil.which("sphinx-build")
OUTLINE = {
    "Model Description": ["Design", "Scope and Limitations", "References"],
    "Usage": [
        "Building New Module",
        "Helpers",
        "Attributes",
        "Output",
        "Advanced Usage",
        "Examples and Tests",
        "Troubleshooting",
    ],
    "Validation": [],
}
"""Sections and subsections in the order that ns-3's template for modules has."""


def headings(text: str, mark: str) -> list[str]:
    """The lines that are underlined with a mark."""
    lines = text.splitlines()
    pairs = zip(lines, lines[1:])
    return [line for line, rule in pairs if line and rule == mark * len(line)]


class OutlineTest(unittest.TestCase):
    """The page has the parts of those of ns-3."""

    def test_outline_is_that_of_ns3(self) -> None:
        text = PAGE.read_text(encoding="utf-8")
        self.assertEqual(len(headings(text, "=")), 1)
        self.assertEqual(headings(text, "-"), list(OUTLINE))
        self.assertEqual(headings(text, "~"), sum(OUTLINE.values(), []))


class SphinxTest(unittest.TestCase):
    """The page is one that ns-3 could take over."""

    def test_sphinx_has_nothing_to_say(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copy(PAGE, folder / "index.rst")
            # What ns-3 has beside the page; its own settings need LaTeX for the formulas.
            (folder / "replace.txt").write_text(".. |ns3| replace:: *ns-3*\n", encoding="utf-8")
            (folder / "conf.py").write_text(
                'project = "dpdl"\nextensions = ["sphinx.ext.mathjax"]\n', encoding="utf-8"
            )
            done = subprocess.run(
                [SPHINX, "-q", "-W", "--keep-going", "-n", "-b", "html", folder, folder / "html"],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("DpdlHelper", (folder / "html/index.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    if SPHINX is None and sys.argv[1:] != ["OutlineTest"]:
        print("skipped: sphinx-build is missing; install it with: apt install python3-sphinx")
        sys.exit(77)
    unittest.main()
