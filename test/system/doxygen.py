#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the public headers to Doxygen's warnings, with ns-3's settings for them; exits with 77 where
it is missing.

usage: doxygen.py [FOLDER-OF-NS3-HEADERS] [unittest arguments]

What a method of ns-3 does is documented in ns-3's headers; without them only the core is read.
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NS3 = Path(sys.argv.pop(1)) if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else None
MODULE = Path(__file__).resolve().parents[2] / "contrib/dpdl"
DOXYGEN = shutil.which("doxygen")
BASES = ("application", "chunk", "error-model", "header", "object", "object-base")
"""Headers of ns-3 whose classes the module derives from."""
SETTINGS = """
QUIET = YES
FILE_PATTERNS = *.h
RECURSIVE = YES
DISTRIBUTE_GROUP_DOC = YES
MACRO_EXPANSION = YES
WARN_NO_PARAMDOC = NO
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
INPUT = {inputs}
OUTPUT_DIRECTORY = {output}
"""


class DoxygenTest(unittest.TestCase):
    """Every public member is documented."""

    def test_public_headers_have_no_warnings(self) -> None:
        inputs = [MODULE / "core/include"]
        if NS3:
            inputs += [MODULE / "model", MODULE / "helper"]
            inputs += [NS3 / "ns3" / f"{base}.h" for base in BASES]
        with tempfile.TemporaryDirectory() as output:
            settings = SETTINGS.format(inputs=" ".join(map(str, inputs)), output=output)
            done = subprocess.run(
                [DOXYGEN, "-"], input=settings, capture_output=True, text=True, check=True
            )
            classes = list(Path(output).glob("xml/classdpdl_1_1*.xml"))
        self.assertGreater(len(classes), 50)
        warnings = [line for line in done.stderr.splitlines() if line.startswith(str(MODULE))]
        self.assertEqual(warnings, [])


if __name__ == "__main__":
    if DOXYGEN is None:
        print("skipped: doxygen is missing; install it with: apt install doxygen")
        sys.exit(77)
    unittest.main()
